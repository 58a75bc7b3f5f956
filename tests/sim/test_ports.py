"""Protocols and links joined: promise 8, links fail well."""

import logging
import struct
import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from scenes import model, pioneer_model, robot, room

from understudy.errors import LinkError
from understudy.links.loopback import LoopLink
from understudy.protocols import PROTOCOLS
from understudy.protocols.arcos.frames import encode
from understudy.robots import UNITS
from understudy.sim import ports as sim_ports
from understudy.sim.inbox import MAX_PENDING_BYTES
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Fault, Quit, Remove
from understudy.world.robot import Port, UnitSpec

SYNC = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002")
OPEN, CLOSE = bytes.fromhex("FAFB06013B0100023B"), bytes.fromhex("FAFB06023B0100033B")
VEL, PULSE = bytes.fromhex("FAFB060B3BC800D33B"), bytes.fromhex("FAFB03000000")


def pioneer(link="loop:", gate="free"):
    unit = UnitSpec(name="arcos", sheet=UNITS["pioneer"].Sheet(), uses=(("sonar", "sonar"), ("wheels", "wheels")))
    port = Port(name="host", unit="arcos", sheet=PROTOCOLS["arcos"].Sheet(), link=link, gate=gate)
    return model(units=(unit,), ports=(port,))


@pytest.fixture
def sim():
    with Sim(room(robot("pioneer", parts=pioneer_model())), seed=1) as it:
        it.open_ports()
        yield it


def settle(sim):
    """Run until what the client has done has come in."""
    for _ in range(2000):
        if sim.inbox.wait(0.01):
            break
    sim.step(3)


def dial(sim, path="pioneer/host"):
    client = sim.ports.link(path).client()
    settle(sim)
    return client


def heard(sim, client, seconds=0.5):
    sim.step(round(seconds / 0.005))
    return client.receive()


def test_a_conversation_goes_through(sim):
    client = dial(sim)
    client.send(SYNC + OPEN + VEL)
    settle(sim)
    assert heard(sim, client).startswith(bytes.fromhex("FAFB03000000 FAFB03010001"))
    assert sim.robot("pioneer").pose.x_m > 0.0


def test_when_a_client_goes_its_robot_stops(sim):
    client = dial(sim)
    client.send(SYNC + OPEN + VEL)
    settle(sim)
    sim.step(200)
    client.close()
    settle(sim)
    sim.step(400)
    before = sim.robot("pioneer").pose
    sim.step(200)
    assert sim.robot("pioneer").pose == before


def test_a_client_that_says_close_is_disconnected_and_may_come_back(sim):
    client = dial(sim)
    client.send(SYNC + OPEN + CLOSE)
    settle(sim)
    sim.step(10)
    again = dial(sim)
    again.send(SYNC)
    settle(sim)
    assert again.receive().startswith(bytes.fromhex("FAFB03000000"))


def test_a_client_in_the_middle_of_a_packet_may_go_and_the_next_is_understood(sim):
    dial(sim).send(SYNC[:8])
    settle(sim)
    sim.ports.link("pioneer/host").hang_up()
    settle(sim)
    client = dial(sim)
    client.send(SYNC)
    settle(sim)
    assert client.receive().startswith(bytes.fromhex("FAFB03000000"))


def test_an_answer_does_not_reach_a_client_that_comes_while_it_is_being_sent(sim, monkeypatch):
    link, first = sim.ports.link("pioneer/host"), dial(sim)
    write, late = link.write, []

    def slow_write(*arguments):
        if not late:
            first.close()
            late.append(link.client())
        write(*arguments)

    monkeypatch.setattr(link, "write", slow_write)
    first.send(SYNC)
    settle(sim)
    assert late[0].receive() == b""
    late[0].send(SYNC)
    settle(sim)
    assert late[0].receive().startswith(bytes.fromhex("FAFB03000000"))


def test_a_cut_cable_carries_nothing_until_it_is_mended(sim):
    client = dial(sim)
    client.send(SYNC + OPEN)
    settle(sim)
    client.receive()
    sim.change(Fault("pioneer/host"))
    assert heard(sim, client) == b""
    sim.change(Fault("pioneer/host", active=False))
    assert heard(sim, client) != b""


def test_a_port_forbids_its_client_what_its_scene_says(caplog):
    parts = pioneer_model()
    parts = replace(parts, ports=tuple(replace(port, forbid=("move",)) for port in parts.ports))
    with Sim(room(robot("pioneer", parts=parts)), seed=1) as sim:
        sim.open_ports()
        client = dial(sim)
        client.send(SYNC + OPEN)
        client.send(encode(b"\xe0\x3b" + struct.pack("<3i", 1000, 0, 0)))
        settle(sim)
        assert sim.robot("pioneer").pose.x_m == 0.0
    assert "move is forbidden for clients of this port (key forbid of the port, or --forbid move)" in caplog.text


def test_a_flood_is_bounded_and_counted(sim):
    client = dial(sim)
    for _ in range(100):
        client.send(b"\xfa" * 4096)
    assert sim.inbox.lost["pioneer/host"] >= 100 * 4096 - MAX_PENDING_BYTES - 4096
    sim.step()
    client.send(SYNC)
    settle(sim)
    assert client.receive() != b""


def test_bytes_that_are_lost_in_the_inbox_are_in_the_counters_of_their_port(sim):
    client = dial(sim)
    for _ in range(100):
        client.send(b"\xfa" * 4096)
    assert sim.ports.info()["pioneer/host"].lost == sim.inbox.lost["pioneer/host"] > 0


def test_a_change_asks_each_port_for_its_address_once(sim, monkeypatch):
    for n in range(20):
        sim.change(Add(robot(f"late-{n}", -2.8 + 0.25 * n, 1.0, parts=pioneer_model())))
    asked = []
    info = LoopLink.info
    monkeypatch.setattr(LoopLink, "info", lambda link: asked.append(link) or info(link))
    sim.change(Remove("late-7"))
    assert len(asked) == 20


def test_ports_of_robots_that_come_and_go_open_and_close(sim):
    sim.change(Add(robot("late", 1.0, parts=pioneer_model())))
    client = dial(sim, "late/host")
    client.send(SYNC)
    settle(sim)
    assert client.receive() != b""
    sim.change(Remove("late"))
    assert set(sim.ports.info()) == {"pioneer/host"}


def test_after_a_reset_the_client_is_still_in_its_session(sim):
    client = dial(sim)
    client.send(SYNC + OPEN)
    settle(sim)
    sim.reset()
    client.receive()
    assert len(heard(sim, client, 1.0)) > 100
    client.send(VEL)
    settle(sim)
    sim.step(100)
    assert sim.robot("pioneer").pose.x_m > 0.0


def test_with_a_free_client_as_fast_as_possible_means_real_time(sim):
    assert sim._speed() is None
    dial(sim)
    assert sim._speed() == 1.0
    sim._insist = True
    assert sim._speed() is None


def test_time_waits_for_a_gated_client():
    with Sim(room(robot("pioneer", parts=pioneer(gate="reply"))), seed=1) as sim:
        sim.open_ports()
        client = dial(sim)
        client.send(SYNC + OPEN)
        settle(sim)
        client.receive()
        counts = []

        def reply():
            while len(counts) < 20:
                if client.receive():
                    counts.append(sim.tick)
                    client.send(PULSE)
            sim.post(Quit())
            client.send(PULSE)

        thread = threading.Thread(target=reply)
        thread.start()
        sim.run(100.0)
        thread.join(10)
        gaps = {later - sooner for sooner, later in pairwise(counts)}
        assert gaps == {20}, "one status packet every 100 ms, and time stands still until each is answered"


def test_a_gated_client_that_never_answers_is_named_and_time_goes_on(monkeypatch, caplog):
    monkeypatch.setattr(sim_ports, "REPLY_PATIENCE_S", 0.05)
    with Sim(room(robot("pioneer", parts=pioneer(gate="reply"))), seed=1) as sim:
        sim.open_ports()
        client = dial(sim)
        client.send(SYNC + OPEN)
        settle(sim)
        with caplog.at_level(logging.WARNING):
            sim.run(0.25)
        assert "pioneer/host: no answer from the client" in caplog.text


def test_two_simulations_side_by_side_take_the_next_free_port():
    parts = pioneer("tcp://127.0.0.1:18101+")
    with Sim(room(robot("a", parts=parts))) as one, Sim(room(robot("a", parts=parts))) as two:
        one.open_ports()
        two.open_ports()
        assert one.ports.info()["a/host"].url != two.ports.info()["a/host"].url


def test_a_port_in_use_names_who_has_it():
    with Sim(room(robot("a", parts=pioneer("tcp://127.0.0.1:0")))) as one:
        one.open_ports()
        port = one.ports.info()["a/host"].url.rpartition(":")[2]
        with (
            Sim(room(robot("a", parts=pioneer(f"tcp://127.0.0.1:{port}")))) as two,
            pytest.raises(LinkError, match=rf"tcp port {port} is in use by .*\(pid \d+\)"),
        ):
            two.open_ports()


def test_what_was_meant_for_one_client_does_not_reach_the_next(sim, monkeypatch):
    first, link = dial(sim), sim.ports.link("pioneer/host")
    first.send(SYNC + OPEN)
    assert heard(sim, first)
    clients = []

    def advance(*inputs, tick=sim.current.advance):
        outcome = tick(*inputs)
        if outcome.sent and not clients:  # the first client leaves while its status packet is being made
            first.close()
            clients.append(link.client())
        return outcome

    monkeypatch.setattr(sim.current, "advance", advance)
    sim.step(100)
    assert clients[0].receive() == b""
    clients[0].send(SYNC)
    assert heard(sim, clients[0]).startswith(SYNC[:3])
