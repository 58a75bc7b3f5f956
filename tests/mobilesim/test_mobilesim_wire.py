"""What MobileSim's options do to a client on the wire."""

import struct
import subprocess
import sys

import pytest
from aria_client import Lost
from mobilesim.served import HOME, LASER, MAP_CHANGED, ROOM, SIMINFO, Client, address, leave, serve

# ---- what is obeyed


def test_an_ignored_command_does_nothing_and_others_do(here):
    def script(client):
        client.place(-2000, 0, 0)
        client.cycle(3)
        poses.append(client.simstat())
        leave(client, 7)

    poses = []
    assert serve(here, script, "--ignore-command", "224")[0] == 7
    assert serve(here, script)[0] == 7
    assert poses == [HOME, (-2000, 0, 0)]


def test_the_old_simulators_commands_are_obeyed_only_if_wanted(here):
    def script(client):
        for code, value in ((66, 1500), (67, -500), (68, 45)):
            client.send(code, value)
        client.cycle(3)
        poses.append(client.simstat())
        client.send(69)
        client.cycle(3)
        poses.append(client.simstat())
        client.send(62, 0)
        client.cycle(10)
        poses.append("still there")
        leave(client, 3)

    poses = []
    assert serve(here, script)[0] == 3
    assert poses == [HOME, HOME, "still there"]


def test_with_compatibility_they_move_the_robot_and_can_be_vetoed_singly(here):
    def script(client):
        for code, value in ((66, 1500), (67, -500), (68, 45)):
            client.send(code, value)
        client.cycle(3)
        poses.append(client.simstat())
        client.send(69)
        client.cycle(3)
        poses.append(client.simstat())
        leave(client, 3)

    poses = []
    assert serve(here, script, "--srisim-compat", "--ignore-command", "62", "--ignore-command", "68")[0] == 3
    assert poses == [(1500, -500, 90), HOME]


def test_with_compatibility_arias_battery_question_ends_the_simulation(here):
    """Which is why it is off by default: the client asks it while it connects."""
    code, said = serve(here, lambda client: client.cycle(100), "--srisim-compat")
    assert code in (0, 1)
    assert "exit" in said


def test_lasers_answer_to_the_old_numbers_unless_switched_off(here):
    def script(client):
        client.send(35, 1)
        client.cycle(2)
        found.append(client.heard(LASER))
        client.send(230, 2)
        client.cycle(2)
        found.append(client.heard(LASER))
        leave(client)

    found = []
    serve(here, script)
    serve(here, script, "--no-srisim-laser-compat")
    assert found == [{0x60}, {0x61}, set(), {0x61}]


def ignored(client):
    for _ in range(3):
        client.send(34, 1)  # KICK
        client.cycle()
    leave(client)


@pytest.mark.parametrize(
    "words", [(), ("--warn-unsupported-commands",), ("--warn-unsupported-commands", "--less-verbose")]
)
def test_one_warning_tells_of_a_command_that_is_not_supported(here, words):
    _, said = serve(here, ignored, *words)
    assert [line.partition("warning: ")[2] for line in said.splitlines() if "KICK" in line] == [
        "p3dx-1/host: command 34 KICK is not supported; ignored"
    ]


def test_less_verbose_does_not_warn_of_commands(here):
    assert "KICK" not in serve(here, ignored, "--less-verbose")[1]


def test_verbose_tells_who_comes_and_goes_and_what_does_nothing_each_time(here):
    _, said = serve(here, ignored, "--verbose")
    assert "p3dx-1/host: client connected" in said
    assert said.count("p3dx-1/host: command 34 (KICK) is not supported") == 3


def test_one_warning_tells_of_a_laser_that_is_not_there(here):
    def script(client):
        for code, value in ((36, -90), (37, 90), (38, 100), (35, 2)):
            client.send(code, value)
        client.cycle(3)
        leave(client)

    _, said = serve(here, script, "-r", "p3dx-sh-nolaser")
    assert said.count("warning: p3dx-sh-nolaser-1") == 1, said


# ---- motion


def test_after_a_finished_head_neither_new_odometry_nor_a_reset_turns_the_robot(here):
    def script(client):
        client.head(90)
        client.cycle(10)
        client.send(7)  # SETO
        client.cycle(10)
        poses.append(client.simstat())
        client.send(225)  # SIM_RESET
        client.cycle(15)
        poses.append(client.simstat())
        leave(client)

    poses = []
    serve(here, script, "--no-error", "-r", "p3dx-sh", "--start", "0,0,0")
    assert poses == [(0, 0, 90), (0, 0, 0)]


# ---- lasers


TWO_LASERS = """\
Class Pioneer
Subclass p3dx-sh
RobotRadius 250
Section Laser parameters
LaserType lms2xx
Section Laser 2 parameters
LaserType lms1XX
LaserX -200
LaserTh 180
"""


def test_the_second_laser_of_a_parameter_file_answers_by_its_number(here):
    """It looks backwards; commands 230 to 233 have the number of the laser behind their value."""

    def script(client):
        for code, value in ((231, -45), (232, 45), (233, 100), (230, 2)):
            kind = 0x1B if value < 0 else 0x3B
            client.send_body(struct.pack("<BBHB", code, kind, abs(value), 1))
        take = client._take

        def listen(body):
            numbers.update({body[-2]} if body[0] == 0x61 else ())
            return take(body)

        client._take = listen
        client.until(lambda client: len(client.scan) == 91)
        ranges.append(client.scan[45])
        leave(client)

    numbers, ranges = set(), []
    (here / "two.p").write_text(TWO_LASERS)
    serve(here, script, "--exact", "-r", "two.p", "--start", "-1000,0,0")
    assert numbers == {1}
    assert ranges == [pytest.approx(4000 - 200, abs=3)]


# ---- where robots start


def test_the_start_is_in_millimetres_and_degrees(here):
    def script(client):
        poses.append(client.simstat())
        leave(client)

    poses = []
    serve(here, script, "--start", "-1500,500,-30")
    assert poses == [(-1500, 500, -30)]


# ---- what clients may do


def test_a_map_elsewhere_is_refused_by_the_name_of_the_option_and_loads_with_it(here):
    (here / "maps").mkdir()
    (here / "work").mkdir()
    (here / "work" / "room.map").write_text(ROOM)
    (here / "maps" / "Other.map").write_text(ROOM.replace("1500 90", "1500 0"))

    def refused(client):
        client.load("../maps/other.map")
        client.cycle(5)
        leave(client)

    def loaded(client):
        client.load("OTHER.MAP")
        assert b"OTHER.MAP" in client.wait_for(MAP_CHANGED)
        leave(client)

    words = ("--cwd", str(here / "work"), "-l", str(here / "sim.log"))
    code, said = serve(here, refused, *words)
    assert code == 0
    assert "--map-dir" in said
    code, _ = serve(
        here, loaded, "--cwd", str(here / "work"), "-l", str(here / "sim.log"), "--map-dir", str(here / "maps")
    )
    assert code == 0


def test_exit_and_reset_can_be_forbidden(here):
    def script(client):
        client.send(239, 5)
        client.cycle(25)
        client.send(253)
        client.place(0, 0, 0)
        client.cycle(3)
        client.send(225)
        client.cycle(3)
        alive.append(client.simstat())

    alive = []
    code, said = serve(here, script, "--forbid", "exit", "--forbid", "reset", "--seconds", "6")
    assert (code, alive) == (0, [(0, 0, 0)])
    assert "--forbid exit" in said
    assert "--forbid reset" in said


def test_a_client_begins_a_new_log_and_html_is_written_to_it(here):
    def script(client):
        client.control(4)
        client.cycle(3)
        client.send_text(238, b"<hello>")
        client.cycle(3)
        leave(client)

    serve(here, script, "--html")
    assert "listens on" in (here / "sim.log.1").read_text()
    lines = (here / "sim.log").read_text().splitlines()
    assert all(line.startswith('<p class="') for line in lines)
    assert any("&lt;hello&gt;" in line for line in lines)


# ---- what MobileSim left out


def test_the_gps_speaks_nmea_on_the_first_auxiliary_port(here):
    def script(client):
        client.cycle(15)
        client.send(43, 60)
        text.append(client.wait_for(0xB0)[1:])
        leave(client)

    text = []
    serve(here, script)
    assert len(text[0]) == 60
    assert b"$GP" in text[0]


def test_exactly_as_mobilesim_there_is_nothing_on_the_auxiliary_port(here):
    def script(client):
        client.cycle(15)
        client.send(43, 60)
        found.append(client.heard({0xB0}, 15))
        leave(client)

    found = []
    serve(here, script, "--exact")
    assert found == [set()]


@pytest.mark.parametrize(("words", "moves"), [((), True), (("--watchdog", "stop"), False)])
def test_a_silent_client_is_logged_or_its_robot_stops(here, words, moves):
    def script(client):
        client.send(11, 200)
        client.cycle(2)
        for _ in range(40):  # four seconds without a word
            while not client._take(client.receive()):
                pass
        speeds.append(client.status.left_mm_s)
        leave(client)

    speeds = []
    serve(here, script, "--no-error", *words)
    assert (speeds[0] > 100) is moves


def test_nobody_else_is_let_in_while_a_client_is_there(here):
    def script(client):
        with pytest.raises((Lost, OSError)):  # it is refused, or let in and hung up on
            Client(client.host, client.port, gated=False).connect()
        client.cycle(3)
        leave(client)

    assert serve(here, script)[0] == 0


# ---- a crash, with real processes


def restarted(client):
    """Return whether SIMINFO says that the simulator has crashed and begun again."""
    client.control(6)
    body = client.wait_for(SIMINFO)
    flags = struct.unpack_from("<I", body, body.index(0, body.index(0) + 1) + 1)[0]
    return bool(flags & 2)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_after_a_crash_clients_find_it_again_and_get_a_notice(here):
    words = [sys.executable, "-m", "understudy", "mobilesim", "--noninteractive", "-p", "0", "-l", "sim.log"]
    with subprocess.Popen([*words, "-m", "room.map"], stderr=subprocess.PIPE, text=True) as parent:
        try:
            first = Client(*address(here / "sim.log"), gated=False).connect()
            before = restarted(first)
            first.send(253)  # RESET: abort for debugging
            first.vanish()
            second = Client(*address(here / "sim.log", start=2), gated=False).connect()
            assert (before, restarted(second)) == (False, True)
            leave(second, 5)
            second.vanish()
            assert parent.wait(60) == 5, "the code of SIM_EXIT is that of the whole"
        finally:
            parent.terminate()
        assert "restarting" in parent.stderr.read()
