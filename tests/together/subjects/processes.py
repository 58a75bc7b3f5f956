"""asyncio, subprocess, multiprocessing, signals: what a program that drives nothing does with time."""

import asyncio
import fcntl
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

start = time.monotonic()


def say(*words):
    print(*words, f"{time.monotonic() - start:.6f}", flush=True)


def work(lock, value, semaphore, results):
    for _ in range(3):
        with lock:
            value.value += 1
        time.sleep(0.02)
    semaphore.acquire()
    results.put(round(time.monotonic() - start, 3))


async def tasks():
    await asyncio.gather(*(asyncio.sleep(0.1 * i) for i in range(5)))
    say("asyncio")
    child = await asyncio.create_subprocess_exec("sh", "-c", "sleep 0.25; echo x", stdout=asyncio.subprocess.PIPE)
    say("asyncio child", (await child.communicate())[0])


def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


def main():
    say("sleep", subprocess.run(["sleep", "0.25"], env={}, check=True).returncode)
    try:
        subprocess.run(["/no/such/program"], check=False)
    except FileNotFoundError:
        say("no such program")
    many = subprocess.run([sys.executable, "-c", "print('x' * 2000000)"], capture_output=True, check=True).stdout
    say("a full pipe", len(many))
    context = multiprocessing.get_context("fork")
    lock, value, semaphore, results = context.Lock(), context.Value("i", 0), context.Semaphore(0), context.Queue()
    workers = [context.Process(target=work, args=(lock, value, semaphore, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    time.sleep(0.3)
    say("shared memory", value.value)
    for _ in workers:
        semaphore.release()
    say("queue", [results.get() for _ in workers])
    for worker in workers:
        worker.join()
    asyncio.run(tasks())
    with ThreadPoolExecutor(4) as pool:
        say("pool", list(pool.map(lambda i: (time.sleep(0.05 * i), i)[1], range(8))))
    threading.Thread(target=interrupt).start()
    try:
        time.sleep(5)
    except KeyboardInterrupt:
        say("interrupted")
    with Path(__file__).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        child = os.fork()
        if child == 0:
            with Path(__file__).open() as other:
                fcntl.flock(other, fcntl.LOCK_EX)
            os._exit(3)
        time.sleep(0.1)
        fcntl.flock(file, fcntl.LOCK_UN)
        say("lock", os.waitpid(child, 0)[1] >> 8)
    signal.signal(signal.SIGALRM, lambda *_: say("alarm"))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    time.sleep(0.5)
    say("end", os.urandom(4).hex(), hash("text"))


main()
