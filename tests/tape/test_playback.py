"""A tape as something to look at: wound to and fro, never changed."""

from __future__ import annotations

import pytest

import understudy as us
from understudy.errors import ChangeRefused
from understudy.tape import Tape, TapeWriter
from understudy.tape.playback import TapePlayer, TapeSim
from understudy.world.changes import Move, Pause
from understudy.world.shapes import Pose

ROOM = """
schema = 1
tick_ms = 20
ground = {size_m = [8, 6], walled = true}
[[robot]]
model = "scout"
name = "scout"
"""


@pytest.fixture
def recorded(tmp_path):
    """Return a tape with a drag before time began, a reset on the way, and the pose at every position."""
    path, places = tmp_path / "run.tape", []
    with us.load_text(ROOM) as sim:
        sim.attach(TapeWriter(path))
        sim.robot("scout").move_to(-1.0, 0.5)
        places.append(sim.robot("scout").pose)
        for lap in range(2):
            sim.robot("scout").drive(0.3, 0.2 + lap)
            for _ in range(700 if lap == 0 else 100):
                sim.step()
                places.append(sim.robot("scout").pose)
            if lap == 0:
                sim.reset()
                places[-1] = sim.robot("scout").pose
    return path, places


def pose_at(deck):
    x, y, *_, heading = deck.run.engine.poses()[0].tolist()
    return x, y, heading


def as_row(pose):
    return pose.x_m, pose.y_m, pose.heading_rad


def test_every_position_shows_what_was_recorded_there(recorded):
    path, places = recorded
    deck = TapePlayer(Tape(path))
    assert (deck.first, deck.length) == (0, 800)
    for position in range(1, 801):
        deck.seek(position)
        assert pose_at(deck) == as_row(places[position])


@pytest.mark.parametrize("position", [799, 701, 699, 650, 499, 10, 1])
def test_a_tape_can_be_wound_back(recorded, position):
    path, places = recorded
    deck = TapePlayer(Tape(path))
    deck.seek(800)
    deck.seek(position)
    assert deck.position == position
    assert pose_at(deck) == as_row(places[position])
    deck.seek(800)
    assert pose_at(deck) == as_row(places[800])


def test_beyond_the_ends_there_is_nothing(recorded):
    deck = TapePlayer(Tape(recorded[0]))
    deck.seek(10_000)
    assert deck.position == 800
    deck.seek(-5)
    assert deck.position == 0


def test_a_tape_on_stage_runs_stops_and_ends_held(recorded):
    with TapeSim(recorded[0], speed=None) as sim:
        sim.step(300)
        assert sim.tick == 300
        sim.seek(790)
        sim.step(20)
        assert (sim.tick, sim.paused) == (800, True)


def test_a_tape_on_stage_cannot_be_changed(recorded):
    with TapeSim(recorded[0]) as sim:
        before = sim.hash()
        with pytest.raises(ChangeRefused, match="read-only"):
            sim.change(Move("scout", Pose(1.0, 1.0)), "user")
        sim.change(Pause(True), "user")
        assert sim.paused
        assert sim.hash() == before
