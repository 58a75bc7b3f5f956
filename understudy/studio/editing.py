"""Edits of the scene by studio users: add, remove, copy, change; each can be undone.

Called in the web server's thread; work on the simulation is queued with `Runner.ask`.
"""

from __future__ import annotations

import dataclasses
import math
from functools import partial

from understudy.errors import ChangeRefused
from understudy.sim.factory import robot_at
from understudy.sim.sim import Sim
from understudy.studio import palette, wall_shape
from understudy.studio.ground_height import GroundHeight
from understudy.studio.history import Edit, History
from understudy.studio.properties import PROPERTIES, Value
from understudy.studio.runner import Request, Runner
from understudy.studio.stream import Stream, Viewer
from understudy.world.changes import Add, Move, Remove, Replace, find, moved
from understudy.world.clearance import Clearance
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Solid, Thing, Wall
from understudy.world.shapes import Pose, pose_of

FARTHEST_M = 10_000.0  # maximum distance from the origin at which things can be placed


class Editing:
    """Edits one simulation, and knows how to undo each edit."""

    def __init__(self, runner: Runner, stream: Stream) -> None:
        self._runner, self._stream = runner, stream
        self._history = History()
        self._land = GroundHeight()

    def _ask(self, request: Request) -> None:
        self._runner.ask(request)

    def add(self, what: str, x_m: float, y_m: float, viewer: Viewer | None = None) -> None:
        """Add a thing of the palette or a robot of the catalogue; a robot is placed at the nearest free place."""
        x_m, y_m = placed(x_m, y_m)
        self._ask(partial(self._add, what=what, x_m=x_m, y_m=y_m, viewer=viewer))

    def _add(self, sim: Sim, what: str, x_m: float, y_m: float, viewer: Viewer | None) -> None:
        scene = sim.scene
        if what in palette.OBSTACLES:
            thing: Thing = palette.obstacle(what, x_m, y_m, scene)
        else:
            robot = palette.robot(what, Pose(x_m, y_m), scene)
            free = Clearance(scene).nearest(robot.pose, partial(robot_at, robot))
            thing = dataclasses.replace(robot, place=free)
        self._add_thing(sim, self._land.stood_on(sim, thing), "add", viewer)

    def _add_thing(self, sim: Sim, thing: Thing, verb: str, viewer: Viewer | None) -> None:
        """Add a thing, which its user's browser then selects."""
        self._edit(sim, Edit(f"{verb} {thing.name}", Add(thing), Remove(thing.name)))
        if viewer is not None:
            self._stream.say({"kind": "added", "name": thing.name}, viewer)

    def add_wall(self, start: tuple[float, float], end: tuple[float, float], viewer: Viewer | None = None) -> None:
        """Add a straight wall between two points (m)."""
        ends = placed(*start), placed(*end)
        wall_shape.check(ends)
        self._ask(partial(self._add_wall, ends=ends, viewer=viewer))

    def _add_wall(self, sim: Sim, ends: tuple[tuple[float, float], tuple[float, float]], viewer: Viewer | None) -> None:
        self._add_thing(sim, palette.wall(ends, sim.scene), "add", viewer)

    def reshape(self, sim: Sim, name: str, by: tuple[float, float], corner: int | None) -> None:
        """Shift a wall, or one of its corners, in the simulation's thread; raises ChangeRefused."""
        wall = find(sim.scene, name)
        if not isinstance(wall, Wall):
            raise ChangeRefused(f"{name} is not a wall")
        new = wall_shape.shifted(wall, *by) if corner is None else wall_shape.bent(wall, corner, *by)
        what = name if corner is None else f"{wall_shape.corner_word(wall, corner)} of {name}"
        self._edit(sim, Edit(f"move {what}", Replace(name, new), Replace(name, wall)))

    def remove(self, name: str) -> None:
        """Remove a thing."""
        self._ask(partial(self._remove, name=name))

    def _remove(self, sim: Sim, name: str) -> None:
        self._edit(sim, Edit(f"remove {name}", Remove(name), Add(find(sim.scene, name))))

    def duplicate(self, name: str, viewer: Viewer | None = None) -> None:
        """Add a copy beside a thing."""
        self._ask(partial(self._duplicate, name=name, viewer=viewer))

    def _duplicate(self, sim: Sim, name: str, viewer: Viewer | None) -> None:
        scene = sim.scene
        copy = palette.twin(find(scene, name), scene)
        if isinstance(copy, PlacedRobot):
            copy = dataclasses.replace(copy, place=Clearance(scene).nearest(copy.pose, partial(robot_at, copy)))
        self._add_thing(sim, copy, "copy", viewer)

    def set_property(self, name: str, key: str, value: Value) -> None:
        """Change a property of a thing, such as its size; raises ValueError for a value that it cannot have."""
        PROPERTIES[key].check(value)
        self._ask(partial(self._set_property, name=name, key=key, value=value))

    def _set_property(self, sim: Sim, name: str, key: str, value: Value) -> None:
        old = find(sim.scene, name)
        new = PROPERTIES[key].write(old, value)
        if new != old:
            self._edit(sim, changed(key, old, new))

    def undo(self) -> None:
        """Undo the last edit."""
        self._ask(self._undo)

    def _undo(self, sim: Sim) -> None:
        edit = self._history.undo()
        if edit is not None:
            sim.change(edit.inverse, "user")
        self._send_history()

    def redo(self) -> None:
        """Redo the last undone edit."""
        self._ask(self._redo)

    def _redo(self, sim: Sim) -> None:
        edit = self._history.redo()
        if edit is not None:
            sim.change(edit.change, "user")
        self._send_history()

    def _edit(self, sim: Sim, edit: Edit) -> None:
        sim.change(edit.change, "user")
        self._note(edit)

    def _note(self, edit: Edit) -> None:
        self._history.note(edit)
        self._send_history()

    def _send_history(self) -> None:
        undo, redo = self._history.words
        self._stream.say({"kind": "history", "undo": undo, "redo": redo})

    @property
    def history(self) -> tuple[str, str]:
        """Return what would be undone and redone; empty for nothing."""
        return self._history.words


def placed(x_m: float, y_m: float) -> tuple[float, float]:
    """Return a position; raises ValueError if it is too far from the origin."""
    if not math.hypot(x_m, y_m) <= FARTHEST_M:
        raise ValueError(f"want a position within {FARTHEST_M:g} m of the origin, got {x_m:g}, {y_m:g}")
    return x_m, y_m


def changed(key: str, old: Thing, new: Thing) -> Edit:
    """Return the edit from one thing to another; one that moves by itself is only moved, so that its start stays."""
    words = f"{key} of {old.name}"
    if key in ("x", "y", "z", "heading") and moves(old) and not isinstance(old, Wall) and not isinstance(new, Wall):
        return Edit(words, Move(old.name, new.pose), Move(old.name, old.pose))
    return Edit(words, Replace(old.name, new), Replace(old.name, old))


def moves(thing: Thing) -> bool:
    """Return whether a thing can move during a run without being edited."""
    return isinstance(thing, PlacedRobot | Ball) or (isinstance(thing, Solid) and thing.mass_kg > 0.0)


def dragged(sim: Sim, name: str, start: Pose, end: Pose) -> Edit:
    """Return the edit of a drag from one pose to another; what cannot move by itself stays there after a reset."""
    thing = find(sim.scene, name)
    if moves(thing):
        return Edit(f"move {name}", Move(name, end), Move(name, start))
    return Edit(f"move {name}", Replace(name, moved(thing, end)), Replace(name, moved(thing, start)))


def pose_in(sim: Sim, name: str) -> Pose:
    """Return the pose of a thing, always the same for a wall; raises ChangeRefused if there is no such thing."""
    view = sim.view()
    if any(robot.name == name for robot in view.robots):
        return view.pose(name)
    names, poses = view.movables()
    if name in names:
        return pose_of(poses[names.index(name)])
    thing = find(sim.scene, name)
    return Pose() if isinstance(thing, Wall) else thing.pose
