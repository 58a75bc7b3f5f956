"""Writes the tables of the documentation from the code: ``python docs/generate.py``; a test fails when one is stale.

A page contains ``<!-- table: NAME -->`` and ``<!-- end -->``; this script writes what is between them.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Any

from api_reference import api

from understudy.clients.understudy_robios.functions import functions as robios_functions
from understudy.clients.understudy_seat import RECORDS
from understudy.formats import FORMATS, Saver, Writer
from understudy.formats.eyesim.error_lines import WHAT as EYESIM_ERRORS
from understudy.formats.native.robot_read import find_robot
from understudy.formats.rcx.isa import OPCODES as RCX_OPCODES
from understudy.formats.sear.kinds import KINDS
from understudy.protocols.arcos.commands import ROWS
from understudy.protocols.arcos.packets import CONFIG, SIP_HEAD, SIP_TAIL
from understudy.protocols.json_lines.requests import ROWS as JSON_ROWS
from understudy.protocols.nmea.commands import COMMANDS
from understudy.protocols.nmea.sentences import SENTENCES, NmeaSheet
from understudy.protocols.rcx_link.protocol import RcxLinkSheet
from understudy.protocols.robios.calls import CALLS as ROBIOS_CALLS
from understudy.protocols.robios.frame import FIELDS as ROBIOS_FIELDS
from understudy.protocols.robios.queries import QUERIES as ROBIOS_QUERIES
from understudy.protocols.robolab.commands import COMMANDS as ROBOLAB_COMMANDS
from understudy.protocols.robolab.protocol import RobolabSheet
from understudy.protocols.roomba_oi.opcodes import OPCODES
from understudy.protocols.roomba_oi.packets import GROUPS, PACKETS
from understudy.protocols.roomba_oi.protocol import RoombaOiSheet
from understudy.protocols.sick_lms200.replies import STATUS_FIELDS
from understudy.protocols.sick_lms200.requests import MODES, REQUESTS
from understudy.robots import UNITS
from understudy.robots.lms200.settings import MEASURING, VARIANTS
from understudy.robots.rcx.sheet import RcxPort, RcxSheet
from understudy.robots.rcx.sources import SOURCES
from understudy.robots.roomba.events import EVENTS
from understudy.robots.roomba.sheet import GENERATIONS, RoombaSheet
from understudy.sensors import SENSORS
from understudy.sensors.base import Sampled
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import Lobe
from understudy.sensors.models import models
from understudy.sensors.odometry import WheelError
from understudy.sensors.sound import Reflection
from understudy.sim.vocabulary import vocabulary
from understudy.world import drive_stages, faults, joints, looks, marks, motors, robot, scene, shapes, vehicle
from understudy.world.events import FILE_VERBS
from understudy.world.materials import Surface
from understudy.world.records import (
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
    """Return the keys of a record as a table; keys that are the same in *common* are left out."""
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    usual = {field.name: field.default for field in fields_of(common)} if common else {}
    for field in fields_of(cls):
        how = rule_of(field)
        if (cls is robot.PlacedRobot and field.name in NOT_IN_FILES) or (
            field.name in usual and usual[field.name] == field.default
        ):
            continue
        if how.inline:
            rows += [f"| ({note(cls, field)}) | | | |"]
            continue
        if how.tag == "what":
            rows.append(
                f"| `{key_of(field)}` | a table: `what`, and the keys of a thing of that name | required | {how.doc} |"
            )
            continue
        names = [key_of(field), *(other for other, _ in alternatives(key_of(field)))]
        missing = field.default is dataclasses.MISSING
        default = "required" if missing else shown(field.default)
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
    """Return a chapter for each kind of sensor: what it is, its keys, what is modelled and what is not."""
    return "\n\n".join(chapter(kind, cls) for kind, cls in SENSORS.items())


def chapter(kind: str, cls: Any) -> str:
    """Return the chapter of one kind of sensor."""
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
    """Return the names of a reading, or only the first and the last of many."""
    return names if len(names) <= 12 else (*names[:2], "...", names[-1])


def devices() -> str:
    """Return the devices of the catalogue, with where each detects a pole."""
    rows = ["| model | kind | | where a pole of 10 cm is detected |", "|---|---|---|---|"]
    for model in models().values():
        drawn = f'<img src="beams/{model.name}.svg" width="160" alt="beam of {model.name}">'
        picture = "" if model.kind == "camera" else drawn
        rows.append(f"| `{model.name}` | [{model.kind}](#{model.kind}) | {model.summary} | {picture} |")
    return "\n".join(rows)


def summary(cls: Any) -> str:
    """Return the first sentence of a class or function."""
    return (cls.__doc__ or "").strip().splitlines()[0]


def events() -> str:
    """Return one row for each change that an event may make: its verb, its other keys, and what it does."""
    rows = ["| key | and with it | what it names |", "|---|---|---|"]
    for verb, cls in sorted(FILE_VERBS.items()):
        keys = [key for field in fields_of(cls) for key in other_keys(field, verb)]
        doc = next(rule_of(field).doc for field in fields_of(cls) if rule_of(field).verb)
        rows.append(f"| `{verb}` | {', '.join(f'`{key}`' for key in keys)} | {doc} |")
    return "\n".join(rows)


def other_keys(field: Any, verb: str) -> list[str]:
    """Return the keys that a field adds to the table of an event."""
    if rule_of(field).inline:
        return [rule_of(field).tag]
    key = key_of(field)
    return [] if key in (verb, "master") else [alternatives(key)[0][0] if alternatives(key) else key]


def effects() -> str:
    """Return the effects of faults: what can have them, their parameters, and what they do."""
    rows = ["| effect | of | parameters | |", "|---|---|---|---|"]
    for word, cls in faults.WORDS.items():
        of = ", ".join(sort for sort, known in faults.EFFECTS.items() if cls in known)
        keys = [key_of(field) for field in fields_of(cls)]
        given = [f"`{alternatives(key)[0][0] if alternatives(key) else key}`: {rule_of(field).doc}"
                 for key, field in zip(keys, fields_of(cls))]  # fmt: skip
        rows.append(f"| `{word}` | {of} | {'; '.join(given)} | {summary(cls)} |")
    return "\n".join(rows)


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


def seat_records() -> str:
    """Return the records between a simulation and a program of another process."""
    rows = ["| kind | name | who says it | content | |", "|---|---|---|---|---|"]
    rows += [f"| {kind} | {name} | {who} | {what} | {text} |" for kind, (who, name, what, text) in RECORDS.items()]
    return "\n".join(rows)


def json_requests() -> str:
    """Return the requests of the JSON lines with an example of each reply."""
    rows = ["| request | | parameters | reply |", "|---|---|---|---|"]
    for row in JSON_ROWS:
        parameters = "<br>".join(json_parameter(each) for each in row.parameters)
        rows.append(f"| `{row.name}` | {row.text} | {parameters} | `{row.reply}` |")
    return "\n".join(rows)


def json_parameter(parameter: Any) -> str:
    """Return a parameter of a JSON request in words."""
    text = f"`{parameter.name}`: {', '.join(filter(None, (parameter.kind, parameter.text)))}"
    if parameter.needed:
        return f"{text}; required"
    return text if parameter.default is None else f"{text}; default: {parameter.default:g}"


def packet(*layouts: Any) -> str:
    """Return the fields of a packet in order."""
    rows = ["| field | type |", "|---|---|"]
    for name, code, _ in (row for layout in layouts for row in layout.rows):
        rows.append(f"| {name} | {', '.join(TYPES[letter] for letter in code)} |")
    return "\n".join(rows)


def nmea_sentences() -> str:
    """Return the sentences of a GPS receiver."""
    rows = ["| sentence | what |", "|---|---|"]
    for name, make in SENTENCES.items():
        what = summary(make).removeprefix("Return ").rstrip(".")
        rows.append(f"| {name} | {what} |")
    return "\n".join(rows)


def nmea_commands() -> str:
    """Return the MTK commands of a GPS receiver."""
    rows = ["| command | | arguments | effect |", "|---|---|---|---|"]
    rows += [f"| PMTK{row.number:03d} | {row.name} | {row.args} | {row.effect} |" for row in COMMANDS]
    return "\n".join(rows)


def sick_requests() -> str:
    """Return the requests to an LMS-200."""
    rows = ["| request | | data | reply |", "|---|---|---|---|"]
    rows += [f"| {row.code:02X} | {row.name} | {row.data} | {row.reply} |" for row in REQUESTS]
    return "\n".join(rows)


def sick_modes() -> str:
    """Return the operating modes and baud rates of an LMS-200."""
    rows = ["| mode | | parameters | sends | here |", "|---|---|---|---|---|"]
    rows += [f"| {row.code:02X} | {row.name} | {row.names} | {row.telegram} | {row.status} |" for row in MODES]
    return "\n".join(rows)


def sick_variants() -> str:
    """Return the variants of an LMS-200."""
    rows = ["| variant | readings | turns of the mirror | bytes of a scan |", "|---|---|---|---|"]
    rows += [f"| `{name}` | {v.readings} | {v.turns} | {2 * v.readings + 10} |" for name, v in VARIANTS.items()]
    return "\n".join(rows)


def sick_measuring() -> str:
    """Return the measuring modes of an LMS-200."""
    rows = ["| measuring mode | bits of a value | nothing in range | above |", "|---|---|---|---|"]
    for code, row in MEASURING.items():
        nothing = "0" if row.amplitude else str(row.beyond)
        rows.append(f"| {code:02X} | {row.bits} | {nothing} | {row.meaning} |")
    return "\n".join(rows)


def sick_status() -> str:
    """Return the fields of the status telegram of an LMS-200."""
    kinds = {"B": "u8", "H": "u16", "7s": "7 characters"}
    rows = ["| offset | field | type |", "|---|---|---|"]
    rows += [f"| {field.offset} | {field.name} | {kinds[field.form]} |" for field in STATUS_FIELDS]
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


SHORT = {"roomba400": "400", "create1": "Create", "create2": "Create 2"}
WORKS_IN = {"any": "any", "PSF": "passive, safe, full", "SF": "safe, full", "F": "full", "S": "safe"}


def generations(names: Any) -> str:
    """Return generations in few words."""
    return "all" if set(names) == set(GENERATIONS) else ", ".join(SHORT[name] for name in names)


def opcodes() -> str:
    """Return the support table of the Open Interface's opcodes."""
    rows = ["| # | name | data | robots | works in | mode after | here |", "|---|---|---|---|---|---|---|"]
    for row in OPCODES:
        which, modes = generations(row.generations), WORKS_IN[row.modes]
        rows.append(f"| {row.code} | {row.name} | {row.data} | {which} | {modes} | {row.after or 'same'} | supported |")
    return "\n".join(rows)


def oi_packets() -> str:
    """Return the sensor packets of the Open Interface."""
    rows = ["| id | type | content | values | robots |", "|---|---|---|---|---|"]
    for row in PACKETS:
        which = generations(row.generations).replace("all", "all (400: in groups only)")
        rows.append(f"| {row.id} | {TYPES[row.code]} | {row.name} | {row.meaning} | {which} |")
    return "\n".join(rows)


def oi_groups() -> str:
    """Return the groups of sensor packets."""
    rows = ["| id | packets | bytes | robots |", "|---|---|---|---|"]
    rows += [f"| {g.id} | {g.first} to {g.last} | {g.size} | {generations(g.generations)} |" for g in GROUPS]
    return "\n".join(rows)


def oi_events() -> str:
    """Return the events that a Create can wait for."""
    return ", ".join(f"{number} {event.name}" for number, event in EVENTS.items()) + "."


def sear_objects() -> str:
    """Return the objects of SEAR's grammar with the values of their XML files."""
    rows = ["| object | value | if left out | |", "|---|---|---|---|"]
    for kind in KINDS.values():
        rows.append(f"| **`<{kind.tag}>`** | | | {kind.doc} |")
        for value in kind.values:
            name = "beam" if value.sort == "cones" else value.name
            usual = "needed" if value.default is None else sear_default(value.default)
            rows.append(f"| | `{name}` | {usual} | {value.doc} |")
    return "\n".join(rows)


def sear_default(value: Any) -> str:
    """Return the default of a value as an XML file would have it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"`{value:g}`" if isinstance(value, int | float) else f"`{value}`" if value else ""


def robios_api(api: str) -> str:
    """Return the functions of a RoBIOS API, by group, with how they are supported."""
    rows = ["| function | here | |", "|---|---|---|"]
    group = ""
    for row in (row for row in robios_functions() if row.api == api):
        if row.group != group:
            group = row.group
            rows.append(f"| **{group}** | | |")
        rows.append(f"| `{row.name}({', '.join(row.arguments)})` | {row.support} | {row.meaning} |")
    return "\n".join(rows)


def robios_calls() -> str:
    """Return the calls of a RoBIOS program on the wire."""
    rows = ["| opcode | arguments | then | what |", "|---|---|---|---|"]
    for call in ROBIOS_CALLS.values():
        forms = ", ".join(ROBIOS_FORMS[form] for form in call.form)
        rows.append(f"| {call.opcode} | {forms} | {call.rest} | {summary(call.command)} |")
    return "\n".join(rows)


def robios_queries() -> str:
    """Return the queries of a RoBIOS program on the wire."""
    rows = ["| query | arguments | answer |", "|---|---|---|"]
    for number, (query, form) in ROBIOS_QUERIES.items():
        rows.append(f"| {number} | {', '.join(ROBIOS_FORMS[letter] for letter in form)} | {summary(query)} |")
    return "\n".join(rows)


def robios_frame() -> str:
    """Return the fixed part of the state that comes with each GO."""
    rows = ["| field | type | |", "|---|---|---|"]
    for name, form, meaning in ROBIOS_FIELDS:
        count = f"{form[:-1]} x " if len(form) > 1 else ""
        rows.append(f"| `{name}` | {count}{ROBIOS_FORMS[form[-1]]} | {meaning} |")
    return "\n".join(rows)


ROBIOS_FORMS = {"d": "f64", "i": "i32", "I": "u32", "q": "i64", "H": "u16", "?": "u8"}


RCX_SINCE = {1: "all", 2: "fw2, Swan", 3: "Swan"}
RCX_USE = {"P": "programs", "D": "requests", "B": "both"}


def rcx_instructions() -> str:
    """Return the instruction set of the RCX; rows of Swan that are of one family stand together."""
    rows = ["| code | LASM | operands | firmware | in | meaning |", "|---|---|---|---|---|---|"]
    for row in RCX_OPCODES:
        name = row.name if row.name.startswith("(") else f"`{row.name}`"
        operands = " ".join(row.fields)
        since, use = RCX_SINCE[row.since], RCX_USE[row.use]
        rows.append(f"| {row.code:02x} | {name} | {operands} | {since} | {use} | {row.meaning} |")
    return "\n".join(rows)


def robolab_commands() -> str:
    """Return the direct commands of ROBOLAB's TCP server with their answers."""
    rows = ["| command | operands | meaning | answer | and |", "|---|---|---|---|---|"]
    for row in ROBOLAB_COMMANDS:
        answer = "none" if row.answer is None else f"`{row.answer:02x}`"
        operands = " ".join(row.opcode.fields)
        rows.append(f"| `{row.opcode.name}` | {operands} | {row.opcode.meaning} | {answer} | {row.data} |")
    return "\n".join(rows)


def rcx_sources() -> str:
    """Return the sources of the RCX."""
    rows = ["| number | source | firmware | |", "|---|---|---|---|"]
    for number, source in SOURCES.items():
        how = "read" if source.write is None else "read, written"
        rows.append(f"| {number} | {source.name} | {RCX_SINCE[source.since]} | {how} |")
    return "\n".join(rows)


def eyesim_errors() -> str:
    """Return what the error margins of EyeSim's files mean."""
    rows = [f"| `error {what} PERCENT` | {meaning} |" for what, meaning in EYESIM_ERRORS.items()]
    return "\n".join(["| line | meaning |", "|---|---|", *rows])


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
    "robot": lambda: fields(robot.PlacedRobot),
    "program": lambda: fields(robot.Program),
    "events": events,
    "effects": effects,
    "model": lambda: fields(robot.RobotModel),
    "bodies": lambda: kinds(union_members(robot.Body)),
    "drives": lambda: kinds(union_members(robot.DriveSpec)),
    "dynamics": lambda: fields(vehicle.Dynamics),
    "wheel": lambda: fields(vehicle.Wheel),
    "suspension": lambda: fields(vehicle.Suspension),
    "castor": lambda: fields(vehicle.Castor),
    "joint": lambda: "\n\n".join(
        [fields(joints.Joint), *(f"**{kind_of(cls)}**: {cls.__doc__}\n\n{fields(cls)}" for cls in _MOTIONS)]
    ),
    "part": lambda: fields(vehicle.BodyPart),
    "look": lambda: fields(looks.Look),
    "device": lambda: fields(robot.DeviceSpec),
    "mount": lambda: fields(shapes.Mount),
    "sensors": sensors,
    "sampled": lambda: fields(Sampled),
    "devices": devices,
    "lobe": lambda: fields(Lobe),
    "reflection": lambda: fields(Reflection),
    "noise": lambda: fields(LengthNoise),
    "wheel-error": lambda: fields(WheelError),
    "unit": lambda: fields(robot.UnitSpec),
    "motor": lambda: fields(motors.Motor),
    "drive-stages": lambda: kinds(drive_stages.STAGES.values()),
    "units": lambda: kinds(unit.Sheet for unit in UNITS.values()),
    "port": lambda: fields(robot.Port),
    "scene-port": lambda: fields(robot.ScenePort),
    "arcos": arcos,
    "json-requests": json_requests,
    "seat-records": seat_records,
    "sip-head": lambda: packet(SIP_HEAD),
    "sip-tail": lambda: packet(SIP_TAIL),
    "config": lambda: packet(CONFIG),
    "pioneers": pioneers,
    "opcodes": opcodes,
    "oi-packets": oi_packets,
    "oi-groups": oi_groups,
    "oi-events": oi_events,
    "roomba": lambda: fields(RoombaSheet),
    "roomba-oi": lambda: fields(RoombaOiSheet),
    "rcx": lambda: fields(RcxSheet),
    "rcx-port": lambda: fields(RcxPort),
    "rcx-link": lambda: fields(RcxLinkSheet),
    "robolab": lambda: fields(RobolabSheet),
    "robolab-commands": robolab_commands,
    "rcx-instructions": rcx_instructions,
    "rcx-sources": rcx_sources,
    "nmea": lambda: fields(NmeaSheet),
    "nmea-sentences": nmea_sentences,
    "nmea-commands": nmea_commands,
    "sick-requests": sick_requests,
    "sick-modes": sick_modes,
    "sick-variants": sick_variants,
    "sick-measuring": sick_measuring,
    "sick-status": sick_status,
    "formats": formats,
    "eyesim-errors": eyesim_errors,
    "robios-7": lambda: robios_api("7"),
    "robios-classic": lambda: robios_api("classic"),
    "robios-calls": robios_calls,
    "robios-queries": robios_queries,
    "robios-frame": robios_frame,
    "sear-objects": sear_objects,
    "api": api,
}


def rendered(page: str) -> str:
    """Return a page with its tables written again."""
    return REGION.sub(lambda m: f"{m[1]}\n{TABLES[m[2]]()}\n\n{m[3]}", page)


def main() -> None:
    """Write every page that has tables."""
    for path in sorted(HERE.rglob("*.md")):
        old = path.read_text(encoding="utf-8")
        new = rendered(old)
        if new != old:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.name}: written\n")


if __name__ == "__main__":
    main()
