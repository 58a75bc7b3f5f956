"""What every firmware unit must keep to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from understudy.robots.base import Drive, Session, Wiring
from understudy.world.plain import from_plain, to_plain


class Bench(Protocol):
    """A unit with a small world around it, the same world each time it is made."""

    unit: Any

    @property
    def wiring(self) -> Wiring: ...

    def renew(self) -> Any: ...

    def step(self, ticks: int = 1) -> None: ...

    def hold(self) -> None: ...

    def seen(self) -> Any: ...


def check_unit(make: Callable[[], Bench]) -> None:
    """Run every check on the unit that *make* puts on a bench."""
    _tells_what_it_is(make().unit)
    _takes_the_common_orders(make())
    _refuses_strange_orders(make())
    _stands_still_while_the_clock_is_held(make())
    _has_a_plain_state(make())
    _goes_on_from_a_state(make)
    _survives_rewiring(make)
    _shows_a_frozen_panel(make())


def _common(unit: Any) -> list[Any]:
    return [Session(True), *([Drive(0.3, 0.4)] if unit.drives else [])]


def _busy(bench: Bench, ticks: int = 37) -> Bench:
    for order in _common(bench.unit):
        bench.unit.order(order)
    bench.step(ticks)
    return bench


def _plain(state: Any) -> Any:
    return json.loads(json.dumps(state, allow_nan=False))


def _tells_what_it_is(unit: Any) -> None:
    sheet: Any = type(unit).Sheet
    assert sheet.__dataclass_params__.frozen
    assert (unit.inputs, unit.drives) == (sheet.inputs, sheet.drives)
    assert from_plain(sheet, to_plain(sheet())) == sheet()
    assert Session in unit.commands
    assert (Drive in unit.commands) == unit.drives


def _takes_the_common_orders(bench: Bench) -> None:
    for order in (*_common(bench.unit), Session(False), Session(True), Session(False), Session(False)):
        assert from_plain(type(order), to_plain(order)) == order
        bench.unit.order(order)
        bench.step()


def _refuses_strange_orders(bench: Bench) -> None:
    with pytest.raises(TypeError, match="Session"):
        bench.unit.order("nonsense")


def _stands_still_while_the_clock_is_held(bench: Bench) -> None:
    _busy(bench)
    before = bench.unit.state(), bench.seen(), bench.unit.panel()
    for _ in range(3):
        bench.hold()
    assert (bench.unit.state(), bench.seen(), bench.unit.panel()) == before


def _has_a_plain_state(bench: Bench) -> None:
    state = _busy(bench).unit.state()
    assert _plain(state) == state


def _goes_on_from_a_state(make: Callable[[], Bench]) -> None:
    one, other = _busy(make()), _busy(make())
    saved = _plain(one.unit.state())
    other.renew().restore(saved)
    assert other.unit.state() == saved
    for bench in (one, other):
        bench.step(23)
        bench.unit.order(Session(False))
        bench.step(23)
    assert repr(one.unit.state()) == repr(other.unit.state())
    assert repr(one.seen()) == repr(other.seen())


def _survives_rewiring(make: Callable[[], Bench]) -> None:
    one, other = _busy(make()), _busy(make())
    other.unit.rewire(other.wiring)
    for bench in (one, other):
        bench.step(11)
    assert one.unit.state() == other.unit.state()


def _shows_a_frozen_panel(bench: Bench) -> None:
    panel = _busy(bench).unit.panel()
    assert panel.__dataclass_params__.frozen
    assert panel == bench.unit.panel()
