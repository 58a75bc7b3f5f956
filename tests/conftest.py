"""How all tests run: with patience, for two processes share the machine with whatever else it does."""

import os

os.environ.setdefault("UNDERSTUDY_COMPILE", "now")  # tests/tiers has its own; "never" runs all tests interpreted

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_terminal_summary(terminalreporter):
    """Say at the end what a test has noted with record_property("note", ...): what it could not compare here."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    noted = {text for report in reports for key, text in getattr(report, "user_properties", ()) if key == "note"}
    for text in sorted(noted):
        terminalreporter.write_line(f"note: {text}")
