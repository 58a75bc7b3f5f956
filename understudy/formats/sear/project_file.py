"""SEAR projects (``.sear``): a zip archive of XML objects in ``environment/`` and ``robot/``, and files in ``assets/``.

Reading one never runs its code: `understudy sear run` does, with consent.
"""

from __future__ import annotations

import io
import os
import pathlib
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from understudy.assets import archive
from understudy.errors import FormatError, Problem, excerpt
from understudy.formats.document import Document
from understudy.formats.robot_parts import free_name
from understudy.formats.sear import pictures, robot, xml_object
from understudy.formats.sear.environment import placed_things
from understudy.formats.sear.kinds import KINDS, WITH_PORTS, SearEntry
from understudy.formats.sear.sensors import port_name
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Origin, Scene
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".sear",)
ENVIRONMENT, ROBOT, ASSETS = "environment", "robot", "assets"
MOST_OBJECTS = 5_000
MOST_BYTES = 256_000_000  # of all files of a project, unpacked
MOST_RATIO = 200  # unpacked to packed: more is a zip bomb
_PLAIN = re.compile(r"[^/\\\0:]{1,200}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # device names on Windows


@dataclass(frozen=True, slots=True)
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
    return any(_place_of(inside)[0] in (ENVIRONMENT, ROBOT) and inside.endswith(".xml") for inside in _rooted(names))


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene of a project; raises FormatError or SceneError. Its code is not run."""
    project = checked(read(unpacked(data, file), file), file)
    home = folder / pathlib.PurePath(file).name if folder else pathlib.Path(file)
    return document(project, file, vocabulary, home)


def unpacked(data: bytes, file: str) -> dict[str, bytes]:
    """Return the files of an archive from an unknown source; raises FormatError with the reason if one is hostile."""
    _check_entries(data, file)
    inside = archive.unpacked(data, file)
    plain = _rooted(inside)
    return {short: inside[name] for short, name in plain.items()}


def _check_entries(data: bytes, file: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = packed.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FormatError(f"{file}: not a valid .sear archive ({error})") from None
    if len(entries) > archive.MOST_FILES:
        raise FormatError(f"{file}: too many files: {len(entries):,} (at most {archive.MOST_FILES:,})")
    seen: set[str] = set()
    for entry in entries:
        _check_entry(entry, file)
        key = entry.filename.rstrip("/").casefold()
        if key in seen:
            raise FormatError(f"{file}: {excerpt(entry.filename)} is in the archive twice")
        seen.add(key)
    total = sum(entry.file_size for entry in entries)
    if total > MOST_BYTES:
        raise FormatError(f"{file}: too large when unpacked: {total:,} bytes (at most {MOST_BYTES:,})")
    packed_bytes = max(1, sum(entry.compress_size for entry in entries))
    if total > 1_000_000 and total / packed_bytes > MOST_RATIO:
        raise FormatError(f"{file}: unpacks to {total // packed_bytes:,} times its size: refused as a zip bomb")


def _check_entry(entry: zipfile.ZipInfo, file: str) -> None:
    """Raise FormatError if an entry has a name or type that no project has."""
    name = entry.orig_filename  # with a null byte, after which Python cuts the other one
    kind = entry.external_attr >> 28  # of Unix: 0 unknown, 4 folder, 8 file, 10 symbolic link
    if kind not in (0, 4, 8):
        raise FormatError(f"{file}: {excerpt(name)} is not a file but a link or device: refused")
    if entry.flag_bits & 1:
        raise FormatError(f"{file}: {excerpt(name)} is encrypted: unpack it and pack it without a password")
    check_name(name.rstrip("/"), file)


def check_name(name: str, file: str) -> None:
    """Raise FormatError unless a name stays inside the project on every system."""
    parts = name.split("/")
    for part in parts:
        plain = _PLAIN.fullmatch(part) and part.isprintable() and not part.endswith((" ", "."))
        if not plain or part in (".", "..") or _RESERVED.fullmatch(part):
            raise FormatError(f"{file}: {excerpt(name)} is not a name inside a project: refused")
    if len(parts) > 20:
        raise FormatError(f"{file}: {excerpt(name)}: folders nested too deeply (at most 20)")


def _rooted(names: Iterable[str]) -> dict[str, str]:
    """Return names as seen from the project's folder, each with its name in the archive.

    An archive may hold the files themselves, or one folder (``SEARproject``) with all of them.
    """
    files = [name for name in names if not name.endswith("/") and not name.startswith("__MACOSX/")]
    tops = {name.partition("/")[0] for name in files}
    inner = "/" in (files[0] if files else "") and len(tops) == 1 and not tops & {ENVIRONMENT, ROBOT, ASSETS}
    return {(name.partition("/")[2] if inner else name): name for name in files}


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
    scene, files, warnings = _with_files(_coloured(scene, project), project.assets, file)
    return Document(scene, file=file, folder=home, files=files, warnings=warnings)


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


def asset_name(name: str) -> str:
    """Return the name of a file as seen from ``assets/``, as users of SEAR write it.

    >>> asset_name("./textures/roomba.jpg"), asset_name("assets/a.png")
    ('textures/roomba.jpg', 'a.png')
    """
    clean = os.path.normpath(name.replace("\\", "/")).replace("\\", "/")
    return clean.removeprefix("assets/")


def _with_files(
    scene: Scene, assets: Mapping[str, bytes], file: str
) -> tuple[Scene, dict[str, bytes], tuple[Problem, ...]]:
    """Return the scene with the names of its files, those files, and what is missing.

    A missing picture is reported and left out: SEAR's own pictures are not in its projects. A missing mesh is an error.
    """
    warnings: list[Problem] = []
    files = dict(assets)

    def found(name: str) -> str:
        clean = asset_name(name)
        if pictures.known(clean) and clean not in files:
            files[clean] = pictures.content(clean)
        return clean if clean in files else ""

    def picture(thing: Any) -> Any:
        if not thing.picture:
            return thing
        name = found(thing.picture)
        if not name:
            usual = pictures.DEFAULTS.get(getattr(getattr(thing, "shape", None), "kind", ""), "")
            name = found(usual) if usual else ""
            label = getattr(thing, "name", "") or "the floor"
            warnings.append(Problem(file, 0, label, f"no picture {excerpt(thing.picture)} in assets; left out"))
        return replace(thing, picture=name)

    def mesh(thing: Any) -> Any:
        if thing.shape.kind != "mesh":
            return thing
        name = found(thing.shape.file)
        if not name:
            raise FormatError(f"{file}: {thing.name}: no file {excerpt(thing.shape.file)} in assets")
        return replace(thing, shape=replace(thing.shape, file=name))

    scene = replace(
        scene,
        ground=picture(scene.ground),
        walls=tuple(picture(wall) for wall in scene.walls),
        objects=tuple(picture(mesh(solid)) for solid in scene.objects),
        robots=tuple(_robot_files(robot, found, file) for robot in scene.robots),
    )
    if scene.ground.heights is not None:
        name = found(scene.ground.heights.file)
        if not name:
            raise FormatError(f"{file}: no terrain {excerpt(scene.ground.heights.file)} in assets")
        scene = replace(scene, ground=replace(scene.ground, heights=replace(scene.ground.heights, file=name)))
    return scene, files, tuple(warnings)


def _robot_files(placed: PlacedRobot, found: Any, file: str) -> PlacedRobot:
    looks = dict((placed.overrides or {}).get("look", {}))
    for name, look in looks.items():
        clean = found(look["shape"]["file"])
        if not clean:
            raise FormatError(f"{file}: {placed.label}: no file {excerpt(look['shape']['file'])} in assets")
        looks[name] = {**look, "shape": {**look["shape"], "file": clean}}
    return replace(placed, overrides={**(placed.overrides or {}), **({"look": looks} if looks else {})})
