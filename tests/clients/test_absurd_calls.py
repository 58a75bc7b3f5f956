"""No function of the Python modules crashes the program, whatever it is given; memory is written only where it ends."""

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from understudy.clients.understudy_robios import pointers
from understudy.clients.understudy_robios.values import fill, fill_text, image_bytes, raw, store, write_image


@pytest.mark.parametrize("module", ["eye", "eye_classic"])
def test_absurd_arguments_never_crash_a_program(module, tmp_path):
    words = [sys.executable, "-X", "faulthandler", str(Path(__file__).parent / "absurd_calls.py"), module]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.split()[-1]) == (0, "done"), done.stdout[-200:] + done.stderr[-3000:]


def byte_pointer(array):
    return ctypes.cast(array, ctypes.POINTER(ctypes.c_byte))


def test_a_pointer_is_read_to_the_end_of_its_memory_and_the_rest_is_black():
    array = (ctypes.c_byte * 3)(1, 2, 3)
    assert image_bytes(byte_pointer(array), 5) == b"\1\2\3\0\0"
    assert image_bytes(ctypes.pointer(array), 5) == b"\1\2\3\0\0"
    assert image_bytes(ctypes.byref(array), 5) == b"\1\2\3\0\0"
    assert image_bytes(ctypes.c_char_p(b"a\0c"), 5) == b"a\0c\0\0"
    numbers = np.arange(4, dtype=np.uint8)
    assert image_bytes(numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_byte)), 6) == b"\0\1\2\3\0\0"


def test_a_pointer_into_the_middle_of_an_array_ends_with_it():
    array = (ctypes.c_byte * 4)(1, 2, 3, 4)
    middle = ctypes.cast(array, ctypes.c_void_p)
    middle.value += 2
    assert pointers.read(middle, 10) == b"\3\4"


def test_writing_ends_with_the_memory():
    array = (ctypes.c_byte * 4)()
    write_image(byte_pointer(array), b"abcdefgh")
    assert bytes(array) == b"abcd"


@pytest.mark.parametrize("null", [ctypes.c_void_p(), ctypes.c_char_p(), ctypes.POINTER(ctypes.c_int)()])
def test_a_null_pointer_is_an_error(null):
    for call in (lambda: raw(null, 4), lambda: write_image(null, b"abc"), lambda: fill_text(null, "abc")):
        with pytest.raises(ValueError, match="NULL"):
            call()


def test_bytes_are_never_written_to():
    with pytest.raises(TypeError, match="cannot be written"):
        fill_text(ctypes.c_char_p(b"constant"), "x")


@pytest.mark.parametrize("target", [5, "text", b"text", None, 1.5])
def test_a_text_needs_a_buffer(target):
    with pytest.raises(TypeError, match="create_string_buffer"):
        fill_text(target, "abc")


def test_a_text_is_cut_to_its_buffer():
    buffer = ctypes.create_string_buffer(4)
    fill_text(buffer, "abcdefgh", 100)
    assert buffer.raw == b"abc\0"


def test_a_single_number_goes_through_any_kind_of_pointer():
    value, array, numbers = ctypes.c_int(), (ctypes.c_int * 1)(), [0]
    for target in (value, ctypes.byref(array), ctypes.pointer(value), numbers):
        store(target, 7)
    assert (value.value, array[0], numbers) == (7, 7, [7])


def test_values_that_do_not_fit_are_an_error():
    for target in ((ctypes.c_int * 2)(), [0, 0], ctypes.pointer(ctypes.c_int())):
        with pytest.raises(ValueError, match="3 values do not fit"):
            fill(target, [1, 2, 3])
