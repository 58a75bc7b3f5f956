"""Checks across the parts of a flat scene: every mistake at once, as paths and words; files and lines come later."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from understudy.errors import LinkError, nearest
from understudy.links import url
from understudy.links.url import LinkUrl
from understudy.world import extent, inertia, joints, outlines
from understudy.world.inertia import Inertia
from understudy.world.limits import MISTAKES
from understudy.world.plain import Mistake, Path
from understudy.world.robot import Device, Polygon, Port, Robot, RobotModel, Unit
from understudy.world.rules import fields_of, key_of, kind_of
from understudy.world.scene import COLLECTIONS, THING_KEYS, Scene, Wall
from understudy.world.shapes import GeoPose, Pose
from understudy.world.vehicle import ALL, BODY
from understudy.world.vocabulary import Vocabulary

_PLACE_KEYS = [key_of(field) for field in (*fields_of(Pose), *fields_of(GeoPose))]


def validate(scene: Scene, vocabulary: Vocabulary, overlaps_too: bool = True) -> list[Mistake]:
    """Return all that is wrong with a flat scene; robots without parts are passed over."""
    wrong = [Mistake(path, text, elsewhere=(path[:2],)) for path, text in extent.wrong_numbers(scene)]
    found = chain(
        wrong,
        _engine(scene, vocabulary),
        _names(scene),
        _walls(scene),
        _marks(scene),
        _lights(scene),
        *(_robot(robot, ("robot", i), scene.tick_us, vocabulary) for i, robot in enumerate(scene.robots)),
        _tcp_ports(scene),
        overlaps(scene) if overlaps_too and not wrong else (),
    )
    return list(islice(found, MISTAKES))


# ---- the scene


def _engine(scene: Scene, vocabulary: Vocabulary) -> Iterator[Mistake]:
    if scene.engine not in vocabulary.engines:
        yield Mistake(("engine",), f"no such engine {scene.engine!r} here {nearest(scene.engine, vocabulary.engines)}")


def _names(scene: Scene) -> Iterator[Mistake]:
    taken: dict[str, str] = {}
    for path, name, noun in _named(scene):
        if name in taken:
            yield Mistake((*path, "name"), f"{name!r} is the name of a {taken[name]} already; names must differ")
        taken.setdefault(name, noun)


def _named(scene: Scene) -> Iterator[tuple[Path, str, str]]:
    for cls, collection in COLLECTIONS.items():
        for index, thing in enumerate(getattr(scene, collection)):
            yield (THING_KEYS[cls], index), thing.name, THING_KEYS[cls]


def _walls(scene: Scene) -> Iterator[Mistake]:
    for index, wall in enumerate(scene.walls):
        path: Path = ("wall", index, "points_m")
        fewest = 3 if wall.closed else 2
        if not wall.points_m and not wall.closed and (wall.pieces_m or wall.dots_m):
            continue
        if len(wall.points_m) < fewest:
            noun = "a closed wall" if wall.closed else "a wall"
            yield Mistake(path, f"{noun} has at least {fewest} points, got {len(wall.points_m)}")
        else:
            yield from _lengths(wall, path)


def _lengths(wall: Wall, path: Path) -> Iterator[Mistake]:
    for i, (a, b) in enumerate(pairwise(wall.points_m)):
        if a == b:
            yield Mistake((*path, i + 1), "the same point as the one before it; leave one of them out")
    if wall.closed and wall.points_m[0] == wall.points_m[-1]:
        last = len(wall.points_m) - 1
        yield Mistake((*path, last), "the same point as the first; closed = true joins them, so leave it out")


def _marks(scene: Scene) -> Iterator[Mistake]:
    for index, mark in enumerate(scene.marks):
        if mark.size_m and mark.line_m:
            yield Mistake(("mark", index, "line_m"), "a mark is an area or a line; leave one of them out")


def _lights(scene: Scene) -> Iterator[Mistake]:
    """Yield turns of lights that change nothing: nobody should believe that they do."""
    for index, light in enumerate(scene.lights):
        sun = light.style == "sun"
        if sun and light.beam_rad < math.tau:
            yield Mistake(("light", index, "beam_rad"), "the sun shines everywhere; leave it out")
        for name in ("heading_rad", "pitch_rad", "roll_rad"):
            useless = sun or light.beam_rad == math.tau or name == "roll_rad"
            if getattr(light.pose, name) and useless:
                yield Mistake(("light", index, name), _SUN_TURN if sun else _TURN[name == "roll_rad"])


_SUN_TURN = "the sun shines from the direction of its place, however it is turned; leave it out"
_TURN = (
    "a lamp without a beam shines all around, however it is turned; give it a beam_deg, or leave this out",
    "a beam is round: rolling a lamp changes nothing; leave it out",
)

# ---- one robot


def _robot(robot: Robot, path: Path, tick_us: int, vocabulary: Vocabulary) -> Iterator[Mistake]:
    if robot.parts is None:
        return
    parts = robot.parts
    if isinstance(parts.body, Polygon) and (wrong := outlines.polygon_mistake(parts.body.points_m)):
        yield Mistake((*path, "body", "points_m"), wrong, needs=((*path, "body"),))
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
    yield from _drivers(parts.units, path)
    for port in parts.ports:
        yield from _port(port, units, path, vocabulary)


def _period(device: Device, robot: str, path: Path, robot_path: Path, tick_us: int) -> Iterator[Mistake]:
    period_us = getattr(device.sheet, "period_us", tick_us)
    if 0 < period_us < tick_us:  # 0: at every tick
        yield Mistake(
            (*path, "period_us"),
            f"the period of {robot}/{device.name}, {_ms(period_us)}, is shorter than the tick, {_ms(tick_us)}; "
            f"want a period of at least {_ms(tick_us)} or tick_ms = {period_us / 1000:g}",
            needs=(("tick_us",),),
            elsewhere=(("tick_us",), robot_path),
        )


def _sheet(device: Device, path: Path, robot_path: Path) -> Iterator[Mistake]:
    """Yield what a data sheet finds wrong with itself; it has a method *mistakes* if values must fit together."""
    found = getattr(device.sheet, "mistakes", None)
    for key, text in found() if found else ():
        yield Mistake((*path, key), text, elsewhere=(path, robot_path))


def _joints(model: RobotModel, path: Path) -> Iterator[Mistake]:
    """Yield what is wrong with joints, with what they carry, and with the parts that never collide."""
    for name, key, text in joints.mistakes(model.joints):
        yield Mistake((*path, "joint", name, key), text, elsewhere=((*path, "joint", name), path))
    known = [joint.name for joint in model.joints]
    for table, carried in (("part", model.parts), ("look", model.looks), ("device", model.devices)):
        for thing in carried:
            if thing.joint and thing.joint not in known:
                where = (*path, table, thing.name, "joint")
                yield Mistake(where, f"no such joint {thing.joint!r} {nearest(thing.joint, known)}", elsewhere=(path,))
    wheels = [wheel.name for wheel in model.wheels]
    for look in model.looks:
        if look.wheel and look.wheel not in wheels:
            where = (*path, "look", look.name, "wheel")
            yield Mistake(where, f"no such wheel {look.wheel!r} {nearest(look.wheel, wheels)}", elsewhere=(path,))
    parts = [BODY, ALL, *(part.name for part in model.parts)]
    for n, pair in enumerate(model.passing):
        for name in pair:
            if name not in parts:
                text = f"no such part {name!r} {nearest(name, parts)}"
                yield Mistake((*path, "passing", n), text, elsewhere=((*path, "passing"), path))


def _inertias(model: RobotModel, path: Path) -> Iterator[Mistake]:
    """Yield what is wrong with the inertia of the body and of parts."""
    given: list[tuple[Path, Inertia | None]] = [(("dynamics", "inertia"), model.dynamics.inertia)]
    given += [(("part", part.name, "inertia"), part.inertia) for part in model.parts]
    for where, found in given:
        for text in inertia.mistakes(found) if found else ():
            yield Mistake((*path, *where, "moments_kg_m2"), text, elsewhere=((*path, *where), path))


def _needs_joint(device: Device, path: Path) -> Iterator[Mistake]:
    if getattr(device.sheet, "on_joint", False) and not device.joint:
        kind = kind_of(type(device.sheet))
        yield Mistake((*path, "joint"), f"missing: a {kind} tells of a joint (want its name)", elsewhere=(path,))


def _ms(time_us: int) -> str:
    return f"{time_us / 1000:g} ms"


def _uses(unit: Unit, devices: dict[str, Device], robot_path: Path) -> Iterator[Mistake]:
    kind = kind_of(type(unit.sheet))
    inputs = getattr(unit.sheet, "inputs", {})
    for name, bound in unit.uses:
        path = (*robot_path, "unit", unit.name, "uses", name)
        device_path = (*robot_path, "device", bound)
        if name not in inputs:
            yield Mistake(path, f"a {kind} has no such input {nearest(name, inputs)}")
        elif bound not in devices:
            yield Mistake(path, f"no such device {bound!r} {nearest(bound, devices)}", needs=(device_path,))
        elif (got := kind_of(type(devices[bound].sheet))) != inputs[name] and inputs[name] != "*":
            yield Mistake(path, f"wants a {inputs[name]}, but {bound!r} is a {got}", needs=(device_path,))


def _drivers(units: tuple[Unit, ...], robot_path: Path) -> Iterator[Mistake]:
    drivers = [unit.name for unit in units if getattr(unit.sheet, "drives", False)]
    for name in drivers[1:]:
        path = (*robot_path, "unit", name)
        text = f"moves the robot, as {drivers[0]} does already; only one can, so take one away: unit.{name} = false"
        yield Mistake(path, text, elsewhere=(robot_path,))


def _port(port: Port, units: dict[str, Unit], robot_path: Path, vocabulary: Vocabulary) -> Iterator[Mistake]:
    path = (*robot_path, "port", port.name)
    speaks_for = getattr(port.sheet, "units", ())
    unit_path = (*robot_path, "unit", port.unit)
    if port.unit not in units:
        yield Mistake((*path, "unit"), f"no such unit {port.unit!r} {nearest(port.unit, units)}", needs=(unit_path,))
    elif (kind := kind_of(type(units[port.unit].sheet))) not in speaks_for:
        wanted = " or ".join(speaks_for)
        word = kind_of(type(port.sheet))
        yield Mistake((*path, "protocol"), f"{word!r} is spoken by a {wanted}; {port.unit!r} is a {kind}")
    if wrong := _link_mistake(port.link, vocabulary):
        yield Mistake((*path, "link"), wrong)


def _link_mistake(link: str, vocabulary: Vocabulary) -> str:
    scheme, colon, _ = link.partition(":")
    if colon and scheme not in vocabulary.links:
        return f"no such kind of link {scheme!r} {nearest(scheme, vocabulary.links)}"
    try:
        _parsed(link)
    except LinkError as error:
        return str(error)
    return ""


def _parsed(link: str) -> LinkUrl | None:
    """Return the parts of a link of ours; None if somebody else's code knows the scheme."""
    scheme, colon, _ = link.partition(":")
    return None if colon and scheme not in url.SCHEMES else url.parse(link)


# ---- between robots


def _tcp_ports(scene: Scene) -> Iterator[Mistake]:
    taken: dict[int, str] = {}
    for path, owner, number in _fixed_tcp_ports(scene):
        if number in taken:
            text = (
                f"TCP port {number} of {owner} is taken by {taken[number]} already; "
                f"write {number}+ for the next free one, or another number"
            )
            yield Mistake(path, text, elsewhere=(path[:2],))
        taken.setdefault(number, owner)


def _fixed_tcp_ports(scene: Scene) -> Iterator[tuple[Path, str, int]]:
    for i, robot in enumerate(scene.robots):
        for port in robot.parts.ports if robot.parts else ():
            try:
                link = _parsed(port.link)
            except LinkError:
                continue
            if link and link.scheme == "tcp" and link.port and not link.next_free:
                yield ("robot", i, "port", port.name, "link"), f"{robot.name}/{port.name}", link.port


def overlaps(scene: Scene) -> Iterator[Mistake]:
    """Yield a mistake for each robot that starts inside something."""
    rows = [i for i, robot in enumerate(scene.robots) if _is_solid(robot)]
    if not rows:
        return
    robots = [outlines.of_robot(scene.robots[i]) for i in rows]
    walls = chain.from_iterable(outlines.of_wall(wall) for wall in scene.walls if wall.surface.obstacle)
    solids = chain.from_iterable(outlines.of_solid(solid) for solid in scene.objects if solid.surface.obstacle)
    seen = set()
    for row, other in outlines.overlaps(robots, [*walls, *solids]):
        path: Path = ("robot", rows[row])
        if (path, other.name) not in seen:
            seen.add((path, other.name))
            needs = ((*path, "body"), *((*path, key) for key in _PLACE_KEYS))
            yield Mistake(path, f"{robots[row].name} starts inside {other.name}; move one of them", needs=needs)


def _is_solid(robot: Robot) -> bool:
    if robot.parts is None or not isinstance(robot.place, Pose) or not robot.parts.surface.obstacle:
        return False
    body = robot.parts.body
    return not (isinstance(body, Polygon) and outlines.polygon_mistake(body.points_m))
