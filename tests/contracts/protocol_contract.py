"""What every wire protocol must keep to."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from understudy.protocols.base import WireProtocol
from understudy.robots.base import Session

Make = Callable[[], WireProtocol]
TICK_US = 5_000


def check_protocol(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    """Run every check; *unit* makes a unit to speak for, *talk* is what a client might send.

    For a protocol of the whole scene *unit* makes a `SceneBench`.
    """
    _tells_what_it_is(make(), unit())
    _does_not_mind_how_bytes_are_split(make, unit, talk)
    _survives_junk(make, unit, talk)
    _goes_on_from_a_state(make, unit, talk)
    _counts_upward(make, unit, talk)
    _repeats_nothing_while_time_stands(make, unit, talk)
    _hangs_up_once(make, unit, talk)
    _begins_anew_with_each_client(make, unit, talk)
    _holds_a_conversation_however_bytes_are_split(make, unit, talk)
    _goes_on_from_the_middle_of_a_conversation(make, unit, talk)
    _says_nothing_when_nothing_is_due(make)


def _pieces(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


def _hear(protocol: WireProtocol, pieces: Iterable[bytes]) -> list[Any]:
    return [value for piece in pieces for value in protocol.feed(piece)]


def _speak(protocol: WireProtocol, unit: Any, ticks: int, start_us: int = 0) -> list[bytes]:
    return [protocol.tick(unit, start_us + TICK_US * i) for i in range(ticks)]


def _tells_what_it_is(protocol: WireProtocol, unit: Any) -> None:
    sheet: Any = type(protocol).Sheet
    assert sheet.__dataclass_params__.frozen
    assert protocol.units == sheet.units
    assert protocol.scope == getattr(sheet, "scope", "robot")
    if protocol.scope == "scene":
        assert not protocol.units
    else:
        assert type(unit).Sheet.kind in protocol.units


def _does_not_mind_how_bytes_are_split(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    whole = make()
    whole.opened()
    expected = _hear(whole, [talk]), dict(whole.counters()), _speak(whole, unit(), 50)
    for size in (1, 2, 3, 7, 64):
        split = make()
        split.opened()
        assert (_hear(split, _pieces(talk, size)), dict(split.counters()), _speak(split, unit(), 50)) == expected


def _junk(talk: bytes) -> Sequence[bytes]:
    source = random.Random(20261115)
    noise = [source.randbytes(n) for n in (0, 1, 2, 3, 5, 17, 300, 5000)]
    spoilt = []
    for _ in range(200):
        copy = bytearray(talk)
        copy[source.randrange(len(copy))] = source.randrange(256)
        del copy[source.randrange(len(copy))]
        spoilt.append(bytes(copy))
    return [*noise, *spoilt]


def _survives_junk(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    protocol, listener = make(), unit()
    for i, data in enumerate(_junk(talk)):
        protocol.opened()
        list(protocol.feed(data))
        protocol.tick(listener, TICK_US * i)
        protocol.hung_up()
        protocol.closed()
    assert len(json.dumps(protocol.state())) < 10_000


def _goes_on_from_a_state(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    for cut in range(0, len(talk), max(1, len(talk) // 40)):
        one, other, listener = make(), make(), unit()
        one.opened()
        list(one.feed(talk[:cut]))
        _speak(one, listener, 3)
        list(one.feed(talk[cut : cut + 2]))
        state = one.state()
        saved = json.loads(json.dumps(state, allow_nan=False))
        assert saved == state
        other.restore(saved)
        rest = talk[cut + 2 :]
        assert list(one.feed(rest)) == list(other.feed(rest))
        assert _speak(one, listener, 50, 15_000) == _speak(other, listener, 50, 15_000)
        assert one.hung_up() == other.hung_up()
        assert one.state() == other.state()


def _counts_upward(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    protocol, listener = make(), unit()
    before = dict(protocol.counters())
    for i, piece in enumerate(_pieces(talk + _junk(talk)[5] + talk, 5)):
        list(protocol.feed(piece))
        protocol.tick(listener, TICK_US * i)
        after = dict(protocol.counters())
        assert after.keys() == before.keys()
        assert all(after[name] >= before[name] for name in before)
        before = after
    assert any(before.values())


def _repeats_nothing_while_time_stands(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    protocol, listener = make(), unit()
    protocol.opened()
    list(protocol.feed(talk))
    for now_us in range(0, 40 * TICK_US, TICK_US):
        protocol.tick(listener, now_us)
        assert protocol.tick(listener, now_us) == b""


def _hangs_up_once(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    protocol = make()
    protocol.opened()
    list(protocol.feed(talk))
    protocol.hung_up()
    assert not protocol.hung_up()


def _begins_anew_with_each_client(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    fresh, used = make(), make()
    used.opened()
    list(used.feed(talk[: len(talk) // 2 + 1]))
    used.closed()
    for protocol in (fresh, used):
        protocol.opened()
    assert list(fresh.feed(talk)) == list(used.feed(talk))


def _talk_through(protocol: WireProtocol, unit: Any, values: Iterable[Any]) -> list[Any]:
    """Hand commands to the unit and its replies back, as a run does; returns everything that the protocol asked for."""
    asked = []
    for value in values:
        asked.append(value)
        if isinstance(value, type(unit).commands):
            reply = unit.order(value)
            assert reply is None or reply.__dataclass_params__.frozen
            if reply is not None or protocol.scope == "scene":
                asked += _talk_through(protocol, unit, protocol.answered(value, reply))
    return asked


def _converse(protocol: WireProtocol, unit: Any, pieces: Iterable[bytes]) -> tuple[list[Any], bytes]:
    asked: list[Any] = []
    for piece in pieces:
        asked += _talk_through(protocol, unit, protocol.feed(piece))
    return asked, b"".join(_speak(protocol, unit, 50))


def _holds_a_conversation_however_bytes_are_split(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    heard = []
    for size in (len(talk), 1, 3, 64):
        protocol, listener = make(), unit()
        _talk_through(protocol, listener, protocol.opened())
        heard.append((_converse(protocol, listener, _pieces(talk, size)), listener.state()))
    assert all(one == heard[0] for one in heard)
    commands = set(type(unit()).commands) - {Session}
    assert not commands or any(type(value) in commands for value in heard[0][0][0]), "no order has reached the unit"


def _goes_on_from_the_middle_of_a_conversation(make: Make, unit: Callable[[], Any], talk: bytes) -> None:
    for cut in range(0, len(talk), max(1, len(talk) // 40)):
        one, other, listener, twin = make(), make(), unit(), unit()
        for protocol, hearer in ((one, listener), (other, twin)):
            _talk_through(protocol, hearer, protocol.opened())
            _talk_through(protocol, hearer, protocol.feed(talk[:cut]))  # answered, but not sent yet
        fresh = make()
        fresh.restore(json.loads(json.dumps(other.state(), allow_nan=False)))
        assert _converse(one, listener, [talk[cut:]]) == _converse(fresh, twin, [talk[cut:]])


def _says_nothing_when_nothing_is_due(make: Make) -> None:
    protocol = make()
    protocol.opened()
    assert [list(protocol.due(TICK_US * i)) for i in range(3)] == [[], [], []]
