"""Pictures that scene files name: found, checked, kept with tapes and saved runs."""

import pytest
from pictures import striped

import understudy as us
from understudy.errors import ChangeRefused, FormatError, SceneError
from understudy.sim.sim import Sim
from understudy.tape.reader import Tape
from understudy.world.changes import LoadMap
from understudy.world.scene import Ground, Scene

SCENE = """
schema = 1
noise = "perfect"
[ground]
size_m = [4, 4]
picture = "floor.png"
[[robot]]
model = "scout"
name = "scout"
x_m = %s
device.eye = {kind = "line", mount = {z_m = 0.01}, period_ms = 5}
"""


@pytest.fixture
def room(tmp_path):
    (tmp_path / "floor.png").write_bytes(striped())
    (tmp_path / "room.toml").write_text(SCENE % 0)
    return tmp_path / "room.toml"


def problems(path):
    with pytest.raises(SceneError) as caught:
        us.load(path)
    return str(caught.value)


def test_the_picture_is_found_beside_the_scene(room):
    with us.load(room) as sim:
        assert sim.robot("scout").read("eye") == [0.0]


def test_a_missing_picture_is_named_with_its_line(room):
    (room.parent / "floor.png").unlink()
    assert problems(room) == f"{room}:6: ground.picture: no such file 'floor.png' beside room.toml"


def test_what_is_no_picture_is_named_with_its_line(room):
    (room.parent / "floor.png").write_text("a floor")
    wanted = "floor.png: not a supported picture; want PNG, JPEG, BMP or PPM"
    assert problems(room) == f"{room}:6: ground.picture: {wanted}"


def test_a_damaged_picture_is_named_when_a_device_needs_it(room):
    (room.parent / "floor.png").write_bytes(striped()[:200])
    with pytest.raises(FormatError) as caught:
        us.load(room)
    assert str(caught.value) == "floor.png: the picture is damaged; save it again"


def test_a_picture_that_nobody_looks_at_is_not_decoded(room):
    room.write_text((SCENE % 0).replace('device.eye = {kind = "line", mount = {z_m = 0.01}, period_ms = 5}\n', ""))
    (room.parent / "floor.png").write_bytes(striped()[:200])
    us.load(room).close()


def test_a_scene_of_a_program_says_which_picture_is_missing(room):
    with us.load(room) as sim:
        scene = sim.start
    with pytest.raises(FormatError) as caught:
        Sim(scene, folder=room.parent / "elsewhere")
    assert str(caught.value) == "floor.png: no such file (the picture of the ground)"


def test_a_map_whose_picture_is_not_there_is_refused_and_the_run_goes_on(room):
    with us.load(room) as sim:
        with pytest.raises(ChangeRefused, match=r"^other\.png: no such file \(the picture of the ground\)$"):
            sim.change(LoadMap(Scene(ground=Ground((4.0, 4.0), picture="other.png"))))
        sim.run(0.01)
        assert sim.robot("scout").read("eye") == [0.0]


def test_a_picture_of_an_included_scene_is_looked_for_beside_that(tmp_path):
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "floor.png").write_bytes(striped())
    head, _, robot = (SCENE % 0).partition("[[robot]]")
    (tmp_path / "rooms" / "hall.toml").write_text(head)
    (tmp_path / "all.toml").write_text(
        f'schema = 1\nnoise = "perfect"\ninclude = ["rooms/hall.toml"]\n[[robot]]{robot}'
    )
    with us.load(tmp_path / "all.toml") as sim:
        assert sim.start.ground.picture == "rooms/floor.png"
        assert sim.robot("scout").read("eye") == [0.0]


def test_a_saved_run_and_a_tape_carry_the_picture_with_them(room):
    tape = room.parent / "a.tape"
    with us.load(room, tape=tape) as sim:
        sim.robot("scout").drive(0.3)
        sim.run(0.5)
        saved = sim.save()
        sim.run(1.5)
        final, seen = sim.hash(), sim.robot("scout").read("eye")
    (room.parent / "floor.png").unlink()
    with us.restore(saved) as again:
        again.run(1.5)
        assert (again.hash(), again.robot("scout").read("eye")) == (final, seen)
    assert Tape(tape).files == {"floor.png": striped()}
    assert us.replay(tape).mismatch is None
