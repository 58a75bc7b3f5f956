"""Messages on the terminal: one line each with the simulated time, or one JSON object each."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.sim.sim import Sim


@dataclass
class Stamp:
    """Knows the simulation whose time the messages carry, once there is one."""

    sim: Sim | None = None

    def time_s(self) -> float:
        """Return the simulated time (s)."""
        return self.sim.time_s if self.sim is not None else 0.0


class TextLines(logging.Formatter):
    """``    12.345 s  warning: text``."""

    def __init__(self, stamp: Stamp) -> None:
        super().__init__()
        self._stamp = stamp

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a message."""
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        return f"{self._stamp.time_s():10.3f} s  {level}{record.getMessage()}"


class JsonLines(TextLines):
    """One JSON object per message, for machines."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object of a message."""
        return json.dumps(
            {
                "t_s": round(self._stamp.time_s(), 6),
                "level": record.levelname.lower(),
                "from": record.name,
                "text": record.getMessage(),
            },
            ensure_ascii=False,
        )


@contextmanager
def to_stderr(form: str) -> Iterator[Stamp]:
    """Send the package's messages to standard error while a verb runs."""
    stamp = Stamp()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(stamp) if form == "json" else TextLines(stamp))
    logger = logging.getLogger("understudy")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield stamp
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@contextmanager
def compile_notice() -> Iterator[None]:
    """Say so, once, when something must be compiled first."""
    from numba.core import event

    class Once(event.Listener):
        told = False

        def on_start(self, _: Any) -> None:
            if not self.told:
                self.told = True
                logging.getLogger("understudy.cli").info("compiling for this machine what the scene needs; only once")

        def on_end(self, _: Any) -> None:
            pass

    with event.install_listener("numba:compile", Once()):
        yield
