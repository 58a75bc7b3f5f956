"""The verb ``mobilesim`` with a client on its first port: the verb runs, a client talks, SIM_EXIT ends it."""

import re
import struct
import threading

import pytest
from aria_client import AriaClient, Lost

from understudy.cli import main

STILL = threading.Event()  # never set: waiting for it is waiting
ROOM = """\
2D-Map
OriginLatLongAlt: 42.8 -71.5 70
Cairn: RobotHome 1000 1500 90 "" ICON "Home"
LINES
-5000 -5000 5000 -5000
5000 -5000 5000 5000
5000 5000 -5000 5000
-5000 5000 -5000 -5000
DATA
"""
HOME, SIMSTAT, SIMINFO, MAP_CHANGED, LASER = (1000, 1500, 90), 0x62, 0x63, 0x66, (0x60, 0x61)


class Client(AriaClient):
    """ARIA's manners, and what only a simulator understands."""

    def simstat(self):
        """Return the true pose (mm, deg)."""
        self.send(237, 1)
        body = self.wait_for(SIMSTAT)
        x, y, _, th = struct.unpack_from("<4i", body, 13)
        return x, y, th

    def wait_for(self, code, cycles=50):
        """Return the next packet of this kind."""
        for _ in range(cycles):
            found = [body for body in self.packets if body[0] == code]
            self.packets.clear()
            if found:
                return found[-1]
            self.cycle()
        raise AssertionError(f"no packet {code:#x} within {cycles} cycles")

    def place(self, x, y, th):
        self.send_body(struct.pack("<BBiii", 224, 0, x, y, th))

    def load(self, name):
        self.send_body(struct.pack("<BBHH", 236, 0x2B, 1, len(name)) + name.encode())

    def control(self, operation):
        self.send_body(struct.pack("<BBH", 236, 0x2B, operation))

    def heard(self, codes, cycles=5):
        """Return the kinds of packets that come within some cycles, of those that are asked for."""
        seen, take = set(), self._take

        def listen(body):
            seen.add(body[0])
            return take(body)

        self._take = listen
        self.cycle(cycles)
        self._take = take
        return seen & set(codes)


def serve(folder, script, *words):
    """Run the verb while *script* talks to its first robot; returns the exit code and what was logged."""
    trouble = []
    for old in folder.glob("sim.log*"):
        old.unlink()

    def talk():
        client = None
        try:
            client = Client(*address(folder / "sim.log"), gated=False)
            client.connect()
            script(client)
        except Lost:
            pass  # the simulation has ended
        except BaseException as problem:
            trouble.append(problem)
            if client is not None:
                client.send(239, 99)
        finally:
            if client is not None:
                client.vanish()

    thread = threading.Thread(target=talk)
    thread.start()
    usual = ["mobilesim", "-p", "0", "-l", "sim.log", "--speed", "4", "--seconds", "60"]
    code = main([*usual, *([] if "-m" in words else ["-m", "room.map"]), *words])
    thread.join(30)
    if trouble:
        raise trouble[0]
    return code, "".join(log.read_text() for log in sorted(folder.glob("sim.log*")))


def address(log, start=1):
    """Return host and port of the first robot, once the log says that it listens for the *start*-th time."""
    for _ in range(6000):
        text = log.read_text() if log.exists() else ""
        found = re.findall(r"/host listens on tcp://([\d.]+):(\d+)", text)
        if len(found) >= start and text.count("only programs on this machine") >= start:
            return found[start - 1][0], int(found[start - 1][1])
        STILL.wait(0.05)
    raise AssertionError("nobody listens")


def leave(client, code=0):
    client.send(239, code)
    with pytest.raises(Lost):
        client.cycle(100)
