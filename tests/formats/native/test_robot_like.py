from __future__ import annotations

import dataclasses

import pytest
from formats.fake_vocabulary import ROVER, VOCABULARY

from understudy.errors import SceneError
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import find_robot

WORDS = dataclasses.replace(
    VOCABULARY,
    catalog={
        "rover": ROVER,
        "far": '[robot]\nlike = "rover"\nsummary = "sees far"\n[device.front]\nmax_m = 30\n',
        "farther": '[robot]\nlike = "far"\n[device.front]\nmax_m = 50\nmount = {x_m = 0.2}\n',
        "blind": '[robot]\nlike = "far"\n[device]\nfront = false\n[card]\nsource = "another"\n',
    },
)


def built(model, folder=None, extra=""):
    document = scene_file.parse(f'schema = 1\n[[robot]]\nmodel = "{model}"\n{extra}', "room.toml", WORDS, folder)
    return scene_file.resolve(document, WORDS).robots[0].built


def device(model, name):
    return next(device for device in model.devices if device.name == name)


def test_a_robot_file_that_is_like_another_says_only_what_differs():
    far = built("far")
    assert dataclasses.replace(far, summary="A rover for tests", devices=built("rover").devices) == built("rover")
    assert (far.summary, device(far, "front").sheet.max_m) == ("sees far", 30)


def test_likeness_goes_on_from_robot_to_robot():
    front = device(built("farther"), "front")
    assert (front.sheet.max_m, front.mount.x_m, front.mount.z_m) == (50, 0.2, 0.3)


def test_what_a_robot_takes_away_is_unbound_and_its_numbers_leave_the_card():
    blind = built("blind")
    assert [part.name for part in blind.devices] == ["ring"]
    assert blind.units[0].uses == (("sonar", "ring"),)
    assert blind.card == {"source": "another"}


def test_numbers_of_a_card_stay_only_while_the_number_is_there(tmp_path):
    (tmp_path / "one.toml").write_text(
        ROVER + '[card.numbers]\n"device.front.max_m" = "a"\n"robot.drive.track_m" = "b"\n"device.ring.ring" = "c"\n'
    )
    (tmp_path / "two.toml").write_text('[robot]\nlike = "one.toml"\n[device]\nfront = false\n')
    numbers = built("two.toml", tmp_path).card["numbers"]
    assert numbers == {"robot.drive.track_m": "b", "device.ring.ring": "c"}


def test_a_scene_can_still_change_what_it_places():
    assert device(built("farther", extra="device.front.max_m = 3\n"), "front").sheet.max_m == 3


def test_a_part_that_was_taken_away_can_be_given_anew():
    extra = 'device.front = {kind = "laser", max_m = 2}\n'
    assert device(built("blind", extra=extra), "front").sheet.max_m == 2


def test_a_robot_file_finds_the_one_beside_it(tmp_path):
    folder = tmp_path / "robots"
    folder.mkdir()
    (folder / "base.toml").write_text('[robot]\nlike = "rover"\n[device.front]\nmax_m = 4\n')
    (folder / "mine.toml").write_text('[robot]\nlike = "base.toml"\nsummary = "mine"\n')
    assert device(built("robots/mine.toml", tmp_path), "front").sheet.max_m == 4


INVALID = [
    ('like = "rovr"', "mine.toml:2: robot.like: no such robot 'rovr' (did you mean 'rover'?)"),
    ("like = 7", "mine.toml:2: robot.like: want the name of a robot or of a robot file, got 7"),
    ('like = "mine.toml"', "mine.toml:2: robot.like: 'mine.toml' is derived from itself; remove one `like`"),
    ('like = "absent.toml"',
     "mine.toml:2: robot.like: cannot read the robot file 'absent.toml': No such file or directory"),
    ('like = "rover"\n[device]\nfrnt = false',
     "mine.toml:4: device.frnt: no such device to remove (did you mean 'front'?)"),
    ('like = "rover"\n[device.front]\nmax_m = -1', "mine.toml:4: device.front.max_m: must be above 0, got -1"),
    ('like = "bad.toml"', "bad.toml:4: device.front.max_m: must be above 0, got -2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_errors_are_reported_with_the_file_and_line_that_has_them(tmp_path, text, message):
    (tmp_path / "mine.toml").write_text(f"[robot]\n{text}\n")
    (tmp_path / "bad.toml").write_text('[robot]\nlike = "rover"\n[device.front]\nmax_m = -2\n')
    with pytest.raises(SceneError) as error:
        built("mine.toml", tmp_path)
    assert str(error.value) == message


def test_two_robots_that_are_like_each_other_are_refused(tmp_path):
    (tmp_path / "one.toml").write_text('[robot]\nlike = "two.toml"\n')
    (tmp_path / "two.toml").write_text('[robot]\nlike = "one.toml"\n')
    with pytest.raises(SceneError) as error:
        built("one.toml", tmp_path)
    assert str(error.value) == "two.toml:2: robot.like: 'one.toml' is derived from itself; remove one `like`"


def test_a_whole_robot_no_longer_says_what_it_is_like():
    assert "like" not in find_robot("farther", None, WORDS).table
