"""The same scene on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy.cli import main
from understudy.compare import compare

ROOM = """
schema = 1
noise = "perfect"
ground = {size_m = [8, 6], walled = true}
[[robot]]
model = "scout"
name = "scout"
"""
STEP = """
[[object]]
kind = "box"
name = "step"
size_m = [0.3, 4, 0.006]
x_m = 0.8
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    file = tmp_path / "room.toml"
    file.write_text(ROOM)
    return file


def test_a_robot_on_a_level_floor_goes_the_same_way_on_both_engines(room):
    (path,) = compare(room).paths
    assert path.way_m() > 1.0
    assert path.parted_s() is None


def test_where_the_engines_part_is_found(tmp_path):
    file = tmp_path / "step.toml"
    file.write_text(ROOM + STEP)  # planar robots stop at anything that stands on the floor, wheels climb a low step
    (path,) = compare(file, 6.0).paths
    assert path.parted_s() is not None
    assert path.parted_s() > 0.5


def test_the_verb_prints_a_row_for_each_robot_and_draws_both_ways(room, tmp_path, capsys):
    drawing = tmp_path / "ways.svg"
    assert main(["compare", str(room), "--seconds", "1", "--svg", str(drawing)]) == 0
    assert "scout" in capsys.readouterr().out.splitlines()[2]
    assert drawing.read_text().count("<polyline") == 2
