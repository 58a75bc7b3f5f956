"""The verb eyesim: worlds and programs, keys, consoles, error margins, and what goes wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.cli import main

HELLO = """\
from eye import *
LCDPrintf("Hello %d\\n", OSMachineID())
LCDMenu("GO", "", "", "END")
VWStraight(100, 200)
VWWait()
x, y, phi = VWGetPosition()
LCDPrintf("at %d %d %d\\n", x, y, phi)
"""
MENU = """\
from eye import *
LCDMenu("GO", "", "", "END")
n = 0
while True:
    key = KEYGet()
    if key == KEY4:
        break
    n += 1
LCDPrintf("pressed %d times\\n", n)
"""
YARD = """\
width 2000
height 2000
0 0 2000 0
2000 0 2000 2000
2000 2000 0 2000
0 2000 0 0
"""
TWO = """\
world yard.wld
S4 500 500 90 hello.py
S4 1500 500 90 hello.py
Can 1000 1500 0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in (("hello.py", HELLO), ("menu.py", MENU), ("yard.wld", YARD), ("two.sim", TWO)):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EYESIM_HOME", raising=False)
    return tmp_path


def console(capsys, *words):
    assert main(["eyesim", *words, "--fast", "--console"]) == 0
    return capsys.readouterr().out


def test_a_program_runs_in_a_box_if_there_is_no_world(folder, capsys):
    assert "Hello 1\nat 100 0 0" in console(capsys, "hello.py")


def test_a_program_runs_in_the_world_that_is_named(folder, capsys):
    assert "at 100 0 0" in console(capsys, "hello.py", "--world", "yard.wld")


def test_every_robot_of_a_sim_file_runs_its_program_with_its_own_number(folder, capsys):
    shown = console(capsys, "two.sim")
    assert "Hello 1" in shown
    assert "Hello 2" in shown


def test_two_runs_of_a_world_have_the_same_hash(folder, capsys):
    hashes = set()
    for _ in range(2):
        main(["eyesim", "two.sim", "--fast"])
        hashes.add(capsys.readouterr().err.rpartition("hash ")[2])
    assert len(hashes) == 1


def test_keys_are_pressed_at_their_times(folder, capsys):
    assert "pressed 2 times" in console(capsys, "menu.py", "--keys", "KEY1@1s, KEY2@2s, KEY4@3s")


def test_the_lcd_is_written_as_picture_and_text(folder, capsys):
    assert main(["eyesim", "hello.py", "--fast", "--dump", "out"]) == 0
    names = sorted(file.name for file in (folder / "out").iterdir())
    assert names == ["s4-1.png", "s4-1.txt"]
    assert "at 100 0 0" in (folder / "out" / "s4-1.txt").read_text()
    assert (folder / "out" / "s4-1.png").read_bytes().startswith(b"\x89PNG")


def test_a_parameter_file_in_the_folder_is_used(folder, capsys):
    (folder / "eyesim.p").write_text("name Pip\ndiameter 150\nspeed 50\nturn 180\nworld yard.wld\nrobot 500 500 0\n")
    assert main(["eyesim", "hello.py", "--fast"]) == 0
    assert "Pip-1 (soccerbot)" in capsys.readouterr().err


def test_a_program_that_fails_gives_a_failure(folder, capsys):
    (folder / "bad.py").write_text("from eye import *\nVWStraight(10, 10)\n1 / 0\n")
    assert main(["eyesim", "bad.py", "--fast"]) == 1
    assert "ended with exit code 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.py"], "nowhere.py: no such program"),
        (["nowhere.sim"], "nowhere.sim"),
        (["hello.py", "--error", "pds=5"], "no error margin 'pds'"),
        (["hello.py", "--error", "psd=lots"], "want a percentage"),
        (["hello.py", "--keys", "KEY9@1s"], "KEY9"),
        (["two.sim", "--program", "eve=menu.py"], "no robot is named 'eve'"),
        (["two.sim", "--program", "menu.py", "--program", "hello.py"], "more than one program"),
    ],
)
def test_mistakes_are_named(folder, capsys, words, message):
    assert main(["eyesim", *words, "--fast"]) == 1
    assert message in capsys.readouterr().err


def test_error_margins_change_what_sensors_read(folder, capsys):
    (folder / "psd.py").write_text("from eye import *\nOSWait(100)\nLCDPrintf('%d\\n', PSDGet(1))\n")
    plain = console(capsys, "psd.py")
    spoiled = {console(capsys, "psd.py", "--error", "psd=20", "--seed", str(seed)) for seed in range(3)}
    assert len(spoiled | {plain}) > 2


def run_by_hand(folder, *words, **environment):
    """Run a program that brings up its own simulator."""
    clients = Path(__file__).parents[2] / "understudy" / "clients"
    settings = {**os.environ, "PYTHONPATH": str(clients), **environment}
    return subprocess.run(words, cwd=folder, env=settings, capture_output=True, text=True, timeout=120, check=False)


def test_a_program_that_is_run_by_hand_brings_up_the_simulator(folder):
    (folder / "hand.py").write_text(HELLO + "print(x, y, phi, OSGetCount())\n")
    done = run_by_hand(folder, sys.executable, "hand.py", EYESIM_OPTIONS="--fast")
    assert done.returncode == 0
    assert done.stdout.startswith("100 0 0 ")


def test_programs_of_a_parameter_file_run_the_same_program_on_every_robot(folder):
    (folder / "eyesim.p").write_text(
        "name Pip\ndiameter 150\nspeed 50\nturn 180\nworld yard.wld\nrobots 2\nrobot 500 500 0\nrobot 500 1500 0\n"
    )
    (folder / "hand.py").write_text(HELLO + "import os\nos.write(1, b'%d %d\\n' % (OSMachineID(), x))\n")
    done = run_by_hand(folder, sys.executable, "hand.py", EYESIM_OPTIONS="--fast")
    assert sorted(done.stdout.splitlines()) == ["1 100", "2 100"]


def test_arguments_of_the_program_may_follow_options(tmp_path, capfd):
    (tmp_path / "told.py").write_text(
        "import sys\nfrom eye import *\nOSWait(5)\nprint(sys.argv[1:])\n", encoding="utf-8"
    )
    assert main(["eyesim", str(tmp_path / "told.py"), "a", "--fast", "20", "-5"]) == 0
    assert capfd.readouterr().out == "['a', '20', '-5']\n"


def test_an_unknown_option_is_not_taken_for_an_argument(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["eyesim", "told.py", "--fast", "--quickly"])
    assert "option --quickly" in capsys.readouterr().err
