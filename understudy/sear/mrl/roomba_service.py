"""The service ``Roomba``: drives a Roomba or Create, as a client of its Open Interface."""

from __future__ import annotations

import queue
import struct
import time
from typing import Any

from understudy.errors import LinkError
from understudy.protocols.roomba_oi.packets import GROUPS, PACKETS
from understudy.sear.mrl.serial_service import OnSerialPort, keep

START, CONTROL, SAFE, FULL, DRIVE, LEDS, SENSORS = 128, 130, 131, 132, 137, 139, 142
STRAIGHT, LEFT, RIGHT = -0x8000, 1, -1  # radii with a meaning of their own
ON_LEDS = bytes([LEDS, 0x01, 0x80, 0xFF])  # SEAR's client shows that it has control
PAUSE_S = 0.1  # after a change of mode
MOST_BYTES = 4096  # without a request for them, such as a stream
REPLY_S = 2.0
SPEED_MM_S, MOST_MM_S = 200, 500
GROUP = GROUPS[0]  # packets 7 to 26, which every generation has
_FORMAT = ">" + "".join(packet.code for packet in PACKETS if GROUP.first <= packet.id <= GROUP.last)
_NAMES = [packet.name for packet in PACKETS if GROUP.first <= packet.id <= GROUP.last]


class RoombaService(OnSerialPort):
    """A Roomba; the last drive command holds until the next one."""

    topics = ("publishSensors",)
    default_baud = 57600  # a Create 2 has 115200: connect(port, 115200)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._speed = SPEED_MM_S
        self._bytes: queue.Queue[int] = queue.Queue(MOST_BYTES)
        self.sensors: dict[str, int] = {}  # by the names of docs/roomba.md, as of the last `updateSensors`

    # ---- modes

    def startup(self) -> None:
        """Begin to talk (opcode 128)."""
        self.send(bytes([START]))
        time.sleep(PAUSE_S)

    def control(self) -> None:
        """Take control of the wheels (opcode 130), with the safety of safe mode."""
        self.send(bytes([CONTROL]) + ON_LEDS)
        time.sleep(PAUSE_S)

    def safe(self) -> None:
        """Change to safe mode."""
        self.send(bytes([SAFE]))

    def full(self) -> None:
        """Change to full mode: no safety."""
        self.send(bytes([FULL]))

    # ---- driving

    def setSpeed(self, mm_s: int) -> None:
        """Set the speed of the commands below (mm/s)."""
        self._speed = min(abs(int(mm_s)), MOST_MM_S)

    def drive(self, mm_s: int, radius_mm: int) -> None:
        """Drive along an arc (mm/s, mm; to the left is positive)."""
        self.send(struct.pack(">Bhh", DRIVE, _limited(mm_s, MOST_MM_S), _limited(radius_mm, 0x7FFF)))

    def goForward(self) -> None:
        """Drive straight on."""
        self._drive(self._speed, STRAIGHT)

    def goBackward(self) -> None:
        """Drive straight back."""
        self._drive(-self._speed, STRAIGHT)

    def spinLeft(self) -> None:
        """Turn on the spot, counter-clockwise."""
        self._drive(self._speed, LEFT)

    def spinRight(self) -> None:
        """Turn on the spot, clockwise."""
        self._drive(self._speed, RIGHT)

    def stop(self) -> None:
        """Stop."""
        self._drive(0, 0)

    def _drive(self, mm_s: int, radius_mm: int) -> None:
        self.send(struct.pack(">Bhh", DRIVE, mm_s, radius_mm))

    def sleep(self, ms: float) -> None:
        """Wait so many milliseconds of real time; the robot goes on."""
        time.sleep(max(ms, 0.0) / 1000)

    # ---- sensors

    def updateSensors(self) -> bool:
        """Ask for packets 7 to 26 and wait for them; returns whether they came. Distance and angle are then cleared."""
        while not self._bytes.empty():
            self._bytes.get_nowait()
        self.send(bytes([SENSORS, GROUP.id]))
        until = time.monotonic() + REPLY_S
        try:
            data = bytes(self._bytes.get(timeout=max(until - time.monotonic(), 0.0)) for _ in range(GROUP.size))
        except queue.Empty:
            return False
        self.sensors = dict(zip(_NAMES, struct.unpack(_FORMAT, data)))
        self.publish("publishSensors", self.sensors)
        return True

    def distance(self) -> int:
        """Return the odometer: mm since the update before the last (forward is positive)."""
        return self._sensor("distance")

    def angle(self) -> int:
        """Return degrees since the update before the last (left is positive)."""
        return self._sensor("angle")

    def bump(self) -> bool:
        """Return whether the bumper is pressed."""
        return bool(self._sensor("bumps and wheel drops") & 3)

    def wall(self) -> bool:
        """Return whether there is a wall on the right."""
        return bool(self._sensor("wall"))

    def _sensor(self, name: str) -> int:
        if not self.sensors:
            raise LinkError(f"{self.name} has no readings yet; call {self.name}.updateSensors() first")
        return self.sensors[name]

    def received(self, data: bytes) -> None:
        """Keep bytes for the request that waits for them."""
        for byte in data:
            keep(byte, self._bytes)


def _limited(value: float, most: int) -> int:
    return max(-most, min(most, int(value)))
