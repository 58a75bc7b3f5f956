"""Two processes talk over a pseudo-terminal of their own: pieces, limits, the end.   terminal.py"""

import os
import pty
import select
import time
import tty

start = time.monotonic()


def child(end):
    for i in range(5):
        os.write(end, b"a%d\n" % i)
        os.write(end, b"b%d\n" % i)
        time.sleep(0.05)
    os.write(end, b"got " + os.read(end, 100))


master, slave = pty.openpty()
tty.setraw(slave)
if os.fork() == 0:
    os.close(master)
    child(slave)
    os._exit(0)
os.close(slave)
ready = select.epoll()
ready.register(master, select.EPOLLIN)
empty = 0
while True:
    if not ready.poll(0.03):
        empty += 1
        if empty == 8:
            os.write(master, b"hello\n")
        continue
    try:
        print(f"{time.monotonic() - start:.6f}", os.read(master, 1000))
    except OSError:  # the other end is closed
        break
print(f"{time.monotonic() - start:.6f}", empty, os.wait()[1])
