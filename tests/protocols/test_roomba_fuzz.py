"""No bytes hurt a Roomba: random commands, junk and pulses on the line, with time passing in between."""

from __future__ import annotations

import json
import math
import random

import pytest
from protocols.roomba_desk import GENERATIONS, Desk

from understudy.protocols.roomba_oi.opcodes import opcodes

ROUNDS = 400


def some_bytes(source: random.Random, generation: str) -> bytes:
    """Return junk, or a known opcode with random data, sometimes cut short."""
    if source.random() < 0.3:
        return source.randbytes(source.randrange(40))
    row = source.choice(list(opcodes(generation).values()))
    data = bytearray([row.code, *source.randbytes(2)])
    data += source.randbytes(max(0, row.need(data) - len(data)))
    return bytes(data[: source.randrange(1, len(data) + 1)] if source.random() < 0.1 else data[: row.need(data)])


def play(desk: Desk, seed: int, generation: str) -> None:
    source = random.Random(seed)
    for _ in range(ROUNDS):
        desk.send(some_bytes(source, generation).hex())
        if source.random() < 0.1:
            desk.line(source.random() < 0.5, source.random() < 0.5)
        if source.random() < 0.2:
            desk.shine(source.randrange(256), source.random(), source.uniform(-3.0, 3.0))
        if source.random() < 0.2:
            desk.tell("bumpers", source.randrange(2), source.randrange(2))
        desk.step(source.randrange(1, 6))
        if source.random() < 0.02:
            desk.give(desk.protocol.opened())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("generation", GENERATIONS)
def test_no_bytes_hurt(generation, seed):
    desk = Desk(generation).into("full")
    play(desk, seed, generation)
    assert all(math.isfinite(value) for motion in desk.bench.seen() for value in motion)
    assert all(abs(ahead) <= 0.5 for ahead, _, _ in desk.bench.seen())
    for part in (desk.protocol, desk.unit):
        state = part.state()
        assert json.loads(json.dumps(state, allow_nan=False)) == state
        assert len(json.dumps(state)) < 20_000


@pytest.mark.parametrize("generation", GENERATIONS)
def test_after_a_reset_a_client_gets_through_whatever_was_sent_before(generation):
    desk = Desk(generation).into("full")
    play(desk, 9, generation)
    desk.send("9e 05")  # a Create now waits for a bump and reads nothing
    desk.bench.renew()
    desk.give(desk.protocol.greet())
    desk.send("80 9400" if generation != "roomba400" else "80").step(30)
    assert len(bytes.fromhex(desk.ask("8e01"))) == 10
