import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.formats.native.toml_arrays import edited

WALLS = """[
    # the north wall
    {name = "a", points = [[0, 1], [2, 3]]},   # with a door
    {name = "b]", note = 'x, y'},
    {name = "c"},
]"""


def values(array):
    return tomllib.loads(f"x = {array}")["x"]


def test_what_stays_keeps_its_text_and_comments():
    assert edited(WALLS, [(0, None), (1, None), (2, None)]) == WALLS


def test_a_removed_element_leaves_the_others_as_they_are():
    made = edited(WALLS, [(0, None), (2, None)])
    assert [row["name"] for row in values(made)] == ["a", "c"]
    assert "# the north wall" in made


def test_a_new_element_has_a_line_of_its_own():
    made = edited(WALLS, [(0, None), (1, None), (2, None), (None, {"name": "d"})])
    assert '    {name = "d"},\n]' in made


def test_a_changed_element_changes_alone():
    made = edited(WALLS, [(0, None), (1, {"name": "new"}), (2, None)])
    assert [row["name"] for row in values(made)] == ["a", "new", "c"]
    assert '{name = "a", points = [[0, 1], [2, 3]]}' in made


@pytest.mark.parametrize("array", ["[]", "[ ]", "[{a = 1}]", "[{a = 1},]", "[{a = 1} # one\n]", "[\n# none\n]"])
def test_any_spacing_takes_a_new_element(array):
    old = [(row, None) for row in range(len(values(array)))]
    assert values(edited(array, [*old, (None, {"a": 9})])) == [*values(array), {"a": 9}]


@given(st.lists(st.text(max_size=5), max_size=5), st.data())
def test_every_choice_of_elements_reads_back(names, data):
    array = "[" + ", ".join("{s = " + _quoted(name) + "}" for name in names) + "]"
    kept = data.draw(st.lists(st.sampled_from(range(len(names))), unique=True)) if names else []
    assert [row["s"] for row in values(edited(array, [(row, None) for row in kept]))] == [names[row] for row in kept]


def _quoted(text):
    from understudy.formats.native.toml_write import value_text

    return value_text(text)
