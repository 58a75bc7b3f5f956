"""ROBOLAB's TCP server, byte by byte: direct commands, programs, half programs, junk."""

from __future__ import annotations

import socket
import struct
import time
from contextlib import suppress

import pytest
from contracts.link_contract import PATIENCE_S
from hypothesis import given, settings
from hypothesis import strategies as st
from robots.robots_fakes import Bench

import understudy as us
from understudy.formats.rcx.isa import OPCODES
from understudy.protocols.robolab.commands import COMMANDS, request_of
from understudy.protocols.robolab.protocol import Robolab, RobolabSheet
from understudy.protocols.robolab.text import LONGEST_LINE, first_word
from understudy.robots.rcx.packets import packet

# LURobotSim thesis, table 3.1: motor A ahead for two seconds
TWO_SECONDS = (
    "task 0\ntmrz 3\nset 24,9,2,1\nset 0,47,2,5\nmulv 47,2,20\nset 5,0,0,47\nout 2,1\nwait 2,200\nout 1,1\nendt\n"
)


class Desk:
    """ROBOLAB, its connection and a brick."""

    def __init__(self, **settings) -> None:
        self.bench = Bench("rcx")
        self.talk = Robolab(RobolabSheet(**settings), "robot")
        self._carry_out(self.talk.opened())

    def _carry_out(self, values) -> None:
        for value in values:
            reply = self.bench.unit.order(value)
            if reply is not None:
                self.talk.answered(value, reply)

    def say(self, text: str | bytes) -> bytes:
        """Return what is answered."""
        self._carry_out(self.talk.feed(text.encode() if isinstance(text, str) else text))
        return self.talk.tick(self.bench.unit, 0)

    def wait_until(self, now_ms: int) -> bytes:
        self._carry_out(self.talk.due(1000 * now_ms))
        return self.talk.tick(self.bench.unit, 1000 * now_ms)

    def close(self) -> None:
        self._carry_out(self.talk.closed())

    @property
    def machine(self):
        return self.bench.unit.machine


@pytest.mark.parametrize(
    ("command", "answer"), [("poll 8,0", b"e5 00 00"), ("prgm 0", b"66"), ("stop 0", b"76"), ("plays 5", b"a6")]
)
def test_the_direct_commands_of_the_thesis_are_answered_as_it_says(command, answer):
    assert Desk().say(command + "\r\n") == answer


def test_an_answer_can_be_bytes_and_have_an_end():
    assert Desk(answers="bytes").say("poll 8,0\n") == b"\xe5\0\0"
    assert Desk(ends="crlf").say("poll 8,0\nprgm 0\n") == b"e5 00 00\r\n66\r\n"


# a line for each direct command, and its answer on a brick that has just been switched on
SAID = {
    "playv": ("playv 0,1", "f5"), "event": ("event 2,1", "f4"), "cale": ("cale 0,1,2,3", "f3"),
    "set": ("set 0,1,2,7", "f2"), "dele": ("dele", "f1"), "ping": ("ping", "e7"), "poll": ("poll 0,0", "e5 00 00"),
    "pwr": ("pwr 1,2,3", "e4"), "setv": ("setv 0,2,5", "e3"),
    "pollp": ("pollp 1,3,5,7,11", "e2 00 03 00 01 00 03 03 32"),
    "out": ("out 2,1", "d6"), "setw": ("setw 12,34", "d5"),
    "playt": ("playt 440,5", "d4"), "sumv": ("sumv 0,2,1", "d3"),
    "pollb": ("pollb", "c7 28 23"), "txs": ("txs 1", "c6"), "sent": ("sent 0,1", "c5"), "view": ("view 2,1", "c4"),
    "subv": ("subv 0,2,1", "c3"),
    "senm": ("senm 0,1,0", "b5"), "divv": ("divv 0,2,1", "b3"), "plays": ("plays 1", "a6"),
    "logz": ("logz 5", "a5 00"), "mulv": ("mulv 0,2,2", "a3"), "offp": ("offp", "97"), "log": ("log 0,0", "95 01"),
    "pollm": ("pollm 36864,2", "94 00 00"), "sgnv": ("sgnv 0,2,5", "93"), "gout": ("gout 2,1", "90"),
    "start": ("start 0", "86"), "absv": ("absv 0,2,-3", "83"), "gdir": ("gdir 2,1", "80"), "playz": ("playz", "77"),
    "andv": ("andv 0,2,1", "73"), "msgz": ("msgz", "67"), "prgm": ("prgm 2", "66"), "sete": ("sete 0,1,2", "64"),
    "orv": ("orv 0,2,1", "63"), "cnti": ("cnti 0", "60"), "tmrz": ("tmrz 0", "56"), "gpwr": ("gpwr 1,2,3", "54"),
    "polld": ("polld 0,1", "53 ff 01 00"),
    "boot": ("boot 76,69,71,79,174", "52 " + b"Just a bit off the block!".hex(" ")),
    "cntd": ("cntd 0", "50"), "tout": ("tout 5", "46"), "cntz": ("cntz 0", "40"), "uart": ("uart 0,1", "35"),
    "mute": ("mute", "27"), "senz": ("senz 0", "26"), "speak": ("speak", "17"), "dir": ("dir 2,1", "16"),
    "disp": ("disp 1,2,3", "12"), "msgs": ("msgs 5", ""), "remote": ("remote 1", ""),
}  # fmt: skip
TWO_FORMS = {"stop": ("a7", "76"), "delt": ("b7", "96"), "dels": ("87", "36")}


@pytest.mark.parametrize("name", sorted({row.opcode.name for row in COMMANDS}))
def test_every_direct_command_is_answered_with_the_complement_of_its_toggled_code(name):
    desk = Desk()
    if name in TWO_FORMS:
        assert (desk.say(f"{name}\n").decode(), desk.say(f"{name} 0\n").decode()) == TWO_FORMS[name]
    elif name == "memmap":
        assert len(desk.say("memmap\n").split()) == 189
    else:
        line, answer = SAID[name]
        assert desk.say(line + "\n").decode() == answer


def test_the_table_has_every_direct_command_of_the_instruction_set():
    names = {row.name for row in OPCODES if row.use in "DB" and not row.name.startswith("(")}
    assert {row.opcode.name for row in COMMANDS} == names


def test_the_whole_conversation_of_the_thesis_stores_the_program_and_runs_it():
    desk = Desk()
    answers = [desk.say(line) for line in ("poll 8,0\n", "prgm 0\n", "stop 0\n", TWO_SECONDS, "plays 5\n")]
    assert answers == [b"e5 00 00", b"66", b"76", b"", b"a6"]
    assert desk.machine.running
    assert desk.machine.program.name == "robolab.lasm"
    desk.bench.step(3000)
    assert desk.machine.variable(0, 47) == 100
    assert not desk.machine.running


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\0"])
def test_lines_end_as_the_client_likes(end):
    desk = Desk()
    desk.say(TWO_SECONDS.replace("\n", end))
    desk.close()
    assert desk.machine.running


def test_a_program_is_handed_over_when_the_client_closes():
    desk = Desk()
    desk.say(TWO_SECONDS[:-1])  # without the end of its last line
    assert not desk.machine.running
    desk.close()
    assert desk.machine.running


def test_a_program_is_handed_over_after_a_pause():
    desk = Desk(quiet_ms=50)
    desk.say(TWO_SECONDS)
    for now_ms, runs in ((5, False), (50, False), (60, True)):
        desk.wait_until(now_ms)
        assert desk.machine.running is runs


def test_a_command_without_an_end_is_answered_after_a_pause():
    desk = Desk(quiet_ms=50)
    assert desk.say("poll 8,0") == b""
    assert (desk.wait_until(5), desk.wait_until(60), desk.wait_until(200)) == (b"", b"e5 00 00", b"")


def test_half_a_line_of_a_program_is_not_taken_after_a_pause():
    desk = Desk(quiet_ms=50)
    desk.say("task 0\nout 2")
    desk.wait_until(5)
    desk.wait_until(500)
    desk.say(",1\nendt\n")
    desk.close()
    assert desk.machine.program.tasks[0].code.hex() == "2181"


def test_tasks_and_subs_are_one_program():
    desk = Desk()
    desk.say("task 0\nstart 1\ncalls 2\nendt\nsub 2\nplays 1\nends\ntask 1\nout 2,1\nendt\nplays 5\n")
    assert sorted(desk.machine.program.tasks) == [0, 1]
    assert sorted(desk.machine.program.subs) == [2]


def test_a_second_program_replaces_the_first_one():
    desk = Desk()
    desk.say("task 0\nstart 1\nendt\ntask 1\nout 2,1\nendt\nplays 5\ntask 0\nout 2,4\nendt\nplays 5\n")
    assert {n: part.code.hex() for n, part in desk.machine.program.tasks.items()} == {0: "2184"}


def test_half_a_program_changes_nothing():
    desk = Desk()
    desk.say("task 0\nout 2,4\nendt\nplays 5\n")
    desk.say("task 0\nout 2,1\nwait 2")
    desk.close()
    assert desk.machine.program.tasks[0].code.hex() == "2184"
    assert desk.talk.counters()["dropped"] > 0


def test_a_program_is_only_stored_if_it_is_not_to_start():
    desk = Desk(start=False)
    desk.say(TWO_SECONDS + "plays 5\n")
    assert (desk.machine.running, list(desk.machine.program.tasks)) == (False, [0])
    assert desk.say("start 0\n") == b"86"
    assert desk.machine.running


def test_a_program_with_an_error_is_reported_with_its_line():
    desk = Desk()
    desk.say("task 0\nfly 1\nendt\nplays 5\n")
    notes = [news.text for news in desk.bench.unit.asks() if hasattr(news, "level")]
    assert any("robolab.lasm:2:1: unknown instruction 'fly'" in text for text in notes)


def test_a_line_that_is_too_long_spoils_only_its_own_program():
    desk = Desk()
    desk.say("task 0\n" + "x" * (LONGEST_LINE + 1) + "\nendt\nplays 5\n")
    assert not desk.machine.program.tasks
    assert desk.talk.counters()["refused"] == 1
    assert desk.say("poll 8,0\n") == b"e5 00 00"


def test_what_is_not_a_direct_command_is_not_answered():
    desk = Desk()
    assert desk.say("fly 1\njmpl 0\npoll\npoll 999,0\n\xff\xfe\n; nothing\n") == b""
    assert desk.talk.counters()["refused"] == 5
    assert desk.say("poll 8,0\n") == b"e5 00 00"


def test_a_web_page_cannot_load_a_program():
    desk = Desk()
    desk.say("POST / HTTP/1.1\r\nHost: localhost:4266\r\n\r\n" + TWO_SECONDS + "plays 5\n")
    assert (desk.talk.hung_up(), desk.talk.hung_up()) == (True, False)
    desk.close()
    assert not desk.machine.program.tasks
    desk.talk.opened()
    assert desk.say("poll 8,0\n") == b"e5 00 00"


def test_a_flood_of_junk_lines_is_refused_fast():
    desk = Desk()
    began = time.process_time()
    for _ in range(20):
        desk.say(b"x\n" * 1000 + b"task q\nendt\n" * 100)
    assert time.process_time() - began < 5.0
    assert desk.talk.counters()["refused"] > 15_000
    assert not desk.machine.program.tasks


def test_a_tower_on_the_same_port_is_answered_in_packets():
    desk = Desk()
    ping = packet(bytes([0x10]))
    assert desk.say(ping[:2]) == b""
    assert desk.say(ping[2:]) == packet(bytes([0xEF]))


@pytest.mark.parametrize(
    ("line", "word"), [("L1: L2: ENDT // x", "endt"), ("  ", ""), ("; endt", ""), ("Task 0", "task")]
)
def test_the_first_word_of_a_line_is_its_instruction(line, word):
    assert first_word(line) == word


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([b"task 0\n", b"endt\n", b"poll 8,0\n", b"sub 9\r"])))
)
def test_whatever_comes_in_after_it_a_new_client_is_answered(pieces):
    desk = Desk()
    for n, piece in enumerate(pieces):
        desk.say(piece)
        desk.wait_until(300 * n)
    desk.close()
    desk.talk.opened()
    assert desk.say("poll 8,0\n").startswith(b"e5 ") or not desk.machine.on


def test_a_request_has_its_toggle_bit_set():
    assert request_of("stop 3") == bytes([0x89, 3])


AHEAD = b"task 0\r\nout 2,5\r\nwait 2,100\r\nout 1,5\r\nendt\r\n"
SCENE = """
schema = 1
ground = {size_m = [6, 4]}
[[robot]]
name = "r"
model = "rcx-m4"
port.robolab = {unit = "rcx", protocol = "robolab", link = "tcp://127.0.0.1:0"}
"""


def address_of(sim):
    host, port = sim.ports.info()["r/robolab"].url.removeprefix("tcp://").rsplit(":", 1)
    return host, int(port)


def run_until(sim, reached):
    """Let time pass until *reached*: bytes of a socket arrive in their own time."""
    end_s = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < end_s, "waited too long"
        sim.run(0.02)


def answer(sim, client):
    """Return what the client receives."""
    client.settimeout(0.01)
    heard = []

    def received():
        with suppress(TimeoutError):
            heard.append(client.recv(100))
        return heard

    run_until(sim, received)
    return heard[0]


def test_robolab_downloads_over_tcp_and_the_robot_drives():
    with us.load_text(SCENE, ports=True) as sim:
        with socket.create_connection(address_of(sim), 5.0) as client:
            client.sendall(b"poll 8,0\r\n")
            assert answer(sim, client) == b"e5 00 00"
            client.sendall(AHEAD)
        run_until(sim, lambda: sim.robot("r").pose.x_m > 0.0)
        sim.run(2.0)
        assert sim.robot("r").pose.x_m == pytest.approx(0.527, abs=0.02)


def test_after_downloads_that_were_cut_off_the_next_one_is_complete():
    """The computer of the client crashes: its connection is reset in the middle of a program."""
    with us.load_text(SCENE, ports=True) as sim:

        def taken():
            return sim.ports.info()["r/robolab"].connected

        for _ in range(2):
            with socket.create_connection(address_of(sim), 5.0) as client:
                client.sendall(b"task 0\r\nout 0,7\r\nwait 2,")
                run_until(sim, taken)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            run_until(sim, lambda: not taken())
        assert not sim.robot("r").panel("rcx").program
        with socket.create_connection(address_of(sim), 5.0) as client:
            client.sendall(AHEAD + b"plays 5\r\n")
            assert answer(sim, client) == b"a6"
        sim.run(0.5)
        assert sim.robot("r").pose.x_m > 0.2


def test_the_tape_of_a_download_over_tcp_replays(tmp_path):
    (tmp_path / "x.toml").write_text(SCENE)
    with us.load(tmp_path / "x.toml", tape=tmp_path / "x.tape", ports=True) as sim:
        with socket.create_connection(address_of(sim), 5.0) as client:
            client.sendall(b"poll 8,0")  # without an end: it is answered after a pause
            assert answer(sim, client) == b"e5 00 00"
            client.sendall(AHEAD)
        run_until(sim, lambda: sim.robot("r").pose.x_m > 0.1)
    assert us.replay(tmp_path / "x.tape").mismatch is None
