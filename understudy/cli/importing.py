"""Ctrl-C while modules are imported: an exception there may get lost in a library, or come out as another one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # what a shell makes of SIGINT


@contextmanager
def importing() -> Iterator[None]:
    """Let Ctrl-C end the process at once: nothing has begun yet that would have to be ended well."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"understudy: interrupted\n")
    os._exit(INTERRUPTED)
