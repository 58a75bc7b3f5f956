"""The verbs that list things: ``ports``, ``catalog``, ``card``."""

from __future__ import annotations

import argparse
import tomllib
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.links import directory
from understudy.robots import catalog as robot_files


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
    for name, text in sorted(robot_files().items()):
        print(f"{name:16} {tomllib.loads(text)['robot'].get('summary', '')}")
    return 0


def card(args: argparse.Namespace) -> int:
    """Show what a robot's numbers rest on, what is modelled and what is not."""
    files = robot_files()
    if args.name not in files:
        raise UnknownName(f"the catalogue has no {args.name!r} {nearest(args.name, files)}")
    robot = tomllib.loads(files[args.name])
    print(f"{args.name}: {robot['robot'].get('summary', '')}")
    for key, value in robot.get("card", {}).items():
        _print_entry(key, value)
    return 0


def _print_entry(key: str, value: Any) -> None:
    print(f"\n{key.replace('_', ' ')}")
    rows = [f"{k}: {v}" for k, v in value.items()] if isinstance(value, dict) else value
    for row in rows if isinstance(rows, list) else [rows]:
        print(f"  - {row}")
