"""RoBIOS programs at their seats: frames, calls, queries, numbers, radio, and how they end."""

import json
import socket
import struct
from dataclasses import replace

import pytest

import understudy as us
from understudy.clients import understudy_seat as wire
from understudy.protocols.robios import calls, frame
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.keys import KeyTap
from understudy.world.changes import Add, Remove
from understudy.world.shapes import Pose

ROOM = """
schema = 1
numbering = ["can", "pip", "bob"]
{more}
ground = {{size_m = [4, 4], walled = true}}
[[object]]
name = "can"
kind = "cylinder"
radius_m = 0.033
height_m = 0.12
mass_kg = 0.3
x_m = 1.0
[[robot]]
name = "pip"
model = "s4"
x_m = -1.0
[[robot]]
name = "bob"
model = "s4"
y_m = 1.0
"""
HELLO = wire.record(wire.HELLO, json.dumps({"version": 1, "robot": "", "dialect": "robios"}).encode())
STARTED = frame.STARTED


OPEN = []


@pytest.fixture(autouse=True)
def no_sockets_left():
    yield
    while OPEN:
        OPEN.pop().close()


class Program:
    """The other end of a seat; what it says is sent at once, what it hears waits."""

    def __init__(self, sim, robot="pip", realtime=False):
        ours, self.sock = socket.socketpair()
        OPEN.append(self.sock)
        self.sock.settimeout(10.0)
        self.records = wire.Records(self.sock)
        sim.take_seat(robot, ours, realtime)
        self.say(HELLO)

    def say(self, *records):
        self.sock.sendall(b"".join(records))

    def heard(self, kind):
        """Return the content of the next record of a kind, skipping others."""
        while (found := self.records.next())[0] != kind:
            assert found[0] != wire.END or kind == wire.END
        return found[1]


def call(command):
    row = next(row for row in calls.CALLS.values() if row.command is type(command))
    return wire.record(wire.CALL, row.encode(command))


def query(number, form="", *values):
    return wire.record(wire.QUERY, struct.pack(f"<B{form}", number, *values))


def wait(us):
    return wire.record(wire.WAIT, struct.pack("<q", us))


@pytest.fixture
def sim():
    with us.load_text(ROOM.format(more="")) as made:
        yield made


def flags_and_psds(content):
    """Return the flags and the PSDs of a frame."""
    at = 8 + frame.FIXED.size
    return struct.unpack_from("<I", content, 8)[0], struct.unpack_from("<4i", content, at)


def test_a_frame_holds_a_kind_of_sensor_once_it_was_asked_for(sim):
    program = Program(sim)
    program.say(query(11, "i", frame.NO_PSD), *[wait(5000)] * 3)
    sim.step(2)
    before, asked, later = (program.heard(kind) for kind in (wire.GO, wire.RESULT, wire.GO))
    absent = frame.NO_PSD | frame.NO_IR | frame.NO_COMPASS
    assert flags_and_psds(before)[0] & absent == absent
    assert flags_and_psds(before)[1] == (0, 0, 0, 0)
    for content in (asked, later):
        assert flags_and_psds(content)[0] & absent == absent - frame.NO_PSD
        assert flags_and_psds(content)[1] == tuple(sim.current.units["pip/eyebot"].psd_mm())


def flags(go):
    return struct.unpack_from("<I", go, 8)[0]


def test_a_program_is_told_what_robot_it_has(sim):
    pip = Program(sim)
    pip.say(wait(10**9))
    sim.step()
    lines = pip.heard(wire.WELCOME).decode().splitlines()
    assert lines[:3] == ["robot pip", "id 2", "pace gated"]
    assert [line for line in lines if line.startswith("psd")] == [
        "psd 1 PSD_FRONT", "psd 2 PSD_LEFT", "psd 3 PSD_RIGHT", "psd 4 PSD_BACK"
    ]  # fmt: skip


def test_a_call_acts_and_the_next_frame_shows_it(sim):
    pip = Program(sim)
    pip.say(call(orders.Straight(0.5, 0.2)), wait(5000), wait(5_000_000))
    sim.run(1.0)
    assert not flags(pip.heard(wire.GO)) & frame.DRIVING
    assert flags(pip.heard(wire.GO)) & frame.DRIVING
    assert sim.robot("pip").pose.x_m > -0.95


def test_a_robot_goes_on_after_its_program_has_said_bye(sim):
    pip = Program(sim)
    pip.say(call(orders.SetSpeed(0.1, 0.0)), wire.record(wire.BYE))
    sim.run(2.0)
    assert not sim.programs_running
    assert sim.robot("pip").pose.x_m > -0.85


def test_a_robot_stops_when_its_program_disconnects_without_a_word(sim):
    pip = Program(sim)
    pip.say(call(orders.SetSpeed(0.1, 0.0)), wait(5000))
    pip.sock.shutdown(socket.SHUT_WR)
    sim.run(2.0)
    assert sim.robot("pip").pose.x_m < -0.95
    assert "pip" in sim.failed_programs


def test_robots_and_objects_share_one_counter(sim):
    pip = Program(sim)
    pip.say(
        query(3, "i", 0), query(3, "i", 2), query(3, "i", 3), query(4, "i", 1), query(3, "i", 1), query(5), wait(10**9)
    )
    sim.step()
    own, same, other, can = (struct.unpack("<4d", pip.heard(wire.RESULT))[:2] for _ in range(4))
    assert own == same == (-1.0, 0.0)
    assert other == (0.0, 1.0)
    assert can == (1.0, 0.0)
    assert pip.heard(wire.RESULT) == b""  # number 1 is no robot
    assert struct.unpack("<II", pip.heard(wire.RESULT)) == (2, 1)


@pytest.mark.parametrize("number", [-1, 4, 99, 2**31 - 1, -(2**31)])
def test_numbers_that_nothing_has_give_an_empty_result(sim, number):
    pip = Program(sim)
    pip.say(query(3, "i", number), query(4, "i", number), wait(10**9))
    sim.step()
    assert pip.heard(wire.RESULT) == pip.heard(wire.RESULT) == b""


def test_numbers_are_never_used_again(sim):
    pip = Program(sim)
    sim.change(Remove("can"))
    sim.change(Add(replace(sim.data("bob"), name="eve", place=Pose(0.0, -1.0))))
    pip.say(query(3, "i", 4), query(3, "i", 2), wait(10**9))
    sim.step()
    assert struct.unpack("<4d", pip.heard(wire.RESULT))[:2] == (0.0, -1.0)
    assert struct.unpack("<4d", pip.heard(wire.RESULT))[:2] == (-1.0, 0.0)


def test_a_program_places_robots_and_objects(sim):
    pip = Program(sim)
    pip.say(call(calls.MoveRobot(0, 0.5, -0.5, 9.0, 1.0)), call(calls.MoveObject(1, -0.5, -0.5, 0.0, 0.0)), wait(10**9))
    sim.step()
    here = sim.robot("pip").pose
    assert (here.x_m, here.y_m, here.heading_rad) == pytest.approx((0.5, -0.5, 1.0))
    assert sim.scene.objects[0].pose.x_m == pytest.approx(-0.5, abs=1e-6)


def test_a_scan_runs_from_left_over_ahead_to_the_right(sim):
    pip = Program(sim)
    pip.say(query(1, "Iii", 360, 360, 0), query(1, "Iii", 3, 180, 0), wait(10**9))
    sim.step()
    around = struct.unpack("<360i", pip.heard(wire.RESULT))
    behind, left, ahead, right = (around[i] for i in (0, 90, 180, 270))
    assert (behind, left, right) == (1000, 2000, 2000)
    assert ahead == pytest.approx(1967, abs=1)  # the can
    assert struct.unpack("<3i", pip.heard(wire.RESULT)) == (2000, ahead, 2000)


@pytest.mark.parametrize("values", [(0, 0, 0), (2**32 - 1, 2**31 - 1, 90), (10, -5, -400)])
def test_absurd_scans_are_cut_to_what_is_possible(sim, values):
    pip = Program(sim)
    pip.say(query(1, "Iii", *values), wait(10**9))
    sim.step()
    assert 4 <= len(pip.heard(wire.RESULT)) <= 4 * 3600


def test_a_picture_has_three_bytes_for_each_pixel(sim):
    pip = Program(sim)
    pip.say(query(2, "II", 40, 30), query(2, "II", 0, 30), query(2, "II", 2**32 - 1, 2**32 - 1), wait(10**9))
    sim.step()
    assert len(pip.heard(wire.RESULT)) == 40 * 30 * 3
    assert pip.heard(wire.RESULT) == pip.heard(wire.RESULT) == b""


def test_a_radio_message_reaches_the_robot_with_its_number(sim):
    pip, bob = Program(sim), Program(sim, "bob")
    on = call(orders.RadioPower(True))
    pip.say(on, wait(0))
    bob.say(on, wait(0))
    pip.say(call(calls.SendRadio(3, b"hello")), call(calls.SendRadio(99, b"lost")), query(6), wait(10**9))
    bob.say(wait(20_000), wait(10**9))
    sim.run(0.1)
    assert struct.unpack("<2I", pip.heard(wire.RESULT)) == (2, 3)
    assert bob.heard(wire.HEARD) == struct.pack("<Ii", 1, 2) + b"hello"


def test_programs_that_start_together_wait_for_the_last_one():
    with us.load_text(ROOM.format(more="start_together = true")) as sim:
        sim.start_line.expect({"pip", "bob"})
        pip, bob = Program(sim), Program(sim, "bob")
        pip.say(call(calls.AtStart()), wait(0), wait(0), wait(0), wait(10**9))
        bob.say(wait(0), call(calls.AtStart()), wait(10**9))
        sim.step(4)
        seen = [bool(flags(pip.heard(wire.GO)) & STARTED) for _ in range(3)]
        assert seen == [False, False, True]


def test_a_barrier_is_open_at_once_if_the_scene_has_none(sim):
    pip = Program(sim)
    pip.say(wait(10**9))
    sim.step()
    assert flags(pip.heard(wire.GO)) & STARTED


def test_a_realtime_program_that_says_nothing_does_not_hold_time(sim):
    Program(sim, realtime=True)
    sim.run(0.1)
    assert sim.tick == 20


def test_a_realtime_program_gets_frames_when_it_asks(sim):
    pip = Program(sim, realtime=True)
    sim.step(3)
    pip.heard(wire.GO)
    pip.say(call(orders.SetSpeed(0.2, 0.0)), wait(0))
    sim.step(2)
    assert struct.unpack_from("<q", pip.heard(wire.GO))[0] > 0


@pytest.mark.parametrize("junk", [wire.record(wire.CALL, b"\xff"), wire.record(wire.CALL),
                                  wire.record(wire.QUERY, b"\0"),
                                  wire.record(wire.CALL, b"\3\1"), b"\xff" * 40])  # fmt: skip
def test_invalid_records_end_the_program_and_not_the_run(sim, junk):
    pip = Program(sim)
    pip.say(junk, wait(0))
    sim.run(0.1)
    assert "invalid seat record" in sim.failed_programs["pip"]


def test_the_end_of_a_run_is_told(sim):
    pip = Program(sim)
    pip.say(wait(10**9))
    sim.step()
    sim.close()
    assert pip.heard(wire.END) == b""


def test_a_robot_without_an_eyebot_has_no_such_seat():
    with us.load_text('schema = 1\n[[robot]]\nname = "pip"\nmodel = "scout"\n') as sim:
        pip = Program(sim)
        pip.say(wait(10**9))
        sim.step()
        assert b"no unit of kind eyebot" in pip.heard(wire.ERROR)


def wait_for(signals):
    return wire.record(wire.WAIT, struct.pack("<qI", 10**15, signals))


def test_a_wait_for_a_signal_ends_at_the_tick_in_which_it_changes(sim):
    pip = Program(sim)
    pip.say(call(orders.Straight(0.1, 0.2)), wait(0), wait_for(frame.DRIVING), wait(10**9))
    sim.run(3.0)
    stamps = [struct.unpack_from("<q", pip.heard(wire.GO))[0] for _ in range(3)]
    with us.load_text(ROOM.format(more="")) as other:
        other.robot("pip").order(orders.Straight(0.1, 0.2))
        other.step()
        while other.current.units["pip/eyebot"].pilot.driving:
            other.step()
        assert stamps[-1] == other.t_us


def test_keys_and_radio_messages_are_signals(sim):
    pip = Program(sim)
    pip.say(call(orders.RadioPower(True)), wait(0), wait_for(frame.KEYS), wait_for(frame.RADIO), wait(10**9))
    sim.run(0.1)
    sim.robot("pip").order(KeyTap(1))
    sim.run(0.1)
    sim.robot("bob").order(orders.RadioPower(True))
    sim.robot("bob").order(orders.RadioSend("pip", b"x"))
    sim.run(0.1)
    stamps = [struct.unpack_from("<q", pip.heard(wire.GO))[0] for _ in range(4)]
    assert 100_000 < stamps[2] <= 110_000
    assert 200_000 < stamps[3] <= 215_000
