"""The client's side of a seat: time, threads, the beginning and the end; against a simulator without physics."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from robios_fake import FakeSimulator, connect

from understudy.clients import understudy_robios
from understudy.clients.understudy_robios import calls, wire
from understudy.clients.understudy_robios import robios7 as eye

CLIENTS = Path(understudy_robios.__file__).parents[1]
LIMIT_S = 60


@pytest.fixture
def make():
    made = []

    def start(**given):
        made.append(FakeSimulator(**given))
        connect(made[-1])
        return made[-1]

    yield start
    calls.use(None)
    for fake in made:
        fake.close()


def run_program(code, fake, tmp_path):
    """Run a program at the seat of a fake simulator in a process of its own; returns what it printed."""
    file = tmp_path / "program.py"
    file.write_text(code)
    seat = fake.other.fileno()
    environment = {**os.environ, "PYTHONPATH": str(CLIENTS), "UNDERSTUDY_SEAT": f"fd:{seat}"}
    process = subprocess.Popen(
        [sys.executable, str(file), "first"], env=environment, pass_fds=[seat], text=True, cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    fake.other.close()
    try:
        out, err = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
        process.wait(LIMIT_S)
    assert process.returncode == 0, err
    return out, err


# ---- the beginning and the end


def test_a_program_says_who_it_is_and_goodbye_without_stopping(tmp_path):
    fake = FakeSimulator()
    out, err = run_program("from eye import *\nVWSetSpeed(100, 10)\nprint(OSMachineID())\n", fake, tmp_path)
    assert (out.strip(), err) == ("3", "")
    assert fake.over.wait(LIMIT_S)
    assert fake.hello["dialect"] == "robios"
    assert fake.hello["argv"][1:] == ["first"]
    assert fake.said_bye
    assert [order[0] for order in fake.orders] == ["AtStart", "SetSpeed"]
    fake.close()


def test_a_program_that_makes_no_more_calls_ends_with_the_simulation(tmp_path):
    fake = FakeSimulator()
    fake.at_tick = lambda fake: threading.Timer(0.2, fake.hang_up).start() if fake.t_us > 50_000 else None
    _, err = run_program("from eye import *\nOSWait(60)\nwhile True: pass\n", fake, tmp_path)
    assert err == "understudy: the simulation has ended\n"
    fake.close()


@pytest.mark.parametrize(
    "body",
    ["OSWait(100)", "KEYGet()", "while True: PSDGet(1)", "while True:\n try: OSWait(9)\n except BaseException: pass"],
)
def test_a_program_ends_when_the_simulation_hangs_up(tmp_path, body):
    fake = FakeSimulator()
    fake.at_tick = lambda fake: fake.hang_up() if fake.t_us > 50_000 else None
    out, err = run_program(f"from eye import *\nOSWait(50)\n{body}\nprint('not reached')\n", fake, tmp_path)
    assert (out, err) == ("", "understudy: the simulation has ended\n")
    fake.close()


def test_the_end_of_the_simulation_ends_threads_and_runs_clean_up(tmp_path):
    fake = FakeSimulator()
    fake.at_tick = lambda fake: fake.hang_up() if fake.t_us > 50_000 else None
    code = """
from eye import *
import threading
def work():
    while True:
        OSWait(10)
threading.Thread(target=work).start()
try:
    while True:
        PSDGet(1)
finally:
    print("cleaned up")
"""
    out, err = run_program(code, fake, tmp_path)
    assert (out, err) == ("cleaned up\n", "understudy: the simulation has ended\n")
    fake.close()


@pytest.mark.parametrize("gated", [True, False])
def test_threads_that_outlive_the_program_end_without_a_word(tmp_path, gated):
    fake = FakeSimulator(gated=gated)
    code = """
from eye import *
import threading
def work():
    while True:
        PSDGet(1)
threading.Thread(target=work, daemon=True).start()
OSWait(100)
print("done")
"""
    assert run_program(code, fake, tmp_path) == ("done\n", "")
    fake.close()


def test_an_end_with_a_reason_is_told(make, capsys):
    fake = make()
    fake.before_go = [wire.record(wire.END, b"the robot was removed")]
    with pytest.raises(SystemExit):
        calls.current().wait_tick()
    assert "the simulation has ended: the robot was removed" in capsys.readouterr().err


def test_a_refused_query_gives_a_message_and_no_answer(make, capsys):
    fake = make()
    fake._answer = lambda content: fake.own.sendall(wire.record(wire.ERROR, b"no camera"))
    eye.CAMInit(eye.QQVGA)
    assert set(eye.CAMGet()) == set(eye.CAMGet()) == {0}
    assert capsys.readouterr().err == "understudy: no camera\n"


def test_without_a_simulator_the_message_says_what_to_do(tmp_path):
    (tmp_path / "program.py").write_text("from eye import *\nOSWait(1)\n")
    for seat, words in (
        ("fd:99", "no seat at UNDERSTUDY_SEAT=fd:99"),
        ("tcp://127.0.0.1:1", "no seat"),
        ("x", "no seat"),
    ):
        env = {**os.environ, "PYTHONPATH": str(CLIENTS), "UNDERSTUDY_SEAT": seat}
        done = subprocess.run(
            [sys.executable, "program.py"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_S
        )
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def test_the_first_call_starts_a_simulator(tmp_path):
    starter = tmp_path / "simulator.py"
    starter.write_text("import sys\nprint(sys.argv[1:], flush=True)\n")
    (tmp_path / "program.py").write_text("from eye import *\nOSWait(1)\n")
    env = {
        **os.environ,
        "PYTHONPATH": str(CLIENTS),
        "EYESIM_OPTIONS": "--fast 'a b'",
        "UNDERSTUDY": f"{sys.executable} {starter}",
    }
    env.pop("UNDERSTUDY_SEAT", None)
    done = subprocess.run(
        [sys.executable, "program.py", "x"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_S
    )
    assert done.returncode == 1
    assert "the simulation has ended before the program could begin" in done.stderr
    words = eval(done.stdout)
    assert words[:2] == ["eyesim", "--seat-fd"]
    assert words[3:] == ["--fast", "a b", "--", "program.py", "x"]


def test_a_seat_at_an_address_is_taken(tmp_path):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(LIMIT_S)
    fake = FakeSimulator()
    carrier = threading.Thread(target=join_sockets, args=(listener, fake), daemon=True)
    carrier.start()
    (tmp_path / "program.py").write_text("from eye import *\nprint(OSMachineName())\n")
    env = {**os.environ, "PYTHONPATH": str(CLIENTS), "UNDERSTUDY_SEAT": f"tcp://127.0.0.1:{listener.getsockname()[1]}"}
    done = subprocess.run(
        [sys.executable, "program.py"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_S
    )
    assert (done.stdout, done.stderr) == ("pip\n", "")
    listener.close()
    fake.hang_up()
    carrier.join(LIMIT_S)
    fake.close()


def join_sockets(listener, fake):
    """Carry bytes between a TCP connection and a fake simulator."""
    connection, _ = listener.accept()

    def carry(source, target):
        with suppress(OSError):  # one of them has left
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    with connection:
        back = threading.Thread(target=carry, args=(fake.other, connection), daemon=True)
        back.start()
        carry(connection, fake.other)
        back.join(LIMIT_S)


# ---- lockstep


def test_waits_shorter_than_a_tick_add_up_exactly(make):
    fake = make()
    for _ in range(100):
        eye.OSWait(7)
    assert eye.OSGetCount() == 702  # 101 calls cost 2 ms
    assert fake.t_us == 700_000


def test_python_s_clocks_and_sleep_are_simulated(tmp_path):
    fake = FakeSimulator()
    code = """
import time
from time import sleep
from eye import *
OSWait(5)
begin, epoch = time.monotonic(), time.time()
sleep(2)
time.sleep(1)
print(round(time.monotonic() - begin, 3), round(time.perf_counter() - begin, 3), round(time.time() - epoch, 3))
print(time.gmtime(epoch).tm_year, time.monotonic_ns() // 10**9)
while time.time() < epoch + 4:
    pass
print(OSGetCount())
"""
    began = time.monotonic()
    out, _ = run_program(code, fake, tmp_path)
    assert out == "3.0 3.0 3.0\n2000 3\n4005\n"
    assert time.monotonic() - began < 30
    fake.close()


THREADS = """
from eye import *
import threading
seen = []
lock = threading.Lock()
def work(name, ms):
    for i in range(20):
        with lock:
            OSWait(ms)
            seen.append((name, OSGetCount(), PSDGet(1)))
        OSWait(1)
threads = [threading.Thread(target=work, args=(n, ms)) for n, ms in (("a", 7), ("b", 11), ("c", 3))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(seen)
print(OSGetCount())
"""


def test_threads_with_locks_all_get_their_turns_in_simulated_time(tmp_path):
    runs, counts, began = [], set(), time.monotonic()
    for _ in range(3):
        fake = FakeSimulator()
        fake.at_tick = lambda fake: fake.frame.update(psd=[fake.t_us // 1000, 0, 0])
        seen, end = run_program(THREADS, fake, tmp_path)[0].splitlines()
        counts.add("".join(sorted(name for name, _, _ in eval(seen))))
        runs.append(int(end))
        fake.close()
    assert counts == {20 * "a" + 20 * "b" + 20 * "c"}
    assert runs == pytest.approx([20 * 21] * 3, abs=40)
    assert time.monotonic() - began < 30


def test_timers_and_threads_share_time(tmp_path):
    fake = FakeSimulator()
    code = """
from eye import *
import threading
count = [0, 0]
def tick(): count[0] += 1
def work():
    while True:
        OSWait(10)
        count[1] += 1
OSAttachTimer(20, tick)
threading.Thread(target=work, daemon=True).start()
OSWait(1001)
print(count)
"""
    out, _ = run_program(code, fake, tmp_path)
    ticks, waits = eval(out)
    assert ticks == 50
    assert 98 <= waits <= 100
    fake.close()


def test_a_thread_that_computes_does_not_hold_the_others_up_for_long(tmp_path):
    fake = FakeSimulator()
    code = """
from eye import *
import threading
stop = []
def compute():
    OSWait(1)
    while not stop:
        sum(range(1000))
thread = threading.Thread(target=compute)
thread.start()
OSWait(1000)
OSWait(1000)
stop.append(1)
thread.join()
print(OSGetCount())
"""
    out, _ = run_program(code, fake, tmp_path)
    assert out == "2000\n"
    fake.close()


def test_a_copy_of_the_process_leaves_the_seat_alone(tmp_path):
    fake = FakeSimulator()
    code = """
import os
from eye import *
OSWait(1)
child = os.fork()
if child == 0:
    try:
        OSWait(1)
    except RuntimeError as problem:
        print(problem, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(OSMachineID())
"""
    out, _ = run_program(code, fake, tmp_path)
    assert out == "RoBIOS functions work only in the process that called one first\n3\n"
    fake.close()


# ---- real time


def test_in_real_time_waits_follow_the_simulation(make):
    fake = make(gated=False)
    eye.OSWait(100)
    assert fake.t_us >= 100_000
    assert eye.OSGetCount() >= 100


def test_in_real_time_orders_go_out_without_further_calls(make):
    fake = make(gated=False)
    eye.VWSetSpeed(100, 0)
    limit = time.monotonic() + LIMIT_S
    while len(fake.orders) < 2 and time.monotonic() < limit:
        time.sleep(0.002)
    assert [order[0] for order in fake.orders] == ["AtStart", "SetSpeed"]


def test_in_real_time_threads_may_wait_and_ask_at_the_same_time(make):
    fake = make(gated=False)
    fake.answers["COUNTS"] = b"\1\0\0\0\2\0\0\0"
    counts, problems = [], []

    def ask():
        try:
            counts.extend(eye.SIMGetObjectCount() for _ in range(50))
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    eye.OSWait(500)
    for thread in threads:
        thread.join(LIMIT_S)
    assert (problems, counts) == ([], [2] * 200)


def test_in_real_time_a_busy_loop_gets_new_frames(make):
    fake = make(gated=False)
    fake.at_tick = lambda fake: fake.frame.update(psd=[100 + fake.t_us // 1000, 0, 0])
    while eye.PSDGet(1) < 200:
        pass
    assert fake.t_us >= 100_000


def test_large_orders_do_not_wait(make):
    fake = make()
    eye.LCDImageStart(0, 0, 320, 240)
    eye.LCDImage(bytes(eye.QVGA_SIZE))
    limit = time.monotonic() + LIMIT_S
    while not fake.named("LcdImage") and time.monotonic() < limit:
        time.sleep(0.002)
    assert len(fake.named("LcdImage")[0][-1]) == eye.QVGA_SIZE
    assert fake.waits == []
