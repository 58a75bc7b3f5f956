"""No byte stream hurts: any split gives the same conversation; junk never raises, hangs or grows memory."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocols.arcos.arcos_fuzz import SHEETS, Torture, equipped, packets
from protocols.arcos.arcos_talk import OPEN, SYNCS, frame

from understudy.protocols.arcos.protocol import Arcos
from understudy.protocols.arcos.sheet import ArcosSheet

BODIES = st.binary(min_size=1, max_size=198)
STREAM = st.lists(st.one_of(BODIES.map(frame), st.binary(max_size=40)), max_size=12).map(b"".join)


@settings(deadline=None)
@given(STREAM, st.lists(st.integers(1, 30), min_size=1, max_size=40))
def test_any_split_of_any_stream_gives_the_same_conversation(stream: bytes, sizes: list[int]) -> None:
    whole, split, bench = Arcos(ArcosSheet(), "robot"), Arcos(ArcosSheet(), "robot"), equipped()
    for arcos in (whole, split):
        arcos.opened()
        arcos.feed(b"".join(SYNCS) + OPEN)
    expected, got, at = list(whole.feed(stream)), [], 0
    for n in range(len(stream)):
        size = sizes[n % len(sizes)]
        got += split.feed(stream[at : at + size])
        at += size
    assert got == expected
    assert split.state() == whole.state()
    assert split.tick(bench.unit, 5_000) == whole.tick(bench.unit, 5_000)


@pytest.mark.parametrize("sheet", SHEETS)
def test_thousands_of_random_and_mutated_packets_do_no_harm(sheet: ArcosSheet) -> None:
    torture, source = Torture(sheet), random.Random(20261115)
    sent = sum(torture.feed(packet) for packet in packets(source, 3_000))
    assert sent > 10_000
    assert len(json.dumps(torture.arcos.state())) < 20_000
    assert torture.arcos.counters()["bad_checksums"] > 10
