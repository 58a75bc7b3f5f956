"""From a flat scene to MuJoCo's model: fixed things as shapes of the world, movable things as free bodies.

Movable bodies are made in the order of their names and at the world's origin, so that the model depends neither on the
order in a file nor on poses: a run that continues from a saved state has exactly the same model.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy import elementary
from understudy.assets.library import Library
from understudy.engines.joints import chain_of
from understudy.engines.rigid.bolted import Bolts, add_bolted
from understudy.engines.rigid.forms import MujocoShapes, Triple
from understudy.engines.rigid.joint_bodies import (
    Bound,
    Limb,
    add_gear,
    add_joint,
    add_servo,
    bound,
    set_inertia,
    strength,
    weigh,
    without_limbs,
)
from understudy.engines.rigid.readout import placed
from understudy.engines.rigid.rolling import (
    Rolling,
    add_wheel,
    castor_shape,
    has_contact_wheels,
    refuse_rollers,
    tyre_shape,
    wheel_mass,
)
from understudy.engines.rigid.rows import BODY, Ints, Records
from understudy.engines.rigid.surfaces import height_field
from understudy.engines.rigid.vehicle import Chassis, castors_of, chassis_of, wheel_rows, wheels_of
from understudy.errors import EngineError
from understudy.world import walls
from understudy.world.inertia import Heavy, Inertia, rounded_up
from understudy.world.joints import Joint
from understudy.world.materials import Surface, layer_mask
from understudy.world.robot import PlacedRobot, RobotModel, Skid
from understudy.world.scene import Ball, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, half_height
from understudy.world.triangles import Triangles
from understudy.world.vehicle import ALL
from understudy.world.vehicle import BODY as HULL

if TYPE_CHECKING:
    import mujoco

log = logging.getLogger(__name__)
Mover = PlacedRobot | Solid | Ball

THIN_M = 0.0005  # half the thickness of walls without thickness
SKIN_M = 0.0005  # gap between robots and what they touch ...
NEAR_M = 0.0005  # ... and additional distance at which they still touch it
_GROUND, _THINGS = 1, 2  # collision bits
_HULL_FRICTION = 0.2  # of a robot's body against what it slides along
_ROLLING = 1.4  # inertia of a ball that rolls, relative to one that slides


_MODEL = """<mujoco><default><default class="wall">
<geom type="box" contype="{things}" conaffinity="0" friction="1 0.005 0.0001"/>
</default></default><worldbody>
{shapes}
</worldbody></mujoco>"""


@dataclass(frozen=True, eq=False)
class MujocoModel:
    """MuJoCo's model, our rows of movable bodies, and by shape of the model: owner (-1: fixed) and sensor layers."""

    mj: mujoco.MjModel
    bodies: Records  # BODY
    rolling: dict[int, list[Rolling]]  # by robot that has them: its contact wheels
    joints: Bound
    bolts: Bolts
    owner: Ints
    mask: Ints


def movers(scene: Scene) -> list[Mover]:
    """Return everything that can move, in the order of rows: robots, pushable solids, balls."""
    return [*scene.robots, *(solid for solid in scene.objects if solid.mass_kg), *scene.balls]


def library() -> Any:
    """Return the module mujoco; raises EngineError that says how to install it."""
    try:
        import mujoco
    except ImportError:
        raise EngineError("the rigid engine needs MuJoCo; install it with: pip install 'understudy[rigid]'") from None
    mujoco.set_mju_user_warning(_warn)  # otherwise it writes a log file into the user's folder
    return mujoco


def _warn(text: str) -> None:
    log.warning("MuJoCo: %s", text)


def build(scene: Scene, step_s: float, files: Library) -> MujocoModel:
    """Return MuJoCo's model of a scene; raises EngineError for unsupported scenes, naming the object."""
    return _Builder(scene, step_s, files).made()


class _Builder:
    """Collects shapes and bodies for MuJoCo's model."""

    def __init__(self, scene: Scene, step_s: float, files: Library) -> None:
        self._mj, self._files = library(), files
        self._scene = scene
        self._masks: list[int] = []  # by fixed shape: sensor layers that detect it
        self._spec = self._mj.MjSpec.from_string(self._walls())
        self._forms = MujocoShapes(self._spec, self._mj, files)
        self._rolling: dict[int, list[Rolling]] = {}
        self._chain = chain_of(scene)
        self._limbs: dict[str, Limb] = {}  # by path
        self._bolted: dict[int, Any] = {}  # by row of a robot that is bolted down
        self._set_options(step_s)

    def _set_options(self, step_s: float) -> None:
        option, mj = self._spec.option, self._mj
        option.timestep = step_s
        self._spec.compiler.degree = False
        option.gravity = [0.0, 0.0, -self._scene.gravity_m_s2]
        option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mj.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10.0
        option.disableflags |= int(mj.mjtDisableBit.mjDSBL_AUTORESET)  # divergence is reported, not silently reset
        self._contact = [2.0 * step_s, 1.0]

    def made(self) -> MujocoModel:
        """Return the model."""
        self._ground()
        for solid in self._scene.objects:
            if not solid.mass_kg:
                self._fixed(solid)
        every = movers(self._scene)
        made = {row: self._mover(row, every[row]) for row in sorted(range(len(every)), key=lambda k: every[k].name)}
        return self._finished(every, made)

    def _finished(self, every: Sequence[Mover], made: dict[int, Any]) -> MujocoModel:
        try:
            model = self._spec.compile()
        except ValueError as problem:
            raise EngineError(f"MuJoCo cannot build this scene: {problem}") from None
        bodies = np.zeros(len(every), BODY)
        for row, mover in enumerate(every):
            joint = int(model.body_jntadr[made[row].id])
            bodies[row]["at"], bodies[row]["move"] = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            bodies[row]["x"], bodies[row]["y"], bodies[row]["z"] = offset_of(mover)
            turning = sum(1 + (w.steering is not None) for w in self._rolling.get(row, ()))
            bodies[row]["joints"] = turning + len(self._chain.of_robot(row))
            bodies[row]["base"], bodies[row]["rolls"] = mover.pose.z_m, isinstance(mover, Ball)
        limbs = bound([self._limbs[path] for path in self._chain.paths], model)
        bolts = Bolts(bodies, {row: body.id for row, body in self._bolted.items()}, model)
        return MujocoModel(model, bodies, self._rolling, limbs, bolts, *self._owners(model, every, made | self._bolted))

    def _owners(self, model: Any, every: Sequence[Mover], made: dict[int, Any]) -> tuple[Ints, Ints]:
        """Return by shape of the model its owner and its sensor layers; fixed shapes come first."""
        rows = np.full(model.nbody, -1)
        rows[[made[row].id for row in range(len(every))]] = np.arange(len(every))
        owner = rows[model.body_rootid[model.geom_bodyid]]
        surfaces = [mover.built.surface if isinstance(mover, PlacedRobot) else mover.surface for mover in every]
        masks = np.array([layer_mask(surface.seen_by) for surface in surfaces] or [0])[owner]
        masks[: len(self._masks)] = self._masks
        return owner, masks

    # ---- fixed things

    def _ground(self) -> None:
        ground, terrain = self._scene.ground, self._files.terrain(self._scene.ground)
        shape = {"type": self._mj.mjtGeom.mjGEOM_PLANE, "size": [0.0, 0.0, 1.0]}
        if terrain is not None:
            shape = height_field(self._spec, self._mj, terrain)
        self._add_fixed(
            Surface(), **shape, contype=_GROUND, conaffinity=0, friction=[ground.friction, 0.005, 0.0001]
        )  # fmt: skip

    def _walls(self) -> str:
        """Return all walls as a model: a map may have twenty thousand segments, and XML text is three times as fast."""
        shapes = [shape for wall in self._scene.walls if wall.surface.obstacle for shape in self._wall(wall)]
        return _MODEL.format(things=_THINGS, shapes="\n".join(shapes))

    def _wall(self, wall: Wall) -> Iterator[str]:
        thick, high = max(wall.thickness_m / 2, THIN_M), wall.height_m / 2
        mask = layer_mask(wall.surface.seen_by)
        for ax, ay, bx, by in walls.pieces(wall).tolist():
            long = elementary.hypot(bx - ax, by - ay) / 2 + wall.thickness_m / 2
            turn = elementary.atan2(by - ay, bx - ax) / 2
            self._masks.append(mask)
            w, z = elementary.cos(turn), elementary.sin(turn)
            place = f'pos="{(ax + bx) / 2!r} {(ay + by) / 2!r} {high!r}" quat="{w!r} 0 0 {z!r}"'
            yield f'<geom class="wall" size="{long!r} {thick!r} {high!r}" {place}/>'

    def _fixed(self, solid: Solid) -> None:
        if not solid.surface.obstacle:
            return
        seven = placed(solid.pose, offset_of(solid))
        for shape in self._forms.shapes(solid):
            self._add_fixed(solid.surface, **shape, pos=seven[:3], quat=seven[3:], **self._standing(solid.friction))

    def _standing(self, friction: float) -> dict[str, Any]:
        return {"contype": _THINGS, "conaffinity": 0, "friction": [friction, 0.005, 0.0001]}

    # ---- movable things

    def _mover(self, row: int, mover: Mover) -> Any:
        body = self._spec.worldbody.add_body()
        body.add_freejoint()
        if isinstance(mover, PlacedRobot) and mover.built.bolted:
            self._bolted[row] = add_bolted(self._spec.worldbody, body, mover.name)
            self._robot(self._bolted[row], row, mover)
        elif isinstance(mover, PlacedRobot):
            self._robot(body, row, mover)
        elif isinstance(mover, Ball):
            self._ball(body, mover)
        else:
            self._solid(body, mover)
        return body

    def _robot(self, body: Any, row: int, robot: PlacedRobot) -> None:
        model, chassis = robot.built, chassis_of(robot.built)
        if not model.bolted:
            _set_inertia(body, without_limbs(model, chassis, robot.name), model.dynamics.inertia)
        hull = self._apart(body, robot, HULL)
        self._add_moving(hull, **self._forms.hull(model, chassis), **self._against(model.surface), mass=0.0)
        self._parts(body, robot, "")
        if has_contact_wheels(model):
            self._contact_wheels(body, row, robot, chassis)
        for joint in model.joints:
            if not joint.joint:
                limb = self._limb(body, robot, joint)
                if model.bolted:  # MuJoCo excludes limb-parent collisions only if the parent can move
                    limb.name = f"limb:{robot.name}/{joint.name}"
                    self._spec.add_exclude(bodyname1=body.name, bodyname2=limb.name)
        for joint in model.joints:
            if joint.follows:
                pair = (self._limbs[f"{robot.name}/{name}"].joint for name in (joint.name, joint.follows))
                add_gear(self._spec, self._mj, *pair, joint.ratio)
        for a, b in sorted(_passing(model)):
            self._spec.add_exclude(bodyname1=f"{robot.name}/{a}", bodyname2=f"{robot.name}/{b}")

    def _limb(self, parent: Any, robot: PlacedRobot, joint: Joint) -> Any:
        """Add a joint with everything that it carries, other joints included; return its body."""
        model, path = robot.built, f"{robot.name}/{joint.name}"
        body, hinge = add_joint(self._mj, parent, joint, path)
        weighed = weigh(body, model, joint.name)
        servo = None
        if joint.driven and not joint.follows:
            strong = strength(model, joint, self._scene.gravity_m_s2)
            servo = add_servo(self._spec, self._mj, hinge, joint.motion, strong)
        self._limbs[path] = Limb(hinge, servo)
        self._parts(body, robot, joint.name, weighed)
        for other in model.joints:
            if other.joint == joint.name:
                self._limb(body, robot, other)
        return body

    def _parts(self, body: Any, robot: PlacedRobot, joint: str, weighed: bool = False) -> None:
        """Add the parts on a joint or on the robot's body; *weighed*: their mass is already given."""
        surface = robot.built.surface
        for part in robot.built.parts:
            if part.joint == joint and (part.contact or (joint and part.mass_kg)):
                meets: dict[str, Any] = self._against(surface) if part.contact else {"contype": 0, "conaffinity": 0}
                meets["friction"] = [part.friction, 0.005, 0.0001]
                holder, turn = self._apart(body, robot, part.name), self._forms.mounted(part.mount, part.shape)
                mass = 0.0 if weighed else part.mass_kg
                self._add_moving(holder, **self._forms.shape(part.shape), **turn, **meets, mass=mass)

    def _apart(self, body: Any, robot: PlacedRobot, name: str) -> Any:
        """Return a body for one part: the carrying body, or a separate one if the part has collision exclusions."""
        if not any(name in pair or ALL in pair for pair in robot.built.passing):
            return body
        return body.add_body(name=f"{robot.name}/{name}")

    def _contact_wheels(self, body: Any, row: int, robot: PlacedRobot, chassis: Chassis) -> None:
        model, wheels = robot.built, wheels_of(robot.built)
        refuse_rollers(robot, wheels)
        mass, meets = wheel_mass(chassis), {**_meets(model.surface), "solref": self._contact}
        body.mass -= mass * len(wheels)
        for castor in castors_of(model):
            body.add_geom(**castor_shape(self._mj, castor), **meets)
        rows = wheel_rows(model, self._scene.gravity_m_s2, self._spec.option.timestep)
        if isinstance(model.drive, Skid):  # the integrator that suits slipping wheels
            self._spec.option.integrator = self._mj.mjtIntegrator.mjINT_DISCRETE
        for wheel, mine in zip(wheels, rows):
            child, rolling = add_wheel(self._spec, self._mj, body, wheel, mine, mass, model.drive.max_m_s)
            shape = tyre_shape(self._mj, wheel, mine, self._scene.ground.friction)
            child.add_geom(**shape, **meets)
            self._rolling.setdefault(row, []).append(rolling)

    def _against(self, surface: Surface) -> dict[str, Any]:
        """Return the contact parameters of a robot's body: low friction, and a gap."""
        return {
            **_meets(surface), "priority": 2, "friction": [_HULL_FRICTION, 0.005, 0.0001], "margin": SKIN_M,
            "gap": NEAR_M, "solref": self._contact,
        }  # fmt: skip

    def _solid(self, body: Any, solid: Solid) -> None:
        if isinstance(solid.shape, Mesh):
            _set_mesh_inertia(body, solid.mass_kg, self._files.mesh(solid.shape))
        for shape in self._forms.shapes(solid):
            self._add_moving(
                body, **shape, **_meets(solid.surface), mass=solid.mass_kg, priority=1,
                friction=[solid.friction, 0.005, 0.0001], solref=self._contact,
            )  # fmt: skip

    def _ball(self, body: Any, ball: Ball) -> None:
        rolling = _ROLLING * ball.rolling_friction * ball.radius_m
        body.add_geom(
            type=self._mj.mjtGeom.mjGEOM_SPHERE, size=[ball.radius_m, 0.0, 0.0],
            **_meets(ball.surface), mass=ball.mass_kg, priority=3, condim=6, friction=[1.0, 0.0, rolling],
            solref=self._contact,
        )  # fmt: skip

    def _add_moving(self, body: Any, **given: Any) -> None:
        """Add a shape of a movable body; a cylinder touches the ground as a prism with many sides.

        MuJoCo's own test of a cylinder against a plane is wrong by millimetres for a tilt of about 1e-15, which every
        upright cylinder has.
        """
        if given["type"] == self._mj.mjtGeom.mjGEOM_CYLINDER and given["conaffinity"] & _GROUND:
            radius, half, _ = given["size"]
            foot = {**given, **self._forms.prism(radius, half), **_GHOST, "mass": 0.0}
            del foot["size"]
            body.add_geom(**foot)
            given["conaffinity"] &= ~_GROUND
        body.add_geom(**given)

    def _add_fixed(self, surface: Surface, **given: Any) -> None:
        self._spec.worldbody.add_geom(**given)
        self._masks.append(layer_mask(surface.seen_by))


def _set_inertia(body: Any, chassis: Chassis, given: Inertia | None) -> None:
    """Set the inertia of a robot: the given one, or that of a box of its size around its centre of gravity."""
    if given is not None:
        set_inertia(body, Heavy(chassis.mass_kg, np.array(chassis.cog_m), rounded_up(given.tensor)))
        return
    x, y, z = (size * size for size in chassis.size_m)
    body.mass, body.ipos = chassis.mass_kg, list(chassis.cog_m)
    body.inertia = [chassis.mass_kg / 12 * part for part in (y + z, x + z, x + y)]
    body.explicitinertial = True


def _set_mesh_inertia(body: Any, mass_kg: float, triangles: Triangles) -> None:
    """Set the inertia of a closed mesh; for open meshes that of their hulls."""
    volume = triangles.volume_m3
    if not triangles.closed or volume <= 0.0:
        return
    whole = triangles.inertia_m5 * (mass_kg / volume)
    body.mass, body.ipos, body.explicitinertial = mass_kg, triangles.centre_m, True
    body.fullinertia = [*np.diag(whole), whole[0, 1], whole[0, 2], whole[1, 2]]


def _passing(model: RobotModel) -> set[tuple[str, str]]:
    """Return the pairs of parts of a robot that never collide, each once."""
    every = [HULL, *(part.name for part in model.parts if part.contact or (part.joint and part.mass_kg))]
    pairs = [[every if name == ALL else [name] for name in pair] for pair in model.passing]
    found = {(min(a, b), max(a, b)) for left, right in pairs for a in left for b in right if a != b}
    return {pair for pair in found if set(pair) <= set(every)}


def _meets(surface: Surface) -> dict[str, Any]:
    """Return the collision bits of a movable thing: everything, or only the ground."""
    return {"contype": _THINGS, "conaffinity": _GROUND | _THINGS} if surface.obstacle else _GHOST


_GHOST = {"contype": 0, "conaffinity": _GROUND}


def offset_of(mover: Mover) -> Triple:
    """Return the offset of MuJoCo's frame from a thing's pose: its centre; zero for a robot (m)."""
    if isinstance(mover, PlacedRobot):
        return 0.0, 0.0, 0.0
    return 0.0, 0.0, mover.radius_m if isinstance(mover, Ball) else half_height(mover.shape)


def reach_of(mover: Mover) -> float:
    """Return the approximate radius of a thing's footprint; 0 if it has none (m)."""
    if isinstance(mover, PlacedRobot):
        return 0.7 * mover.built.body.reach_m()
    shape = mover.shape if isinstance(mover, Solid) else None
    if isinstance(shape, Box):
        return max(shape.size_m[:2]) / 2
    return shape.radius_m if isinstance(shape, Cylinder | Cone) else 0.0
