"""Clients that ask faster than a device answers: what is processed is what the device's line can carry."""

from __future__ import annotations

import pytest
from protocols.roomba_desk import Desk

import understudy as us
from understudy.protocols.sick_lms200.telegrams import Decoder, crc, encode
from understudy.robots.roomba import orders

REQUESTS = 20_000
SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
[[robot]]
name = "r"
model = "{model}"
port.serial.link = "loop:"
"""
STATUS = encode(b"\x31")


@pytest.fixture
def flooded(request):
    """A run, the port of its robot, and a client that has just sent 20,000 requests in one go."""
    model, question = request.param
    with us.load_text(SCENE.format(model=model), ports=True) as sim:
        client = sim.ports.link("r/serial").client()
        client.send(bytes([128]))
        sim.step(3)
        client.send(question * REQUESTS)
        sim.step()
        yield sim, sim.current.plugs["r/serial"], client


CASES = [("create2", bytes([142, 100])), ("create1", bytes([142, 6])), ("roomba-400", bytes([142, 0]))]


@pytest.mark.parametrize("flooded", CASES, indirect=True, ids=[case[0] for case in CASES])
def test_a_roomba_processes_per_tick_what_its_line_carries(flooded):
    sim, plug, _ = flooded
    commands = []
    for _ in range(200):
        before = plug.protocol.counters()["commands"]
        sim.step()
        commands.append(plug.protocol.counters()["commands"] - before)
    in_a_tick = plug.line.baud // 10 * 5 // 1000 // 2  # two bytes each
    assert max(commands) <= in_a_tick + 1


@pytest.mark.parametrize("flooded", CASES, indirect=True, ids=[case[0] for case in CASES])
def test_a_roomba_reads_its_sensors_only_for_answers_that_its_line_carries(flooded):
    sim, plug, client = flooded
    client.receive()
    before, lost = (plug.protocol.counters()[name] for name in ("answers", "lost"))
    sim.run(1.0)
    answers = plug.protocol.counters()["answers"] - before
    size = len(client.receive()) / answers
    assert answers * size <= 1.05 * plug.line.baud / 10 + 2048
    assert plug.protocol.counters()["lost"] > lost


def test_a_port_without_a_paced_line_is_bounded_too():
    desk = Desk().step(3).into("passive")
    desk.send("8e64" * REQUESTS)
    assert sum(isinstance(value, orders.Sense) for value in desk.received) <= 2048 // 80 + 1
    assert desk.protocol.counters()["lost"] > REQUESTS - 30


def test_after_a_flood_the_next_question_is_answered_within_a_quarter_of_a_second():
    desk = Desk().step(3).into("passive")
    desk.protocol.wired(115_200, True)
    desk.send("8e64" * 200).step(50)
    assert desk.ask("8e23") == "01"


def test_a_stream_that_its_line_cannot_carry_skips_frames_and_stays_current():
    desk = Desk().step(3).into("passive")
    desk.protocol.wired(19_200, True)
    desk.send("94 01 64").step(600)  # 84 bytes every 15 ms, where 28 fit
    assert len(desk.heard) <= 3.0 * 1920 + 2048 + 84


SCANNER = """
schema = 1
ground = {size_m = [6, 4], walled = true}
[[robot]]
name = "r"
model = "lms200-stand"
port.sick.link = "loop:"
"""


def test_a_scanner_answers_per_second_what_its_line_carries():
    with us.load_text(SCANNER, ports=True) as sim:
        (path,) = sim.ports.info()
        client, plug = sim.ports.link(path).client(), sim.current.plugs[path]
        sim.run(0.2)
        client.receive()
        client.send(STATUS * REQUESTS)
        sim.run(2.0)
        assert plug.protocol.counters()["requests"] <= 2.0 * plug.line.baud / 10 / len(STATUS) + 1


@pytest.mark.parametrize(
    "heads", [bytes([2, 0, 0, 3]) * 200, b"".join(bytes([2, 0, n % 256, n // 256]) for n in range(796, 0, -4))]
)
def test_begun_telegrams_cost_a_scanner_few_looks(heads, monkeypatch):
    """The second kind ends all of its telegrams with the same byte."""
    sums = 0

    def counted(data):
        nonlocal sums
        sums += 1
        return crc(data)

    monkeypatch.setattr("understudy.protocols.sick_lms200.telegrams.crc", counted)
    decoder = Decoder(0)
    for byte in heads * 10:
        decoder.put(byte)
    assert sums < len(heads * 10) // 4
    telegram = encode(b"\x31")
    decoder.forget()
    assert [received.body for byte in telegram if (received := decoder.put(byte))] == [b"\x31"]
