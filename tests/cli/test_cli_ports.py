import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing

import pytest
import serial
from contracts.link_contract import ALL_BYTES, PATIENCE_S, wait_until
from scenes import pioneer_model, robot, room

from understudy.cli import main
from understudy.cli import ports as verb
from understudy.links import directory
from understudy.links.directory import Instance, PortEntry
from understudy.sim import ports as sim_ports
from understudy.sim.null_modem import HOLD_BACK, NullModem
from understudy.sim.sim import Sim

GPS = PortEntry("scout/gps", "nmea", "/run/gps", "receiver", "nmea_gps", ("gps", "clock"), True, 12, 3456, 7)
TERMINALS = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "understudy"


def test_a_row_names_robot_unit_devices_counters_and_address():
    head, row = verb.table([Instance(42, (GPS,))]).splitlines()
    assert head.split() == list(verb.HEAD)
    assert re.split(" {2,}", row) == [
        "scout/gps", "nmea", "receiver (nmea_gps)", "gps, clock", "yes", "12", "3,456", "7", "/run/gps", "42",
    ]  # fmt: skip


def test_columns_are_aligned():
    short = PortEntry("a/b", "arcos", "tcp://127.0.0.1:8101")
    lines = verb.table([Instance(42, (GPS, short))]).splitlines()
    assert len({line.index(url) for line, url in zip(lines, ("address", "/run/gps", "tcp://"))}) == 1


def test_the_ports_of_a_run_are_listed_with_what_is_behind_them(capsys):
    with Sim(room(robot("pioneer", parts=pioneer_model())), seed=1) as sim:
        sim.open_ports()
        assert main(["ports"]) == 0
    rows = [re.split(" {2,}", line) for line in capsys.readouterr().out.splitlines()]
    assert rows[1][:5] == ["pioneer/host", "arcos", "arcos (pioneer)", "sonar, wheels", "no"]


def test_the_counters_of_a_run_follow_its_clients(monkeypatch):
    monkeypatch.setattr(sim_ports, "PUBLISH_S", 0.0)
    monkeypatch.setattr(sim_ports, "PUBLISH_SHARE", 1e9)
    with Sim(room(robot("pioneer", parts=pioneer_model())), seed=1) as sim:
        sim.open_ports()
        client = sim.ports.link("pioneer/host").client()
        client.send(bytes.fromhex("FAFB03000000"))
        sim.step(3)
        (instance,) = directory.running()
        (port,) = instance.ports
        assert (port.connected, port.received, port.sent) == (True, 6, len(client.receive()))
        assert port.sent > 0


def test_counters_that_cannot_be_written_do_not_stop_the_run(monkeypatch, runtime, caplog):
    monkeypatch.setattr(sim_ports, "PUBLISH_S", 0.0)
    monkeypatch.setattr(sim_ports, "PUBLISH_SHARE", 1e9)
    with Sim(room(robot("pioneer", parts=pioneer_model())), seed=1) as sim:
        sim.open_ports()
        sim.ports.link("pioneer/host").client()
        monkeypatch.setattr(directory, "publish", full_disk)
        sim.step(3)
    assert [record.message for record in caplog.records if "no longer published" in record.message] == [
        "the counters of the ports are no longer published: cannot write: No space left"
    ]


def full_disk(ports, run):
    raise sim_ports.LinkError("cannot write: No space left")


def test_a_run_without_ports_leaves_no_note(runtime):
    with Sim(room(), seed=1) as sim:
        sim.open_ports()
    assert list(runtime.glob("*.json")) == []


def test_watching_prints_again_until_it_is_interrupted(monkeypatch, capsys):
    seen = []

    def running():
        seen.append(1)
        if len(seen) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return [Instance(42, (GPS,))]

    monkeypatch.setattr(verb, "WATCH_S", 0.01)
    monkeypatch.setattr(directory, "running", running)
    assert main(["ports", "--watch"]) == 0
    assert capsys.readouterr().out.count("scout/gps") >= 3


# ---- a null modem


@pytest.fixture
def modem():
    modem = NullModem("left", "right")
    with closing(modem):
        modem.open()
        yield modem


@pytest.fixture
def ends(modem):
    with ExitStack() as stack:
        left, right = (stack.enter_context(serial.Serial(info.url, 9600, timeout=5)) for info in modem.infos())
        wait_until(lambda: all(info.connected for info in modem.infos()))
        yield left, right


@TERMINALS
def test_two_programs_talk_through_a_null_modem(ends):
    left, right = ends
    for one, other in ((left, right), (right, left)):
        one.write(ALL_BYTES * 4)
        assert other.read(1024) == ALL_BYTES * 4


@TERMINALS
def test_programs_at_different_baud_rates_do_not_understand_each_other(ends):
    left, right = ends
    right.baudrate = 38_400  # the system does not tell of this
    left.write(b"hello")
    assert right.read(1) not in (b"h", b"")


@TERMINALS
@pytest.mark.parametrize("turn", range(5))
def test_what_is_sent_as_soon_as_both_ports_are_open_arrives(modem, turn):
    with ExitStack() as stack:
        left, right = (stack.enter_context(serial.Serial(info.url, 9600, timeout=5)) for info in modem.infos())
        left.write(ALL_BYTES)
        assert right.read(256) == ALL_BYTES
        right.write(ALL_BYTES)
        assert left.read(256) == ALL_BYTES


@TERMINALS
def test_a_program_that_sends_faster_than_the_other_reads_has_to_wait(ends, modem):
    left, right = ends
    data, sent, got = ALL_BYTES * 1000, 0, b""
    os.set_blocking(left.fileno(), False)
    end_s = time.monotonic() + PATIENCE_S
    while len(got) < len(data):
        assert time.monotonic() < end_s, f"{sent} bytes sent, {len(got)} received"
        try:
            sent += os.write(left.fileno(), data[sent : sent + 50_000])
        except BlockingIOError:
            got += right.read(1000)
        modem.relieve()
        got += right.read(right.in_waiting)
    assert got == data
    assert modem.infos()[1].dropped == 0


@TERMINALS
def test_nothing_is_lost_when_much_is_sent_before_the_other_begins_to_read(ends, modem):
    left, right = ends
    data = ALL_BYTES * 300
    sender = threading.Thread(target=left.write, args=(data,), daemon=True)
    sender.start()
    wait_until(lambda: modem.infos()[1].waiting > HOLD_BACK)
    relieving = threading.Event()

    def relieve():
        while not relieving.wait(NullModem.LOOK_S):
            modem.relieve()

    helper = threading.Thread(target=relieve, daemon=True)
    helper.start()
    assert right.read(len(data)) == data
    relieving.set()
    sender.join(10)
    helper.join(10)
    assert modem.infos()[1].dropped == 0


@TERMINALS
def test_what_is_sent_to_nobody_is_lost_and_counted(modem):
    with serial.Serial(modem.infos()[0].url, 9600) as left:
        left.write(b"hello")
        wait_until(lambda: modem.infos()[1].dropped == 5)


@TERMINALS
def test_a_reader_that_leaves_does_not_block_the_other_for_good(ends, modem):
    left, right = ends
    os.set_blocking(left.fileno(), False)
    try:
        while True:
            os.write(left.fileno(), b"x" * 1000)
    except BlockingIOError:
        right.close()
    wait_until(lambda: not modem.infos()[1].connected)
    wait_until(lambda: (modem.relieve(), modem._held == [False, False])[1])
    wait_until(lambda: modem.infos()[1].dropped > 0)


@TERMINALS
def test_a_null_modem_runs_until_it_is_interrupted_and_leaves_nothing(runtime):
    command = [sys.executable, "-m", "understudy", "ports", "pair", "one", "two"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline()
        assert said == f"null modem between {runtime}/one and {runtime}/two; Ctrl-C ends it\n"
        with serial.Serial(f"{runtime}/one", timeout=0.1) as one, serial.Serial(f"{runtime}/two") as two:
            # a program that only listens is noticed a moment after it opens the port; until then bytes are lost
            wait_until(lambda: (two.write(b"hello"), one.read(5))[1] == b"hello")
        wait_until(lambda: bool(directory.running()))
        assert [port.url for port in directory.running()[0].ports] == [f"{runtime}/one", f"{runtime}/two"]
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)
    finally:
        process.kill()
        process.communicate()
    assert list(runtime.iterdir()) == []


@TERMINALS
def test_a_bad_name_is_refused(capsys):
    assert main(["ports", "pair", "../a", "b"]) == 1
    assert "want pty:NAME" in capsys.readouterr().err
