import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import encoded, striped
from PIL import Image

from understudy.assets.pictures import texture
from understudy.errors import FormatError

RED_OVER_BLUE = [[(255, 0, 0)], [(0, 0, 255)]]


@pytest.mark.parametrize("kind", ["PNG", "BMP", "PPM"])
def test_the_first_row_of_pixels_is_the_top_of_the_picture(kind):
    assert texture.parse(encoded(RED_OVER_BLUE, kind), "a").pixels.tolist() == [[[255, 0, 0]], [[0, 0, 255]]]


def test_a_jpeg_is_read():
    pixels = texture.parse(encoded(np.full((16, 16, 3), (200, 100, 50)), "JPEG", quality=95), "a.jpg").pixels
    assert np.abs(pixels.astype(int) - (200, 100, 50)).max() <= 3


@pytest.mark.parametrize(("mode", "value"), [("1", 255), ("L", 255), ("P", 255), ("CMYK", 255)])
def test_other_sorts_of_pixels_become_red_green_and_blue(mode, value):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    pixels = texture.parse(encoded(np.full((4, 4, 3), value), kind, mode), "a").pixels
    assert pixels.shape == (4, 4, 3)
    assert np.abs(pixels.astype(int) - value).max() <= 2


def test_sixteen_bits_of_grey_keep_their_brightness():
    data = io.BytesIO()
    Image.fromarray(np.array([[0, 32768, 65535]], np.uint16)).save(data, "PNG")
    assert texture.parse(data.getvalue(), "a").pixels[0, :, 0].tolist() == [0, 128, 255]


def test_where_it_is_transparent_the_colour_below_shows():
    pixels = np.array([[(255, 0, 0, 255), (255, 0, 0, 0), (255, 0, 0, 51)]])
    shown = texture.parse(encoded(pixels), "a", "#0000ff").pixels
    assert shown[0].tolist() == [[255, 0, 0], [0, 0, 255], [51, 0, 204]]


def test_a_photograph_is_turned_upright():
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    assert texture.parse(encoded(RED_OVER_BLUE, exif=exif), "a").pixels[0].tolist() == [[0, 0, 255]]


def test_pixels_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        texture.parse(striped(), "a").pixels[0, 0] = 1


def test_what_is_no_picture_is_refused_with_its_name():
    with pytest.raises(FormatError) as problem:
        texture.parse(b"hello", "floor.png")
    assert str(problem.value) == "floor.png: not a supported picture; want PNG, JPEG, BMP or PPM"


def test_a_format_that_is_not_listed_is_not_even_tried():
    assert "want PNG, JPEG, BMP or PPM" in texture.problem(encoded(RED_OVER_BLUE, "GIF"), "a.gif")


def test_a_damaged_picture_is_refused_with_its_name():
    with pytest.raises(FormatError) as problem:
        texture.parse(striped()[:200], "floor.png")
    assert str(problem.value) == "floor.png: the picture is damaged; save it again"


def test_a_picture_that_would_fill_the_memory_is_refused_unread():
    data = io.BytesIO()
    Image.new("1", (10_000, 10_000)).save(data, "PNG")
    wanted = "floor.png: the picture is too large, 10000 x 10000 pixels; want at most 64 million pixels"
    assert texture.problem(data.getvalue(), "floor.png") == wanted


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_junk_in_a_picture_gives_no_other_error(data):
    good = data.draw(st.sampled_from([striped(20, 20, 5, 9), encoded(np.full((9, 9, 3), 90), "JPEG")]))
    broken = bytearray(good)
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        texture.parse(bytes(broken[: data.draw(st.integers(0, len(good)))]), "a")
