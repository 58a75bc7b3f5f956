"""What every firmware unit must keep to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pytest

from understudy.robots.base import Drive, Session, Wiring
from understudy.sim.packing import pack, unpack
from understudy.world.media import Heard
from understudy.world.news import At
from understudy.world.records import from_plain, to_plain


class Bench(Protocol):
    """A unit with a small world around it, the same world each time it is made."""

    unit: Any

    @property
    def wiring(self) -> Wiring: ...

    def renew(self) -> Any: ...

    def step(self, ticks: int = 1) -> None: ...

    def hold(self) -> None: ...

    def seen(self) -> Any: ...

    def commanded(self) -> dict[str, list[float | str]]: ...

    def plug_out(self) -> None: ...


def check_unit(make: Callable[[], Bench], orders: Sequence[Any] = ()) -> None:
    """Run every check on the unit that *make* puts on a bench; *orders* are some that set its outputs."""
    _tells_what_it_is(make().unit)
    _takes_the_common_orders(make())
    _refuses_strange_orders(make())
    _stands_still_while_the_clock_is_held(make())
    _has_a_plain_state(make())
    _goes_on_from_a_state(make)
    _survives_rewiring(make)
    _shows_a_frozen_panel(make())
    _offers_what_it_takes(make())
    _tells_where_its_programs_are(make())
    _has_a_digest_that_follows_its_state(make)
    _recalls_what_it_keeps(make)
    _powers_its_outputs(make, orders)
    _keeps_the_outputs_when_it_is_saved(make, orders)
    _lets_go_of_outputs_that_are_plugged_out(make, orders)


def _common(unit: Any) -> list[Any]:
    return [Session(True), *([Drive(0.3, 0.4)] if unit.drives else [])]


def _busy(bench: Bench, ticks: int = 37) -> Bench:
    for order in _common(bench.unit):
        bench.unit.order(order)
    bench.step(ticks)
    return bench


def _plain(state: Any) -> Any:
    json.dumps(state, allow_nan=False, default=bytes.hex)  # raises for anything that is not plain
    return unpack(pack(state))


def _tells_what_it_is(unit: Any) -> None:
    sheet: Any = type(unit).Sheet
    assert sheet.__dataclass_params__.frozen
    assert (unit.inputs, unit.drives, unit.outputs) == (sheet.inputs, sheet.drives, sheet.outputs)
    assert len(set(unit.outputs)) == len(unit.outputs)
    assert from_plain(sheet, to_plain(sheet())) == sheet()
    assert Session in unit.commands
    assert (Drive in unit.commands) == unit.drives
    assert (Heard in unit.commands) == bool(unit.media)


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


def _offers_what_it_takes(bench: Bench) -> None:
    unit = _busy(bench).unit
    offers = unit.offers()
    assert offers == unit.offers()
    assert len({offer.label for offer in offers}) == len(offers)
    for offer in offers:
        assert isinstance(offer.order, unit.commands)
        assert from_plain(type(offer.order), to_plain(offer.order)) == offer.order
        unit.order(offer.order)
        bench.step()


def _tells_where_its_programs_are(bench: Bench) -> None:
    unit = _busy(bench).unit
    for offer in unit.offers():
        unit.order(offer.order)
    bench.step(3)
    places = unit.positions()
    assert all(isinstance(place, At) for place in places)
    assert len({(place.program, place.task) for place in places}) == len(places)


def _has_a_digest_that_follows_its_state(make: Callable[[], Bench]) -> None:
    one, other = _busy(make()), _busy(make())
    assert _plain(one.unit.digest()) == one.unit.digest() == other.unit.digest()


def _recalls_what_it_keeps(make: Callable[[], Bench]) -> None:
    kept = _plain(_busy(make()).unit.keep())
    fresh = make().unit
    if kept:
        fresh.recall(kept)
    assert _plain(fresh.keep()) == kept


def _powered(bench: Bench, orders: Sequence[Any], ticks: int = 37) -> Bench:
    _busy(bench)
    for order in orders:
        assert from_plain(type(order), to_plain(order)) == order
        bench.unit.order(order)
    bench.step(ticks)
    return bench


def _powers_its_outputs(make: Callable[[], Bench], orders: Sequence[Any]) -> None:
    """Powers are numbers from -1 to 1, and the orders that set outputs do set some."""
    bench = _powered(make(), orders)
    commanded = [value for values in bench.commanded().values() for value in values]
    assert not orders or commanded
    assert all(-1.0 <= value <= 1.0 for value in commanded if not isinstance(value, str))


def _keeps_the_outputs_when_it_is_saved(make: Callable[[], Bench], orders: Sequence[Any]) -> None:
    one, other = _powered(make(), orders, 3), _powered(make(), orders, 3)
    other.renew().restore(_plain(one.unit.state()))
    for bench in (one, other):
        bench.step(50)
    assert one.commanded() == other.commanded()
    assert repr(one.unit.state()) == repr(other.unit.state())


def _lets_go_of_outputs_that_are_plugged_out(make: Callable[[], Bench], orders: Sequence[Any]) -> None:
    """After `rewire` only the new handles are used; the old ones belong to a structure that is no more."""
    bench = _powered(make(), orders, 3)
    old: Mapping[str, Any] = bench.wiring.outputs
    before = bench.commanded()
    bench.plug_out()
    for order in orders:
        bench.unit.order(order)
    bench.step(20)
    assert {name: output.commanded for name, output in old.items()} == before
    assert not orders or any(bench.commanded().values())
