from __future__ import annotations

import math

import numpy as np
import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import VOCABULARY
from formats.some_maps import EVERYTHING, SMALL, maps
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError
from understudy.formats import detect
from understudy.formats.aria import map_file
from understudy.formats.native import scene_file
from understudy.world.marks import NO_GPS, areas, start_pose
from understudy.world.materials import LAYERS, Surface
from understudy.world.scene import Ground, Origin
from understudy.world.shapes import Pose

PLAIN = Surface()


def parse(text):
    return map_file.parse(text, "lab.map", VOCABULARY)


def scene(text):
    return parse(text).scene


def warnings(text):
    return [str(warning) for warning in parse(text).warnings]


def with_head(*lines):
    return "\n".join(["2D-Map", *lines, "LINES", "0 0 1000 0", "DATA", ""])


def one(cairn, *info):
    made = scene(with_head(*info, f"Cairn: {cairn}"))
    return [*made.marks, *made.objects, *made.walls[1:]][0]


def test_maps_keep_the_contract_of_formats():
    check_format(map_file, VOCABULARY, {"everything.map": EVERYTHING, "small.map": SMALL})


# ---- lines and points


def test_lines_are_one_wall_in_metres():
    assert [wall.pieces_m for wall in scene(SMALL).walls] == [((0.0, 0.0, 1.0, 0.0),)]


def test_points_are_a_wall_of_dots_as_large_as_the_resolution():
    (wall,) = scene("2D-Map\nResolution: 50\nDATA\n-1 2\n49 2\n").walls
    assert (wall.dots_m, wall.dot_m) == (((-0.001, 0.002), (0.049, 0.002)), 0.05)


def test_points_of_a_map_without_resolution_are_as_large_as_mobilesims_cells():
    assert scene("2D-Map\nDATA\n1 2\n").walls[0].dot_m == 0.02


def test_lines_and_points_both_are_obstacles_that_everybody_sees():
    assert [wall.surface for wall in scene("2D-Map\nLINES\n0 0 1 1\nDATA\n1 2\n").walls] == [PLAIN, PLAIN]


@pytest.mark.parametrize("text", [
    SMALL.replace("\n", "\r\n"), SMALL.replace("\n", "\n\n"), SMALL.replace(" 1000 ", "\t 1000   "),
    "\n" + SMALL, "\ufeff" + SMALL, SMALL.replace("LINES", "lines ").replace("DATA", "Data"),
    SMALL.replace("2D-Map\n", "2D-Map\nNumLines: 77\nLineMinPos: nonsense\n"),
    SMALL.replace("Cairn", "CAIRN"),
])  # fmt: skip
def test_the_same_map_can_be_spelled_in_many_ways(text):
    assert scene(text).walls == scene(SMALL).walls
    assert scene(text).marks == scene(SMALL).marks


def test_sections_may_come_in_any_order_and_more_than_once():
    made = scene("2D-Map\nDATA\n1 1\nLINES\n0 0 1 1\nDATA\n2 2\n")
    assert [wall.dots_m or wall.pieces_m for wall in made.walls] == [
        ((0.0, 0.0, 0.001, 0.001),), ((0.001, 0.001), (0.002, 0.002))
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["2D-Map\nDATA\n", "2D-Map\nLINES", "2D-Map\nLINES\nDATA\n"])
def test_a_map_may_be_empty(text):
    assert (scene(text).walls, scene(text).ground) == ((), Ground())


def test_the_ground_lies_under_all_walls_and_boxes():
    ground = scene(with_head('Cairn: Sim.BoxObstacle 0 0 0 "" ICON "" 0 0 3000 2000')).ground
    assert (ground.size_m, ground.center_m) == ((3.0, 2.0), (1.5, 1.0))


def test_five_megabytes_are_read_right():
    rows = np.random.default_rng(1).integers(-90_000, 90_000, (150_000, 4))
    lines = "\n".join(f"{a} {b} {c} {d}" for a, b, c, d in rows[:130_000].tolist())
    dots = "\n".join(f"{x} {y}" for x, y, _, _ in rows.tolist())
    text = f"2D-Map\nLINES\n{lines}\nnonsense\nDATA\n{dots}\n"
    assert len(text) > 5_000_000
    document = parse(text)
    assert np.array_equal(np.array(document.scene.walls[0].pieces_m), rows[:130_000] / 1000)
    assert np.array_equal(np.array(document.scene.walls[1].dots_m), rows[:, :2] / 1000)
    assert [warning.line for warning in document.warnings] == [130_003]


# ---- the header


def test_the_origin_is_where_on_earth_zero_lies():
    assert scene(with_head("OriginLatLongAlt: 42.8 -71.5 72")).origin == Origin(42.8, -71.5, 72.0)


def test_an_origin_in_the_spelling_of_the_manual_counts_too():
    assert scene(with_head("OriginLatLonAlt: 42.8 -71.5 72")).origin == Origin(42.8, -71.5, 72.0)


def test_what_is_unknown_is_kept_and_written_back():
    made = scene(with_head("CustomInfo: a  b", "# no comment", "MyKey: x"))
    assert made.map.header == ("CustomInfo: a  b", "# no comment", "MyKey: x")
    assert "CustomInfo: a  b\n# no comment\nMyKey: x\n" in map_file.write(made)


def test_other_sensors_are_carried_along_and_are_no_walls():
    made = scene(EVERYTHING)
    (rear,) = made.map.sources
    assert (rear.name, rear.header, rear.pieces_m, rear.dots_m) == (
        "Rear", ("RearResolution: 50",), ((-0.005, 0.0, 0.005, 0.0),), ((0.001, 0.001),)
    )  # fmt: skip
    assert len(made.walls) == 3


def test_other_sensors_are_written_back_with_their_counts():
    text = map_file.write(scene(EVERYTHING))
    assert "\nRearNumPoints: 1\n" in text
    assert text.endswith("Rear_LINES\n-5 0 5 0\nRear_DATA\n1 1\n")


def test_extents_and_counts_are_measured_anew():
    text = map_file.write(scene(SMALL.replace("2D-Map\n", "2D-Map\nNumLines: 77\n")))
    assert text.startswith("2D-Map\nLineMinPos: 0 0\nLineMaxPos: 1000 0\nNumLines: 1\n")


def test_a_claim_to_be_sorted_is_written_back_only_if_it_is_true():
    text = "2D-Map\nLinesAreSorted: true\nPointsAreSorted: true\nLINES\n5 0 1 1\n0 0 1 1\nDATA\n0 0\n1 1\n"
    written = map_file.write(scene(text))
    assert "LinesAreSorted: false" in written
    assert "PointsAreSorted: true" in written


# ---- objects


@pytest.mark.parametrize(("cairn", "label", "pose"), [
    ('Goal 3000 -1000 0 "" ICON "By the window"', "By the window", Pose(3.0, -1.0)),
    ('GoalWithHeading 1.5 2 90 "" ICON Exit', "Exit", Pose(0.0015, 0.002, heading_rad=math.pi / 2)),
    ('Dock 0 0 -48.576300 "" ICON ""', "", Pose(heading_rad=math.radians(-48.5763))),
    ('DockLynx 1 1 0 "" ICON "D"', "D", Pose(0.001, 0.001)),
])  # fmt: skip
def test_places_are_marks(cairn, label, pose):
    mark = one(cairn)
    assert (mark.tag.type, mark.tag.label, mark.pose, mark.size_m, mark.line_m) == (
        cairn.split()[0], label, pose, None, None
    )  # fmt: skip


def test_note_icon_and_description_are_kept():
    tag = one('Goal 0 0 0 "a file" ID=7 "Shelf" "where the red boxes are" more').tag
    assert (tag.note, tag.icon, tag.label, tag.description, tag.extra) == (
        "a file", "ID=7", "Shelf", "where the red boxes are", ("more",)
    )  # fmt: skip


def test_a_forbidden_line_is_no_wall():
    assert one('ForbiddenLine 5 6 0 "" ICON "" 1000 2000 3000 4000').line_m == (1.0, 2.0, 3.0, 4.0)


def test_the_heading_of_a_line_does_not_turn_it():
    assert one('ForbiddenLine 5 6 90 "" ICON "" 1000 2000 3000 4000').line_m == (1.0, 2.0, 3.0, 4.0)


def test_an_area_has_its_centre_and_size():
    area = one('ForbiddenArea 0 0 0 "" ICON "Stairs" 5000 500 4000 -500')
    assert (area.pose, area.size_m) == (Pose(4.5, 0.0), (1.0, 1.0))


def test_an_area_is_turned_about_the_origin_of_the_map():
    area = one('ForbiddenArea 7 7 90 "" ICON "" 1000 -200 3000 200')
    assert (area.size_m, area.pose.heading_rad) == ((2.0, 0.4), math.pi / 2)
    assert (area.pose.x_m, area.pose.y_m) == pytest.approx((0.0, 2.0))


def test_a_line_that_the_map_has_defined_is_one():
    line = one('Measure 0 0 0 "" ICON "" 1 2 3 4', "MapInfo: BoundaryType Name=Measure")
    assert line.line_m == (0.001, 0.002, 0.003, 0.004)


@pytest.mark.parametrize(("keyword", "status"), [("_Cairn:", "inactive"), ("ChildCairn:", "child")])
def test_an_object_that_does_not_count_is_kept_as_a_mark(keyword, status):
    made = scene(with_head(f'{keyword} Reflector 0 0 0 "" ICON "" 0 0 1 1'))
    assert (made.marks[0].status, len(made.walls)) == (status, 1)


@pytest.mark.parametrize(("head", "x"), [
    (['Cairn: Dock 1 0 0 "" ICON ""', 'Cairn: RobotHome 2000 0 0 "" ICON ""', 'Cairn: RobotHome 3 0 0 "" ICON A'], 2.0),
    (['Cairn: Goal 5 5 0 "" ICON ""', 'Cairn: Dock 1000 0 0 "" ICON ""'], 1.0),
    (['_Cairn: RobotHome 2000 0 0 "" ICON ""'], 0.0),
    (['Cairn: RobotHome 0 0 0 "" ICON "" 1000 -500 3000 500'], 2.0),
])  # fmt: skip
def test_robots_start_where_the_map_says(head, x):
    assert start_pose(scene(with_head(*head)).marks) == Pose(x)


def test_sectors_without_gps_are_found():
    rows = areas(scene(EVERYTHING).marks, NO_GPS)
    assert rows.tolist() == [[0.5, 0.5, 0.0, 1.0, 1.0]]


# ---- objects of the simulator


def test_a_reflector_is_a_wall_that_throws_lasers_back():
    wall = one('Reflector 0 0 0 "" ICON "" 0 0 1000 0')
    assert (wall.pieces_m, wall.surface) == (((0.0, 0.0, 1.0, 0.0),), Surface(reflectance=2.0))


def hidden(*layers, **given):
    return Surface(tuple(layer for layer in LAYERS if layer not in layers), **given)


@pytest.mark.parametrize(("keys", "surface"), [
    ("Sim.Obstacle=yes", PLAIN),
    ("Sim.Obstacle=true Sim.LaserReflect=1 Sim.SonarReflect=true", PLAIN),
    ("sim.obstacle=YES", PLAIN),
    ("Sim.Obstacle=no", Surface(obstacle=False)),
    ("Sim.LaserReflect=32 Sim.Obstacle=yes", Surface(reflectance=32.0)),
    ("Sim.Obstacle=yes Sim.LaserReflect=0", hidden("laser")),
    ("Sim.Obstacle=yes Sim.LaserReflect=no", hidden("laser")),
    ("Sim.Obstacle=yes Sim.SonarReflect=no", hidden("sonar")),
    ('"Sim.Obstacle=no" "Desc=a marker" Sim.LaserReflect=false Sim.SonarReflect=false',
     hidden("laser", "sonar", obstacle=False)),
])  # fmt: skip
def test_an_area_becomes_the_box_that_its_type_says(keys, surface):
    box = one('Crate 0 0 0 "" ICON "" 0 0 400 200', f"MapInfo: SectorType Name=Crate {keys}")
    assert (box.surface, box.shape.size_m, box.pose) == (surface, (0.4, 0.2, 1.0), Pose(0.2, 0.1))


def test_the_box_of_old_maps_needs_no_definition():
    assert one('Sim.BoxObstacle 0 0 0 "" ICON "" 0 0 400 200').surface == PLAIN


def test_an_area_whose_type_says_nothing_of_obstacles_is_a_mark():
    area = one('Crate 0 0 0 "" ICON "" 0 0 400 200', "MapInfo: SectorType Name=Crate Sim.LaserReflect=0")
    assert area.size_m == (0.4, 0.2)


def test_a_box_has_the_colour_of_its_type():
    box = one('Crate 0 0 0 "" ICON "" 0 0 4 2', 'MapInfo: SectorType Name=Crate Sim.Obstacle=yes "Color0=0xFF00aa"')
    assert box.colour == "#ff00aa"


def test_a_box_is_turned_about_the_origin_of_the_map():
    box = one('Sim.BoxObstacle 0 0 45 "" ICON "" 1000 -100 1200 100')
    assert (box.pose.x_m, box.pose.y_m) == pytest.approx((1.1 / math.sqrt(2), 1.1 / math.sqrt(2)))


# ---- errors


@pytest.mark.parametrize(("text", "words"), [
    ("", "lab.map:1: not a map: the file is empty "
         "(want 2D-Map, 2D-Map-Ex, 2D-Map-Ex2, 2D-Map-Ex3 or 2D-Map-Ex4 as the first line)"),
    ("hello\nDATA\n", "lab.map:1: not a map: 'hello' "
                      "(want 2D-Map, 2D-Map-Ex, 2D-Map-Ex2, 2D-Map-Ex3 or 2D-Map-Ex4 as the first line)"),
    ("DATA\n1 2\n", "lab.map:1: not a map: 'DATA' "
                    "(want 2D-Map, 2D-Map-Ex, 2D-Map-Ex2, 2D-Map-Ex3 or 2D-Map-Ex4 as the first line)"),
    ("2D-Map\n1 2 3 4\n", "lab.map:2: the map has neither LINES nor DATA; add one of them, even if empty"),
])  # fmt: skip
def test_what_is_no_map_is_refused_in_these_words(text, words):
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert str(caught.value) == words


GOAL = 'Cairn: Goal 0 0 0 "" ICON ""'


@pytest.mark.parametrize(("text", "words"), [
    ("2D-Map\nLINES\n0 0 1 1\n0 0 1\nDATA\n", "lab.map:4: not a wall: '0 0 1' (want x1 y1 x2 y2)"),
    ("2D-Map\nLINES\n\n; 0 0 1 1\nDATA\n", "lab.map:4: not a wall: '; 0 0 1 1' (want x1 y1 x2 y2)"),
    ("2D-Map\nDATA\n0 0 1\n", "lab.map:3: not a point: '0 0 1' (want x y)"),
    ("2D-Map\nDATA\n1 12345678901\n", "lab.map:3: not a point: '1 12345678901' (want x y)"),
    ("2D-Map\nDATA\n1.4 -2.6\n", "lab.map:3: not whole millimetres: '1.4 -2.6' (rounded)"),
    ("2D-Map\nDATA\n1 2", "lab.map:3: the last line has no line ending; ARIA programs skip it"),
    ("2D-Map\nDATA\n0 0\n3000000 0\n",
     "lab.map:2: DATA spans more than 2 km; ARIA programs refuse such a map"),
    ("2D-Map-Ex9\nDATA\n", "lab.map:1: unknown kind of map: '2D-Map-Ex9' "
                           "(want 2D-Map, 2D-Map-Ex, 2D-Map-Ex2, 2D-Map-Ex3 or 2D-Map-Ex4)"),
    (with_head("Cairn: Goal 1 2"),
     "lab.map:2: not a map object: 'Cairn: Goal 1 2' (want type x y heading \"note\" ICON \"label\")"),
    (with_head(GOAL.replace("Goal 0", "Goal x")), f"lab.map:2: not a map object: {GOAL.replace('Goal 0', 'Goal x')!r} "
                                                  "(not a number: 'x')"),
    (with_head(GOAL + " 1 2 3 four"), f"lab.map:2: not a map object: {GOAL + ' 1 2 3 four'!r} (not a number: 'four')"),
    (with_head(GOAL.replace("Goal 0", "Goal 1e999")),
     f"lab.map:2: not a map object: {GOAL.replace('Goal 0', 'Goal 1e999')!r} (too large: '1e999')"),
    (with_head("OriginLatLongAlt: 91 0 0"), "lab.map:2: not a geographic position: 'OriginLatLongAlt: 91 0 0' "
                                            "(want latitude longitude altitude, degrees and metres)"),
    (with_head("OriginLatLongAlt: 1 2"), "lab.map:2: not a geographic position: 'OriginLatLongAlt: 1 2' "
                                         "(want latitude longitude altitude, degrees and metres)"),
    (with_head("Resolution: 0"), "lab.map:2: not a resolution: 'Resolution: 0' (want millimetres above 0)"),
    (with_head("MapInfo: SectorType Name=A Sim.Obstacle=perhaps"), "lab.map:2: Sim.Obstacle=perhaps: want yes or no"),
    (with_head("MapInfo: SectorType Name=A Sim.Obstacle=yes Sim.LaserReflect=-1"),
     "lab.map:2: Sim.LaserReflect=-1: want 0, 1 or a larger whole number"),
    (with_head("MapInfo: SectorType Name=A Sim.Obstacle=yes Sim.SonarReflect=2"),
     "lab.map:2: Sim.SonarReflect=2: want yes or no"),
])  # fmt: skip
def test_an_invalid_line_is_skipped_with_a_warning_in_these_words(text, words):
    assert warnings(text) == [words]


def test_an_invalid_line_leaves_the_others():
    (wall,) = scene("2D-Map\nLINES\n0 0 1 1\nzzz\n2.2 2 3 3\n0 0 9 9\nDATA\n").walls
    assert [piece[2] for piece in wall.pieces_m] == [0.001, 0.003, 0.009]


def test_a_map_in_latin_1_is_read_with_a_warning():
    document = parse(with_head('Cairn: Goal 0 0 0 "" ICON "Büro"').encode("latin-1"))
    assert document.scene.marks[0].tag.label == "Büro"
    assert str(document.warnings[0]) == "lab.map:2: not UTF-8 text; read as Latin-1"


def test_a_document_knows_the_lines_of_its_objects():
    lines = parse(EVERYTHING).lines
    assert EVERYTHING.splitlines()[lines[("object", 0)] - 1].startswith("Cairn: BoxObstacle")
    assert EVERYTHING.splitlines()[lines[("mark", 1)] - 1].startswith("Cairn: Dock")


@given(st.binary(max_size=200))
def test_junk_is_read_or_refused_but_nothing_else_happens(junk):
    for data in (junk, b"2D-Map\n" + junk, b"2D-Map\nDATA\n" + junk):
        try:
            said = map_file.parse(data, "lab.map", VOCABULARY).file
        except FormatError as problem:
            said = str(problem)
        assert said.startswith("lab.map")


# ---- which files


@pytest.mark.parametrize(("name", "data", "is_map"), [
    ("a.map", b"2D-Map\nDATA\n", True),
    ("a.txt", b"\r\n2d-map-ex\nDATA\n", True),
    ("a.map", b"anything", True),
    ("a.map", b"\0\1\2", False),
    ("a.txt", b"schema = 1", False),
])  # fmt: skip
def test_a_map_is_known_by_its_first_line_or_its_name(name, data, is_map):
    assert map_file.sniff(data, name) is is_map


def test_a_map_is_found_by_its_content(tmp_path):
    (tmp_path / "lab").write_text(SMALL)
    assert detect(tmp_path / "lab") is map_file


def test_a_map_resolves_to_a_flat_scene_with_names():
    flat = scene_file.resolve(parse(EVERYTHING), VOCABULARY)
    assert [wall.name for wall in flat.walls] == ["wall-1", "wall-2", "wall-3"]
    assert [mark.name for mark in flat.marks][:3] == ["robothome-1", "dock-1", "goal-1"]


# ---- writing


@given(maps())
@settings(max_examples=200)
def test_what_is_written_reads_back_as_the_same_scene(text):
    made = scene(text)
    assert scene(map_file.write(made)) == made


@given(maps())
def test_a_map_goes_through_our_own_scene_file_unchanged(text):
    made = scene(text)
    toml = scene_file.write(made)
    assert scene_file.parse(toml, "lab.toml", VOCABULARY).scene == made


def test_everything_is_written_in_a_tidy_order():
    assert map_file.write(scene(EVERYTHING)).splitlines()[:12] == [
        "2D-Map-Ex2", "MinPos: 0 0", "MaxPos: 40 20", "NumPoints: 3",
        "LineMinPos: 0 0", "LineMaxPos: 6000 4000", "NumLines: 4", "Sources: Laser Rear",
        "PointsAreSorted: true", "Resolution: 20", 'CustomInfo: Task 7 "keep me"', "RearMinPos: 1 1",
    ]  # fmt: skip
