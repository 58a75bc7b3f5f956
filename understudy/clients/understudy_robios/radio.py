"""Radio messages between robots."""

from __future__ import annotations

import struct
from typing import Any

from .calls import current, robios
from .frame import RADIO
from .session import Session
from .values import encoded, fill, fill_text, store, whole

__all__ = [
    "RADIOCheck", "RADIOGetID", "RADIOInit", "RADIOReceive", "RADIORelease", "RADIOSend", "RADIOStatus"
]  # fmt: skip
MOST_ROBOTS = 256
MOST_BYTES = 1024  # of one message; the radio cuts the rest
_power = {"on": False}


def switch(session: Session, on: bool) -> None:
    """Switch the radio on or off."""
    _power["on"] = on
    session.order("RadioPower", on)
    if not on:
        session.heard.clear()


def switched_on(session: Session, function: str) -> bool:
    """Return whether the radio is on; tells the user if not."""
    if not _power["on"]:
        session.complain(f"{function} before RADIOInit: the radio is off")
    return _power["on"]


def take(session: Session) -> tuple[int, bytes]:
    """Wait for a message; returns the sender and the bytes."""
    session.settle()
    session.wait_for(lambda: session.heard, RADIO)
    number, sender, data = session.heard.popleft()
    session.order("RadioTake", number)
    return sender, data


def listeners(session: Session) -> list[int]:
    """Return the numbers of the robots whose radio is on."""
    session.settle()
    answer = session.query("RADIO")
    return list(struct.unpack(f"<{len(answer) // 4}I", answer[: len(answer) // 4 * 4]))


@robios(starts=True)
def RADIOInit() -> int:
    """Switch the radio on."""
    switch(current(), True)
    return 0


@robios(starts=True)
def RADIOGetID() -> int:
    """Return the number of this robot."""
    return current().greeting.id


@robios(starts=True)
def RADIOSend(id: Any, message: Any, size: Any = None) -> int:
    """Send a text to the robot with a number, 0: to all; 1 if the radio is off."""
    session = current()
    if not switched_on(session, "RADIOSend"):
        return 1
    data = encoded(message) if size is None else encoded(message)[: max(whole(size), 0)]
    session.order("SendRadio", whole(id), rest=data[:MOST_BYTES])
    return 0


@robios(starts=True)
def RADIOReceive(id: Any = None, message: Any = None, size: Any = 0) -> Any:
    """Wait for a message and return [sender, text]; with a ctypes int and a buffer, store them there."""
    session = current()
    if not switched_on(session, "RADIOReceive"):
        return [0, ""] if message is None else 1
    sender, data = take(session)
    words = data.partition(b"\0")[0].decode("utf-8", "replace")
    if message is None:  # a single argument is a size, which Python does not need
        return [sender, words]
    store(id, sender)
    fill_text(message, words, whole(size))
    return 0


@robios(starts=True)
def RADIOCheck(id: Any = None) -> int:
    """Return the number of messages that wait."""
    session = current()
    session.settle()
    if id is not None and session.heard:
        store(id, session.heard[0][1])
    return len(session.heard)


@robios(starts=True)
def RADIOStatus(ids: Any = None) -> Any:
    """Return [number of robots with radio, their numbers in a list of 256]; with an array, store them there."""
    found = listeners(current())[:MOST_ROBOTS]
    if ids is None:
        return [len(found), found + [0] * (MOST_ROBOTS - len(found))]
    fill(ids, found)
    return len(found)


@robios(starts=True)
def RADIORelease() -> int:
    """Switch the radio off."""
    switch(current(), False)
    return 0
