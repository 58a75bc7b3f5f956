"""A SEAR robot as a robot of a scene: body, wheels on springs, sensors, and the Roomba protocol on its serial port.

Dynamics follow SEAR's game engine: a spring's stiffness is per kilogram of the robot, its damping is a share of
2*sqrt(stiffness), and a wheel hangs below the point where it is attached by the rest length of its spring, less what
the robot's weight compresses it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy import elementary
from understudy.elementary import arrays
from understudy.formats.robot_parts import free_name
from understudy.formats.sear import axes
from understudy.formats.sear.environment import MESH_TURN, depth, mesh_of, shape_of
from understudy.formats.sear.kinds import SENSORS, SearEntry
from understudy.formats.sear.sensors import Fitted, fitted, serial
from understudy.frozen import frozen
from understudy.world.robot import PlacedRobot
from understudy.world.rotations import angles_of
from understudy.world.shapes import Box, Cone, Cylinder, Pose, half_height
from understudy.world.vocabulary import Vocabulary

Table = dict[str, Any]
GRAVITY_M_S2 = 9.81
DRIVER, HOST, WHEELS, BUMPERS = "roomba", "host", "wheel-counts", "bumpers"  # parts that every SEAR robot has
_LEAST_M = 1e-3  # under the body
_USUAL_KG = 5.0
_ONE_AXLE = 0.25  # of a wheel's radius: wheels this close along the robot form one axle


@frozen
class Robot3d:
    """A robot's components, and where its frame lies: ours is on the ground, below the middle of the driven wheels."""

    robot: SearEntry
    dynamics: SearEntry | None
    solids: tuple[SearEntry, ...]
    sensors: tuple[SearEntry, ...]
    ahead_m: float = 0.0  # of our frame's origin in SEAR's
    left_m: float = 0.0
    high_m: float = 0.0  # of SEAR's frame above the ground

    def mount(self, entry: SearEntry, down_m: float = 0.0) -> Table:
        """Return the mount of a component, or of a point below it along its own vertical."""
        at = axes.mount(entry.move, entry.rotate)
        return self._table(np.array([at.x_m, at.y_m, at.z_m]) - axes.turn(entry.rotate)[:, 2] * down_m,
                           (at.roll_rad, at.pitch_rad, at.yaw_rad))  # fmt: skip

    def mesh_mount(self, entry: SearEntry) -> Table:
        """Return the mount of a model."""
        return self._table(
            np.array(axes.ours(*entry.move)), angles_of(arrays.product(axes.turn(entry.rotate), MESH_TURN))
        )

    def _table(self, point: Any, angles: axes.Triple) -> Table:
        x, y, z = (float(c) for c in point - (self.ahead_m, self.left_m, -self.high_m))
        values = {"x_m": x, "y_m": y, "z_m": z, "roll_rad": angles[0], "pitch_rad": angles[1], "yaw_rad": angles[2]}
        return {key: value for key, value in values.items() if value}


def placed(robot: SearEntry, components: Sequence[SearEntry], vocabulary: Vocabulary, name: str) -> PlacedRobot:
    """Return a robot of a scene; raises FormatError that names the component that is wrong."""
    rig = _rig(robot, components)
    table = {"body": _body(rig), "drive": _drive(rig), "dynamics": _dynamics(rig)}
    table |= {key: value for key, value in (("wheel", _wheels(rig)), ("castor", _castors(rig))) if value}
    bodies = _bodies(rig)
    table |= {key: value for key, value in (("part", _parts(rig, bodies)), ("look", _looks(rig))) if value}
    table |= _electronics(rig, vocabulary)
    return PlacedRobot(name, label=robot.name, place=_place(rig), overrides=table)


def _rig(robot: SearEntry, components: Sequence[SearEntry]) -> Robot3d:
    dynamics = [entry for entry in components if entry.kind == "dynamics"]
    if len(dynamics) > 1:
        raise dynamics[1].problem(f"robot {robot.name!r} has its dynamics already, {dynamics[0].name!r}; remove one")
    solids = tuple(entry for entry in components if entry.kind in ("box", "cylinder", "cone", "model"))
    sensors = tuple(entry for entry in components if entry.kind in SENSORS)
    rig = Robot3d(robot, dynamics[0] if dynamics else None, solids, sensors)
    driven = [wheel for wheel in robot.wheels if wheel["driven"]]
    ahead = float(np.mean([wheel.move[2] for wheel in driven])) if driven else 0.0
    left = float(np.mean([wheel.move[0] for wheel in driven])) if driven else 0.0
    return dataclasses.replace(rig, ahead_m=ahead, left_m=left, high_m=_high(rig))


def _sag(rig: Robot3d) -> float:
    """Return how far the robot's weight compresses its springs (m), at most their whole length."""
    if rig.dynamics is None or not rig.robot.wheels:
        return 0.0
    stiff, length = rig.dynamics["stiffness"], rig.dynamics["rest_length"]
    return float(min(length, GRAVITY_M_S2 / (stiff * len(rig.robot.wheels)))) if stiff else 0.0


def _high(rig: Robot3d) -> float:
    """Return the height of SEAR's frame above level ground when the robot stands on its wheels or on its body."""
    if rig.robot.wheels:
        rest = rig.dynamics["rest_length"] if rig.dynamics else 0.0
        axle = max(wheel["radius"] * wheel.scale[1] - wheel.move[1] for wheel in rig.robot.wheels)
        return float(axle + rest - _sag(rig))
    lows = [depth(shape_of(e), axes.turn(e.rotate)) - e.move[1] for e in rig.solids if e.kind != "model"]
    return max(lows, default=0.0)


def _place(rig: Robot3d) -> Pose:
    """Return the start pose; a robot whose wheels would be in the ground stands on it."""
    start = rig.dynamics
    if start is None:
        return Pose(rig.ahead_m, rig.left_m)
    rotate = start["pitch"], start["yaw"], start["roll"]
    turn = axes.turn(rotate)
    roll, pitch, yaw = axes.angles(rotate, turn)
    here = np.array(axes.ours(start["x"], start["y"], start["z"]))
    x, y, z = (float(c) for c in here + arrays.product(turn, [rig.ahead_m, rig.left_m, -rig.high_m]))
    return Pose(x, y, max(z, 0.0), yaw, pitch, roll)


# ---- wheels


def _drive(rig: Robot3d) -> Table:
    driven = [wheel for wheel in rig.robot.wheels if wheel["driven"]]
    if not driven:
        return {"kind": "none", "bolted": False}
    left = [w.move[0] - rig.left_m for w in driven if w.move[0] > rig.left_m]
    right = [rig.left_m - w.move[0] for w in driven if w.move[0] < rig.left_m]
    if not left or not right:
        raise rig.robot.problem("driven wheels are needed on both sides: move one to +x (left), one to -x (right)")
    track = float(np.mean(left) + np.mean(right))
    radius = driven[0]["radius"] * driven[0].scale[1]
    along = [wheel.move[2] for wheel in driven]
    kind = "differential" if max(along) - min(along) <= _ONE_AXLE * radius else "skid"
    speed = rig.dynamics["max_speed"] if rig.dynamics else 0.5
    return {"kind": kind, "track_m": track, "wheel_radius_m": radius, "max_m_s": speed, "max_rad_s": 2 * speed / track}


def _rolls(rig: Robot3d, wheel: SearEntry) -> bool:
    """Return whether a wheel rolls on a fixed axle: a driven one, or one in line with those; others swivel."""
    driven = [each for each in rig.robot.wheels if each["driven"]]
    near = _ONE_AXLE * wheel["radius"]
    return bool(wheel["driven"]) or any(abs(wheel.move[2] - each.move[2]) <= near for each in driven)


def _spring(rig: Robot3d) -> Table:
    given = rig.dynamics
    if given is None or not given["stiffness"]:
        return {}
    damping = (given["compression"] + given["damping"]) / 2 * 2 * math.sqrt(given["stiffness"])
    travel = given["rest_length"] - _sag(rig)
    spring = {"stiffness_n_m": given["stiffness"] * given["mass"], "damping_n_s_m": damping * given["mass"],
              "max_n": given["max_force"]}  # fmt: skip
    return {"suspension": {**spring, **({"compression_m": travel} if travel > 0.0 else {})}}


def _wheels(rig: Robot3d) -> Table:
    taken: set[str] = set()
    found = {}
    for wheel in rig.robot.wheels:
        if _rolls(rig, wheel):
            radius = wheel["radius"] * wheel.scale[1]
            found[free_name(wheel.name, "wheel", taken)] = {
                "x_m": wheel.move[2] - rig.ahead_m, "y_m": wheel.move[0] - rig.left_m, "radius_m": radius,
                "width_m": wheel["width"] * wheel.scale[0], "driven": wheel["driven"], **_spring(rig),
            }  # fmt: skip
    return found


def _castors(rig: Robot3d) -> Table:
    taken: set[str] = set()
    return {
        free_name(wheel.name, "castor", taken): {
            "x_m": wheel.move[2] - rig.ahead_m, "y_m": wheel.move[0] - rig.left_m, "radius_m": wheel["radius"],
            **_spring(rig),
        }
        for wheel in rig.robot.wheels
        if not _rolls(rig, wheel)
    }  # fmt: skip


# ---- body


def _main(rig: Robot3d) -> SearEntry | None:
    """Return the component that is the body: the first upright cylinder about the middle, or box across it."""
    for entry in rig.solids:
        level = entry.rotate[0] == 0.0 and entry.rotate[2] == 0.0
        centred = abs(entry.move[0] - rig.left_m) < _LEAST_M
        if entry.kind == "cylinder" and level and centred and abs(entry.move[2] - rig.ahead_m) < _LEAST_M:
            return entry
        if entry.kind == "box" and entry.rotate == (0.0, 0.0, 0.0) and centred:
            return entry
    return None


def _bodies(rig: Robot3d) -> tuple[SearEntry, ...]:
    """Return the solid components that are not the body."""
    main = _main(rig)
    return tuple(entry for entry in rig.solids if entry is not main and entry.kind != "model")


def _body(rig: Robot3d) -> Table:
    main = _main(rig)
    if main is None:
        return _stand_in(rig)
    shape, top = shape_of(main), rig.high_m + main.move[1]
    mass = main["mass"] or (rig.dynamics["mass"] if rig.dynamics else _USUAL_KG)
    if isinstance(shape, Box):
        length, width, height = shape.size_m
        outline = {"shape": "box", "length_m": length, "width_m": width, "offset_x_m": main.move[2] - rig.ahead_m}
    else:
        height = shape.height_m
        outline = {"shape": "circle", "radius_m": shape.radius_m}
    return {**outline, "height_m": max(top + height / 2, 2 * _LEAST_M), "mass_kg": mass}


def _stand_in(rig: Robot3d) -> Table:
    """Return a body between the wheels for a robot whose parts are all beside the middle, at an angle, or meshes."""
    reach = max(
        (elementary.hypot(w.move[0] - rig.left_m, w.move[2] - rig.ahead_m) for w in rig.robot.wheels), default=0.1
    )
    mass = rig.dynamics["mass"] if rig.dynamics else _USUAL_KG
    return {"shape": "circle", "radius_m": max(reach, 0.01), "height_m": max(rig.high_m, 0.02), "mass_kg": mass}


def _dynamics(rig: Robot3d) -> Table:
    main, table = _main(rig), {}
    if rig.dynamics is not None:
        table["mass_kg"] = rig.dynamics["mass"]
        table["cog_m"] = [-rig.ahead_m, -rig.left_m, rig.high_m]
    if main is not None and rig.robot.wheels:
        low = rig.high_m + main.move[1] - half_height(shape_of(main))
        table["clearance_m"] = max(low, _LEAST_M)
    return table


def _parts(rig: Robot3d, bodies: Sequence[SearEntry]) -> Table:
    taken = {"body"}
    found = {}
    for entry in bodies:
        shape = shape_of(entry)
        found[free_name(entry.name, "part", taken)] = {
            "shape": _shape_table(shape), "mount": rig.mount(entry, half_height(shape)), "mass_kg": entry["mass"],
        }  # fmt: skip
    return found


def _shape_table(shape: Box | Cylinder | Cone) -> Table:
    if isinstance(shape, Box):
        return {"kind": "box", "size_m": list(shape.size_m)}
    return {"kind": shape.kind, "radius_m": shape.radius_m, "height_m": shape.height_m}


def _looks(rig: Robot3d) -> Table:
    taken: set[str] = set()
    found: Table = {}
    for entry in rig.solids:
        if entry.kind == "model":
            mesh = mesh_of(entry)
            found[free_name(entry.name, "look", taken)] = {
                "shape": {"kind": "mesh", "file": mesh.file, "scale": mesh.scale, "up": "y"},
                "mount": rig.mesh_mount(entry),
            }  # fmt: skip
    return found


# ---- electronics


def device_names(sensors: Sequence[SearEntry]) -> dict[str, str]:
    """Return the device of each sensor, by the name that the user gave it."""
    taken = {WHEELS, BUMPERS}
    return {entry.name: free_name(entry.name, entry.kind, taken) for entry in sensors}


def _electronics(rig: Robot3d, vocabulary: Vocabulary) -> Table:
    devices: Table = {}
    units: Table = {}
    ports: Table = {}
    for entry, name in zip(rig.sensors, device_names(rig.sensors).values()):
        found: Fitted = fitted(entry, name, vocabulary)
        mount = rig.mount(entry)
        devices[name] = {**found.device, **({"mount": mount} if mount else {})}
        if found.unit and found.port:
            units[name], ports[name] = found.unit, found.port
    if any(wheel["driven"] for wheel in rig.robot.wheels):
        devices |= {WHEELS: {"kind": "encoders"}, BUMPERS: {"kind": "bumper"}}
        speed = rig.dynamics["max_speed"] if rig.dynamics else 0.5
        uses = {"wheels": WHEELS, "bumpers": BUMPERS}
        units[DRIVER] = {"kind": "roomba", "generation": "create1", "max_m_s": speed, "uses": uses}
        if rig.dynamics and (port := serial(rig.dynamics, DRIVER, "roomba_oi")):
            ports[HOST] = port
    return {key: table for key, table in (("device", devices), ("unit", units), ("port", ports)) if table}
