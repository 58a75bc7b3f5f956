"""Digital lines 1 to 16, analog channels 1 to 8, and the infrared remote control, which the simulator does not have."""

from __future__ import annotations

from typing import Any

from .calls import REFUSED, current, robios
from .values import fill, text, whole

__all__ = [
    "ANALOGRead", "ANALOGRecord", "ANALOGTransfer", "ANALOGVoltage", "DIGITALRead", "DIGITALReadAll", "DIGITALSetup",
    "DIGITALWrite", "IRTVFlush", "IRTVGet", "IRTVGetStatus", "IRTVRead",
]  # fmt: skip
MOST_SAMPLES = 100_000
_recording: dict[str, int] = {"channel": 0, "count": 0, "until_us": 0}


@robios(starts=True)
def DIGITALSetup(io: Any, direction: Any) -> int:
    """Set the direction of a line: 'i' input, 'o' output, 'I' input with pull-up, 'J' input with pull-down."""
    letter = chr(whole(direction) & 127) if not isinstance(direction, str) else text(direction)
    if not 1 <= whole(io) <= 16 or letter not in ("i", "o", "I", "J"):
        return 1
    current().order("DigitalSetup", whole(io), rest=letter.encode())
    return 0


@robios(starts=True)
def DIGITALRead(io: Any) -> int:
    """Return the level of a line: 0 or 1."""
    line = whole(io)
    return current().settle().digital >> (line - 1) & 1 if 1 <= line <= 16 else 0


@robios(starts=True)
def DIGITALReadAll() -> int:
    """Return the levels of all lines; bit 0 is line 1."""
    return int(current().settle().digital)


@robios(starts=True)
def DIGITALWrite(io: Any, state: Any) -> int:
    """Set an output to 0 or 1."""
    if not 1 <= whole(io) <= 16:
        return 1
    current().order("DigitalWrite", whole(io), bool(whole(state)))
    return 0


def analog(channel: int) -> int:
    """Return the value of a channel, 0 to 1023; 0 without such a channel."""
    return int(current().frame.analog[channel - 1]) if 1 <= channel <= 8 else 0


@robios(starts=True)
def ANALOGRead(channel: Any) -> int:
    """Return the value of a channel, 0 to 1023."""
    return analog(whole(channel))


@robios(starts=True)
def ANALOGVoltage() -> int:
    """Return the voltage of the battery (0.01 V)."""
    return int(current().frame.centivolts)


@robios(starts=True)
def ANALOGRecord(channel: Any, iterations: Any) -> int:
    """Record a channel at 1 kHz, in the background; 1 without such a channel."""
    if not (1 <= whole(channel) <= 8 and 0 < whole(iterations) <= MOST_SAMPLES):
        return 1
    count = whole(iterations)
    _recording.update(channel=whole(channel), count=count, until_us=current().now_us + 1000 * count)
    return 0


@robios(starts=True, support="full; samples are those of the end")
def ANALOGTransfer(buffer: Any = None) -> Any:
    """Return what was recorded, when it is complete; with a buffer, store it there and return the number of samples."""
    session = current()
    session.wait_until(_recording["until_us"])
    values = [analog(_recording["channel"])] * _recording["count"]
    if buffer is None:
        return values
    fill(buffer, values)
    return len(values)


@robios(support=REFUSED)
def IRTVGet() -> int:
    """Return the next key of the remote control: at once 0, there is none."""
    return 0


@robios(support=REFUSED)
def IRTVRead() -> int:
    """Return a key of the remote control: 0, there is none."""
    return 0


@robios(support=REFUSED)
def IRTVFlush() -> int:
    """Forget keys of the remote control."""
    return 0


@robios(support=REFUSED)
def IRTVGetStatus() -> int:
    """Return the state of the remote control: 0, off."""
    return 0
