"""From a parsed world file to a scene: robots, walls, objects and the ground under them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.errors import Problem, SceneError, nearest
from understudy.formats.native.robot_read import find_robot, model_of_table
from understudy.formats.stage.block_values import ANGLES, LENGTHS, StageBlock, StageNotes, Units
from understudy.formats.stage.objects import THINGS, StageObjects, paint
from understudy.formats.stage.pioneer_models import FILE
from understudy.formats.stage.robot import robot_table
from understudy.formats.stage.text import BEFORE, Block, Body, SourceLine, WorldText
from understudy.world import walls
from understudy.world.outlines import of_solid
from understudy.world.records import KeyPath
from understudy.world.resolve import hyphened
from understudy.world.robot import PlacedRobot, RobotModel
from understudy.world.rules import NAME
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.vocabulary import Vocabulary

_WORLD = frozenset({
    "name", "size", "unit_length", "unit_angle", "resolution", "laser_resolution", "interval_sim", "interval_real",
    "gui_interval", "gui_disable", "quit_time", "speedup", "paused", "threads", "show_clock", "show_clock_interval",
    "barrier", "origin",
})  # fmt: skip
_LOOKS = frozenset({"window", "gui", "camera"})


@dataclass(frozen=True)
class Defined:
    """The contents of a folder of definitions: robots and boxes by name, their colours, and things already placed."""

    robots: Mapping[str, RobotModel]
    solids: Mapping[str, Solid]
    colours: Mapping[str, str]
    scene: Scene
    warnings: tuple[Problem, ...] = ()


class Maker:
    """Makes a scene from a parsed world; collects its errors and what is skipped."""

    def __init__(self, world: WorldText, vocabulary: Vocabulary, picture: Callable[[str, str], bytes]) -> None:
        self._world, self._vocabulary = world, vocabulary
        self._notes = StageNotes()
        self._units = self._read_units()
        self._things = StageObjects(picture)
        self._names: set[str] = set()
        self._walls: list[Wall] = []
        self._objects: list[Solid] = []
        self._robots: list[PlacedRobot] = []
        self.places: dict[KeyPath, SourceLine] = {}

    def warnings(self) -> tuple[Problem, ...]:
        """Return what is skipped, in the order of lines."""
        return tuple(sorted(self._notes.ignored.values(), key=lambda note: (note.file, note.line)))

    def scene(self, name: str) -> Scene:
        """Return the scene; raises SceneError with every error."""
        for block in self._world.blocks():
            if block.type == "position":
                self.places["robot", len(self._robots)] = block.place
                self._robots.append(self._robot(block))
            elif block.type in THINGS:
                self._place(block)
            elif block.type not in _LOOKS:
                self._unknown(block)
        self._note_world()
        self._raise()
        return Scene(
            name=self._world_model().text("name", name),
            ground=self._ground(),
            walls=tuple(self._walls),
            objects=tuple(self._objects),
            robots=tuple(self._robots),
        )

    def defined(self) -> Defined:
        """Return the robots and boxes that are defined; raises SceneError with every error."""
        scene = self.scene("")
        robots: dict[str, RobotModel] = {}
        solids: dict[str, Solid] = {}
        colours: dict[str, str] = {}
        for name in list(self._world.definitions):
            block = self._world.expanded(name, Body(self._world.definitions[name].body.place, {}, ()))
            if not self._is_news(block):
                continue
            if block.type == "position":
                robots[name] = model_of_table(self._table(block), block.place.file, self._vocabulary)
            elif block.type in THINGS:
                boxes = [thing for thing in self._things.of(self._model(block)) if isinstance(thing, Solid)]
                solids |= dict(zip([name], boxes))
            if found := paint(self._model(block)):
                colours[name] = found
        self._raise()
        return Defined(robots, solids, colours, scene, self.warnings())

    def _is_news(self, block: Block) -> bool:
        """Return whether a definition is not in the catalogue: a user's, or a variant of ours."""
        name = block.names[0]
        if name.endswith(BEFORE):
            return False
        return not block.place.own or (bool(self._catalogue_name(block)) and name not in self._vocabulary.catalog)

    def _raise(self) -> None:
        if self._notes.problems:
            raise SceneError(dict.fromkeys(self._notes.problems))

    # ---- the world itself

    def _world_model(self) -> StageBlock:
        return StageBlock(Block(("world",), SourceLine("", 0), self._world.properties), Units(), self._notes)

    def _read_units(self) -> Units:
        model = self._world_model()
        return Units(self._unit(model, "unit_length", LENGTHS, "m"), self._unit(model, "unit_angle", ANGLES, "degrees"))

    def _unit(self, model: StageBlock, name: str, known: Mapping[str, float], default: str) -> float:
        word = model.text(name, default)
        if word not in known:
            self._notes.wrong(model.properties[name], name, f"no such unit {word!r} {nearest(word, known)}")
        return known.get(word, known[default])

    def _note_world(self) -> None:
        for name, given in self._world.properties.items():
            if name not in _WORLD:
                self._notes.ignore(Block(("world",), given.place), name, given)

    def _ground(self) -> Ground:
        """Return the world's size, or a ground under everything in it with a margin of a metre."""
        size = self._world_model().numbers("size", (2, 3))
        if size and min(size[:2]) > 0.0:
            return Ground((size[0] * self._units.length, size[1] * self._units.length))
        points = [(robot.pose.x_m, robot.pose.y_m) for robot in self._robots]
        points += [point for solid in self._objects for outline in of_solid(solid) for point in outline.points]
        ends = [np.array(points).reshape(-1, 2), *(walls.pieces(wall).reshape(-1, 2) for wall in self._walls)]
        every = np.concatenate(ends)
        if not len(every):
            return Ground()
        low, high = np.floor(every.min(axis=0)) - 1.0, np.ceil(every.max(axis=0)) + 1.0
        (x, y), (wide, deep) = ((low + high) / 2).tolist(), (high - low).tolist()
        return Ground((wide, deep), (x, y))

    # ---- its blocks

    def _model(self, block: Block) -> StageBlock:
        return StageBlock(block, self._units, self._notes)

    def _place(self, block: Block) -> None:
        """Add the things of a model to the walls and objects."""
        for thing in self._things.of(self._model(block)):
            named = dataclasses.replace(thing, name=self._name(thing.name))
            if isinstance(named, Wall):
                self.places["wall", len(self._walls)] = block.place
                self._walls.append(named)
            else:
                self.places["object", len(self._objects)] = block.place
                self._objects.append(named)

    def _unknown(self, block: Block) -> None:
        hint = nearest(block.type, [*THINGS, "position", *self._world.definitions])
        if block.type in self._vocabulary.catalog:
            hint = f'(write include "{FILE}" first)'
        hinted = block.type in self._vocabulary.catalog or "did you mean" in hint
        self._notes.ignore(block, "", None, f"unknown kind of model, ignored {hint}" if hinted else "is ignored")

    def _name(self, wanted: str) -> str:
        """Return a valid unused name; empty if the requested one is not available."""
        word = hyphened(wanted)
        if not NAME.fullmatch(word) or word in self._names:
            return ""
        self._names.add(word)
        return word

    def _robot(self, block: Block) -> PlacedRobot:
        model = self._model(block)
        table = self._table(block)
        like = str(table.pop("like"))
        name = model.text("name")
        legal = self._name(name)
        colour = paint(model) or PlacedRobot().colour
        label = name if name != legal else ""
        return PlacedRobot(
            name=legal, model=like, label=label, place=model.pose(), colour=colour, overrides=table or None
        )

    def _table(self, block: Block) -> dict[str, Any]:
        like = self._catalogue_name(block)
        devices: Mapping[str, object] = {}
        if like:
            devices = find_robot(like, None, self._vocabulary).table.get("device", {})
        return robot_table(self._model(block), like, dict.fromkeys(devices, True))

    def _catalogue_name(self, block: Block) -> str:
        """Return the catalogue robot that a block is derived from by our own definitions; empty if none."""
        for name in block.names:
            word = name.removesuffix(BEFORE)
            definition = self._world.lookup(name)
            if word in self._vocabulary.catalog and definition is not None and definition.body.place.own:
                return word
        return ""
