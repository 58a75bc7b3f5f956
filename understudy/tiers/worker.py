"""A process that compiles kernels into the cache on disk: `main`, with orders on stdin.

Each order is a line, and so is each answer. It continues after its parent has exited: what it compiles is used by the
next start.
"""

from __future__ import annotations

import base64
import gc
import importlib
import os
import pickle
import sys
from contextlib import suppress
from typing import Any

NICE = 5
READY, DONE, FAILED = b"ready\n", b"done\n", b"failed\n"


def written(module: str, name: str, signature: Any) -> bytes:
    """Return an order as a line; raises if it cannot be serialised."""
    return base64.b64encode(pickle.dumps((module, name, signature))) + b"\n"


def main() -> None:
    """Compile the orders until stdin ends."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    gc.disable()  # the compiler's objects are short-lived, and the process ends soon
    importlib.import_module("understudy.jit")
    _answer(READY)
    for line in sys.stdin.buffer:
        try:
            _compile(*pickle.loads(base64.b64decode(line)))
        except Exception:
            _answer(FAILED)
        else:
            _answer(DONE)


def _compile(module: str, name: str, signature: Any) -> None:
    getattr(importlib.import_module(module), name).compile(signature)


def _answer(line: bytes) -> None:
    with suppress(OSError):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
