"""The verbs that list things: ``ports``, ``catalog``, ``card``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.formats.robot_read import find_robot
from understudy.links import directory
from understudy.sensors.card import Card
from understudy.sensors.models import Model, models
from understudy.sim.vocabulary import vocabulary
from understudy.world.rules import alternatives


def ports(args: argparse.Namespace) -> int:
    """List the ports of every simulation that runs on this machine."""
    found = directory.running()
    if not found:
        print("no simulation with open ports is running")
    for instance in found:
        for port in instance.ports:
            print(f"{port.path:24} {port.protocol:10} {port.url}  (pid {instance.pid})")
    return 0


def catalog(args: argparse.Namespace) -> int:
    """List the robots that come with Understudy, or the devices."""
    words = vocabulary()
    if args.devices:
        for device in models().values():
            print(f"{device.name:16} {device.kind:12} {device.summary}")
        return 0
    for name in words.catalog:
        print(f"{name:30} {find_robot(name, None, words).table.get('summary', '')}")
    return 0


def card(args: argparse.Namespace) -> int:
    """Show what the numbers of a robot, a device or a kind of sensor rest on, what is modelled and what is not."""
    name, words = args.name, vocabulary()
    if name in words.catalog:
        _robot_card(name)
    elif name in models():
        _device_card(models()[name])
    elif name in words.devices:
        print(_kind_card(name).text(words.devices[name]()))
    else:
        known = (*words.catalog, *models(), *words.devices)
        raise UnknownName(f"there is no robot, device or kind of sensor {name!r} {nearest(name, known)}")
    return 0


def _robot_card(name: str) -> None:
    robot = find_robot(name, None, vocabulary()).table
    print(f"{name}: {robot.get('summary', '')}")
    for key, value in robot.get("card", {}).items():
        _print_entry(key, _with_values(value, {"robot": robot, **robot}) if key == "numbers" else value)


def _device_card(model: Model) -> None:
    """Print where a device's numbers are from, and then the card of its kind."""
    print(f"{model.name}: {model.summary}, a {model.kind}")
    _print_entry("sources", list(model.sources))
    _print_entry("numbers", _with_values(model.numbers, model.device))
    print(f"\n{replace(_kind_card(model.kind), numbers=()).text(model.sheet)}")


def _kind_card(kind: str) -> Card:
    sheet: Any = vocabulary().devices[kind]
    if not hasattr(sheet, "card"):
        raise UnknownName(f"the package that {kind!r} is from gives no card of it")
    card: Card = sheet.card
    return card


def _with_values(sources: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, str]:
    """Return sources of numbers by their keys, each key with the value that *table* has for it."""
    return {_with_value(key, table): source for key, source in sources.items()}


def _with_value(path: str, table: Mapping[str, Any]) -> str:
    """Return a path as the table spells it and its value, or the path alone.

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
    """Return a value as a robot file has it; of a list only how long it is."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_shown(each)}" for key, each in value.items()) + "}"
    many = isinstance(value, list) and (len(value) > 3 or isinstance(value[0], Mapping))
    return f"{len(value)} of them" if many else str(value)


def _print_entry(key: str, value: Any) -> None:
    print(f"\n{key.replace('_', ' ')}")
    rows = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
    for row in rows if isinstance(rows, list) else [rows]:
        print(f"  - {row}")
