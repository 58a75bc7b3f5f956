"""Frames of a run: who is where, what devices measure, pose estimates."""

import math

import numpy as np
import pytest
from limbs import PAN, panning, ray
from scenes import PERFECT, box, model, pioneer_model, robot, room

from understudy.robots.base import Drive
from understudy.robots.pioneer.orders import SetOdometry
from understudy.sim.inbox import Order
from understudy.sim.sim import Sim
from understudy.studio.frames import FAR, BlockKind, Flag, pack, unpack
from understudy.studio.lookout import BeamRequest, Lookout
from understudy.world.changes import Add, Move, Remove, Reset, Switch
from understudy.world.robot import Ackermann
from understudy.world.shapes import Pose

ALL = BeamRequest(all_robots=True)


def frame(sim, lookout=None, request=ALL):
    lookout = lookout or Lookout()
    lookout.new_structure(sim.view())
    lookout.describe(sim.view())
    return unpack(pack(lookout.frame(sim.view(), request, Flag(0))))


def numbers(found, kind, width):
    (block,) = found.of(kind)
    return np.frombuffer(block.payload, "<f4").reshape(-1, width)


def ranges(found):
    return {
        block.aux: np.frombuffer(block.payload, "<u2")[-(-block.count // 2) * 2 :]
        for block in found.of(BlockKind.RANGES)
    }


def drive(sim, name="pioneer", ahead=0.3, turn=0.0):
    unit = "arcos" if name == "pioneer" else "controller"
    sim.inbox.post("user", Order(f"{name}/{unit}", Drive(ahead, turn)))


def with_pioneer(x=-1.0, y=0.5, heading=math.pi / 2):
    return room(robot("pioneer", x, y, heading, parts=pioneer_model()), width=20.0, depth=20.0)


# ---- wheels


def test_a_frame_tells_how_far_wheels_have_rolled():
    with Sim(room(robot("scout", -2.0), width=20.0)) as sim:
        drive(sim, "scout", 0.3, 0.5)
        sim.step(400)
        left, right, aside, sharpness = numbers(frame(sim), BlockKind.ROLLING, 4)[0].tolist()
        turned = sim.robot("scout").pose.heading_rad
    assert right - left == pytest.approx(turned * 0.3, rel=1e-3)
    assert (left + right) / 2 == pytest.approx(0.6, abs=0.05)
    assert (aside, sharpness) == (0.0, 0.0)


@pytest.mark.parametrize("turn", [0.2, -0.2])
def test_a_frame_tells_which_curve_a_car_steers(turn):
    car = model(drive=Ackermann(0.5, max_m_s=1.0), devices=())
    with Sim(room(robot("car", -2.0, parts=car), width=20.0, depth=20.0)) as sim:
        drive(sim, "car", 0.5, turn)
        sim.step(400)
        assert numbers(frame(sim), BlockKind.ROLLING, 4)[0, 3] == pytest.approx(turn / 0.5, rel=0.02)


# ---- poses


def test_a_frame_has_robots_first_and_then_what_else_moves():
    with Sim(room(robot("a", -1.0, 0.5, 0.7), objects=(box("crate", 1.0, mass_kg=2.0),))) as sim:
        rows = numbers(frame(sim), BlockKind.POSE3, 7)
    assert rows[0] == pytest.approx([-1.0, 0.5, 0, 0, 0, math.sin(0.35), math.cos(0.35)], abs=1e-6)
    assert rows[1, :2] == pytest.approx([1.0, 0.0])


def test_a_frame_tells_its_time_and_comes_after_the_one_before():
    with Sim(room()) as sim:
        sim.step(40)
        lookout = Lookout()
        first, second = frame(sim, lookout), frame(sim, lookout)
    assert first.time_s == pytest.approx(0.2)
    assert second.sequence == first.sequence + 1


def test_contacts_are_reported_where_they_are():
    with Sim(room(robot("a", -2.79))) as sim:
        sim.robot("a").drive(-0.5)
        sim.step(100)
        (point, *_) = numbers(frame(sim), BlockKind.CONTACTS, 4)
    assert point[:2] == pytest.approx([-3.0, 0.0], abs=0.05)


# ---- ranges


def test_ranges_are_the_readings_in_millimetres():
    with Sim(room(robot(parts=model(PERFECT)), width=6.0)) as sim:
        sim.step(40)
        sharp = [values for values in ranges(frame(sim)).values() if len(values) == 31]
        measured = sim.robot("scout").read("front")
    assert sharp[0].tolist() == [FAR if value >= 8.0 else round(value * 1000) for value in measured.tolist()]


def test_a_device_that_is_off_tells_nothing():
    with Sim(room()) as sim:
        sim.step(40)
        sim.change(Switch("scout/front", False))
        sim.step(40)
        assert all(len(values) != 31 for values in ranges(frame(sim)).values())


def test_only_the_requested_robots_are_sent():
    with Sim(room(robot("a", -1.0), robot("b", 1.0))) as sim:
        sim.step(40)
        found = frame(sim, request=BeamRequest(robots=frozenset({"b"})))
    rows = [np.frombuffer(block.payload, "<u2", block.count).tolist() for block in found.of(BlockKind.RANGES)]
    assert rows
    assert all(row == [1] for row in rows)


def test_without_a_wish_no_device_is_asked():
    with Sim(room()) as sim:
        sim.step(40)
        assert ranges(frame(sim, request=BeamRequest())) == {}


# ---- when a new description is due


def test_time_alone_needs_no_new_description():
    with Sim(room()) as sim:
        lookout = Lookout()
        assert lookout.new_structure(sim.view())
        sim.step(10)
        assert not lookout.new_structure(sim.view())


@pytest.mark.parametrize("change", [Add(box("new", 0.0, 1.5)), Remove("box"), Move("box", Pose(0.0, 1.0)), Reset()])
def test_another_structure_needs_one(change):
    with Sim(room(objects=(box(),))) as sim:
        lookout = Lookout()
        lookout.new_structure(sim.view())
        sim.change(change)
        assert lookout.new_structure(sim.view())


def test_a_robot_that_is_carried_needs_none():
    with Sim(room()) as sim:
        lookout = Lookout()
        lookout.new_structure(sim.view())
        sim.change(Move("scout", Pose(1.0, 1.0)))
        assert not lookout.new_structure(sim.view())


# ---- pose estimates


def believed(sim, lookout):
    return numbers(unpack(pack(lookout.frame(sim.view(), BeamRequest(), Flag(0)))), BlockKind.POSE2, 3)[0]


def watching(sim):
    lookout = Lookout()
    lookout.new_structure(sim.view())
    lookout.describe(sim.view())
    return lookout


def test_the_first_pose_estimate_is_the_start_pose():
    with Sim(with_pioneer()) as sim:
        assert believed(sim, watching(sim)) == pytest.approx([-1.0, 0.5, math.pi / 2], abs=1e-6)


def test_a_pose_estimate_goes_along_while_the_robot_drives():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        drive(sim)
        sim.step(1000)
        assert believed(sim, lookout)[:2] == pytest.approx(sim.current.engine.poses()[0, :2], abs=0.02)


def test_a_pose_estimate_is_right_for_a_viewer_that_comes_later():
    with Sim(with_pioneer()) as sim:
        drive(sim)
        sim.step(1000)
        assert believed(sim, watching(sim))[:2] == pytest.approx(sim.current.engine.poses()[0, :2], abs=0.02)


def test_a_pose_estimate_stays_where_it_was_when_the_robot_is_carried():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        drive(sim)
        sim.step(400)
        before = believed(sim, lookout)
        sim.change(Move("pioneer", Pose(3.0, 3.0)))
        assert believed(sim, lookout) == pytest.approx(before)


def test_a_pose_estimate_stays_also_of_a_robot_that_has_not_driven_yet():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        sim.step(10)
        before = believed(sim, lookout)
        sim.change(Move("pioneer", Pose(3.0, 3.0)))
        assert believed(sim, lookout) == pytest.approx(before)


def test_a_pose_estimate_outlasts_a_new_description():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        drive(sim)
        sim.step(400)
        before = believed(sim, lookout)
        sim.change(Add(box("new", 5.0, 5.0)))
        assert lookout.new_structure(sim.view())
        lookout.describe(sim.view())
        assert believed(sim, lookout) == pytest.approx(before)


def test_the_pose_estimate_of_an_odometer_set_to_zero_is_the_true_pose():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        drive(sim)
        sim.step(400)
        believed(sim, lookout)
        sim.change(Move("pioneer", Pose(3.0, 3.0, heading_rad=1.0)))
        drive(sim, ahead=0.0)
        sim.step(400)
        sim.inbox.post("user", Order("pioneer/arcos", SetOdometry()))
        sim.step(1)
        assert believed(sim, lookout)[:2] == pytest.approx(sim.current.engine.poses()[0, :2], abs=1e-3)


def test_a_reset_begins_again_at_the_start():
    with Sim(with_pioneer()) as sim:
        lookout = watching(sim)
        drive(sim)
        sim.step(400)
        believed(sim, lookout)
        sim.reset()
        lookout.new_structure(sim.view())
        lookout.describe(sim.view())
        assert believed(sim, lookout) == pytest.approx([-1.0, 0.5, math.pi / 2], abs=1e-6)


def test_a_robot_without_odometry_has_no_pose_estimate():
    with Sim(room(robot("plain"))) as sim:
        lookout = Lookout()
        lookout.new_structure(sim.view())
        assert lookout.describe(sim.view())["odometry"] == []


def test_frames_tell_where_joints_are_after_all_that_moves():
    sim = Sim(room(robot(parts=panning(ray(), joints=(PAN,))), robot("other", x=-1.0), objects=[box(mass_kg=1.0)]))
    sim.robot("scout").servo("pan").to(1.0)
    sim.run(1.0)
    (poses,) = Lookout().frame(sim.view(), BeamRequest(), Flag(0)).of(BlockKind.POSE3)
    rows = np.frombuffer(poses.payload, "<f4").reshape(-1, 7)
    assert len(rows) == 4
    assert rows[3] == pytest.approx([0.1, 0.0, 0.2, 0.0, 0.0, math.sin(0.5), math.cos(0.5)], abs=1e-6)
