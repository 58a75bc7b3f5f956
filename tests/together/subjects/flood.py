"""Leaves a robot's TCP port unread, or writes megabytes to it.   flood.py PORT WHAT"""

import asyncio
import select
import sys
import time
import zlib

from arcos import command, connected

MANY = bytes(2_000_000)
start = time.monotonic()


def tell(*words):
    print(*words, f"{time.monotonic() - start:.6f}", flush=True)


def silent(robot):
    for code, value in (36, -90), (37, 90), (38, 100), (35, 2):  # the laser, as ARIA requests it
        command(robot, code, value)
    time.sleep(30)
    robot.settimeout(0.02)
    data = bytearray()
    try:
        while True:
            data += robot.recv(100_000)
    except TimeoutError:
        tell(len(data), zlib.crc32(data))


def waiting(robot):
    robot.settimeout(None)
    robot.sendall(MANY)
    tell("sent")


def polling(robot):
    robot.setblocking(False)
    done = refused = pieces = 0
    while done < len(MANY):
        try:
            done, pieces = done + robot.send(MANY[done:]), pieces + 1
        except BlockingIOError:
            refused += 1
            select.select([], [robot], [])
    tell(pieces, refused)


async def drained(robot):
    _, writer = await asyncio.open_connection(sock=robot)
    for begin in range(0, len(MANY), 100_000):
        writer.write(MANY[begin : begin + 100_000])
        await writer.drain()
    tell("drained")
    writer.close()
    await writer.wait_closed()


robot = connected(int(sys.argv[1]))
match sys.argv[2]:
    case "silent":
        silent(robot)
    case "waiting":
        waiting(robot)
    case "polling":
        polling(robot)
    case "asyncio":
        robot.setblocking(False)
        asyncio.run(drained(robot))
tell("done")
