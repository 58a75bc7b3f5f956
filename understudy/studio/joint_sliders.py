"""Sliders for the joints of a robot: they move a joint, and follow it while nobody holds them."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import Any

from nicegui import ui

from understudy.sim.sim import Sim
from understudy.studio.commands import Commands
from understudy.world.joints import Joint, Revolute
from understudy.world.robot import PlacedRobot

HELD_S = 0.8  # after its last movement by the user a slider follows the joint again
STEPS = 200


class JointSliders:
    """One slider for each joint that has a servo."""

    def __init__(self, robot: PlacedRobot, commands: Commands) -> None:
        self._robot, self._commands = robot.name, commands
        self._joints = {joint.name: joint for joint in robot.built.joints if joint.driven and not joint.follows}
        self._sliders: dict[str, ui.slider] = {}
        self._labels: dict[str, ui.label] = {}
        self._moved_s: dict[str, float] = {}  # when the user last moved it
        self._positions: dict[str, float] = {}
        if self._joints:
            ui.label("Joints").classes("us-heading q-mt-sm")
        for joint in self._joints.values():
            self._slider(joint)

    def _slider(self, joint: Joint) -> None:
        low, high = (max(min(end, math.pi), -math.pi) for end in joint.motion.ends)
        with ui.row().classes("full-width items-center no-wrap gap-2"):
            ui.label(joint.name).classes("us-quiet").style("min-width: 64px").tooltip(joint.motion.kind)
            slider = ui.slider(min=low, max=high, step=(high - low) / STEPS, value=joint.motion.start)
            slider.on("update:model-value", partial(self._aim, joint.name), throttle=0.05)
            slider.classes("col").props(f'aria-label="{joint.name}"').tooltip(f"turn or slide {joint.name}")
            self._sliders[joint.name] = slider.mark(f"servo-{joint.name}")
            self._labels[joint.name] = ui.label("").classes("us-value").style("min-width: 60px")

    def _aim(self, joint: str, event: Any) -> None:
        self._moved_s[joint] = time.monotonic()
        self._commands.aim(self._robot, joint, float(event.args))

    def read(self, sim: Sim) -> None:
        """Read where the joints are, in the simulation's thread."""
        joints = sim.view().joints()
        paths = ((name, f"{self._robot}/{name}") for name in self._joints)
        self._positions = {name: joints[path].position for name, path in paths if path in joints}

    def refresh(self) -> None:
        """Show where the joints are."""
        for name, position in self._positions.items():
            text = position_text(self._joints[name], position)
            if self._labels[name].text != text:
                self._labels[name].text = text
            if time.monotonic() > self._moved_s.get(name, 0.0) + HELD_S:
                self._sliders[name].set_value(round(position, 4))


def position_text(joint: Joint, position: float) -> str:
    """Return a joint position, in degrees or millimetres."""
    turns = isinstance(joint.motion, Revolute)
    return f"{math.degrees(position):.1f}°" if turns else f"{1000 * position:.1f} mm"
