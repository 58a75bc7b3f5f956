"""Drives a Pioneer with asyncio: streams, limits, a signal, a child, a thread, a server.   streams.py PORT TERMINAL"""

import asyncio
import os
import random
import signal
import struct
import sys
import time
from pathlib import Path

from arcos import packet

start = time.monotonic()


def say(*words):
    print(*words, f"{time.monotonic() - start:.6f}")


def command(code, value):
    return packet(struct.pack("<BBH", code, 0x3B, value))


async def count(robot, found):
    while True:
        try:
            found.append(len(await asyncio.wait_for(robot.read(4096), 0.06)))
        except TimeoutError:
            found.append(0)


async def listen(terminal):
    loop, lines = asyncio.get_running_loop(), asyncio.StreamReader()
    with Path(terminal).open("rb", buffering=0) as gps:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), gps)
        while line := await lines.readline():
            say(line[:6].decode())


async def greet(reader, writer):
    writer.write(await reader.readline())
    writer.close()


async def main(port, terminal):
    loop, found = asyncio.get_running_loop(), []
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for i in range(3):
        writer.write(packet(bytes([i])))
        await reader.read(4096)
    writer.write(command(1, 1) + command(4, 1))
    loop.add_signal_handler(signal.SIGUSR1, say, "signal")
    loop.call_later(0.5, os.kill, os.getpid(), signal.SIGUSR1)
    beside = [asyncio.create_task(count(reader, found)), asyncio.create_task(listen(terminal))]
    for _ in range(30):
        writer.write(command(11, random.randint(50, 150)))
        await asyncio.sleep(0.07)
    child = await asyncio.create_subprocess_shell("sleep 0.3; date +%s.%N", stdout=asyncio.subprocess.PIPE)
    say((await child.communicate())[0])
    await asyncio.to_thread(time.sleep, 0.2)
    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    other, asker = await asyncio.open_connection(*server.sockets[0].getsockname())
    asker.write(b"hello\n")
    say(await other.readline(), len(found), sum(found))
    for task in beside:
        task.cancel()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
