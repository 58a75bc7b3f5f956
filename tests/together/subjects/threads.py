"""Drives a Pioneer with three threads: queue, lock, event, join, and a loop that waits by looking at the clock."""

import queue
import random
import sys
import threading
import time

from arcos import command, connected

robot, seconds = connected(int(sys.argv[1])), float(sys.argv[2])
packets, stop, lock, seen = queue.Queue(), threading.Event(), threading.Lock(), [0, 0]


def reader():
    while not stop.is_set():
        data = robot.recv(4096)
        if not data:
            return
        with lock:
            seen[0] += len(data)
        packets.put((time.monotonic(), data))


def busy():
    while not stop.is_set():
        until = time.perf_counter() + 0.033
        while time.perf_counter() < until:
            pass
        with lock:
            seen[1] += 1
        time.sleep(0.2)


threads = [threading.Thread(target=reader), threading.Thread(target=busy)]
for thread in threads:
    thread.start()
start, late = time.monotonic(), 0.0
while time.monotonic() - start < seconds:
    try:
        stamp, data = packets.get(timeout=0.07)
        late += time.monotonic() - stamp
        command(robot, 21, random.randint(-30, 30))
    except queue.Empty:
        command(robot, 11, int(100 + 1000 * (time.monotonic() - start)) % 400)
    stop.wait(0.011)
stop.set()
for thread in threads:
    thread.join()
print(f"{time.monotonic() - start:.6f} s, {seen}, late {late:.6f}, {time.time():.6f}")
