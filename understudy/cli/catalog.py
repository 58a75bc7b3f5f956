"""The verb ``catalog``: the robots that come with Understudy, by kind, and the devices."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, NamedTuple

from understudy.errors import UnknownName, nearest
from understudy.formats.native.robot_read import find_robot
from understudy.sensors.models import models
from understudy.sim.vocabulary import vocabulary

_EXACT = "-no-error"  # each Pioneer is there twice


class RobotGroup(NamedTuple):
    """Robots whose firmware is of these kinds, under one heading."""

    name: str
    heading: str
    units: frozenset[str]


GROUPS = (
    RobotGroup("pioneer", "Pioneer, AmigoBot, PeopleBot and others of MobileRobots (ARCOS)", frozenset({"pioneer"})),
    RobotGroup("roomba", "Roomba and Create of iRobot (Open Interface)", frozenset({"roomba", "beacon"})),
    RobotGroup("lego", "LEGO RCX: the models of LURobotSim", frozenset({"rcx"})),
    RobotGroup("eyebot", "EyeBot (RoBIOS): the robots of EyeSim", frozenset({"eyebot"})),
    RobotGroup("other", "Other robots and instruments", frozenset()),
)  # fmt: skip


def catalog(args: argparse.Namespace) -> int:
    """List the robots that come with Understudy, or the devices."""
    if args.devices:
        for device in models().values():
            print(f"{device.name:16} {device.kind:12} {device.summary}")
        return 0
    known = [group.name for group in GROUPS]
    if args.kind and args.kind not in known:
        raise UnknownName(f"there is no kind of robot {args.kind!r} {nearest(args.kind, known)}")
    tables = _tables(with_exact=args.all)
    wanted = [group for group in GROUPS if args.kind in (None, group.name)]
    for number, group in enumerate(wanted):
        _print_group(group, tables, first=number == 0)
    if not args.all and any(group.name == "pioneer" for group in wanted):
        print(f"\nEach Pioneer exists without odometry error too, as NAME{_EXACT}: understudy catalog --all")
    return 0


def group_of(table: Mapping[str, Any]) -> str:
    """Return the name of the group of a robot, by its firmware."""
    kinds = {unit.get("kind") for unit in table.get("unit", {}).values()}
    return next((group.name for group in GROUPS if group.units & kinds), GROUPS[-1].name)


def _tables(with_exact: bool) -> dict[str, Mapping[str, Any]]:
    words = vocabulary()
    names = (name for name in words.catalog if with_exact or not name.endswith(_EXACT))
    return {name: find_robot(name, None, words).table for name in names}


def _print_group(group: RobotGroup, tables: Mapping[str, Mapping[str, Any]], first: bool) -> None:
    rows = {name: table for name, table in tables.items() if group_of(table) == group.name}
    print(f"{'' if first else chr(10)}{group.heading} [{group.name}]")
    for name, table in rows.items():
        print(f"  {name:28} {table.get('summary', '')}")
