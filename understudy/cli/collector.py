"""The garbage collector during startup: imports create a million long-lived objects, and scanning them repeatedly
takes a tenth of the start time. So it is disabled until the simulation is loaded. The objects that exist then are
frozen (excluded from later collections), which also avoids a long pause in a real-time run.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

LONG = ("run", "examples", "studio", "mobilesim")  # verbs that call `release` after loading


@contextmanager
def held(words: Sequence[str], for_good: bool) -> Iterator[None]:
    """Disable the collector while a verb that will call `release` starts.

    Afterwards frozen objects are unfrozen, unless the process ends then (*for_good*): scanning them would be wasted.
    """
    if words[0] not in LONG or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not for_good:
            gc.unfreeze()
        gc.enable()


def release() -> None:
    """Freeze the existing objects and enable the collector; does nothing if it is enabled already."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
