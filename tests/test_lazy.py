"""Tables whose entries are made when they are looked up."""

import sys

import pytest

from understudy.lazy import Lazy, imported


def test_an_entry_is_made_when_it_is_looked_up_and_only_once():
    made = []
    table = Lazy(("a", "b"), lambda name: made.append(name) or name.upper())
    assert made == []
    assert (table["b"], table["b"], made) == ("B", "B", ["b"])


def test_names_are_known_without_making_anything():
    table = Lazy(("a", "b"), lambda name: pytest.fail("made"))
    assert ("a" in table, "c" in table, list(table), len(table)) == (True, False, ["a", "b"], 2)


def test_an_unknown_name_is_a_key_error():
    with pytest.raises(KeyError, match="c"):
        Lazy(("a",), str)["c"]


def test_a_table_is_a_mapping_like_any_other():
    assert {**Lazy(("a",), str.upper), "b": "x"} == {"a": "A", "b": "x"}


def test_modules_and_things_in_them_are_imported_when_they_are_looked_up():
    sys.modules.pop("this_is_gone", None)
    table = imported({"module": "textwrap", "thing": "textwrap:dedent", "gone": "this_is_gone"})
    assert table["module"].dedent is table["thing"]
    with pytest.raises(ModuleNotFoundError):
        table["gone"]
