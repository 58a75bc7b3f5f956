"""Kinds of sensors from other packages, installed as pip would leave them."""

import os
import subprocess
import sys

import pytest

MODULE = """
from dataclasses import dataclass
from typing import ClassVar

from understudy.sensors.base import Sampled
from understudy.sensors.imperfection import PlainNoise


@dataclass(frozen=True, slots=True)
class Clock(Sampled):
    kind: ClassVar[str] = "clock"
    noise: PlainNoise = PlainNoise()

    def columns(self):
        return ("time_s",)

    def measure(self, truth, rows, mount, out):
        out[:, 0] = truth.t_us / 1e6
"""
SCENE = """
schema = 1
[[robot]]
name = "a"
model = "scout"
device.watch = {kind = "clock"}
"""
READ = """
import understudy as us
sim = us.load("room.toml")
sim.run(0.5)
print(sim.robot("a").read("watch").tolist())
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "clocks.py").write_text(MODULE)
    (tmp_path / "room.toml").write_text(SCENE)
    return tmp_path


def run(folder, entry):
    """Run a scene that wants a clock where a package has this entry point."""
    info = folder / "clocks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: clocks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[understudy.sensors]\n{entry}\n")
    paths = os.pathsep.join([str(folder), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-c", READ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )


def test_a_scene_may_name_the_sensor_of_an_installed_package(folder):
    assert run(folder, "clock = clocks:Clock").stdout == "[0.5]\n"


@pytest.mark.parametrize(
    ("entry", "warning"),
    [
        ("clock = clocks:Watch", "the sensor 'clock' of clocks:Watch cannot be loaded"),
        ("watch = clocks:Clock", "the sensor 'watch' of clocks:Clock calls itself 'clock'"),
    ],
)
def test_a_sensor_that_cannot_be_had_is_left_out_with_a_warning(folder, entry, warning):
    done = run(folder, entry)
    assert warning in done.stderr
    assert "SceneError: room.toml:6" in done.stderr
