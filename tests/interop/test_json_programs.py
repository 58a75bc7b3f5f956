"""Programs in other languages drive a robot over the JSON lines: the examples, as they are."""

import json
import math
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import understudy as us
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop

FOLDER = Path(__file__).parents[2] / "examples" / "json"
PROGRAMS = sorted(path for path in FOLDER.iterdir() if path.stem == "drive")
NEEDED = {".c": "cc", ".java": "java", ".py": sys.executable, ".sh": "bash"}
HERE = [path for path in PROGRAMS if shutil.which(NEEDED[path.suffix])]


def command(program, folder):
    """Return the command that runs a program, compiled if it has to be."""
    if program.suffix != ".c":
        return [NEEDED[program.suffix], str(program)]
    made = folder / "drive"
    subprocess.run(["cc", "-Wall", "-Werror", "-o", str(made), str(program)], check=True, timeout=60)
    return [str(made)]


@pytest.fixture(scope="module")
def scene():
    text = (FOLDER / "room.toml").read_text(encoding="utf-8").replace(":8180", ":0")
    with us.load_text(text, ports=True) as sim:
        sim.step()
        thread = threading.Thread(target=sim.run)
        thread.start()
        yield sim.ports.info()["json"].url.rpartition(":")[2]
        sim.post(Quit())
        thread.join(60)


def said(program, port, folder):
    words = [*command(program, folder), port]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", HERE, ids=lambda path: path.suffix[1:])
def test_a_program_drives_the_robot_and_its_run_repeats_to_the_bit(program, scene, tmp_path):
    once = said(program, scene, tmp_path)
    pose = next(json.loads(line) for line in once.splitlines() if '"x_m"' in line)
    assert -0.1 < pose["x_m"] < 4.0
    assert math.isfinite(pose["heading_deg"])
    assert once == said(program, scene, tmp_path)


def test_programs_of_at_least_two_languages_were_run():
    assert len(HERE) >= 2


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.suffix[1:])
def test_an_example_has_at_most_30_lines(program):
    assert len(program.read_text(encoding="utf-8").splitlines()) <= 30
