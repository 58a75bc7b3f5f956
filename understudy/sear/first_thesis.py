"""Files of SEAR's first version: project settings (``.prj``), ``Sensors.xml`` and user code files (``.ucf``).

The thesis says what these files hold, but prints none of them except the blank ``.ucf``. So labelled lines, elements
and properties are found by the names that its windows have; whatever does not say what it means is reported, not
guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from understudy.assets import fence, xml_text
from understudy.assets.xml_text import Element
from understudy.errors import FormatError, excerpt
from understudy.formats.document import as_text
from understudy.formats.native.scene_file import save as save_file
from understudy.formats.sear import kinds
from understudy.formats.sear.kinds import SearEntry
from understudy.frozen import frozen
from understudy.sear.components import device_model
from understudy.sear.projects import USER_CODE, Project
from understudy.sear.user_code import BLANK, PARTS, TEMPLATE
from understudy.world.limits import LENGTH_M

MOST_BYTES = 1_000_000
MOST_LINES = 20_000
MOST_SENSORS = 200
MOST_LETTERS = 1_000  # of a line of settings
_OPTION_DEPTH = 3  # of a sensor's options in its element
_SUFFIXES = (".prj", ".ucf")


def is_known(source: str | Path) -> bool:
    """Return whether a file is one of the first version's, by its name."""
    name = Path(source).name.lower()
    return name.endswith(_SUFFIXES) or (name.endswith(".xml") and "sensor" in name)


def take(project: Project, source: str | Path) -> list[str]:
    """Import a file into a project; returns what became of it, line by line. Raises FormatError."""
    path = Path(source)
    try:
        data = fence.read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None
    if path.name.lower().endswith(".ucf"):
        return _take_code(project, data, path)
    if path.name.lower().endswith(".prj"):
        return _take_settings(project, data, str(path))
    return _take_sensors(project, data, str(path))


# ---- user code

_HEAD = re.compile(rf"\b({'|'.join(PARTS)})\s*\(\s*\)\s*\{{")
# what is not closed goes on to the end, so that no text is searched twice
_SKIPPED = re.compile(r'"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?|//[^\n]*|/\*(?:.*?\*/|.*\Z)|[{}]', re.DOTALL)


def java_parts(text: str, file: str) -> dict[str, str]:
    """Return the Java code between the brackets of each of the three parts; raises FormatError."""
    found: dict[str, str] = {}
    at = 0
    while (head := _HEAD.search(text, at)) is not None:
        at = _closing(text, head.end())
        if at < 0:
            line = text.count("\n", 0, head.start()) + 1
            raise FormatError(f"{file}:{line}: {head[1]}(){{ has no closing bracket")
        found.setdefault(head[1], text[head.end() : at])
    if not found:
        raise FormatError(f"{file}:1: not a user code file (want {', '.join(f'{part}(){{ ... }};' for part in PARTS)})")
    return found


def _closing(text: str, start: int) -> int:
    """Return where the bracket that is open at *start* is closed; -1 if it is not."""
    depth = 1
    for token in _SKIPPED.finditer(text, start):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0:
            return token.start()
    return -1


def python_of(text: str, file: str) -> str:
    """Return the Python template with the Java code of a ``.ucf`` file as comments in its three parts."""
    parts = java_parts(text, file)
    return TEMPLATE.format(**{
        key: _commented(parts.get(part, "")) for key, part in zip(("variables", "init", "loop"), PARTS)
    })  # fmt: skip


def _commented(code: str) -> str:
    """Return Java code as the body of a Python function that does nothing."""
    lines = ("".join(letter for letter in line if letter.isprintable()) for line in code.expandtabs(4).splitlines())
    return "\n    ".join([*(f"# {line}".rstrip() for line in lines if line.strip()), "pass"])


def _take_code(project: Project, data: bytes, path: Path) -> list[str]:
    code = python_of(as_text(data, str(path)), str(path))
    target = project.folder / USER_CODE
    if target.exists() and target.read_text(encoding="utf-8") not in (BLANK, code):
        target = project.folder / f"{re.sub(r'[^A-Za-z0-9_]+', '_', path.stem) or 'imported'}_code.py"
    target.parent.mkdir(parents=True, exist_ok=True)
    save_file(target, code)
    return [f"{target}: the Java code is in comments; write Python below them"]


# ---- sensors

_TYPES: Mapping[str, tuple[str, str]] = {  # what the wizard calls it -> kind, device of the catalogue
    "irsensor": ("distance", "gp2d12"), "infrared": ("distance", "gp2d12"), "ultrasonic": ("distance", "ping"),
    "lidar": ("lidar", ""), "gps": ("gps", ""), "compass": ("compass", ""), "accelerometer": ("accelerometer", ""),
    "gyroscope": ("gyroscope", ""), "odometer": ("odometer", ""),
}  # fmt: skip
_NAMES, _MODELS = ("sensorname", "name"), ("sensormodel", "model")
_OPTIONS: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = {  # kind -> option's spellings, value
    "distance": ((("maximumdistance", "maxdistance", "switchingdistance"), "range"), (("beamwidth",), "spread")),
    "lidar": ((("maximumsensingdistance", "maximumdistance", "maxdistance"), "range"),
              (("anglebetweenreadings", "anglestep", "angle"), "resolution")),
    "gps": ((("updatespeed",), "rate"),),
    "accelerometer": ((("bandwidth",), "rate"),),
    "gyroscope": ((("bandwidth",), "rate"),),
}  # fmt: skip
_READ_AS = {"range": "m", "spread": "degrees", "resolution": "degrees", "rate": "Hz"}


@frozen
class _Found:
    """A sensor of the wizard: its type, its options by plain name, and its line."""

    type: str
    options: Mapping[str, str]
    line: int


def _plain(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())


def _type_of(element: Element) -> str:
    """Return the wizard's type of an element, named by its tag, or by its class as Java's encoder writes it."""
    for word in (element.tag, element.get("class").rpartition(".")[2], element.get("type")):
        if _plain(word) in _TYPES:
            return _plain(word)
    return ""


def _walk(element: Element, depth: int = xml_text.MOST_DEPTH) -> Iterator[Element]:
    """Yield what is in an element, in the order of the file, down to a depth."""
    stack = [(child, depth) for child in reversed(element.children)]
    while stack:
        here, left = stack.pop()
        yield here
        if left > 1:
            stack += [(child, left - 1) for child in reversed(here.children)]


def _options(element: Element) -> dict[str, str]:
    found = {_plain(key): text.strip() for key, text in element.attributes.items() if key != "class"}
    for child in _walk(element, _OPTION_DEPTH):
        key = child.get("property") or (child.tag if child.text.strip() else "")
        inside = (each.text.strip() for each in _walk(child, 1) if each.text.strip())
        text = child.text.strip() or (next(inside, "") if key else "")
        if key and text:
            found.setdefault(_plain(key), text)
    return found


def _wizard_sensors(root: Element) -> Iterator[_Found]:
    for element in (root, *_walk(root)):
        options = _options(element) if _type_of(element) else {}
        if any(name in options for name in _NAMES):
            yield _Found(_type_of(element), options, element.line)


def _take_sensors(project: Project, data: bytes, file: str) -> list[str]:
    notes: list[str] = []
    entries: list[SearEntry] = []
    for found in _wizard_sensors(xml_text.parse(data, file)):
        if len(entries) >= MOST_SENSORS:
            raise FormatError(f"{file}:{found.line}: too many sensors (at most {MOST_SENSORS})")
        entries.append(_sensor(found, file, notes))
    if not entries:
        raise FormatError(f"{file}:1: no sensor in it (want elements such as <Ultrasonic> with a sensor name)")
    robot = _robot_of(project, notes)
    for entry in entries:
        project.put(replace(entry, robot=robot))
    return notes


def _sensor(found: _Found, file: str, notes: list[str]) -> SearEntry:
    kind, device = _TYPES[found.type]
    name = next(found.options[key] for key in _NAMES if key in found.options)
    values: dict[str, Any] = {"model": device} if device else {}
    if kind == "gps":
        values |= {"latitude": 0.0, "altitude": 0.0, "longitude": 0.0}
        notes.append(f"{file}:{found.line}: {name}: its centre is 0, 0: import the .prj file, or set it")
    for key in _MODELS:
        if kind == "distance" and key in found.options:
            values["model"] = _model(found.options[key], device, f"{file}:{found.line}: {name}", notes)
    for spellings, value in _OPTIONS.get(kind, ()):
        key = next((spelling for spelling in spellings if spelling in found.options), "")
        if key and (number := _number(found.options[key])) is not None:
            values[value] = number
            notes.append(f"{file}:{found.line}: {name}: {key} {number:g} read as {value} ({_READ_AS[value]})")
    used = {key for spellings, _ in _OPTIONS.get(kind, ()) for key in spellings} | set(_NAMES) | set(_MODELS)
    if unused := sorted(set(found.options) - used):
        notes.append(f"{file}:{found.line}: {name}: not imported: {', '.join(unused)[:200]}")
    try:
        return kinds.made(kind, name, values)
    except FormatError as problem:
        raise FormatError(f"{file}:{found.line}: {problem}") from None


def _model(wanted: str, usual: str, place: str, notes: list[str]) -> str:
    try:
        return device_model(wanted)
    except LookupError:
        notes.append(f"{place}: no device {excerpt(wanted)} in the catalogue; it became a {usual}")
        return usual


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < LENGTH_M else None


def _robot_of(project: Project, notes: list[str]) -> str:
    """Return the project's robot; makes one if there is none."""
    project.folder.mkdir(parents=True, exist_ok=True)
    robots = project.read().robots
    if len(robots) > 1:
        raise FormatError(f"{project.folder}: several robots; import into a project of one robot")
    if robots:
        return robots[0].name
    project.put(kinds.made("robot", "robot", {}))
    notes.append(f"{project.folder}: a robot without wheels was made")
    return "robot"


# ---- project settings

_SETTINGS: Mapping[str, str] = {  # a label of the Project Settings window, without blanks -> what it sets
    "terrainmodel": "terrain", "terrain": "terrain", "latitude": "latitude", "longitude": "longitude",
    "altitude": "altitude", "robotbodymodel": "body", "robotbody": "body", "usercodefile": "code", "usercode": "code",
    "mass": "mass", "vehiclemass": "mass", "stiffness": "stiffness", "suspensionstiffness": "stiffness",
    "compression": "compression", "suspensioncompression": "compression", "suspensioncompressionvalue": "compression",
    "damping": "damping", "suspensiondamping": "damping", "suspensiondampingvalue": "damping",
    "x": "x", "y": "y", "z": "z", "roll": "roll", "pitch": "pitch", "yaw": "yaw",
}  # fmt: skip
_DYNAMICS = ("mass", "stiffness", "compression", "damping", "x", "y", "z", "roll", "pitch", "yaw")
_MESHES = (".mesh.xml", ".mesh", ".blend", ".obj", ".scene", ".j3o")
_LABELLED = re.compile(r"\s*([A-Za-z][^=:\\/]*?)\s*[=:]\s*(.*)")


def settings_of(text: str, file: str) -> tuple[dict[str, str], list[str]]:
    """Return the settings of a ``.prj`` file whose meaning is clear, and a note for every other line."""
    found: dict[str, str] = {}
    notes: list[str] = []
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise FormatError(f"{file}: too many lines: {len(lines):,} (at most {MOST_LINES:,})")
    for number, line in enumerate(lines, 1):
        match = _LABELLED.fullmatch(line) if len(line) <= MOST_LETTERS else None
        label = _SETTINGS.get(_plain(match[1])) if match else None
        if match and label:
            found.setdefault(label, match[2].strip())
        elif line.strip() and not _bare(line.strip(), found):
            notes.append(f"{file}:{number}: not imported, its meaning is not stated: {excerpt(line.strip())}")
    return found, notes


def _bare(line: str, found: dict[str, str]) -> bool:
    """Take a line that is the name of a file: models in the order of the window's tabs, terrain and then body."""
    if line.lower().endswith(".ucf"):
        return found.setdefault("code", line) == line
    free = next((label for label in ("terrain", "body") if label not in found), "")
    if not free or not line.lower().endswith(_MESHES):
        return False
    found[free] = line
    return True


def _take_settings(project: Project, data: bytes, file: str) -> list[str]:
    found, notes = settings_of(as_text(data, file), file)
    if not found:
        raise FormatError(f"{file}: no known setting in it (lines with another meaning: {len(notes)})")
    numbers = {key: value for key in found if key not in ("terrain", "body", "code")
               and (value := _number(found[key])) is not None}  # fmt: skip
    robot = _robot_of(project, notes)
    for entry in _entries(found, numbers):
        project.put(entry if entry.name == "terrain" else replace(entry, robot=robot))
        notes.append(f"{project.folder}: {entry.kind} {entry.name}")
    for label in ("terrain", "body"):
        if label in found:
            notes.append(f"copy {found[label]} and the files beside it to {project.folder / 'assets'}")
    if "code" in found:
        notes.append(f"import {found['code']} next: its code becomes comments of {USER_CODE}")
    return notes


def _entries(found: Mapping[str, str], numbers: Mapping[str, float]) -> Iterator[SearEntry]:
    if "terrain" in found:
        yield kinds.made("model", "terrain", {"file": _file_name(found["terrain"]), "terrain": True})
    if "body" in found:
        yield kinds.made("model", "robot body", {"file": _file_name(found["body"])})
    if {"latitude", "longitude"} <= numbers.keys():
        centre = {key: numbers.get(key, 0.0) for key in ("latitude", "altitude", "longitude")}
        yield kinds.made("gps", "gps", centre)
    if "mass" in numbers:
        values = {key: numbers[key] for key in _DYNAMICS if key in numbers}
        yield kinds.made("dynamics", "dynamics", {"stiffness": 60.0, **values})


def _file_name(path: str) -> str:
    """Return the last part of a file's path, of whatever system: models are looked for in assets."""
    return path.replace("\\", "/").rpartition("/")[2]
