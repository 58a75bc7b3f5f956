"""What a scene does by itself while it runs: on both engines, from files, tapes and saved runs."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from scenes import PERFECT, box, model, robot, room

import understudy as us
from understudy.cli import main
from understudy.sim.sim import Sim
from understudy.tape import LEVELS, TapeWriter, replay
from understudy.tape.playback import TapePlayer
from understudy.world.changes import Add, LoadMap, Move, Pause, Quit, Remove, Reset, Speed, Switch
from understudy.world.drive_stages import Weak
from understudy.world.faults import Fault, Offset
from understudy.world.scene import Scene, SceneEvent
from understudy.world.shapes import Pose

ENGINES = ("planar", "rigid")


def happening(*events, engine="planar", **extra):
    """Return a room with a scout and a crate in which something happens at times in seconds."""
    made = tuple(SceneEvent(round(at_s * 1e6), change) for at_s, change in events)
    scout = robot("scout", -1.0, parts=model(PERFECT))
    return replace(room(scout, objects=(box("crate", 1.0, 1.5),), **extra), events=made, engine=engine)


def crate(sim):
    return next((solid.pose.x_m for solid in sim.scene.objects if solid.name == "crate"), None)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_event_acts_at_the_first_tick_at_or_after_its_time(engine):
    with Sim(happening((0.012, Move("crate", Pose(2.0, 1.5))), engine=engine)) as sim:
        seen = []
        for _ in range(4):
            sim.step()
            seen.append(crate(sim))
    assert seen == [1.0, 1.0, 2.0, 2.0]


def test_events_of_one_time_act_in_the_order_of_the_file_and_before_what_comes_from_outside():
    events = [(0.01, Move("crate", Pose(x, 1.5))) for x in (2.0, 1.5)]
    with Sim(happening(*events)) as sim:
        sim.step()
        sim.post(Move("crate", Pose(0.5, 1.5)))
        sim.step()
        assert crate(sim) == 0.5
        sim.reset()
        sim.step(2)
        assert crate(sim) == 1.5


@pytest.mark.parametrize("engine", ENGINES)
def test_things_come_and_go_by_events(engine):
    parts = model(PERFECT)
    events = (
        (0.01, Add(robot("late", 1.0, parts=parts))),
        (0.02, Remove("crate")),
        (0.03, LoadMap(Scene(objects=(box("other", -2.0, 1.5),)), "other.map")),
    )
    with Sim(happening(*events, engine=engine)) as sim:
        names = []
        for _ in range(6):
            sim.step()
            names.append({thing.name for thing in sim.scene.things()} - {"edge", "scout"})
    assert names == [{"crate"}, {"crate", "late"}, {"crate", "late"}, {"late"}, {"late"}, {"late", "other"}]


def test_an_event_may_hold_the_clock_change_its_speed_and_end_the_run():
    with Sim(happening((0.1, Speed(4.0)), (0.2, Pause()), (0.3, Quit(3)))) as sim:
        sim.step(20)
        assert (sim.clock.speed, sim.paused) == (4.0, False)
        sim.step(20)
        assert sim.paused
        sim.resume()
        sim.run(None)
        assert (sim.exit_code, sim.time_s) == (3, pytest.approx(0.3))


def test_a_reset_lets_events_act_again():
    with Sim(happening((0.1, Move("crate", Pose(2.0, 1.5))))) as sim:
        sim.run(0.2)
        sim.reset()
        assert crate(sim) == 1.0
        sim.run(0.2)
        assert crate(sim) == 2.0


def test_a_run_that_resets_itself_begins_again_and_again():
    with Sim(happening((0.1, Reset()))) as sim:
        sim.run(0.25)
        assert sim.time_s == pytest.approx(0.05)


def test_an_event_that_cannot_act_is_logged_with_its_time_and_the_run_goes_on(caplog):
    with Sim(happening((0.1, Remove("crate")), (1.5, Remove("crate")))) as sim, caplog.at_level(logging.WARNING):
        sim.run(2.0)
    assert "event:1.5s: there is no 'crate'" in caplog.text


def test_a_device_may_be_switched_off_for_a_while():
    with Sim(happening((0.1, Switch("scout/front", False)), (0.5, Switch("scout/front", True)))) as sim:
        scout = sim.robot("scout")
        nearest = []
        for _ in range(3):
            sim.run(0.3)
            nearest.append(min(scout.read("front")))
    assert nearest[0] == 8.0
    assert nearest[2] < 8.0


# ---- tapes and saved runs

PROGRAMMED = """
schema = 1
[[robot]]
name = "scout"
model = "scout"
program = "go.py"
[[event]]
at_s = 0.4
add = {what = "ball", name = "ball", x_m = 0.4}
[[event]]
at_s = 1.2
fault = "scout"
effect = "weak"
share = 0.1
"""

BUSY = (
    (0.3, Fault("scout/front", Offset(0.5))),
    (0.6, Add(robot("late", 1.0, parts=model()))),
    (0.9, Fault("scout", Weak(0.2))),
    (1.2, Remove("crate")),
    (1.5, Fault("scout/front", active=False)),
)


def driven(sim):
    sim.robot("scout").drive(0.4, 0.1)
    return sim


@pytest.mark.parametrize("engine", ENGINES)
def test_a_restored_run_goes_on_through_the_events_that_are_left(engine):
    with driven(Sim(happening(*BUSY, engine=engine), seed=3)) as sim:
        sim.run(1.0)
        saved = sim.save()
        sim.run(1.0)
        expected = sim.hash()
        with us.restore(saved) as other:
            assert other.current.faults == {"scout/front": BUSY[0][1], "scout": BUSY[2][1]}
            other.run(1.0)
            assert other.hash() == expected
            assert other.robot("scout").read("front").tolist() == sim.robot("scout").read("front").tolist()


def test_a_run_with_a_program_and_events_is_repeated_when_it_is_restored(tmp_path):
    (tmp_path / "go.py").write_text(
        "def main(robot):\n    while True:\n        robot.drive(0.3, 0.2)\n        robot.wait(0.1)\n"
    )
    (tmp_path / "room.toml").write_text(PROGRAMMED)
    with us.load(tmp_path / "room.toml", seed=2) as sim:
        sim.run(1.0)
        saved = sim.save()
        sim.run(0.5)
        with us.restore(saved, trust=True) as other:
            other.run(0.5)
            assert other.hash() == sim.hash()


@pytest.mark.parametrize("level", LEVELS)
def test_a_tape_replays_what_the_scene_did_by_itself(tmp_path, level):
    with driven(Sim(happening(*BUSY, (1.8, Reset())), seed=3)) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape", level))
        sim.run(2.5)
        final = sim.hash()
    found = replay(tmp_path / "a.tape")
    assert (found.hash, found.mismatch, found.complete) == (final, None, True)


@pytest.mark.parametrize("level", LEVELS)
def test_a_tape_of_a_run_that_resets_itself_can_be_wound_to_any_lap(tmp_path, level):
    with driven(Sim(happening((0.5, Reset())), seed=3)) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape", level))
        sim.run(1.2)
    deck = TapeLaps(tmp_path / "a.tape")
    assert deck.ticks_at(50, 150, 220, 120) == [50, 50, 20, 20]


class TapeLaps(TapePlayer):
    def __init__(self, path):
        from understudy.tape import Tape

        super().__init__(Tape(path))

    def ticks_at(self, *positions):
        found = []
        for position in positions:
            self.seek(position)
            found.append(self.run.tick)
        return found


def test_events_do_not_change_the_noise_of_others():
    with Sim(happening(), seed=3) as calm, Sim(happening((0.1, Add(robot("late", 1.0)))), seed=3) as busy:
        calm.run(0.5)
        busy.run(0.5)
        assert calm.robot("scout").pose == busy.robot("scout").pose
        assert calm.robot("scout").read("gps").tolist() == busy.robot("scout").read("gps").tolist()


# ---- from a file

FILE = """
schema = 1
engine = "rigid"
[[robot]]
name = "scout"
model = "scout"
[[event]]
at_s = 0.5
add = {what = "object", name = "crate", kind = "mesh", file = "crate.obj", x_m = 3, picture = ""}
[[event]]
at_s = 1
quit = 4
"""
CRATE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_the_files_of_a_thing_that_comes_later_travel_with_the_run(tmp_path):
    (tmp_path / "crate.obj").write_text(CRATE)
    (tmp_path / "room.toml").write_text(FILE)
    with us.load(tmp_path / "room.toml") as sim:
        assert set(sim.files) == {"crate.obj"}
        sim.run(0.6)
        assert [solid.name for solid in sim.scene.objects] == ["crate"]


def test_a_file_that_only_an_event_names_must_be_there(tmp_path):
    (tmp_path / "room.toml").write_text(FILE)
    (problem,) = us.check(tmp_path / "room.toml")
    assert str(problem).endswith("room.toml:9: event[0].add.file: no such file 'crate.obj' beside room.toml")


def test_understudy_run_ends_when_an_event_says_so(tmp_path):
    (tmp_path / "crate.obj").write_text(CRATE)
    (tmp_path / "room.toml").write_text(FILE)
    assert main(["run", str(tmp_path / "room.toml"), "--view", "none", "--speed", "max"]) == 4
