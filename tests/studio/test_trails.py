"""Trails that the simulation records."""

import base64

import numpy as np
import pytest
from scenes import robot, room

import understudy as us
from understudy.studio.trails import NEW_STROKE, TrailRecorder
from understudy.world.changes import Move, Reset
from understudy.world.shapes import Pose

NOTHING = (-1, 0)


@pytest.fixture
def run():
    with us.Sim(room(robot("a"))) as sim:
        trails = TrailRecorder()
        sim.attach(trails)
        yield sim, trails


def told(trails, known=NOTHING, dropped=None):
    news = trails.news(known, {} if dropped is None else dropped)
    owners = np.frombuffer(base64.b64decode(news["owners"]), "<u2")
    return news, owners, np.frombuffer(base64.b64decode(news["points"]), "<f4").reshape(-1, 3)


def test_a_trail_is_sampled_in_simulated_time(run):
    sim, trails = run
    sim.robot("a").drive(0.5)
    sim.run(2.0)
    _, owners, points = told(trails)
    assert len(owners) == len(points) > 20
    assert np.diff(points[:, 0]).max() < 0.05
    assert points[-1, 0] == pytest.approx(sim.robot("a").pose.x_m, abs=0.05)


def test_a_robot_that_stands_adds_nothing(run):
    sim, trails = run
    sim.run(1.0)
    assert len(told(trails)[1]) == 1


def test_a_browser_gets_only_what_is_new(run):
    sim, trails = run
    sim.robot("a").drive(0.5)
    sim.run(1.0)
    mark, before = trails.mark, len(told(trails)[1])
    sim.run(1.0)
    assert 0 < len(told(trails, mark)[1]) < len(told(trails)[1]) == before + len(told(trails, mark)[1])
    assert len(told(trails, trails.mark)[1]) == 0


def test_a_robot_that_is_put_elsewhere_begins_a_new_stroke(run):
    sim, trails = run
    sim.robot("a").drive(0.5)
    sim.run(0.5)
    sim.post(Move("a", Pose(2.5, 1.0)), "user")
    sim.run(0.5)
    _, owners, _ = told(trails)
    assert (owners & NEW_STROKE > 0).sum() == 2


def test_a_reset_clears_the_trails(run):
    sim, trails = run
    sim.robot("a").drive(0.5)
    sim.run(1.0)
    generation = trails.generation
    sim.post(Reset(), "user")
    sim.run(0.1)
    news, owners, _ = told(trails)
    assert news["generation"] > generation
    assert len(owners) <= 2


def test_old_points_are_dropped_and_browsers_are_told(run, monkeypatch):
    monkeypatch.setattr("understudy.studio.trails.MOST_POINTS", 10)
    sim, trails = run
    sim.robot("a").drive(0.5)
    sim.run(0.8)
    known, dropped = trails.mark, {}
    trails.news(NOTHING, dropped)
    sim.run(2.0)
    news, owners, _ = told(trails, known, dropped)
    assert len(told(trails)[1]) == 10
    assert news["dropped"]["a"] > 0
    assert len(owners) <= 10
