"""Image processing of RoBIOS-7, picture files, and printf."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

import pytest
from PIL import Image

from understudy.clients.understudy_robios import images, pictures
from understudy.clients.understudy_robios import robios7 as eye
from understudy.clients.understudy_robios.pictures import read_picture
from understudy.clients.understudy_robios.printf import printf

WIDTH, HEIGHT = eye.QQVGA_X, eye.QQVGA_Y


@pytest.fixture(autouse=True)
def _small():
    eye.IPSetSize(eye.QQVGA)


def unsigned(image):
    return bytes(image)


def dotted(x, y, value):
    """Return a black gray image with one dot."""
    image = bytearray(eye.QQVGA_PIXELS)
    image[y * WIDTH + x] = value
    return image


COLOURS = {
    "red": (42, 255, 0, 0),
    "yellow": (84, 255, 255, 0),
    "green": (126, 0, 255, 0),
    "cyan": (168, 0, 255, 255),
    "blue": (210, 0, 0, 255),
    "magenta": (0, 255, 0, 255),
    "orange": (63, 254, 127, 0),
    "pink": (21, 254, 0, 127),
    "gray": (0, 128, 128, 128),
    "pale": (0, 255, 200, 200),
    "black": (0, 0, 0, 0),
}


@pytest.mark.parametrize("name", COLOURS)
def test_hues_are_those_of_the_book(name):
    hue, *rgb = COLOURS[name]
    assert eye.IPPRGB2Hue(*rgb) == hue
    assert eye.IPPRGB2HSI(*rgb)[0] == hue
    assert eye.IPPCol2HSI(eye.IPPRGB2Col(*rgb)) == eye.IPPRGB2HSI(*rgb)


def test_single_pixels_are_taken_apart_and_put_together():
    assert eye.IPPRGB2Col(1, 2, 3) == 0x010203
    assert eye.IPPCol2RGB(0x010203) == [1, 2, 3]
    values = [ctypes.c_ubyte() for _ in range(3)]
    assert eye.IPPCol2RGB(0x010203, *map(ctypes.byref, values)) == 0
    assert [value.value for value in values] == [1, 2, 3]
    assert eye.IPPCol2HSI(0xFF0000, *values) == eye.IPPRGB2HSI(255, 0, 0, *values) == 0
    assert [value.value for value in values] == [42, 255, 85]


def test_a_colour_image_becomes_three_planes():
    hue, saturation, intensity = eye.IPCol2HSI(bytes([255, 0, 0]) * eye.QQVGA_PIXELS)
    assert (len(hue), hue[5], saturation[5], intensity[5]) == (eye.QQVGA_PIXELS, 42, -1, 85)  # signed bytes
    planes = [bytearray(eye.QQVGA_PIXELS) for _ in range(3)]
    assert eye.IPCol2HSI(bytes([0, 255, 0]) * eye.QQVGA_PIXELS, *planes) == 0
    assert planes[0][7] == 126


def test_gray_is_the_mean_of_the_colours():
    gray = eye.IPCol2Gray(bytes([30, 60, 90]) * eye.QQVGA_PIXELS)
    assert set(unsigned(gray)) == {60}
    assert unsigned(eye.IPGray2Col(gray))[:6] == bytes([60] * 6)
    planes = (bytes([value]) * eye.QQVGA_PIXELS for value in (1, 2, 3))
    assert unsigned(eye.IPRGB2Col(*planes))[:6] == bytes([1, 2, 3, 1, 2, 3])


def test_an_edge_filter_answers_to_a_dot_around_it_only():
    edges = unsigned(eye.IPLaplace(dotted(10, 20, 50)))
    at = 20 * WIDTH + 10
    assert (edges[at], edges[at + 1], edges[at - WIDTH], edges[at + WIDTH + 1]) == (200, 50, 50, 0)
    edges = unsigned(eye.IPSobel(dotted(10, 20, 60)))
    assert (edges[at], edges[at + 1], edges[at - WIDTH], edges[at + WIDTH + 1]) == (0, 40, 40, 40)
    assert sum(map(bool, edges)) == 8


def test_edges_end_at_the_border_and_at_255():
    assert set(unsigned(eye.IPLaplace(dotted(0, 0, 255)))) == {0}
    assert max(unsigned(eye.IPLaplace(dotted(10, 20, 255)))) == 255
    out = (ctypes.c_byte * eye.QQVGA_PIXELS)()
    assert eye.IPSobel(dotted(10, 20, 255), out) == 0
    assert any(out)


def test_overlays_show_what_is_not_black():
    below, above = bytes([9, 9, 9]) * eye.QQVGA_PIXELS, bytearray(eye.QQVGA_SIZE)
    above[3:6] = 0, 7, 0
    assert unsigned(eye.IPOverlay(below, above))[:9] == bytes([9, 9, 9, 0, 7, 0, 9, 9, 9])
    marked = eye.IPOverlayGray(bytes([9]) * eye.QQVGA_PIXELS, dotted(1, 0, 3), eye.RED)
    assert unsigned(marked)[:9] == bytes([9, 9, 9, 255, 0, 0, 9, 9, 9])


def test_image_processing_is_fast_enough_for_a_robot():
    eye.IPSetSize(eye.QVGA)
    rgb = bytes(range(256)) * (eye.QVGA_SIZE // 256)
    began = time.process_time()
    eye.IPSobel(eye.IPCol2Gray(rgb))
    eye.IPCol2HSI(rgb)
    assert time.process_time() - began < 2.0  # about 0.15 s


# ---- files


@pytest.mark.parametrize("kind", ["P2\n# made by hand\n2 2\n10\n0 5 10 10", "P5 2 2 255 \x00\x7f\xff\xff"])
def test_gray_pictures_are_read_and_filled_with_black(tmp_path, kind):
    (tmp_path / "a.pgm").write_bytes(kind.encode("latin-1"))
    code, image = eye.IPReadFile(str(tmp_path / "a.pgm"))
    assert (code, len(image), unsigned(image)[:3], image[WIDTH + 1]) == (2, eye.QQVGA_PIXELS, b"\x00\x7f\x00", -1)


@pytest.mark.parametrize("kind", [b"P1\n2 1\n1 0", b"P4\n2 1\n\x80"])
def test_in_binary_pictures_a_1_is_black(tmp_path, kind):
    (tmp_path / "a.pbm").write_bytes(kind)
    code, image = eye.IPReadFile(str(tmp_path / "a.pbm"))
    assert (code, unsigned(image)[:2]) == (1, b"\x00\xff")


def test_what_was_written_is_read_again(tmp_path):
    rgb, gray = bytes(range(240)) * 240, bytes(range(240)) * 80
    assert eye.IPWriteFile(str(tmp_path / "a.ppm"), rgb) == eye.IPWriteFileGray(str(tmp_path / "a.pgm"), gray) == 0
    buffer = bytearray(eye.QQVGA_SIZE)
    assert eye.IPReadFile(str(tmp_path / "a.ppm"), buffer) == 3
    assert buffer == rgb
    assert unsigned(eye.IPReadFile(str(tmp_path / "a.pgm"))[1]) == gray


def test_larger_pictures_are_cropped(tmp_path):
    Image.new("RGB", (400, 300), (1, 2, 3)).save(tmp_path / "a.png")
    code, image = eye.IPReadFile(tmp_path / "a.png")
    assert (code, len(image), unsigned(image)[-3:]) == (3, eye.QQVGA_SIZE, b"\1\2\3")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"P",
        b"P9 1 1 255 ",
        b"P6 9 9 255 x",
        b"P6 0 1 255\n",
        b"P2 1 1 0 5",
        b"GIF89a",
        b"P6 999999999 999999999 255\n",
        b"\x89PNG\r\n\x1a\n",
        b"P3 1 1 255 a b c",
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x02\0\0\0",
    ],
)
def test_files_that_are_no_pictures_give_an_error_code(tmp_path, content):
    (tmp_path / "a.ppm").write_bytes(content)
    assert eye.IPReadFile(str(tmp_path / "a.ppm"))[0] == -1
    assert eye.IPReadFile(str(tmp_path / "a.ppm"), bytearray(9)) == -1


def test_files_that_cannot_be_opened_give_an_error_code(tmp_path):
    assert eye.IPReadFile(str(tmp_path / "none.ppm"))[0] == -1
    assert eye.IPWriteFile(str(tmp_path / "no" / "folder.ppm"), b"") == 1
    assert eye.IPWriteFileGray(str(tmp_path / "no" / "folder.pgm"), b"") == 1


def painted(mode, size=(13, 7)):
    picture = Image.new("RGB", size)
    picture.putdata([(x * 19 % 256, y * 36 % 256, (x * y * 7) % 256) for y in range(size[1]) for x in range(size[0])])
    return picture.convert(mode)


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "1", "RGBA", "LA"])
def test_png_pictures_are_read_as_pillow_reads_them(tmp_path, mode):
    picture = painted(mode)
    picture.save(tmp_path / "a.png")
    read = read_picture(tmp_path / "a.png").coloured()
    assert read.data == picture.convert("RGB").tobytes()


def test_pictures_are_scaled_to_the_nearest_pixels():
    small = pictures.Picture(2, 1, 1, b"\1\2")
    assert small.scaled(4, 2) == b"\1\1\2\2" * 2
    assert small.coloured().scaled(2, 1) == b"\1\1\1\2\2\2"


def test_the_sizes_of_camera_and_image_processing_are_known():
    assert (images.size.width, images.size.height, images.size.pixels) == (160, 120, 19200)
    assert Path(pictures.__file__).name == "pictures.py"


# ---- printf


@pytest.mark.parametrize(
    ("pattern", "values", "shown"),
    [
        ("%d", (3.9,), "3"),
        ("%d", (-3.9,), "-3"),
        ("%5d|%-5d|%05d|%+d", (1, 2, 3, 4), "    1|2    |00003|+4"),
        ("%5.2f|%.0f|%f", (3.14159, 2.5, 1), " 3.14|2|1.000000"),
        ("%s and %10s|%-4s|", ("a", "b", "c"), "a and          b|c   |"),
        ("%c%c%c", (65, "B", b"C"), "ABC"),
        ("%x %X %o %u", (255, 255, 8, -1), "ff FF 10 4294967295"),
        ("%ld %lu %lld %hd %zu", (1, 2, 3, 4, 5), "1 2 3 4 5"),
        ("%e %g", (1234.5, 0.0001), "1.234500e+03 0.0001"),
        ("100%% %i", (7,), "100% 7"),
        ("text", ("surplus",), "text"),
        ("%d %s %f", (), "0  0.000000"),
        ("50%", (), "50%"),
        ("%*d|%-*d|%.*f", (4, 1, 4, 2, 1, 3.14), "   1|2   |3.1"),
        ("%.2s|%5.1s|", ("abc", "xyz"), "ab|    x|"),
        ("%d", ("text",), "text"),
        ("%d", (ctypes.c_int(7),), "7"),
        ("%d", (True,), "1"),
        ("%s", (5,), "5"),
        ("%d", (float("nan"),), "0"),
        ("%99999999d", (1,), " " * 9999 + "1"),
        ("%p", (16,), "0x10"),
        ("%f", ("x",), "0.000000"),
        (b"bytes %d", (1,), "bytes 1"),
        (5, (), "5"),
        ("%", (), "%"),
        ("%y %d", (1,), "%y 1"),
        ("%n%d", (0, 2), "2"),
        ("%.3d", (5,), "005"),
        ("%a", (1.0,), "0x1.0000000000000p+0"),
        ("% d", (5,), " 5"),
    ],
)
def test_text_is_formatted_as_c_does(pattern, values, shown):
    assert printf(pattern, *values) == shown


def test_numbers_of_numpy_are_formatted():
    numpy = pytest.importorskip("numpy")
    assert printf("%d %5.2f", numpy.int16(-4), numpy.float32(0.5)) == "-4  0.50"
