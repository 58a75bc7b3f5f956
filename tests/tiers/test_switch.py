import logging

import numpy as np
import pytest
from numba.core import event
from tier_tools import Forgotten, kernels

import understudy as us
from understudy.cli.examples import names
from understudy.engines.planar.motion import advance
from understudy.engines.rays.spatial.solid_shapes import cast_from
from understudy.errors import UnderstudyError
from understudy.rng import philox
from understudy.tiers import switch

WORDS = tuple(np.uint64(n) for n in range(6))


class Counter(event.Listener):
    """Counts what is compiled."""

    count = 0

    def on_start(self, _):
        self.count += 1

    def on_end(self, _):
        pass


class Ledger:
    """A workshop that only notes its orders."""

    closed = False

    def __init__(self):
        self.orders = []

    def has(self, kernel, signature):
        return (kernel, signature) in self.orders

    def order(self, kernel, signature):
        self.orders.append((kernel, signature))
        return True


@pytest.fixture
def ledger(monkeypatch):
    """Compile beside, with nothing on disk and nobody who compiles."""
    made = Ledger()
    monkeypatch.setattr(switch, "tier", lambda: switch.Tier.BESIDE)
    monkeypatch.setattr(switch, "WORKSHOP", made)
    monkeypatch.setattr(switch.Kernel, "take", lambda self, signature: None)
    forgotten = Forgotten()
    yield made
    forgotten.give_all_back()


def planar_examples():
    return [
        name for name, path in names().items() if path.suffix == ".toml" and 'engine = "rigid"' not in path.read_text()
    ]


@pytest.mark.parametrize("name", planar_examples())
def test_the_first_ticks_of_planar_examples_compile_nothing(ledger, name):
    compiled = Counter()
    with event.install_listener("numba:compile", compiled), us.load(names()[name]) as sim:
        sim.run(0.02)
    assert ledger.orders
    assert compiled.count == 0


def test_a_kernel_is_ordered_once_for_each_kind_of_arguments(ledger):
    first, second = philox(*WORDS), philox(*WORDS)
    assert first == second
    assert [kernel for kernel, _ in ledger.orders] == [philox]


def test_a_kernel_that_the_disk_has_is_not_interpreted(monkeypatch):
    philox(*WORDS)
    monkeypatch.setattr(switch, "tier", lambda: switch.Tier.BESIDE)
    monkeypatch.setattr(switch, "WORKSHOP", made := Ledger())
    forgotten = Forgotten()
    try:
        philox(*WORDS)
        assert philox.overloads
        assert not made.orders
    finally:
        forgotten.give_all_back()


def test_what_would_take_the_interpreter_too_long_waits_for_the_compiler(ledger, monkeypatch):
    monkeypatch.setattr(philox, "_cost", ("c0", 1.0))
    philox(np.uint64(1) * np.ones(1, np.uint64)[0], *WORDS[1:])
    assert ledger.orders
    ledger.orders.clear()
    monkeypatch.setattr(philox, "_cost", ("c0", 2.0))
    monkeypatch.setattr(switch._Dispatcher, "_compile_for_args", lambda self, *arguments: lambda *_: "compiled")
    assert philox(*WORDS) == "compiled"
    assert not ledger.orders


def test_cameras_say_that_they_are_being_prepared(ledger, caplog):
    switch._report.cache_clear()
    with caplog.at_level(logging.WARNING), us.load(names()["gallery"]) as sim:
        sim.run(0.01)
    assert [record.getMessage() for record in caplog.records if "camera" in record.getMessage()] == [
        "the camera is being compiled: it is slow until then"
    ]
    assert cast_from in [kernel for kernel, _ in ledger.orders]


def test_nobody_can_connect_before_ticks_are_compiled(monkeypatch):
    with us.load(names()["skeleton"]) as sim:
        forgotten = Forgotten()
        seen = []
        monkeypatch.setattr(type(sim.ports), "open", lambda *_: seen.append(len(advance.overloads)))
        try:
            sim.open_ports()
        finally:
            forgotten.give_all_back()
    assert seen == [1]


def test_an_unknown_wish_is_refused(monkeypatch):
    monkeypatch.setenv(switch.VARIABLE, "later")
    with pytest.raises(UnderstudyError, match="UNDERSTUDY_COMPILE=later: invalid; use one of: now, beside, never"):
        switch.tier.__wrapped__()


def test_every_kernel_can_be_found_again_by_module_and_name():
    import sys

    assert len(kernels()) > 30
    for kernel in kernels():
        function = kernel.py_func
        assert getattr(sys.modules[function.__module__], function.__name__) is kernel
