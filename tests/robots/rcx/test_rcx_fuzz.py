"""No byte code, request or packet hurts a brick: it neither raises nor hangs, and its state stays plain."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from robots.rcx.rcx_bench import after, draw
from robots.robots_fakes import Bench

from understudy.formats.rcx.image import Fragment
from understudy.formats.rcx.isa import FIRMWARES, OPCODES
from understudy.robots.rcx.machine import Machine
from understudy.robots.rcx.orders import LoadProgram, PressButton, RcxRequest
from understudy.robots.rcx.packets import packet
from understudy.world.media import Heard

CODES = [row.code for row in OPCODES]
CODE = st.lists(
    st.one_of(st.sampled_from(CODES), st.integers(0, 255), st.sampled_from([0, 1, 2, 9, 43, 36, 0x80])), max_size=80
).map(bytes)
REQUEST = st.builds(
    lambda code, rest: bytes([code]) + rest,
    st.sampled_from([row.code for row in OPCODES if row.use != "P"] + [0x4D, 0x1A]), st.binary(max_size=8),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FIRMWARES), CODE, CODE, CODE, st.booleans())
def test_any_byte_code_runs_or_stops(firmware, first, second, sub, brick_pace):
    machine = Machine(firmware, brick_pace, draw)
    for fragment in (Fragment("task", 0, first), Fragment("task", 1, second), Fragment("sub", 0, sub)):
        machine.store(fragment)
    machine.start(0)
    machine.start(1)
    after(machine, 150)
    assert all(-32768 <= number <= 32767 for number in machine.memory)
    assert all(-100.0 <= drive.percent <= 100.0 for drive in machine.bank.drives())
    state = json.loads(json.dumps(machine.state(), allow_nan=False))
    other = Machine(firmware, brick_pace, draw)
    other.recall(json.loads(json.dumps(machine.programs())))
    other.restore(state)
    assert after(other, 20).state() == after(machine, 20).state()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(REQUEST, st.binary(max_size=12)), max_size=30), st.sampled_from(FIRMWARES))
def test_any_requests_are_answered_or_ignored(requests, firmware):
    bench = Bench("rcx", version=firmware)
    for data in requests:
        reply = bench.unit.order(RcxRequest(data))
        assert reply is None or reply.data[0] == data[0] ^ 0xFF
        bench.unit.order(Heard("infrared", packet(data) if data else b"", "x/y", 1.0))
        bench.step()
    bench.unit.panel()
    json.dumps(bench.unit.state(), allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["x.lasm", "x.rcx", "x"]))
def test_any_file_is_a_program_or_a_note(data, name):
    bench = Bench("rcx")
    bench.unit.order(LoadProgram(name, data))
    for button in ("view", "run", "prgm", "on-off", "run", "on-off"):
        bench.unit.order(PressButton(button))
        bench.step()
    bench.unit.asks()
