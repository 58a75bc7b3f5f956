"""The verbs that list things: ``ports``, ``catalog``, ``card``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.formats.robot_read import find_robot
from understudy.links import directory
from understudy.sim.vocabulary import vocabulary


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
    """List the robots that come with Understudy."""
    words = vocabulary()
    for name in words.catalog:
        print(f"{name:30} {find_robot(name, None, words).table.get('summary', '')}")
    return 0


def card(args: argparse.Namespace) -> int:
    """Show what the numbers of a robot or a kind of sensor rest on, what is modelled and what is not."""
    words = vocabulary()
    if args.name in words.devices:
        sheet: Any = words.devices[args.name]
        if not hasattr(sheet, "card"):
            raise UnknownName(f"the package that {args.name!r} is from gives no card of it")
        print(sheet.card.text(sheet()))
    elif args.name in words.catalog:
        _print_robot(args.name, find_robot(args.name, None, words).table)
    else:
        known = [*words.devices, *words.catalog]
        raise UnknownName(f"no robot or kind of sensor is called {args.name!r} {nearest(args.name, known)}")
    return 0


def _print_robot(name: str, robot: Mapping[str, Any]) -> None:
    print(f"{name}: {robot.get('summary', '')}")
    for key, value in robot.get("card", {}).items():
        _print_entry(key, value)


def _print_entry(key: str, value: Any) -> None:
    print(f"\n{key.replace('_', ' ')}")
    rows = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
    for row in rows if isinstance(rows, list) else [rows]:
        print(f"  - {row}")
