"""Log messages on the terminal: one line each with the simulated time, or one JSON object each."""

from __future__ import annotations

import html
import json
import logging
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

_MOST_REMEMBERED = 1000  # distinct messages


@dataclass
class Stamp:
    """The simulation whose time the messages carry; None until it is loaded."""

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
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{self._stamp.time_s():10.3f} s  {level}{record.getMessage()}{trace}"


class JsonLines(TextLines):
    """One JSON object per message, for other programs."""

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


class HtmlLines(TextLines):
    """One HTML paragraph per message with its level as class, for a browser."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the paragraph of a message."""
        line = html.escape(super().format(record), quote=False)
        return f'<p class="{record.levelname.lower()}"><tt>{line}</tt></p>'


FORMS: Mapping[str, type[TextLines]] = {"text": TextLines, "json": JsonLines, "html": HtmlLines}


class Seldom(logging.Filter):
    """A filter that passes the same message at most once a minute."""

    def __init__(self, every_s: float = 60.0) -> None:
        super().__init__()
        self._every_s = every_s
        self._last_s: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the message."""
        text = record.getMessage()
        if record.created - self._last_s.get(text, -math.inf) < self._every_s:
            return False
        if len(self._last_s) >= _MOST_REMEMBERED:
            self._last_s.clear()
        self._last_s[text] = record.created
        return True


def to_stderr(form: str) -> AbstractContextManager[Stamp]:
    """Send the package's messages to standard error while a verb runs."""
    return to(logging.StreamHandler(sys.stderr), form)


@contextmanager
def to(handler: logging.Handler, form: str, level: int = logging.INFO) -> Iterator[Stamp]:
    """Send the package's messages to *handler* while a verb runs."""
    stamp = Stamp()
    handler.setFormatter(FORMS[form](stamp))
    logger = logging.getLogger("understudy")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield stamp
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()


@contextmanager
def compile_notice() -> Iterator[None]:
    """Log one line when the first kernel is compiled."""
    from numba.core import event

    class Once(event.Listener):
        reported = False

        def on_start(self, _: Any) -> None:
            if not self.reported:
                self.reported = True
                logging.getLogger("understudy.cli").info("compiling kernels for this machine; this happens only once")

        def on_end(self, _: Any) -> None:
            pass

    with event.install_listener("numba:compile", Once()):
        yield
