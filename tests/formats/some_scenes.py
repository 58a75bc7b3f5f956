"""Scenes for tests of the scene file: two written by hand, and any that can be thought of."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from understudy.world.marks import MapNotes, MapSource, Mark, Tag
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Ball, Ground, Heights, Light, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, GeoPose, Mesh, Pose, Sphere

ROOM = """\
# A room for tests
schema = 1
name = "room"
tick_ms = 10   # coarse

[ground]
size_m = [12, 8]
walled = true

# the north wall
[[wall]]
name = "north"
points_m = [[-2, 3], [2, 3]]   # long

# the first robot
[[robot]]   # ours
name = "scout"
model = "rover"
x_m = 1.0   # east
heading_deg = 90
program = "python3 wander.py"
device.front.max_m = 30

# the kitchen
[[wall]]
name = "kitchen"
points_m = [
    [4, 0],  # door
    [4, 3],
]
closed = false

[robot.device.gps]
kind = "gps"

[[robot]]
model = "rover"
x_m = -2
device = {front = {period_s = 0.2}, ring = false}
"""

EARTH = """\
schema = 1
noise = "perfect"
[origin]
latitude_deg = 50
longitude_deg = 8
date = 2026-06-01T12:00:00
[[robot]]
model = "rover"
latitude_deg = 50.0001
longitude_deg = 8.0001
[[light]]
[[ball]]
x_m = -3
[[object]]
kind = "box"
size_m = [1, 1, 1]
x_m = 5
heading_deg = 30
"""


NAMES = st.sampled_from(["", *"abcdefgh"])
METRES = st.floats(-1e4, 1e4).map(lambda x: x + 0.0)
SIZES = st.floats(0.001, 1e3)
ANGLES = st.one_of(st.integers(-360, 360).map(math.radians), st.floats(-7, 7))
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
POINTS = st.tuples(METRES, METRES)
POSES = st.builds(Pose, METRES, METRES, METRES, ANGLES, ANGLES, ANGLES)
COLOURS = st.sampled_from(["#000000", "#7a7a7a", "#AbCdEf"])
SHAPES = st.one_of(
    st.builds(Box, st.tuples(SIZES, SIZES, SIZES)), st.builds(Cylinder, SIZES, SIZES), st.builds(Cone, SIZES),
    st.builds(Sphere, SIZES), st.builds(Mesh, TEXTS, SIZES),
)  # fmt: skip
KEYS = st.sampled_from(["a_us", "b c", "d"])
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-9, 9), METRES, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(KEYS, inner, max_size=2)),
    max_leaves=5,
)
SECTIONS = st.sampled_from(["device", "unit", "body", "drive"])
OVERRIDES = st.none() | st.dictionaries(SECTIONS, VALUES, min_size=1, max_size=3)
ROBOTS = st.builds(
    PlacedRobot, NAMES, st.sampled_from(["", "rover"]), TEXTS,
    POSES | st.builds(GeoPose, st.floats(-90, 90), st.floats(-180, 180), st.none() | METRES, ANGLES),
    COLOURS, st.none() | st.builds(Program, TEXTS, args=st.lists(TEXTS, max_size=2).map(tuple)),
    overrides=OVERRIDES,
)  # fmt: skip
PIECES = st.tuples(METRES, METRES, METRES, METRES)
TAGS = st.builds(
    Tag,
    st.sampled_from(["Goal", "Sim.BoxObstacle", "Dock"]),
    TEXTS,
    TEXTS,
    extra=st.lists(TEXTS, max_size=2).map(tuple),
)
WALLS = st.builds(
    Wall, name=NAMES, points_m=st.lists(POINTS, max_size=4).map(tuple), closed=st.booleans(),
    pieces_m=st.lists(PIECES, max_size=2).map(tuple), dots_m=st.lists(POINTS, max_size=2).map(tuple),
    tag=st.none() | TAGS,
)  # fmt: skip
MARKS = st.builds(
    Mark, name=NAMES, tag=TAGS, pose=POSES, size_m=st.none() | st.tuples(SIZES, SIZES), line_m=st.none() | PIECES,
    status=st.sampled_from(["active", "inactive", "child"]),
)  # fmt: skip
NOTES = st.builds(
    MapNotes, TEXTS, st.lists(TEXTS, max_size=2).map(tuple),
    sources=st.lists(st.builds(MapSource, st.just("Rear"), pieces_m=st.tuples(PIECES)), max_size=1).map(tuple),
)  # fmt: skip
HEIGHTS = st.none() | st.builds(Heights, TEXTS, METRES)
SCENES = st.builds(
    Scene,
    name=TEXTS,
    seed=st.integers(0, 2**63 - 1),
    tick_us=st.integers(100, 1_000_000),
    noise=st.sampled_from(["", "perfect"]),
    ground=st.builds(Ground, st.tuples(SIZES, SIZES), walled=st.booleans(), heights=HEIGHTS),
    origin=st.none() | st.builds(Origin, st.floats(-90, 90), north_rad=ANGLES),
    walls=st.lists(WALLS, max_size=3).map(tuple),
    objects=st.lists(st.builds(Solid, name=NAMES, shape=SHAPES, pose=POSES, colour=COLOURS), max_size=3).map(tuple),
    balls=st.lists(st.builds(Ball, NAMES, SIZES), max_size=2).map(tuple),
    lights=st.lists(st.builds(Light, NAMES, pose=POSES), max_size=2).map(tuple),
    marks=st.lists(MARKS, max_size=3).map(tuple),
    map=st.none() | NOTES,
    robots=st.lists(ROBOTS, max_size=3).map(tuple),
)
