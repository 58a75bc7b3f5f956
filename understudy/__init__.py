"""A mobile-robot simulator that a robot program cannot tell from the robot.

The whole public API::

    import understudy as us
    sim = us.load("maze.toml", seed=7)
    robot = sim.robot("scout")
    robot.drive(0.3, 0.5)                 # m/s, rad/s
    sim.run(10)                           # simulated seconds, as fast as the machine can
    print(robot.pose, robot.read("front"))

Heavy modules are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy.api import build, check, load, load_text, replay, restore, worlds
    from understudy.sim.fleet import Fleet
    from understudy.sim.programs import ProgramRobot
    from understudy.sim.recording import Recording
    from understudy.sim.robot import Robot
    from understudy.sim.sim import Sim
    from understudy.sim.worlds import Worlds
    from understudy.tape import Tape
    from understudy.world.motion import Motion
    from understudy.world.shapes import Pose

__version__ = "0.1.0"
__all__ = [
    "Fleet", "Motion", "Pose", "ProgramRobot", "Recording", "Robot", "Sim", "Tape", "UnderstudyError", "Worlds",
    "__version__", "build", "check", "load", "load_text", "replay", "restore", "worlds",
]  # fmt: skip

_HOMES = {
    "load": "understudy.api",
    "load_text": "understudy.api",
    "build": "understudy.api",
    "check": "understudy.api",
    "replay": "understudy.api",
    "restore": "understudy.api",
    "worlds": "understudy.api",
    "Sim": "understudy.sim.sim",
    "Worlds": "understudy.sim.worlds",
    "Robot": "understudy.sim.robot",
    "ProgramRobot": "understudy.sim.programs",
    "Fleet": "understudy.sim.fleet",
    "Recording": "understudy.sim.recording",
    "Motion": "understudy.world.motion",
    "Pose": "understudy.world.shapes",
    "Tape": "understudy.tape",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import understudy`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'understudy' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
