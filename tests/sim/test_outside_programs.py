"""Programs in processes of their own: at a blocking socket, and time waits for them."""

import os
import signal
import socket
import struct
import sys
import textwrap
import threading
import time

import psutil
import pytest
from scenes import robot, room

import understudy as us
from understudy.clients import understudy_seat as wire
from understudy.errors import LinkError, ProgramError, TapeError
from understudy.sim import outside, process
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Remove
from understudy.world.news import At
from understudy.world.robot import Program

WANDER = """
from understudy_seat import connect

robot = connect()
turns = 0
while True:
    robot.drive(0.3, 0.1 * turns)
    if min(robot.wait_for("front")) < 0.8:
        turns += 1
        robot.wait(0.35)
"""
SCENE = """
schema = 1
ground = {size_m = [9, 9], walled = true}
[[robot]]
name = "scout"
model = "scout"
program = {command = ["PYTHON", "prog.py"]}
"""


@pytest.fixture
def start(tmp_path):
    sims = []

    def make(text, names=("scout",), **extra):
        (tmp_path / "prog.py").write_text(textwrap.dedent(text))
        robots = [robot(name, -2.0 + 1.5 * i) for i, name in enumerate(names)]
        programs = {name: Program(command=(sys.executable, "prog.py")) for name in names}
        sims.append(Sim(room(*robots), seed=2, folder=tmp_path, user_programs=programs, **extra))
        return sims[-1]

    yield make
    for sim in sims:
        sim.close()


def program(body):
    return "from understudy_seat import connect\nrobot = connect()\n" + textwrap.dedent(body)


def process_of(sim, name="scout"):
    return sim.seats.seat_of(name)._process


# ---- where they are


def test_a_snapshot_has_the_line_at_which_a_process_waits(start, tmp_path):
    body = "def rest(seconds):\n    robot.wait(seconds)\nwhile True:\n    robot.drive(0.1)\n    rest(0.1)  # here\n"
    sim = start(program(body.replace("    robot.wait(seconds)", "    robot.wait(seconds)  # inside")))
    assert sim.program_positions() == {}
    sim.step(3)
    line = At("prog.py", line=4, words="robot.wait(seconds)  # inside", t_us=15_000)
    assert sim.program_positions() == {"scout": (line,)} == sim.program_positions()
    sim.pause()
    assert sim.view().t_us == 15_000
    sim.resume()
    sim.step(30)
    assert sim.program_positions()["scout"][0].t_us == 165_000


def test_looking_at_positions_does_not_change_a_run(start):
    ends = []
    for looks in (False, True):
        sim = start(WANDER, names=("a", "b"))
        for _ in range(400):
            sim.step()
            if looks:
                assert set(sim.program_positions()) == {"a", "b"}
        ends.append(sim.hash())
    assert ends[0] == ends[1]


def pipelined(seat):
    """Say everything at once, as a client may that does not wait for GO."""
    turn = wire.record(wire.DRIVE, struct.pack("<ddd", 0.3, 0.1, 0.0)) + wire.record(
        wire.WAIT, struct.pack("<q", 50_000)
    )
    seat._sock.sendall(20 * turn + wire.record(wire.BYE))
    while seat._sock.recv(1000):
        pass


@pytest.mark.parametrize("looks", [False, True])
def test_records_that_come_before_their_turn_wait_for_it_whoever_looks(looks):
    with Sim(room(robot("a", -1.0))) as sim:
        thread = visitor(sim.open_seats(expect=["a"]), "a", pipelined)
        for _ in range(300):
            sim.step()
            if looks:
                assert sim.program_positions() == {}
        assert sim.robot("a").pose.x_m == pytest.approx(-0.7, abs=0.05)
    thread.join(5.0)
    assert not thread.is_alive()


@pytest.mark.parametrize("words", [b"[]", b"7", b"{", b'{"line": "x"}', b'{"line": 1e400}', b"\xff", b"[" * 60_000])
def test_absurd_positions_are_not_shown_and_do_no_harm(words):
    def answers(seat):
        seat._send(wire.record(wire.WAIT, struct.pack("<q", 100_000)))
        while (kind := seat._next()[0]) != wire.GO:
            assert kind == wire.WHERE
            seat._send(wire.record(wire.AT, words))
        circles(seat)

    with Sim(room(robot("a", -1.0))) as sim:
        thread = visitor(sim.open_seats(expect=["a"]), "a", answers)
        sim.step()
        assert sim.program_positions().get("a", (At("program", t_us=5_000),)) == (At("program", t_us=5_000),)
        sim.step(100)
        assert sim.robot("a").pose.x_m > -1.0
    thread.join(5.0)


def test_a_position_is_cut_to_what_can_be_shown():
    def answers(seat):
        seat._send(wire.record(wire.WAIT, struct.pack("<q", 100_000)))
        while seat._next()[0] == wire.WHERE:
            seat._send(wire.record(wire.AT, b'{"task": "2", "line": 7, "words": "%s"}' % (b"x" * 50_000)))

    with Sim(room(robot("a", -1.0))) as sim:
        thread = visitor(sim.open_seats(expect=["a"]), "a", answers)
        sim.step()
        (at,) = sim.program_positions()["a"]
        assert (at.task, at.line, len(at.words)) == ("2", 7, 200)
        sim.step(100)
    thread.join(5.0)


def test_a_process_that_does_not_answer_is_asked_once_a_turn_only(start, monkeypatch):
    monkeypatch.setattr(outside, "_LOOK_S", 0.5)
    sim = start(program("while True:\n    robot.wait(0.5)\n"))
    sim.step(2)
    os.kill(process_of(sim).pid, signal.SIGSTOP)
    try:
        begin = time.perf_counter()
        for _ in range(100):
            assert sim.program_positions() == {}
        assert time.perf_counter() - begin < 25.0  # 50 s if asked each time
    finally:
        os.kill(process_of(sim).pid, signal.SIGCONT)
    sim.step(200)
    assert sim.program_positions()["scout"][0].line == 4


# ---- processes


def test_a_process_drives_its_robot_and_time_waits_for_it(start):
    sim = start(
        program("import time\nfor n in range(5):\n    time.sleep(0.02)\n    robot.drive(0.5)\n    robot.wait(0.2)\n")
    )
    sim.run(0.9)
    assert sim.robot("scout").pose.x_m == pytest.approx(-1.55, abs=0.1)


def test_the_same_processes_give_the_same_run(start):
    def end():
        sim = start(WANDER, names=("a", "b"))
        sim.run(5.0)
        return sim.hash()

    assert end() == end()


def test_a_process_and_a_greenlet_with_the_same_program_give_the_same_run(start, tmp_path):
    body = "while True:\n    robot.drive(0.2, 0.1)\n    robot.wait(0.3)\n    robot.read('front')\n"
    sim = start(program(body))
    sim.run(2.0)
    (tmp_path / "inside.py").write_text("def main(robot):\n" + textwrap.indent(body, "    "))
    with Sim(
        room(robot("scout", -2.0)), seed=2, folder=tmp_path, user_programs={"scout": Program("inside.py")}
    ) as other:
        other.run(2.0)
        assert other.hash() == sim.hash()


def test_a_process_reads_what_its_robot_reads(start, tmp_path):
    body = """
    robot.wait(0.5)
    stamp, values = robot.reading("front")
    with open("seen", "w") as file:
        print(robot.name, robot.time_s, stamp, values[0], robot.pose[0], sorted(robot.devices), file=file)
    robot.wait(0.1)
    """
    sim = start(program(body))
    sim.run(0.55)
    front = sim.robot("scout").read("front")
    assert (tmp_path / "seen").read_text().split(maxsplit=5) == [
        "scout", "0.5", "500000", str(front[0]), "-2.0", "['front', 'gps', 'sonar', 'wheels']\n",
    ]  # fmt: skip


def test_what_the_simulation_refuses_is_an_error_in_the_process(start, tmp_path):
    body = """
    from understudy_seat import SeatError
    try:
        robot.read("nose")
    except SeatError as problem:
        open("problem", "w").write(str(problem))
    robot.wait(1)
    """
    start(program(body)).run(0.1)
    assert "scout has no device 'nose'" in (tmp_path / "problem").read_text()


def test_an_order_by_name_reaches_its_unit_and_a_wrong_one_is_reported(start, caplog):
    body = """
    robot.order("Drive", m_s=0.5)
    robot.order("Fly", height_m=2)
    robot.order("Drive", "wings")
    robot.order("Drive", m_s="fast")
    robot.drive(float("nan"))
    robot.wait(9)
    """
    sim = start(program(body))
    sim.run(0.5)
    assert sim.robot("scout").pose.x_m > -1.9
    assert "takes no Fly (known: Drive, Session)" in caplog.text
    assert "scout has no unit 'wings'" in caplog.text
    assert len([record for record in caplog.records if " refused: " in record.message]) == 4


def test_when_a_process_ends_its_robot_stops_without_a_word(start, caplog):
    sim = start(program("robot.drive(0.5)\nrobot.wait(1.0)\n"))
    sim.run(3.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(-1.5, abs=0.1)
    assert caplog.text == ""


def test_a_process_that_fails_is_reported_and_its_robot_stops(start, caplog):
    sim = start(program("robot.drive(0.5)\nrobot.wait(1.0)\nraise SystemExit(3)\n"))
    sim.run(3.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(-1.5, abs=0.1)
    assert "ended with exit code 3" in caplog.text


def test_a_process_that_is_killed_is_reported_and_its_robot_stops(start, caplog):
    sim = start(program("robot.drive(0.5)\nwhile True:\n    robot.wait(0.1)\n"))
    sim.run(0.5)
    os.kill(process_of(sim).pid, signal.SIGKILL)
    sim.run(1.0)
    assert "was terminated by signal 9" in caplog.text
    before = sim.robot("scout").pose.x_m
    sim.run(0.5)
    assert sim.robot("scout").pose.x_m == before


def test_a_process_ends_with_the_run_and_so_does_what_it_has_started(start, monkeypatch):
    monkeypatch.setattr(process, "_END_S", 0.1)
    body = "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    sim = start(
        program(f"{body}while True:\n    try:\n        robot.wait(0.1)\n    except SystemExit:\n        pass\n")
    )
    sim.run(0.3)
    running = process_of(sim)
    started = psutil.Process(running.pid).children()
    assert len(started) == 1
    sim.close()
    assert running.returncode == -signal.SIGKILL
    assert psutil.wait_procs(started, 30.0)[1] == []


def test_a_process_leaves_quietly_when_the_run_is_over(start):
    sim = start(program("while True:\n    robot.wait(0.1)\n"))
    sim.run(0.3)
    running = process_of(sim)
    sim.close()
    assert running.returncode == 0


def test_a_reset_starts_the_process_again(start):
    sim = start(WANDER)
    sim.run(2.0)
    first, pid = sim.hash(), process_of(sim).pid
    sim.reset()
    sim.run(2.0)
    assert sim.hash() == first
    assert process_of(sim).pid != pid


def test_a_robot_that_is_removed_takes_its_process_along(start):
    sim = start(program("while True:\n    robot.wait(0.1)\n"), names=("a", "b"))
    sim.run(0.3)
    running = process_of(sim, "a")
    sim.change(Remove("a"))
    assert running.returncode == 0
    sim.run(0.3)
    assert sim.tick == 120


def test_a_process_that_does_not_wait_is_reported(start, monkeypatch, caplog):
    monkeypatch.setattr(outside, "HELD_UP_S", 0.01)
    start(program("import time\ntime.sleep(0.7)\nrobot.wait(9)\n")).run(0.1)
    assert "the simulation has waited for scout's program" in caplog.text


def test_a_run_can_be_ended_while_a_process_does_not_wait(start):
    sim = start(program("import time\ntime.sleep(600)\n"))
    timer = threading.Timer(0.5, lambda: setattr(sim, "exit_code", 0))
    timer.start()
    sim.run(1.0)
    assert sim.tick <= 1


def test_a_tape_with_processes_replays_without_them(start, tmp_path):
    sim = start(WANDER)
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    sim.run(3.0)
    last = sim.hash()
    sim.close()
    (tmp_path / "prog.py").unlink()
    result = replay(tmp_path / "a.tape")
    assert (result.mismatch, result.hash) == (None, last)


def test_a_saved_run_with_a_process_goes_on_to_the_bit(start):
    sim = start(WANDER)
    sim.run(2.0)
    saved = sim.save()
    sim.run(1.0)
    with us.restore(saved, trust=True) as other:
        other.run(1.0)
        assert other.hash() == sim.hash()


def test_a_saved_run_whose_process_has_another_file_now_is_refused(start, tmp_path):
    sim = start(WANDER)
    sim.run(0.5)
    saved = sim.save()
    (tmp_path / "prog.py").write_text(WANDER + "# another\n")
    with pytest.raises(TapeError, match=r"prog.py is not what it was when the run was saved"):
        us.restore(saved, trust=True)


# ---- consent


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "prog.py").write_text(WANDER)
    (tmp_path / "room.toml").write_text(SCENE.replace("PYTHON", sys.executable))
    return tmp_path / "room.toml"


def test_a_command_of_a_scene_is_not_run_without_consent(scene):
    assert us.check(scene) == ()
    with pytest.raises(
        ProgramError, match=r"room.toml contains code, scout's program '.*prog.py': run it with --trust \(trust=True\)"
    ):
        us.load(scene)


def test_a_command_of_a_scene_is_run_with_consent(scene):
    with us.load(scene, trust=True) as sim:
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > 0.1
        assert list(sim.files) == ["prog.py"]


# ---- programs that come from outside


def visitor(address, name, body):
    """Take a seat in another thread, which is as far away as another process."""

    def visit():
        seat = wire.connect(address, name)
        try:
            body(seat)
        except wire.RunOver:
            return
        seat.close()

    thread = threading.Thread(target=visit)
    thread.start()
    return thread


def circles(seat):
    while True:
        seat.drive(0.2, 0.3)
        seat.wait(0.1)


def test_a_program_joins_from_outside_and_time_waits_for_it():
    with Sim(room(robot("a", -1.0), robot("b", 1.0))) as sim:
        address = sim.open_seats(expect=["a", "b"])
        threads = [visitor(address, name, circles) for name in ("b", "a")]
        sim.run(2.0)
        with Sim(room(robot("a", -1.0), robot("b", 1.0))) as other:
            for name in ("a", "b"):
                other.robot(name).drive(0.2, 0.3)
            other.run(2.0)
            assert sim.hash() == other.hash()
    for thread in threads:
        thread.join(5.0)
        assert not thread.is_alive()


def test_a_seat_that_was_left_can_be_taken_again():
    with Sim(room(robot("a", -1.0))) as sim:
        address = sim.open_seats(expect=["a"])
        first = visitor(address, "a", lambda seat: seat.wait(0.1))
        sim.run(0.5)
        first.join(5.0)
        second = visitor(address, "a", circles)
        while sim.robot("a").pose.x_m == -1.0:
            sim.run(0.05)
    second.join(5.0)


@pytest.mark.parametrize(("name", "reason"), [("c", "no robot is named 'c'"), ("a", "a has a program")])
def test_a_refused_program_gets_the_reason(name, reason):
    with Sim(room(robot("a", -1.0))) as sim:
        address = sim.open_seats(expect=["a"])
        threads = [visitor(address, "a", circles)]
        sim.run(0.1)
        said = []

        def refused():
            try:
                wire.connect(address, name)
            except wire.SeatError as problem:
                said.append(str(problem))

        threads.append(threading.Thread(target=refused))
        threads[-1].start()
        while threads[-1].is_alive():
            sim.run(0.05)
        assert reason in said[0]
    threads[0].join(5.0)


@pytest.mark.parametrize(
    "junk",
    [b"\xff" * 40, wire.record(99), wire.record(wire.DRIVE, b"abc"), wire.record(wire.ORDER, b"[" * 60_000), b"\x01"],
    ids=["long", "kind", "short", "nested", "cut"],
)
def test_junk_at_a_seat_ends_the_seat_and_nothing_else(junk, caplog):
    with Sim(room(robot("a", -1.0))) as sim:
        address = sim.open_seats(expect=["a"])

        def spoil(seat):
            seat.drive(0.5)
            seat.wait(0.1)
            seat._sock.sendall(junk)
            seat._sock.shutdown(socket.SHUT_WR)

        thread = visitor(address, "a", spoil)
        sim.run(1.0)
        assert sim.tick == 200
        thread.join(5.0)
        before = sim.robot("a").pose.x_m
        sim.run(0.2)
        assert sim.robot("a").pose.x_m == before
    assert "a's program " in caplog.text


def test_the_door_turns_away_who_does_not_say_hello(caplog):
    with Sim(room(robot("a", -1.0))) as sim:
        host, port = sim.open_seats().removeprefix("tcp://").split(":")
        with socket.create_connection((host, int(port)), 10.0) as client:
            client.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert client.recv(10) == b""
        sim.run(0.1)
    assert "a program's seat request was refused" in caplog.text


@pytest.mark.parametrize("address", ["pty:seats", "tcp://127.0.0.1", "tcp://192.0.2.1:1"])
def test_an_address_that_seats_cannot_have_is_refused(address):
    with Sim(room(robot("a"))) as sim, pytest.raises(LinkError):
        sim.open_seats(address)


def test_without_a_simulation_there_is_no_seat(monkeypatch):
    monkeypatch.delenv(wire.VARIABLE, raising=False)
    with pytest.raises(wire.SeatError, match="no seat: want tcp://HOST:PORT"):
        wire.connect()
