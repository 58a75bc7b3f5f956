"""IR-SIM on the same workload, in its fastest configuration: headless, one thread, all walls in one map object.

IR-SIM's rings are lasers at the robot's centre, so a sonar there sees 0.2 m more than one at the rim.
"""

from __future__ import annotations

import contextlib
import io
import math
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import workload
from workload import Array, Workload

WANTED = "2.12."


class IrSim:
    """An IR-SIM environment with the robots and walls of a workload; robots keep their order."""

    def __init__(self, work: Workload) -> None:
        irsim: Any = imported()
        self.version = str(irsim.__version__)
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            file = Path(folder, "hospital.yaml")
            file.write_text(import_module("yaml").safe_dump(world(work)))
            self._env = irsim.make(str(file), headless=True, log_level="ERROR", seed=0)
        self._env.add_object(walls(work.segments))
        self._robots = self._env.robot_list
        self._rows = list(range(len(self._robots)))

    def step(self, actions: list[list[float]]) -> None:
        """Advance one tick: motion, collisions and all sensors; an action is m/s, rad/s."""
        self._env.step(actions, self._rows)

    def set_noise(self, on: bool) -> None:
        """Switch the noise of every sensor."""
        for robot in self._robots:
            for sensor in robot.sensors:
                sensor.noise = on

    def lasers(self) -> Array:
        """Return the newest scan of every robot (m)."""
        return np.array([robot.sensors[0].range_data for robot in self._robots])

    def sonars(self) -> Array:
        """Return the newest ring of every robot, from the robot's centre (m)."""
        return np.array([robot.sensors[1].range_data for robot in self._robots])

    def stopped(self) -> npt.NDArray[np.bool_]:
        """Return which robots have collided."""
        return np.array([bool(robot.stop_flag) for robot in self._robots])

    def poses(self) -> Array:
        """Return x, y, heading of every robot (m, rad)."""
        return np.array([robot.state[:3, 0] for robot in self._robots])


def imported() -> Any:
    """Return the package; exit with a hint if it is missing or another version."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            irsim = import_module("irsim")
    except ImportError:
        sys.exit("planar.py: IR-SIM is not installed: run `make bench`, pip install -e '.[bench]', or use --quick")
    if not irsim.__version__.startswith(WANTED):
        sys.exit(f"planar.py: IR-SIM {irsim.__version__} is installed, the figures need {WANTED}*: run `make bench`")
    return irsim


def world(work: Workload) -> dict[str, Any]:
    """Return the robots as IR-SIM's world file has them; the walls are added afterwards."""
    size = float(np.ptp(work.segments)) + 1.0
    return {
        "world": {
            "height": size, "width": size, "offset": [-0.5, -0.5], "step_time": workload.TICK_US / 1e6,
            "sample_time": workload.TICK_US / 1e6, "collision_mode": "stop",
        },
        "robot": [robot(pose) for pose in work.poses.tolist()],
    }  # fmt: skip


def robot(pose: list[float]) -> dict[str, Any]:
    """Return one robot of IR-SIM's world file."""
    laser = {
        "name": "lidar2d", "range_max": workload.LASER_M, "angle_range": math.pi, "number": workload.LASER_RAYS,
        "noise": True, "std": workload.LASER_SIGMA_M,
    }  # fmt: skip
    gap = math.tau / workload.SONARS
    sonar = {
        "name": "lidar2d", "range_max": workload.SONAR_M, "angle_range": math.tau - gap, "number": workload.SONARS,
        "noise": True, "std": workload.SONAR_SIGMA_M, "offset": [0.0, 0.0, -gap / 2],
    }  # fmt: skip
    return {
        "kinematics": {"name": "diff"}, "shape": {"name": "circle", "radius": workload.RADIUS_M}, "state": pose,
        "vel_max": [0.5, 1.0], "vel_min": [-0.5, -1.0], "acce": [0.5, math.pi], "sensors": [laser, sonar],
    }  # fmt: skip


def walls(segments: Array) -> Any:
    """Return one map object that holds exactly these segments."""
    geometry, tree = import_module("shapely.geometry"), import_module("shapely.strtree")
    obstacle_map = import_module("irsim.world.map.obstacle_map").ObstacleMap
    made = obstacle_map(shape={"name": "map", "reso": 0.1, "points": np.array([[50.0], [50.0]])})
    made._geometry = geometry.MultiLineString([((ax, ay), (bx, by)) for ax, ay, bx, by in segments.tolist()])
    made.linestrings = list(made._geometry.geoms)
    made.geometry_tree = tree.STRtree(made.linestrings)
    return made
