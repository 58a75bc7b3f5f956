"""A studio that watches changes nothing of a run: same hashes, same tape."""

import logging
from dataclasses import replace

import pytest
from scenes import robot
from studio_fakes import House, two_robots

from understudy.sim.collisions import Collisions
from understudy.sim.sim import Sim
from understudy.studio.frames import unpack
from understudy.studio.journal import Journal
from understudy.tape import Tape, TapeWriter, replay
from understudy.world.changes import Add, Fault, Move, Remove, Reset
from understudy.world.scene import SceneEvent
from understudy.world.shapes import Pose


def course(sim, turn=None):
    """Drive, pause, carry and reset; call *turn* again and again."""
    for ticks in (100, 100, 50):
        sim.robot("scout").drive(0.3, 0.4)
        sim.step(ticks)
        if turn is not None:
            turn()
    sim.pause()
    sim.change(Move("pioneer", Pose(0.5, 1.0)))
    if turn is not None:
        turn()
    sim.resume()
    sim.step(150)
    sim.reset()
    if turn is not None:
        turn()
    sim.robot("scout").drive(0.1)
    sim.step(50)


@pytest.fixture
def watched():
    """A run that three browsers watch, with all beams, journal and collisions."""
    with House() as house:
        house.sim.attach(Journal())
        house.sim.attach(Collisions())
        for _ in range(3):
            house.hear(house.browser(), "beams", which="all")
        house.sim.reset()
        yield house


def show(house):
    house.runner._frame_due_s = 0.0
    house.sim.requests.serve(house.sim)
    house.runner._show()


def test_the_hash_is_the_same_with_and_without_browsers(watched):
    course(watched.sim, lambda: show(watched))
    assert sum(len(viewer.frames) for viewer in watched.stream.viewers) >= 9
    with Sim(two_robots(), seed=6) as alone:
        course(alone)
        assert watched.sim.hash() == alone.hash()


def described(path):
    return [(entry.tick, entry.sub, repr(entry.items), entry.hash) for entry in Tape(path).entries()]


def test_the_tape_is_the_same_with_and_without_browsers(watched, tmp_path):
    with Sim(two_robots(), seed=6) as alone:
        alone.attach(TapeWriter(tmp_path / "alone.tape"))
        course(alone)
    watched.sim.attach(TapeWriter(tmp_path / "watched.tape"))
    course(watched.sim, lambda: show(watched))
    watched.sim.close()
    one, other = (described(tmp_path / f"{name}.tape") for name in ("alone", "watched"))
    assert len(one) > 10
    assert one == other
    assert replay(tmp_path / "watched.tape").hash == replay(tmp_path / "alone.tape").hash


def test_what_people_do_is_on_the_tape(tmp_path):
    with House() as house:
        me = house.browser()
        house.sim.attach(TapeWriter(tmp_path / "a.tape"))
        house.run(50)
        house.hear(me, "pause")
        house.hear(me, "grab", name="scout")
        house.hear(me, "drag", name="scout", x=0.5, y=1.0)
        house.hear(me, "drop", name="scout")
        house.hear(me, "add", what="cone", x=-2.0, y=-1.0)
        house.hear(me, "undo")
        house.hear(me, "step", ticks=20)
        house.runner.turn()
        final = house.sim.hash()
    found = replay(tmp_path / "a.tape")
    assert (found.hash, found.mismatch) == (final, None)


def test_nobody_watches_so_nothing_is_made(monkeypatch):
    with House() as house:
        monkeypatch.setattr(house.runner._lookout, "frame", lambda *_: pytest.fail("a frame for nobody"))
        monkeypatch.setattr(house.runner._lookout, "describe", lambda *_: pytest.fail("a description for nobody"))
        house.runner.turn()


def test_a_browser_without_room_gets_no_frame_made(monkeypatch):
    with House() as house:
        house.browser().credits = 0
        monkeypatch.setattr(house.runner._lookout, "frame", lambda *_: pytest.fail("a frame that nobody can take"))
        show(house)


def test_a_description_comes_before_the_frames_of_its_epoch():
    with House() as house:
        me = house.browser()
        show(house)
        assert me.of("scene")[-1]["epoch"] == unpack(me.frames[-1]).epoch
        house.hear(me, "add", what="cone", x=-2.0, y=1.0)
        show(house)
        assert me.of("scene")[-1]["epoch"] == unpack(me.frames[-1]).epoch == 2


def test_while_nothing_changes_frames_are_rare():
    with House() as house:
        me = house.browser()
        house.sim.pause()
        for _ in range(20):
            show(house)
        assert len(me.frames) == 1


def test_a_paused_frame_says_so():
    with House() as house:
        me = house.browser()
        house.sim.pause()
        show(house)
        assert unpack(me.frames[-1]).flags & 1


def test_the_status_tells_how_things_stand():
    with House(speed=2.0) as house:
        me, _ = house.browser(), house.browser()
        house.run(40)
        show(house)
        status = me.of("status")[-1]
    assert (status["t"], status["paused"], status["speed"], status["seed"]) == (0.2, False, 2.0, 6)
    assert (len(status["viewers"]), status["robots"], status["armed"]) == (2, 2, False)


def test_a_bug_of_ours_does_not_end_the_run(caplog):
    with House() as house:
        house.runner.ask(lambda sim: 1 / 0)
        with caplog.at_level(logging.ERROR):
            house.runner.turn()
        assert "internal error in a studio request" in caplog.text
        assert house.sim.exit_code is None


def test_the_stage_ends_with_its_seconds():
    with House() as house:
        house.runner.run(0.1)
        assert house.sim.time_s == pytest.approx(0.1)


def test_quit_ends_the_stage():
    with House() as house:
        house.commands.quit()
        house.runner.run()
        assert house.sim.exit_code == 0


def test_what_a_scene_does_by_itself_is_the_same_with_and_without_browsers():
    changes = (
        Move("box", Pose(2.0, 1.5)), Add(robot("late", 0.0, 1.0)), Remove("crate"), Fault("scout", "dead"), Reset(),
    )  # fmt: skip
    events = tuple(SceneEvent(100_000 * number, change) for number, change in enumerate(changes, 1))
    scene = replace(two_robots(), events=events)
    with House(scene) as house, Sim(scene, seed=6) as alone:
        browser = house.browser()
        for sim in (house.sim, alone):
            sim.robot("scout").drive(0.3, 0.4)
        for _ in range(8):
            house.run(20)
            show(house)
            alone.step(20)
            assert house.sim.hash() == alone.hash()
        assert house.names() == [thing.name for thing in alone.scene.things()]
        assert browser.frames
