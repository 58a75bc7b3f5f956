"""Each program has an import scope of its own: what lies beside it is fresh and not shared."""

import sys

import pytest
from scenes import robot, room

import understudy as us
from understudy.sim.imports import ImportScope
from understudy.sim.inbox import Order
from understudy.sim.program_files import ProgramFiles
from understudy.sim.sim import Sim
from understudy.world.robot import Program

HELPER = "turns = 0\n\ndef next_turn():\n    global turns\n    turns += 1\n    return turns\n"
USER = """
import helper

def main(robot):
    while True:
        robot.drive(0.1, 0.1 * helper.next_turn())
        robot.wait(0.1)
"""
SCENE = """
schema = 1
ground = {size_m = [9, 9], walled = true}
[[robot]]
name = "scout"
model = "scout"
program = "prog.py"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "prog.py").write_text(USER)
    (tmp_path / "room.toml").write_text(SCENE)
    return tmp_path


class Orders:
    """Listens to the speeds that programs ask for."""

    def __init__(self):
        self.speeds = []

    def begin(self, sim):
        pass

    def tick(self, snapshot):
        self.speeds += [item.body.command.m_s for item in snapshot.items if isinstance(item.body, Order)]

    def end(self, reason):
        pass


def scope(folder, text, **files):
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    (folder / "prog.py").write_text(text)
    return ImportScope("scout", "prog.py", ProgramFiles(folder))


def test_a_program_with_a_helper_that_has_state_repeats_after_a_reset(folder):
    with us.load(folder / "room.toml") as sim:
        sim.run(2.0)
        first = sim.hash()
        sim.reset()
        sim.run(2.0)
        assert sim.hash() == first


def test_a_program_with_a_helper_that_has_state_repeats_in_a_second_load(folder):
    def end():
        with us.load(folder / "room.toml") as sim:
            sim.run(2.0)
            return sim.hash()

    assert end() == end()


def test_two_robots_do_not_share_the_globals_of_a_helper(folder):
    def heading(*names):
        robots = [robot(name, 2.0 * i) for i, name in enumerate(names)]
        programs = {name: Program("prog.py") for name in names}
        with Sim(room(*robots, width=20.0, depth=20.0), folder=folder, user_programs=programs) as sim:
            sim.run(1.0)
            return sim.robot("a").pose.heading_rad

    assert heading("a") == heading("a", "b")


def test_realtime_programs_have_their_own_helpers_too(folder):
    (folder / "prog.py").write_text("import helper\n\ndef main(robot):\n    robot.drive(0.1 * helper.next_turn())\n")
    programs = {name: Program("prog.py", "realtime") for name in ("a", "b")}
    with Sim(room(robot("a"), robot("b", 1.0)), folder=folder, user_programs=programs) as sim:
        given = Orders()
        sim.attach(given)
        while len(given.speeds) < 4:  # each drives, then stops as its program ends
            sim.run(0.05)
    assert sorted(given.speeds) == [0.0, 0.0, 0.1, 0.1]


def test_nothing_of_a_program_is_left_when_it_has_ended(folder):
    before, paths = set(sys.modules), list(sys.path)
    with us.load(folder / "room.toml") as sim:
        sim.run(0.5)
        assert "understudy_program_scout.helper" in sys.modules
    assert {name for name in set(sys.modules) - before if "scout" in name or "helper" in name} == set()
    assert sys.path == paths


def test_a_package_beside_the_program_is_its_own_with_relative_imports(tmp_path):
    text = "import crew.pilot\nfrom crew import cook\nfound = crew.pilot.name, cook.name, crew.total\n"
    files = {
        "crew____init__": "total = 2\n",
        "crew__pilot": "from .cook import name as other\nname = 'pilot of ' + other\n",
        "crew__cook": "from . import total\nname = f'cook {total}'\n",
    }
    (tmp_path / "crew").mkdir()
    for name, content in files.items():
        (tmp_path / "crew" / f"{name.removeprefix('crew__')}.py").write_text(content)
    own = scope(tmp_path, text)
    assert own.run()["found"] == ("pilot of cook 2", "cook 2", 2)
    own.close()


def test_all_of_a_package_is_imported_with_the_modules_that_it_names(tmp_path):
    (tmp_path / "crew").mkdir()
    (tmp_path / "crew" / "__init__.py").write_text("__all__ = ['cook']\n")
    own = scope(tmp_path, "from crew import *\nfound = cook.name\n", crew__cook="name = 'cook'\n")
    assert own.run()["found"] == "cook"
    own.close()


def test_modules_that_are_not_beside_the_program_are_shared(tmp_path):
    own = scope(tmp_path, "import json, os.path, understudy\nimport importlib.util\n")
    (tmp_path / "understudy").mkdir()
    (tmp_path / "yaml").mkdir()
    space = own.run()
    assert (space["json"], space["os"], space["understudy"]) == (sys.modules["json"], sys.modules["os"], us)
    own.close()


def test_import_module_finds_what_is_beside_the_program(tmp_path):
    text = "from importlib import import_module\nimport helper\nsame = import_module('helper') is helper\n"
    own = scope(tmp_path, text, helper=HELPER)
    assert own.run()["same"]
    own.close()


def test_a_dataclass_of_a_helper_finds_its_module(tmp_path):
    made = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\n"
    )
    own = scope(tmp_path, f"{made}from helper import P as Q\nsum = P().x + Q().x\n", helper=made)
    assert own.run()["sum"] == 2
    own.close()


def test_a_module_that_is_missing_is_named_as_the_program_spells_it(tmp_path):
    own = scope(tmp_path, "import crew.captain\n")
    (tmp_path / "crew").mkdir()
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'crew.captain'$"):
        own.run()


def test_a_helper_that_fails_can_be_imported_again(tmp_path):
    text = "import os\ntry:\n    import helper\nexcept ZeroDivisionError:\n    os.tries = 1\nimport helper\n"
    own = scope(tmp_path, text, helper="import os\nif not hasattr(os, 'tries'):\n    1 / 0\ndel os.tries\n")
    own.run()
    own.close()


# ---- files of programs


def test_the_files_of_a_program_are_kept_with_the_run(folder):
    with us.load(folder / "room.toml") as sim:
        assert sim.files == {"prog.py": USER.encode(), "helper.py": HELPER.encode()}


def test_a_tape_holds_the_files_of_programs(folder):
    with us.load(folder / "room.toml", tape=folder / "a.tape") as sim:
        sim.step()
    assert us.tape.Tape(folder / "a.tape").files["helper.py"] == HELPER.encode()


def test_a_saved_run_is_restored_with_the_programs_it_had(folder):
    with us.load(folder / "room.toml") as sim:
        sim.run(1.0)
        saved = sim.save()
        sim.run(1.0)
        last = sim.hash()
    for name in ("prog.py", "helper.py"):
        (folder / name).write_text("nonsense")
    with us.restore(saved, trust=True) as other:
        other.run(1.0)
        assert other.hash() == last


def test_a_reset_reads_programs_again(folder):
    with us.load(folder / "room.toml") as sim:
        sim.run(0.5)
        (folder / "prog.py").write_text("def main(robot):\n    pass\n")
        sim.reset()
        sim.run(0.5)
        assert sim.robot("scout").pose.x_m == 0.0
