"""The same yard in pybullet: the same boxes and walls, a robot on two cylinder wheels and two castors."""

from __future__ import annotations

import math
import time

import pybullet

from understudy.world import walls
from understudy.world.robot import Circle
from understudy.world.scene import Scene
from understudy.world.shapes import Box

_STRONG_N_M = 10.0


class Peer:
    """A scene of ours with one robot that drives all the time."""

    def __init__(self, scene: Scene, step_s: float, ahead_m_s: float, turn_rad_s: float) -> None:
        self._step_s, self._id = step_s, pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0, 0, -scene.gravity_m_s2, physicsClientId=self._id)
        pybullet.setTimeStep(step_s, physicsClientId=self._id)
        self._body(0.0, self._shape(pybullet.GEOM_PLANE), (0.0, 0.0, 0.0))
        for wall in scene.walls:
            for ax, ay, bx, by in walls.pieces(wall).tolist():
                size = (math.hypot(bx - ax, by - ay) / 2, 0.005, wall.height_m / 2)
                middle = ((ax + bx) / 2, (ay + by) / 2, size[2])
                self._body(0.0, self._box(size), middle, math.atan2(by - ay, bx - ax))
        for solid in scene.objects:
            assert isinstance(solid.shape, Box)
            x, y, z = (value / 2 for value in solid.shape.size_m)
            self._body(solid.mass_kg, self._box((x, y, z)), (solid.pose.x_m, solid.pose.y_m, z))
        self._robot(scene, ahead_m_s, turn_rad_s)

    def _shape(self, kind: int, **given: object) -> int:
        return int(pybullet.createCollisionShape(kind, physicsClientId=self._id, **given))

    def _box(self, half: tuple[float, float, float]) -> int:
        return self._shape(pybullet.GEOM_BOX, halfExtents=half)

    def _body(self, mass: float, shape: int, at: tuple[float, float, float], heading: float = 0.0) -> int:
        turn = pybullet.getQuaternionFromEuler((0, 0, heading))
        return int(pybullet.createMultiBody(mass, shape, -1, at, turn, physicsClientId=self._id))

    def _robot(self, scene: Scene, ahead: float, turn: float) -> None:
        model = scene.robots[0].built
        body, drive = model.body, model.drive
        assert isinstance(body, Circle)
        low, radius, half = 0.05, drive.wheel_radius_m, drive.track_m / 2
        hull = self._shape(pybullet.GEOM_CYLINDER, radius=body.radius_m, height=body.height_m - low)
        wheel = self._shape(pybullet.GEOM_CYLINDER, radius=radius, height=0.03)
        ball = self._shape(pybullet.GEOM_SPHERE, radius=0.02)
        middle = (body.height_m + low) / 2
        on_side = pybullet.getQuaternionFromEuler((math.pi / 2, 0, 0))
        level = (0, 0, 0, 1)
        places = [(0, half, radius), (0, -half, radius), (0.15, 0, 0.021), (-0.15, 0, 0.021)]
        robot = pybullet.createMultiBody(
            body.mass_kg - 1.0, hull, -1, (scene.robots[0].pose.x_m, scene.robots[0].pose.y_m, middle), level,
            linkMasses=[0.4, 0.4, 0.1, 0.1], linkCollisionShapeIndices=[wheel, wheel, ball, ball],
            linkVisualShapeIndices=[-1] * 4, linkPositions=[(x, y, z - middle) for x, y, z in places],
            linkOrientations=[on_side, on_side, level, level], linkInertialFramePositions=[(0, 0, 0)] * 4,
            linkInertialFrameOrientations=[level] * 4, linkParentIndices=[0] * 4,
            linkJointTypes=[pybullet.JOINT_REVOLUTE] * 2 + [pybullet.JOINT_FIXED] * 2,
            linkJointAxis=[(0, 0, -1), (0, 0, -1), (0, 0, 1), (0, 0, 1)], physicsClientId=self._id,
        )  # fmt: skip
        for link in (2, 3):
            pybullet.changeDynamics(robot, link, lateralFriction=0.0, physicsClientId=self._id)
        for link, speed in ((0, ahead - turn * half), (1, ahead + turn * half)):
            pybullet.setJointMotorControl2(
                robot, link, pybullet.VELOCITY_CONTROL, targetVelocity=speed / radius, force=_STRONG_N_M,
                physicsClientId=self._id,
            )  # fmt: skip

    def steps(self, seconds: float) -> float:
        """Return how long so much simulated time takes (s)."""
        begin = time.perf_counter()
        for _ in range(round(seconds / self._step_s)):
            pybullet.stepSimulation(physicsClientId=self._id)
        return time.perf_counter() - begin

    def close(self) -> None:
        """Disconnect from the physics server."""
        pybullet.disconnect(physicsClientId=self._id)
