"""The files that a SEAR project's scene names: found in its assets, or among those that come with Understudy.

A missing picture is reported and left out, because SEAR's own pictures are not in its projects. A missing mesh is an
error.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from understudy.errors import FormatError, Problem, excerpt
from understudy.formats.sear import pictures
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Mesh

Pictured = TypeVar("Pictured", Ground, Wall, Solid)


def asset_name(name: str) -> str:
    """Return the name of a file as seen from ``assets/``, as users of SEAR write it.

    >>> asset_name("./textures/roomba.jpg"), asset_name("assets/a.png")
    ('textures/roomba.jpg', 'a.png')
    """
    clean = os.path.normpath(name.replace("\\", "/")).replace("\\", "/")
    return clean.removeprefix("assets/")


class AssetFiles:
    """Finds the files of a scene; collects their contents, and what is missing."""

    def __init__(self, assets: Mapping[str, bytes], file: str) -> None:
        self.files, self._project = dict(assets), file
        self.warnings: list[Problem] = []

    def found(self, scene: Scene) -> Scene:
        """Return a scene whose files are named as in `files`; raises FormatError for a missing mesh."""
        return replace(
            scene,
            ground=self._terrain(self._picture(scene.ground)),
            walls=tuple(self._picture(wall) for wall in scene.walls),
            objects=tuple(self._picture(self._mesh(solid)) for solid in scene.objects),
            robots=tuple(self._looks(robot) for robot in scene.robots),
        )

    def _name(self, name: str) -> str:
        """Return the name of a file that is there; empty if it is not."""
        clean = asset_name(name)
        if pictures.known(clean) and clean not in self.files:
            self.files[clean] = pictures.content(clean)
        return clean if clean in self.files else ""

    def _needed(self, name: str, whose: str) -> str:
        found = self._name(name)
        if not found:
            raise FormatError(f"{self._project}: {whose}: no file {excerpt(name)} in assets")
        return found

    def _picture(self, thing: Pictured) -> Pictured:
        if not thing.picture or (name := self._name(thing.picture)):
            return replace(thing, picture=name if thing.picture else "")
        label = "the floor" if isinstance(thing, Ground) else thing.name
        wanted = excerpt(thing.picture)
        self.warnings.append(Problem(self._project, 0, label, f"no picture {wanted} in assets; left out"))
        usual = pictures.DEFAULTS.get(thing.shape.kind, "") if isinstance(thing, Solid) else ""
        return replace(thing, picture=self._name(usual) if usual else "")

    def _mesh(self, solid: Solid) -> Solid:
        if not isinstance(solid.shape, Mesh):
            return solid
        return replace(solid, shape=replace(solid.shape, file=self._needed(solid.shape.file, solid.name)))

    def _terrain(self, ground: Ground) -> Ground:
        if ground.heights is None:
            return ground
        return replace(ground, heights=replace(ground.heights, file=self._needed(ground.heights.file, "the terrain")))

    def _looks(self, robot: PlacedRobot) -> PlacedRobot:
        table: dict[str, Any] = dict(robot.overrides or {})
        looks = {name: self._look(look, robot.label) for name, look in table.get("look", {}).items()}
        return replace(robot, overrides={**table, **({"look": looks} if looks else {})})

    def _look(self, look: Mapping[str, Any], whose: str) -> dict[str, Any]:
        return {**look, "shape": {**look["shape"], "file": self._needed(look["shape"]["file"], whose)}}
