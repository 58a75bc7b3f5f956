"""Ctrl-C during imports: a library may swallow the KeyboardInterrupt there, or turn it into another exception."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # a shell's exit code for SIGINT


@contextmanager
def importing() -> Iterator[None]:
    """Let Ctrl-C end the process at once: nothing has started yet that would need a clean shutdown."""
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
