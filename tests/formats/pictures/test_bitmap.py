from __future__ import annotations

import dataclasses
import io
import math
from types import SimpleNamespace

import numpy as np
import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import VOCABULARY
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from understudy.assets.pictures import grey_picture
from understudy.assets.pictures.grey_picture import GreyPicture
from understudy.errors import FormatError, SceneError
from understudy.formats import FORMATS, detect
from understudy.formats.pictures import bitmap, flat_yaml, raster, trace
from understudy.formats.pictures.map_yaml import MapPlacement
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Box, Cylinder, Pose

PLAIN = b"""P2
# drawn by hand 0.5 m/pix
4 3
9
9 9 9 9
9 0 0 9
9 0 9 9
"""
YAML = """\
image: room.pgm
resolution: 0.5
origin: [-1.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def parse(data, name="room.pgm", folder=None):
    return bitmap.parse(data, name, VOCABULARY, folder)


def pieces(scene):
    return sorted(tuple(sorted([piece[:2], piece[2:]])) for wall in scene.walls for piece in wall.pieces_m)


def png(grey, mode="L"):
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(grey, np.uint8), mode).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "room.pgm").write_bytes(PLAIN)
    return tmp_path


# ---- tracing

dark = arrays(np.bool_, st.tuples(st.integers(1, 12), st.integers(1, 12)))


def test_the_edges_of_a_corner_are_six_pieces():
    shown = trace.edges(np.array([[True, False], [True, True]]))
    assert sorted(map(tuple, shown.tolist())) == [
        (0, 0, 0, 2), (0, 0, 1, 0), (0, 2, 2, 2), (1, 0, 1, 1), (1, 1, 2, 1), (2, 1, 2, 2),
    ]  # fmt: skip


@given(dark)
def test_each_edge_between_dark_and_light_is_covered_once_and_no_other(cells):
    covered = []
    for x1, y1, x2, y2 in trace.edges(cells).tolist():
        covered += [("h", x, y1) for x in range(x1, x2)] + [("v", x1, y) for y in range(y1, y2)]
    padded = np.pad(cells, 1)
    flat = [("h", x - 1, y) for y, x in zip(*np.nonzero(padded[1:] != padded[:-1]))]
    upright = [("v", x, y - 1) for y, x in zip(*np.nonzero(padded[:, 1:] != padded[:, :-1]))]
    assert sorted(covered) == sorted(flat + upright)


@given(dark)
def test_pieces_are_as_long_as_they_can_be(cells):
    ends = [tuple(end) for end in trace.edges(cells).reshape(-1, 2, 2).tolist()]
    flat = {((x1, y1), (x2, y2)) for (x1, y1), (x2, y2) in ends if y1 == y2}
    starts = {start for start, _ in flat}
    stops = {stop for _, stop in flat}
    lists_meet = {tuple(p) for p in starts} & {tuple(p) for p in stops}
    assert not lists_meet


@given(dark)
def test_filling_the_edges_gives_the_areas_back(cells):
    again = np.zeros_like(cells)
    trace.fill(again, trace.edges(cells).astype(float))
    assert (again == cells).all()


def test_a_slanting_triangle_is_filled_where_the_middles_of_cells_lie_inside():
    cells = np.zeros((4, 4), bool)
    trace.fill(cells, np.array([[0, 0, 4, 0], [4, 0, 0, 4], [0, 4, 0, 0]], float))
    assert cells.astype(int).tolist() == [[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]


@given(st.lists(st.floats(0, 8), min_size=4, max_size=4))
def test_a_line_marks_every_cell_that_a_point_on_it_lies_in(ends):
    cells = np.zeros((8, 8), bool)
    trace.draw(cells, np.array([ends]))
    x1, y1, x2, y2 = ends
    for share in np.linspace(0.003, 0.997, 51):
        x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
        if min(abs(x - round(x)), abs(y - round(y))) > 1e-6:
            assert cells[int(y), int(x)]


def test_a_line_on_the_border_of_cells_marks_one_side_of_it():
    cells = np.zeros((2, 3), bool)
    trace.draw(cells, np.array([[0.0, 1.0, 3.0, 1.0], [3.0, 0.0, 3.0, 2.0]]))
    assert cells.astype(int).tolist() == [[0, 0, 1], [1, 1, 1]]


# ---- pictures


def test_pictures_keep_the_contract_of_formats(folder):
    binary = grey_picture.to_pgm(np.array([[0, 254, 0], [0, 0, 0]], np.uint8), "")
    check_format(bitmap, VOCABULARY, {"room.pgm": PLAIN, "map.png": png([[255, 0], [0, 255]]), "a.pgm": binary})


def test_the_dark_pixels_of_a_plain_pgm_are_outlined_about_the_middle_of_the_world():
    scene = parse(PLAIN).scene
    assert pieces(scene) == [
        ((-0.5, -0.75), (-0.5, 0.25)),
        ((-0.5, -0.75), (0.0, -0.75)),
        ((-0.5, 0.25), (0.5, 0.25)),
        ((0.0, -0.75), (0.0, -0.25)),
        ((0.0, -0.25), (0.5, -0.25)),
        ((0.5, -0.25), (0.5, 0.25)),
    ]
    assert (scene.name, scene.ground) == ("room", Ground((2.0, 1.5), (0.0, 0.0)))
    assert scene.walls[0].solid


def test_a_white_picture_has_no_walls():
    assert parse(png([[255, 255]]), "a.png").scene.walls == ()


SHADES = [[0, 100], [140, 255]]
SAME = [
    ("P2", b"P2 2 2 255 0 100 140 255"),
    ("P2 with comments", b"P2#a\n2 # b 7\n2\n#c\n255\n0 100 # d\n140 255\n"),
    ("P5", b"P5\n2 2\n255\n" + bytes([0, 100, 140, 255])),
    ("P5 of 16 bits", b"P5 2 2 65535\n" + np.array([0, 25700, 35980, 65535], ">u2").tobytes()),
    ("P3", b"P3 2 2 255  0 0 0  200 50 50  140 140 140  255 255 255"),
    ("P6", b"P6 2 2 255\n" + bytes([0, 0, 0, 200, 50, 50, 140, 140, 140, 255, 255, 255])),
    ("PNG", png(SHADES)),
    ("PNG with colours", png([[[0, 0, 0], [200, 50, 50]], [[140, 140, 140], [255, 255, 255]]], "RGB")),
]


@pytest.mark.parametrize("data", [data for _, data in SAME], ids=[name for name, _ in SAME])
def test_every_kind_of_picture_gives_the_same_grey_values(data):
    read = grey_picture.read(data, "a")
    assert read.grey * 255 == pytest.approx(np.array(SHADES, float), abs=0.01)


@pytest.mark.parametrize("kind", ["BMP", "GIF", "TIFF", "PNG"])
def test_other_kinds_are_read_by_content_whatever_they_are_called(kind):
    buffer = io.BytesIO()
    Image.fromarray(np.array([[0, 255]], np.uint8)).save(buffer, kind)
    assert bitmap.sniff(buffer.getvalue(), "thing.bin")
    assert (grey_picture.read(buffer.getvalue(), "a").grey < 0.5).tolist() == [[True, False]]


@pytest.mark.parametrize("data", [b"P1\n9 1\n1 0 1 0 0 0 0 0 1", b"P1 9 1 101000001", b"P4 9 1\n\xa0\x80"])
def test_bits_are_black_where_they_are_one(data):
    assert (grey_picture.read(data, "a").grey < 0.5).astype(int).tolist() == [[1, 0, 1, 0, 0, 0, 0, 0, 1]]


def test_deep_pngs_are_scaled_by_their_depth():
    buffer = io.BytesIO()
    Image.fromarray(np.array([[0, 65535]], np.uint16)).save(buffer, "PNG")
    assert grey_picture.read(buffer.getvalue(), "a").grey.tolist() == [[0.0, 1.0]]


def test_what_is_transparent_is_no_wall():
    scene = parse(png([[[0, 0, 0, 0], [0, 0, 0, 255]]], "RGBA"), "a.png").scene
    assert len(pieces(scene)) == 4


BAD_PICTURES = [
    (b"P5\n2 2\n255\n\0\0\0", "a.pgm: the picture is truncated (want 2 x 2 pixels)"),
    (b"P2 2 2 255 1 2 3", "a.pgm: the picture is truncated (want 2 x 2 pixels)"),
    (b"P2 2 2 255 1 2 x 4", "a.pgm: the picture is truncated (want 2 x 2 pixels)"),
    (b"P5 two 2 255\n", "a.pgm: not a picture: its header needs width, height and maximum value"),
    (b"P5 2", "a.pgm: not a picture: its header needs width, height and maximum value"),
    (b"P5 2 2 70000\n", "a.pgm: the maximum pixel value is 70000 (want 1 to 65535)"),
    (b"P5 0 2 255\n", "a.pgm: the picture has no pixels (0 x 2)"),
    (b"P5 99999 99999 255\n", "a.pgm: the picture is too large: 99999 x 99999 (at most 100,000,000 pixels)"),
]


@pytest.mark.parametrize(("data", "message"), BAD_PICTURES)
def test_bad_pictures_are_refused_with_the_reason(data, message):
    with pytest.raises(FormatError) as error:
        parse(data, "a.pgm")
    assert str(error.value) == message


def test_a_png_that_breaks_off_is_refused_with_its_name():
    with pytest.raises(FormatError, match=r"^a\.png: not a valid picture \("):
        parse(png(np.zeros((50, 50)))[:60], "a.png")


def test_a_picture_of_nothing_but_edges_is_refused():
    grey = np.ones((1450, 1450), np.float32)
    grey[::2, ::2] = 0
    with pytest.raises(FormatError) as error:
        bitmap.traced(GreyPicture(grey), MapPlacement(), "a")
    assert str(error.value) == "a: too many edges: 2,102,500 (at most 2,000,000); smooth the picture"


# ---- ROS maps


def test_a_ros_map_lies_where_its_origin_says(folder):
    scene = parse(YAML.encode(), "room.yaml", folder).scene
    assert scene.ground == Ground((2.0, 1.5), (0.0, 2.75))
    assert pieces(scene)[0] == ((-0.5, 2.0), (-0.5, 3.0))


def test_a_ros_map_keeps_the_contract_of_formats(folder):
    maps = SimpleNamespace(
        __doc__="maps only",
        SUFFIXES=bitmap.SUFFIXES,
        sniff=lambda data, name: not grey_picture.is_picture(data) and bitmap.sniff(data, name),
        parse=bitmap.parse,
    )
    check_format(maps, VOCABULARY, {"room.yaml": YAML}, folder)


def test_yaw_turns_the_map_about_its_lower_left_corner(folder):
    turned = YAML.replace("2.0, 0.0]", f"2.0, {math.pi / 2}]").encode()
    scene = parse(turned, "room.yaml", folder).scene
    assert scene.ground == Ground((1.5, 2.0), (-1.75, 3.0))
    assert ((-2.0, 2.5), (-1.0, 2.5)) in pieces(scene)


FORMS = [
    ("a list of lines", YAML.replace("[-1.0, 2.0, 0.0]", "\n- -1.0\n- 2.0\n- 0.0")),
    ("a list of lines, indented", YAML.replace("[-1.0, 2.0, 0.0]", "\n  - -1.0\n  - 2.0\n  - 0.0")),
    ("a list over lines", YAML.replace("[-1.0, 2.0, 0.0]", "[-1.0,\n   2.0,  # y\n   0.0]")),
    ("quotes", YAML.replace("room.pgm", '"room.pgm"  # the picture')),
    ("single quotes", "---\n" + YAML.replace("room.pgm", "'room.pgm'")),
    ("words", YAML.replace("negate: 0", "negate: false") + "mode: trinary\n"),
    ("no thresholds", "\n".join(YAML.splitlines()[:4])),
    ("two numbers", YAML.replace(", 0.0]", "]")),
    ("Windows", YAML.replace("\n", "\r\n")),
    ("unknown keys", YAML + "author: somebody\ntags: [a, b]\n"),
]


@pytest.mark.parametrize("text", [text for _, text in FORMS], ids=[name for name, _ in FORMS])
def test_the_forms_of_yaml_that_are_met_mean_the_same(folder, text):
    assert parse(text.encode(), "room.yaml", folder).scene == parse(YAML.encode(), "room.yaml", folder).scene


def shown(shades, extra):
    """Return which pixels of one row are walls."""
    entries = flat_yaml.loads("image: a\nresolution: 1\norigin: [0, 0, 0]\n" + extra, "a.yaml")
    from understudy.formats.pictures import map_yaml

    grey = np.array([shades], np.float32) / 255
    return bitmap.dark_areas(GreyPicture(grey), map_yaml.placing(entries, "a.yaml"))[0].astype(int).tolist()


def test_only_what_is_darker_than_the_threshold_is_a_wall():
    assert shown([0, 89, 90, 205, 254], "occupied_thresh: 0.65\n") == [1, 1, 0, 0, 0]


def test_negate_turns_dark_and_light_round():
    assert shown([0, 165, 166, 255], "negate: 1\noccupied_thresh: 0.65\n") == [0, 0, 1, 1]


def test_scale_has_the_walls_of_trinary():
    assert shown([0, 89, 90, 254], "mode: scale\n") == [1, 1, 0, 0]


def test_raw_takes_grey_values_as_percent_and_more_than_that_as_not_known():
    assert shown([0, 65, 66, 100, 101, 255], "mode: raw\n") == [0, 0, 1, 1, 0, 0]


INVALID = [
    (YAML.replace("resolution: 0.5\n", ""), "room.yaml: resolution: missing (want metres per pixel, such as 0.05)"),
    (YAML.replace("resolution: 0.5", "resolution: -1"), "room.yaml:2: resolution: must be above 0, got -1"),
    (YAML.replace("resolution: 0.5", "resolution: half"), "room.yaml:2: resolution: want a number, got 'half'"),
    (YAML.replace("resolution: 0.5", "resolution: .nan"), "room.yaml:2: resolution: want a number, got '.nan'"),
    (YAML.replace("[-1.0, 2.0, 0.0]", "[1]"),
     "room.yaml:3: origin: want [x, y, yaw] of the lower left corner, got ('1',)"),
    (YAML.replace("origin: [-1.0, 2.0, 0.0]\n", ""),
     "room.yaml: origin: missing (want [x, y, yaw] of the lower left corner)"),
    (YAML.replace("negate: 0", "negate: maybe"), "room.yaml:4: negate: want 0 or 1, got 'maybe'"),
    (YAML.replace("0.65", "7"), "room.yaml:5: occupied_thresh: want 0 to 1, got 7"),
    (YAML + "mode: trinry\n", "room.yaml:7: mode: unknown mode 'trinry' (did you mean 'trinary'?)"),
    (YAML.replace("room.pgm", "other.pgm"),
     "room.yaml:1: image: cannot read 'other.pgm' (No such file or directory)"),
    (YAML.replace("room.pgm", "[a, b]"), "room.yaml:1: image: want the name of a picture"),
    (YAML.replace("0.196", "!!python/object/apply:os.system ['true']"),
     "room.yaml:6: want a plain number or text, got \"!!python/object/apply:os.system ['true']\""),
    (YAML.replace("negate: 0", "negate: &anchor 0"), "room.yaml:4: want a plain number or text, got '&anchor 0'"),
    (YAML + "more:\n  deep: 1\n", "room.yaml:8: want key: value, got 'deep: 1'"),
    (YAML + "- 3\n", "room.yaml:7: a list item without a key above it"),
    (YAML + "origin: [0, 0, 0]\n", "room.yaml:7: origin is already defined; define it once"),
    (YAML + "rest: [1,\n2\n", "room.yaml:8: a ] is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_errors_of_a_map_yaml_are_reported_with_their_line(folder, text, message):
    with pytest.raises(SceneError) as error:
        parse(text.encode(), "room.yaml", folder)
    assert str(error.value) == message


def test_every_error_of_a_map_yaml_is_reported_at_once(folder):
    with pytest.raises(SceneError) as error:
        parse(b"image: room.pgm\nresolution: 0\nnegate: 2\nmode: none\n", "room.yaml", folder)
    assert len(error.value.problems) == 4


def test_an_invalid_picture_is_reported_with_both_names(tmp_path):
    (tmp_path / "room.pgm").write_bytes(b"P5 1")
    with pytest.raises(FormatError, match=r"^room\.yaml: room\.pgm: not a picture"):
        parse(YAML.encode(), "room.yaml", tmp_path)


def test_a_yaml_without_a_folder_says_so():
    with pytest.raises(SceneError) as error:
        parse(YAML.encode(), "room.yaml")
    assert str(error.value) == "room.yaml:1: image: cannot resolve 'room.pgm': this text was not loaded from a file"


def test_a_picture_uses_the_yaml_beside_it(folder):
    (folder / "room.yaml").write_text(YAML)
    assert parse(PLAIN, "room.pgm", folder).scene == parse(YAML.encode(), "room.yaml", folder).scene


@pytest.mark.parametrize("text", [YAML.replace("room.pgm", "other.pgm"), "servers:\n  - {a: 1}\n"])
def test_a_yaml_beside_that_is_about_something_else_is_skipped(folder, text):
    (folder / "room.yaml").write_text(text)
    assert parse(PLAIN, "room.pgm", folder).scene == parse(PLAIN).scene


def test_pictures_and_maps_are_known_by_content(folder):
    (folder / "m.yaml").write_text(YAML)
    assert detect(folder / "room.pgm") is FORMATS["bitmap"]
    assert detect(folder / "m.yaml") is FORMATS["bitmap"]
    assert not bitmap.sniff(b"servers: 3\n", "docker.yaml")


# ---- back


@settings(max_examples=50)
@given(arrays(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9))), st.sampled_from([0.05, 0.02, 0.1, 0.37]))
def test_what_is_read_from_a_picture_is_written_as_the_same_picture(cells, cell_m):
    grey = np.where(cells, np.uint8(0), np.uint8(254))
    text = f"P5\n# {cell_m} m/pix\n{cells.shape[1]} {cells.shape[0]}\n255\n".encode() + grey.tobytes()
    scene = parse(text).scene
    again = parse(bitmap.write(scene, cell_m))
    assert again.scene == scene


def test_walls_are_drawn_as_lines_and_objects_as_areas():
    scene = Scene(
        ground=Ground((1.0, 1.0)),
        walls=(Wall(points_m=((-0.5, -0.45), (0.5, -0.45))),),
        objects=(
            Solid(shape=Box((0.4, 0.2, 1.0)), pose=Pose(0.1, 0.2)),
            Solid(shape=Cylinder(0.1), pose=Pose(-0.3, 0.0)),
        ),
    )
    drawn = raster.rendered(scene, 0.1)
    assert (drawn.corner_m, drawn.resolution_m) == ((-0.5, -0.5), 0.1)
    rows = ["".join(".#"[cell] for cell in row) for row in drawn.dark[::-1].astype(int).tolist()]
    assert rows == [
        "..........",
        "..........",
        "....####..",
        "....####..",
        ".##.......",
        ".##.......",
        "..........",
        "..........",
        "..........",
        "##########",
    ]


def test_a_thick_wall_is_drawn_with_its_thickness():
    scene = Scene(ground=Ground((1.0, 1.0)), walls=(Wall(points_m=((-0.2, 0.0), (0.2, 0.0)), thickness_m=0.2),))
    assert raster.rendered(scene, 0.1).dark.sum() >= 8


def test_what_nobody_meets_or_sees_is_not_drawn():
    from understudy.world.materials import Surface

    ghost = Surface(seen_by=("camera",), obstacle=False)
    scene = Scene(walls=(Wall(points_m=((0.0, 0.0), (1.0, 0.0)), surface=ghost),))
    assert not raster.rendered(scene).dark.any()


def test_things_beyond_the_ground_make_the_picture_larger_by_whole_cells():
    scene = Scene(ground=Ground((1.0, 1.0)), walls=(Wall(points_m=((-0.73, 0.05), (0.9, 0.05))),))
    drawn = raster.rendered(scene, 0.1)
    assert drawn.corner_m == (-0.8, -0.5)
    assert drawn.dark.shape == (10, 17)


def test_the_edge_of_a_walled_ground_is_drawn():
    assert raster.rendered(Scene(ground=Ground((1.0, 1.0), walled=True)), 0.25).dark.astype(int).tolist() == [
        [1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1],
    ]  # fmt: skip


def test_too_fine_a_picture_is_refused():
    with pytest.raises(FormatError, match=r"^too many cells: 200000 x 200000"):
        bitmap.write(Scene(), 0.0001)


@pytest.mark.parametrize("name", ["my map.yaml", "my map.pgm", "my map.png"])
def test_a_saved_map_is_a_picture_and_a_yaml_that_read_alike(tmp_path, name):
    scene = parse(PLAIN).scene
    image, note = bitmap.save(scene, tmp_path / name)
    again = parse(note.read_bytes(), "room.yaml", tmp_path).scene
    assert again == scene
    assert parse(image.read_bytes(), image.name, tmp_path).scene.walls == scene.walls


def test_pictures_that_lose_something_are_not_written(tmp_path):
    with pytest.raises(FormatError, match=r"a\.jpg: pictures are written as \.pgm, .*, not as \.jpg$"):
        bitmap.save(Scene(), tmp_path / "a.jpg")


def test_a_picture_with_more_things_in_it_is_drawn_finer_on_the_same_grid():
    scene = parse(PLAIN).scene
    more = dataclasses.replace(scene, objects=(Solid(shape=Box((0.1, 0.1, 1.0)), pose=Pose(0.7, 0.3)),))
    assert (raster.rendered(scene).resolution_m, raster.rendered(more).resolution_m) == (0.5, 0.05)


def test_what_a_picture_does_not_hold_is_reported():
    from understudy.world.robot import PlacedRobot

    assert bitmap.left_out(Scene(robots=(PlacedRobot(), PlacedRobot()))) == [
        "2 robots", "names, heights, colours and surface properties: pixels are dark or light",
    ]  # fmt: skip
