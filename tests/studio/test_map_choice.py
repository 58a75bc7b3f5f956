"""Maps to choose from, and the names under which uploaded ones are kept."""

import pytest

from understudy.studio.map_choice import maps_in, safe_name


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("mine.map", "mine.map"),
        ("Halle 3 (neu).wld", "Halle 3 (neu).wld"),
        ("Büro.map", "Büro.map"),
        ("../../etc/passwd", "passwd"),
        ("/etc/passwd", "passwd"),
        ("a\x00b\n.map", "a_b_.map"),
        ("..", "map"),
        ("", "map"),
        ("x" * 5000 + ".map", "x" * 56 + ".map"),
    ],
)
def test_an_uploaded_file_gets_a_name_that_is_no_path(name, kept):
    assert safe_name(name) == kept


def test_only_files_that_can_be_maps_are_offered(tmp_path):
    for name in ("hall.map", "notes.txt", "b.wld"):
        (tmp_path / name).write_text("")
    assert [label.split()[0] for label in maps_in([tmp_path]).values()] == ["b.wld", "hall.map"]
