"""Consoles in files."""

import io

import numpy as np
import pytest
from eyesim.consoles import shown
from PIL import Image

from understudy.errors import UnderstudyError
from understudy.eyesim import dump
from understudy.robots.eyebot.keys import KEY1, KEY4, KeyPress
from understudy.robots.eyebot.lcd_orders import LcdMenu, LcdPixel, LcdPrint


def test_the_png_has_the_pixels_of_the_screen():
    console = shown(LcdPrint("hello"), LcdPixel(470, 300, 0x123456))
    picture = np.asarray(Image.open(io.BytesIO(dump.png(console))))
    assert picture.shape == (350, 480, 3)
    assert picture[300, 470].tolist() == [0x12, 0x34, 0x56]
    assert np.array_equal(picture, dump.picture(console))


def test_the_text_has_rows_menu_and_pressed_keys():
    console = shown(LcdPrint("one\n\nthree"), LcdMenu("GO", "", "", "END"), keys=[KeyPress(KEY1 | KEY4)])
    assert dump.text(console) == "one\n\nthree\n[GO] [] [] [END]\npressed: KEY1 KEY4\n"


def test_both_files_are_written_into_a_new_folder(tmp_path):
    console = shown(LcdPrint("hello"))
    picture, text = dump.dump(tmp_path / "new" / "folder", "bob", console)
    assert picture.read_bytes() == dump.png(console)
    assert text.read_text(encoding="utf-8").startswith("hello\n")
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["bob.png", "bob.txt"]


def test_a_console_without_pixels_has_no_picture():
    with pytest.raises(ValueError, match="without its pixels"):
        dump.png(shown(LcdPrint("hello"), pixels=False))


@pytest.mark.parametrize("name", ["../bob", "a/b", "", ".bob", "x" * 300, "a\x00b"])
def test_a_name_cannot_leave_the_folder(tmp_path, name):
    with pytest.raises(UnderstudyError, match="cannot be the name of a file"):
        dump.dump(tmp_path, name, shown())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UnderstudyError, match="the console cannot be written"):
        dump.dump(tmp_path / "file", "bob", shown())
