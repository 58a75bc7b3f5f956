"""Accuracy of the wheels of the rigid engine: straight, on the spot, skidding, steering, climbing and parked on slopes.

The reference is the closed form. Straight lines and slopes are exact by construction, because the drive sets the rims;
the ratio of a skidding robot and the behaviour at the limits of motors are not.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from results import Results, parse

from understudy.engines.rigid.engine import RigidEngine
from understudy.world.robot import Ackermann, Circle, Differential, PlacedRobot, Rectangle, RobotModel, Skid
from understudy.world.scene import Ground, Scene, Solid
from understudy.world.shapes import Box, Pose
from understudy.world.vehicle import Wheel

TICK_S = 0.005
SLOPE_M = 40.0  # length and width of a slope
THICK_M, HIGH_M = 1.0, 12.0  # how thick it is, and where its middle is
Array = npt.NDArray[np.float64]


def main() -> None:
    """Print every figure."""
    results = parse(__doc__)
    skidding(results)
    level(results)
    steering(results)
    slopes(results)
    results.finish()


# ---- what drives


def vacuum() -> RobotModel:
    """Return a small round robot on two wheels and two castors, as robots without wheels of their own get them."""
    return RobotModel(body=Circle(0.167, 0.09, 3.0), drive=Differential(0.32, 0.0381, 0.5, 5.0))


def skidder(base_m: float) -> RobotModel:
    """Return a robot of 20 kg on four driven wheels, 0.4 m apart and *base_m* one behind the other."""
    places = [(x, y) for x in (base_m / 2, -base_m / 2) for y in (0.2, -0.2)]
    wheels = tuple(Wheel(name=f"w{k}", x_m=x, y_m=y) for k, (x, y) in enumerate(places))
    return RobotModel(body=Rectangle(0.5, 0.4, height_m=0.25, mass_kg=20.0), drive=Skid(0.4), wheels=wheels)


def car() -> RobotModel:
    """Return a car of 10 kg."""
    drive = Ackermann(0.5, 0.4, 0.1, math.radians(40.0), max_m_s=2.5, accel_m_s2=2.0)
    return RobotModel(body=Rectangle(0.7, 0.45, 0.25, 0.2, 10.0), drive=drive)


class Track:
    """One driven robot, on the level or on a slope, facing uphill or across."""

    def __init__(
        self, model: RobotModel, slope_rad: float = 0.0, heading_rad: float = 0.0, friction: float = 1.0
    ) -> None:
        place = Pose(0.0, 0.0, HIGH_M if slope_rad else 0.0, *attitude(heading_rad, slope_rad))
        slope = Solid(name="slope", shape=Box((SLOPE_M, SLOPE_M, THICK_M)), pose=lying(slope_rad), friction=friction)
        scene = Scene(
            name="track",
            ground=Ground((2 * SLOPE_M, 2 * SLOPE_M), friction=friction),
            objects=(slope,) if slope_rad else (),
            robots=(PlacedRobot(name="it", place=place, parts=model),),
        )
        self.engine = RigidEngine(scene)

    def drive(self, seconds: float, ahead: float = 0.0, turn: float = 0.0) -> None:
        """Drive like this for a while."""
        targets = np.array([[ahead, 0.0, turn]])
        for _ in range(round(seconds / TICK_S)):
            self.engine.step(targets)

    def place(self) -> Array:
        """Return the position of the robot (m)."""
        return np.array(self.engine.poses()[0, :3])

    def moved(self, seconds: float, ahead: float = 0.0, turn: float = 0.0) -> float:
        """Drive like this for a while; return the distance covered (m)."""
        before = self.place()
        self.drive(seconds, ahead, turn)
        return float(np.linalg.norm(self.place() - before))

    def turned(self, seconds: float, ahead: float, turn: float) -> float:
        """Drive like this for a while; return the angle turned (rad)."""
        whole, last = 0.0, self.engine.poses()[0, 5]
        for _ in range(round(seconds / TICK_S)):
            self.engine.step(np.array([[ahead, 0.0, turn]]))
            now = self.engine.poses()[0, 5]
            whole, last = whole + math.remainder(now - last, math.tau), now
        return whole


def lying(slope_rad: float) -> Pose:
    """Return the pose of a slope whose top surface passes above the origin."""
    return Pose(THICK_M * math.sin(slope_rad), 0.0, HIGH_M - THICK_M * math.cos(slope_rad), 0.0, -slope_rad)


def attitude(heading_rad: float, slope_rad: float) -> tuple[float, float, float]:
    """Return heading, pitch and roll of a robot on a slope, by its angle from uphill."""
    c, s = math.cos(slope_rad), math.sin(slope_rad)
    h, k = math.cos(heading_rad), math.sin(heading_rad)
    return math.atan2(k, c * h), -math.asin(s * h), math.atan2(-s * k, c)


# ---- figures


def skidding(results: Results) -> None:
    """Four equally loaded wheels turn on the spot at 1 / (1 + (base / track)^2) of the motion of their rims."""
    for base, ideal in ((0.4, 0.5), (0.2, 0.8)):
        for friction in (0.4, 0.8, 1.2):
            track = Track(skidder(base), friction=friction)
            track.drive(1.0, turn=1.0)
            ratio = track.turned(4.0, 0.0, 1.0) / 4.0
            name = f"skid_base_{base:g}_friction_{friction:g}"
            results.say(name, ratio, least=ideal - 0.03)
            results.say(f"{name}_off", abs(ratio - ideal), most=0.03)


def level(results: Results) -> None:
    """A differential robot goes as far and turns as much as its rims."""
    track = Track(vacuum())
    track.drive(1.0, ahead=0.3)
    results.say("straight_error_percent", 100 * abs(track.moved(5.0, ahead=0.3) / 1.5 - 1), most=0.1)
    for turn in (1.0, 4.0):
        track = Track(vacuum())
        track.drive(1.0, turn=turn)
        results.say(f"spin_{turn:g}_error_percent", 100 * abs(track.turned(5.0, 0.0, turn) / (5 * turn) - 1), most=0.1)


def steering(results: Results) -> None:
    """A car drives on the circle set by its steering."""
    for speed in (1.0, 2.0):
        for steer in (0.2, 0.4):
            radius, track = 0.5 / math.tan(steer), Track(car(), friction=1.2)
            track.drive(3.0, speed, speed / radius)
            before = np.array(track.engine.travel()[0])
            turned = track.turned(4.0, speed, speed / radius)
            rolled = float(np.mean((track.engine.travel()[0] - before)[:2]))
            off = 100 * abs(rolled / turned / radius - 1)
            results.say(f"car_{speed:g}_m_s_steer_{steer:g}_radius_error_percent", off, most=0.5)


def slopes(results: Results) -> None:
    """Robots climb without losing speed, and stand where they were parked."""
    for degrees in (5, 15, 25):
        track = Track(vacuum(), math.radians(degrees))
        track.drive(2.0, ahead=0.3)
        loss = 100 * (1 - track.moved(4.0, ahead=0.3) / 1.2)
        results.say(f"climb_{degrees}_deg_loss_percent", loss, most=3.0)
    for name, heading in (("uphill", 0.0), ("across", math.pi / 2)):
        track = Track(vacuum(), math.radians(15), heading)
        track.drive(1.0)
        results.say(f"parked_{name}_15_deg_creep_mm_s", 1000 * track.moved(5.0) / 5, most=0.1)


if __name__ == "__main__":
    main()
