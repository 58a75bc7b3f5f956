"""A hundred Pioneers, each with a TCP client of its own at 10 Hz, sonar and a laser of 181 rays, in real time.

The server is this process; all clients run in one event loop of another process. Each client requests the laser as ARIA
does, sends new speeds every second and a PULSE otherwise. Reported: processor time of the server per second, and the
time between two status packets of a robot as the server sends them.
"""

from __future__ import annotations

import argparse
import asyncio
import struct
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
from results import Results

import understudy as us
from understudy.sim.outcome import Outcome
from understudy.sim.sim import Sim
from understudy.world.changes import Quit

NOMINAL_MS = 100.0
WARM_UP_S = 5.0
SYNCS = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002")
SCENE = """
schema = 1
seed = 1
ground = {{size_m = [{size}, {size}], walled = true}}
{walls}
"""
ROBOT = """
[[robot]]
model = "p3dx-sh"
name = "r{n}"
x_m = {x}
y_m = {y}
port.host.link = "tcp://127.0.0.1:0"
port.gps = false
unit.gps = false
device.gps = false
"""


def scene(robots: int) -> str:
    """Return a hall with posts between the robots."""
    side = int(np.ceil(np.sqrt(robots)))
    spots = [(3.0 * (n % side - side / 2 + 0.5), 3.0 * (n // side - side / 2 + 0.5)) for n in range(robots)]
    posts = [
        f'[[object]]\nkind = "box"\nname = "post{n}"\nsize_m = [0.4, 0.4, 1.0]\nx_m = {x + 1.5}\ny_m = {y + 1.5}\n'
        for n, (x, y) in enumerate(spots)
    ]
    head = SCENE.format(size=3 * side + 4, walls="".join(posts))
    return head + "".join(ROBOT.format(n=n, x=x, y=y) for n, (x, y) in enumerate(spots))


# ---- clients


def command(code: int, value: int) -> bytes:
    """Return a command with an integer."""
    body = struct.pack("<BBH", code, 0x1B if value < 0 else 0x3B, abs(value))
    total = (body[0] << 8) + body[1] + (body[2] << 8) + body[3] & 0xFFFF
    return b"\xfa\xfb\x06" + body + struct.pack(">H", total)


LASER = b"".join(command(code, value) for code, value in ((36, -90), (37, 90), (38, 100), (35, 2)))


async def client(port: int, number: int, seconds: float) -> int:
    """Talk to one robot; returns how many status packets came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(SYNCS + command(1, 1) + command(18, 1) + LASER)
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            head = await reader.readexactly(3)
            body = await reader.readexactly(head[2])
        except (asyncio.IncompleteReadError, ConnectionError):  # the server has ended
            break
        if body[0] == 0x32:
            count += 1
            turn = (number * 7 + count) % 41 - 20
            writer.write(command(11, 200) + command(21, turn) if count % 10 == 0 else SYNCS[:6])
    writer.close()
    return count


async def clients(ports: list[int], seconds: float) -> None:
    """Run all clients and print the smallest number of packets that one received."""
    counts = await asyncio.gather(*(client(port, n, seconds) for n, port in enumerate(ports)))
    print(min(counts), max(counts))


# ---- the server


class Stopwatch:
    """Records when each robot's status packets are sent."""

    def __init__(self, sim: Sim) -> None:
        self.stamps: dict[str, list[float]] = {}
        self._deliver = sim.ports.deliver
        setattr(sim.ports, "deliver", self.deliver)  # noqa: B010 - the one place through which all bytes go

    def deliver(self, outcome: Outcome) -> None:
        """Send and record the time."""
        self._deliver(outcome)
        now = time.perf_counter()
        for path, data in outcome.sent:
            if data[3] == 0x32:
                self.stamps.setdefault(path, []).append(now)

    def intervals_ms(self, since: float) -> Any:
        """Return all times between two packets of a robot (ms)."""
        rows = [np.diff([stamp for stamp in stamps if stamp > since]) for stamps in self.stamps.values()]
        return np.concatenate(rows) * 1000.0


def measure(robots: int, seconds: float, results: Results) -> None:
    """Serve so many robots for a while."""
    with us.load_text(scene(robots), ports=True) as sim:
        watch = Stopwatch(sim)
        sim.step(5)
        ports = [info.url.rsplit(":", 1)[1] for info in sim.ports.info().values()]
        arguments = [sys.executable, __file__, "--clients", str(seconds + WARM_UP_S + 2.0), *ports]
        crowd = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        marks: list[tuple[float, float, float]] = []

        def mark() -> None:
            marks.append((time.perf_counter(), time.process_time(), sim.time_s))

        timers = [threading.Timer(WARM_UP_S, mark), threading.Timer(WARM_UP_S + seconds, mark)]
        timers.append(threading.Timer(WARM_UP_S + seconds + 0.1, lambda: sim.post(Quit())))
        for timer in timers:
            timer.start()
        sim.run()
    counts = crowd.communicate(timeout=60)[0].split()
    (begin, used_before, sim_before), (end, used_after, sim_after) = marks
    span = end - begin
    intervals = watch.intervals_ms(begin)
    results.say("pioneers", robots)
    results.say("pioneers_served", len(watch.stamps), least=robots)
    results.say("server_cores_used", (used_after - used_before) / span, most=1.0)
    results.say("real_time_factor", (sim_after - sim_before) / span, least=0.99)
    results.say("sip_per_second_and_robot", len(intervals) / span / robots, least=9.9)
    results.say("sip_interval_p50_ms", float(np.percentile(intervals, 50)))
    results.say("sip_interval_p99_ms", float(np.percentile(intervals, 99)))
    results.say("sip_interval_p99_of_nominal", float(np.percentile(intervals, 99)) / NOMINAL_MS, most=1.2)
    results.say("fewest_packets_of_a_client", float(counts[0]) if counts else 0.0)


def main() -> None:
    """Serve, or be the clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 where a stated goal is missed")
    parser.add_argument("--robots", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--clients", type=float, help=argparse.SUPPRESS)
    parser.add_argument("ports", nargs="*", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.clients:
        asyncio.run(clients(args.ports, args.clients))
        return
    results = Results(args.check)
    measure(args.robots, args.seconds, results)
    results.finish()


if __name__ == "__main__":
    main()
