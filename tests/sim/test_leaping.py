"""Many ticks at once give the same bits as single ticks, and are made only while nobody has something to do."""

import math

import pytest

import understudy as us
from understudy.robots.eyebot import orders
from understudy.world.changes import Move
from understudy.world.shapes import Pose

ROOM = """
schema = 1
ground = {size_m = [3, 2], walled = true}
[[robot]]
name = "pip"
model = "soccerbot"
x_m = 0.5
y_m = 0.3
heading_deg = 20
"""
BALL = '[[ball]]\nname = "ball"\nx_m = 0.8\ny_m = 0.4\nradius_m = 0.03\n'
OTHER = '[[robot]]\nname = "pop"\nmodel = "s4"\nx_m = -0.5\n'
SCENES = {
    "alone": ROOM,
    "with a ball": ROOM + BALL,
    "two": ROOM + OTHER,
    "noisy": ROOM + "device.psd.noise = {sigma_m = 0.01}\n",
    "encoders that err": ROOM + "device.encoders.error = {spread_m = 0.01}\ndevice.encoders.noise = {sigma_m = 0.0}\n",
    "encoders with ticks": ROOM + "device.encoders.ticks_per_m = 1000\n",
    "drive errors": ROOM + 'drive_stage.e = {kind = "errors", speed = 0.05}\n',
    "slow bumper": ROOM + "device.bumper.period_ms = 70\ndevice.bumper.hold_ms = 200\n",
}
COMMANDS = {
    "nothing": None,
    "speed": orders.SetSpeed(0.3, 0.4),
    "ahead": orders.Straight(0.4, 0.3),
    "into the wall": orders.Straight(9.0, 0.5),
    "turn": orders.Turn(-7.0, 2.0),
    "curve": orders.Curve(0.5, 2.0, 0.2),
    "motor": orders.MotorDrive(2, 60),
    "servo": orders.ServoSet(1, 200),
    "tone": orders.Tone(440, 333_000),
}


def outcome(scene, command, go):
    """Return the hash after a command, and how often the run was advanced."""
    with us.load_text(scene) as sim:
        calls, advance = [], sim.current.advance
        sim.current.advance = lambda *items: (calls.append(1), advance(*items))[1]
        if command is not None:
            sim.robot("pip").order(command)
        go(sim)
        return sim.hash(), sim.tick, len(calls), sim.current.state()


def singly(sim):
    sim.step(700)


def freely(sim):
    for _ in range(5):
        sim.run(0.7)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_leaps_and_single_ticks_end_in_the_same_state(scene, command):
    alone, free = outcome(scene, command, singly), outcome(scene, command, freely)
    assert alone[:2] == free[:2]
    assert str(alone[3]) == str(free[3])


@pytest.mark.parametrize("name", ["alone", "two", "noisy", "slow bumper"])
def test_a_robot_that_drives_freely_needs_few_calls(name):
    _, ticks, calls, _ = outcome(SCENES[name], COMMANDS["ahead"], freely)
    assert calls < ticks / 20


def test_something_that_needs_every_tick_gets_it():
    _, ticks, calls, _ = outcome(SCENES["drive errors"], COMMANDS["speed"], freely)
    assert calls == ticks


class Watcher:
    """Counts the ticks that it hears of."""

    def begin(self, sim):
        self.ticks = 0

    def tick(self, snapshot):
        self.ticks += 1

    def end(self, reason):
        pass


def test_a_listener_is_told_of_every_tick():
    with us.load_text(ROOM) as sim:
        watcher = Watcher()
        sim.attach(watcher)
        sim.run(1.0)
        assert watcher.ticks == 200


def test_a_program_wakes_at_its_tick_and_reads_what_it_would_read_after_single_ticks(tmp_path):
    (tmp_path / "go.py").write_text(
        "def main(robot):\n"
        "    for n in range(1, 30):\n"
        "        robot.drive(0.2, 0.1 * (n % 5))\n"
        "        robot.wait(0.013 * n)\n"
        "        print(robot.time_s, *robot.read('psd'), *robot.read('bumper'))\n"
    )
    (tmp_path / "room.toml").write_text(ROOM + 'program = "go.py"\n')

    def told(capsys_free):
        import contextlib
        import io

        out = io.StringIO()
        with contextlib.redirect_stdout(out), us.load(tmp_path / "room.toml") as sim:
            if not capsys_free:
                sim.attach(Watcher())
            sim.run(7.0)
        return out.getvalue()

    assert told(True) == told(False) != ""


def test_an_order_and_a_move_in_between_act_at_their_tick():
    hashes = []
    for go in (lambda sim, ticks: sim.step(ticks), lambda sim, ticks: sim.run(ticks * 0.005)):
        with us.load_text(ROOM) as sim:
            for n in range(1, 12):
                sim.robot("pip").order(orders.SetSpeed(0.1 * (n % 4), math.sin(n)))
                go(sim, 13 * n)
                sim.change(Move("pip", Pose(0.05 * n, 0.1, heading_rad=0.3 * n)))
                go(sim, 3)
            hashes.append((sim.hash(), sim.tick))
    assert hashes[0] == hashes[1]


def test_a_run_ends_exactly_at_its_time():
    with us.load_text(ROOM) as sim:
        sim.robot("pip").order(orders.SetSpeed(0.1, 0.0))
        sim.run(12.345)
        assert sim.tick == 2469
