"""The optional abilities of a sensor are defaults of the contract, listed in one table; nobody has to look for them."""

import ast
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import understudy
from understudy.sensors import SENSORS, base
from understudy.sensors.base import Sampled
from understudy.sensors.batch import Batch
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.laser import Laser
from understudy.world.shapes import Mount

PACKAGE = Path(understudy.__file__).parent
OF_EVERY_SHEET = {"period_us", "phase_us", "latency_us", "columns", "scales", "floor", "nothing", "blank"}
TABLE = re.findall(r"^(\w+)(?:\(.*?\))?  +\S", base.__doc__, re.MULTILINE)


def public(cls):
    return {name for name in dir(cls) if not name.startswith("_")} | {field.name for field in fields(cls)}


def looked_for(file):
    """Yield file:line of every hasattr or getattr on a data sheet or on a drive."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr"):
            owner = ast.unparse(node.args[0])
            if owner.split(".")[-1] in ("sheet", "drive") and ast.unparse(node.args[1]) != "'kind'":
                yield f"{file.relative_to(PACKAGE)}:{node.lineno} {owner}"


@dataclass(frozen=True, slots=True)
class Plain(Sampled):
    kind: ClassVar[str] = "plain"
    noise: PlainNoise = PlainNoise()

    def columns(self):
        return ("value",)


@dataclass(frozen=True, slots=True)
class Averaging(Laser):
    def reduce(self, hits, out):
        out[:] = hits.mean()


def test_the_table_of_abilities_is_complete():
    assert set(TABLE) - {"ability"} == public(Sampled) - OF_EVERY_SHEET


def test_nobody_looks_whether_a_sheet_or_a_drive_has_an_attribute():
    assert [found for file in sorted(PACKAGE.rglob("*.py")) for found in looked_for(file)] == []


def test_every_kind_of_ours_inherits_the_defaults():
    assert [kind for kind in SENSORS if not issubclass(SENSORS[kind], Sampled)] == []


@pytest.mark.parametrize("name", ["card", "renderer"])
def test_an_attribute_that_a_kind_does_not_have_is_none(name):
    assert getattr(Plain(), name) is None


@pytest.mark.parametrize("name", ["whole", "closer", "on_joint", "sees_floor", "sees_pictures"])
def test_an_ability_that_a_kind_does_not_have_is_false(name):
    assert getattr(Plain(), name) is False


def test_a_kind_without_abilities_casts_remembers_tells_and_shows_nothing():
    sheet, reading, keys = Plain(), np.zeros(1), np.zeros((1, 2), np.uint32)
    assert [sheet.table(Mount()), sheet.memory(keys), sheet.ranges(reading), sheet.pictures(reading)] == [None] * 4


def test_a_sheet_that_makes_more_of_its_rays_is_not_written_in_place():
    simple = [Batch(sheet, Mount(), ["a/it"], [0], 0, 5_000).simple for sheet in (Laser(), Averaging())]
    assert simple == [True, False]
