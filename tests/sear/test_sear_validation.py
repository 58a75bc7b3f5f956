"""The experiments of the SEAR dissertation: what differs between beams, in numbers. docs/validation.py draws them."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOISE_M = 0.03  # more than seven deviations of the PING)))
AT_START_M = 0.05


@pytest.fixture(scope="module")
def validation():
    sys.path.insert(0, str(DOCS))
    import validation

    yield validation
    sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def drive(validation):
    seen = validation.drive()
    return np.array([seen.odometer_m, seen.nested_m, seen.sector_m])


@pytest.fixture(scope="module")
def scan(validation):
    return validation.scan()


def between(drive, first_m, last_m):
    odometer, nested, sector = drive
    part = (odometer >= first_m) & (odometer <= last_m)
    return nested[part], sector[part]


def test_the_sector_never_reads_farther_than_the_cones_that_it_contains(drive):
    _, nested, sector = drive
    assert (sector <= nested + NOISE_M).all()


def test_the_sector_reports_a_bin_beside_the_way_that_the_cones_do_not_reach(drive):
    nested, sector = between(drive, AT_START_M, 1.2)
    assert (nested > 2.95).all()  # 3 m is: no echo
    assert sector.max() < 2.5
    assert np.median(nested - sector) > 1.0


def test_the_sector_reports_the_box_a_metre_too_near_where_the_cones_report_the_post_behind(drive):
    nested, sector = between(drive, 2.1, 2.5)
    assert (nested - sector > 0.9).all()


def test_both_agree_where_only_things_in_the_way_are_in_range(drive):
    nested, sector = between(drive, 4.6, 5.8)
    assert np.abs(nested - sector).max() < NOISE_M


def test_the_last_obstacle_comes_nearer_as_the_odometer_counts(drive):
    odometer, nested, _ = drive
    last = odometer > 4.6
    assert (
        np.abs(nested[last] + odometer[last] - 6.7).max() < NOISE_M + 0.02
    )  # wall at 6.7 m, start-up of a tick or two


def off_surface(points, outlines, tolerance_m):
    """Return the points that are not on any outline."""
    edges = [(a, b) for outline in outlines for a, b in zip(outline, [*outline[1:], outline[0]])]
    return [p for p in points if min(distance(p, *edge) for edge in edges) > tolerance_m]


def distance(point, start, end):
    (x, y), (ax, ay), (bx, by) = point, start, end
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / math.dist(start, end) ** 2
    along = min(max(along, 0.0), 1.0)
    return math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


@pytest.fixture(scope="module")
def outlines(validation):
    return [[(x + 2.5, y) for x, y in outline] for outline in validation._objects("lms200_boxes.toml")]


def test_every_thin_ray_ends_on_a_surface(scan, outlines):
    assert off_surface(scan.plain, outlines, 1e-6) == []


def test_a_beam_of_some_width_reads_points_in_the_air_at_the_edges_of_boxes(scan, outlines):
    assert len(off_surface(scan.scattering, outlines, 0.03)) >= 2


def on_black(points):
    return [p for p in points if abs(p[0] - 4.0) < 0.01 and abs(p[1] + 0.55) < 0.16]


def test_the_black_box_absorbs_the_beam_and_gives_no_echo(scan):
    assert len(on_black(scan.plain)) >= 8
    assert on_black(scan.scattering) == []


def test_the_wall_and_the_large_boxes_are_the_same_in_both(scan):
    for x_m, y_m in ((4.45, 1.5), (4.45, -1.5)):
        for points in (scan.plain, scan.scattering):
            assert min(math.dist(p, (x_m, y_m)) for p in points) < 0.06


def test_every_drawing_is_fresh(validation):
    drawn = {file.stem: file.read_text(encoding="utf-8") for file in validation.FOLDER.glob("*.svg")}
    assert drawn == {name: draw() for name, draw in validation.DRAWINGS.items()}, "run: make validate"
