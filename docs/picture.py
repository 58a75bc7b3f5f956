"""Draws docs/office.svg, the picture of the README: the default scene after a while, with trails and laser fans."""

from __future__ import annotations

import math
from pathlib import Path

import understudy as us
from understudy.cli.examples import default_scene
from understudy.engines.planar.layout import box_segments, wall_segments
from understudy.world.robot import Circle, Polygon
from understudy.world.scene import Scene
from understudy.world.shapes import Box, Pose

HERE = Path(__file__).parent
SECONDS, EVERY_S = 45.0, 0.25
SCALE = 36.0  # pixels per metre


def path(points: list[tuple[float, float]], style: str, closed: bool = False) -> str:
    """Return a line through world points; the picture's y goes down."""
    text = " ".join(f"{'M' if i == 0 else 'L'}{x * SCALE:.1f},{-y * SCALE:.1f}" for i, (x, y) in enumerate(points))
    return f'<path d="{text}{" Z" if closed else ""}" {style}/>'


def disc(x: float, y: float, radius: float, style: str) -> str:
    """Return a circle."""
    return f'<circle cx="{x * SCALE:.1f}" cy="{-y * SCALE:.1f}" r="{radius * SCALE:.1f}" {style}/>'


def things(scene: Scene) -> list[str]:
    """Return walls and objects."""
    parts = []
    for wall in scene.walls:
        for ax, ay, bx, by in wall_segments(wall):
            parts.append(
                path([(ax, ay), (bx, by)], 'stroke="#444" stroke-width="2.5" fill="none" stroke-linecap="round"')
            )
    for solid in scene.objects:
        style = f'fill="{solid.colour}" fill-opacity="0.75" stroke="#555" stroke-width="1"'
        if isinstance(solid.shape, Box):
            corners = [(ax, ay) for ax, ay, _, _ in box_segments(solid.pose, solid.shape)]
            parts.append(path(corners, style, closed=True))
        else:
            parts.append(disc(solid.pose.x_m, solid.pose.y_m, getattr(solid.shape, "radius_m", 0.2), style))
    return parts


def placed(pose: Pose, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return points of the robot's frame in the world."""
    c, s = math.cos(pose.heading_rad), math.sin(pose.heading_rad)
    return [(pose.x_m + c * x - s * y, pose.y_m + s * x + c * y) for x, y in points]


def laser(robot: us.Robot) -> str:
    """Return the fan of a robot's laser."""
    angles, ranges = robot.sheet("front").angles_rad(), robot.read("front")
    fan = [(0.0, 0.0), *((r * math.cos(a), r * math.sin(a)) for a, r in zip(angles, ranges))]
    return path(placed(robot.pose, fan), 'fill="#0077bb" fill-opacity="0.10" stroke="#0077bb" stroke-width="0.6"', True)


def body(robot: us.Robot, scene: Scene) -> list[str]:
    """Return a robot with its name and heading."""
    data = next(r for r in scene.robots if r.name == robot.name)
    style = f'fill="{data.colour}" stroke="#222" stroke-width="1.2"'
    outline, pose = data.built.body, robot.pose
    if isinstance(outline, Polygon):
        shape = path(placed(pose, list(outline.points_m)), style, closed=True)
    else:
        assert isinstance(outline, Circle)
        shape = disc(pose.x_m, pose.y_m, outline.radius_m, style)
    nose = path(placed(pose, [(0.0, 0.0), (outline.reach_m(), 0.0)]), 'stroke="#fff" stroke-width="2"')
    right = pose.x_m > scene.ground.center_m[0] + 0.4 * scene.ground.size_m[0]
    side = 'text-anchor="end"' if right else ""
    at = f'x="{pose.x_m * SCALE + (-14 if right else 14):.1f}" y="{-pose.y_m * SCALE - 12:.1f}" {side}'
    return [shape, nose, f'<text {at} font-family="sans-serif" font-size="15" fill="#222">{robot.name}</text>']


def main() -> None:
    """Run the scene and write the picture."""
    trails: dict[str, list[tuple[float, float]]] = {}
    with us.load(default_scene(), seed=3) as sim:
        sim.robot("pioneer").drive(0.25, 0.02)
        for _ in range(round(SECONDS / EVERY_S)):
            sim.run(EVERY_S)
            for robot in sim.robots:
                trails.setdefault(robot.name, []).append((robot.pose.x_m, robot.pose.y_m))
        scene = sim.scene
        colours = {data.name: data.colour for data in scene.robots}
        parts = things(scene)
        for name, trail in trails.items():
            parts.append(path(trail, f'stroke="{colours[name]}" stroke-width="2" fill="none" stroke-opacity="0.5"'))
        parts += [laser(robot) for robot in sim.robots]
        parts += [part for robot in sim.robots for part in body(robot, scene)]
    (w, h), (cx, cy) = scene.ground.size_m, scene.ground.center_m
    box = f"{(cx - w / 2) * SCALE - 8:.0f} {-(cy + h / 2) * SCALE - 8:.0f} {w * SCALE + 16:.0f} {h * SCALE + 16:.0f}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{w * SCALE + 16:.0f}">'
    corners = [(cx + i * w / 2, cy + j * h / 2) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    floor = path(corners, f'fill="{scene.ground.colour}" fill-opacity="0.45"', closed=True)
    (HERE / "office.svg").write_text("\n".join([head, floor, *parts, "</svg>", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
