"""Plug-ins of every kind, installed as pip would leave them: a module and its entry points on the path."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MODULE = '''
import logging
import pathlib
from dataclasses import dataclass
from typing import ClassVar

from understudy.engines.planar.engine import PlanarEngine
from understudy.errors import FormatError
from understudy.formats.document import Document
from understudy.formats.robot_formats import RobotFile
from understudy.links.loopback import LoopLink
from understudy.protocols.nmea.protocol import Nmea
from understudy.robots.nmea_gps import NmeaGps
from understudy.sensors.base import Sampled
from understudy.sensors.imperfection import PlainNoise
from understudy.world.scene import Ball, Scene


@dataclass(frozen=True, slots=True)
class Clock(Sampled):
    kind: ClassVar[str] = "clock"
    noise: PlainNoise = PlainNoise()

    def columns(self):
        return ("time_s",)

    def measure(self, truth, rows, mount, out):
        out[:, 0] = truth.t_us / 1e6


class Talker(NmeaGps):
    @dataclass(frozen=True, slots=True)
    class Sheet(NmeaGps.Sheet):
        kind: ClassVar[str] = "talker"


class Talk(Nmea):
    @dataclass(frozen=True, slots=True)
    class Sheet(Nmea.Sheet):
        kind: ClassVar[str] = "talk"
        units: ClassVar[tuple[str, ...]] = ("talker",)


class MyEngine(PlanarEngine):
    pass


def wire(url, label):
    assert url.name == "somewhere"
    return LoopLink(url, label)


class DotFormat:
    """Worlds of dots: a ball for each."""

    SUFFIXES = (".dots",)

    @staticmethod
    def sniff(data, name):
        return name.endswith(".dots")

    @staticmethod
    def parse(data, file, vocabulary, folder=None):
        balls = tuple(Ball(f"dot-{n}") for n in range(data.count(b".")))
        return Document(Scene(balls=balls), file, data.decode(), folder)


class WordFormat:
    """Robots of one word: their radius."""

    SUFFIXES = (".word",)

    @staticmethod
    def read_robot(data, file, folder):
        try:
            radius_m = float(data)
        except ValueError:
            raise FormatError(f"{file}: not a number") from None
        return RobotFile.of(file, {
            "body": {"shape": "circle", "radius_m": radius_m}, "drive": {"kind": "differential", "track_m": 0.2}
        })
'''
ENTRIES = """
[understudy.sensors]
clock = clocks:Clock
[understudy.units]
talker = clocks:Talker
[understudy.protocols]
talk = clocks:Talk
[understudy.links]
wire = clocks:wire
[understudy.engines]
mine = clocks:MyEngine
[understudy.formats]
dots = clocks:DotFormat
[understudy.robot_formats]
word = clocks:WordFormat
"""
SCENE = """
schema = 1
engine = "mine"
[[robot]]
name = "a"
model = "own.word"
[robot.device]
watch = {kind = "clock"}
gps = {kind = "gps"}
[robot.unit.gps]
kind = "talker"
uses = {gps = "gps"}
[robot.port.gps]
unit = "gps"
protocol = "talk"
link = "wire:somewhere"
"""


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "clocks.py").write_text(MODULE)
    (tmp_path / "own.word").write_text("0.125")
    (tmp_path / "room.toml").write_text(SCENE)
    (tmp_path / "three.dots").write_text("...")
    return tmp_path


def installed(folder, entries, name="clocks"):
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)
    return folder


def python(folder, *arguments):
    paths = os.pathsep.join([str(folder), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


RUN = """
import understudy as us
with us.load("room.toml", ports=True) as sim:
    sim.run(0.5)
    a = sim.robot("a")
    print(a.read("watch").tolist(), type(sim.current.engine).__name__, a.body.radius_m if hasattr(a, "body") else "")
    print([type(unit).__name__ for unit in sim.current.units.values()], sim.data("a").built.body.radius_m)
"""


def test_a_scene_may_name_what_an_installed_package_brings_of_every_kind(desk):
    done = python(installed(desk, ENTRIES), "-c", RUN)
    assert done.stdout.splitlines()[0].startswith("[0.5] MyEngine"), done.stderr
    assert done.stdout.splitlines()[1] == "['Talker', 'Controller'] 0.125"


def test_a_file_of_a_format_of_another_package_can_be_run_like_any_other(desk):
    code = 'import understudy as us\nprint(len(us.load("three.dots").scene.balls))'
    assert python(installed(desk, ENTRIES), "-c", code).stdout == "3\n"


def test_an_invalid_robot_file_of_another_package_is_named_with_its_reason(desk):
    (desk / "own.word").write_text("wide")
    done = python(installed(desk, ENTRIES), "-m", "understudy", "check", "room.toml")
    assert "own.word: not a number" in done.stdout + done.stderr


def test_the_list_of_kinds_names_plugins_and_their_packages(desk):
    done = python(installed(desk, ENTRIES), "-m", "understudy", "kinds")
    rows = {tuple(line.split(None, 2)) for line in done.stdout.splitlines()}
    assert {("sensors", "laser", "understudy"), ("sensors", "clock", "clocks 1.0")} <= rows
    mine = {row[:2] for row in rows if row[2] == "clocks 1.0"}
    assert mine == {
        ("sensors", "clock"), ("units", "talker"), ("protocols", "talk"), ("links", "wire"), ("engines", "mine"),
        ("formats", "dots"), ("robot_formats", "word"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ('"clock"', '"clok"', "no such kind 'clok' (did you mean 'clock'?)"),
        ('"talker"', '"talke"', "no such kind 'talke' (did you mean 'talker'?)"),
        ('"talk"', '"tolk"', "no such protocol 'tolk' (did you mean 'talk'?)"),
        ('"wire:', '"wirre:', "no such kind of link 'wirre' (did you mean 'wire'?)"),
        ('"mine"', '"mune"', "no such engine 'mune' (did you mean 'mine'?)"),
    ],
)
def test_a_misspelled_plugin_is_suggested(desk, old, new, hint):
    (desk / "room.toml").write_text(SCENE.replace(old, new))
    done = python(installed(desk, ENTRIES), "-m", "understudy", "check", "room.toml")
    assert hint in done.stdout + done.stderr


BROKEN = """
[understudy.sensors]
broken = clocks:Nothing
laser = clocks:Clock
watch = clocks:Clock
[understudy.units]
broken = nowhere:Unit
[understudy.formats]
broken = clocks:Clock
[understudy.engines]
broken = clocks:MODULE
"""


def test_broken_plugins_are_reported_with_their_package_and_the_rest_works(desk):
    installed(desk, ENTRIES)
    done = python(installed(desk, BROKEN, "breakers"), "-m", "understudy", "kinds")
    said = done.stderr
    assert "sensor 'broken' (clocks:Nothing) of breakers 1.0 is skipped: it cannot be loaded" in said
    assert "sensor 'laser' (clocks:Clock) of breakers 1.0 is skipped: a built-in sensor has this name" in said
    assert "sensor 'watch' (clocks:Clock) of breakers 1.0 is skipped: its kind is 'clock'" in said
    assert "unit 'broken' (nowhere:Unit) of breakers 1.0 is skipped: it cannot be loaded: ModuleNotFoundError" in said
    assert "format 'broken' (clocks:Clock) of breakers 1.0 is skipped: it has no SUFFIXES, sniff, parse" in said
    assert "broken" not in done.stdout
    assert python(desk, "-c", RUN).stdout.startswith("[0.5] MyEngine")


def test_a_format_that_fails_while_it_looks_at_a_file_does_not_break_the_others(desk):
    (desk / "rough.py").write_text("SUFFIXES = ('.dots',)\ndef sniff(data, name):\n    1 / 0\ndef parse(*a): pass\n")
    installed(desk, ENTRIES)
    installed(desk, "[understudy.formats]\na_rough = rough\n", "rough")
    code = 'import understudy as us\nprint(len(us.load("three.dots").scene.balls))'
    done = python(desk, "-c", code)
    assert done.stdout == "3\n"
    assert "the format 'a_rough' fails on three.dots: ZeroDivisionError" in done.stderr


QUIET = """
import importlib.metadata, sys
found = importlib.metadata.entry_points
def entry_points(**of):
    if of.get("group", "").startswith("understudy"):
        raise SystemExit(f"entry points of {of} are read")
    return found(**of)
importlib.metadata.entry_points = entry_points
import understudy as us
with us.load_text('schema = 1\\n[[robot]]\\nmodel = "p3dx"\\n') as sim:
    sim.run(0.1)
"""


def test_entry_points_are_not_read_for_a_scene_that_names_only_what_is_ours(tmp_path):
    done = python(tmp_path, "-c", QUIET)
    assert (done.returncode, done.stderr) == (0, "")
