"""Checks across the parts of a flat scene: every error at once, as key paths and messages without lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from understudy.errors import LinkError, excerpt, nearest
from understudy.links import url
from understudy.links.url import LinkUrl
from understudy.world import events, extent, inertia, joints, outlines, outputs
from understudy.world.inertia import Inertia
from understudy.world.limits import FINDINGS
from understudy.world.looks import Figure
from understudy.world.records import Finding, KeyPath
from understudy.world.robot import AnyPort, DeviceSpec, PlacedRobot, Polygon, Port, RobotModel, ScenePort, UnitSpec
from understudy.world.rules import fields_of, key_of, kind_of
from understudy.world.scene import COLLECTIONS, THING_KEYS, Scene, SceneEvent, Wall
from understudy.world.shapes import GeoPose, Pose
from understudy.world.vehicle import ALL, BODY
from understudy.world.vocabulary import Vocabulary

_PLACE_KEYS = [key_of(field) for field in (*fields_of(Pose), *fields_of(GeoPose))]


def validate(scene: Scene, vocabulary: Vocabulary, overlaps_too: bool = True) -> list[Finding]:
    """Return all errors in a flat scene; robots without parts are skipped."""
    wrong = [Finding(path, text, elsewhere=(path[:2],)) for path, text in extent.wrong_numbers(scene)]
    found = chain(
        wrong,
        _engine(scene, vocabulary),
        _names(scene),
        _walls(scene),
        _marks(scene),
        _lights(scene),
        _ready_looks(scene, vocabulary),
        *(_robot(robot, ("robot", i), scene.tick_us, vocabulary) for i, robot in enumerate(scene.robots)),
        *(_scene_port(port, vocabulary) for port in scene.ports),
        _tcp_ports(scene),
        events.findings(scene),
        *(_brought(event, ("event", i), scene.tick_us, vocabulary) for i, event in enumerate(scene.events)),
        overlaps(scene) if overlaps_too and not wrong else (),
    )
    return list(islice(found, FINDINGS))


# ---- the scene


def _engine(scene: Scene, vocabulary: Vocabulary) -> Iterator[Finding]:
    if scene.engine not in vocabulary.engines:
        known = nearest(scene.engine, vocabulary.engines)
        yield Finding(("engine",), f"no such engine {excerpt(scene.engine)} {known}")


def _names(scene: Scene) -> Iterator[Finding]:
    taken: dict[str, str] = {}
    for path, name, noun in _named(scene):
        if name in taken:
            yield Finding((*path, "name"), f"{name!r} is already the name of a {taken[name]}; names must be unique")
        taken.setdefault(name, noun)
    for port in scene.ports:
        if port.name in taken:
            text = f"{port.name!r} is already the name of a {taken[port.name]}; names must be unique"
            yield Finding(("port", port.name), text)


def _named(scene: Scene) -> Iterator[tuple[KeyPath, str, str]]:
    for cls, collection in COLLECTIONS.items():
        for index, thing in enumerate(getattr(scene, collection)):
            yield (THING_KEYS[cls], index), thing.name, THING_KEYS[cls]


def _walls(scene: Scene) -> Iterator[Finding]:
    for index, wall in enumerate(scene.walls):
        path: KeyPath = ("wall", index, "points_m")
        fewest = 3 if wall.closed else 2
        if not wall.points_m and not wall.closed and (wall.pieces_m or wall.dots_m):
            continue
        if len(wall.points_m) < fewest:
            noun = "a closed wall" if wall.closed else "a wall"
            yield Finding(path, f"{noun} needs at least {fewest} points, got {len(wall.points_m)}")
        else:
            yield from _lengths(wall, path)


def _lengths(wall: Wall, path: KeyPath) -> Iterator[Finding]:
    for i, (a, b) in enumerate(pairwise(wall.points_m)):
        if a == b:
            yield Finding((*path, i + 1), "the same point as the one before it; remove one of them")
    if wall.closed and wall.points_m[0] == wall.points_m[-1]:
        last = len(wall.points_m) - 1
        yield Finding((*path, last), "the same point as the first; closed = true joins them, so remove it")


def _marks(scene: Scene) -> Iterator[Finding]:
    for index, mark in enumerate(scene.marks):
        if mark.size_m and mark.line_m:
            yield Finding(("mark", index, "line_m"), "a mark is either an area or a line; remove one of them")


def _lights(scene: Scene) -> Iterator[Finding]:
    """Yield rotations of lights that have no effect."""
    for index, light in enumerate(scene.lights):
        sun = light.style == "sun"
        if sun and light.beam_rad < math.tau:
            yield Finding(("light", index, "beam_rad"), "the sun has no beam; remove this key")
        for name in ("heading_rad", "pitch_rad", "roll_rad"):
            useless = sun or light.beam_rad == math.tau or name == "roll_rad"
            if getattr(light.pose, name) and useless:
                yield Finding(("light", index, name), _SUN_TURN if sun else _TURN[name == "roll_rad"])


def _ready_looks(scene: Scene, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield looks of objects and robots that the catalogue does not have."""
    for index, solid in enumerate(scene.objects):
        if solid.look and (wrong := _no_figure(solid.look, vocabulary)):
            yield Finding(("object", index, "look"), wrong)
    for index, robot in enumerate(scene.robots):
        for look in robot.parts.looks if robot.parts else ():
            if isinstance(look.shape, Figure) and (wrong := _no_figure(look.shape.name, vocabulary)):
                path = ("robot", index, "look", look.name)
                yield Finding((*path, "shape", "name"), wrong, elsewhere=((*path, "shape"), path, path[:2]))


def _no_figure(name: str, vocabulary: Vocabulary) -> str:
    """Return what is wrong with the name of a ready look; empty if it is known, or nothing is known about looks."""
    known = not vocabulary.figures or name in vocabulary.figures
    return "" if known else f"no such look {excerpt(name)} {nearest(name, vocabulary.figures)}"


_SUN_TURN = "the sun shines from the direction of its position; its orientation has no effect, remove this key"
_TURN = (
    "a lamp without a beam shines in all directions; give it a beam_deg, or remove this key",
    "a beam is round, so roll has no effect; remove this key",
)

# ---- events


def _brought(event: SceneEvent, path: KeyPath, tick_us: int, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield what is wrong with the thing that an event brings."""
    found = events.thing_of(event)
    if found is None:
        return
    inside = (*path, found[0])
    if isinstance(found[1], PlacedRobot):
        yield from _robot(found[1], inside, tick_us, vocabulary)
        return
    alone = next(events.brought_scenes(Scene(events=(event,))))
    for finding in chain(_walls(alone), _marks(alone), _lights(alone)):
        yield Finding((*inside, *finding.path[2:]), finding.text, elsewhere=(inside, path))


# ---- one robot


def _robot(robot: PlacedRobot, path: KeyPath, tick_us: int, vocabulary: Vocabulary) -> Iterator[Finding]:
    if robot.parts is None:
        return
    parts = robot.parts
    if isinstance(parts.body, Polygon) and (wrong := outlines.polygon_error(parts.body.points_m)):
        yield Finding((*path, "body", "points_m"), wrong, needs=((*path, "body"),))
    devices = {device.name: device for device in parts.devices}
    units = {unit.name: unit for unit in parts.units}
    for device in parts.devices:
        yield from _period(device, robot.name, (*path, "device", device.name), path, tick_us)
        yield from _sheet(device, (*path, "device", device.name), path)
        yield from _needs_joint(device, (*path, "device", device.name))
    yield from _joints(parts, path)
    yield from _inertias(parts, path)
    for unit in parts.units:
        yield from _uses(unit, devices, path)
    yield from _outputs(parts, path)
    yield from _drivers(parts.units, path)
    yield from _drive_stages(parts, path)
    for port in parts.ports:
        yield from _port(port, units, path, vocabulary)
    if robot.program and (wrong := vocabulary.program_problem(robot)):
        key = "file" if robot.program.file else "command"
        yield Finding((*path, "program", key), wrong, elsewhere=((*path, "program"), path))


def _period(device: DeviceSpec, robot: str, path: KeyPath, robot_path: KeyPath, tick_us: int) -> Iterator[Finding]:
    period_us = device.sheet.period_us
    if 0 < period_us < tick_us:  # 0: at every tick
        yield Finding(
            (*path, "period_us"),
            f"the period of {robot}/{device.name}, {_ms(period_us)}, is shorter than the tick, {_ms(tick_us)}; "
            f"want a period of at least {_ms(tick_us)} or tick_ms = {period_us / 1000:g}",
            needs=(("tick_us",),),
            elsewhere=(("tick_us",), robot_path),
        )


def _sheet(device: DeviceSpec, path: KeyPath, robot_path: KeyPath) -> Iterator[Finding]:
    """Yield a data sheet's own errors about values that do not fit together."""
    for key, text in device.sheet.findings():
        yield Finding((*path, key), text, elsewhere=(path, robot_path))


def _joints(model: RobotModel, path: KeyPath) -> Iterator[Finding]:
    """Yield the errors in joints, in what they carry, and in the pairs that never collide."""
    for name, key, text in joints.findings(model.joints):
        yield Finding((*path, "joint", name, key), text, elsewhere=((*path, "joint", name), path))
    known = [joint.name for joint in model.joints]
    for table, carried in (("part", model.parts), ("look", model.looks), ("device", model.devices)):
        for thing in carried:
            if thing.joint and thing.joint not in known:
                where = (*path, table, thing.name, "joint")
                yield Finding(where, f"no such joint {thing.joint!r} {nearest(thing.joint, known)}", elsewhere=(path,))
    wheels = [wheel.name for wheel in model.wheels]
    for look in model.looks:
        if look.wheel and look.wheel not in wheels:
            where = (*path, "look", look.name, "wheel")
            yield Finding(where, f"no such wheel {look.wheel!r} {nearest(look.wheel, wheels)}", elsewhere=(path,))
    parts = [BODY, ALL, *(part.name for part in model.parts)]
    for n, pair in enumerate(model.passing):
        for name in pair:
            if name not in parts:
                text = f"no such part {name!r} {nearest(name, parts)}"
                yield Finding((*path, "passing", n), text, elsewhere=((*path, "passing"), path))


def _inertias(model: RobotModel, path: KeyPath) -> Iterator[Finding]:
    """Yield the errors in the inertia of the body and of parts."""
    given: list[tuple[KeyPath, Inertia | None]] = [(("dynamics", "inertia"), model.dynamics.inertia)]
    given += [(("part", part.name, "inertia"), part.inertia) for part in model.parts]
    for where, found in given:
        for text in inertia.findings(found) if found else ():
            yield Finding((*path, *where, "moments_kg_m2"), text, elsewhere=((*path, *where), path))


def _needs_joint(device: DeviceSpec, path: KeyPath) -> Iterator[Finding]:
    if device.sheet.on_joint and not device.joint:
        kind = kind_of(type(device.sheet))
        yield Finding((*path, "joint"), f"missing: a {kind} needs a joint (want its name)", elsewhere=(path,))


def _ms(time_us: int) -> str:
    return f"{time_us / 1000:g} ms"


def _uses(unit: UnitSpec, devices: dict[str, DeviceSpec], robot_path: KeyPath) -> Iterator[Finding]:
    kind = kind_of(type(unit.sheet))
    inputs = unit.sheet.inputs
    for name, bound in unit.uses:
        path = (*robot_path, "unit", unit.name, "uses", name)
        device_path = (*robot_path, "device", bound)
        if name not in inputs:
            yield Finding(path, f"a {kind} has no such input {nearest(name, inputs)}")
        elif bound not in devices:
            yield Finding(path, f"no such device {bound!r} {nearest(bound, devices)}", needs=(device_path,))
        elif (got := kind_of(type(devices[bound].sheet))) != inputs[name] and inputs[name] != "*":
            yield Finding(path, f"needs a {inputs[name]}, but {bound!r} is a {got}", needs=(device_path,))


def _outputs(model: RobotModel, robot_path: KeyPath) -> Iterator[Finding]:
    for unit, key, text, needed in outputs.findings(model):
        path = (*robot_path, "unit", unit)
        yield Finding((*path, *key), text, needs=tuple((*robot_path, *need) for need in needed), elsewhere=(path,))


def _drive_stages(model: RobotModel, robot_path: KeyPath) -> Iterator[Finding]:
    for stage in model.drive_stages:
        path = (*robot_path, "drive_stage", stage.name)
        for key, text in outputs.misfits(stage.sheet, model):
            yield Finding((*path, key), text, elsewhere=(path, robot_path))


def _drivers(units: tuple[UnitSpec, ...], robot_path: KeyPath) -> Iterator[Finding]:
    drivers = [unit.name for unit in units if unit.moves_robot]
    for name in drivers[1:]:
        path = (*robot_path, "unit", name)
        text = f"{drivers[0]} already drives the robot, and only one unit can; remove one: unit.{name} = false"
        yield Finding(path, text, elsewhere=(robot_path,))


def _port(port: Port, units: dict[str, UnitSpec], robot_path: KeyPath, vocabulary: Vocabulary) -> Iterator[Finding]:
    path = (*robot_path, "port", port.name)
    speaks_for = port.sheet.units
    unit_path = (*robot_path, "unit", port.unit)
    if _scope(port) == "scene":
        text = f"{kind_of(type(port.sheet))!r} is for the whole scene; write [port.{port.name}] outside the robot"
        yield Finding((*path, "protocol"), text)
    elif port.unit not in units:
        yield Finding((*path, "unit"), f"no such unit {port.unit!r} {nearest(port.unit, units)}", needs=(unit_path,))
    elif (kind := kind_of(type(units[port.unit].sheet))) not in speaks_for:
        wanted = " or ".join(speaks_for)
        word = kind_of(type(port.sheet))
        yield Finding((*path, "protocol"), f"{word!r} needs a {wanted}, but {port.unit!r} is a {kind}")
    if wrong := _link_error(port.link, vocabulary):
        yield Finding((*path, "link"), wrong)


def _scene_port(port: ScenePort, vocabulary: Vocabulary) -> Iterator[Finding]:
    path: KeyPath = ("port", port.name)
    if _scope(port) != "scene":
        word = kind_of(type(port.sheet))
        text = f"{word!r} is for a unit of one robot; write port.{port.name} with its unit in that [[robot]]"
        yield Finding((*path, "protocol"), text)
    if wrong := _link_error(port.link, vocabulary):
        yield Finding((*path, "link"), wrong)


def _scope(port: AnyPort) -> str:
    """Return whether the protocol of a port is for robots or scenes; one for scenes speaks for no kind of unit."""
    return "robot" if port.sheet.units else "scene"


def _link_error(link: str, vocabulary: Vocabulary) -> str:
    scheme, colon, _ = link.partition(":")
    if colon and scheme not in vocabulary.links:
        return f"no such kind of link {scheme!r} {nearest(scheme, vocabulary.links)}"
    try:
        _parsed(link)
    except LinkError as error:
        return str(error)
    return ""


def _parsed(link: str) -> LinkUrl | None:
    """Return the parts of a built-in link; None if an extension provides the scheme."""
    scheme, colon, _ = link.partition(":")
    return None if colon and scheme not in url.SCHEMES else url.parse(link)


# ---- between robots


def _tcp_ports(scene: Scene) -> Iterator[Finding]:
    taken: dict[int, str] = {}
    for path, owner, number in _fixed_tcp_ports(scene):
        if number in taken:
            text = (
                f"TCP port {number} of {owner} is already used by {taken[number]}; "
                f"write {number}+ for the next free one, or another number"
            )
            yield Finding(path, text, elsewhere=(path[:2],))
        taken.setdefault(number, owner)


def _fixed_tcp_ports(scene: Scene) -> Iterator[tuple[KeyPath, str, int]]:
    for path, owner, port in _ports(scene):
        try:
            link = _parsed(port.link)
        except LinkError:
            continue
        if link and link.port and not link.next_free:
            yield path, owner, link.port


def _ports(scene: Scene) -> Iterator[tuple[KeyPath, str, AnyPort]]:
    for i, robot in enumerate(scene.robots):
        for port in robot.parts.ports if robot.parts else ():
            yield ("robot", i, "port", port.name, "link"), f"{robot.name}/{port.name}", port
    yield from ((("port", port.name, "link"), port.name, port) for port in scene.ports)


def overlaps(scene: Scene) -> Iterator[Finding]:
    """Yield an error for each robot that starts inside something."""
    rows = [i for i, robot in enumerate(scene.robots) if _is_solid(robot)]
    if not rows:
        return
    robots = [outlines.of_robot(scene.robots[i]) for i in rows]
    walls = chain.from_iterable(outlines.of_wall(wall) for wall in scene.walls if wall.surface.obstacle)
    solids = chain.from_iterable(outlines.of_solid(solid) for solid in scene.objects if solid.surface.obstacle)
    seen = set()
    for row, other in outlines.overlaps(robots, [*walls, *solids]):
        path: KeyPath = ("robot", rows[row])
        if (path, other.name) not in seen:
            seen.add((path, other.name))
            needs = ((*path, "body"), *((*path, key) for key in _PLACE_KEYS))
            yield Finding(path, f"{robots[row].name} starts inside {other.name}; move one of them", needs=needs)


def _is_solid(robot: PlacedRobot) -> bool:
    if robot.parts is None or not isinstance(robot.place, Pose) or not robot.parts.surface.obstacle:
        return False
    body = robot.parts.body
    return not (isinstance(body, Polygon) and outlines.polygon_error(body.points_m))
