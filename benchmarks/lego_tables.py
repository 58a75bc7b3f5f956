"""Tables 4.1 and 4.2 of the LURobotSim thesis: how far M4 drives and how far M3 turns in two seconds.

The thesis gives the results of its simulator and of the real robots at five power levels. We also compare with plain
kinematics (rim speed times time), which scores as well as any simulator: the tables show that nothing slips; they do
not validate a robot. The track of M3 is itself derived from the simulated column of table 4.2. Errors are fractions of
the column that we compare with; the thesis divides by its own values.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from results import Results, parse

from understudy.engines.rigid.engine import RigidEngine
from understudy.formats.native.robot_read import robot_model
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import PlacedRobot, RobotModel
from understudy.world.scene import Scene

TICK_S, SECONDS = 0.005, 2.0
RIM_RAD_S = (19.4, 20.4, 22.3, 24.3, 25.1)  # table 3.7: by power level
DISTANCE_M = ((0.82, 0.86, 0.94, 1.02, 1.06), (0.81, 0.84, 0.93, 1.01, 1.05))  # table 4.1: simulated, real
TURNS = ((2.289, 2.408, 2.631, 2.860, 2.950), (2.249, 2.277, 2.311, 2.808, 2.949))  # table 4.2: simulated, real mean


def main() -> None:
    """Print both tables and their mean errors."""
    results = parse(__doc__)
    m4, m3 = (replace(robot_model(f"rcx-m{k}", None, vocabulary()), devices=()) for k in (4, 3))
    speeds = [rate * m4.drive.wheel_radius_m for rate in RIM_RAD_S]
    ways = [driven(m4, speed, 0.0)[0] for speed in speeds]
    report(results, "distance_m", ways, [SECONDS * speed for speed in speeds], DISTANCE_M)
    rates = [2 * speed / m3.drive.track_m for speed in speeds]
    turns = [driven(m3, 0.0, rate)[1] / math.tau for rate in rates]
    report(results, "turns", turns, [SECONDS * rate / math.tau for rate in rates], TURNS)
    results.finish()


def driven(model: RobotModel, ahead: float, turn: float) -> tuple[float, float]:
    """Drive for two seconds, then stop; return how far the robot came (m) and how far it has turned (rad)."""
    engine = RigidEngine(Scene(name="plane", robots=(PlacedRobot(name="it", parts=model),)))
    turned, last = 0.0, 0.0
    for tick in range(round(2 * SECONDS / TICK_S)):
        moving = tick < round(SECONDS / TICK_S)
        engine.step(np.array([[ahead, 0.0, turn]]) * moving)
        now = float(engine.poses()[0, 5])
        turned, last = turned + math.remainder(now - last, math.tau), now
    return float(math.hypot(*engine.poses()[0, :2])), turned


def report(
    results: Results, name: str, ours: list[float], kinematics: list[float], given: tuple[tuple[float, ...], ...]
) -> None:
    """Print one table and what it says on average."""
    simulated, real = given
    print(f"{name}: power, ours, LURobotSim, real, kinematics")
    for level, row in enumerate(zip(ours, simulated, real, kinematics), 1):
        print(f"  {level}  " + "  ".join(f"{value:.4f}" for value in row))
    results.say(f"{name}_error_to_lurobotsim_percent", error(ours, simulated), most=1.0)
    results.say(f"{name}_error_to_real_percent", error(ours, real))
    results.say(f"{name}_lurobotsim_error_to_real_percent", error(simulated, real))
    results.say(f"{name}_kinematics_error_to_real_percent", error(kinematics, real))
    results.say(f"{name}_error_to_kinematics_percent", error(ours, kinematics))


def error(values: tuple[float, ...] | list[float], wanted: tuple[float, ...] | list[float]) -> float:
    """Return the mean error of values, as a share of what is wanted (percent)."""
    return 100 * float(np.mean([abs(value / want - 1) for value, want in zip(values, wanted)]))


if __name__ == "__main__":
    main()
