"""The model of a placed robot: its catalogue entry or robot file, and what the scene overrides."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import Any

from understudy.assets import fence
from understudy.errors import SceneError, UnknownName, nearest
from understudy.formats import robot_formats
from understudy.formats.beam_points import measured
from understudy.formats.native import robot_files
from understudy.formats.native.robot_toml import parse_robot
from understudy.formats.robot_formats import RobotFile, RobotFormat
from understudy.formats.sources import RobotSource
from understudy.world.drive_stages import DriveStageSpec
from understudy.world.joints import Joint
from understudy.world.looks import Look
from understudy.world.motors import DEVICE, JOINT, driven
from understudy.world.records import BAD, KeyPath, Reader
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, Port, RobotModel, UnitSpec
from understudy.world.rules import canonical
from understudy.world.vehicle import BodyPart, Castor, Wheel
from understudy.world.vocabulary import Vocabulary

Table = Mapping[str, Any]
SECTIONS: dict[str, type] = {
    "wheel": Wheel, "castor": Castor, "joint": Joint, "part": BodyPart, "look": Look, "device": DeviceSpec,
    "unit": UnitSpec, "port": Port, "drive_stage": DriveStageSpec,
}  # fmt: skip
_TAGS = ("kind", "model", "shape", "protocol")
_BINDINGS = ("uses", "drives")  # tables of a unit whose entries can be removed with false
_CONNECTIONS = ("mount", "unit", "link", "gate", "forbid")  # keys of a device or port of any kind
# stand-ins, so that the rest of a robot can be checked although its body or drive is invalid
_BODY, _DRIVE = Circle(radius_m=0.1), Differential(track_m=0.2)


# ---- robot files


def find_robot(
    model: str, folder: pathlib.Path | None, vocabulary: Vocabulary, seen: tuple[str, ...] = ()
) -> RobotFile:
    """Return the robot called *model* in the catalogue or described by the file *model*; raises UnknownName.

    Missing keys come from the robot that it is derived from; *seen* are the robots derived from this one.
    """
    if model in vocabulary.catalog:
        robot, identity = parse_robot(vocabulary.catalog[model], f"{model}.toml"), model
    elif known := robot_formats.named(model):
        path = (folder or pathlib.Path()) / model
        robot, identity, folder = _robot_at(known, path, model), str(path.resolve()), path.parent
    else:
        raise UnknownName(f"no such robot {model!r} {nearest(model, vocabulary.catalog)}")
    if identity in seen:
        raise UnknownName(f"{model!r} is derived from itself; remove one `like`")
    whole = _whole(robot, folder, vocabulary, (*seen, identity))
    beside = "" if model in vocabulary.catalog else pathlib.PurePath(model).parent.as_posix()
    return dataclasses.replace(whole, table=robot_files.seen_from_beside(whole.table, beside))


def _robot_at(known: RobotFormat, path: pathlib.Path, model: str) -> RobotFile:
    """Return the robot that the file at *path* describes, with its measured beams from files relative to it."""
    robot = robot_formats.read(known, _robot_data(path, model), model, path.parent)
    table, findings = measured(robot.table, path.parent)
    wrong = (robot.source.problem(finding.path, finding.text) for finding in findings)
    return dataclasses.replace(robot, table=table, problems=(*robot.problems, *wrong))


def _robot_data(path: pathlib.Path, model: str) -> bytes:
    try:
        return fence.read_bytes(path)
    except OSError as error:
        raise UnknownName(f"cannot read the robot file {model!r}: {error.strerror}") from None


# ---- a robot derived from another


def _whole(robot: RobotFile, folder: pathlib.Path | None, vocabulary: Vocabulary, seen: tuple[str, ...]) -> RobotFile:
    """Return *robot* with missing keys taken from the robot that it is derived from, if any."""
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
    absent = (robot.source.problem(finding.path, finding.text) for finding in reader.findings)
    source = RobotSource(robot.source.source, base.source)
    return RobotFile(derived(base.table, own), source, (*base.problems, *robot.problems, *absent))


def derived(base: Table, own: Table) -> Table:
    """Return *base* updated with *own*, without what *own* removes."""
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
    """Return whether a path of a card, such as ``robot.drive.max_m_s``, exists in the robot's table, in any unit."""
    node: Any = {"robot": table, **table}
    for part in path.split("."):
        names = node if isinstance(node, Mapping) else {}
        found = part if part in names else next((key for key in names if canonical(key) == canonical(part)), None)
        if found is None:
            return False
        node = names[found]
    return True


# ---- what the scene overrides


def merge(base: Table, over: Table) -> dict[str, Any]:
    """Return *base* with the values of *over* in it, table by table; a part of another kind keeps only its connections.

    ``drives.C = false`` and ``uses.port1 = false`` remove a binding of *base*.

    >>> merge({"max_m": 8.0, "yaw_deg": 90}, {"yaw_rad": 0.1})
    {'max_m': 8.0, 'yaw_rad': 0.1}
    """
    given = {canonical(key): key for key in over}
    result = {key: value for key, value in base.items() if given.get(canonical(key), key) == key}
    for key, value in over.items():
        old = result.get(key)
        result[key] = merge(_comparable(old, value), value) if isinstance(value, Mapping) else value
        if key in _BINDINGS and isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = {name: bound for name, bound in result[key].items() if bound is not False}
    return result


def _comparable(old: Any, new: Table) -> Table:
    """Return the keys of *old* that still apply together with *new*."""
    if not isinstance(old, Mapping):
        return {}
    if all(tag not in new or new[tag] == old.get(tag) for tag in _TAGS):
        return old
    kept = _CONNECTIONS if "kind" in new else (*_CONNECTIONS, "ring")  # another model keeps the mounting places
    return {key: value for key, value in old.items() if key in kept}


def without_taken_away(base: Table, over: Table) -> Table:
    """Return *base* without its references to devices, joints and units that *over* removes with ``= false``."""
    units = _taken_away(over, "unit")
    gone = {sort: _taken_away(over, sort) for sort in (DEVICE, JOINT)}
    kept = {name: _unbound(unit, gone) for name, unit in _tables(base, "unit").items()}
    ports = {name: port for name, port in _tables(base, "port").items() if port.get("unit") not in units}
    return {**base, **({"unit": kept} if kept else {}), **({"port": ports} if "port" in base else {})}


def _unbound(unit: Table, gone: Mapping[str, set[str]]) -> Table:
    """Return a unit without inputs and outputs that are bound to what is gone."""
    uses, drives, kept = unit.get("uses"), unit.get("drives"), dict(unit)
    if isinstance(uses, Mapping):
        kept["uses"] = {name: device for name, device in uses.items() if device not in gone[DEVICE]}
    if isinstance(drives, Mapping):
        kept["drives"] = {name: bound for name, bound in drives.items() if not _is_gone(bound, gone)}
    return kept


def _is_gone(bound: Any, gone: Mapping[str, set[str]]) -> bool:
    sort, name = driven(str(bound))
    return name in gone.get(sort, ())


def _taken_away(over: Table, section: str) -> set[str]:
    parts = over.get(section)
    return {name for name, part in parts.items() if part is False} if isinstance(parts, Mapping) else set()


def _tables(table: Table, section: str) -> dict[str, Table]:
    parts = table.get(section)
    return {k: v for k, v in parts.items() if isinstance(v, Mapping)} if isinstance(parts, Mapping) else {}


def complain_of_absent(reader: Reader, base: Table, over: Table, path: KeyPath) -> None:
    """Report parts that *over* removes but *base* does not have."""
    for section in SECTIONS:
        have = _tables(base, section)
        for name in sorted(_taken_away(over, section) - have.keys()):
            reader.complain((*path, section, name), f"no such {section} to remove {nearest(name, have)}")


def without_misspelt(reader: Reader, base: Table, over: Table, path: KeyPath) -> Table:
    """Return *over* without the parts whose names are almost those of *base*, and report these.

    A part that says what it is (by its kind, say) is a new one, whatever its name.
    """
    kept: dict[str, Any] = dict(over)
    for section in SECTIONS:
        have, own = _tables(base, section), _tables(over, section)
        for name in [name for name, part in own.items() if name not in have and not part.keys() & {*_TAGS}]:
            if (hint := nearest(name, have)).startswith("(did you mean"):
                reader.complain((*path, section, name), f"no such {section} {hint}")
                kept[section] = {key: part for key, part in kept[section].items() if key != name}
    return kept


# ---- the model


def placement_keys(reader: Reader) -> frozenset[str]:
    """Return the keys of ``[[robot]]`` that place the robot rather than describe it."""
    return frozenset(reader.keys(PlacedRobot)) - {"overrides", "parts"}


def read_model(reader: Reader, table: Table, path: KeyPath) -> RobotModel:
    """Return the model that *table* describes; invalid parts are left out, and noted by the reader."""
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
    """Return the robot called *model*, or described by the file *model*, complete; raises UnknownName or SceneError."""
    return _built(find_robot(model, folder, vocabulary), vocabulary)


def model_of_table(table: Table, file: str, vocabulary: Vocabulary) -> RobotModel:
    """Return the robot that a table describes, as one of *file*; raises SceneError."""
    found = RobotFile.of(file, table)
    return _built(_whole(found, None, vocabulary, ()), vocabulary)


def _built(found: RobotFile, vocabulary: Vocabulary) -> RobotModel:
    from understudy.formats.native.device_models import completed  # it merges tables with this module

    reader = Reader(kinds=vocabulary.kinds)
    table, unknown = completed(found.table, vocabulary.models)
    for finding in unknown:
        reader.complain(finding.path, finding.text)
    robot = read_model(reader, table, ()) if table else None
    problems = [*found.problems, *(found.source.problem(finding.path, finding.text) for finding in reader.findings)]
    if problems or robot is None:
        raise SceneError(problems)
    return robot


def fitted(model: RobotModel) -> RobotModel:
    """Return *model* with every device configured for the units that use it."""
    sheets = {device.name: device.sheet for device in model.devices}
    for unit in model.units:
        for name in dict.fromkeys(name for _, name in unit.uses if name in sheets):
            sheets[name] = unit.sheet.fitted(sheets[name])
    devices = tuple(dataclasses.replace(device, sheet=sheets[device.name]) for device in model.devices)
    return model if devices == model.devices else dataclasses.replace(model, devices=devices)


def perfect(model: RobotModel) -> RobotModel:
    """Return *model* with ideal sensors and odometry."""
    devices, units = tuple(map(_perfect_device, model.devices)), tuple(map(_perfect_unit, model.units))
    return dataclasses.replace(model, devices=devices, units=units)


def _perfect_unit(unit: UnitSpec) -> UnitSpec:
    return dataclasses.replace(unit, sheet=unit.sheet.perfect())


def _perfect_device(device: DeviceSpec) -> DeviceSpec:
    sheet = dataclasses.replace(device.sheet, noise=dataclasses.replace(device.sheet.noise, preset="perfect"))
    return dataclasses.replace(device, sheet=sheet)
