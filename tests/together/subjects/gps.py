"""Reads a GPS with pyserial, with timeouts, and opens the port twice.   gps.py TERMINAL"""

import sys
import time

import serial

start = time.time()
for _ in range(2):
    with serial.Serial(sys.argv[1], 4800, timeout=0.3) as port:
        port.reset_input_buffer()
        time.sleep(0.35)
        lines, empty = 0, 0
        while lines < 6:
            text = port.readline()
            lines, empty = lines + text.endswith(b"\n"), empty + (not text)
        port.write(b"$PXTEST,1*00\r\n")
    print(f"{time.time() - start:.6f}", lines, empty, text)
