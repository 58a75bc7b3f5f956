"""A million packets, random or mutated, on one conversation: no exception, no hang, flat memory."""

from __future__ import annotations

import gc
import random
import time
import tracemalloc

import pytest
from protocols.arcos.arcos_fuzz import SHEETS, Torture, packets

MILLION = 1_000_000


@pytest.mark.soak
def test_a_million_packets_do_no_harm() -> None:
    source = random.Random(7)
    tortures = [Torture(sheet) for sheet in SHEETS]
    tracemalloc.start()  # before anything that is replaced later, which would count as growth
    _suffer(tortures, source, 100_000)  # queues and caches are full now
    gc.collect()
    before, slowest = tracemalloc.get_traced_memory()[0], 0.0
    for _ in range(MILLION // 50_000):
        slowest = max(slowest, _suffer(tortures, source, 50_000))
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 200_000, f"{grown} bytes more than before"
    assert slowest < 1.0, f"one packet took {slowest:.2f} s of the processor"


def _suffer(tortures: list[Torture], source: random.Random, count: int) -> float:
    """Feed so many packets; returns how much processor time the slowest took (s)."""
    slowest = 0.0
    for n, packet in enumerate(packets(source, count)):
        torture = tortures[n % len(tortures)]
        torture.bench.wheels.orders.clear()
        start = time.thread_time()
        torture.feed(packet)
        slowest = max(slowest, time.thread_time() - start)
    return slowest
