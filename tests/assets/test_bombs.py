"""Files that ask for too much: one line of error, in bounded time and memory. Limits are in ``world/limits.py``."""

import subprocess
import sys

import numpy as np
import pytest

from understudy import api
from understudy.assets import xml_text
from understudy.assets.meshes import mesh
from understudy.cli import main
from understudy.engines.rays.level.grid import cells_over
from understudy.errors import FormatError, SceneError
from understudy.world import outlines, records
from understudy.world.limits import FACE_CORNERS, FINDINGS, INCLUDED_DEPTH, LENGTH_M, TEXT_LINES

HEAD = "schema = 1\nground = {size_m = [6, 4], walled = true}\n"
ROBOT = '[[robot]]\nmodel = "scout"\nname = "a"\n'


def said(tmp_path, text, name="room.toml"):
    """Return the lines that the check of a file prints."""
    (tmp_path / name).write_text(text)
    try:
        problems = api.check(tmp_path / name)
    except (FormatError, SceneError) as problem:
        return [str(problem).replace(f"{tmp_path}/", "")]
    return [str(problem).replace(f"{tmp_path}/", "") for problem in problems]


@pytest.mark.parametrize(("text", "line"), [
    ("seed = " + "9" * 5000, "room.toml:3: a number has too many digits (5,000)"),
    ("seed = 0x" + "f" * 5000, "room.toml:3: seed: want a finite number, got a number with thousands of digits"),
    ("schema2 = " + "[" * 100_000 + "]" * 100_000, "room.toml:1: lists and tables are nested too deeply"),
    ("deep = " + "[" * 400 + "]" * 400, "room.toml:3: deep: lists and tables are nested too deeply"),
    ("x" + ".x" * 50_000 + " = 1", f"room.toml:3: a key has more than 64 parts: {'x.' * 12} ... .{'x.' * 5}"),
    ("[a]\n'b'" + ".'c'" * 50_000 + " = 1",
     "room.toml:4: a key has more than 64 parts: 'b'.'c'.'c'.'c'.'c'.'c'. ... c'.'c'.'c'."),
    ("x" * 1_000_000 + " = 1", f"room.toml:3: a key is too long (1,000,000 characters): {'x' * 24} ... {'x' * 11}"),
    ('name = "' + "x" * 3_000_000 + '"',
     "room.toml:3: name: a text is too long: 3,000,000 characters (at most 100,000)"),
    ("wall = [{points_m = [[-1e15, 1], [1, 1]]}]",
     "room.toml:3: wall[0].points_m[0][0]: must be within 1e+08 m, got -1e+15"),
])  # fmt: skip
def test_what_is_much_too_long_is_one_line_of_error(tmp_path, text, line):
    assert said(tmp_path, f"{HEAD}{text}\n") == [line]


def test_numbers_of_a_long_list_are_no_key_of_many_parts(tmp_path):
    rows = ", ".join(f"[{i}.5, {i}.25, {i}.125, 3.5]" for i in range(2000))
    assert said(tmp_path, f"{HEAD}[[wall]]\npieces_m = [{rows}]\n") == []


def test_a_message_is_cut_at_a_sane_length(tmp_path):
    lines = said(tmp_path, f'{HEAD}engine = "{"x" * 90_000}"\n{"y" * 199} = 1\n')
    assert len(lines) == 2
    assert all(len(line) < 400 for line in lines)


def test_only_the_first_errors_are_printed_and_the_others_counted(tmp_path, capsys):
    (tmp_path / "room.toml").write_text(HEAD + "".join(f"a{i} = 1\n" for i in range(5000)))
    assert main(["check", str(tmp_path / "room.toml")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 52
    assert lines[-2:] == ["... and 950 more", f"understudy: {FINDINGS} errors"]


def test_files_that_include_each_other_in_a_long_row_are_refused(tmp_path):
    for i in range(INCLUDED_DEPTH + 10):
        (tmp_path / f"{i}.toml").write_text(f'schema = 1\ninclude = ["{i + 1}.toml"]\n')
    lines = said(tmp_path, 'schema = 1\ninclude = ["0.toml"]\n')
    assert len(lines) == 1
    assert f"more than {INCLUDED_DEPTH} deep" in lines[0]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such devices")
def test_a_device_without_end_is_no_scene(tmp_path):
    line = said(tmp_path, 'schema = 1\ninclude = ["/dev/zero"]\n')
    assert line == ["room.toml:2: include[0]: the file is too large (at most 40,000,000 bytes): '/dev/zero'"]


@pytest.mark.parametrize("count", [FINDINGS + 500])
def test_robots_on_one_spot_are_compared_only_until_there_are_enough_errors(tmp_path, monkeypatch, count):
    compared = []
    gap = outlines._gap_m
    monkeypatch.setattr(outlines, "_gap_m", lambda one, other: compared.append(1) or gap(one, other))
    lines = said(tmp_path, HEAD + "".join(f'[[robot]]\nmodel = "scout"\nname = "r{i}"\n' for i in range(count)))
    assert len(lines) == FINDINGS
    assert len(compared) < 2 * FINDINGS


def test_a_robot_of_the_catalogue_is_read_once_however_many_there_are(tmp_path, monkeypatch):
    read = []
    record = records.Reader.record
    monkeypatch.setattr(records.Reader, "record", lambda *args: read.append(1) or record(*args))
    for count in (1, 100):
        read.clear()
        said(tmp_path, HEAD + "".join(f'[[robot]]\nmodel = "p3dx"\nname = "r{i}"\n' for i in range(count)))
        devices = len(read)
        if count == 1:
            once = devices
    assert devices < once + 100


@pytest.mark.parametrize("name", ["big.map", "big.wld", "big.world"])
def test_a_map_of_too_many_lines_is_refused_before_it_is_read(tmp_path, name):
    head = {"big.map": "2D-Map\nLINES\n", "big.wld": "width 3000\n", "big.world": "resolution 0.1\n"}[name]
    lines = said(tmp_path, head + "\n" * TEXT_LINES, name)
    assert lines == [
        f"{name}: the file is too long: {TEXT_LINES + head.count(chr(10)):,} lines (at most {TEXT_LINES:,})"
    ]


def test_a_line_of_a_map_that_is_megabytes_long_is_reported_in_a_short_one(tmp_path):
    text = '2D-Map\nCairn: Goal 0 0 0 "" ICON "' + "x" * 3_000_000 + '"\nLINES\n0 0 1000 ' + "9" * 5000 + "\nDATA\n"
    (tmp_path / "lab.map").write_text(text)
    document = api.open_document(tmp_path / "lab.map")
    assert document.warnings
    assert all(len(str(warning)) < 500 + len(str(tmp_path)) for warning in document.warnings)


def test_walls_of_other_formats_are_not_too_far_away_either(tmp_path):
    (tmp_path / "far.wld").write_text("width 3000\n0 0 1e15 0\n")
    lines = said(tmp_path, "width 3000\n0 0 1e15 0\n", "far.wld")
    assert len(lines) == 1
    assert f"must be within {LENGTH_M:g} m, got 1e+12" in lines[0]


@pytest.mark.parametrize(("width", "height", "spans"), [
    (2e7, 2e7, np.full((100, 2), 2e7)), (2e7, 4.0, np.tile([2e7, 4.0], (4, 1))), (30.0, 20.0, np.ones((50, 2))),
])  # fmt: skip
def test_the_cells_of_a_grid_and_the_lists_in_them_are_bounded(width, height, spans):
    cell, across, up = cells_over(width, height, spans)
    assert across * up < 12_000_000
    assert (spans / cell + 1).prod(axis=1).sum() <= 8_000_000
    assert cell == 1.0 or width > 1e6


def triangles(corners):
    points = "".join(f"v {np.cos(i)} {np.sin(i)} 0\n" for i in range(corners))
    return points + "f " + " ".join(str(i + 1) for i in range(corners)) + "\n"


def test_a_face_of_very_many_corners_is_refused_and_one_of_many_read():
    with pytest.raises(
        FormatError, match=r"a\.obj: a face has 20,000 corners \(at most 10,000\); triangulate the mesh"
    ):
        mesh.nodes(triangles(2 * FACE_CORNERS).encode(), "a.obj")
    assert len(mesh.nodes(triangles(100).encode(), "a.obj")) == 1


@pytest.mark.parametrize("face", [
    '<polylist><vcount>3 20000</vcount><p>0</p></polylist>', '<polygons><p>{}</p></polygons>',
])  # fmt: skip
def test_a_face_of_very_many_corners_in_a_collada_file_is_refused(face):
    text = f"<COLLADA><library_geometries>{face.format('1 ' * 20_000)}</library_geometries></COLLADA>"
    with pytest.raises(FormatError, match=r"a\.dae: a face has 20,000 corners"):
        mesh.nodes(text.encode(), "a.dae")


def test_text_in_many_pieces_is_put_together():
    root = xml_text.parse(b"<a>one\n<b>two\nthree</b>four\n</a>", "a.xml")
    assert (root.text, root.children[0].text) == ("one\nfour\n", "two\nthree")


BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_500_000_000, 2_500_000_000))
from understudy.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be limited")
def test_a_line_of_30_megabytes_is_read_in_bounded_memory(tmp_path):
    (tmp_path / "room.toml").write_text(HEAD + 'name = "' + "x" * 30_000_000 + '"\n')
    command = [sys.executable, "-c", BOUNDED, "check", "room.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == (
        "room.toml:3: name: a text is too long: 30,000,000 characters (at most 100,000)"
    )
