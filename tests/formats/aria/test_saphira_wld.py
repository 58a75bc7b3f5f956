from __future__ import annotations

import math

import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import VOCABULARY

from understudy.errors import FormatError
from understudy.formats import detect
from understudy.formats.aria import map_file, saphira_wld
from understudy.world.scene import Ground
from understudy.world.shapes import Pose

YARD = """\
; a room with a bench
width 2400
height\t1800
0 0 2400 0   ; the south wall
2400 0 2400 1800

push 700 900 90
  0 0 400 0
  push 100 0 -90 ; nested
  0 0 100 0
  pop
pop
position 300 300 90
"""


def parse(text):
    return saphira_wld.parse(text, "yard.wld", VOCABULARY)


def pieces(text):
    return [tuple(round(value, 9) for value in piece) for wall in parse(text).scene.walls for piece in wall.pieces_m]


def test_saphira_worlds_keep_the_contract_of_formats():
    check_format(saphira_wld, VOCABULARY, {"yard.wld": YARD})


def test_walls_are_lines_in_metres():
    assert pieces("0 0 2400 0\n2400 0 2400 1800.5\n") == [(0.0, 0.0, 2.4, 0.0), (2.4, 0.0, 2.4, 1.8005)]


@pytest.mark.parametrize(("frame", "want"), [
    ("push 1000 2000 0", (1.0, 2.0, 2.0, 2.0)),
    ("push 0 0 90", (0.0, 0.0, 0.0, -1.0)),
    ("PUSH 0 0 -90", (0.0, 0.0, 0.0, 1.0)),
    ("push 0 0 180", (0.0, 0.0, -1.0, 0.0)),
    ("push 1000 0 90\npush 1000 0 0", (1.0, -1.0, 1.0, -2.0)),
    ("push 1000 0 90\npop", (0.0, 0.0, 1.0, 0.0)),
    ("push 5 5 45\npush 6 6 45\npop\npop", (0.0, 0.0, 1.0, 0.0)),
])  # fmt: skip
def test_frames_are_moved_turned_clockwise_and_nested(frame, want):
    assert pieces(f"{frame}\n0 0 1000 0\n") == [pytest.approx(want, abs=1e-9)]


def test_a_frame_may_stay_open_to_the_end():
    assert len(pieces("push 1 1 1\n0 0 1 1\n")) == 1


def test_the_position_of_the_robot_becomes_a_home():
    (home,) = parse(YARD).scene.marks
    assert (home.tag.type, home.tag.label, home.pose) == ("RobotHome", "Home", Pose(0.3, 0.3, heading_rad=math.pi / 2))


def test_a_position_in_a_frame_is_of_that_frame():
    (home,) = parse("push 1000 0 90\nposition 1000 0 90\n").scene.marks
    assert (home.pose.x_m, home.pose.y_m, home.pose.heading_rad) == pytest.approx((1.0, -1.0, 0.0))


def test_the_ground_has_the_size_of_the_world():
    assert parse(YARD).scene.ground == Ground((2.4, 1.8), (1.2, 0.9))


def test_without_a_size_the_ground_reaches_under_the_walls():
    assert parse("-1000 0 3000 2000\n").scene.ground == Ground((4.0, 2.0), (1.0, 1.0))


@pytest.mark.parametrize("text", ["", "; nothing\n", "\n\n"])
def test_a_world_may_be_empty(text):
    assert parse(text).scene.walls == ()


@pytest.mark.parametrize(("line", "words"), [
    ("0 0 1", "yard.wld:2: not a wall: '0 0 1' (want x1 y1 x2 y2)"),
    ("0 0 1 x", "yard.wld:2: not a wall: '0 0 1 x' (want x1 y1 x2 y2)"),
    ("0 0 1 1 2", "yard.wld:2: not a wall: '0 0 1 1 2' (want x1 y1 x2 y2)"),
    ("ush 1 2 3", "yard.wld:2: not a wall: 'ush 1 2 3' (want x1 y1 x2 y2)"),
    ("push 1 2", "yard.wld:2: not a line of a world: 'push 1 2' (want push X Y ANGLE)"),
    ("width", "yard.wld:2: not a line of a world: 'width' (want width WIDTH)"),
    ("pop 3", "yard.wld:2: not a line of a world: 'pop 3' (want pop)"),
    ("pop", "yard.wld:2: pop without push before it; skipped"),
    ("position 1 2 north", "yard.wld:2: not a line of a world: 'position 1 2 north' (want position X Y ANGLE)"),
])  # fmt: skip
def test_an_invalid_line_is_skipped_with_a_warning_in_these_words(line, words):
    assert [str(warning) for warning in parse(f"width 9\n{line}\n").warnings] == [words]


def test_a_file_of_something_else_is_refused():
    with pytest.raises(FormatError) as caught:
        parse("0.5\n0.0\n0.0\n-0.5\n100\n200\n")
    assert str(caught.value) == (
        "yard.wld:1: not a wall: '0.5' (want x1 y1 x2 y2); no line is valid in a Saphira world"
    )


@pytest.mark.parametrize(("name", "data", "is_world"), [
    ("a.wld", b"0 0 1 1\n", True),
    ("a.txt", YARD.encode(), True),
    ("a.txt", b"width 3\n" + b"0 0 1 1\n" * 9999, True),
    ("a.txt", b"0 0 1 1\n", False),
    ("a.txt", b"width 3\nhello\n", False),
    ("a.txt", b"schema = 1\n", False),
    ("a.wld", b"\0\1", False),
])  # fmt: skip
def test_a_world_is_known_by_its_lines_or_its_name(name, data, is_world):
    assert saphira_wld.sniff(data, name) is is_world


def test_a_map_is_not_taken_for_a_world(tmp_path):
    (tmp_path / "a").write_text("2D-Map\nLINES\n0 0 1 1\n")
    assert detect(tmp_path / "a") is map_file
