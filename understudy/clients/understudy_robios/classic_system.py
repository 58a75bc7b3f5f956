"""The classic system: time in 1/100 s, sound, radio, latches, analog inputs; serial lines, which no robot has."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from . import radio, system
from .calls import REFUSED, current, local, robios
from .classic_constants import ANYKEY, VEHICLE
from .classic_lcd import show
from .frame import SOUNDING
from .keys import wait_for_key
from .sound import BEEP_HZ, BEEP_US, UNKNOWN_US
from .values import encoded, fill, raw, store, text, whole, write_image

__all__ = [
    "AUBeep", "AUCaptureMic", "AUCheckRecord", "AUCheckSample", "AUCheckTone", "AUPlaySample", "AURecordSample",
    "AUTone", "OSAttachTimer", "OSCheckInRS232", "OSCheckOutRS232", "OSDetachTimer", "OSError",
    "OSFlushInRS232", "OSFlushOutRS232", "OSGetAD", "OSGetCount", "OSGetTime", "OSInitRS232", "OSMachineID",
    "OSMachineName", "OSMachineSpeed", "OSMachineType", "OSReadInLatch", "OSReadOutLatch", "OSRecvRS232",
    "OSSendCharRS232", "OSSendRS232", "OSSetTime", "OSShowTime", "OSVersion", "OSWait", "OSWriteOutLatch",
    "RADIOCheck", "RADIOGetIoctl", "RADIOGetStatus", "RADIOInit", "RADIORecv", "RADIOSend", "RADIOSetIoctl",
    "RADIOTerm",
]  # fmt: skip
TICK_US = 10_000
HZ = 25_000_000
MOST_SAMPLES = 1 << 24  # of a recording
OSMachineID, OSMachineName, OSSetTime = system.OSMachineID, system.OSMachineName, system.OSSetTime
OSDetachTimer, RADIOInit = system.OSDetachTimer, radio.RADIOInit


@local()
def OSVersion() -> str:
    """Return the version of RoBIOS."""
    return "5.2 Understudy"


@robios()
def OSMachineType() -> int:
    """Return the kind of machine: 1, a vehicle."""
    return VEHICLE


@robios()
def OSMachineSpeed() -> int:
    """Return the speed of the processor (Hz)."""
    return HZ


@robios()
def OSError(msg: Any, number: Any, dead: Any = 0) -> int:
    """Show an error; end the program if it is *dead*, else wait for a key."""
    show("%s\nError %d\n", text(msg), whole(number))
    current().complain(f"OSError: {text(msg)} ({whole(number)})")
    if whole(dead):
        raise SystemExit(1)
    wait_for_key(ANYKEY)
    return 0


# ---- time


@robios()
def OSWait(n: Any) -> int:
    """Wait (1/100 s)."""
    system.wait_us(whole(n) * TICK_US)
    return 0


@robios()
def OSGetCount() -> int:
    """Return the time since the program began (1/100 s)."""
    session = current()
    return int(session.now_us - session.begin_us) // TICK_US


@robios()
def OSGetTime(hrs: Any = None, mins: Any = None, secs: Any = None, ticks: Any = None) -> Any:
    """Return the clock [hours, minutes, seconds, 1/100 s]; with four ctypes ints, store it there."""
    minutes, within_us = divmod(system.time_of_day_us(), 60_000_000)
    values = [*divmod(minutes, 60), within_us // 1_000_000, within_us % 1_000_000 // TICK_US]
    if hrs is None:
        return values
    for target, value in zip((hrs, mins, secs, ticks), values):
        if target is not None:
            store(target, value)
    return 0


@robios()
def OSShowTime() -> int:
    """Print the clock."""
    minutes, within_us = divmod(system.time_of_day_us(), 60_000_000)
    return show("%02d:%02d:%02d\n", *divmod(minutes, 60), within_us // 1_000_000)


@robios()
def OSAttachTimer(scale: Any, function: Callable[[], Any]) -> int:
    """Call a function with 100 Hz / scale, in a thread; returns the handle of the timer."""
    return system.attach(max(whole(scale), 1) * TICK_US, function)


# ---- sound


def _is_silent() -> int:
    return 0 if current().settle().flags & SOUNDING else 1


@robios()
def AUBeep() -> int:
    """Beep."""
    current().order("Tone", BEEP_HZ, BEEP_US)
    return 0


@robios()
def AUTone(freq: Any, msec: Any) -> int:
    """Play a tone (Hz, ms)."""
    current().order("Tone", whole(freq), whole(msec) * 1000)
    return 0


@robios()
def AUCheckTone() -> int:
    """Return 1 if the tone has ended."""
    return _is_silent()


@robios()
def AUPlaySample(sample: Any) -> int:
    """Play a sample: taken to last a second; returns its frequency."""
    name = encoded(sample) if isinstance(sample, str) else b"sample"
    current().order("PlayFile", UNKNOWN_US, rest=name)
    return 8000


@robios()
def AUCheckSample() -> int:
    """Return 1 if the sample has ended."""
    return _is_silent()


_recording = {"until_us": 0}


@robios(support="full; records silence")
def AURecordSample(buf: Any, len: Any, freq: Any) -> int:
    """Record silence into a buffer; returns the frequency."""
    length, hertz = max(0, min(whole(len), MOST_SAMPLES)), whole(freq)
    write_image(buf, bytes(length))
    _recording["until_us"] = current().now_us + (length * 1_000_000 // hertz if hertz > 0 else 0)
    return hertz


@robios()
def AUCheckRecord() -> int:
    """Return 1 if the recording has ended."""
    return int(current().now_us >= _recording["until_us"])


@robios()
def AUCaptureMic() -> int:
    """Return a sample of the microphone."""
    answer = current().query("MICROPHONE")
    return int(struct.unpack("<i", answer)[0]) if len(answer) == 4 else 0


# ---- radio


@robios(starts=True)
def RADIOTerm() -> int:
    """Switch the radio off."""
    radio.switch(current(), False)
    return 0


@robios(starts=True)
def RADIOSend(id: Any, byteCount: Any, buffer: Any) -> int:
    """Send bytes to the robot with a number, or to all (BROADCAST); 1 if the radio is off."""
    session, count = current(), whole(byteCount)
    if not radio.switched_on(session, "RADIOSend") or count < 0:
        return 1
    data = raw(buffer.encode() if isinstance(buffer, str) else buffer, min(count, radio.MOST_BYTES))
    session.order("SendRadio", whole(id), rest=data)
    return 0


@robios(starts=True)
def RADIOCheck() -> int:
    """Return the number of messages that wait."""
    session = current()
    session.settle()
    return len(session.heard)


@robios(starts=True)
def RADIORecv(id: Any = None, bytesReceived: Any = None, buffer: Any = None) -> Any:
    """Wait for a message and return [sender, bytes]; with two ctypes ints and a buffer, store it there."""
    session = current()
    sender, data = radio.take(session) if radio.switched_on(session, "RADIORecv") else (0, b"")
    if id is None:
        return [sender, data]
    store(id, sender)
    store(bytesReceived, len(data))
    fill(buffer, data)
    return 0 if sender else 1


@robios(starts=True)
def RADIOGetStatus() -> list[int]:
    """Return the numbers of the robots whose radio is on."""
    return radio.listeners(current())


@robios()
def RADIOGetIoctl() -> dict[str, int]:
    """Return the parameters of the radio."""
    return {"speed": 9600, "id": current().greeting.id, "remoteOn": 1}


@robios(support="no effect")
def RADIOSetIoctl(parameters: Any) -> int:
    """Set the parameters of the radio."""
    return 0


# ---- latches: bytes of the digital lines; analog inputs

_outputs = [0, 0]


@robios(starts=True)
def OSReadInLatch(latchnr: Any) -> int:
    """Return the levels of 8 digital lines: latch 0 or 1."""
    latch = whole(latchnr)
    return current().settle().digital >> 8 * latch & 255 if latch in (0, 1) else 0


@robios(starts=True)
def OSReadOutLatch(latchnr: Any) -> int:
    """Return what was written to an output latch."""
    return _outputs[whole(latchnr)] if whole(latchnr) in (0, 1) else 0


@robios(starts=True)
def OSWriteOutLatch(latchnr: Any, mask: Any, value: Any) -> int:
    """Write to an output latch: keep the bits of the mask, set those of the value; returns what it was before."""
    latch = whole(latchnr)
    if latch not in (0, 1):
        return 0
    before = _outputs[latch]
    after = _outputs[latch] = (before & whole(mask) | whole(value)) & 255
    for bit in range(8):
        if (before ^ after) >> bit & 1:
            current().order("DigitalWrite", 8 * latch + bit + 1, bool(after >> bit & 1))
    return before


@robios(starts=True)
def OSGetAD(channel: Any) -> int:
    """Return the value of an analog channel, 0 to 7: 0 to 1023."""
    return int(current().frame.analog[whole(channel)]) if 0 <= whole(channel) < 8 else 0


# ---- serial lines: none; no function waits for ever


@local(support=REFUSED)
def OSInitRS232(baud: Any, handshake: Any, interface: Any) -> int:
    """Refuse to open a serial line (returns 1)."""
    return 1


@local(support=REFUSED)
def OSSendCharRS232(chr: Any, interface: Any) -> int:
    """Refuse to send a character (returns 1)."""
    return 1


@local(support=REFUSED)
def OSSendRS232(chr: Any, interface: Any) -> int:
    """Refuse to send (returns 1)."""
    return 1


@local(support=REFUSED)
def OSRecvRS232(buf: Any, interface: Any) -> int:
    """Refuse to receive (returns 1)."""
    return 1


@local(support=REFUSED)
def OSFlushInRS232(interface: Any) -> int:
    """Drop what has arrived: nothing."""
    return 0


@local(support=REFUSED)
def OSFlushOutRS232(interface: Any) -> int:
    """Drop what is to be sent: nothing."""
    return 0


@local(support=REFUSED)
def OSCheckInRS232(interface: Any) -> int:
    """Return how many characters wait: 0."""
    return 0


@local(support=REFUSED)
def OSCheckOutRS232(interface: Any) -> int:
    """Return how many characters are to be sent: 0."""
    return 0
