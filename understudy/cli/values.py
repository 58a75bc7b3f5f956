"""Values of options, read from words; each function raises ArgumentTypeError for a word that will not do."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

Number = TypeVar("Number", int, float)


def motion(text: str) -> tuple[float, float]:
    """Return a forward speed (m/s) and a turn rate (rad/s)."""
    ahead, comma, turn = text.partition(",")
    try:
        return float(ahead), float(turn) if comma else 0.0
    except ValueError:
        raise argparse.ArgumentTypeError(f"want m/s and rad/s, such as 0.3,0.2, got {text!r}") from None


def pair_of(text: str) -> tuple[float, float]:
    """Return two numbers."""
    first, comma, second = text.partition(",")
    try:
        return float(first), float(second if comma else first)
    except ValueError:
        raise argparse.ArgumentTypeError(f"want two numbers, such as 46.5,6.6, got {text!r}") from None


def _parsed(kind: Callable[[str], Number], text: str, otherwise: Number) -> Number:
    """Return a number; *otherwise*, which the caller refuses, for text that is not one."""
    try:
        return kind(text)
    except ValueError:
        return otherwise


def positive(text: str) -> float:
    """Return a number above zero."""
    value = _parsed(float, text, 0.0)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"want a number above 0, got {text!r}")
    return value


def speed(text: str) -> float | None:
    """Return a multiple of real time, None for "max"."""
    if text == "max":
        return None
    try:
        return positive(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"want max or a number above 0, got {text!r}") from None


def engine(text: str) -> str:
    """Return the name of an engine; other packages are looked through only for a name that is not ours."""
    if text not in ("planar", "rigid"):
        from understudy.engines import ENGINES
        from understudy.errors import nearest

        if text not in ENGINES:
            raise argparse.ArgumentTypeError(f"there is no engine {text!r} {nearest(text, ENGINES)}")
    return text


def seed(text: str) -> int:
    """Return an integer from 0 up."""
    value = _parsed(int, text, -1)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError(f"want an integer from 0 to 2^63 - 1, got {text}")
    return value


def tcp_port(text: str) -> int:
    """Return the number of a TCP port; 0: any free one."""
    value = _parsed(int, text, -1)
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"want a port from 0 to 65535, got {text}")
    return value


def count(text: str) -> int:
    """Return an integer from 1 up."""
    value = _parsed(int, text, 0)
    if value < 1:
        raise argparse.ArgumentTypeError(f"want an integer from 1 up, got {text}")
    return value


def program(text: str) -> tuple[str, str]:
    """Return robot and file from ROBOT=FILE."""
    robot, equals, file = text.partition("=")
    if not (robot and equals and file):
        raise argparse.ArgumentTypeError(f"want ROBOT=FILE, such as scout=wander.py, got {text!r}")
    return robot, file
