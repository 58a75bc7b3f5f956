"""What a placed robot is made of: its catalogue or robot file, and what the scene says beside it."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from understudy.errors import FormatError, Problem, SceneError, UnknownName, nearest
from understudy.formats import fence, look_files, toml_text
from understudy.formats.beam_points import measured
from understudy.formats.document import Source
from understudy.formats.places import RobotSource
from understudy.formats.toml_lines import key_lines
from understudy.world.joints import Joint
from understudy.world.looks import Look
from understudy.world.plain import BAD, Path, Reader
from understudy.world.robot import Circle, Device, Differential, Port, Robot, RobotModel, Unit
from understudy.world.rules import canonical
from understudy.world.vehicle import Castor, Part, Wheel
from understudy.world.vocabulary import Vocabulary

Table = Mapping[str, Any]
SECTIONS: dict[str, type] = {
    "wheel": Wheel, "castor": Castor, "joint": Joint, "part": Part, "look": Look, "device": Device, "unit": Unit,
    "port": Port,
}  # fmt: skip
_TAGS = ("kind", "model", "shape", "protocol")
_CONNECTIONS = ("mount", "unit", "link", "gate", "forbid")  # what a device or port has whatever its kind
_TOP_LEVEL = ("robot", *SECTIONS, "card")
# stand-ins, so that the rest of a robot can be checked although its body or drive is mistaken
_BODY, _DRIVE = Circle(radius_m=0.1), Differential(track_m=0.2)


# ---- robot files


@dataclass(frozen=True)
class RobotFile:
    """A robot as a file describes it, as one table."""

    table: Table
    source: RobotSource
    problems: tuple[Problem, ...] = ()


@lru_cache(maxsize=256)  # many robots are like few others
def parse_robot(text: str, file: str) -> RobotFile:
    """Return the robot that *text* describes, unchecked but for its top level."""
    try:
        raw = toml_text.loads(text, file)
    except SceneError as error:
        return RobotFile({}, RobotSource(Source(file, {})), error.problems)
    source = Source(file, key_lines(text))
    unknown = [
        source.problem((key,), f"unknown key {nearest(key, _TOP_LEVEL)}") for key in raw if key not in _TOP_LEVEL
    ]
    own = raw.pop("robot", {})
    if not isinstance(own, Mapping):
        unknown.append(source.problem(("robot",), "want one table; write [robot], with single brackets"))
        own = {}
    table = {**own, **{key: value for key, value in raw.items() if key in _TOP_LEVEL}}
    return RobotFile(table, RobotSource(source), tuple(unknown))


def parse_params(text: str, file: str) -> RobotFile:
    """Return the robot that an ARIA parameter file describes."""
    from understudy.formats import aria_keywords
    from understudy.formats.aria_robot import robot_table

    try:
        table = robot_table(aria_keywords.read(text, file))
        return RobotFile(table, RobotSource(Source(file, {})))
    except SceneError as error:
        return RobotFile({}, RobotSource(Source(file, {})), error.problems)


def parse_urdf(text: str, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that a URDF file describes."""
    from understudy.formats import urdf  # which needs what reads meshes

    source = RobotSource(Source(file, {}))
    try:
        return RobotFile(urdf.robot(text, file, folder).table, source)
    except FormatError as error:
        return RobotFile({}, source, (Problem(file, 0, "", str(error).removeprefix(f"{file}:").strip()),))


def find_robot(
    model: str, folder: pathlib.Path | None, vocabulary: Vocabulary, seen: tuple[str, ...] = ()
) -> RobotFile:
    """Return the robot called *model* in the catalogue or described by the file *model*; raises UnknownName.

    What it leaves out comes from the robot that it is like; *seen* are the robots that are like this one.
    """
    if model in vocabulary.catalog:
        robot, identity = parse_robot(vocabulary.catalog[model], f"{model}.toml"), model
    elif model.endswith((".toml", ".p", ".urdf", ".xacro")):
        path = (folder or pathlib.Path()) / model
        robot, identity, folder = _robot_at(path, model), str(path.resolve()), path.parent
    else:
        raise UnknownName(f"no such robot {model!r} {nearest(model, vocabulary.catalog)}")
    if identity in seen:
        raise UnknownName(f"{model!r} is like itself")
    whole = _whole(robot, folder, vocabulary, (*seen, identity))
    beside = "" if model in vocabulary.catalog else pathlib.PurePath(model).parent.as_posix()
    return dataclasses.replace(whole, table=look_files.seen_from_beside(whole.table, beside))


def _robot_at(path: pathlib.Path, model: str) -> RobotFile:
    """Return the robot that the file at *path* describes, its measured beams from the files beside it."""
    if model.endswith((".urdf", ".xacro")):
        return parse_urdf(_robot_text(path, model), model, path.parent)
    read = parse_params if model.endswith(".p") else parse_robot
    robot = read(_robot_text(path, model), model)
    table, mistakes = measured(robot.table, path.parent)
    wrong = (robot.source.problem(mistake.path, mistake.text) for mistake in mistakes)
    return dataclasses.replace(robot, table=table, problems=(*robot.problems, *wrong))


def _robot_text(path: pathlib.Path, model: str) -> str:
    try:
        return fence.read_bytes(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise UnknownName(f"cannot read the robot file {model!r}: {reason}") from None


# ---- a robot that is like another


def _whole(robot: RobotFile, folder: pathlib.Path | None, vocabulary: Vocabulary, seen: tuple[str, ...]) -> RobotFile:
    """Return *robot* with what it leaves out taken from the robot that it is like, if it says so."""
    if "like" not in robot.table:
        return robot
    own = {key: value for key, value in robot.table.items() if key != "like"}
    like = robot.table["like"]
    try:
        if not isinstance(like, str):
            raise UnknownName(f"want the name of a robot or of a robot file, got {like!r}")
        base = find_robot(like, folder, vocabulary, seen)
    except UnknownName as error:
        problem = robot.source.problem(("like",), str(error))
        return dataclasses.replace(robot, table={}, problems=(*robot.problems, problem))
    reader = Reader()
    complain_of_absent(reader, base.table, own, ())
    absent = (robot.source.problem(mistake.path, mistake.text) for mistake in reader.mistakes)
    source = RobotSource(robot.source.source, base.source)
    return RobotFile(derived(base.table, own), source, (*base.problems, *robot.problems, *absent))


def derived(base: Table, own: Table) -> Table:
    """Return *base* with the values of *own* in it, without what *own* takes away."""
    table = merge(without_taken_away(base, own), own)
    for section in SECTIONS:
        if isinstance(table.get(section), Mapping):
            table[section] = {name: part for name, part in table[section].items() if part is not False}
    numbers = _tables(table, "card").get("numbers")
    if numbers:
        kept = {path: source for path, source in numbers.items() if _is_there(table, path)}
        table["card"] = {**table["card"], "numbers": kept}
    return table


def _is_there(table: Table, path: str) -> bool:
    """Say whether a path of a card, such as ``robot.drive.max_m_s``, is one of the robot's, in whatever unit."""
    node: Any = {"robot": table, **table}
    for part in path.split("."):
        names = node if isinstance(node, Mapping) else {}
        found = part if part in names else next((key for key in names if canonical(key) == canonical(part)), None)
        if found is None:
            return False
        node = names[found]
    return True


# ---- what the scene says beside it


def merge(base: Table, over: Table) -> dict[str, Any]:
    """Return *base* with the values of *over* in it, table by table; another kind of part keeps only its connections.

    >>> merge({"max_m": 8.0, "yaw_deg": 90}, {"yaw_rad": 0.1})
    {'max_m': 8.0, 'yaw_rad': 0.1}
    """
    given = {canonical(key): key for key in over}
    result = {key: value for key, value in base.items() if given.get(canonical(key), key) == key}
    for key, value in over.items():
        old = result.get(key)
        result[key] = merge(_comparable(old, value), value) if isinstance(value, Mapping) else value
    return result


def _comparable(old: Any, new: Table) -> Table:
    """Return what of *old* still has a meaning beside *new*."""
    if not isinstance(old, Mapping):
        return {}
    if all(tag not in new or new[tag] == old.get(tag) for tag in _TAGS):
        return old
    kept = _CONNECTIONS if "kind" in new else (*_CONNECTIONS, "ring")  # another model looks from the same places
    return {key: value for key, value in old.items() if key in kept}


def without_taken_away(base: Table, over: Table) -> Table:
    """Return *base* without what it bound to the devices and units that *over* takes away with ``= false``."""
    devices, units = _taken_away(over, "device"), _taken_away(over, "unit")
    kept = {name: _unbound(unit, devices) for name, unit in _tables(base, "unit").items()}
    ports = {name: port for name, port in _tables(base, "port").items() if port.get("unit") not in units}
    return {**base, **({"unit": kept} if kept else {}), **({"port": ports} if "port" in base else {})}


def _unbound(unit: Table, devices: set[str]) -> Table:
    uses = unit.get("uses")
    if not isinstance(uses, Mapping):
        return unit
    return {**unit, "uses": {name: device for name, device in uses.items() if device not in devices}}


def _taken_away(over: Table, section: str) -> set[str]:
    parts = over.get(section)
    return {name for name, part in parts.items() if part is False} if isinstance(parts, Mapping) else set()


def _tables(table: Table, section: str) -> dict[str, Table]:
    parts = table.get(section)
    return {k: v for k, v in parts.items() if isinstance(v, Mapping)} if isinstance(parts, Mapping) else {}


def complain_of_absent(reader: Reader, base: Table, over: Table, path: Path) -> None:
    """Complain of parts that *over* takes away but *base* does not have."""
    for section in SECTIONS:
        have = _tables(base, section)
        for name in sorted(_taken_away(over, section) - have.keys()):
            reader.complain((*path, section, name), f"there is no such {section} to take away {nearest(name, have)}")


# ---- the model


def placement_keys(reader: Reader) -> frozenset[str]:
    """Return the keys of ``[[robot]]`` that say where and how it is placed, not what it is."""
    return frozenset(reader.keys(Robot)) - {"overrides", "parts"}


def read_model(reader: Reader, table: Table, path: Path) -> RobotModel:
    """Return the model that *table* describes; mistaken parts are left out, and noted by the reader."""
    parts = {
        section: [part for part in reader.keyed(cls, table[section], (*path, section)) if part is not BAD]
        for section, cls in SECTIONS.items()
        if section in table
    }
    rest = {key: value for key, value in table.items() if key not in SECTIONS}
    values = reader.values(RobotModel, rest, path, placement_keys(reader) - rest.keys())
    good = {name: value for name, value in values.items() if value is not BAD}
    lists = {f"{section}s": tuple(items) for section, items in parts.items()}
    return RobotModel(**{"body": _BODY, "drive": _DRIVE, **good, **lists})


def robot_model(model: str, folder: pathlib.Path | None, vocabulary: Vocabulary) -> RobotModel:
    """Return the robot called *model*, or described by the file *model*, whole; raises UnknownName or SceneError."""
    return _built(find_robot(model, folder, vocabulary), vocabulary)


def model_of_table(table: Table, file: str, vocabulary: Vocabulary) -> RobotModel:
    """Return the robot that a table describes, as one of *file*; raises SceneError."""
    found = RobotFile(table, RobotSource(Source(file, {})))
    return _built(_whole(found, None, vocabulary, ()), vocabulary)


def _built(found: RobotFile, vocabulary: Vocabulary) -> RobotModel:
    reader = Reader(kinds=vocabulary.kinds)
    robot = read_model(reader, found.table, ()) if found.table else None
    problems = [*found.problems, *(found.source.problem(mistake.path, mistake.text) for mistake in reader.mistakes)]
    if problems or robot is None:
        raise SceneError(problems)
    return robot


def fitted(model: RobotModel) -> RobotModel:
    """Return *model* with every device as the units that use it work with it."""
    fits = {name: fit for unit in model.units if (fit := getattr(unit.sheet, "fitted", None)) for _, name in unit.uses}
    sheets = {device.name: fits[device.name](device.sheet) for device in model.devices if device.name in fits}
    devices = tuple(
        dataclasses.replace(device, sheet=sheets.get(device.name, device.sheet)) for device in model.devices
    )
    return model if devices == model.devices else dataclasses.replace(model, devices=devices)


def perfect(model: RobotModel) -> RobotModel:
    """Return *model* with every sensor reading the truth and every unit counting right."""
    devices, units = tuple(map(_perfect_device, model.devices)), tuple(map(_perfect_unit, model.units))
    return dataclasses.replace(model, devices=devices, units=units)


def _perfect_unit(unit: Unit) -> Unit:
    made = getattr(unit.sheet, "perfect", None)
    return dataclasses.replace(unit, sheet=made()) if made else unit


def _perfect_device(device: Device) -> Device:
    noise = getattr(device.sheet, "noise", None)
    if noise is None:
        return device
    sheet = dataclasses.replace(device.sheet, noise=dataclasses.replace(noise, preset="perfect"))
    return dataclasses.replace(device, sheet=sheet)
