"""Serial ports: the simulator has none, so nothing is sent and nothing arrives; no call waits for ever."""

from __future__ import annotations

from typing import Any

from .calls import REFUSED, local

__all__ = [
    "SERCheck", "SERClose", "SERFlush", "SERInit", "SERReceive", "SERReceiveChar", "SERSend", "SERSendChar",
]  # fmt: skip


@local(support=REFUSED)
def SERInit(interface: Any, baud: Any, handshake: Any = 0) -> int:
    """Refuse to open a serial port (returns 1)."""
    return 1


@local(support=REFUSED)
def SERSendChar(interface: Any, ch: Any) -> int:
    """Refuse to send a character (returns 1)."""
    return 1


@local(support=REFUSED)
def SERSend(interface: Any, buf: Any, size: Any = None) -> int:
    """Refuse to send bytes (returns 1)."""
    return 1


@local(support=REFUSED)
def SERReceiveChar(interface: Any) -> int:
    """Return the next character: at once 0."""
    return 0


@local(support=REFUSED)
def SERReceive(interface: Any, buf: Any = None, size: Any = 0) -> Any:
    """Return what has arrived: nothing."""
    return b"" if buf is None else 0


@local(support=REFUSED)
def SERCheck(interface: Any) -> int:
    """Return whether a character waits: 0."""
    return 0


@local(support=REFUSED)
def SERFlush(interface: Any) -> int:
    """Drop what waits: nothing."""
    return 0


@local(support=REFUSED)
def SERClose(interface: Any) -> int:
    """Close a serial port that could not be opened (returns 1)."""
    return 1
