"""Leaves a Roomba's serial port unread, then writes more than it carries, with pyserial.   full.py TERMINAL"""

import sys
import time
import zlib

import serial

start = time.monotonic()


def tell(*words):
    print(*words, f"{time.monotonic() - start:.6f}", flush=True)


with serial.Serial(sys.argv[1], 115200, timeout=0.004) as port:
    port.write(bytes([128, 148, 1, 100]))  # a stream of all sensors
    time.sleep(30)
    tell("unread", port.in_waiting)
    data = bytearray()
    while piece := port.read(1000):
        data += piece
    tell(len(data), zlib.crc32(data))
    port.write(bytes([150, 0]))  # no stream
    time.sleep(1)
    port.reset_input_buffer()
    tell("written", port.write(bytes(20_000)), port.out_waiting)
    port.flush()
    tell("drained", port.out_waiting)
    port.write_timeout = 0.1
    try:
        port.write(bytes(50_000))
    except serial.SerialTimeoutException as problem:
        tell(problem)
    port.reset_output_buffer()
    port.write_timeout = 0
    tell("at once", port.write(bytes(9_000)), port.out_waiting)
tell("closed")
