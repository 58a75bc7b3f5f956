"""Code that comes with a file runs only if the user trusts it; looking at a file never runs any."""

import dataclasses
import io
import os

import pytest
from PIL import EpsImagePlugin, Image
from scenes import PERFECT, model, robot, room

import understudy as us
from understudy.assets.meshes import blend
from understudy.assets.pictures import grey_picture
from understudy.cli import main
from understudy.errors import FormatError, TapeError
from understudy.mobilesim.folders import Folders
from understudy.mobilesim.options import Options
from understudy.mobilesim.setup import mobilesim_scene
from understudy.sensors.laser import Laser
from understudy.sim import saving
from understudy.sim.scene_codec import scene_plain
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.tape import TapeWriter
from understudy.tape.playback import TapeSim
from understudy.world.changes import Add, Bring, Tune
from understudy.world.robot import DeviceSpec, Program


@pytest.fixture
def mark(tmp_path):
    """Return the file that code leaves behind when it runs."""
    return tmp_path / "it ran"


@pytest.fixture
def code(mark):
    """Return a filter and a program in one."""
    return (
        f"open({str(mark)!r}, 'w').close()\ndef same(reading, t_s, draws):\n    return reading\n"
        "def main(robot):\n    robot.wait(9)\n"
    )


def filtered(name="scout"):
    sheet = Laser(rays=5, noise=PERFECT, filter="mine.py:same")
    return robot(name, 1.0, parts=model(devices=(DeviceSpec(name="front", sheet=sheet),)))


def plain():
    return robot("scout", 1.0, parts=model(devices=(DeviceSpec(name="front", sheet=Laser(rays=5, noise=PERFECT)),)))


def saved(scene, files=None, **extra):
    """Return a saved run as a stranger may have made it: of a run without code, the parts exchanged."""
    with Sim(room(plain())) as sim:
        sim.step(10)
        tree = sim.save_tree()
    return saving.pack_run({**tree, "scene": scene_plain(scene), "start": scene_plain(scene), **extra}, files or {})


def test_a_saved_run_with_a_filter_is_restored_only_when_trusted(code, mark):
    with Sim(room(filtered()), files={"mine.py": code.encode()}) as sim:
        sim.step(10)
        data = sim.save()
    mark.unlink()
    with pytest.raises(
        TapeError, match=r"the saved run contains code, the filter mine.py:same: run it with --trust \(trust=True\)"
    ):
        us.restore(data)
    assert not mark.exists()
    with us.restore(data, trust=True) as again:
        again.step(10)
    assert mark.exists()


def test_a_saved_run_with_a_program_is_restored_only_when_trusted(code, mark, tmp_path):
    (tmp_path / "prog.py").write_text(code)
    with Sim(room(), folder=tmp_path, user_programs={"scout": Program("prog.py")}) as sim:
        sim.step(10)
        data = sim.save()
    mark.unlink()
    with pytest.raises(TapeError, match=r"contains code, scout's program .*prog.py: run it with --trust"):
        us.restore(data)
    assert not mark.exists()
    us.restore(data, trust=True).close()
    assert mark.exists()


def test_a_program_that_only_the_scene_inside_names_is_found_too(code, mark, tmp_path):
    (tmp_path / "prog.py").write_text(code)
    scene = room(dataclasses.replace(plain(), program=Program(str(tmp_path / "prog.py"))))
    with pytest.raises(TapeError, match=r"scout's program .*prog.py: run it with --trust"):
        us.restore(saved(scene))


def test_a_change_that_waits_in_a_saved_run_brings_no_code(code, mark):
    with Sim(room(plain())) as sim:
        sim.post(Bring.of("mine.py", code.encode()))
        sim.post(Add(filtered("late")))
        data = sim.save()
    with us.restore(data) as again:
        again.step(5)
        assert [each.name for each in again.robots] == ["scout"]
    assert not mark.exists()


def test_the_command_line_asks_for_the_same_word(code, mark, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Sim(room(filtered()), files={"mine.py": code.encode()}) as sim:
        (tmp_path / "a.run").write_bytes(sim.save())
    mark.unlink()
    words = ["run", "--restore", "a.run", "--seconds", "0.1", "--speed", "max", "--no-ports"]
    assert main(words) == 1
    assert "the filter mine.py:same: run it with --trust (trust=True)" in capsys.readouterr().err
    assert not mark.exists()
    assert main([*words, "--trust"]) == 0
    assert mark.exists()


@pytest.mark.parametrize("way", ["add", "tune"])
@pytest.mark.parametrize("player", [us.replay, TapeSim])
def test_code_that_comes_in_along_a_tape_needs_trust_as_well(code, mark, tmp_path, way, player):
    with Sim(room(plain())) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.step(5)
        sim.change(Bring.of("mine.py", code.encode()))
        late = filtered("late")
        sim.change(Add(late) if way == "add" else Tune("scout/front", late.built.devices[0].sheet))
        sim.step(5)
    mark.unlink()
    with pytest.raises(TapeError, match=r"the tape contains code, the filter mine.py:same: run it with --trust"):
        watch(player(tmp_path / "a.tape"))
    assert not mark.exists()
    watch(player(tmp_path / "a.tape", trust=True))
    assert mark.exists()


def watch(played):
    if isinstance(played, TapeSim):
        with played:
            played.step(10)


SCENE = """
schema = 1
ground = {size_m = [8, 8], walled = true}
[[robot]]
name = "scout"
model = "scout"
program = "prog.py"
device.front.filter = "mine.py:same"
"""


@pytest.fixture
def scene(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("prog.py", "mine.py"):
        (tmp_path / name).write_text(code)
    (tmp_path / "room.toml").write_text(SCENE)
    return tmp_path / "room.toml"


@pytest.mark.parametrize(
    "words",
    [
        ["check", "room.toml"],
        ["convert", "room.toml", "room.map"],
        ["convert", "room.toml", "other.toml"],
        ["beam", "scout/front", "--scene", "room.toml"],
        ["card", "scout"],
    ],
)
def test_looking_at_a_scene_runs_nothing_in_it(scene, mark, words):
    main(words)
    assert not mark.exists()


def test_a_scene_that_is_loaded_as_a_map_brings_no_code(scene, mark):
    with Sim(room()) as sim:
        sim.load_map(scene)
        sim.step(5)
    assert not mark.exists()


@pytest.mark.parametrize("file", ["room.toml", "outer.toml"])
def test_a_map_of_mobilesim_brings_no_robots_and_no_code(scene, tmp_path, file):
    (tmp_path / "outer.toml").write_text('schema = 1\ninclude = ["room.toml"]\n')
    made = mobilesim_scene(Options(map=file), vocabulary(), Folders(tmp_path))
    assert [each.model for each in made.scene.robots] == ["p3dx"]


def test_a_picture_in_postscript_is_not_handed_to_an_interpreter(monkeypatch):
    drawn, data, ran = Image.new("L", (20, 20), 255), io.BytesIO(), []
    drawn.save(data, "EPS")
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *given, **more: ran.append(given) or drawn.im)
    with pytest.raises(FormatError, match="not a valid picture"):
        grey_picture.read(data.getvalue(), "map.png")
    assert ran == []


def test_a_blender_that_lies_in_the_present_folder_is_not_run(mark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "blender").write_text(f"#!/bin/sh\n: > '{mark}'\n")
    (tmp_path / "blender").chmod(0o755)
    with pytest.raises(FormatError, match="Blender is not installed"):
        blend.to_glb(b"BLENDER", "chair.blend")
    assert not mark.exists()
