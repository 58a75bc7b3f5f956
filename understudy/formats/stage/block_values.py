"""A block of a world file as values: numbers in metres and radians, poses, sizes; errors and notes with their lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from understudy import elementary
from understudy.errors import Problem
from understudy.formats.stage.text import Block, Property
from understudy.world.materials import LAYERS
from understudy.world.shapes import Pose

LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
ANGLES = {"degrees": math.pi / 180, "radians": 1.0}
# properties without effect here: for the display, other sensors, Player
_LOOKS = (
    "gui_", "fiducial_", "blob", "gripper_return", "audio_return", "localization_origin", "default_speed", "height",
    "alwayson", "update_interval", "stack_children", "trail_", "boundary", "map_resolution", "say", "port", "velocity",
)  # fmt: skip
_SHAPE = re.compile(r"(?:size|origin|polygons?|blocks?|points?|line_count|lines?|rects?)(?![\w-])")
SIZE_M = (0.4, 0.4, 1.0)  # of a model without a size


@dataclass
class StageNotes:
    """The errors in a world, and what is skipped."""

    problems: list[Problem] = field(default_factory=list)
    ignored: dict[tuple[str, str, str], Problem] = field(default_factory=dict)

    def wrong(self, given: Property, path: str, text: str) -> None:
        """Record an error."""
        self.problems.append(given.place.problem(path, text))

    def ignore(self, block: Block, name: str, given: Property | None = None, why: str = "is ignored") -> None:
        """Record something that is skipped, once per kind of block and file."""
        place = given.place if given else block.place
        if not place.own:
            path = f"{block.names[0]}.{name}" if name else block.names[0]
            self.ignored.setdefault((place.file, path, why), place.problem(path, why))


@dataclass(frozen=True)
class Units:
    """The units of a world: factors to metres and radians."""

    length: float = 1.0
    angle: float = ANGLES["degrees"]


@dataclass(frozen=True)
class StageBlock:
    """A block, read in the units of its world."""

    block: Block
    units: Units
    notes: StageNotes
    only: frozenset[str] | None = None  # the properties used; None: all of them

    @property
    def properties(self) -> Mapping[str, Property]:
        """Return the properties used."""
        if self.only is None:
            return self.block.properties
        return {name: given for name, given in self.block.properties.items() if name in self.only}

    def has(self, *names: str) -> bool:
        """Return whether one of these properties is given."""
        return any(name in self.properties for name in names)

    def numbers(self, name: str, counts: Iterable[int]) -> tuple[float, ...] | None:
        """Return the numbers of a list, None if it is absent or invalid."""
        given = self.properties.get(name)
        if given is None:
            return None
        numbers = tuple(value for value in given.values if isinstance(value, float) and math.isfinite(value))
        wanted = sorted(counts)
        if len(numbers) != len(given.values) or len(numbers) not in wanted:
            many = " or ".join(map(str, wanted))
            shown = " ".join(str(v) if isinstance(v, str) else f"{v:g}" for v in given.values)
            self.notes.wrong(given, name, f"want {many} number{'s' if wanted != [1] else ''}, got [{shown}]")
            return None
        return numbers

    def number(self, name: str, default: float) -> float:
        """Return one number."""
        found = self.numbers(name, (1,))
        return found[0] if found else default

    def length(self, name: str, default_m: float) -> float:
        """Return a length (m)."""
        found = self.numbers(name, (1,))
        return found[0] * self.units.length if found else default_m

    def angle(self, name: str, default_rad: float) -> float:
        """Return an angle (rad)."""
        found = self.numbers(name, (1,))
        return found[0] * self.units.angle if found else default_rad

    def text(self, name: str, default: str = "") -> str:
        """Return a text."""
        given = self.properties.get(name)
        if given is None:
            return default
        if len(given.values) != 1 or not isinstance(given.values[0], str):
            self.notes.wrong(given, name, 'want one "text"')
            return default
        return given.values[0]

    def pose(self, name: str = "pose") -> Pose:
        """Return a pose: x, y, heading, or x, y, z, heading as in later versions of Stage."""
        found = self.numbers(name, (3, 4))
        if found is None:
            return Pose()
        x, y, *z, turn = found
        high = z[0] * self.units.length if z else 0.0
        return Pose(x * self.units.length, y * self.units.length, high, turn * self.units.angle)

    @property
    def size_m(self) -> tuple[float, float, float]:
        """Return length, width and height (m)."""
        found = self.numbers("size", (2, 3, 4))
        if found is None:
            return SIZE_M
        sides = [side * self.units.length for side in found[:3]]
        if min(sides) <= 0.0:
            self.notes.wrong(self.properties["size"], "size", "must be above 0")
            return SIZE_M
        return sides[0], sides[1], sides[2] if len(sides) == 3 else SIZE_M[2]

    @property
    def is_high(self) -> bool:
        """Return whether the world gives the model's height; floor plans of older versions of Stage are flat."""
        given = self.block.properties.get("size")
        return given is not None and len(given.values) > 2

    def surface(self) -> dict[str, Any]:
        """Return what detects a model, as far as it is given."""
        table: dict[str, Any] = {}
        unseen: set[str] = set()
        if self.has("obstacle_return"):
            table["obstacle"] = self.number("obstacle_return", 1.0) != 0.0
        laser, ranger = self.number("laser_return", 1.0), self.number("ranger_return", 1.0)
        if laser <= 0.0:
            unseen.add("laser")
        elif laser > 1.0:
            table["reflectance"] = laser
        if ranger < 0.0:  # later versions of Stage: invisible to all range sensors
            unseen |= {"laser", "sonar", "infrared"}
        elif ranger == 0.0:
            unseen.add("sonar")
        if unseen:
            table["seen_by"] = [layer for layer in LAYERS if layer not in unseen]
        return table

    def note_rest(self, used: frozenset[str]) -> None:
        """Report the properties that are neither used nor only for display."""
        for name, given in self.properties.items():
            plain = name.partition("[")[0]
            if plain not in used and not plain.startswith(_LOOKS) and not is_shape(name):
                self.notes.ignore(self.block, name, given)

    def part(self, block: Block) -> StageBlock:
        """Return one of the model's parts."""
        return StageBlock(block, self.units, self.notes)


def is_shape(name: str) -> bool:
    """Return whether a property describes the shape of a model."""
    return _SHAPE.match(name) is not None


def placed(parent: Pose, pose: Pose) -> Pose:
    """Return a pose given relative to *parent* in the frame in which *parent* is given."""
    cos, sin = elementary.cos(parent.heading_rad), elementary.sin(parent.heading_rad)
    return Pose(
        parent.x_m + cos * pose.x_m - sin * pose.y_m,
        parent.y_m + sin * pose.x_m + cos * pose.y_m,
        parent.z_m + pose.z_m,
        parent.heading_rad + pose.heading_rad,
    )
