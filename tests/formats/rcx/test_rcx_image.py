"""Images of NQC: read, written, and refused with the place of what is wrong."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError
from understudy.formats.rcx.disasm import disassemble
from understudy.formats.rcx.image import KINDS, Fragment, RcxImage, Symbol, read_image, write_image
from understudy.formats.rcx.isa import FIRMWARES
from understudy.formats.rcx.lasm import assemble

FRAGMENTS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 7), st.binary(max_size=30)),
    unique_by=lambda row: row[:2], max_size=6,
)  # fmt: skip
GOOD = write_image(RcxImage("fw2", (Fragment("task", 0, b"\x50"),), (Symbol(0, 0, b"main"),)))


@settings(deadline=None)
@given(st.sampled_from(FIRMWARES), FRAGMENTS, st.lists(st.binary(max_size=9), max_size=3))
def test_an_image_is_the_same_after_writing_reading_and_as_text(firmware, parts, names):
    symbols = tuple(Symbol(2, n, name.replace(b"\0", b"")) for n, name in enumerate(names))
    image = RcxImage(firmware, tuple(Fragment(*part) for part in parts), symbols)
    data = write_image(image)
    assert read_image(data) == image
    assert write_image(assemble(disassemble(image))) == data


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "not an RCX image"),
        (b"ELF" + GOOD[3:], "not an RCX image"),
        (GOOD[:4] + b"\1\2" + GOOD[6:], "version 0x0201"),
        (GOOD[:10] + b"\2" + GOOD[11:], "a program for a Scout"),
        (GOOD[:10] + b"\x09" + GOOD[11:], "the unknown target 9"),
        (GOOD[:-1], "offset 24: the file ends in the middle of a symbol"),
        (GOOD[:14], "ends in the middle of a fragment"),
        (GOOD + b"\0", "1 bytes after the last symbol"),
        (GOOD[:12] + b"\x07" + GOOD[13:], "unknown kind of fragment 7"),
        (GOOD[:17] + b"\x01" + GOOD[18:], "the padding of a fragment is not zero"),
        (bytes(2_000_000), "too large"),
    ],
)
def test_an_invalid_image_is_refused_with_a_reason(data, problem):
    with pytest.raises(FormatError) as found:
        read_image(data, "x.rcx")
    assert str(found.value).startswith("x.rcx: ")
    assert problem in str(found.value)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 60))
def test_no_bytes_hurt_the_reader(junk, at):
    for data in (junk, GOOD[:at] + junk, GOOD[:at] + junk + GOOD[at + len(junk) :]):
        with contextlib.suppress(FormatError):
            read_image(data)
