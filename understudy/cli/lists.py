"""The verbs that list and describe: ``card``, ``kinds``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.formats.native.robot_read import find_robot
from understudy.sensors.cards.card import Card
from understudy.sensors.models import DeviceModel, models
from understudy.sim.vocabulary import registries, vocabulary
from understudy.world.rules import alternatives


def kinds(args: argparse.Namespace) -> int:
    """List what a scene can name, and the packages that plug-ins come from."""
    tables = {table.group.partition(".")[2]: table for table in registries()}
    if args.part and args.part not in tables:
        raise UnknownName(f"there are no {args.part!r} {nearest(args.part, tables)}")
    for part, table in tables.items():
        for name in table if args.part in (None, part) else ():
            print(f"{part:15} {name:16} {table.package_of(name) or 'understudy'}")
    return 0


def card(args: argparse.Namespace) -> int:
    """Show the validity card of a robot, a device or a kind of sensor: sources of its numbers, what is modelled."""
    name, words = args.name, vocabulary()
    if name in words.catalog:
        _robot_card(name)
    elif name in models():
        _device_card(models()[name])
    elif name in words.devices:
        print(_kind_card(name).text(words.devices[name]()))
    else:
        known = (*words.catalog, *models(), *words.devices)
        raise UnknownName(f"unknown robot, device or kind of sensor {name!r} {nearest(name, known)}")
    return 0


def _robot_card(name: str) -> None:
    robot = find_robot(name, None, vocabulary()).table
    print(f"{name}: {robot.get('summary', '')}")
    for key, value in robot.get("card", {}).items():
        _print_entry(key, _with_values(value, {"robot": robot, **robot}) if key == "numbers" else value)


def _device_card(model: DeviceModel) -> None:
    """Print the sources of a device's numbers, then the card of its kind."""
    print(f"{model.name}: {model.summary}, a {model.kind}")
    _print_entry("sources", list(model.sources))
    _print_entry("numbers", _with_values(model.numbers, model.device))
    print(f"\n{replace(_kind_card(model.kind), numbers=()).text(model.sheet)}")


def _kind_card(kind: str) -> Card:
    sheet: Any = vocabulary().devices[kind]
    card: Card | None = sheet.card
    if card is None:
        raise UnknownName(f"{kind!r} has no validity card: the package that defines it provides none")
    return card


def _with_values(sources: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, str]:
    """Return the sources of numbers by key, each key with its value in *table*."""
    return {_with_value(key, table): source for key, source in sources.items()}


def _with_value(path: str, table: Mapping[str, Any]) -> str:
    """Return a path as the table spells it, with its value; the path alone if the table lacks it.

    >>> _with_value("noise.period_us", {"noise": {"period_ms": 40}}), _with_value("odd", {})
    ('noise.period_ms = 40', 'odd')
    """
    *stems, last = path.split(".")
    for stem in stems:
        table = table.get(stem, {})
    for key in (last, *(other for other, _ in alternatives(last))):
        if key in table:
            return f"{'.'.join((*stems, key))} = {_shown(table[key])}"
    return path


def _shown(value: Any) -> str:
    """Return a value as a robot file spells it; for a long list only its length."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_shown(each)}" for key, each in value.items()) + "}"
    many = isinstance(value, list) and (len(value) > 3 or isinstance(value[0], Mapping))
    return f"{len(value)} entries" if many else str(value)


def _print_entry(key: str, value: Any) -> None:
    print(f"\n{key.replace('_', ' ')}")
    rows = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
    for row in rows if isinstance(rows, list) else [rows]:
        print(f"  - {row}")
