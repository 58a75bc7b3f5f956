"""Meets the end of connections, of robots and of its own.   ends.py WHAT PORT-OR-TERMINAL"""

import os
import signal
import socket
import sys
import time

from arcos import command, connected, packet

start = time.monotonic()


def tell(*words):
    print(*words, f"{time.monotonic() - start:.6f}", flush=True)


def name_of(problem):
    return getattr(problem, "strerror", None) or problem


def half_closed(port):
    robot = connected(port)
    robot.shutdown(socket.SHUT_WR)
    size = 0
    while data := robot.recv(4096):
        size += len(data)
    tell("the robot hung up after", size)
    try:
        robot.send(b"x")
    except OSError as problem:
        tell(name_of(problem))


def hung_up_on(port):
    """Write and read on after the robot has gone."""
    robot = connected(port)
    for _ in range(60):
        time.sleep(0.05)
        try:
            command(robot, 11, 200)
            tell(len(robot.recv(65536)))
        except OSError as problem:
            tell(name_of(problem))


def full_and_hung_up_on(port):
    robot = connected(port)
    size = 0
    try:
        while True:
            size += robot.send(bytes(100_000))
    except OSError as problem:
        tell(size, name_of(problem))


def many_times(port):
    for i in range(100):
        with connected(port) if i % 2 else socket.create_connection(("127.0.0.1", port)) as robot:
            if i % 5 == 0:
                robot.sendall(packet(bytes([i % 3])))
            time.sleep(0.001 * (i % 13))
    tell("done")


def terminal_many_times(path):
    size = 0
    for i in range(100):
        port = os.open(path, os.O_RDWR | os.O_NOCTTY)
        os.write(port, bytes([128, 142, 21]) if i % 3 else b"")
        time.sleep(0.001 * (i % 17))
        if i % 3 and i % 17 > 8:
            size += len(os.read(port, 100))
        os.close(port)
    tell("done", size)


def terminal_hung_up_on(path):
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    os.write(port, bytes([128, 148, 1, 100]))
    for _ in range(40):
        time.sleep(0.05)
        try:
            tell(len(os.read(port, 4096)), os.write(port, bytes(10)))
        except OSError as problem:
            tell(name_of(problem))


def terminal_full_and_hung_up_on(path):
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        tell("written", os.write(port, bytes(1_000_000)))
        tell("written", os.write(port, bytes(1_000_000)))
    except OSError as problem:
        tell(name_of(problem))


def daemon(port):
    if os.fork():
        tell("the program has ended")
        return
    os.setsid()
    robot = connected(port)
    for i in range(20):
        command(robot, 11, 200)
        time.sleep(0.1)
        tell("daemon", i, len(robot.recv(65536)))
    time.sleep(1000)


def stubborn(port):
    signal.signal(signal.SIGTERM, lambda *_: tell("no"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    robot = connected(port)
    while True:
        command(robot, 11, 200)
        time.sleep(0.1)


globals()[sys.argv[1]](int(sys.argv[2]) if sys.argv[2].isdigit() else sys.argv[2])
