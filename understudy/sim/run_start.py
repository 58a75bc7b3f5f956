"""The start of a run: what a reset goes back to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from understudy.errors import ChangeRefused
from understudy.world import changes
from understudy.world.changes import Change
from understudy.world.records import from_plain, to_plain
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose


class RunStart:
    """The scene at time zero with the user's edits since, and the pose at which each robot began."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.poses: dict[str, Pose] = {}
        self.welcome(scene.robots)

    def welcome(self, robots: Iterable[PlacedRobot]) -> None:
        """Note where robots begin that have come."""
        self.poses.update({robot.name: robot.pose for robot in robots})

    def edit(self, change: Change, tick: int) -> None:
        """Keep a user's edits across a reset: added, removed and replaced things, and moves before the first tick."""
        if isinstance(change, changes.Add | changes.Remove | changes.Replace) or (
            isinstance(change, changes.Move) and tick == 0
        ):
            with suppress(ChangeRefused):  # the object was added after the start
                self.scene = changes.apply(self.scene, change)
            if isinstance(change, changes.Move) and change.name in self.poses:
                self.poses[change.name] = change.pose

    def state(self) -> dict[str, Any]:
        """Return the start poses as plain values, by robot; the scene is saved beside the run."""
        return {name: to_plain(pose) for name, pose in self.poses.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a saved state."""
        self.poses = {name: from_plain(Pose, saved) for name, saved in state.items()}
