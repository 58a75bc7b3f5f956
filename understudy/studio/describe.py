"""The description of a scene for browsers, as plain values for JSON; moving parts are updated by frames.

Bodies are numbered as the poses in frames: robots in the engine's rows, then other movable things, then joints.
"""

from __future__ import annotations

import base64
import logging
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.assets import figures
from understudy.assets.library import Library
from understudy.errors import FormatError, UnderstudyError
from understudy.sim.view import RayDevices, View
from understudy.studio.gallery import Gallery
from understudy.world import walls
from understudy.world.face_textures import NO_PICTURE, bare
from understudy.world.joints import ordered
from understudy.world.looks import Figure, FigureModel, Look, LookShape, Prism, Triple
from understudy.world.marks import Mark
from understudy.world.robot import Body, Circle, DeviceSpec, DriveSpec, PlacedRobot, Rectangle
from understudy.world.rotations import joined
from understudy.world.scene import Ball, Ground, Light, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Pose, Shape, Sphere
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles
from understudy.world.vehicle import BodyPart, Wheel

log = logging.getLogger(__name__)
Plain = dict[str, Any]
SCANNERS = ((0.14, "puck"), (0.25, "urg-04lx"), (math.inf, "lms200"))  # by the reach of a robot (m)
MOST_CORNERS = 200  # of a wall whose corners can be dragged
MOST_HEIGHTS = 400  # grid points along each side of a terrain
PLAIN = (1.0, 1.0, 1.0)


class ShapeTable:
    """The shapes of a scene as plain values; a mesh is sent once, however many things use it."""

    def __init__(self, library: Library) -> None:
        self.meshes: list[Plain] = []
        self.library = library
        self.figures: dict[str, Plain] = {}
        self._known: dict[tuple[Mesh, Triple], Plain] = {}

    def figure(self, name: str) -> str:
        """Note that a figure is used; returns its name. Raises UnknownName."""
        if name and name not in self.figures:
            self.figures[name] = _figure(figures.figure(name), self)
        return name

    def shape(self, shape: Shape | LookShape, stretch: Triple = PLAIN) -> Plain:
        """Return a shape; a mesh refers to its row among the meshes. Raises FormatError for a missing file."""
        if isinstance(shape, Mesh):
            if (shape, stretch) not in self._known:
                self._known[shape, stretch] = self._mesh(shape, stretch)
            return self._known[shape, stretch]
        if isinstance(shape, Figure):
            return {"kind": "figure", "figure": self.figure(shape.name)}
        plain = _solid(shape)
        return plain if stretch == PLAIN else {**plain, "stretch": [abs(factor) for factor in stretch]}

    def _mesh(self, shape: Mesh, stretch: Triple) -> Plain:
        body = self.library.mesh(shape)
        if stretch != PLAIN:
            body = body.moved(np.diag(stretch), np.zeros(3))
        low, high = body.bounds_m
        size = [float(b - a) for a, b in zip(low, high)]
        self.meshes.append(_triangles(body))
        return {"kind": "mesh", "file": shape.file, "size": size, "low": low.tolist(), "mesh": len(self.meshes) - 1}


def description(view: View, epoch: int, gallery: Gallery | None = None) -> Plain:
    """Return the whole scene of a run; the textures that it names are kept in the *gallery*."""
    library, gallery = view.files, gallery or Gallery()
    gallery.begin()
    scene, forms = view.scene(), ShapeTable(library)
    movable, _ = view.movables()
    things: tuple[Solid | Ball, ...] = (*scene.objects, *scene.balls)
    loose = {thing.name: thing for thing in things}
    return {
        "kind": "scene", "epoch": epoch, "name": scene.name, "engine": scene.engine, "tick_us": scene.tick_us,
        "ground": _ground(scene.ground, library, gallery),
        "walls": [_wall(wall, library, gallery) for wall in scene.walls],
        "fixed": [_thing(solid, forms, gallery) for solid in scene.objects if solid.name not in movable],
        "bodies": [_robot(robot, forms, first) for robot, first in zip(scene.robots, _first_limbs(view))]
        + [_thing(loose[name], forms, gallery) for name in movable],
        "lights": [_light(light) for light in scene.lights],
        "marks": [_mark(mark) for mark in scene.marks],
        "beams": [_beams(group, view) for group in view.ray_groups()],
        "bounds": bounds(scene), "meshes": forms.meshes, "figures": forms.figures,
    }  # fmt: skip


def bounds(scene: Scene) -> list[float]:
    """Return the bounding rectangle of the walls, or of the ground without walls: x, y of two corners (m)."""
    (x, y), (wide, deep) = scene.ground.center_m, scene.ground.size_m
    rows = [walls.pieces(wall).reshape(-1, 2) for wall in scene.walls]
    ends = np.concatenate([row for row in rows if len(row)] or [np.zeros((0, 2))])
    if len(ends) == 0:
        return [x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2]
    return [*ends.min(axis=0).tolist(), *ends.max(axis=0).tolist()]


def packed(rows: npt.NDArray[np.float64]) -> str:
    """Return numbers as 32-bit floats in base 64, which a browser reads fastest."""
    return base64.b64encode(np.ascontiguousarray(rows, "<f4").tobytes()).decode("ascii")


def _ground(ground: Ground, library: Library, gallery: Gallery) -> Plain:
    plain = {"size": ground.size_m, "center": ground.center_m, "colour": ground.colour, "picture": ground.picture}
    mesh, terrain = library.ground_mesh(ground), library.terrain(ground)
    if mesh is not None:
        return {**plain, "mesh": _textures(mesh, gallery)}
    return plain if terrain is None else {**plain, "terrain": _terrain(terrain)}


def _terrain(terrain: Terrain) -> Plain:
    """Return heights on a grid, downsampled to what a browser can draw."""
    stride = max(1, math.ceil(max(terrain.heights.shape) / MOST_HEIGHTS))
    heights = terrain.heights[::stride, ::stride]
    return {
        "rows": heights.shape[0], "columns": heights.shape[1], "heights": packed(heights.astype(np.float64)),
        "corner": [terrain.x0_m, terrain.y0_m], "step": [terrain.step_x_m * stride, terrain.step_y_m * stride],
    }  # fmt: skip


def _triangles(body: Triangles) -> Plain:
    """Return the corners of every face, and their colours if the file has any."""
    colours = np.repeat(body.colours / 255.0, 3, axis=0) if len(body.colours) else np.zeros((0, 3))
    return {"corners": packed(body.corners.reshape(-1, 3)), "colours": packed(colours)}


def _textures(body: Triangles, gallery: Gallery) -> Plain:
    """Return triangles grouped by texture, with the number of corners and the name of each texture."""
    textures = body.textures or bare(len(body.faces))
    order = np.argsort(textures.which, kind="stable")
    colours = body.colours[order] if len(body.colours) else body.colours
    rows, counts = np.unique(textures.which, return_counts=True)
    return {
        **_triangles(Triangles(body.vertices, body.faces[order], colours)),
        "places": packed(np.nan_to_num(textures.places[order].reshape(-1, 2))),
        "parts": [
            [3 * count, "" if row == NO_PICTURE else gallery.keep(textures.files[row])]
            for row, count in zip(rows.tolist(), counts.tolist())
        ],
    }


def _texture_fields(thing: Wall | Solid, library: Library, gallery: Gallery) -> Plain:
    """Return the textured triangles of a thing; empty without textures or if they cannot be read."""
    try:
        body = library.textured(thing)
    except FormatError as problem:
        log.warning("%s", problem)
        return {}
    return {} if body is None else {"textures": _textures(body, gallery)}


def _wall(wall: Wall, library: Library, gallery: Gallery) -> Plain:
    return {
        "name": wall.name, "colour": wall.colour, "height": wall.height_m, "thickness": wall.thickness_m,
        "pieces": packed(walls.pieces(wall)), "closed": wall.closed,
        "points": wall.points_m if len(wall.points_m) <= MOST_CORNERS else (),
        **_texture_fields(wall, library, gallery),
    }  # fmt: skip


def _thing(thing: Solid | Ball, forms: ShapeTable, gallery: Gallery) -> Plain:
    shape = thing.shape if isinstance(thing, Solid) else Sphere(thing.radius_m)
    looks = _texture_fields(thing, forms.library, gallery) if isinstance(thing, Solid) else {}
    return {
        "name": thing.name, "what": "object" if isinstance(thing, Solid) else "ball", "colour": thing.colour,
        "shape": forms.shape(shape), "pose": _pose(thing.pose), "mass": thing.mass_kg, **looks,
        "figure": forms.figure(thing.look) if isinstance(thing, Solid) and thing.look in figures.names() else "",
    }  # fmt: skip


def _solid(shape: Box | Sphere | Cylinder | Cone | Prism) -> Plain:
    if isinstance(shape, Box):
        return {"kind": "box", "size": shape.size_m}
    if isinstance(shape, Sphere):
        return {"kind": "sphere", "radius": shape.radius_m}
    if isinstance(shape, Prism):
        return {"kind": "prism", "points": shape.points_m, "height": shape.height_m}
    return {"kind": shape.kind, "radius": shape.radius_m, "height": shape.height_m}


def _pose(pose: Pose) -> list[float]:
    return [pose.x_m, pose.y_m, pose.z_m, pose.roll_rad, pose.pitch_rad, pose.heading_rad]


def _first_limbs(view: View) -> list[int]:
    """Return for each robot the index of its first joint among the poses of frames, where joints come last."""
    bodies = len(view.robots) + len(view.movables()[0])
    return [bodies, *(bodies + np.cumsum([len(robot.built.joints) for robot in view.robots])).tolist()][:-1]


def _joint_numbers(robot: PlacedRobot) -> dict[str, int]:
    """Return the joint numbers of a robot by name; parts that are not on a joint have -1."""
    return {"": -1} | {joint.name: number for number, joint in enumerate(ordered(robot.built.joints))}


def _robot(robot: PlacedRobot, forms: ShapeTable, limbs: int) -> Plain:
    built, joints = robot.built, _joint_numbers(robot)
    return {
        "name": robot.name, "label": robot.label or robot.name, "what": "robot", "colour": robot.colour,
        "model": robot.model, "summary": built.summary, "shape": _body(built.body), "pose": _pose(robot.pose),
        "drive": built.drive.kind, "track": built.drive.track_m, "wheel": built.drive.wheel_radius_m,
        "devices": [_device(device, joints) for device in built.devices], "reach": built.body.reach_m(),
        "wheels": [_wheel(wheel, built.drive) for wheel in built.wheels],
        "castors": [{"at": [castor.x_m, castor.y_m], "radius": castor.radius_m} for castor in built.castors],
        "parts": [_part(part, forms, joints) for part in built.parts], "looks": _looks(robot, forms, joints),
        "limbs": limbs, "joints": len(built.joints),
        "program": robot.program.title if robot.program else "",
    }  # fmt: skip


def _body(body: Body) -> Plain:
    if isinstance(body, Circle):
        return {"kind": "cylinder", "radius": body.radius_m, "height": body.height_m}
    if isinstance(body, Rectangle):
        x, y = body.length_m / 2, body.width_m / 2
        points = [(x, y), (-x, y), (-x, -y), (x, -y)]
        return {"kind": "prism", "points": [(px + body.offset_x_m, py) for px, py in points], "height": body.height_m}
    return {"kind": "prism", "points": body.points_m, "height": body.height_m}


def _device(device: DeviceSpec, joints: dict[str, int]) -> Plain:
    return {
        "name": device.name, "kind": device.sheet.kind, "model": device.model, "mount": _mount(device.mount),
        "joint": joints[device.joint],
    }  # fmt: skip


def _mount(mount: Mount) -> list[float]:
    return [mount.x_m, mount.y_m, mount.z_m, mount.roll_rad, mount.pitch_rad, mount.yaw_rad]


def _wheel(wheel: Wheel, drive: DriveSpec) -> Plain:
    radius = wheel.radius_m or drive.wheel_radius_m
    return {
        "name": wheel.name, "at": [wheel.x_m, wheel.y_m, wheel.z_m or radius], "radius": radius,
        "width": wheel.width_m, "steered": wheel.steered, "roller": wheel.roller_rad,
    }  # fmt: skip


def _part(part: BodyPart, forms: ShapeTable, joints: dict[str, int]) -> Plain:
    return {
        "shape": forms.shape(part.shape), "mount": _mount(part.mount), "colour": part.colour, "contact": part.contact,
        "joint": joints[part.joint],
    }  # fmt: skip


def _looks(robot: PlacedRobot, forms: ShapeTable, joints: dict[str, int]) -> list[Plain]:
    """Return the looks of a robot; one whose file cannot be read is skipped, because the robot runs without it."""
    found: list[Plain] = []
    for look in (*robot.built.looks, *_scanners(robot)):
        try:
            found.append({**_look(look, forms), "joint": joints[look.joint]})
        except UnderstudyError as problem:
            log.warning("%s: look %s is not drawn: %s", robot.name, look.name, problem)
    return found


def _look(look: Look, forms: ShapeTable) -> Plain:
    shape = forms.shape(look.shape, look.stretch)
    if look.round_m:
        shape = {**shape, "round": look.round_m}
    places = [_mount(joined(look.mount, mount)) for mount in figures.mounts(look)]
    return {
        "name": look.name, "shape": shape, "mounts": places, "colour": look.colour, "material": look.material,
        "wheel": look.wheel,
    }  # fmt: skip


def _figure(model: FigureModel, forms: ShapeTable) -> Plain:
    return {
        "size": model.size_m, "open": model.open, "far": model.far,
        "reach": max(map(figures.extent_m, model.looks), default=1.0) / 2,
        "axles": {axle.name: [axle.x_m, axle.y_m, axle.z_m] for axle in model.axles},
        "parts": [_look(look, forms) for look in model.looks],
    }  # fmt: skip


def _scanners(robot: PlacedRobot) -> Iterator[Look]:
    """Yield the laser scanners of a robot that is drawn by a figure; a look with the device's name replaces one."""
    if not any(isinstance(look.shape, Figure) for look in robot.built.looks):
        return
    own = {look.name for look in robot.built.looks}
    for device in robot.built.devices:
        if device.sheet.kind == "laser" and device.name not in own:
            name = device.model if device.model in figures.names() else _scanner(robot)
            yield Look(name=device.name, shape=Figure(name), mount=device.mount, joint=device.joint)


def _scanner(robot: PlacedRobot) -> str:
    return next(name for reach_m, name in SCANNERS if robot.built.body.reach_m() < reach_m)


def _carriers(group: RayDevices, view: View) -> dict[int, int]:
    """Return for each robot the index of the pose that carries its devices of a group; empty if it is the robot's."""
    if not group.joint:
        return {}
    first = len(view.robots) + len(view.movables()[0])
    joints = {path: first + row for row, path in enumerate(view.joints())}
    return {row: joints[f"{view.robots[row].name}/{group.joint}"] for row in group.rows.tolist()}


def _light(light: Light) -> Plain:
    return {"name": light.name, "style": light.style, "pose": _pose(light.pose), "colour": light.colour}


def _mark(mark: Mark) -> Plain:
    return {
        "name": mark.name,
        "label": mark.tag.label or mark.name,
        "what": mark.tag.type,
        "line": mark.line_m,
        "size": mark.size_m,
        "pose": _pose(mark.pose),
    }


def _beams(group: RayDevices, view: View) -> Plain:
    """Return the rays of the devices of a group, in the frames that carry them: one for each reported value."""
    table, values = group.table, view.ranges(group, [0]).size
    origins = table.origins.reshape(values, -1, 3)
    ways = table.directions.reshape(values, -1, 3)
    middle = ways.mean(axis=1)
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    spread = 2.0 * np.arccos(np.clip((ways * middle[:, None]).sum(axis=2).min(axis=1), -1.0, 1.0))
    widths = np.maximum(np.broadcast_to(table.cone_rad, len(table.origins)).reshape(values, -1).max(axis=1), spread)
    return {
        "frames": _carriers(group, view), "slot": group.number, "sensor": group.kind, "paths": group.paths,
        "limit": table.limit_m, "count": values,
        "origins": packed(origins[:, 0]), "ways": packed(middle),
        "widths": packed(np.where(widths > 1e-3, widths, 0.0)),
    }  # fmt: skip
