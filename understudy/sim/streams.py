"""Standard output and standard error: reopened when a user program has closed them; the simulator needs them."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

_STREAMS = (("stdout", 1), ("stderr", 2))


def reopen_closed() -> None:
    """Reopen the standard streams that are closed."""
    for name, number in _STREAMS:
        stream = getattr(sys, name)
        if getattr(stream, "closed", False):
            fresh = _opened(number)
            setattr(sys, name, fresh)
            _redirect_handlers(stream, fresh)


def _opened(number: int) -> TextIO | None:
    """Return a new stream on a file descriptor of the process; None if the descriptor is closed too."""
    try:
        return open(number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    except OSError:
        return None


def _redirect_handlers(old: TextIO, fresh: TextIO | None) -> None:
    """Let log handlers write to a stream that was reopened."""
    for name in ("", "understudy"):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is old:
                handler.stream = fresh  # setStream would flush the closed stream
