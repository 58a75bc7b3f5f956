"""A rover on real terrain."""

import math

import pytest

import understudy as us
from understudy.errors import FormatError
from understudy.sear.starter import new_project
from understudy.sear.terrain import ElevationPart, surveyed


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    file = tmp_path_factory.mktemp("land") / "alps.asc"
    rows = [" ".join(f"{600 + 4 * math.sin(c / 9) + r / 20:.3f}" for c in range(61)) for r in range(41)]
    head = "ncols 61\nnrows 41\nxllcenter 7.98\nyllcenter 46.55\ncellsize 0.0001\n"
    file.write_text(head + "\n".join(rows))
    return file


def test_the_centre_of_the_terrain_is_the_position_of_the_receiver(grid, tmp_path):
    project = new_project(tmp_path / "hike", terrain=ElevationPart(str(grid)))
    gps = next(entry for entry in project.read().robot if entry.kind == "gps")
    assert (gps["latitude"], gps["longitude"]) == pytest.approx((46.552, 7.983), abs=1e-6)
    assert gps["altitude"] == pytest.approx(600 + 4 * math.sin(30 / 9) + 1.0, abs=0.01)


def test_the_rover_stands_and_drives_on_the_terrain_and_reports_its_position(grid, tmp_path):
    project = new_project(tmp_path / "hike", terrain=ElevationPart(str(grid)))
    with us.load(project.document()) as sim:
        rover = sim.robot("rover")
        sim.run(1.0)
        start = rover.read("gps")
        rover.drive(0.8)
        sim.run(4.0)
        end = rover.read("gps")
        low = min(rover.pose.z_m, 0.0)
    assert end[1] > start[1]  # east
    assert end[0] == pytest.approx(start[0], abs=1e-5)
    assert low < -0.05  # downhill
    assert end[2] == pytest.approx(start[2] + low, abs=0.2)


def test_a_part_of_a_file_can_be_chosen(grid):
    text, origin = surveyed(ElevationPart(str(grid), (46.552, 7.983), (200.0, 100.0)))
    columns, rows = (int(line.split()[1]) for line in text.decode().splitlines()[:2])
    assert columns < 61
    assert rows < 41
    assert (origin.latitude_deg, origin.longitude_deg) == (46.552, 7.983)


@pytest.mark.parametrize(
    ("middle", "size"),
    [(None, (1.0, 1.0)), ((46.5, 7.9), None), ((math.nan, 7.98), (10.0, 10.0)), ((46.552, 7.983), (-1.0, 10.0)),
     ((46.552, 7.983), (math.inf, 10.0)), ((0.0, 0.0), (100.0, 100.0))],
)  # fmt: skip
def test_a_part_that_cannot_be_is_refused(grid, tmp_path, middle, size):
    with pytest.raises(FormatError):
        new_project(tmp_path / "hike", terrain=ElevationPart(str(grid), middle, size))
    assert not (tmp_path / "hike").exists()


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FormatError, match="cannot be read"):
        new_project(tmp_path / "hike", terrain=ElevationPart(str(tmp_path / "nowhere.hgt")))
