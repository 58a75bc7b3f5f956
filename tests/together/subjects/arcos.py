"""ARCOS packets, for the programs beside."""

import socket
import struct


def packet(body):
    total = sum((body[i] << 8) + body[i + 1] for i in range(0, len(body) - 1, 2)) & 0xFFFF
    total ^= body[-1] if len(body) % 2 else 0
    return b"\xfa\xfb" + bytes([len(body) + 2]) + body + struct.pack(">H", total)


def command(robot, code, value):
    robot.sendall(packet(struct.pack("<BBH", code, 0x1B if value < 0 else 0x3B, abs(value))))


def connected(port, timeout=None):
    robot = socket.create_connection(("127.0.0.1", port), timeout)
    for i in range(3):
        robot.sendall(packet(bytes([i])))
        robot.recv(4096)
    command(robot, 1, 1)
    command(robot, 4, 1)
    return robot
