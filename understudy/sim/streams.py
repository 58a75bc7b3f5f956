"""Standard output and standard error: opened again when a program has closed them, for the world still needs them."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

_STREAMS = (("stdout", 1), ("stderr", 2))


def mend() -> None:
    """Open what is closed."""
    for name, number in _STREAMS:
        stream = getattr(sys, name)
        if getattr(stream, "closed", False):
            fresh = _opened(number)
            setattr(sys, name, fresh)
            _tell_handlers(stream, fresh)


def _opened(number: int) -> TextIO | None:
    """Return a stream of the process; None if that is closed too."""
    try:
        return open(number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    except OSError:
        return None


def _tell_handlers(old: TextIO, fresh: TextIO | None) -> None:
    """Let messages go on to a stream that was opened again."""
    for name in ("", "understudy"):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is old:
                handler.stream = fresh  # setStream would flush what is closed
