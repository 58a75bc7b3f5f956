"""What every engine must do, whoever wrote it."""

import math
from dataclasses import replace

import numpy as np
from scenes import box, robot, room

from understudy.engines.rays.table import RayTable, no_hits
from understudy.world import changes
from understudy.world.materials import Surface
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Pose

AHEAD = RayTable(np.array([[0.0, 0.0, 0.2]]), np.array([[1.0, 0.0, 0.0]]), 10.0, 1)


def check_engine(make):
    """Check an engine class, made from a flat scene, against the engine contract."""
    for check in (
        _shapes, _drives_straight, _state_continues_to_the_bit, _restores_into_a_new_engine, _order_is_free,
        _move_rests, _become_keeps_motion, _replacing_elsewhere_rests, _apply_agrees,
        _casts, _knows_what_it_hits, _casts_from_anywhere,
        _sees_between, _stops_at_a_wall, _tells_what_else_moves, _keeps_its_structure_while_things_only_move,
        _preparing_changes_nothing,
    ):  # fmt: skip
        check(make)


def _targets(engine, *rows):
    return np.array(rows, np.float64).reshape(len(engine.poses()), 3)


def _run(engine, targets, ticks):
    for _ in range(ticks):
        engine.step(targets)


def _shapes(make):
    engine = make(room(robot("a", -1.0), robot("b", 1.0)))
    assert engine.poses().shape == engine.twists().shape == (2, 6)
    assert engine.travel().shape == (2, 3)
    assert engine.stalled().shape == (2,)
    assert engine.contacts().shape[1] == 7


def _drives_straight(make):
    engine = make(room(robot("a", -2.0)))
    _run(engine, _targets(engine, (0.5, 0.0, 0.0)), 400)
    assert -2.0 + 0.9 < engine.poses()[0, 0] < -2.0 + 1.0 + 1e-9
    assert math.isclose(engine.travel()[0, 0], engine.poses()[0, 0] + 2.0, rel_tol=1e-3)


def _state_continues_to_the_bit(make):
    engine = make(room(robot("a", -2.0), robot("b", 1.0)))
    targets = _targets(engine, (0.4, 0.0, 0.7), (0.3, 0.0, -0.5))
    _run(engine, targets, 100)
    saved = engine.state()
    _run(engine, targets, 100)
    after = engine.poses().copy()
    engine.restore(saved)
    _run(engine, targets, 100)
    assert engine.poses().tobytes() == after.tobytes()


def _restores_into_a_new_engine(make):
    scene = room(robot("a", -2.0))
    engine, other = make(scene), make(scene)
    targets = _targets(engine, (0.4, 0.0, 0.7))
    _run(engine, targets, 100)
    other.restore(engine.state())
    for each in (engine, other):
        _run(each, targets, 100)
    assert engine.poses().tobytes() == other.poses().tobytes()


def _order_is_free(make):
    one = make(room(robot("a", -0.6), robot("b", 0.6, heading=math.pi)))
    two = make(room(robot("b", 0.6, heading=math.pi), robot("a", -0.6)))
    for each in (one, two):
        _run(each, _targets(each, (0.5, 0.0, 0.1), (0.5, 0.0, 0.1)), 600)
    assert one.poses().tobytes() == two.poses()[::-1].tobytes()


def _move_rests(make):
    engine = make(room(robot("a", -2.0)))
    _run(engine, _targets(engine, (0.5, 0.0, 0.0)), 100)
    travel = engine.travel().copy()
    engine.move("a", Pose(1.0, 0.5, heading_rad=1.0))
    assert engine.poses()[0].tolist() == [1.0, 0.5, 0.0, 0.0, 0.0, 1.0]
    assert not engine.twists().any()
    assert engine.travel().tobytes() == travel.tobytes()


def _become_keeps_motion(make):
    scene = room(robot("a", -2.0), robot("b", 1.0))
    engine, plain = make(scene), make(room(robot("a", -2.0)))
    targets = _targets(engine, (0.4, 0.0, 0.1), (0.0, 0.0, 0.0))
    _run(engine, targets, 50)
    engine.rebuild(changes.apply(engine.scene(), changes.Remove("b")))
    _run(engine, targets[:1], 50)
    _run(plain, targets[:1], 100)
    assert engine.poses().tobytes() == plain.poses().tobytes()


def _replacing_elsewhere_rests(make):
    """A robot that is replaced by one at another place stands there at rest, and has counted its path on."""
    engine = make(room(robot("a", -2.0)))
    _run(engine, _targets(engine, (0.4, 0.0, 0.0)), 100)
    travel = engine.travel().copy()
    engine.rebuild(changes.apply(engine.scene(), changes.Replace("a", robot("a", 1.0, 0.5))))
    assert engine.poses()[0, :2].tolist() == [1.0, 0.5]
    assert not engine.twists().any()
    assert engine.travel().tolist() == travel.tolist()


def _apply_agrees(make):
    engine = make(room(robot("a", -2.0)))
    for change in (
        changes.Add(box("crate", 2.0)),
        changes.Move("crate", Pose(1.0, 1.0)),
        changes.Add(robot("late", 0.5)),
        changes.Move("a", Pose(-1.0, 0.5, heading_rad=0.25)),
        changes.Replace("a", robot("a", 0.5, 1.0)),
        changes.Remove("crate"),
    ):
        wanted = changes.apply(engine.scene(), change)
        engine.move(change.name, change.pose) if isinstance(change, changes.Move) else engine.rebuild(wanted)
        assert engine.scene() == wanted


def _casts(make):
    engine = make(room(robot("a", -2.0), objects=(box("crate", 1.0, size=(0.4, 0.4, 0.5)),)))
    out = np.empty((1, 1))
    engine.cast(AHEAD, np.array([0]), out)
    assert math.isclose(out[0, 0], 2.8, abs_tol=1e-9)
    engine.cast(replace(AHEAD, layer=2, limit_m=1.0), np.array([0]), out)
    assert out[0, 0] == 1.0


def _knows_what_it_hits(make):
    """The distances of `cast`, and how the surfaces are that were met."""
    crate = box("crate", 1.0, size=(0.4, 0.4, 0.5), surface=Surface(reflectance=0.3))
    engine = make(room(robot("a", -2.0), robot("b", -2.0, 1.0), objects=(crate,), width=9.0))
    angles = np.radians([0.0, 4.0, 60.0, 90.0, 180.0])
    ways = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(5)])
    table = RayTable(np.tile([0.0, 0.0, 0.2], (5, 1)), ways, 3.0, 1)
    rows, out, plain, hits = np.array([0]), np.empty((1, 5)), np.empty((1, 5)), no_hits(1, 5)
    engine.cast(table, rows, plain)
    engine.cast_hits(table, rows, out, hits)
    assert np.allclose(out, plain, atol=1e-9)
    assert hits.reflectance[0].tolist() == [0.3, 0.3, 1.0, 1.0, 1.0]
    assert np.allclose(hits.cosine[0], [1.0, math.cos(math.radians(4)), math.sin(math.pi / 3), 1.0, 1.0])
    assert hits.robot[0].tolist() == [-1, -1, -1, 1, -1]
    engine.cast_hits(replace(table, limit_m=0.5), rows, out, hits)
    assert out.max() == 0.5
    assert not hits.reflectance.any()
    assert not hits.cosine.any()


def _casts_from_anywhere(make):
    engine = make(room(robot("a", -1.0), robot("b", 1.0)))
    origins = np.array([[0.0, 0.0, 0.1], [-1.0, 0.0, 0.1], [-1.0, 0.0, 0.1], [0.0, 0.0, 0.1]])
    ways = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.6, 0.8, 0.0]])
    out, hits = np.empty(4), no_hits(4)
    normals = engine.cast_world(origins, ways, 5.0, 1, np.array([-1, 0, -1, -1]), out, hits)
    assert np.allclose(out, [2.0, 1.8, 0.0, 2.5])
    assert hits.robot.tolist() == [-1, 1, 0, -1]
    assert np.allclose(normals[[0, 1, 3]], [[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


def _sees_between(make):
    engine = make(room(robot("a", -2.0), robot("b", 2.0), objects=(box("crate", 0.0, size=(0.4, 0.4, 0.5)),)))
    low, high = (-2.0, 0.0, 0.1), (-2.0, 0.0, 1.0)
    origins, ends = (
        np.array([low, high, low, low, low]),
        np.array([[2.0, 0.0, 0.1], [2.0, 0.0, 1.0], *3 * [[-1.0, 1.0, 0.1]]]),
    )
    passed = np.array([[0, 1], [-1, -1], [0, -1], [1, -1], [-1, 0]])
    assert engine.clear(origins, ends, passed, 1).tolist() == [False, True, True, False, True]
    assert engine.clear(origins, ends, passed, 32).tolist() == [True] * 5, (
        "nothing is seen in a layer that does not exist"
    )


def _stops_at_a_wall(make):
    engine = make(room(robot("a", 2.0)))
    _run(engine, _targets(engine, (1.0, 0.0, 0.0)), 800)
    assert engine.poses()[0, 0] <= 3.0 - 0.2 + 1e-9
    assert engine.stalled()[0]
    assert len(engine.contacts()) == 1
    _run(engine, _targets(engine, (0.0, 0.0, 0.0)), 3)
    assert len(engine.contacts()) == 1, "who stands still against something touches it"
    again = make(engine.scene())
    again.restore(engine.state())
    assert np.array_equal(again.contacts(), engine.contacts())
    _run(engine, _targets(engine, (-0.5, 0.0, 0.0)), 200)
    assert engine.poses()[0, 0] < 2.6
    assert not engine.stalled()[0]
    assert not len(engine.contacts())


def _with_crate():
    scene = room(robot("a", -2.0))
    crate = Solid(name="crate", shape=Box((0.4, 0.4, 0.3)), pose=Pose(1.0, 0.5), mass_kg=2.0)
    return replace(scene, objects=(*scene.objects, crate))


def _tells_what_else_moves(make):
    engine = make(_with_crate())
    names, poses = engine.movables()
    assert "crate" in names
    assert np.allclose(poses[names.index("crate")], [1.0, 0.5, 0.0, 0.0, 0.0, 0.0], atol=1e-3)
    engine.move("crate", Pose(1.5, -0.5, heading_rad=0.3))
    names, poses = engine.movables()
    assert np.allclose(poses[names.index("crate")][[0, 1, 5]], [1.5, -0.5, 0.3], atol=1e-3)


def _keeps_its_structure_while_things_only_move(make):
    engine = make(_with_crate())
    before = engine.structure()
    _run(engine, _targets(engine, (0.3, 0.0, 0.0)), 5)
    engine.move("a", Pose(-1.0, 0.0))
    engine.move("crate", Pose(1.2, 0.0))
    assert all(a is b for a, b in zip(engine.structure(), before))
    engine.rebuild(room(robot("a", -2.0), robot("b", 1.0)))
    assert not all(a is b for a, b in zip(engine.structure(), before))


def _preparing_changes_nothing(make):
    engine = make(_with_crate())
    before = {key: np.copy(value) for key, value in engine.state().items()}
    engine.prepare()
    assert all(np.array_equal(value, before[key]) for key, value in engine.state().items())
