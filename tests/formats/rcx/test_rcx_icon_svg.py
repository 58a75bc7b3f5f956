"""Pictures of programs: every icon is drawn once, with its wires, times and a bar for each task."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET

import pytest

from understudy.formats.rcx.icon_svg import Span, svg_of
from understudy.formats.rcx.icon_text import compile_icons
from understudy.formats.rcx.icon_words import LEAVES
from understudy.formats.rcx.icons import icons_of
from understudy.formats.rcx.image import Fragment, RcxImage

NAME = "{http://www.w3.org/2000/svg}"
PROGRAM = """task 0
start task 1
forever
if port 1 is pressed
motor A forward
else
motor A backward
end
end
end
task 1
wait for dark 40 on port 1
end
"""


def drawn(text, *more):
    program = icons_of(compile_icons(text))
    return program, ET.fromstring(svg_of(program, "a <title>", *more))


def groups(root):
    return {each.find(f"{NAME}title").text: each for each in root.iter(f"{NAME}g")}


def place(group):
    return tuple(map(int, re.findall(r"-?\d+", group.get("transform"))))


def test_every_icon_and_every_wire_is_drawn():
    program, root = drawn(PROGRAM)
    icons = [icon for task in program.tasks for icon in task.icons]
    assert len(list(root.iter(f"{NAME}g"))) == len(icons)
    wires = [path for path in root.iter(f"{NAME}path") if "wire" in path.get("class")]
    assert len(wires) == sum(len(icon.to) for icon in icons) + len(program.tasks)


def test_no_two_icons_are_at_the_same_place():
    _, root = drawn(PROGRAM)
    places = [place(each) for each in root.iter(f"{NAME}g")]
    assert len(set(places)) == len(places)


def test_the_branches_of_a_fork_are_below_each_other():
    _, root = drawn(PROGRAM)
    found = groups(root)
    (x1, y1), (x2, y2) = place(found["motor A forward power 5"]), place(found["motor A backward power 5"])
    assert x1 == x2
    assert y1 < y2


def test_what_has_run_has_its_time_and_what_runs_now_is_marked():
    spans = [Span(0, 1, 0.0, 0.5), Span(0, 1, 1.0, 1.25), Span(1, 9, 0.0, 2.0)]
    _, root = drawn(PROGRAM, spans, [9])
    found = groups(root)
    first, last = found["start task 1"], found["wait for dark 40 on port 1"]
    assert (first.find(f"{NAME}rect").get("class"), last.find(f"{NAME}rect").get("class")) == ("box ran", "box now")
    assert "0.750 s" in [text.text for text in first.iter(f"{NAME}text")]
    assert found["forever"].find(f"{NAME}rect").get("class") == "box"


def test_the_bars_have_a_piece_for_each_span_that_can_be_seen():
    spans = [Span(0, 1, 0.0, 1.0), Span(0, 2, 1.0, 1.00001), Span(0, 3, 1.00001, 1.00002), Span(0, 1, 1.1, 2.0)]
    _, root = drawn(PROGRAM, spans)
    pieces = [rect for rect in root.iter(f"{NAME}rect") if rect.find(f"{NAME}title") is not None]
    assert 2 <= len(pieces) <= 3
    assert "1: start task 1, 0.000 to 1.000 s" in pieces[0].find(f"{NAME}title").text


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.form)
def test_every_icon_has_a_drawing(leaf):
    _, root = drawn(leaf.form)
    assert root.find(f"{NAME}g") is not None


@pytest.mark.parametrize("seed", range(30))
def test_any_byte_code_can_be_drawn(seed):
    draw = random.Random(seed)
    code = bytes(draw.choice((0x85, 0x95, 0x27, 0x72, draw.randrange(256))) for _ in range(80))
    ET.fromstring(svg_of(icons_of(RcxImage("swan", (Fragment("task", 0, code), Fragment("sub", 1, b""))))))
