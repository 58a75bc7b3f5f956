import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.requirements import Requirement

from understudy.assets import fence
from understudy.cli import main
from understudy.clients import understudy_seat
from understudy.tape import Tape

ROOM = """
schema = 1
ground = {size_m = [6, 4], walled = true}
[[robot]]
model = "scout"
name = "scout"
"""

LAB = "2D-Map\nLineMinPos: 0 0\nLineMaxPos: 9000 9000\nNumLines: 1\nLINES\n0 0 9000 9000\nDATA\n"


@pytest.fixture
def room(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "room.toml").write_text(ROOM)
    return tmp_path


def quick(*more):
    return ["run", "room.toml", "--seconds", "0.5", "--speed", "max", "--no-ports", *more]


def test_a_run_says_what_it_did(room, capsys):
    assert main(quick()) == 0
    said = capsys.readouterr().err
    assert "room: scout; planar engine, seed 0" in said
    assert "0.500 s simulated, 100 ticks, hash" in said


def test_a_bare_map_gets_a_robot_and_is_read_once(room, monkeypatch, capsys):
    (room / "lab.map").write_text(LAB)
    read, files = fence.read_bytes, []
    monkeypatch.setattr(fence, "read_bytes", lambda path, *most: files.append(path.name) or read(path, *most))
    assert main(["run", "lab.map", "--seconds", "0.1", "--speed", "max", "--no-ports"]) == 0
    assert "lab: p3dx-1; planar" in capsys.readouterr().err
    assert files == ["lab.map"]


def test_a_command_in_a_scene_is_run_only_with_trust_and_check_says_so(room, capsys):
    (room / "go.py").write_text("from understudy_seat import connect\nconnect().wait(9)\n")
    (room / "room.toml").write_text(f'{ROOM}program = {{command = ["{sys.executable}", "go.py"]}}\n')
    assert main(["check", "room.toml"]) == 0
    assert "starts a process; run needs --trust" in capsys.readouterr().out
    assert main(quick()) == 1
    assert "go.py': run it with --trust (trust=True)" in capsys.readouterr().err
    assert main(quick("--trust")) == 0


def test_a_program_of_another_process_takes_a_seat(room, capsys):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    thread = threading.Thread(target=visit, args=(address,))
    thread.start()
    assert main(quick("--seat", "scout", "--seats-at", address, "--tape", "a")) == 0
    thread.join()
    assert f"seats are open at {address}" in capsys.readouterr().err
    assert [item[3] for entry in Tape("a").entries() for item in entry.items] == ["seat:scout"]


def visit(address):
    """Take the seat of scout as soon as there is one, and let it drive until the run is over."""
    while True:
        try:
            robot = understudy_seat.connect(address, "scout")
            break
        except ConnectionRefusedError:
            continue
    robot.drive(0.2)
    with contextlib.suppress(understudy_seat.RunOver):
        robot.wait(9.0)


def test_messages_can_be_json(room, capsys):
    assert main(quick("--log", "json")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert {"t_s", "level", "from", "text"} == set(lines[0])


def test_a_tape_is_recorded_replayed_and_compared(room, capsys):
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert main(quick("--tape", name, "--seed", seed)) == 0
    assert main(["replay", "a"]) == 0
    assert "100 ticks replayed" in capsys.readouterr().out
    assert main(["diff", "a", "b"]) == 0
    assert main(["diff", "a", "c"]) == 1
    assert "tick 0: seed: 1 and 2" in capsys.readouterr().out


def test_a_program_is_given_on_the_command_line(room, capsys):
    (room / "go.py").write_text("def main(robot):\n    robot.drive(0.5)\n    robot.wait(9)\n")
    assert main(quick("--program", "scout=go.py", "--tape", "a")) == 0
    assert any(entry.items for entry in Tape("a").entries())


def test_a_program_for_an_unknown_robot_is_refused(room, capsys):
    assert main(quick("--program", "skout=go.py")) == 1
    assert capsys.readouterr().err.strip() == "understudy: no robot is named 'skout' (did you mean 'scout'?)"


def test_a_run_is_saved_and_goes_on(room, capsys):
    assert main(quick("--save", "half.run")) == 0
    assert main(["run", "--restore", "half.run", "--seconds", "0.5", "--speed", "max", "--no-ports"]) == 0
    said = capsys.readouterr().err
    assert "half: scout" in said
    assert "1.000 s simulated, 200 ticks" in said


def test_a_profile_names_the_phases(room, capsys):
    assert main(quick("--profile")) == 0
    said = capsys.readouterr().out
    assert "3 engine" in said
    assert "us/tick" in said


def test_a_missing_scene_is_one_line(room, capsys):
    assert main(["run", "gone.toml"]) == 1
    assert capsys.readouterr().err == "understudy: gone.toml: cannot be read (No such file or directory)\n"


def test_errors_in_a_scene_are_reported_line_by_line_and_nothing_is_run(room, capsys):
    (room / "room.toml").write_text(ROOM + "x_n = 3\nmodel2 = 1\n")
    assert main(quick()) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("room.toml:7: robot[0].x_n: unknown key")
    assert said[-1] == "understudy: 2 errors; nothing was run"


@pytest.mark.parametrize(
    "argv",
    [
        ["frobnicate"],
        ["run", "--speed", "slow"],
        ["run", "--seconds", "-1"],
        ["run", "--program", "x"],
        ["diff", "a"],
    ],
)
def test_misuse_exits_with_2(argv, capsys):
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 2


def test_check_reports_good_or_every_error(room, capsys):
    assert main(["check", "room.toml"]) == 0
    assert capsys.readouterr().out == "room.toml: good\n"
    (room / "bad.toml").write_text("schema = 2\n")
    assert main(["check", "room.toml", "bad.toml"]) == 1
    assert "bad.toml:1: schema:" in capsys.readouterr().err


def test_an_engine_that_is_not_installed_says_how_to_get_it(room, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert main(quick("--engine", "rigid")) == 1
    assert "pip install 'understudy[rigid]'" in capsys.readouterr().err


def test_convert_writes_a_scene_that_runs(room, capsys):
    assert main(["convert", "room.toml", "copy.toml"]) == 0
    assert main(["check", "copy.toml"]) == 0
    assert main(["convert", "room.toml", "copy.xyz"]) == 1
    assert "no format writes .xyz" in capsys.readouterr().err


MAP = """2D-Map
Cairn: RobotHome 1000 500 0 "" ICON "Home"
LINES
-5000 0 5000 -4000
oops
DATA
"""


def test_a_map_is_run_with_a_pioneer_at_its_home(room, capsys):
    (room / "lab.map").write_text(MAP)
    assert main(["run", "lab.map", "--seconds", "0.1", "--speed", "max", "--no-ports"]) == 0
    said = capsys.readouterr().err
    assert "warning: lab.map:5: not a wall: 'oops' (want x1 y1 x2 y2)" in said
    assert "lab: p3dx-1; planar engine, seed 0" in said


def test_a_map_is_run_with_the_robots_that_are_asked_for(room, capsys):
    (room / "lab.map").write_text(MAP)
    argv = [
        "run",
        "lab.map",
        "--robot",
        "scout:a",
        "--robot",
        "p3at",
        "--seconds",
        "0.1",
        "--speed",
        "max",
        "--no-ports",
    ]
    assert main(argv) == 0
    assert "lab: a, p3at-1; planar" in capsys.readouterr().err


def test_a_scene_without_robots_stays_so(room, capsys):
    (room / "bare.toml").write_text("schema = 1\n")
    assert main(["run", "bare.toml", "--seconds", "0.1", "--speed", "max", "--no-ports"]) == 0
    assert "bare: no robots; planar" in capsys.readouterr().err


def test_check_tells_what_is_odd_in_a_good_map(room, capsys):
    (room / "lab.map").write_text(MAP)
    assert main(["check", "lab.map"]) == 0
    said = capsys.readouterr()
    assert said.out == "lab.map: good, 1 warning\n"
    assert said.err == "lab.map:5: not a wall: 'oops' (want x1 y1 x2 y2)\n"


def test_many_warnings_are_cut_short(room, capsys):
    (room / "lab.map").write_text(MAP + "x\n" * 40)
    assert main(["check", "lab.map"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "... and 21 more warnings"


def test_convert_says_what_does_not_come_along(room, capsys):
    assert main(["convert", "room.toml", "room.map"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "room.map: written",
        "not converted, or converted to another form:",
        "  scout: maps do not store robots",
        "  the start pose of scout is written as the map's RobotHome",
    ]
    assert main(["check", "room.map"]) == 0


def test_convert_adds_lines_to_a_map(room, capsys):
    (room / "lab.map").write_text(MAP)
    (room / "yard.wld").write_text("0 0 7 7\n")
    assert main(["convert", "yard.wld", "--into", "lab.map"]) == 0
    assert capsys.readouterr().out == "lab.map: written, with 1 line of yard.wld\n"
    assert "oops\n0 0 7 7\nDATA" in (room / "lab.map").read_text()
    assert main(["convert", "yard.wld", "copy.map", "--into", "lab.map"]) == 0
    assert (room / "copy.map").read_text().count("\n0 0 7 7") == 2


def test_convert_without_a_target_says_what_to_give(room, capsys):
    assert main(["convert", "room.toml"]) == 1
    assert "give OUT, or --into MAP to add the lines to a map" in capsys.readouterr().err


def test_the_schema_is_json(room, capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["type"] == "object"


def test_the_catalogue_lists_robots_and_their_cards(room, capsys):
    assert main(["catalog"]) == 0
    assert "p3dx" in capsys.readouterr().out
    assert main(["card", "p3dx"]) == 0
    said = capsys.readouterr().out
    assert "not modelled" in said
    assert "  - unit.arcos.dist_factor = 0.485: parameter file" in said
    assert main(["card", "p3dy"]) == 1
    said = capsys.readouterr().err
    assert said == "understudy: unknown robot, device or kind of sensor 'p3dy' (did you mean 'p3dx'?)\n"


def test_the_catalogue_lists_devices_and_their_cards(room, capsys):
    assert main(["catalog", "--devices"]) == 0
    assert "ping             sonar        Parallax PING" in capsys.readouterr().out
    assert main(["card", "ping"]) == 0
    said = capsys.readouterr().out
    assert "  - max_m = 3.0: data sheet: 3 m" in said
    assert "  - lobes = 3 entries: estimate" in said
    assert "not modelled" in said
    assert main(["card", "infrared"]) == 0
    assert "max_m = 0.8: Sharp GP2D12 data sheet" in capsys.readouterr().out


def test_examples_are_listed_copied_and_run(room, capsys):
    assert main(["examples"]) == 0
    assert "office" in capsys.readouterr().out
    assert main(["examples", "copy", "office", "mine"]) == 0
    assert (room / "mine" / "office.toml").exists()
    assert (room / "mine" / "wander.py").exists()
    assert main(["check", "mine/office.toml"]) == 0
    assert main(["examples", "copy", "office", "mine"]) == 1
    assert "exists already; choose another folder" in capsys.readouterr().err
    assert main(["examples", "run", "maze", "--seconds", "0.1", "--speed", "max", "--no-ports"]) == 0
    assert main(["examples", "run", "mase"]) == 1


def test_an_example_with_a_folder_of_its_own_is_copied_with_that_folder(room, capsys):
    assert main(["examples", "copy", "json/room", "mine"]) == 0
    names = {path.name for path in (room / "mine" / "json").iterdir()}
    assert {"room.toml", "drive.c", "drive.java", "drive.py", "drive.sh"} == names
    assert main(["check", "mine/json/room.toml"]) == 0
    assert main(["examples", "copy", "all", "mine"]) == 1
    assert "unknown example 'all'" in capsys.readouterr().err


def test_all_examples_are_copied_together(room):
    assert main(["examples", "copy"]) == 0
    assert {"office.toml", "wander.py", "controller", "json"} <= {path.name for path in room.iterdir()}


def test_the_doctor_finds_everything_that_is_needed(room, capsys):
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "ok       numba" in said
    assert "missing" not in said
    assert "camera images: " in said


def test_the_doctor_calls_every_package_of_an_extra_optional(room, capsys, monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("understudy.cli.doctor.version", absent)
    main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    needed = {line.split()[1].rstrip(":") for line in lines if line.startswith("  missing ")}
    assert needed == {Requirement(text).name for text in requires("understudy") if not Requirement(text).marker}
    assert "  optional pandas: pip install 'understudy[data]'" in lines
    assert not [line for line in lines if "mkdocs" in line]


def test_the_doctor_says_why_modem_lines_are_not_answered(room, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(room))
    main(["doctor"])
    assert "note     modem lines of serial ports: no C compiler found" in capsys.readouterr().out


def test_the_doctor_says_why_rays_make_the_pictures(room, capsys, monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "disable")
    assert main(["doctor"]) == 0
    assert "note     camera images: built-in ray casting (MUJOCO_GL=disable disables OpenGL)" in capsys.readouterr().out


def test_no_ports_are_listed_when_nothing_runs_here(room, capsys, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(room))
    assert main(["ports"]) == 0
    assert "no simulation with open ports is running" in capsys.readouterr().out


STARTED = []


@pytest.fixture(autouse=True)
def no_process_is_left():
    yield
    while STARTED:
        process = STARTED.pop()
        process.kill()
        process.communicate()


def start(room, *more):
    env = {**os.environ, "XDG_RUNTIME_DIR": str(room)}
    command = [sys.executable, "-u", "-m", "understudy", "run", "port.toml", "--tape", "a.tape", *more]
    process = subprocess.Popen(command, cwd=room, env=env, stderr=subprocess.PIPE, text=True)
    STARTED.append(process)
    said = []
    for line in process.stderr:
        said.append(line)
        if "host listens on" in line:
            return process, said
    raise AssertionError("".join(said))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no polite signal to send")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_cleanly_and_nothing_is_lost(room, capsys, monkeypatch, number):
    (room / "port.toml").write_text(ROOM.replace("scout", "p3dx") + 'port.host.link = "tcp://127.0.0.1:0"\n')
    process, _ = start(room)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(room))
    assert main(["ports"]) == 0
    assert f"  {process.pid}\n" in capsys.readouterr().out
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 0
    assert "simulated" in said
    assert Tape(room / "a.tape").end()["reason"] == "closed"
    assert main(["ports"]) == 0
    assert "no simulation" in capsys.readouterr().out
    assert main(["replay", "a.tape"]) == 0


def test_a_port_that_is_taken_is_said_with_its_owner_and_nothing_is_run(room, capsys):
    (room / "port.toml").write_text(ROOM.replace("scout", "p3dx") + 'port.host.link = "tcp://127.0.0.1:0"\n')
    process, said = start(room)
    try:
        number = next(line for line in said if "host listens on" in line).strip().rpartition(":")[2]
        (room / "port.toml").write_text(
            ROOM.replace("scout", "p3dx") + f'port.host.link = "tcp://127.0.0.1:{number}"\n'
        )
        assert main(["run", "port.toml", "--seconds", "1"]) == 1
        assert f"tcp port {number} is in use by" in capsys.readouterr().err
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_a_tape_does_not_overwrite_the_scene_nor_any_other_file_that_is_no_tape(room, capsys):
    (room / "notes.txt").write_text("precious")
    for name in ("room.toml", "notes.txt"):
        before = (room / name).read_bytes()
        assert main(quick("--tape", name)) == 1
        said = capsys.readouterr().err
        assert said == f"understudy: {name}: exists and is not a tape, so it is not overwritten; choose another name\n"
        assert (room / name).read_bytes() == before


def test_a_tape_is_recorded_over_an_old_one(room):
    for _ in range(2):
        assert main(quick("--tape", "a.tape")) == 0
    assert Tape("a.tape").last_tick() == 100


@pytest.mark.parametrize(("target", "reason"), [
    ("room.toml", "exists and is not a saved run"), (".", "is a folder"), ("no/where.run", "folder no does not exist"),
])  # fmt: skip
def test_where_a_run_is_to_be_saved_is_checked_before_it_runs(room, capsys, target, reason):
    assert main(quick("--save", target, "--tape", "a.tape")) == 1
    assert reason in capsys.readouterr().err
    assert not (room / "a.tape").exists()
    assert (room / "room.toml").read_text() == ROOM


def test_tape_and_saved_run_cannot_be_one_file(room, capsys):
    assert main(quick("--tape", "a", "--save", "./a")) == 1
    assert "need two different files" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["beam", "ping"], ["compare", "room.toml", "--seconds", "0.1"]])
def test_a_drawing_does_not_overwrite_a_scene(room, capsys, argv):
    assert main([*argv, "--svg", "room.toml"]) == 1
    assert "exists and is not an SVG drawing" in capsys.readouterr().err
    assert (room / "room.toml").read_text() == ROOM


@pytest.mark.skipif(sys.platform == "win32", reason="there are no hang-ups")
def test_a_lost_terminal_ends_the_run_and_the_tape_has_its_end(room):
    (room / "port.toml").write_text(ROOM.replace("scout", "p3dx") + 'port.host.link = "tcp://127.0.0.1:0"\n')
    process, _ = start(room, "--save", "a.run")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGHUP
    assert Tape(room / "a.tape").end()["reason"] == "closed"
    assert (room / "a.run").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_lost_terminal_under_the_terminal_view_ends_the_run_too(room):
    import pty

    main_end, other_end = pty.openpty()
    command = [sys.executable, "-m", "understudy", "run", "room.toml", "--view", "terminal", "--tape", "a.tape"]
    env = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(
        [*command, "--no-ports"], cwd=room, env=env, stdin=other_end, stdout=other_end, stderr=other_end,
        start_new_session=True, preexec_fn=take_terminal,
    )  # fmt: skip
    os.close(other_end)
    said = b""
    while b"scout" not in said:
        said += os.read(main_end, 4096)
    os.close(main_end)
    assert process.wait(60) == 128 + signal.SIGHUP
    assert Tape(room / "a.tape").end()["reason"] == "closed"


def take_terminal():
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no hang-ups")
def test_a_run_under_nohup_outlives_its_terminal(room):
    script = (
        "import signal, sys\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from understudy.cli import main\nfrom understudy.sim.sim import Sim\nold = Sim._tick\n"
        "def tick(self):\n    old(self)\n    signal.raise_signal(signal.SIGHUP)\n"
        "Sim._tick = tick\nsys.exit(main(sys.argv[1:]))\n"
    )
    assert subprocess.run([sys.executable, "-c", script, *quick("--tape", "a")], cwd=room, check=False).returncode == 0
    assert Tape(room / "a").end()["tick"] == 100
