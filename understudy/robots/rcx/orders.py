"""The commands that an RCX takes, and its replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Button = Literal["on-off", "run", "prgm", "view"]


@dataclass(frozen=True, slots=True)
class LoadProgram:
    """Store a program, LASM text, icon text or an image, in the selected slot, and start it."""

    name: str  # of the file
    data: bytes
    start: bool = True


@dataclass(frozen=True, slots=True)
class PressButton:
    """A finger presses a button."""

    button: Button


@dataclass(frozen=True, slots=True)
class RcxRequest:
    """A packet of the link: an opcode and its arguments."""

    data: bytes


@dataclass(frozen=True, slots=True)
class RcxReply:
    """The reply to a request, without the toggle bit."""

    data: bytes
