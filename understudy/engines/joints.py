"""Forward kinematics of joints: from joint positions to the frames of what they carry, for any engine.

Joints are rows: robot by robot in the scene's order, and each after its parent joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.world.joints import Joint, Revolute, ordered
from understudy.world.robot import RobotModel
from understudy.world.rotations import about, angles_of, rotation, shift, turn_of
from understudy.world.scene import Scene

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
NO_ROW = -1


class Frames(NamedTuple):
    """Frames of joints, a row each: orientation and position (m)."""

    turn: Array  # (joints, 3, 3)
    at: Array  # (joints, 3)


class JointMotion(NamedTuple):
    """Motion of joints, a row each: position, speed (rad or m, per s) and the effort of the servo (N m or N)."""

    position: Array
    speed: Array
    effort: Array


@dataclass(frozen=True, eq=False)
class Chain:
    """All joints of a scene as rows."""

    paths: tuple[str, ...]  # such as scout/pan
    joints: tuple[Joint, ...]
    robot: Ints
    below: Ints  # the row of the parent joint, or NO_ROW
    leader: Ints  # the row of the joint that each is geared to, or NO_ROW
    ratio: Array  # to its leader; 1 for joints without a leader
    turns: Array  # of their mounts
    shifts: Array
    axes: Array  # unit vectors
    slides: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of joints."""
        return len(self.paths)

    @cached_property
    def rows(self) -> dict[tuple[int, str], int]:
        """Return the row of each joint by robot and name."""
        return {(int(robot), joint.name): row for row, (robot, joint) in enumerate(zip(self.robot, self.joints))}

    def of_robot(self, robot: int) -> list[int]:
        """Return the rows of a robot's joints."""
        return np.flatnonzero(self.robot == robot).tolist()

    @property
    def starts(self) -> Array:
        """Return the start positions of joints; geared joints follow their leaders."""
        own = np.array([joint.motion.start for joint in self.joints], np.float64)
        return self.geared(own)

    def geared(self, position: Array) -> Array:
        """Return positions in which geared joints follow their leaders."""
        return np.where(self.leader >= 0, self.ratio * position[self.leader], position) if len(self) else position

    @property
    def limits(self) -> Array:
        """Return the lowest and highest position of each, (joints, 2)."""
        return np.array([joint.motion.ends for joint in self.joints], np.float64).reshape(-1, 2)

    def frames(self, position: Array) -> Frames:
        """Return the frames of all joints in their robots' frames."""
        turn, at = np.empty((len(self), 3, 3)), np.empty((len(self), 3))
        for row, below in enumerate(self.below.tolist()):
            own = arrays.product(self.turns[row], about(self.axes[row], 0.0 if self.slides[row] else position[row]))
            away = self.shifts[row]
            if self.slides[row]:
                away = away + arrays.product(self.turns[row], self.axes[row] * position[row])
            if below < 0:
                turn[row], at[row] = own, away
            else:
                turn[row], at[row] = arrays.product(turn[below], own), at[below] + arrays.product(turn[below], away)
        return Frames(turn, at)

    def places(self, position: Array, poses: Array) -> Array:
        """Return the poses of all joint frames in the world for robots at *poses*; rows like theirs."""
        rows, frames = poses[self.robot].copy(), self.frames(position)
        for row, turn, at in zip(rows, frames.turn, frames.at):
            lies = turn_of(*row[3:].tolist())
            row[:3] += arrays.product(lies, at)
            row[3:] = angles_of(arrays.product(lies, turn))
        return rows

    def rates(self, frames: Frames, speed: Array) -> tuple[Array, Array]:
        """Return the linear and angular velocities of frames in their robots' frames (m/s, rad/s)."""
        moves, turns = np.zeros((len(self), 3)), np.zeros((len(self), 3))
        for row, below in enumerate(self.below.tolist()):
            axis = arrays.product(frames.turn[row], self.axes[row])
            if below >= 0:
                turns[row] = turns[below]
                moves[row] = moves[below] + np.cross(turns[below], frames.at[row] - frames.at[below])
            if self.slides[row]:
                moves[row] += axis * speed[row]
            else:
                turns[row] += axis * speed[row]
        return moves, turns


def chain_of(scene: Scene) -> Chain:
    """Return the joints of a scene's robots."""
    return chain([(robot.name, robot.built) for robot in scene.robots])


def chain(robots: Sequence[tuple[str, RobotModel]]) -> Chain:
    """Return the joints of robots, by their names and models."""
    found = [(n, name, joint) for n, (name, model) in enumerate(robots) for joint in ordered(model.joints)]
    rows = {(n, joint.name): row for row, (n, _, joint) in enumerate(found)}
    joints = tuple(joint for _, _, joint in found)
    return Chain(
        tuple(f"{name}/{joint.name}" for _, name, joint in found),
        joints,
        np.array([n for n, _, _ in found], np.int64),
        np.array([rows.get((n, joint.joint), NO_ROW) for n, _, joint in found], np.int64),
        np.array([rows.get((n, joint.follows), NO_ROW) for n, _, joint in found], np.int64),
        np.array([joint.ratio if joint.follows else 1.0 for joint in joints], np.float64),
        np.array([rotation(joint.mount) for joint in joints]).reshape(-1, 3, 3),
        np.array([shift(joint.mount) for joint in joints]).reshape(-1, 3),
        np.array([np.array(joint.axis) / elementary.hypot(*joint.axis) for joint in joints]).reshape(-1, 3),
        np.array([not isinstance(joint.motion, Revolute) for joint in joints], np.bool_),
    )
