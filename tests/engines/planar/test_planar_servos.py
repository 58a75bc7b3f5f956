from __future__ import annotations

import math

import numpy as np
import pytest
from limbs import PAN, TILT, panning, ray
from scenes import robot, room

from understudy import Sim
from understudy.engines.planar.engine import PlanarEngine
from understudy.errors import EngineError
from understudy.world import changes
from understudy.world.joints import Joint, Prismatic


def simulate(*devices, joints=(PAN,), **given):
    return Sim(room(robot(parts=panning(*devices, joints=joints)), width=6.0, depth=4.0, **given))


def test_a_servo_goes_to_its_aim_no_faster_than_it_can():
    sim = simulate()
    servo = sim.robot("scout").servo("pan")
    servo.to(1.0)
    sim.run(seconds=0.25)
    assert servo.position == pytest.approx(0.5, abs=0.011)
    assert servo.speed == pytest.approx(2.0)
    sim.run(seconds=0.5)
    assert (servo.position, servo.speed) == (1.0, 0.0)


def test_a_servo_with_a_target_speed_stops_at_its_limit():
    sim = simulate()
    servo = sim.robot("scout").servo("pan")
    servo.turn(-1.0)
    sim.run(seconds=1.0)
    assert servo.position == pytest.approx(-1.0, abs=0.011)
    sim.run(seconds=3.0)
    assert servo.position == -2.0


def test_a_pan_servo_turns_its_sensor():
    sim = simulate(ray())
    scout = sim.robot("scout")
    sim.run(seconds=0.2)
    assert scout.read("eye")[0] == pytest.approx(2.9, abs=1e-6)
    scout.servo("pan").to(math.pi / 2)
    sim.run(seconds=1.2)
    assert scout.read("eye")[0] == pytest.approx(2.0, abs=1e-6)


def test_the_rays_of_a_turned_sensor_are_drawn_where_it_looks():
    sim = simulate(ray())
    scout = sim.robot("scout")
    scout.servo("pan").to(math.pi / 2)
    sim.run(seconds=1.2)
    assert scout.traces("eye").ends[0] == pytest.approx([0.1, 2.0, 0.2], abs=1e-6)


def test_cones_on_a_servo_find_the_nearest_thing_in_them():
    from understudy.sensors import SENSORS
    from understudy.world.robot import DeviceSpec

    sonar = DeviceSpec(name="eye", joint="pan", sheet=SENSORS["sonar"](max_m=5.0, noise=SENSORS["sonar"]().noise))
    sim = simulate(sonar, noise="perfect")
    scout = sim.robot("scout")
    scout.servo("pan").to(1.2)
    sim.run(seconds=1.5)
    assert scout.read("eye")[0] == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize(
    ("joint", "reason"),
    [
        (
            TILT.__class__(name="tilt", motion=TILT.motion, axis=(0, 1, 0)),
            "scout/tilt: .* joints with an inclined axis",
        ),
        (Joint(name="lift", motion=Prismatic()), "scout/lift: .* prismatic joints"),
    ],
    ids=["tilt", "lift"],
)
def test_other_joints_are_refused_with_a_reason(joint, reason):
    with pytest.raises(EngineError, match=f"{reason}, only revolute joints with a vertical axis"):
        PlanarEngine(room(robot(parts=panning(joints=(joint,)))))


def test_a_saved_servo_goes_on_to_the_bit():
    sim = simulate()
    sim.robot("scout").servo("pan").to(1.5)
    sim.run(seconds=0.3)
    saved = sim.current.state()
    sim.run(seconds=0.5)
    other = simulate()
    other.current.restore(saved)
    other.run(seconds=0.5)
    assert np.array_equal(other.current.engine.joints().position, sim.current.engine.joints().position)


def test_a_servo_stays_where_it_is_when_the_world_changes():
    sim = simulate()
    servo = sim.robot("scout").servo("pan")
    servo.to(1.0)
    sim.run(seconds=0.2)
    before = servo.position
    sim.change(changes.Add(robot("other", x=1.0)))
    sim.step()
    assert before < servo.position < 1.0
