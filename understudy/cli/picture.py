"""The terminal view's picture: a map of the run and a panel for the selected robot, as rows of coloured text.

Read-only: nothing here changes a run or depends on a terminal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from understudy.cli.braille import BrailleCanvas, Point, Row, ViewBounds, blend, cells, cut, rgb
from understudy.sensors.base import Array
from understudy.sim.sim import Sim
from understudy.world import outlines
from understudy.world.outlines import Outline
from understudy.world.robot import DeviceSpec, PlacedRobot
from understudy.world.scene import Ball, Scene, Wall
from understudy.world.walls import pieces

PANEL_WIDTH, LABEL_WIDTH = 28, 8  # cells
WIDE = 70  # cells; the minimum width with room for the panel
LEAST_WIDTH, LEAST_ROOM = 30, 4  # cells; minimum width of the picture and height of the map
MESSAGES = 3
MOST_LABELS = 8  # robots; with more, only the selected one shows its name
GREY, LASER, SONAR, INFRARED, ALARM = "#808080", "#33bbee", "#ddaa33", "#cc6677", "#dd3322"
RANGERS = {"laser": LASER, "beam": LASER, "sonar": SONAR, "infrared": INFRARED, "proximity": INFRARED, "psd": INFRARED}
HEADINGS, PLAIN_HEADINGS = "→↗↑↖←↙↓↘", ">^^^<vvv"  # by eighths of a turn
BARS, PLAIN_BARS = " ▁▂▃▄▅▆▇█", " ..::||##"
HELP = "arrows drive  space stop  Tab next  p pause  . tick  + - speed  r reset  q quit"
SHORT_HELP = "arrows space Tab p . + - r q"

Trail = Sequence[Point]


@dataclass(slots=True)
class MapView:
    """The state of the view itself: what the user has selected and sees."""

    title: str = ""
    selected: str = ""
    factor: float = 0.0  # simulated seconds per second
    messages: tuple[str, ...] = ()
    braille: bool = True  # false: the terminal supports plain ASCII only
    wanted: dict[str, tuple[float, float]] = field(default_factory=dict)  # robot -> m/s, rad/s requested by keys


def frame(sim: Sim, trails: Mapping[str, Trail], view: MapView, width: int, height: int) -> list[Row]:
    """Return the whole picture, at most *height* rows of at most *width* cells."""
    below: list[Row] = [[(cut(text, width), "")] for text in view.messages[-MESSAGES:]]
    below.append([(HELP if len(HELP) <= width else SHORT_HELP, GREY)])
    room = height - 1 - len(below)
    if width < LEAST_WIDTH or room < LEAST_ROOM:
        return [[(cut("terminal too small; q quits", width), "")]][:height]
    wide = width >= WIDE
    canvas = draw_map(sim, trails, view, width - PANEL_WIDTH - 1 if wide else width, room)
    body = beside(canvas.render(), panel(sim, view)) if wide else canvas.render()
    words = f"{view.title}{'' if wide else f'  {sim.time_s:.1f} s'}{'   PAUSED' if sim.paused else ''}"
    rows = [header(words, canvas), *body, *below]
    return rows if view.braille else [_plain(row) for row in rows]


def _plain(row: Row) -> Row:
    """Return a row for a terminal that supports ASCII only."""
    return [(text.encode("ascii", "replace").decode(), colour) for text, colour in row]


def beside(left: list[Row], right: list[Row]) -> list[Row]:
    """Return two blocks next to each other; the left one sets the height."""
    return [[*row, (" ", ""), *(right[i] if i < len(right) else [])] for i, row in enumerate(left)]


def header(words: str, canvas: BrailleCanvas) -> Row:
    """Return a title with a scale at the map's right end."""
    length = scale_m(canvas)
    bar = "|" + "-" * max(round(length * canvas.fit.dots_per_m / 2) - 2, 0) + f"| {length:g} m"
    room = max(canvas.width - len(bar) - 1, 0)
    title = cut(f" {words}", room)
    return [(title, "bold"), (" " * (room - cells(title)) + bar, GREY)]


def scale_m(canvas: BrailleCanvas) -> float:
    """Return the largest round length whose bar takes at most a quarter of the map's width (m)."""
    most = canvas.width / 2 / canvas.fit.dots_per_m
    power = 10.0 ** math.floor(math.log10(most))
    return max(power * digit for digit in (1, 2, 5) if power * digit <= most)


def visible(colour: str) -> str:
    """Return a colour that is visible on a black and on a white background."""
    strength = max(rgb(colour)), min(rgb(colour))
    return blend(colour, GREY, 0.7) if strength[0] < 96 or strength[1] > 192 else colour


# ---- the map


def draw_map(sim: Sim, trails: Mapping[str, Trail], view: MapView, width: int, height: int) -> BrailleCanvas:
    """Return the map: walls and objects, then trails, sensor hits and robots."""
    scene = sim.scene
    bounds = ViewBounds.around(_corners(scene))
    canvas = _walls_drawn(scene.walls, bounds, width, height, view.braille).copy()
    _draw_things(canvas, scene)
    colours = {robot.name: visible(robot.colour) for robot in scene.robots}
    for name, trail in trails.items():
        _draw_trail(canvas, trail, colours.get(name, GREY))
    for point, kind in hit_points(sim, view.selected):
        canvas.dot(point, RANGERS[kind])
    _draw_robots(canvas, scene.robots, view.selected)
    return canvas


def _corners(scene: Scene) -> Iterator[Point]:
    """Yield points that the map must contain: everything in the scene, and the ground if there are no walls."""
    yield from _wall_corners(scene.walls)
    things = [outline for solid in scene.objects for outline in outlines.of_solid(solid)]
    things += [outlines.of_robot(robot) for robot in scene.robots]
    for thing in things:
        for x, y in thing.points:
            yield x - thing.radius_m, y - thing.radius_m
            yield x + thing.radius_m, y + thing.radius_m
    if not scene.walls:
        (x, y), (wide, deep) = scene.ground.center_m, scene.ground.size_m
        yield x - wide / 2, y - deep / 2
        yield x + wide / 2, y + deep / 2


@lru_cache(maxsize=1)
def _wall_corners(walls: tuple[Wall, ...]) -> tuple[Point, ...]:
    """Return corners of each wall's bounding box; cached, because a scanned map has tens of thousands of pieces."""
    rows = [(wall.thickness_m / 2, pieces(wall).reshape(-1, 2)) for wall in walls]
    found = [end for half, ends in rows if len(ends) for end in (ends.min(axis=0) - half, ends.max(axis=0) + half)]
    return tuple((float(x), float(y)) for x, y in found)


@lru_cache(maxsize=1)
def _walls_drawn(walls: tuple[Wall, ...], bounds: ViewBounds, width: int, height: int, braille: bool) -> BrailleCanvas:
    """Return a map with only the walls drawn; cached, because walls do not change between frames."""
    canvas = BrailleCanvas(bounds, width, height, braille)
    for wall in walls:
        rows = pieces(wall)
        in_dots = np.rint(rows * canvas.fit.dots_per_m)
        _, first = np.unique(in_dots, axis=0, return_index=True)  # many pieces of a scanned map fall on the same dot
        for ax, ay, bx, by in rows[np.sort(first)].tolist():
            canvas.line((ax, ay), (bx, by), visible(wall.colour))
    return canvas


def _draw_things(canvas: BrailleCanvas, scene: Scene) -> None:
    for solid in scene.objects:
        for piece in outlines.of_solid(solid):
            _draw(canvas, piece, visible(solid.colour))
    for ball in scene.balls:
        _draw_ball(canvas, ball, visible(ball.colour))


def _draw(canvas: BrailleCanvas, outline: Outline, colour: str) -> None:
    if len(outline.points) == 1:
        canvas.circle(outline.points[0], outline.radius_m, colour)
    elif len(outline.points) == 2:
        canvas.line(*outline.points, colour)
    else:
        canvas.polygon(outline.points, colour)


def _draw_ball(canvas: BrailleCanvas, ball: Ball, colour: str) -> None:
    centre = (ball.pose.x_m, ball.pose.y_m)
    if ball.radius_m * canvas.fit.dots_per_m < 2:
        canvas.text(centre, "●" if canvas.braille else "o", colour)
    else:
        canvas.circle(centre, ball.radius_m, colour)


def _draw_trail(canvas: BrailleCanvas, trail: Trail, colour: str) -> None:
    """Draw a trail that fades and then thins out with age."""
    for i, point in enumerate(trail):
        age = 1 - i / len(trail)
        x, y = canvas.fit.dots(point)
        if age < 0.5 or (round(x) + round(y)) % 2 == 0:  # chosen by position: choosing by age would flicker
            canvas.dot(point, blend(colour, GREY, 0.3 + 0.6 * age))


def hit_points(sim: Sim, name: str) -> Iterator[tuple[Point, str]]:
    """Yield the last hit points of a robot's range sensors (m), with the kind of each sensor."""
    for robot in sim.current.robots:
        for device in robot.built.devices if robot.name == name else ():
            if device.sheet.kind in RANGERS:
                seen = sim.robot(name).traces(device.name)
                yield from (((float(x), float(y)), device.sheet.kind) for x, y, _ in seen.ends[seen.echoes])


def readings(sim: Sim, name: str, kind: str) -> Iterator[tuple[DeviceSpec, Array]]:
    """Yield the devices of one kind on a robot with their latest readings."""
    for robot in sim.current.robots:
        for device in robot.built.devices if robot.name == name else ():
            if device.sheet.kind == kind:
                yield device, sim.robot(name).read(device.name)


def _draw_robots(canvas: BrailleCanvas, robots: Sequence[PlacedRobot], selected: str) -> None:
    """Draw names, then bodies over them, the selected robot last and bold."""
    styles = {robot.name: visible(robot.colour) for robot in robots}
    if selected in styles:
        styles[selected] = f"bold {styles[selected]}"
    ordered = sorted(robots, key=lambda robot: robot.name == selected)
    for robot in ordered if len(robots) <= MOST_LABELS else ordered[-1:]:
        _draw_label(canvas, robot, styles[robot.name])
    for robot in ordered:
        _draw_robot(canvas, robot, styles[robot.name])


def _draw_robot(canvas: BrailleCanvas, robot: PlacedRobot, colour: str) -> None:
    """Draw the outline with a line from the centre forward; a robot too small for that is drawn as an arrow."""
    pose, reach = robot.pose, robot.built.body.reach_m()
    centre = (pose.x_m, pose.y_m)
    if reach * canvas.fit.dots_per_m < 4:
        canvas.text(centre, _arrow(pose.heading_rad, canvas.braille), f"reverse {colour}")
        return
    _draw(canvas, outlines.of_robot(robot), colour)
    ahead = (pose.x_m + reach * math.cos(pose.heading_rad), pose.y_m + reach * math.sin(pose.heading_rad))
    canvas.line(centre, ahead, colour)


def _arrow(heading_rad: float, braille: bool) -> str:
    return (HEADINGS if braille else PLAIN_HEADINGS)[round(heading_rad / (math.pi / 4)) % 8]


def _draw_label(canvas: BrailleCanvas, robot: PlacedRobot, colour: str) -> None:
    """Write the name beside the robot, on the left if there is no room on the right."""
    x, _ = canvas.fit.dots((robot.pose.x_m, robot.pose.y_m))
    gap = round(robot.built.body.reach_m() * canvas.fit.dots_per_m / 2) + 1
    fits = round(x) // 2 + gap + len(robot.name) < canvas.width
    canvas.text((robot.pose.x_m, robot.pose.y_m), robot.name, colour, gap if fits else -gap - len(robot.name) + 1)


# ---- the panel


def panel(sim: Sim, view: MapView) -> list[Row]:
    """Return the state of the run and of the selected robot."""
    rows = [*_run_rows(sim, view), []]
    for number, robot in enumerate(sim.current.robots, 1):
        if robot.name == view.selected:
            rows.append(_name_row(robot, number, len(sim.current.robots)))
            rows += [*_motion_rows(sim, robot), *_sensor_rows(sim, robot, view.braille), *_port_rows(sim, robot)]
    return rows


def _pair(label: str, value: str, colour: str = "") -> Row:
    return [(f"{label:{LABEL_WIDTH}}", GREY), (cut(value, PANEL_WIDTH - LABEL_WIDTH), colour)]


def _run_rows(sim: Sim, view: MapView) -> list[Row]:
    asked = "max" if sim.clock.speed is None else f"{sim.clock.speed:g} x"
    now = "paused" if sim.paused else f"now {view.factor:.2f} x"
    return [
        _pair("time", f"{sim.time_s:.3f} s", "bold"),
        _pair("speed", f"{asked}, {now}"),
        _pair("engine", f"{sim.start.engine}   seed {sim.start.seed}"),
    ]


def _name_row(robot: PlacedRobot, number: int, count: int) -> Row:
    place = f"{number}/{count}"
    name = cut(robot.label or robot.name, PANEL_WIDTH - len(place) - 1)
    gap = PANEL_WIDTH - cells(name) - len(place)
    return [(name, f"bold {visible(robot.colour)}"), (" " * gap + place, GREY)]


def _motion_rows(sim: Sim, robot: PlacedRobot) -> list[Row]:
    live, row = sim.robot(robot.name), sim.row(robot.name)
    pose, twist = live.pose, sim.view().twists()[row]
    m_s = twist[0] * math.cos(pose.heading_rad) + twist[1] * math.sin(pose.heading_rad)
    rows = [
        _pair("model", robot.model or robot.built.summary),
        _pair("at", f"x {pose.x_m:.2f}  y {pose.y_m:.2f} m"),
        _pair("heading", f"{math.degrees(pose.heading_rad):.0f} deg"),
        _pair("moves", f"{m_s:+.2f} m/s {math.degrees(twist[5]):+.0f} deg/s"),
        _pair("stalled", "YES" if live.stalled else "no", f"bold {ALARM}" if live.stalled else ""),
    ]
    return [*rows, _pair("program", robot.program.file)] if robot.program else rows


def _sensor_rows(sim: Sim, robot: PlacedRobot, braille: bool) -> list[Row]:
    rows = []
    for device, ranges in readings(sim, robot.name, "laser"):
        most = device.sheet.max_m
        nearest = float(np.nanmin(device.sheet.ranges(ranges), initial=math.inf))
        seen = f"nearest {nearest:.2f} m" if nearest < most else f"nothing within {most:g} m"
        rows.append(_pair("laser", seen, LASER))
    for device, ranges in readings(sim, robot.name, "sonar"):
        upper, lower = bars([float(value) for value in ranges], device.sheet.max_m, braille)
        rows += [_pair("", upper), _pair("sonar", lower)]
    return rows


def bars(values: Sequence[float], limit: float, braille: bool = True) -> tuple[str, str]:
    """Return one bar per value, two rows high; NaN and infinity have no bar.

    >>> bars([0.0, 1.0, 1.5, 2.0, math.nan], 2.0)
    ('  ▄█ ', ' ███ ')
    """
    letters = BARS if braille else PLAIN_BARS
    parts = [value / limit if math.isfinite(value) else 0.0 for value in values]
    levels = [round(16 * min(max(part, 0.0), 1.0)) for part in parts]
    return "".join(letters[max(n - 8, 0)] for n in levels), "".join(letters[min(n, 8)] for n in levels)


def _port_rows(sim: Sim, robot: PlacedRobot) -> list[Row]:
    """Return each port's name, whether a client is connected, and its address."""
    rows: list[Row] = []
    for path, info in sim.ports.info().items():
        owner, _, port = path.partition("/")
        if owner == robot.name:
            state = "connected" if info.connected else "no client"
            rows += [_pair(cut(port, LABEL_WIDTH - 1), state, "bold" if info.connected else ""), _address(info.url)]
    if robot.built.ports and not rows:
        rows.append(_pair("ports", "closed"))
    return rows


def _address(url: str) -> Row:
    """Return an address; a long one is cut at its start, because its end distinguishes the ports."""
    room = PANEL_WIDTH - 2
    return [("  ", ""), (url if cells(url) <= room else f"~{url[1 - room :]}", "")]
