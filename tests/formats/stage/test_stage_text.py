from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import SceneError
from understudy.formats.stage.text import WorldText

FILES = {
    "crate.inc": "define crate model ( size [1 1 1] )\n",
    "loop.inc": 'include "loop.inc"\n',
    "ours.inc": "define ours position ( size [2 2] )\n",
}


def find(name, wanted_by):
    if name not in FILES:
        raise LookupError(f"no such file {name!r}")
    return FILES[name], name, name == "ours.inc"


def world(text):
    made = WorldText(find)
    made.read(text, "a.world")
    return made


def blocks(text):
    return list(world(text).blocks())


def values(block):
    return {name: given.values for name, given in block.properties.items()}


def test_properties_are_numbers_texts_and_lists():
    (block,) = blocks('model ( mass 3 color "dark red" pose [1 -2.5 .5 90.] tags ["a" "b"] )')
    assert values(block) == {
        "mass": (3.0,), "color": ("dark red",), "pose": (1.0, -2.5, 0.5, 90.0), "tags": ("a", "b"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "model(pose[1 2 3])",
        "model\n(\n  pose [ 1\n 2 # two\n 3 ]\n)\n",
        "model ( pose [1, 2, 3] ) # comment",
        "\n\nmodel\t(\r\npose [1 2 3]\r\n)",
    ],
)
def test_blanks_lines_and_comments_may_stand_anywhere(text):
    (block,) = blocks(text)
    assert values(block) == {"pose": (1.0, 2.0, 3.0)}


def test_words_may_have_numbers_and_dots():
    (block,) = blocks("model ( polygon[0].point[3] [1 2] spose[10][0 0 90] p2d8+ ( x 1 ) )")
    assert values(block) == {"polygon[0].point[3]": (1.0, 2.0), "spose[10]": (0.0, 0.0, 90.0)}
    assert block.parts[0].names == ("p2d8+",)


def test_a_block_has_what_its_definitions_say_and_its_own_last():
    text = """
    define base position ( size [1 1] color "red" laser ( samples 5 ) )
    define mine base ( color "blue" ranger ( scount 2 ) )
    mine ( pose [1 2 3] color "green" )
    """
    (block,) = blocks(text)
    assert (block.names, block.type) == (("mine", "base", "position"), "position")
    assert values(block) == {"size": (1.0, 1.0), "color": ("green",), "pose": (1.0, 2.0, 3.0)}
    assert [part.type for part in block.parts] == ["laser", "ranger"]


def test_a_definition_may_stand_behind_the_one_that_uses_it():
    assert blocks("define a b ( x 1 )\ndefine b model ( y 2 )\na ()")[0].type == "model"


def test_the_last_definition_of_a_name_counts():
    assert values(blocks("define a model ( x 1 )\ndefine a model ( y 2 )\na ()")[0]) == {"y": (2.0,)}


def test_a_definition_can_build_on_an_earlier_one_of_its_own_name():
    (block,) = blocks("define a model ( x 1 y 1 )\ndefine a a ( y 2 )\ndefine a a ( z 3 )\na ()")
    assert values(block) == {"x": (1.0,), "y": (2.0,), "z": (3.0,)}
    assert block.type == "model"


@pytest.mark.parametrize("text", ["define a a ()\na ()", "define a b ()\ndefine b a ()\na ()"])
def test_definitions_that_go_round_end(text):
    assert blocks(text)[0].type in ("a", "b")


def test_an_include_stands_for_its_text():
    made = world('include "crate.inc"\ncrate ( pose [0 0 0] )')
    (block,) = made.blocks()
    assert block.properties["size"].place.file == "crate.inc"
    assert block.properties["pose"].place.line == 2


def test_properties_outside_of_blocks_are_the_worlds():
    made = world("resolution 0.02\nsize [10 20]\n")
    assert {name: given.values for name, given in made.properties.items()} == {
        "resolution": (0.02,), "size": (10.0, 20.0),
    }  # fmt: skip


def test_definitions_of_ours_are_read_when_they_are_needed():
    asked = []

    def more(name):
        asked.append(name)
        return "define rover ours ( x 1 )\n" if name == "rover" else ""

    made = WorldText(find, more)
    made.read('include "ours.inc"\nrover ( y 2 )\n', "a.world")
    (block,) = made.blocks()
    assert block.names == ("rover", "ours", "position")
    assert (block.properties["x"].place.own, block.properties["y"].place.own) == (True, False)
    assert asked.count("rover") == 1


INVALID = [
    ("model ( pose [1 2", "a.world:1: pose: its ] is missing"),
    ("model (\n pose [1 2]\n", "a.world:1: model: its ) is missing"),
    ('color "red\n', 'a.world:1: the closing " is missing on this line'),
    ("color red", "a.world:1: color: want a number, \"text\", [ ] or ( ) after it, got 'red'"),
    ("model ( x )", "a.world:1: x: want a number, \"text\", [ ] or ( ) after it, got ')'"),
    ("\nmodel ( 3 )", "a.world:2: model: want a word or ) here, got '3'"),
    (")", "a.world:1: want a word here, got ')'"),
    ("model", "a.world:1: model: its value is missing"),
    ("pose [1 red]", "a.world:1: pose: want numbers or texts in its list, got 'red'"),
    ("mass 1.2.3", "a.world:1: cannot read '1.2.3' (want a word, a number, \"text\", [ ] or ( ))"),
    ("mass 3; size 2", "a.world:1: cannot read ';' (want a word, a number, \"text\", [ ] or ( ))"),
    ("include crate.inc", "a.world:1: include: want include \"file\", got 'crate.inc'"),
    ('\ninclude "absent.inc"', "a.world:2: include: no such file 'absent.inc'"),
    ('include "loop.inc"', "loop.inc:1: include: 'loop.inc' includes itself, or includes are nested too deeply"),
    ("define a model", "a.world:1: define: want define name parent ( ... )"),
    ("define a 3 ()", "a.world:1: define: want define name parent ( ... ), got '3'"),
    ("a " + "( b " * 80 + ")" * 80, "a.world:1: b: blocks are nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_errors_are_reported_with_file_and_line(text, message):
    with pytest.raises(SceneError) as error:
        blocks(text)
    assert str(error.value) == message


def test_definitions_that_multiply_without_end_are_refused():
    text = "\n".join(f"define a{n} model ( {f'a{n - 1} () ' * 10} )" for n in range(1, 12)) + "\na11 ()"
    with pytest.raises(SceneError, match=r"too many blocks \(at most 100,000\)$"):
        blocks(text)


def reported(text):
    """Return what a user sees about a text; its name, if it is good."""
    try:
        blocks(text)
    except SceneError as error:
        return str(error)
    return "a.world:"


@given(st.text(alphabet='ab ()[]"#\n.0-9_[define include]', max_size=80))
def test_any_text_is_read_or_refused_with_its_line(text):
    assert reported(text).startswith("a.world:")
