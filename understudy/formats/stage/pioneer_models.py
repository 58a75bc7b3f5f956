"""MobileSim's ``PioneerRobotModels.world.inc``, generated from our catalogue with MobileSim's names.

Worlds that include it get the robots of the catalogue; the text also works in Stage 2 itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from understudy import elementary
from understudy.formats.native.robot_read import robot_model
from understudy.world.boxes import BOXES
from understudy.world.robot import Body, Circle, Polygon, Rectangle, RobotModel
from understudy.world.vocabulary import Vocabulary

FILE = "PioneerRobotModels.world.inc"
_NO_ERROR = "-no-error"
_COLOURS = ("red", "blue", "green", "yellow", "orange", "violet", "purple", "magenta", "cyan", "pink", "black")
_BASES = """\
# The robots of Understudy's catalogue as models of Stage, by MobileSim's names.

define pioneer position (
  color "red"
  drive "diff"
  obstacle_return 1
  laser_return 1
  ranger_return 1
  localization "odom"
  odom_error [0.0075 0.0075 0.0075]
  max_speed [2 0 1.745329]
  accel [0.3 0 1.745329]
  decel [0.6 0 1.745329]
  pioneer_diffconv 0.0056
  pioneer_distconv 1
  pioneer_angleconv 0.001534
  pioneer_velconv 1
  pioneer_rangeconv 1
  pioneer_vel2div 20
)
define sicklms200 laser ( range_min 0 range_max 32.767 samples 181 fov 180 size [0.155 0.15] noise 0.005 )
define sicklms100 laser ( range_min 0.005 range_max 20 samples 271 fov 270 size [0.1 0.1] noise 0.0075 )
define sicks300 laser ( range_min 0 range_max 30 samples 541 fov 270 size [0.102 0.105] noise 0.006 )
define sicktim510 laser ( range_min 0.05 range_max 4 samples 91 fov 270 size [0.06 0.06] noise 0.006 )
define pioneerSonar ranger ( sview [0.1 5 30] ssize [0.01 0.04] noise 0.0005 projection_type "single" )
"""


def include_text(vocabulary: Vocabulary) -> str:
    """Return the text of the include file."""
    return base_text() + "".join(robot_text(name, vocabulary) for name in vocabulary.catalog)


def base_text() -> str:
    """Return the part of the include file that robots are based on, the boxes, and Pioneers in many colours."""
    colours = [f'define {colour}_p3dx p3dx ( color "{colour}" )' for colour in _COLOURS]
    return "\n".join([_BASES, *_boxes(), *colours]) + "\n"


def robot_text(name: str, vocabulary: Vocabulary) -> str:
    """Return the definition of a Pioneer of the catalogue; empty if *name* is not one."""
    if name not in vocabulary.catalog:
        return ""
    if name.endswith(_NO_ERROR):
        return f"define {name} {name.removesuffix(_NO_ERROR)} ( odom_error [0 0 0] )\n"
    robot = robot_model(name, None, vocabulary)
    if not any(unit.sheet.kind == "pioneer" for unit in robot.units):
        return ""
    return "\n".join([f"define {name} pioneer (", *(f"  {line}" for line in _robot(robot)), ")"]) + "\n"


def _boxes() -> Iterator[str]:
    for name, box in BOXES.items():
        laser = f"{box.surface.reflectance:g}" if "laser" in box.surface.seen_by else "0"
        ranger = int("sonar" in box.surface.seen_by)
        looks = f'size [0.5 0.5] color "yellow" obstacle_return 1 laser_return {laser} ranger_return {ranger}'
        yield f"define {name} model ( {looks} )"


def _robot(robot: RobotModel) -> Iterator[str]:
    sheet: Any = next(unit.sheet for unit in robot.units if unit.sheet.kind == "pioneer")
    yield f'pioneer_robot_type "{sheet.robot_class}"'
    yield f'pioneer_robot_subtype "{sheet.subtype}"'
    yield f'drive "{"omni" if robot.drive.kind == "omni" else "diff"}"'
    sideways = robot.drive.max_lateral_m_s
    yield f"max_speed {_list((robot.drive.max_m_s, sideways, robot.drive.max_rad_s))}"
    yield f"accel {_list((sheet.accel_m_s2, sheet.accel_m_s2 if sideways else 0.0, sheet.accel_rad_s2))}"
    yield f"decel {_list((sheet.decel_m_s2, sheet.decel_m_s2 if sideways else 0.0, sheet.decel_rad_s2))}"
    yield f"odom_error {_list(sheet.odometry_error)}"
    yield f"pioneer_distconv {sheet.dist_factor:.9g}"
    yield f"pioneer_diffconv {sheet.diff_factor:.9g}"
    yield f"pioneer_angleconv {sheet.angle_factor:.9g}"
    yield f"pioneer_velconv {sheet.vel_factor:.9g}"
    yield f"pioneer_rangeconv {sheet.range_factor:.9g}"
    yield from _outline(robot.body)
    for device in robot.devices:
        if device.sheet.kind == "laser":
            yield _laser(device)
        elif device.sheet.kind == "sonar":
            yield from _sonar(device.sheet, sheet.absent_sonars)
        elif device.sheet.kind == "gps":
            yield f"pioneer_gps_pos_x {device.mount.x_m:.9g}"
            yield f"pioneer_gps_pos_y {device.mount.y_m:.9g}"


def _outline(body: Body) -> Iterator[str]:
    points = _points(body)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    yield f"size {_list((max(xs) - min(xs), max(ys) - min(ys)))}"
    yield f"origin {_list((*middle, 0.0))}"
    yield "polygons 1"
    yield f"polygon[0].points {len(points)}"
    for n, (x, y) in enumerate(points):
        yield f"polygon[0].point[{n}] {_list((x - middle[0], y - middle[1]))}"
    yield "polygon[0].filled 1"


def _points(body: Body) -> Sequence[tuple[float, float]]:
    if isinstance(body, Polygon):
        return body.points_m
    if isinstance(body, Circle):
        turns = [2 * math.pi * n / 16 for n in range(16)]
        return [(body.radius_m * elementary.cos(turn), body.radius_m * elementary.sin(turn)) for turn in turns]
    assert isinstance(body, Rectangle)
    x, y = body.length_m / 2, body.width_m / 2
    return [(body.offset_x_m + sx * x, sy * y) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _laser(device: Any) -> str:
    mount, sheet = device.mount, device.sheet
    pose = _list((mount.x_m, mount.y_m, math.degrees(mount.yaw_rad)))
    reach = f"range_min {sheet.min_m:.9g} range_max {sheet.max_m:.9g}"
    return f"sicklms200 ( pose {pose} {reach} samples {sheet.rays} fov {math.degrees(sheet.field_rad):.9g} )"


def _sonar(sheet: Any, absent: Sequence[int]) -> Iterator[str]:
    """Yield the ring; numbers without a transducer have their maximum range as minimum, too."""
    numbers = [n for n in range(len(sheet.ring) + len(absent)) if n not in absent]
    yield "pioneerSonar ("
    yield f"  scount {len(sheet.ring) + len(absent)}"
    yield f"  sview {_list((sheet.min_m, sheet.max_m, math.degrees(sheet.cone_rad)))}"
    for n, disc in zip(numbers, sheet.ring):
        yield f"  spose[{n}] {_list((disc.x_m, disc.y_m, math.degrees(disc.yaw_rad)))}"
    for n in absent:
        yield f"  spose[{n}] [0 0 180]"
        yield f"  sview[{n}] {_list((sheet.max_m, sheet.max_m, 0.0))}"
    yield ")"


def _list(numbers: Sequence[float]) -> str:
    return "[" + " ".join(f"{round(number, 9) + 0.0:.9g}" for number in numbers) + "]"
