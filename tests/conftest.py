"""How all tests run: with patience, for two processes share the machine with whatever else it does."""

import os
import signal
from pathlib import Path

os.environ.setdefault("UNDERSTUDY_COMPILE", "now")  # tests/tiers has its own; "never" runs all tests interpreted

from hypothesis import HealthCheck, settings

# The longest files, and those that compile most: if one of them came last, the other process would have nothing to do.
# The first two compile different kernels.
FIRST = (
    "engines/planar/test_planar_engine.py", "engines/rays/test_rays_solids.py", "engines/test_far_away.py",
    "tiers/test_processors.py", "engines/rigid/test_rigid_bolted.py", "elementary/test_elementary.py",
    "clients/test_preload.py", "mobilesim/test_mobilesim_wire.py", "tiers/test_workshop.py",
)  # fmt: skip
_RANKS = {Path(__file__).parent / name: rank for rank, name in enumerate(FIRST)}

# In the background of a script SIGINT is ignored, under nohup SIGHUP, and processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_collection_modifyitems(items):
    """Begin with the longest files."""
    items.sort(key=lambda item: _RANKS.get(item.path, len(_RANKS)))


def pytest_terminal_summary(terminalreporter):
    """Say at the end what a test has noted with record_property("note", ...): what it could not compare here."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    noted = {text for report in reports for key, text in getattr(report, "user_properties", ()) if key == "note"}
    for text in sorted(noted):
        terminalreporter.write_line(f"note: {text}")
