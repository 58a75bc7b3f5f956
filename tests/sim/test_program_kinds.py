"""The registry of programs: check and run agree on what can drive a robot."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from scenes import model, robot, room

import understudy as us
from understudy.cli import main
from understudy.errors import ProgramError, SceneError
from understudy.robots import UNITS
from understudy.robots.base import Drive, UnitSheet
from understudy.robots.passthrough import Controller
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.tape import Tape, TapeWriter, replay
from understudy.world.changes import Add, Remove, Replace
from understudy.world.robot import Program, UnitSpec

SCENE = """
schema = 1
ground = {size_m = [9, 9], walled = true}
[[robot]]
name = "scout"
model = "scout"
program = PROGRAM
"""


@dataclass(frozen=True, slots=True)
class Image:
    """The order that downloads a program into the toy: how fast it is to drive."""

    text: str


def image(content, name):
    if not content.startswith(b"TOY"):
        raise ValueError(f"{name}: not a program for a toy")
    return Image(content[3:].decode())


@dataclass(frozen=True, slots=True)
class ToySheet(UnitSheet):
    kind: ClassVar[str] = "toy"
    drives: ClassVar[bool] = True


class Toy(Controller):
    """A unit with a program: a number, the speed at which it drives."""

    Sheet = ToySheet
    commands = (*Controller.commands, Image)
    programs: ClassVar = {".toy": image}
    ticks = True

    def __init__(self, sheet, wiring):
        super().__init__(sheet, wiring)
        self.speed = 0.0

    def order(self, command):
        if isinstance(command, Image):
            self.speed = float(command.text)
        else:
            super().order(command)

    def tick(self, now_us, dt_us):
        self._wiring.wheels.set(Drive(self.speed).motion)

    def state(self):
        return {"speed": self.speed}

    def restore(self, state):
        self.speed = state["speed"]


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setitem(UNITS._ours._names, "toy", None)
    monkeypatch.setitem(UNITS._ours._made, "toy", Toy)
    vocabulary.cache_clear()
    yield model(units=(UnitSpec(name="brick", sheet=ToySheet()),))
    vocabulary.cache_clear()


def written(folder, program, **files):
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    (folder / "room.toml").write_text(SCENE.replace("PROGRAM", program))
    return folder / "room.toml"


# ---- check and run


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ('"go.lasm"', r"this robot cannot run a program '.lasm' \(supported: .py; or a command\)"),
        ('{command = ["no-such-command-at-all"]}', "no such command 'no-such-command-at-all' on this machine"),
        ('"no-such-command-at-all --fast"', "no such command 'no-such-command-at-all' on this machine"),
        ('{command = ["cat"], mode = "realtime"}', "time always waits for a program that is a command"),
        ('{file = "go.lasm", command = ["cat"]}', "a file or a command; leave one of them out"),
        ('"missing.py"', "no such file 'missing.py' beside room.toml"),
        ("{}", "missing"),
    ],
)
def test_check_and_run_refuse_the_same_with_the_line(tmp_path, program, text):
    scene = written(tmp_path, program, go_lasm="")
    problems = us.check(scene)
    assert [problem.line for problem in problems] == [7]
    with pytest.raises(SceneError, match=text):
        us.load(scene, trust=True)


def test_a_program_from_the_command_line_is_refused_before_the_run(tmp_path):
    scene = written(tmp_path, '"go.py"', go_py="def main(robot):\n    pass\n", go_lasm="")
    with pytest.raises(ProgramError, match=r"scout's program .*go.lasm: this robot cannot run a program '.lasm'"):
        us.load(scene, programs={"scout": str(tmp_path / "go.lasm")})
    with pytest.raises(ProgramError, match="no such file"):
        us.load(scene, programs={"scout": str(tmp_path / "gone.py")})


# ---- images


def test_an_image_is_an_order_at_time_zero(toy, tmp_path):
    (tmp_path / "go.toy").write_text("TOY0.25")
    placed = robot("brick", parts=toy, program=Program("go.toy"))
    with Sim(room(placed), folder=tmp_path) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.run(1.0)
        assert sim.robot("brick").pose.x_m == pytest.approx(0.25, abs=0.05)
        last = sim.hash()
    entry = next(iter(Tape(tmp_path / "a.tape").entries()))
    assert (entry.tick, entry.items[0][3:]) == (
        1,
        ["program:brick", ["order", "brick/brick", "Image", {"text": "0.25"}]],
    )
    assert replay(tmp_path / "a.tape").hash == last


def test_an_image_is_downloaded_again_after_a_reset_and_kept_by_a_saved_run(toy, tmp_path):
    (tmp_path / "go.toy").write_text("TOY0.25")
    placed = robot("brick", parts=toy, program=Program("go.toy"))
    with Sim(room(placed), folder=tmp_path) as sim:
        sim.run(1.0)
        first, saved = sim.hash(), sim.save()
        sim.reset()
        sim.run(1.0)
        assert sim.hash() == first
        sim.run(0.5)
        (tmp_path / "go.toy").unlink()
        with us.restore(saved, trust=True) as other:
            other.run(0.5)
            assert other.hash() == sim.hash()
            assert [item for item in other.seats.history if "brick" in item.source] == []


def test_an_image_that_the_unit_cannot_read_is_refused_before_the_run(toy, tmp_path):
    (tmp_path / "go.toy").write_text("junk")
    with pytest.raises(ProgramError, match=r"go.toy: not a program for a toy"):
        Sim(room(robot("brick", parts=toy, program=Program("go.toy"))), folder=tmp_path)


def test_an_image_of_an_added_robot_that_the_unit_cannot_read_is_reported(toy, tmp_path, caplog):
    (tmp_path / "go.toy").write_text("junk")
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.run(0.1)
        sim.change(Add(robot("late", 1.0, 1.0, parts=toy, program=Program("go.toy"))))
        sim.run(0.1)
    assert "late's program is not loaded: go.toy: not a program for a toy" in caplog.text


BRICK = SCENE.replace('model = "scout"', 'model = "rcx-m4"\nunit.rcx.version = "fw1"')
BAD = {
    "go.lasm": (b"task 0\nout 2,1\nwait 2,200\nouts 1,1\njmpl Gone\nendt\n", [4, 5], "unknown instruction 'outs'"),
    "go.icons": (b"motor A forward\nwait for dark 40 on port 9\n", [2], "port"),
    "go.rcx": (b"RCXI\2\1\1\0\0\0\0\0\0\0\x10\0", [0], "the file ends in the middle of a fragment"),
    "new.lasm": (b"task 0\nevent 2,1\nendt\n", [2], "event"),
    "large.lasm": (b"task 0\n" + b"chkl 2,1,0,9,0,0\n" * 900 + b"endt\n", [0], "too large for an RCX: 7,200 bytes"),
}


@pytest.mark.parametrize("name", BAD)
def test_check_and_run_report_errors_in_the_program_of_a_brick_with_its_file_and_line(tmp_path, name, capsys):
    content, lines, words = BAD[name]
    (tmp_path / name).write_bytes(content)
    scene = tmp_path / "room.toml"
    scene.write_text(BRICK.replace("PROGRAM", f'"{name}"'))
    problems = us.check(scene)
    assert [(problem.file, problem.line) for problem in problems] == [(str(tmp_path / name), line) for line in lines]
    assert words in problems[0].text
    for verb in ("check", "run"):
        assert main([verb, str(scene), *(["--seconds", "0.1"] if verb == "run" else [])]) != 0
        line = f":{lines[0]}: " if lines[0] else ": "
        assert f"{tmp_path / name}{line}" in capsys.readouterr().err
    with pytest.raises(ProgramError, match=words):
        us.load(scene)


def test_a_program_that_is_wrong_for_one_firmware_is_good_for_another(tmp_path):
    (tmp_path / "new.lasm").write_bytes(BAD["new.lasm"][0])
    scene = tmp_path / "room.toml"
    scene.write_text(BRICK.replace("PROGRAM", '"new.lasm"').replace("fw1", "fw2"))
    assert us.check(scene) == ()


# ---- robots that come and go


SPIRAL = """
def main(robot):
    turn = 0.0
    while True:
        turn += 0.05
        robot.drive(0.1, turn)
        robot.wait(0.1)
"""
GO = "def main(robot):\n    robot.drive(0.2)\n    robot.wait(9)\n"


def test_a_robot_that_is_added_while_running_starts_its_program(tmp_path):
    (tmp_path / "go.py").write_text(GO)
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.run(0.5)
        sim.change(Add(robot("late", 1.0, 1.0, program=Program("go.py"))))
        sim.run(1.0)
        assert sim.robot("late").pose.x_m > 1.1
        assert sim.files["go.py"] == GO.encode()


def test_a_robot_that_comes_back_begins_its_program_again(tmp_path):
    (tmp_path / "go.py").write_text(GO.replace("9", "0.5"))
    late = robot("late", 1.0, 1.0, program=Program("go.py"))
    with Sim(room(robot("scout"), late), folder=tmp_path) as sim:
        sim.run(2.0)
        sim.change(Remove("late"))
        sim.change(Add(late))
        sim.run(2.0)
        assert sim.robot("late").pose.x_m > 1.05


def test_a_robot_that_is_replaced_gets_its_new_program(tmp_path):
    (tmp_path / "go.py").write_text(GO)
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.run(0.1)
        sim.change(Replace("scout", robot("scout", program=Program("go.py"))))
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > 0.1


def test_a_client_cannot_start_a_program(tmp_path, caplog):
    (tmp_path / "go.py").write_text(GO)
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.run(0.1)
        sim.post(Add(robot("late", 1.0, 1.0, program=Program("go.py"))), "port:scout/host")
        sim.run(1.0)
        assert sim.robot("late").pose.x_m == 1.0
    assert "late's program is not started: port:scout/host may not run code here" in caplog.text


def test_a_program_that_cannot_drive_an_added_robot_is_reported_and_the_run_goes_on(tmp_path, caplog):
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.run(0.1)
        sim.change(Add(robot("late", 1.0, 1.0, program=Program("go.rcx"))))
        sim.run(0.1)
        assert sim.tick == 40
    assert "late's program go.rcx cannot start: this robot cannot run a program '.rcx'" in caplog.text


def test_a_run_whose_program_came_later_is_saved_and_goes_on_to_the_bit(tmp_path):
    (tmp_path / "go.py").write_text(SPIRAL)
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.robot("scout").drive(0.1, 0.2)
        sim.run(0.5)
        sim.change(Add(robot("late", 1.0, 1.0, program=Program("go.py"))))
        sim.run(0.5)
        sim.robot("scout").drive(-0.1, 0.2)
        sim.run(0.5)
        saved = sim.save()
        sim.run(0.5)
        with us.restore(saved, trust=True) as other:
            other.run(0.5)
            assert other.hash() == sim.hash()


def test_a_saved_run_tells_images_from_programs_that_came_later(toy, tmp_path):
    (tmp_path / "go.toy").write_text("TOY0.05")
    (tmp_path / "go.py").write_text(SPIRAL)
    with Sim(room(robot("brick", parts=toy, program=Program("go.toy"))), folder=tmp_path) as sim:
        sim.run(0.5)
        sim.change(Add(robot("late", 1.0, 1.0, program=Program("go.py"))))
        sim.run(0.5)
        saved = sim.save()
        sim.run(0.5)
        with us.restore(saved, trust=True) as other:
            other.run(0.5)
            assert other.hash() == sim.hash()


def test_programs_that_were_added_are_on_the_tape(tmp_path):
    (tmp_path / "go.py").write_text(GO)
    with Sim(room(robot("scout")), folder=tmp_path) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.run(0.1)
        sim.change(Add(replace(robot("late", 1.0, 1.0), program=Program("go.py"))))
        sim.run(1.0)
        last = sim.hash()
    result = replay(tmp_path / "a.tape")
    assert (result.mismatch, result.hash) == (None, last)
