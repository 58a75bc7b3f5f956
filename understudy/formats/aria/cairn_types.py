"""Types of map objects that a map defines itself (``MapInfo:``), and how the simulator treats them.

From the MobileSim manual, "Special Simulator Map Objects"; the keys of a SectorType::

    Sim.Obstacle=yes|no       turns each area into a box; yes: robots collide with it
    Sim.LaserReflect=n        0: invisible to lasers; 1: normal; above: a reflector of this strength
    Sim.SonarReflect=yes|no   no: invisible to sonars
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from understudy.formats.aria.words import rounded_mm, words
from understudy.frozen import frozen
from understudy.world.materials import LAYERS, Surface

BOX = "Sim.BoxObstacle"  # a box without a definition
REFLECTOR, REFLECTOR_STRENGTH = "Reflector", 2.0  # a line that reflects lasers strongly
LINES = ("ForbiddenLine", REFLECTOR)
_WORDS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_COLOUR = re.compile(r"0x([0-9a-fA-F]{6})")


@frozen
class Effect:
    """How the simulator treats an area: robots collide with it, its laser reflectance, sonars detect it."""

    obstacle: bool = True
    laser: float = 1.0
    sonar: bool = True

    def surface(self) -> Surface:
        """Return the surface of a thing with this effect."""
        hidden = {"laser": not self.laser, "sonar": not self.sonar}
        seen_by = tuple(layer for layer in LAYERS if not hidden.get(layer))
        return Surface(seen_by, self.laser or 1.0, self.obstacle)

    @staticmethod
    def of(surface: Surface) -> Effect:
        """Return the effect that is closest to a surface."""
        laser = max(round(surface.reflectance), 1) if "laser" in surface.seen_by else 0
        return Effect(surface.obstacle, float(laser), "sonar" in surface.seen_by)


@frozen
class MapType:
    """A type that a map defines: whether it is a line, whether it is a box in the world, and its optional colour."""

    is_line: bool
    effect: Effect | None = None
    colour: str = ""


def types_of(info: Iterable[str]) -> tuple[dict[str, MapType], dict[str, str]]:
    """Return the types that ``MapInfo:`` lines define, by name, and the errors in these lines."""
    types, wrong = {BOX: MapType(False, Effect())}, {}
    for line in info:
        keyword, *pairs = words(line.partition(":")[2]) or [""]
        values = {key.lower(): value for key, _, value in (pair.partition("=") for pair in pairs)}
        try:
            effect = _effect(values) if keyword.lower() == "sectortype" else None
        except ValueError as problem:
            effect, wrong[line] = None, str(problem)
        if values.get("name") and keyword.lower().endswith("type"):
            colour = _COLOUR.fullmatch(values.get("color0", ""))
            is_line = keyword.lower() == "boundarytype"
            types[values["name"]] = MapType(is_line, effect, f"#{colour[1].lower()}" if colour else "")
    return types, wrong


def _effect(values: Mapping[str, str]) -> Effect | None:
    if "sim.obstacle" not in values:
        return None
    return Effect(
        _truth(values, "Sim.Obstacle", "yes"),
        _strength(values.get("sim.laserreflect", "1")),
        _truth(values, "Sim.SonarReflect", "yes"),
    )


def _truth(values: Mapping[str, str], key: str, default: str) -> bool:
    word = values.get(key.lower(), default)
    if word.lower() not in _WORDS:
        raise ValueError(f"{key}={word}: want yes or no")
    return _WORDS[word.lower()]


def _strength(word: str) -> float:
    if word.lower() in _WORDS:
        return float(_WORDS[word.lower()])
    if not word.isdecimal():
        raise ValueError(f"Sim.LaserReflect={word}: want 0, 1 or a larger whole number")
    return float(word)


def is_line(name: str, types: Mapping[str, MapType]) -> bool:
    """Return whether the four numbers of an object of this type are ends of a line, not corners of an area."""
    return types[name].is_line if name in types else name in LINES or name.endswith("Line")


def definition(name: str, effect: Effect) -> str:
    """Return the line that defines a type of boxes with this effect.

    >>> definition("Glass", Effect(laser=0.0))
    'MapInfo: SectorType Name=Glass Label=Glass Sim.Obstacle=yes Sim.LaserReflect=0'
    """
    line = f"MapInfo: SectorType Name={name} Label={name} Sim.Obstacle={'yes' if effect.obstacle else 'no'}"
    line += "" if effect.laser == 1.0 else f" Sim.LaserReflect={rounded_mm(effect.laser)}"
    return line + ("" if effect.sonar else " Sim.SonarReflect=no")


def name_for(effect: Effect) -> str:
    """Return a name for a type of boxes with this effect.

    >>> name_for(Effect(obstacle=False, laser=32.0, sonar=False))
    'SimBoxPassableReflect32NoSonar'
    """
    laser = {0.0: "NoLaser", 1.0: ""}.get(effect.laser, f"Reflect{rounded_mm(effect.laser)}")
    return f"SimBox{'' if effect.obstacle else 'Passable'}{laser}{'' if effect.sonar else 'NoSonar'}"
