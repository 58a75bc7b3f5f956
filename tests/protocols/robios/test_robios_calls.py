"""The calls, queries and frames of RoBIOS programs, byte by byte."""

import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import understudy as us
from understudy.protocols.robios import calls, frame, queries
from understudy.robots.eyebot import lcd_orders, orders
from understudy.robots.eyebot.firmware import Eyebot

ROOM = """
schema = 1
ground = {size_m = [4, 4], walled = true}
[[robot]]
name = "pip"
model = "soccerbot"
"""
EXAMPLES = {
    1: (orders.SetSpeed(0.25, -0.5, 0.125), "01000000000000d03f000000000000e0bf000000000000c03f"),
    3: (orders.Straight(-0.5, 0.25), "03000000000000e0bf000000000000d03f"),
    7: (
        orders.Control(True, 7.0, 0.5, 7.0, 0.25),
        "07010000000000001c40000000000000e03f" "0000000000001c40000000000000d03f",
    ),
    10: (orders.MotorDrive(2, -100), "0a020000009cffffff"),
    21: (calls.SendRadio(3, b"hi\0"), "150300000068690" "0"),
    24: (orders.PlayFile(1_000_000, "a.wav"), "1840420f0000000000612e776176"),
    25: (orders.DigitalSetup(4, "o"), "19040000006f"),
    31: (lcd_orders.LcdPrintAt(2, 5, "A\u00e9"), "1f0200000005000000" "41c3a9"),
    32: (lcd_orders.LcdClear(), "20"),
    38: (lcd_orders.LcdMenu("GO", "", "\u00fc", "END"), "26474f0000c3bc00454e44"),
    43: (lcd_orders.LcdArea(1, 2, 3, 4, 0xFF0000, True), "2b010000000200000003000000040000000000ff0001"),
    46: (lcd_orders.LcdImage(3, False, b"\1\2\3"), "2e0300000000010203"),
    80: (
        calls.MoveRobot(0, 1.0, 2.0, 0.0, -0.5),
        "5000000000000000000000f03f0000000000000040" "0000000000000000000000000000e0bf",
    ),
    90: (calls.AtStart(), "5a"),
}  # fmt: skip


@pytest.mark.parametrize(("command", "text"), EXAMPLES.values(), ids=lambda value: type(value).__name__)
def test_a_call_has_exactly_these_bytes(command, text):
    assert calls.decode(bytes.fromhex(text)) == command
    assert calls.CALLS[bytes.fromhex(text)[0]].encode(command) == bytes.fromhex(text)


@pytest.mark.parametrize("opcode", calls.CALLS)
def test_every_call_is_a_command_of_the_firmware_or_of_the_seat(opcode):
    own = (calls.MoveRobot, calls.MoveObject, calls.SendRadio, calls.AtStart)
    assert calls.CALLS[opcode].command in (*Eyebot.commands, *own)


@pytest.mark.parametrize("opcode", calls.CALLS)
def test_a_call_without_its_arguments_is_refused(opcode):
    if struct.calcsize("<" + calls.CALLS[opcode].form):
        with pytest.raises(ValueError, match=f"call {opcode} has 0 bytes"):
            calls.decode(bytes([opcode]))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_arguments_that_are_not_finite_are_refused(value):
    with pytest.raises(ValueError, match="not finite"):
        calls.decode(struct.pack("<Bdd", 3, value, 0.1))


@given(st.binary(max_size=80))
def test_any_bytes_are_a_command_or_a_value_error(content):
    for decode in (calls.decode, queries.decode):
        with suppress(ValueError):
            decode(content)


@pytest.mark.parametrize(("number", "form"), [(number, form) for number, (_, form) in queries.QUERIES.items()])
def test_every_query_is_decoded(number, form):
    values = [7] * len(form)
    query = queries.decode(struct.pack("<B" + form, number, *values))
    assert [getattr(query, name) for name in query.__dataclass_fields__] == values


def test_a_frame_holds_the_state_of_the_robot():
    with us.load_text(
        'schema = 1\nground = {size_m = [4, 4], walled = true}\n[[robot]]\nname = "pip"\nmodel = "soccerbot"\n'
    ) as sim:
        robot = sim.robot("pip")
        robot.order(orders.Straight(0.5, 0.2))
        robot.order(orders.SetPosition(1.0, 2.0, 0.5))
        sim.run(0.5)
        unit = sim.current.units["pip/eyebot"]
        data = frame.encode(unit, started=True)
    values = dict(zip(_names(), frame.FIXED.unpack_from(data)))
    assert values["flags"] == frame.DRIVING | frame.STARTED
    assert values["x_m"] > 1.0
    assert values["rad"] == pytest.approx(0.5)
    assert values["m_s"] == pytest.approx(0.2)
    assert values["encoders[0]"] == unit.encoders()[0] > 0
    rest = struct.unpack_from("<6i3i", data, frame.FIXED.size)
    assert list(rest) == [*unit.psd_mm(), *unit.infrared()]
    assert len(data) == frame.FIXED.size + 9 * 4 + 2 * 12


def _names():
    for name, form, _ in frame.FIELDS:
        count = int(form[:-1] or 1)
        yield from ([name] if count == 1 else [f"{name}[{i}]" for i in range(count)])
