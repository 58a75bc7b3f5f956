"""The link of an RCX, byte by byte: a download as nqc does it, repeated requests, junk."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots.robots_fakes import Bench

import understudy as us
from understudy.protocols.rcx_link.frames import RcxDecoder
from understudy.protocols.rcx_link.protocol import RcxLink, RcxLinkSheet
from understudy.robots.rcx.packets import packet


class Desk:
    """A tool, the link and a brick."""

    def __init__(self, **settings) -> None:
        self.bench = Bench("rcx", version="fw1")
        self.link = RcxLink(RcxLinkSheet(**settings), "robot")
        list(self.link.opened())

    def say(self, wire: bytes) -> bytes:
        """Return what comes back."""
        for command in self.link.feed(wire):
            reply = self.bench.unit.order(command)
            if reply is not None:
                self.link.answered(command, reply)
        return self.link.tick(self.bench.unit, 0)


# what nqc 3.1 sends for a program of 26 bytes, and what a brick replies: on the line
DOWNLOAD = [
    ("55ff0010ef10ef", "55ff00ef10ef10"),
    ("55ff0050af50af", "55ff00af50af50"),
    ("55ff0040bf40bf", "55ff00bf40bf40"),
    ("55ff00708f708f", "55ff008f708f70"),
    ("55ff0025da00ff00ff00ff1ae500ff3fc0", "55ff00da2500ffda25"),
    (packet(bytes.fromhex("450100140013070207e1873200014200202181958209010000e3")).hex(), "55ff00ba4500ffba45"),
    (packet(bytes.fromhex("4d00000600faff51002141ac")).hex(), "55ff00b24d00ffb24d"),
    ("55ff0051ae05fa56a9", "55ff00ae51ae51"),
    ("55ff0030cf30cf", "55ff00cf3028d723dc1ae5"),
    ("55ff00718e00ff718e", "55ff008e718e71"),
]


def test_a_download_of_nqc_is_answered_byte_by_byte():
    desk = Desk()
    for request, reply in DOWNLOAD:
        assert desk.say(bytes.fromhex(request)).hex() == reply
    machine = desk.bench.unit.machine
    assert machine.running
    assert machine.program.tasks[0].code.hex() == "13070207e1873200014200202181958209010000faff51002141"


def test_a_serial_tower_sends_everything_back_before_the_reply():
    ping = bytes.fromhex("55ff0010ef10ef")
    assert Desk(echo="on").say(ping) == ping + bytes.fromhex("55ff00ef10ef10")


@pytest.mark.parametrize(
    ("echo", "baud", "comes_back"), [("auto", 2400, True), ("auto", 0, False), ("off", 2400, False)]
)
def test_the_echo_is_that_of_a_port_with_a_baud_rate(echo, baud, comes_back):
    desk = Desk(echo=echo)
    desk.link.wired(baud, False)
    assert (desk.say(b"junk") == b"junk") is comes_back


def test_a_repeated_request_is_answered_again_and_not_done_again():
    desk = Desk()
    desk.say(packet(bytes.fromhex("2400020500")))  # variable 0 += 5
    first = desk.say(packet(bytes.fromhex("2c00020500")))
    assert desk.say(packet(bytes.fromhex("2c00020500"))) == first != b""
    assert desk.bench.unit.machine.memory[0] == 10
    assert desk.link.counters()["repeated"] == 1


def test_messages_are_never_taken_for_repeated_ones():
    desk = Desk()
    for number in (1, 2):
        assert desk.say(packet(bytes([0xF7, number]))) == b""
        assert desk.bench.unit.machine.message == number


def test_a_new_client_repeats_nothing():
    desk = Desk()
    desk.say(packet(bytes.fromhex("2400020500")))
    list(desk.link.closed())
    list(desk.link.opened())
    desk.say(packet(bytes.fromhex("2400020500")))
    assert desk.bench.unit.machine.memory[0] == 10


def test_the_datalog_is_uploaded_as_nqc_asks_for_it():
    desk = Desk()
    machine = desk.bench.unit.machine
    machine.log_size, machine.log = 10, [[255, 3], [0x40, 11], [0x40, 22]]
    assert desk.say(packet(bytes.fromhex("a400000100"))) == packet(bytes.fromhex("5bff0300"))
    assert desk.say(packet(bytes.fromhex("ac01000200"))) == packet(bytes.fromhex("53400b00401600"))


def test_firmware_is_deleted_downloaded_and_unlocked():
    desk = Desk()
    key = "0103050 70b".replace(" ", "")
    assert desk.say(packet(bytes.fromhex(f"65{key}"))) == packet(b"\x9a")
    assert desk.say(packet(bytes.fromhex(f"15{key}"))) == packet(bytes.fromhex("ea0003000100000000"))
    assert desk.say(packet(bytes.fromhex("7100"))) == b""
    assert desk.say(packet(bytes.fromhex("750080000000"))) == packet(b"\x8a\x00")
    assert desk.say(packet(bytes.fromhex("45000001001111"))) == packet(b"\xba\x00")
    assert desk.say(packet(b"\xa5LEGO\xae")) == packet(b"\x5aJust a bit off the block!")
    assert desk.say(packet(bytes.fromhex(f"1d{key}"))) == packet(bytes.fromhex("e20003000100030309"))


@settings(deadline=None)
@given(st.lists(st.sampled_from([bytes.fromhex(request) for request, _ in DOWNLOAD]), max_size=6), st.integers(1, 9))
def test_any_split_of_the_stream_gives_the_same_requests(wires, size):
    stream = b"".join(wires)
    whole, split = RcxDecoder(), RcxDecoder()
    pieces = [stream[n : n + size] for n in range(0, len(stream), size)]
    assert [each for piece in pieces for each in split.feed(piece)] == whole.feed(stream)
    assert len(whole.state()["buffer"]) == split.dropped == 0  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=3))
def test_after_any_junk_the_next_packets_are_understood(junk, extra):
    decoder = RcxDecoder()
    decoder.feed(junk + b"\x00" * 10_000 + extra)
    ping = packet(b"\x10")
    assert decoder.feed(ping * 3)[-1] == b"\x10"


def test_a_packet_that_announces_too_much_is_dropped():
    decoder = RcxDecoder()
    head = bytes(each for byte in bytes.fromhex("450100ffff") for each in (byte, byte ^ 0xFF))
    assert decoder.feed(b"\x55\xff\x00" + head + packet(b"\x10")) == [b"\x10"]
    assert decoder.dropped > 0


def test_a_checksum_that_is_wrong_is_silence():
    desk = Desk()
    assert desk.say(bytes.fromhex("55ff0010ef11ee")) == b""
    assert desk.say(bytes.fromhex("55ff0010ef10ef")) == bytes.fromhex("55ff00ef10ef10")


def test_a_brick_on_tcp_answers_without_an_echo():
    scene = """
schema = 1
[[robot]]
name = "r"
model = "rcx-m3"
port.tower = {unit = "rcx", protocol = "rcx_link", link = "tcp://127.0.0.1:0", baud = 0}
"""
    with us.load_text(scene, ports=True) as sim:
        sim.step(2)
        host, _, port = sim.ports.info()["r/tower"].url.removeprefix("tcp://").rpartition(":")
        with socket.create_connection((host, int(port)), timeout=10) as client:
            client.settimeout(0.05)
            client.sendall(packet(b"\x10"))
            assert _received(sim, client, 7) == packet(b"\xef")


def _received(sim, client, count):
    """Return the first bytes that come, within two simulated seconds."""
    data = b""
    for _ in range(400):
        sim.step()
        try:
            data += client.recv(100)
        except TimeoutError:
            continue
        if len(data) >= count:
            break
    return data
