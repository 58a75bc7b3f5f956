from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from limbs import PAN, TILT, UP, arm, bar, base, bend, panning, ray
from scenes import box, robot, room

from understudy import Sim
from understudy.errors import EngineError
from understudy.sensors import SENSORS
from understudy.sensors.imperfection import PlainNoise
from understudy.world import changes
from understudy.world.joints import Joint, Prismatic, Revolute
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Box, Mount, Pose
from understudy.world.vehicle import BodyPart, Dynamics

pytest.importorskip("mujoco")


def simulate(parts, objects=(), **given):
    return Sim(room(robot(parts=parts), objects=objects, engine="rigid", **given))


def positions(sim):
    return sim.current.engine.joints().position


def test_servos_hold_what_they_carry_and_go_to_their_targets():
    sim = simulate(arm())
    scout = sim.robot("scout")
    bend(scout, 60, 80)
    sim.run(seconds=2.0)
    assert positions(sim)[1:3] == pytest.approx(np.radians([60, 80]), abs=0.003)
    assert scout.servo("shoulder").effort == pytest.approx(-1.47, abs=0.15)


def test_a_servo_is_no_faster_than_it_can():
    sim = simulate(panning(joints=(PAN,)))
    servo = sim.robot("scout").servo("pan")
    servo.to(1.9)
    fastest = 0.0
    for _ in range(100):
        sim.step()
        fastest = max(fastest, servo.speed)
    assert fastest == pytest.approx(2.0, rel=0.03)


def test_a_servo_that_is_too_weak_gives_way():
    weak = Joint(name="lift", motion=Revolute(-1.5, 1.5, motor_n_m=0.5), axis=UP, mount=Mount(z_m=0.4))
    sim = simulate(base(joints=(weak,), parts=(bar("boom", "lift", (0.3, 0.02, 0.02), 1.0, x_m=0.2),)))
    servo = sim.robot("scout").servo("lift")
    servo.to(-1.0)
    sim.run(seconds=1.0)
    assert servo.position > 0.1
    assert abs(servo.effort) == pytest.approx(0.5)


def test_a_joint_without_a_servo_swings():
    free = Joint(name="swing", motion=Revolute(endless=True), axis=UP, driven=False, mount=Mount(z_m=0.6))
    sim = simulate(base(joints=(free,), parts=(bar("rod", "swing", (0.2, 0.02, 0.02), 0.5, x_m=0.15, z_m=-0.01),)))
    highest = 0.0
    for _ in range(100):
        sim.step()
        highest = max(highest, sim.robot("scout").servo("swing").position)
    assert highest == pytest.approx(math.pi, abs=0.2)


def test_joints_stop_at_their_ends_even_when_pushed():
    sim = simulate(panning(joints=(PAN, TILT)))
    for name in ("pan", "tilt"):
        sim.robot("scout").servo(name).turn(5.0)
    sim.run(seconds=3.0)
    assert positions(sim) == pytest.approx([2.0, 1.0], abs=0.01)


def test_a_slide_lifts_its_load_to_its_target():
    lift = Joint(name="lift", motion=Prismatic(0.0, 0.3), mount=Mount(z_m=0.2))
    sim = simulate(base(joints=(lift,), parts=(bar("fork", "lift", (0.2, 0.2, 0.02), 2.0),)))
    sim.robot("scout").servo("lift").to(0.25)
    sim.run(seconds=3.5)
    assert positions(sim)[0] == pytest.approx(0.25, abs=1e-3)


def test_gears_keep_their_ratio():
    gear = Joint(name="b", motion=Revolute(-3, 3), follows="pan", ratio=-1.5, mount=Mount(z_m=0.3))
    sim = simulate(base(joints=(PAN, gear)))
    sim.robot("scout").servo("pan").to(1.2)
    worst = 0.0
    for _ in range(150):
        sim.step()
        a, b = positions(sim)
        worst = max(worst, abs(b + 1.5 * a))
    assert worst < 0.01
    assert positions(sim) == pytest.approx([1.2, -1.8], abs=0.01)


def test_telling_a_gear_moves_its_leader():
    gear = Joint(name="b", motion=Revolute(-3, 3), follows="pan", ratio=-1.5, mount=Mount(z_m=0.3))
    sim = simulate(base(joints=(PAN, gear)))
    sim.robot("scout").servo("b").to(1.5)
    sim.run(seconds=1.5)
    assert positions(sim) == pytest.approx([-1.0, 1.5], abs=0.01)


def test_an_arm_picks_up_a_brick_carries_it_and_lays_it_down():
    brick = box("brick", x=0.347, size=(0.04, 0.04, 0.06), mass_kg=0.05, friction=1.0)
    sim = simulate(arm(), [brick])
    scout = sim.robot("scout")

    def at():
        return sim.current.engine.movables()[1][0]

    for shoulder, elbow in ((30, 150), (65, 115)):
        bend(scout, shoulder, elbow)
        sim.run(seconds=1.5)
    scout.servo("left").to(0.0)
    sim.run(seconds=0.7)
    bend(scout, 20, 120)
    sim.run(seconds=1.5)
    assert at()[2] > 0.15
    scout.servo("pan").to(0.8)
    sim.run(seconds=1.5)
    assert math.atan2(at()[1], at()[0] - 0.12) == pytest.approx(0.8, abs=0.05)
    scout.drive(0.2)
    sim.run(seconds=2.0)
    assert at()[2] > 0.15
    scout.stop()
    scout.servo("left").to(0.04)
    sim.run(seconds=1.0)
    assert at()[2] < 0.05


def test_parts_that_joints_carry_are_seen_where_they_are():
    flag = BodyPart(name="flag", joint="pan", shape=Box((0.02, 0.2, 0.2)), mount=Mount(x_m=0.5), mass_kg=0.1)
    watcher = panning(ray(joint="", z_m=0.3), joints=())
    scene = room(
        robot(parts=panning(joints=(PAN,), parts=(flag,))),
        robot("watcher", x=2.0, heading=math.pi, parts=watcher),
        engine="rigid",
    )
    sim = Sim(scene)
    sim.run(seconds=0.2)
    assert sim.robot("watcher").read("eye")[0] == pytest.approx(2.0 - 0.1 - 0.51, abs=2e-3)
    sim.robot("scout").servo("pan").to(1.5)
    sim.run(seconds=1.2)
    assert sim.robot("watcher").read("eye")[0] > 2.0


def test_a_sensor_on_pan_and_tilt_looks_where_they_point():
    sim = simulate(panning(ray(joint="tilt"), joints=(PAN, TILT)))
    scout = sim.robot("scout")
    scout.servo("pan").to(math.pi / 2)
    scout.servo("tilt").to(0.4)
    sim.run(seconds=1.5)
    assert scout.read("eye")[0] == pytest.approx(0.25 / math.sin(0.4), rel=0.02)


def test_a_gyro_on_a_servo_feels_it_turn():
    gyro = DeviceSpec(name="imu", joint="pan", sheet=SENSORS["gyro"](noise=PlainNoise(preset="perfect")))
    sim = simulate(panning(gyro, joints=(PAN,)))
    scout = sim.robot("scout")
    scout.servo("pan").turn(1.5)
    sim.run(seconds=0.5)
    assert scout.read("imu")[2] == pytest.approx(1.5, rel=0.03)


def crossing(passing=()):
    joints = (PAN, Joint(name="other", motion=Revolute(-2, 2), mount=Mount(x_m=0.1, y_m=0.3, z_m=0.2)))
    parts = (bar("a", "pan", (0.02, 0.3, 0.05), y_m=0.16), bar("b", "other", (0.02, 0.3, 0.05), y_m=-0.16))
    return base(joints=joints, parts=parts, passing=passing)


@pytest.mark.parametrize(("passing", "free"), [((), False), ((("a", "b"),), True)], ids=["collide", "pass"])
def test_pairs_of_parts_collide_unless_they_are_set_to_pass(passing, free):
    parts = replace(
        crossing(passing),
        joints=(replace(PAN, motion=Revolute(-2, 2, start_rad=0.5)), crossing().joints[1]),
    )
    sim = simulate(parts)
    sim.robot("scout").servo("pan").to(-0.5)
    sim.run(seconds=1.5)
    assert bool(abs(positions(sim)[0] + 0.5) < 0.02) is free


def test_limbs_weigh_what_they_say_and_a_robot_on_a_scale_tells_all_of_it():
    sim = simulate(arm())
    model = sim.current.engine._model.mj
    assert model.body_mass.sum() == pytest.approx(15.0 + 0.02 * 15.0 + 0.4 + 0.3 + 0.06)


def test_limbs_heavier_than_the_whole_robot_are_refused():
    with pytest.raises(EngineError, match="its joints carry"):
        simulate(arm(dynamics=Dynamics(mass_kg=0.5)))


def test_an_arm_stands_still_at_the_start():
    sim = simulate(arm())
    sim.run(seconds=0.5)
    pose = sim.robot("scout").pose
    assert (pose.z_m, pose.pitch_rad) == pytest.approx((0.0, 0.0), abs=2e-3)


def test_a_saved_arm_goes_on_to_the_bit():
    sim, other = simulate(arm()), simulate(arm())
    bend(sim.robot("scout"), 50, 70)
    sim.run(seconds=0.3)
    other.current.restore(sim.current.state())
    sim.run(seconds=0.5)
    other.run(seconds=0.5)
    assert other.current.hash() == sim.current.hash()


def test_an_arm_stays_as_it_is_when_the_world_changes():
    sim = simulate(arm())
    bend(sim.robot("scout"), 50, 70)
    sim.run(seconds=0.3)
    before = positions(sim).copy()
    sim.change(changes.Add(box("box", x=2.0)))
    sim.step()
    assert positions(sim) == pytest.approx(before, abs=0.05)
    sim.run(seconds=1.0)
    assert positions(sim)[1] == pytest.approx(math.radians(50), abs=0.01)


def test_an_arm_stays_as_it_is_when_its_robot_is_moved():
    sim = simulate(arm())
    bend(sim.robot("scout"), 50, 70)
    sim.run(seconds=1.5)
    sim.change(changes.Move("scout", Pose(1.0, 0.5)))
    sim.step()
    assert positions(sim)[1:3] == pytest.approx(np.radians([50, 70]), abs=0.01)


def test_a_robot_does_not_touch_itself():
    sim = simulate(crossing())
    sim.robot("scout").servo("pan").to(-0.5)
    sim.run(seconds=1.5)
    assert len(sim.current.engine.contacts()) == 0
