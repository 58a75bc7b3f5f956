"""LASM text to byte code and back: every instruction, both dialects, errors with line and column."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import FormatError
from understudy.formats.rcx.code import decode, encode
from understudy.formats.rcx.disasm import disassemble
from understudy.formats.rcx.image import Fragment, RcxImage, Symbol, read_image, write_image
from understudy.formats.rcx.isa import FIRMWARES, OPCODES, instruction_set, program_set, request_size
from understudy.formats.rcx.lasm import DIALECTS, assemble, quoted, unquoted

# the example of an image in our notes on the RCX, compiled by NQC: one task, named main
EXAMPLE = bytes.fromhex(
    "52435849020101000100000000001a0013070207e1873200014200202181958209010000faff510021410000000005006d61696e00"
)
EXAMPLE_TEXT = """\
.firmware fw1
.symbol task 0 main

task 0
    pwr 7,2,7
    dir 2,7
    sent 0,1
    senm 0,1,0
    out 2,1
L14:
    chkl 2,1,2,9,0,L14
    plays 0
    out 1,1
endt
"""


def code_of(text: str, firmware="fw2") -> str:
    return assemble(f"task 0\n{text}\nendt", firmware=firmware).fragments[0].code.hex(" ")


def test_the_example_of_nqc_is_disassembled_and_assembled():
    image = read_image(EXAMPLE, "x.rcx")
    assert disassemble(image) == EXAMPLE_TEXT
    assert write_image(assemble(EXAMPLE_TEXT)) == EXAMPLE


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("out 2,1", "21 81"),
        ("chkl 2,1,0,9,0,L\nL:", "95 02 09 01 00 00 02 00"),
        ("L: jmpl L", "72 81 00"),
        ("L: wait 2,1\njmp L", "43 02 01 00 27 85"),
        ("set 5,0,0,47", "05 05 00 00 2f 00"),
        ("setv 33,2,-2", "14 21 02 fe ff"),
        ("disp 1,0,3", "e5 00 01 00 03 00"),
        ("senm 2,4,3", "42 02 83"),
        ("cale 1,20,10,5", "04 01 14 0a 05"),
        ("mone 2,17,H\nH: monex", "b4 02 11 00 01 b0"),
        ("stop", "50"),
        ("stop 3", "81 03"),
        ("playt 440,0x32", "23 b8 01 32"),
        (".byte 1,0xff", "01 ff"),
    ],
)
def test_a_line_assembles_to_its_bytes(text, code):
    assert code_of(text) == code


def test_the_offset_of_chk_is_unsigned():
    """NQC's own listing prints this target as -113."""
    code = bytes(6) + bytes.fromhex("8582090100008 3".replace(" ", "")) + bytes(130)
    here = decode(code, 6, instruction_set("fw1"))
    assert here is not None
    assert here.target == 143
    assert encode(here.opcode, here.numbers, 6) == code[6:13]


@pytest.mark.parametrize(("at", "code", "target"), [(663, "2789", 655), (297, "729b01", 143)])
def test_jumps_have_sign_and_magnitude(at, code, target):
    here = decode(bytes(at) + bytes.fromhex(code), at, instruction_set("fw1"))
    assert here is not None
    assert here.target == target


def test_nqcs_listings_have_the_motors_first():
    code = assemble("task 0\nout 1,2\ndir 2,1\nendt", dialect="nqc").fragments[0].code
    assert code.hex(" ") == "21 81 e1 81"
    assert "out 1,2" in disassemble(RcxImage("fw2", (Fragment("task", 0, code),)), "nqc")


@pytest.mark.parametrize(
    "row", [row for row in OPCODES if row.since < 3 and row.code != 0x45], ids=lambda row: row.name
)
def test_the_low_bits_of_an_opcode_give_its_length(row):
    """The rule of the firmware; chk and chkl are longer."""
    rule = (0, 1, 2, 3, 4, 5, 0, 1)[row.code & 7]
    assert row.size - 1 == {0x85: 6, 0x95: 7}.get(row.code, rule)


def test_text_is_read_as_tolerantly_as_listings_are_written():
    text = "\ufeffTASK 0\r\n  Wait 2, 200 // two seconds\r\nLabel1\r\n jmpl LABEL1 ; again\r\n\r\nEndT\r\n"
    assert assemble(text).fragments[0].code.hex(" ") == "43 02 c8 00 72 81 00"


def test_an_address_may_stand_for_a_label():
    assert code_of("plays 1\njmpl 0") == "51 01 72 83 00"


def test_lines_outside_of_blocks_are_direct_commands():
    image = assemble("prgm 2\ntask 0\nendt\nstart 0\n")
    assert (image.before, image.after) == ((b"\x91\x02",), (b"\x71\x00",))


def test_every_address_has_its_line():
    image = assemble("task 0\n\nplays 1\nL:\nplays 2\nendt\n")
    assert image.fragments[0].lines == ((0, 3), (2, 5))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("task 0\n  foo 1\nendt", ":2:3: unknown instruction 'foo'"),
        ("task 0\nout 2\nendt", ":2:1: out has 2 operands, not 1"),
        ("task 0\n jmp  Nowhere\nendt", ":2:7: no label 'Nowhere'"),
        ("task 0\nout 9,1\nendt", ":2:5: out: 9 is out of range (want 0 to 3)"),
        ("task 0\nout 2,x\nendt", ":2:7: not a number: 'x'"),
        ("task 0\nplays 1", ":1:1: the task has no end (add endt)"),
        ("task 10\nendt", ":1:6: there is no task 10 (want 0 to 9)"),
        ("sub 8\nends", ":1:5: there is no sub 8 (want 0 to 7)"),
        ("task 0\nendt\ntask 0\nendt", ":3:6: task 0 stands twice"),
        ("endt", ":1:1: endt without its task"),
        ("wait 2,1", ":1:1: wait stands outside of a task or sub"),
        ("task 0\nL:\nL:\nendt", ":3:1: the label 'L' stands twice"),
        ("task 0\npoll 0,1\nendt", ":2:1: poll is a direct command"),
        (".firmware fw1\ntask 0\nset 0,1,2,3\nendt", ":3:1: 'set' needs the firmware fw2"),
        (".bytes 1", ":1:1: unknown directive '.bytes'"),
        ("task 0\n.byte 256\nendt", ":2:7: not a byte: 256"),
        ("task 0\nL:\n" + "plays 1\n" * 70 + "jmp L\nendt", ":73:5: jmp: the label is -141 bytes away"),
        ("task 0\njmp 99999999999999999999\nendt", ":2:5: not a number"),
    ],
)
def test_an_error_has_line_and_column(text, problem):
    with pytest.raises(FormatError) as found:
        assemble(text, "x.lasm")
    assert f"x.lasm{problem}" in str(found.value)


def test_all_errors_are_reported_at_once():
    with pytest.raises(FormatError) as found:
        assemble("task 0\nfoo 1\njmp Q\nout 1\nendt")
    assert len(str(found.value).splitlines()) == 3


def test_a_task_that_is_too_long_is_refused():
    with pytest.raises(FormatError, match="longer than 65,535 bytes"):
        assemble("task 0\n" + "setv 1,2,3\n" * 14_000 + "endt")


def test_bytes_that_are_not_reached_stay_bytes():
    text = disassemble(RcxImage("fw2", (Fragment("task", 0, bytes.fromhex("2703 ff50 50")),)))
    assert text.splitlines()[3:-1] == ["    jmp L4", "    .byte 0xff,0x50", "L4:", "    stop"]


CODE = st.one_of(
    st.binary(max_size=120),
    st.lists(st.sampled_from([*(row.code for row in OPCODES), 0, 1, 2, 3, 0x80, 0x83, 0xFF]), max_size=120).map(bytes),
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FIRMWARES), CODE, CODE, st.sampled_from(DIALECTS))
def test_any_code_is_the_same_after_disassembly_and_assembly(firmware, task, sub, dialect):
    image = RcxImage(firmware, (Fragment("sub", 3, sub), Fragment("task", 0, task)))
    data = write_image(image)
    assert write_image(assemble(disassemble(image, dialect), dialect=dialect)) == data


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_instruction_is_the_same_after_decoding_and_encoding(data):
    firmware = data.draw(st.sampled_from(FIRMWARES))
    row = data.draw(st.sampled_from(list(program_set(firmware).values())))
    code = bytes([row.code]) + data.draw(st.binary(min_size=row.size - 1, max_size=row.size - 1))
    image = RcxImage(firmware, (Fragment("task", 0, code),))
    assert assemble(disassemble(image)).fragments[0].code == code


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_no_text_hurts_the_assembler(text):
    with contextlib.suppress(FormatError):
        assemble(text)


@given(st.binary(min_size=0, max_size=20).filter(lambda name: b"\0" not in name), st.integers(0, 255))
def test_symbols_of_any_letters_are_kept(name, kind):
    assert unquoted(quoted(name)) == name
    image = RcxImage("fw2", (), (Symbol(kind, 7, name),))
    assert write_image(assemble(disassemble(image))) == write_image(image)


def test_requests_have_the_length_of_their_opcode():
    assert [request_size(bytes([code])) for code in (0x10, 0x18, 0x12, 0x25, 0xF7, 0x45, 0x27, 0x11)] == [
        1, 1, 3, 6, 2, 0, None, None,
    ]  # fmt: skip
