"""The verb ``mobilesim``: exit codes, log files, a client on its port; few processes, for they are slow to start."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from understudy.cli import main, mobilesim_process
from understudy.cli.logs import FORMS, Seldom, Stamp
from understudy.cli.mobilesim_process import MOST_CRASHES, is_crash, supervise
from understudy.mobilesim import codes
from understudy.sim.sim import Sim
from understudy.tape import Tape

SYNC = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002")
ROOM = """\
2D-Map
Cairn: RobotHome 1000 1500 90 "" ICON "Home"
LINES
-5000 -5000 5000 -5000
5000 5000 -5000 5000
DATA
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # what is compiled is kept in the real home; MobileSim's folder shall not be
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOBILESIM", raising=False)
    (tmp_path / "room.map").write_text(ROOM)
    return tmp_path


def quick(*words):
    return main(["mobilesim", "-p", "0", "--seconds", "0.2", "--speed", "max", *words])


# ---- a run


def test_it_says_who_listens_where_and_how_to_let_others_in(here, capsys):
    assert quick("-m", "room.map", "-r", "p3dx:scout", "-r", "box", "-R", "amigo") == 0
    said = capsys.readouterr().err
    assert "room: scout (p3dx); seed 0" in said
    assert "scout/host listens on tcp://127.0.0.1:" in said
    assert "amigo-1: every client on tcp://127.0.0.1:" in said
    assert "use --bind-to-address 0.0.0.0 to allow other machines" in said


def test_an_option_without_effect_is_explained_in_one_line(here, capsys):
    assert quick("-fullscreen-gui", "--resolution", "20") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "warning:" in line]
    reported = [line.partition("warning: ")[2].partition(":")[0] for line in lines]
    assert [words for words in reported if words.startswith("--")] == ["--fullscreen-gui", "--resolution"]


def test_seed_and_tape_are_ours(here):
    assert quick("--seed", "5", "--tape", "a.tape") == 0
    assert Tape("a.tape").header["seed"] == 5


def test_the_folder_is_changed_first(here, tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "room.map").rename(tmp_path / "maps" / "other.map")
    assert quick("--cwd", "maps", "-m", "other.map", "-l", "sim.log") == 0
    assert "other: p3dx-1" in (tmp_path / "maps" / "sim.log").read_text()


def test_a_taken_port_gives_way_to_the_next_and_is_reported(here, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["mobilesim", "-p", str(port), "--seconds", "0.1", "--speed", "max"]) == 0
    assert f"port {port} is in use by another program" in capsys.readouterr().err


def test_the_help_lists_options_and_exit_codes(capsys):
    with pytest.raises(SystemExit) as done:
        main(["mobilesim", "--help"])
    said = capsys.readouterr().out
    assert done.value.code == 0
    assert "--robot-factory" in said
    assert "248 a TCP port cannot be opened" in " ".join(said.split())


def test_the_verb_may_be_written_as_the_program_was(here, capsys):
    assert main(["MobileSim", "-p", "0", "--seconds", "0.1", "--speed", "max", "-m", "room.map"]) == 0
    assert "listens on" in capsys.readouterr().err


# ---- exit codes


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--nonsense"], codes.ARGUMENTS, "unrecognized arguments: --nonsense"),
        (["--cwd", "nowhere"], codes.ARGUMENTS, "--cwd nowhere: No such file"),
        (["-r", "p3dxx"], codes.ARGUMENTS, "no such robot 'p3dxx'"),
        (["-l", "nowhere/sim.log"], codes.TEMPORARY_FILE, "--log-file nowhere/sim.log: No such file"),
        (["--tape", "nowhere/a.tape"], codes.TEMPORARY_FILE, "--tape nowhere/a.tape"),
        (["-m", "none.map"], codes.MAP, "none.map: map not found; searched"),
        (["-W", "none.world"], codes.START, "none.world: cannot be read"),
        (["-r", "none.p"], codes.PARAMETERS, "cannot read the robot file 'none.p'"),
        (["-r", "bare.toml"], codes.EMULATION, "bare-1 is not a Pioneer: it has no port with the protocol arcos"),
        (["--bind-to-address", "192.0.2.1"], codes.SOCKET, "is not an address of this machine"),
    ],
)
def test_what_goes_wrong_has_mobilesims_exit_code(here, tmp_path, capsys, words, code, said):
    (tmp_path / "bare.toml").write_text('[robot]\nlike = "p3dx"\n[port]\nhost = false\n')
    assert quick(*words) == code
    assert said in capsys.readouterr().err


def test_a_crash_is_logged_with_its_place(here, capsys, monkeypatch):
    def fail(self):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(Sim, "_tick", fail)
    assert quick() == codes.CRASH
    assert "ZeroDivisionError: a fault of ours" in capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):
        quick("--disable-crash-handler")


def command(*words):
    return [sys.executable, "-m", "understudy", "mobilesim", *words]


def test_a_process_ends_with_the_code(here):
    done = subprocess.run(command("-m", "none.map"), capture_output=True, text=True, timeout=120)
    assert done.returncode == codes.MAP


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGHUP", None)])
def test_a_watched_process_serves_a_client_and_ends_with_its_parent(here, number):
    words = command("--noninteractive", "-p", "0", "-l", "sim.log", "--tape", "a.tape")
    with subprocess.Popen(words, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as parent:
        port = 0
        waiting = threading.Event()
        for _ in range(1200):
            text = (here / "sim.log").read_text() if (here / "sim.log").exists() else ""
            if "only programs on this machine" in text:
                port = int(text.partition("tcp://127.0.0.1:")[2].split()[0])
                break
            waiting.wait(0.1)
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
                client.sendall(SYNC)
                assert client.recv(6) == SYNC[:6]
            parent.send_signal(number)
            assert parent.wait(60) == 0
        finally:
            parent.terminate()
    assert "s simulated" in (here / "sim.log").read_text()
    assert Tape(here / "a.tape").end()["reason"] == "closed"


# ---- starting again


def ends(*codes_):
    left = list(codes_)
    return lambda again: left.pop(0)


def test_after_a_crash_it_is_started_again(caplog):
    assert supervise(ends(codes.CRASH, -11, 7)) == 7


def test_only_a_new_start_knows_that_it_is_one(caplog):
    reported, left = [], [codes.CRASH, 0]

    def start(again):
        reported.append(again)
        return left.pop(0)

    supervise(start)
    assert reported == [False, True]


def test_after_many_crashes_in_a_row_it_is_given_up(caplog):
    assert supervise(ends(*[codes.CRASH] * MOST_CRASHES), now_s=lambda: 0.0) == codes.CRASH


def test_crashes_far_apart_are_forgiven(caplog):
    times = iter(range(0, 100_000, 50))
    assert supervise(ends(*[codes.CRASH] * 20, 0), now_s=lambda: float(next(times))) == 0


@pytest.mark.parametrize(
    ("code", "crash"), [(0, False), (236, True), (253, False), (3, False), (-11, True), (-15, False), (-2, False)]
)
def test_a_crash_is_distinguished_from_an_end(code, crash):
    assert is_crash(code) is crash


def test_in_the_background_it_is_the_same_command_without_that_word(monkeypatch):
    seen = []

    class Fake:
        pid = 42

        def __init__(self, words, **settings):
            seen.extend(words)

    monkeypatch.setattr(mobilesim_process.subprocess, "Popen", Fake)
    assert mobilesim_process.to_background(["-r", "p3dx", "-daemonize"]) == 42
    assert seen[-3:] == ["mobilesim", "-r", "p3dx"]


# ---- logs


def test_a_log_file_that_grows_is_put_aside_and_five_are_kept(here):
    words = ["-l", "sim.log", "--log-file-max-size", "1000", "--log-movement-sent", "--log-packets-received"]
    for _ in range(12):
        assert quick(*words) == 0
    assert sorted(file.name for file in here.glob("sim.log*")) == ["sim.log", *(f"sim.log.{n}" for n in range(1, 5))]


def test_html_messages_are_paragraphs_with_their_level(here, capsys):
    assert quick("--html", "--fullscreen-gui") == 0
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("<p class=") and line.endswith("</p>") for line in lines)
    assert any('class="warning"' in line for line in lines)


def test_html_is_escaped():
    record = logging.LogRecord("a", logging.INFO, "", 0, "x < %s", ("<b>",), None)
    assert "x &lt; &lt;b&gt;" in FORMS["html"](Stamp()).format(record)


def test_the_same_message_comes_once_a_minute():
    seldom = Seldom()

    def says(text, at):
        record = logging.LogRecord("a", logging.INFO, "", 0, text, (), None)
        record.created = at
        return seldom.filter(record)

    assert [says("a", 0.0), says("a", 30.0), says("b", 30.0), says("a", 61.0)] == [True, False, True, True]


def test_timing_is_reported_periodically(here, capsys):
    assert quick("--log-timing-stats", "0.001") == 0
    assert "timing: 0." in capsys.readouterr().err


def test_verbose_tells_what_each_robot_is(here, capsys):
    assert quick("--verbose", "-m", "room.map", "-r", "p3dx-sh") == 0
    said = capsys.readouterr().err
    assert (
        "debug: p3dx-sh-1: subtype p3dx-sh; starts at 1000, 1500 mm, 90 deg; has front (laser), sonar (sonar)" in said
    )


# ---- its window


@pytest.mark.parametrize(
    ("words", "display", "opened"),
    [
        ((), True, [False]),
        (("--noninteractive", "--no-crash-restart"), True, [False]),
        (("--minimize-gui",), True, [True]),
        (("--no-gui",), True, []),
        (("-nographics",), True, []),
        ((), False, []),
        (("--studio",), False, [False]),
    ],
)
def test_the_studio_opens_as_mobilesims_window_did(here, monkeypatch, words, display, opened):
    from understudy.cli import studio
    from understudy.errors import LinkError

    asked = []

    def open_studio(options, page=None):
        asked.append(options.no_browser)
        raise LinkError("no port is free")

    monkeypatch.setattr(studio, "open_studio", open_studio)
    monkeypatch.setattr(studio, "can_show", lambda: display)
    monkeypatch.setattr(Sim, "run", lambda self, seconds: None)
    assert main(["mobilesim", "-p", "0", "-m", "room.map", *words]) == 0  # it runs without a window
    assert asked == opened
