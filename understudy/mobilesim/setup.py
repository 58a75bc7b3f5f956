"""Turns MobileSim's options into a scene with robots on their ports, and robot factories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path

from understudy import formats
from understudy.assets import fence
from understudy.assets.files import Contents, contents
from understudy.errors import FormatError, SceneError, UnknownName
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import robot_model
from understudy.formats.stage import world_file
from understudy.formats.stage.world_file import Defined
from understudy.frozen import frozen
from understudy.links.url import tcp_address
from understudy.mobilesim import codes
from understudy.mobilesim.codes import StartError
from understudy.mobilesim.folders import Folders, find_map
from understudy.mobilesim.options import Options, Wanted
from understudy.mobilesim.places import StartPoses
from understudy.mobilesim.tuning import tuned
from understudy.sim.factory import Factory, beside, robot_at
from understudy.world import outlines
from understudy.world.boxes import BOXES
from understudy.world.outlines import Outline
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot, RobotModel
from understudy.world.scene import DEFAULT_TICK_US, Ground, Scene, Solid
from understudy.world.shapes import Pose
from understudy.world.vocabulary import Vocabulary

DEFAULT_MODEL = "p3dx"
EMPTY = Scene(name="empty", ground=Ground((200.0, 200.0)))

Model = RobotModel | Solid


@frozen
class Setup:
    """What to start: a flat scene, robot factories, and notices for the user."""

    scene: Scene
    factories: tuple[Factory, ...] = ()
    notices: tuple[str, ...] = ()
    map: Path | None = None  # file of the world
    files: Contents | None = None  # contents of the files that the scene names


def mobilesim_scene(
    options: Options, vocabulary: Vocabulary, folders: Folders, within: Sequence[Path] | None = None
) -> Setup:
    """Return the setup that *options* request; raises StartError with MobileSim's exit code.

    With *within* the map may name files below these folders only, and robot files must be below the working folder.
    None means that the user's own command line is trusted.
    """
    with fence.within(within):
        world = _world(options, vocabulary, folders)
    wanted = options.robots or (() if options.stageworld else (Wanted(DEFAULT_MODEL),))
    own = Defined({}, {}, {}, Scene()) if options.stageworld else _own_models(vocabulary, folders)
    with fence.within(None if within is None else [folders.working]):
        models = [_model(each.model, own, vocabulary, folders) for each in wanted]
    setup = _Builder(options, world, vocabulary).setup(list(zip(wanted, models)))
    own_files = contents(Scene(robots=setup.scene.robots), folders.working)
    return replace(setup, files={**own_files, **world.files})


# ---- the world


@frozen
class _World:
    """A flat world without the robots of the command line, its file, and warnings about that file."""

    scene: Scene
    file: Path | None = None
    warnings: tuple[str, ...] = ()
    files: Contents = field(default_factory=dict)


def _world(options: Options, vocabulary: Vocabulary, folders: Folders) -> _World:
    if options.stageworld:
        file, code = folders.working / options.stageworld, codes.START
    elif (found := _map_file(options, folders)) is not None:
        file, code = found, codes.MAP
    else:
        return _World(EMPTY)
    try:
        document = formats.read(file, vocabulary)
        if not options.stageworld:
            document = replace(document, scene=_without_robots(document.scene))
        scene = scene_file.resolve(document, vocabulary)
    except (FormatError, SceneError) as problem:
        raise StartError(code, str(problem)) from problem
    files = document.contents(scene)
    return _World(replace(scene, name=scene.name or file.stem), file, _warnings(document), files)


def _without_robots(scene: Scene) -> Scene:
    """Return a scene without its robots and those of its includes, so that their programs do not start."""
    include = tuple(replace(each, scene=_without_robots(each.scene)) for each in scene.include)
    return replace(scene, robots=(), include=include)


def _warnings(document: Document) -> tuple[str, ...]:
    return tuple(str(warning) for warning in document.warnings)


def _map_file(options: Options, folders: Folders) -> Path | None:
    """Return the map to load: the given one, else the user's init.map; None for an empty world."""
    if options.map:
        places = [folders.working, *(folders.working / place for place in options.map_dir)]
        places += [folders.resources] if folders.resources else []
        found = find_map(options.map, places)
        if found is None:
            searched = ", ".join(str(place) for place in places)
            raise StartError(codes.MAP, f"{options.map}: map not found; searched {searched}")
        return found
    return None if options.map is not None or options.nomap else folders.init_map


# ---- the models


def _own_models(vocabulary: Vocabulary, folders: Folders) -> Defined:
    """Return what the user's include folder defines; reads nothing if it is empty."""
    if not folders.includes:
        return Defined({}, {}, {}, Scene())
    try:
        return world_file.defined(folders.includes[0].parent, vocabulary)
    except (SceneError, FormatError, OSError) as problem:
        raise StartError(codes.START, str(problem)) from problem


def _model(name: str, own: Defined, vocabulary: Vocabulary, folders: Folders) -> Model:
    """Return the robot or box called *name*: one of the user's own, a built-in one, or from the file *name*."""
    if name in own.robots:
        return own.robots[name]
    if name in own.solids or name in BOXES:
        return own.solids[name] if name in own.solids else BOXES[name]
    code = codes.PARAMETERS if name.endswith(".p") else codes.ARGUMENTS
    try:
        return robot_model(name, folders.working, vocabulary)
    except (UnknownName, SceneError, FormatError) as problem:
        raise StartError(code, str(problem)) from problem


# ---- robots, boxes and factories


class _Builder:
    """Adds the requested robots, boxes and factories to a world, in order."""

    def __init__(self, options: Options, world: _World, vocabulary: Vocabulary) -> None:
        self._options, self._vocabulary, self._origin = options, vocabulary, world
        self._world = replace(world.scene, seed=options.seed, tick_us=_tick_us(options))
        self._places = StartPoses(self._world, options)
        self._names = {thing.name for thing in world.scene.things()}
        self._ports = 0
        self._robots: list[PlacedRobot] = []
        self._boxes: list[Solid] = []
        self._factories: list[Factory] = []

    def setup(self, wanted: list[tuple[Wanted, Model]]) -> Setup:
        """Return the scene with all of them."""
        self._robots += [self._on_port(robot) for robot in self._world.robots]
        for each, model in wanted:
            self._add(each, model)
        scene = replace(self._world, robots=tuple(self._robots), objects=(*self._world.objects, *self._boxes))
        try:
            flat = scene_file.resolve(Document(scene, scene.name or "the scene"), self._vocabulary)
        except SceneError as problem:
            raise StartError(codes.START, str(problem)) from problem
        notices = (*self._origin.warnings, *self._places.moved)
        return Setup(flat, tuple(self._factories), notices, self._origin.file)

    def _add(self, wanted: Wanted, model: Model) -> None:
        if wanted.factory:
            self._factories.append(self._factory(wanted, model))
            return
        name = self._name(wanted)
        if isinstance(model, Solid):
            box = replace(model, name=name)
            self._boxes.append(replace(box, pose=self._places.next(name, partial(_box_at, box))))
        else:
            robot = PlacedRobot(name, wanted.model, wanted.name, parts=model)
            self._robots.append(self._on_port(replace(robot, place=self._places.next(name, partial(robot_at, robot)))))

    def _factory(self, wanted: Wanted, model: Model) -> Factory:
        if isinstance(model, Solid):
            raise StartError(codes.ARGUMENTS, f"-R {wanted.model}: a box has no clients; name a robot, or use -r")
        parts, port = tuned(model, self._options, "loop:", wanted.model)
        alone = replace(parts, ports=tuple(each for each in parts.ports if each.name == port))
        robot = PlacedRobot("client", wanted.model, place=self._places.first(), parts=alone)
        place = partial(_random_place, self._options) if self._options.start == "random" else beside
        return Factory(self._name(wanted), robot, self._url(), port, place=place)

    def _on_port(self, robot: PlacedRobot) -> PlacedRobot:
        parts, _ = tuned(robot.built, self._options, self._url(), robot.name)
        return replace(robot, parts=parts)

    def _url(self) -> str:
        """Return the URL of the next port; if it is in use, the next free one is taken, as in MobileSim."""
        first = self._options.port
        number = first + self._ports if first else 0
        self._ports += 1
        if number > 65_535:
            raise StartError(
                codes.ARGUMENTS, f"-p {first}: not enough ports up to 65535 for all robots; use a lower first port"
            )
        return f"{tcp_address(self._options.bind_to_address, number)}{'+' if number else ''}"

    def _name(self, wanted: Wanted) -> str:
        """Return an unused name: the given one, or one made from the model."""
        stem = re.split(r"[/\\]", wanted.model)[-1].removesuffix(".p").removesuffix(".toml")
        word = legal(wanted.name or stem, "robot")
        tries = (f"{word}-{n}" for n in range(2 if wanted.name else 1, len(self._names) + 3))
        name = next(n for n in ((word, *tries) if wanted.name else tries) if n not in self._names)
        self._names.add(name)
        return name


def _random_place(options: Options, scene: Scene, robot: PlacedRobot, number: int) -> Pose:
    """Return a random free pose for a client's robot."""
    return StartPoses(scene, options, number).next(robot.name, partial(robot_at, robot))


def _box_at(box: Solid, pose: Pose) -> Outline:
    return next(outlines.of_solid(replace(box, pose=pose)))


def _tick_us(options: Options) -> int:
    """Return the tick: our default, which is finer than MobileSim's, or a finer one that the options request (us)."""
    asked = round((options.update_sim_time or options.update_interval) * 1000)
    return min(DEFAULT_TICK_US, max(asked, 100))
