import contextlib
import gzip
import io
import math
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import box, obj
from PIL import Image, TiffImagePlugin

from understudy.assets.heights import elevation
from understudy.assets.heights.georeference import Lattice, Utm
from understudy.assets.library import Library
from understudy.assets.pictures import grey_picture
from understudy.errors import FormatError, SceneError
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.geo import GeoFrame
from understudy.world.scene import Ground, Heights
from understudy.world.triangles import Triangles, joined

ASC = b"""ncols 4
nrows 3
xllcorner 100
yllcorner 200
cellsize 10
NODATA_value -9999
1 2 3 4
5 6 7 8
9 10 -9999 12
"""


def ground(file, size=(20.0, 20.0), **heights):
    return Ground(size, heights=Heights(file, **heights))


def hills(side=121):
    rows, columns = np.mgrid[0:side, 0:side]
    return 900 + 100 * np.sin(columns / 9) + 80 * np.cos(rows / 7)


def hgt(side=121):
    return hills(side).astype(">i2").tobytes()


def tiff(values, code=32632, scale=(25.0, 25.0), corner=(448000.0, 5412000.0), raster_type=1, **how):
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[33550], tags.tagtype[33550] = (*scale, 0.0), 12
    tags[33922], tags.tagtype[33922] = (0.0, 0.0, 0.0, *corner, 0.0), 12
    degrees = code == 4326
    keys = (1, 1, 0, 3, 1024, 0, 1, 2 if degrees else 1, 1025, 0, 1, raster_type, 2048 if degrees else 3072, 0, 1, code)
    tags[34735], tags.tagtype[34735] = keys, 3
    tags[42113] = "-9999"
    buffer = io.BytesIO()
    Image.fromarray(values).save(buffer, "TIFF", tiffinfo=tags, **how)
    return buffer.getvalue()


# ---- files without a place on Earth


def test_a_picture_is_stretched_over_the_ground_from_low_to_high():
    grey = np.array([[0, 255], [255, 0], [51, 102]], np.uint8)
    made = elevation.terrain(grey_picture.to_pgm(grey, ""), ground("a.pgm", (4.0, 6.0), low_m=1.0, high_m=3.0))
    assert made.heights == pytest.approx(np.array([[1.4, 1.8], [3.0, 1.0], [1.0, 3.0]]), abs=1e-6)
    assert (made.x0_m, made.y0_m, made.step_x_m, made.step_y_m) == (-2.0, -3.0, 4.0, 3.0)


def test_sixteen_bits_of_grey_are_kept():
    buffer = io.BytesIO()
    Image.fromarray(np.array([[0, 1], [2, 65535]], np.uint16)).save(buffer, "PNG")
    made = elevation.terrain(buffer.getvalue(), ground("a.png", high_m=65535.0))
    assert made.heights.tolist() == [[2.0, 65535.0], [0.0, 1.0]]


def test_an_ascii_grid_has_its_own_size_and_its_middle_at_0():
    made, origin = elevation.survey(ASC, ground("a.asc"))
    assert made.size_m == (30.0, 20.0)
    assert made.height_m(0.0, 0.0) == 0.0
    assert origin.altitude_m == 6.5
    assert made.heights[0] == pytest.approx(np.array([9, 10, 11, 12]) - 6.5)  # the gap is filled


def test_a_window_of_columns_and_rows():
    made, origin = elevation.survey(ASC, ground("a.asc", window=(1, 0, 2, 2)))
    assert (made.size_m, origin.altitude_m) == ((10.0, 10.0), 4.5)
    with pytest.raises(FormatError, match=r"a\.asc: the window 3, 0, 2 x 2 is outside of 4 x 3 heights"):
        elevation.survey(ASC, ground("a.asc", window=(3, 0, 2, 2)))


# ---- files that know where they lie


def check_gps(made, origin, truth, places):
    """At each place the altitude that a GPS reads is that of the file."""
    frame = GeoFrame.from_origin(origin)
    for x, y in places:
        latitude, longitude, altitude = frame.to_geo(x, y, made.height_m(x, y))
        assert altitude == pytest.approx(truth(latitude, longitude), abs=0.02), (x, y)


def sampled(values, column, row):
    return float(elevation._sampled(values.astype(np.float32), np.array([column]), np.array([row]))[0])


def test_a_gps_on_an_srtm_tile_reads_what_the_map_says():
    values = hills().astype(">i2")
    made, origin = elevation.survey(values.tobytes(), ground("data/S34W071.hgt"))
    assert (origin.latitude_deg, origin.longitude_deg) == (-33.5, -70.5)
    cells = [
        (made.x0_m + i * made.step_x_m, made.y0_m + j * made.step_y_m) for i in (20, 60, 90) for j in (30, 60, 100)
    ]
    check_gps(made, origin, lambda lat, lon: sampled(values, (lon + 71) * 120, (-33 - lat) * 120), cells)


def test_a_part_about_a_place_has_that_place_in_its_middle():
    made, origin = elevation.survey(hgt(), ground("N46E007.hgt", middle_deg=(46.31, 7.22), size_m=(9000.0, 6000.0)))
    assert (origin.latitude_deg, origin.longitude_deg) == (46.31, 7.22)
    assert made.size_m == pytest.approx((9000.0, 6000.0), abs=1000.0)
    assert made.height_m(0.0, 0.0) == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("how", [{}, {"compression": "tiff_lzw"}, {"compression": "tiff_adobe_deflate"}])
def test_a_geotiff_in_utm_lies_where_it_says(how):
    values = hills(41).astype(np.float32)
    made, origin = elevation.survey(tiff(values, **how), ground("a.tif"))
    assert (origin.latitude_deg, origin.longitude_deg) == pytest.approx((48.8542, 8.2978), abs=1e-3)
    place = Utm(Lattice(448012.5, 5411987.5, 25.0, -25.0), 32, False)

    def truth(latitude, longitude):
        column, row = place.to_pixel(np.array([latitude]), np.array([longitude]))
        return sampled(values, column[0], row[0])

    check_gps(made, origin, truth, [(0.0, 0.0), (made.step_x_m * 10, made.step_y_m * -10)])


def test_a_geotiff_in_degrees_whose_pixels_are_points():
    _, origin = elevation.survey(
        tiff(hills(21).astype(np.float32), 4326, (0.01, 0.01), (10.0, 50.0), raster_type=2), ground("a.tif")
    )
    assert (origin.latitude_deg, origin.longitude_deg) == pytest.approx((49.9, 10.1))


def test_a_geotiff_of_an_unknown_projection_still_has_metres():
    made, origin = elevation.survey(tiff(hills(21).astype(np.float32), 2056), ground("a.tif"))
    assert made.size_m == (500.0, 500.0)
    assert (origin.latitude_deg, origin.longitude_deg) == (0.0, 0.0)


def test_utm_there_and_back_agrees_with_a_known_place():
    zone = Utm(Lattice(0.0, 0.0, 1.0, 1.0), 31, False)  # the Eiffel tower, as maps print it
    column, row = zone.to_pixel(np.array([48.8582]), np.array([2.2945]))
    assert (column[0], row[0]) == pytest.approx((448251.795, 5411932.678), abs=0.002)
    latitude, longitude = zone.to_geo(column, row)
    assert (latitude[0], longitude[0]) == pytest.approx((48.8582, 2.2945), abs=1e-8)


def test_a_tile_may_be_packed_as_it_was_downloaded():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("N46E007.hgt", hgt())
    plain, origin = elevation.survey(hgt(), ground("N46E007.hgt"))
    packed = {"tile.zip": buffer.getvalue(), "N46E007.hgt.gz": gzip.compress(hgt())}
    for name, data in packed.items():
        made, place = elevation.survey(data, ground(name))
        assert np.array_equal(made.heights, plain.heights)
        assert place == origin
        assert Library({name: data}).ground_mesh(ground(name)) is None
    with pytest.raises(FormatError, match=r"^N46E007\.hgt\.gz: "):
        elevation.survey(gzip.compress(hgt())[:9] + b"xxxxxxxxx", ground("N46E007.hgt.gz"))


# ---- meshes


def test_a_mesh_becomes_its_highest_surface():
    roof = Triangles(np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 2], [0, 4, 2]]), np.array([[0, 1, 2], [0, 2, 3]]))
    made = elevation.terrain(obj(roof), ground("a.obj", cell_m=0.5))
    assert made.size_m == (4.0, 4.0)
    assert made.height_m(0.3, 1.2) == pytest.approx(1.6, abs=1e-6)


def test_an_overhang_is_warned_of(caplog):
    table = joined([box((4.0, 4.0, 0.1)), box((2.0, 2.0, 0.1), (0.0, 0.0, 1.0))])
    made = elevation.terrain(obj(table), ground("a.obj", cell_m=0.25))
    assert made.height_m(0.0, 0.0) == pytest.approx(1.05)
    assert "have an overhang" in caplog.text


def test_a_closed_block_has_no_overhang(caplog):
    elevation.terrain(obj(box((4.0, 4.0, 1.0))), ground("a.obj", cell_m=0.25))
    assert caplog.text == ""


# ---- scenes


def scene_text(extra="", robot="x_m = 100\ny_m = -200"):
    return f'schema = 1\nengine = "rigid"\n[ground]\n{extra}\n[[robot]]\nmodel = "p3dx"\n{robot}\n'


def resolved(tmp_path, text):
    words = vocabulary()
    words = (
        words if "rigid" in words.engines else type(words)(**{**_fields(words), "engines": (*words.engines, "rigid")})
    )
    return scene_file.resolve(scene_file.parse(text, "scene.toml", words, tmp_path), words)


def _fields(words):
    return {name: getattr(words, name) for name in words.__dataclass_fields__}


def test_a_scene_has_the_size_and_the_place_of_its_terrain_and_robots_stand_on_it(tmp_path):
    (tmp_path / "N46E007.hgt").write_bytes(hgt())
    scene = resolved(tmp_path, scene_text('heights = {file = "N46E007.hgt", window = [10, 10, 30, 30]}'))
    assert scene.ground.size_m[1] == pytest.approx(29 * 926.0, rel=0.01)
    assert scene.origin.latitude_deg == pytest.approx(47 - 24.5 / 120)
    made = elevation.terrain(hgt(), scene.ground)
    assert scene.robots[0].pose.z_m == pytest.approx(made.height_m(100.0, -200.0))
    assert made.size_m == scene.ground.size_m


def test_a_robot_placed_by_degrees_stands_on_the_terrain(tmp_path):
    (tmp_path / "N46E007.hgt").write_bytes(hgt())
    scene = resolved(tmp_path, scene_text('heights = "N46E007.hgt"', "latitude_deg = 46.4\nlongitude_deg = 7.4"))
    pose = scene.robots[0].pose
    latitude, longitude, altitude = GeoFrame.from_origin(scene.origin).to_geo(pose.x_m, pose.y_m, pose.z_m)
    assert (latitude, longitude) == pytest.approx((46.4, 7.4), abs=1e-3)
    values = hills().astype(">i2")
    assert altitude == pytest.approx(sampled(values, (longitude - 7) * 120, (47 - latitude) * 120), abs=0.5)


def test_a_bad_height_file_is_named_with_its_line(tmp_path):
    (tmp_path / "N46E007.hgt").write_bytes(b"12345")
    with pytest.raises(SceneError, match=r"scene\.toml:4: ground\.heights: N46E007\.hgt: 5 bytes are not an SRTM tile"):
        resolved(tmp_path, scene_text('heights = "N46E007.hgt"'))


# ---- hostile files


@pytest.mark.parametrize(
    ("file", "data", "wanted"),
    [
        ("a.hgt", bytes(18), "want a name such as N46E007.hgt"),
        ("N46E007.hgt", bytes(17), "not an SRTM tile"),
        ("N46E007.hgt", np.full((9, 9), -32768, ">i2").tobytes(), "no heights in the file"),
        ("a.asc", ASC[:-6], "10 heights|11 heights"),
        ("a.asc", ASC.replace(b"ncols 4", b"ncols 90000000"), "ncols is missing or not a whole number"),
        ("a.asc", ASC.replace(b"nrows 3", b"nrows x"), r"a\.asc:2: not a number after nrows"),
        ("a.asc", ASC.replace(b"cellsize 10", b"cellsize -1"), "cellsize"),
        ("a.asc", ASC.replace(b"1 2 3 4", b"1 two 3 4"), r"a\.asc:7: invalid row of heights"),
        ("a.asc", ASC.replace(b"1 2 3 4", b"1 2-3 3 4"), r"a\.asc: the heights contain something that is not a number"),
        ("a.tif", tiff(hills(21).astype(np.float32))[:900], "not a valid TIFF"),
        ("a.txt", b"hello", "not an elevation file"),
        ("a.obj", b"v 0 0 0\n", "no triangles|not a OBJ"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(30), "not a valid picture"),
    ],
)
def test_a_damaged_file_of_heights_is_refused_by_name(file, data, wanted):
    with pytest.raises(FormatError, match=wanted) as problem:
        elevation.terrain(data, ground(file))
    assert str(problem.value).startswith(file)


GOOD = {"a.asc": ASC, "a.tif": tiff(hills(9).astype(np.float32)), "N46E007.hgt": hgt(9)}


@pytest.mark.parametrize("file", GOOD)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_heights_with_wrong_bytes_are_a_terrain_or_an_error(file, data):
    bad = bytearray(GOOD[file])
    for _ in range(data.draw(st.integers(1, 4))):
        bad[data.draw(st.integers(0, len(bad) - 1))] = data.draw(st.integers(0, 255))
    del bad[data.draw(st.integers(len(bad) // 2, len(bad))) :]
    with contextlib.suppress(FormatError):
        made = elevation.terrain(bytes(bad), ground(file))
        assert np.isfinite(made.heights).all()
        assert math.isfinite(made.step_x_m)
