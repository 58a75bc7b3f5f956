"""SEAR's controller template: a board that answers the Roomba's request 142 for sensors of your own.

The client sends two bytes, 142 and the number of a sensor. Numbers below 43 belong to the Roomba. The answer has no
header and no checksum, only 16-bit numbers, the high byte first:

    43, 44  PING))) left, right   distance (cm)
    45      ADXL330               x, y, z (steps of a 10-bit converter)
    46      IDG500                x, y, z (steps of a 10-bit converter)
    47      HMC6352               heading (0.1 degrees, in steps of half a degree)

An unknown number gets no answer.
"""

import math
import struct

REQUEST = 142
STEPS_PER_VOLT = 310.30303  # 1024 steps for 3.3 V
DEVICES = {43: ("left", "ping"), 44: ("right", "ping"), 45: ("accel", "adxl330"), 46: ("gyro", "idg500"),
           47: ("compass", "hmc6352")}  # fmt: skip


def ping(metres):
    """Return whole centimetres.

    >>> ping(1.239)
    123
    """
    return int(metres * 100)


def adxl330(m_s2):
    """Return what the converter reads: 1.5 V at rest, 300 mV per g, at most 3.6 g; the board is mounted upside down.

    >>> [adxl330(a) for a in (0, 9.8, -9.8, 1, 100)]
    [465, 372, 558, 455, 130]
    """
    g = max(-3.6, min(3.6, m_s2 / -9.8))
    return int((g * 0.3 + 1.5) * STEPS_PER_VOLT)


def idg500(rad_s):
    """Return what the converter reads: 1.35 V at rest, 2 mV per degree/s, at most 500 degrees/s.

    >>> [idg500(w) for w in (0, 1, -1, 100)]
    [418, 454, 383, 729]
    """
    deg_s = max(-500.0, min(500.0, rad_s * 57.2957795))
    return int((deg_s * 0.002 + 1.35) * STEPS_PER_VOLT)


def hmc6352(degrees):
    """Return tenths of a degree, rounded up to half a degree, from 0 to 3599.

    >>> [hmc6352(angle) for angle in (90.26, 179.99, -90, 359.9)]
    [905, 1800, 2700, 0]
    """
    return math.ceil(2.0 * (degrees % 360.0)) * 5 % 3600


CONVERSIONS = {"ping": ping, "adxl330": adxl330, "idg500": idg500, "hmc6352": hmc6352}


def setup(board):
    board.memory["asked"] = False  # whether the last byte was a request


def received(board, byte):
    if board.memory["asked"]:
        board.memory["asked"] = False
        answer(board, byte)
    else:
        board.memory["asked"] = byte == REQUEST


def answer(board, number):
    if number in DEVICES:
        device, part = DEVICES[number]
        steps = [CONVERSIONS[part](value) for value in board.read(device)]
        board.send(struct.pack(f">{len(steps)}H", *steps))
