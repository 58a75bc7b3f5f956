"""Writes the tables of the documentation from the code: ``python docs/generate.py``; a test fails when one is stale.

A page holds ``<!-- table: NAME -->`` and ``<!-- end -->``; what stands between them is ours.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any

from understudy.formats import FORMATS, Saver, Writer
from understudy.formats.robot_read import find_robot
from understudy.protocols.arcos_commands import ROWS
from understudy.protocols.arcos_packets import CONFIG, SIP_HEAD, SIP_TAIL
from understudy.robots import UNITS
from understudy.sensors import SENSORS
from understudy.sensors.base import Sampled
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import Lobe
from understudy.sensors.models import models
from understudy.sensors.odometry import WheelError
from understudy.sensors.sound import Reflection
from understudy.sim.vocabulary import vocabulary
from understudy.world import joints, looks, marks, robot, scene, shapes, vehicle
from understudy.world.materials import Surface
from understudy.world.plain import (
    alternatives,
    describe,
    fields_of,
    hints_of,
    key_of,
    kind_of,
    rule_of,
    to_plain,
    union_members,
)

HERE = Path(__file__).parent
_MOTIONS = (joints.Revolute, joints.Prismatic)
NOT_IN_FILES = {"overrides", "parts"}  # what a robot has once it is read
REGION = re.compile(r"(<!-- table: ([\w.-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fields(cls: type, common: type | None = None) -> str:
    """Return the keys of a record as a table; what is as in *common* is left out."""
    rows = ["| key | what | if left out | |", "|---|---|---|---|"]
    usual = {field.name: field.default for field in fields_of(common)} if common else {}
    for field in fields_of(cls):
        how = rule_of(field)
        if (cls is robot.Robot and field.name in NOT_IN_FILES) or (
            field.name in usual and usual[field.name] == field.default
        ):
            continue
        if how.inline:
            rows += [f"| ({note(cls, field)}) | | | |"]
            continue
        names = [key_of(field), *(other for other, _ in alternatives(key_of(field)))]
        missing = field.default is dataclasses.MISSING
        default = "needed" if missing else shown(field.default)
        rows.append(f"| {' or '.join(f'`{n}`' for n in names)} | {limits(cls, field)} | {default} | {how.doc} |")
    return "\n".join(rows)


def note(cls: type, field: Any) -> str:
    """Return what an inlined record adds."""
    members = union_members(hints_of(cls)[field.name])
    names = ", ".join(kind_of(member) for member in members if isinstance(member, type))
    return f"and the keys of: {names or rule_of(field).kinds}"


def limits(cls: type, field: Any) -> str:
    """Return type and range of a field in words."""
    how, hint = rule_of(field), hints_of(cls)[field.name]
    text = "a table of tables" if how.keyed else describe(hint, how)
    text = "a list of files" if field.name == "include" else text
    bounds = [("above", how.above), ("at least", how.least), ("at most", how.most)]
    return ", ".join([text, *(f"{word} {value}" for word, value in bounds if value is not None)])


def shown(default: Any) -> str:
    """Return a default as a reader would write it."""
    if default in ("", None, ()) or dataclasses.is_dataclass(default):
        return ""
    if isinstance(default, tuple) and dataclasses.is_dataclass(default[0]):
        return f"`[{', '.join(map(inline, default))}]`"
    if isinstance(default, bool):
        return str(default).lower()
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def inline(record: Any) -> str:
    """Return a record as a file would have it on one line."""
    pairs = (f"{key} = {f'{v:g}' if isinstance(v, float) else json.dumps(v)}" for key, v in to_plain(record).items())
    return f"{{{', '.join(pairs)}}}"


def kinds(classes: Any) -> str:
    """Return one table per kind of a union."""
    return "\n\n".join(f"**{kind_of(cls)}**: {summary(cls)}\n\n{fields(cls)}" for cls in classes)


def sensors() -> str:
    """Return a chapter for each kind of sensor: what it is, its keys, and what of it is modelled and what is not."""
    return "\n\n".join(chapter(kind, cls) for kind, cls in SENSORS.items())


def chapter(kind: str, cls: Any) -> str:
    """Return what there is to say of one kind of sensor."""
    card, reading = cls.card, ", ".join(f"`{name}`" for name in few(cls().columns()))
    known = [f"`{model.name}`" for model in models().values() if model.kind == kind]
    parts = [
        f"### {kind}",
        card.summary,
        f"A reading: {reading}." + (f" Models: {', '.join(known)}." if known else ""),
        fields(cls, Sampled),
        "\n".join(["Modelled:", "", *(f"- {row}" for row in card.modelled)]),
        "\n".join(["Not modelled:", "", *(f"- {row}" for row in card.not_modelled)]),
    ]
    return "\n\n".join(parts)


def few(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a reading, of many only the first and the last."""
    return names if len(names) <= 12 else (*names[:2], "...", names[-1])


def devices() -> str:
    """Return the devices of the catalogue, with where a pole is noticed by each."""
    rows = ["| model | kind | | where a pole of 10 cm is noticed |", "|---|---|---|---|"]
    for model in models().values():
        drawn = f'<img src="beams/{model.name}.svg" width="160" alt="beam of {model.name}">'
        picture = "" if model.kind == "camera" else drawn
        rows.append(f"| `{model.name}` | [{model.kind}](#{model.kind}) | {model.summary} | {picture} |")
    return "\n".join(rows)


def summary(cls: type) -> str:
    """Return the first sentence of a class."""
    return (cls.__doc__ or "").strip().splitlines()[0]


def arcos() -> str:
    """Return the support table of ARCOS commands."""
    rows = ["| # | name | argument | effect | here |", "|---|---|---|---|---|"]
    for row in ROWS:
        here = f"{row.status} {SETTINGS[row.when]}".strip()
        rows.append(f"| {row.code} | {row.name} | {row.arg.value} | {row.effect} | {here} |")
    return "\n".join(rows)


SETTINGS = {
    "": "",
    "laser": "with `srisim_laser_compat` (default)",
    "no laser": "without `srisim_laser_compat`",
    "srisim": "with `srisim_compat`",
    "no srisim": "without `srisim_compat` (default)",
}
TYPES = {"B": "u8", "b": "i8", "H": "u16", "h": "i16", "z": "text, NUL"}


def packet(*layouts: Any) -> str:
    """Return the fields of a packet in order."""
    rows = ["| field | type |", "|---|---|"]
    for name, code, _ in (row for layout in layouts for row in layout.rows):
        rows.append(f"| {name} | {', '.join(TYPES[letter] for letter in code)} |")
    return "\n".join(rows)


def pioneers() -> str:
    """Return the Pioneers of the catalogue with what they announce and can do."""
    rows = ["| model | announced | mm/s | deg/s | sonars | laser | |", "|---|---|---|---|---|---|---|"]
    for name in vocabulary().catalog:
        robot = find_robot(name, None, vocabulary()).table
        sheet, laser = robot.get("unit", {}).get("arcos"), robot.get("device", {}).get("front")
        if not sheet or name.endswith("-no-error"):
            continue
        discs = len(robot["device"].get("sonar", {}).get("ring", ())) + len(sheet.get("absent_sonars", ()))
        beam = f"{laser['rays']} rays, {laser['field_deg']} deg, {laser['max_m']:g} m" if laser else ""
        speed = f"{robot['drive']['max_m_s'] * 1000:.0f} | {robot['drive']['max_deg_s']}"
        rows.append(f"| `{name}` | {sheet['subtype']} | {speed} | {discs or ''} | {beam} | {robot['summary']} |")
    return "\n".join(rows)


def formats() -> str:
    """Return the file formats with what they are and whether they can be written."""
    rows = ["| format | files | what | |", "|---|---|---|---|"]
    for name, known in FORMATS.items():
        what = (known.__doc__ or "").strip().splitlines()[0]
        how = "read and written" if isinstance(known, Writer | Saver) else "read"
        rows.append(f"| {name} | {' '.join(f'`{suffix}`' for suffix in known.SUFFIXES)} | {what} | {how} |")
    return "\n".join(rows)


TABLES = {
    "scene": lambda: fields(scene.Scene),
    "ground": lambda: fields(scene.Ground),
    "origin": lambda: fields(scene.Origin),
    "air": lambda: fields(scene.Air),
    "wall": lambda: fields(scene.Wall),
    "object": lambda: fields(scene.Solid),
    "shapes": lambda: kinds(union_members(shapes.Shape)),
    "ball": lambda: fields(scene.Ball),
    "mark": lambda: fields(marks.Mark),
    "tag": lambda: fields(marks.Tag),
    "map": lambda: fields(marks.MapNotes),
    "light": lambda: fields(scene.Light),
    "surface": lambda: fields(Surface),
    "pose": lambda: kinds((shapes.Pose, shapes.GeoPose)),
    "robot": lambda: fields(robot.Robot),
    "program": lambda: fields(robot.Program),
    "model": lambda: fields(robot.RobotModel),
    "bodies": lambda: kinds(union_members(robot.Body)),
    "drives": lambda: kinds(union_members(robot.Drive)),
    "dynamics": lambda: fields(vehicle.Dynamics),
    "wheel": lambda: fields(vehicle.Wheel),
    "suspension": lambda: fields(vehicle.Suspension),
    "castor": lambda: fields(vehicle.Castor),
    "joint": lambda: "\n\n".join(
        [fields(joints.Joint), *(f"**{kind_of(cls)}**: {cls.__doc__}\n\n{fields(cls)}" for cls in _MOTIONS)]
    ),
    "part": lambda: fields(vehicle.Part),
    "look": lambda: fields(looks.Look),
    "device": lambda: fields(robot.Device),
    "mount": lambda: fields(shapes.Mount),
    "sensors": sensors,
    "sampled": lambda: fields(Sampled),
    "devices": devices,
    "lobe": lambda: fields(Lobe),
    "reflection": lambda: fields(Reflection),
    "noise": lambda: fields(LengthNoise),
    "wheel-error": lambda: fields(WheelError),
    "units": lambda: kinds(unit.Sheet for unit in UNITS.values()),
    "port": lambda: fields(robot.Port),
    "arcos": arcos,
    "sip-head": lambda: packet(SIP_HEAD),
    "sip-tail": lambda: packet(SIP_TAIL),
    "config": lambda: packet(CONFIG),
    "pioneers": pioneers,
    "formats": formats,
}


def rendered(page: str) -> str:
    """Return a page with its tables made anew."""
    return REGION.sub(lambda m: f"{m[1]}\n{TABLES[m[2]]()}\n\n{m[3]}", page)


def main() -> None:
    """Write every page that has tables."""
    for path in sorted(HERE.glob("*.md")):
        old = path.read_text(encoding="utf-8")
        new = rendered(old)
        if new != old:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.name}: written\n")


if __name__ == "__main__":
    main()
