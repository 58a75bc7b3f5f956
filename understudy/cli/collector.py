"""The garbage collector while a command starts: imports make a million objects that stay, and looking through them
again and again takes a tenth of the start. It is held until the simulation is there, and what is there then is left
out of later collections, which also spares a real-time run a long pause.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

LONG = ("run", "examples", "studio", "mobilesim")  # verbs that call `release` when they have loaded


@contextmanager
def held(words: Sequence[str], for_good: bool) -> Iterator[None]:
    """Hold the collector while a verb that will release it starts.

    Afterwards everything is as it was, unless the process ends then: what was left out need not be looked through.
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
    """Let it collect from now on, but for what is there already; nothing, if nobody holds it."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
