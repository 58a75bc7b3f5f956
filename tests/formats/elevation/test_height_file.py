"""Elevation data as scenes."""

import io

import numpy as np
import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import VOCABULARY
from PIL import Image, TiffImagePlugin

import understudy as us
from understudy import formats
from understudy.errors import FormatError
from understudy.formats.elevation import height_file

GRID = b"ncols 3\nnrows 2\nxllcorner 7.97\nyllcorner 46.54\ncellsize 0.001\n1 2 3\n4 5 6\n"
WIDE = b"ncols 8\nnrows 6\ncellsize 1000\n" + b"1 2 3 4 5 6 7 8\n" * 6


def tiff(georeferenced):
    """Return a TIFF of 4 x 4 heights; georeferenced at 7 E, 47 N in steps of a thousandth of a degree."""
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    if georeferenced:
        tags.tagtype.update({33550: 12, 33922: 12, 34735: 3})
        tags[33550], tags[33922] = (0.001, 0.001, 0.0), (0.0, 0.0, 0.0, 7.0, 47.0, 0.0)
        tags[34735] = (1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326)
    target = io.BytesIO()
    Image.fromarray(np.arange(16, dtype=np.float32).reshape(4, 4)).save(target, "TIFF", tiffinfo=tags)
    return target.getvalue()


def parsed(data, name):
    return formats.parse(data, name, VOCABULARY)


def test_elevation_files_keep_the_contract_of_formats():
    tile = np.arange(9, dtype=">i2").tobytes()
    check_format(height_file, VOCABULARY, {"a.asc": GRID, "N46E007.hgt": tile, "a.tif": tiff(georeferenced=True)})


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.asc", GRID), ("N46E007.hgt", np.arange(9, dtype=">i2").tobytes()), ("a.tif", tiff(georeferenced=True))],
)
def test_elevation_data_becomes_the_ground_of_a_rigid_scene(name, data):
    document = parsed(data, f"somewhere/{name}")
    assert document.format == "elevation"
    assert document.scene.engine == "rigid"
    assert document.scene.ground.heights.file == name


def test_a_tiff_without_a_georeference_is_still_a_picture_of_walls():
    picture = io.BytesIO()
    Image.fromarray(np.full((8, 8), 255, np.uint8)).save(picture, "TIFF")
    assert parsed(picture.getvalue(), "floor.tif").format == "bitmap"


def test_a_file_of_a_few_kilometres_is_used_whole():
    assert parsed(GRID, "a.asc").scene.ground.heights.window is None


def test_of_a_wider_file_a_kilometre_in_the_middle_is_used_and_reported():
    document = parsed(WIDE, "wide.asc")
    assert document.scene.ground.heights.window == (3, 2, 2, 2)
    assert "used in part" in str(document.became[0])


def test_a_whole_srtm_tile_gives_a_square_kilometre_in_its_middle():
    heights = parsed(np.zeros((1201, 1201), ">i2").tobytes(), "N46E007.hgt").scene.ground.heights
    column, row, wide, deep = heights.window
    assert (deep - 1) * 92.6 == pytest.approx(1000, abs=93)
    assert (wide - 1) * 63.7 == pytest.approx(1000, abs=64)
    assert column + wide / 2 == pytest.approx(600.5, abs=1)
    assert row + deep / 2 == pytest.approx(600.5, abs=1)


@pytest.mark.parametrize(
    ("name", "data"), [("a.asc", GRID[:-3]), ("a.asc", b"ncols 1\nnrows 1\ncellsize 1\n1\n"), ("x.hgt", b"123")]
)
def test_damaged_data_is_refused_with_the_name_of_the_file(name, data):
    with pytest.raises(FormatError, match=name):
        parsed(data, name)


def test_a_robot_stands_on_it_and_its_receiver_knows_where(tmp_path):
    (tmp_path / "hill.asc").write_bytes(
        b"ncols 40\nnrows 40\nxllcorner 7.97\nyllcorner 46.54\ncellsize 0.00001\n" + (b"520 " * 40 + b"\n") * 40
    )
    with us.load(tmp_path / "hill.asc", robots=["p3at:rover"], seed=1) as sim:
        sim.step()
        latitude, longitude, altitude = sim.robot("rover").read("gps")[:3]
    assert latitude == pytest.approx(46.5402, abs=2e-4)
    assert longitude == pytest.approx(7.9702, abs=2e-4)
    assert altitude == pytest.approx(520, abs=20)
