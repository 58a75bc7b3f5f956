"""SEAR projects (``.sear``): a zip archive of XML objects in ``environment/`` and ``robot/``, and files in ``assets/``.

Reading one never runs its code: `understudy sear run` does, with consent.
"""

from __future__ import annotations

import io
import pathlib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from understudy.assets import archive
from understudy.errors import FormatError, excerpt
from understudy.formats.document import Document
from understudy.formats.robot_parts import free_name
from understudy.formats.sear import pictures, robot, xml_object
from understudy.formats.sear.archive_file import ASSETS, ENVIRONMENT, ROBOT, rooted, unpacked
from understudy.formats.sear.asset_files import AssetFiles, asset_name
from understudy.formats.sear.environment import placed_things
from understudy.formats.sear.kinds import KINDS, WITH_PORTS, SearEntry
from understudy.formats.sear.sensors import port_name
from understudy.frozen import frozen
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Origin, Scene
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".sear",)
MOST_OBJECTS = 5_000


@frozen
class SearProject:
    """A project in memory: its objects in the order of their names, its assets, and its code, which is not run."""

    environment: tuple[SearEntry, ...] = ()
    robot: tuple[SearEntry, ...] = ()
    assets: Mapping[str, bytes] = field(default_factory=dict)  # by name below assets/
    code: Mapping[str, bytes] = field(default_factory=dict)  # by name

    @property
    def robots(self) -> tuple[SearEntry, ...]:
        """Return the robots without their components."""
        return tuple(entry for entry in self.robot if entry.kind == "robot")

    def components(self, name: str) -> tuple[SearEntry, ...]:
        """Return the components of a robot; in a project of one robot all are its own."""
        own = len(self.robots) == 1
        return tuple(e for e in self.robot if e.kind != "robot" and (e.robot == name or (own and not e.robot)))


# ---- reading


def sniff(data: bytes, name: str) -> bool:
    """Return whether this is an archive with SEAR objects in it."""
    if not data.startswith(archive.SIGNATURE):
        return False
    if name.lower().endswith(SUFFIXES):
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False
    return any(_place_of(inside)[0] in (ENVIRONMENT, ROBOT) and inside.endswith(".xml") for inside in rooted(names))


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene of a project; raises FormatError or SceneError. Its code is not run."""
    project = checked(read(unpacked(data, file), file), file)
    home = folder / pathlib.PurePath(file).name if folder else pathlib.Path(file)
    return document(project, file, vocabulary, home)


def _place_of(name: str) -> tuple[str, str]:
    first, _, rest = name.partition("/")
    return (first, rest) if rest else ("", name)


def read(files: Mapping[str, bytes], file: str) -> SearProject:
    """Return the project that these files are, by name as seen from its folder; raises FormatError."""
    objects: dict[str, list[SearEntry]] = {ENVIRONMENT: [], ROBOT: []}
    assets: dict[str, bytes] = {}
    code: dict[str, bytes] = {}
    for name in sorted(files):
        place, rest = _place_of(name)
        if place in objects and name.lower().endswith(".xml"):
            objects[place].append(_object(files[name], f"{file}/{name}", place))
        elif place == ASSETS:
            assets[rest] = files[name]
        elif name.lower().endswith(".py"):
            code[name] = files[name]
    _check_objects([*objects[ENVIRONMENT], *objects[ROBOT]], file)
    return SearProject(tuple(objects[ENVIRONMENT]), tuple(objects[ROBOT]), assets, code)


def checked(project: SearProject, file: str) -> SearProject:
    """Return a project that has something in it; raises FormatError if it is empty."""
    if not (project.environment or project.robot or project.code):
        raise FormatError(f"{file}: no SEAR objects in it (want XML files in environment/ and robot/)")
    return project


def _object(data: bytes, file: str, place: str) -> SearEntry:
    entry = xml_object.read(data, file)
    kind = KINDS[entry.kind]
    if kind.place != place and not (kind.solid and place == ROBOT):
        raise entry.problem(f"belongs into {kind.place}/, not into {place}/")
    return entry


def _check_objects(entries: Sequence[SearEntry], file: str) -> None:
    if len(entries) > MOST_OBJECTS:
        raise FormatError(f"{file}: too many objects: {len(entries):,} (at most {MOST_OBJECTS:,})")
    seen: dict[str, SearEntry] = {}
    for entry in entries:
        if (other := seen.get(entry.name)) is not None:
            raise entry.problem(f"another object has this name, in {other.file}; rename one")
        seen[entry.name] = entry


# ---- to a scene


def document(project: SearProject, file: str, vocabulary: Vocabulary, home: pathlib.Path) -> Document:
    """Return the scene of a project as a document that carries its files."""
    scene = _scene(project, file, vocabulary)
    found = AssetFiles(project.assets, file)
    scene = found.found(_coloured(scene, project))
    return Document(scene, file=file, folder=home, files=found.files, warnings=tuple(found.warnings))


def _scene(project: SearProject, file: str, vocabulary: Vocabulary) -> Scene:
    taken: set[str] = set()
    robots: list[PlacedRobot] = []
    for entry in project.robots:
        name = free_name(entry.name, "robot", taken)
        robots.append(robot.placed(entry, project.components(entry.name), vocabulary, name))
    _check_owners(project)
    _check_ports(project)
    around = placed_things(project.environment, taken)
    return Scene(
        name=pathlib.PurePath(file).stem, engine="rigid", ground=around.ground, walls=around.walls,
        objects=around.objects, robots=tuple(robots), origin=_origin(project),
    )  # fmt: skip


def _coloured(scene: Scene, project: SearProject) -> Scene:
    """Return the scene with robots in the mean colour of the picture of their first component that has one."""
    robots = []
    for placed, entry in zip(scene.robots, project.robots):
        names = [asset_name(part["picture"]) for part in project.components(entry.name) if part.values.get("picture")]
        data = next((project.assets[name] for name in names if name in project.assets), b"")
        colour = pictures.mean_colour(data) if data else ""
        robots.append(replace(placed, colour=colour) if colour else placed)
    return replace(scene, robots=tuple(robots))


def _check_ports(project: SearProject) -> None:
    seen: dict[str, SearEntry] = {}
    for entry in project.robot:
        user = entry["user"] if entry.kind in WITH_PORTS else ""
        if user and (other := seen.setdefault(port_name(user), entry)) is not entry:
            raise entry.problem(f"{other.name!r} has the port {excerpt(user)} already")


def _check_owners(project: SearProject) -> None:
    names = {entry.name for entry in project.robots}
    for entry in project.robot:
        if entry.kind != "robot" and entry.robot not in names and not (len(names) == 1 and not entry.robot):
            raise entry.problem(f"no robot is named {entry.robot!r} (known: {', '.join(sorted(names)) or 'none'})")


def _origin(project: SearProject) -> Origin | None:
    """Return where the world's centre is on Earth, as the first GPS receiver says."""
    for entry in project.robot:
        if entry.kind == "gps":
            return Origin(entry["latitude"], entry["longitude"], entry["altitude"])
    return None
