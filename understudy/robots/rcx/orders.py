"""The commands that an RCX takes, and its replies."""

from __future__ import annotations

from typing import Literal

from understudy.frozen import frozen

Button = Literal["on-off", "run", "prgm", "view"]


@frozen
class LoadProgram:
    """Store a program, LASM text, icon text or an image, in the selected slot, and start it."""

    name: str  # of the file
    data: bytes
    start: bool = True


@frozen
class PressButton:
    """A finger presses a button."""

    button: Button


@frozen
class RcxRequest:
    """A packet of the link: an opcode and its arguments."""

    data: bytes


@frozen
class RcxReply:
    """The reply to a request, without the toggle bit."""

    data: bytes
