"""The terminal view: its picture, its keys, and that watching changes nothing."""

import io
import logging
import math
import sys

import pytest
import scenes
from blessed import Terminal

from understudy.cli.braille import cells
from understudy.cli.picture import HELP, MapView, bars, hit_points, scale_m
from understudy.cli.terminal import (
    Gauge,
    Lines,
    TerminalScreen,
    Trails,
    frame,
    knows_braille,
    next_speed,
    off_screen,
    press,
    select,
    show,
    watch,
)
from understudy.errors import UnderstudyError
from understudy.sim.sim import Sim
from understudy.world.changes import Move
from understudy.world.faults import Fault
from understudy.world.robot import Program
from understudy.world.scene import Ball, Solid
from understudy.world.shapes import Cone, Pose


@pytest.fixture
def sim():
    things = (scenes.box(), Solid(name="plant", shape=Cone(0.3), pose=Pose(-2.0, 1.0)))
    robots = (scenes.robot("scout", colour="#33bb77"), scenes.robot("rover", -1.5, parts=scenes.pioneer_model()))
    with Sim(scenes.room(*robots, objects=things, balls=(Ball(name="ball", pose=Pose(1.0, -1.0)),))) as made:
        yield made


def view_of(sim, **extra):
    view = MapView("room", **extra)
    select(sim, view)
    return view


def text_of(rows):
    return "\n".join("".join(text for text, _ in row) for row in rows)


def picture(sim, view=None, width=79, height=24, trails=None):
    return text_of(frame(sim, trails or {}, view or view_of(sim), width, height))


class FakeScreen:
    """A terminal that is typed on by a list, one key per picture, and keeps what it is shown."""

    def __init__(self, *keys):
        self.typed, self.shown = list(keys), []

    def size(self):
        return 79, 24

    def pressed(self):
        if self.typed:
            yield self.typed.pop(0)

    def draw(self, rows):
        self.shown.append(text_of(rows))


# ---- the picture


@pytest.mark.parametrize(
    ("width", "height"), [(79, 24), (99, 32), (200, 60), (69, 20), (40, 12), (30, 6), (10, 3), (1, 1)]
)
def test_the_picture_fits_the_window(sim, width, height):
    rows = frame(sim, {}, view_of(sim, messages=("one", "two", "three", "four")), width, height)
    assert len(rows) <= height
    assert all(sum(cells(text) for text, _ in row) <= width for row in rows)


def test_the_picture_fills_a_standard_window(sim):
    assert len(frame(sim, {}, view_of(sim), 79, 24)) == 24


def test_the_help_fits_80_columns():
    assert len(HELP) <= 79


def test_the_panel_tells_about_run_and_robot(sim):
    sim.run(0.5)
    shown = picture(sim)
    wanted = ("0.500 s", "planar   seed 0", "scout", "1/2", "x 0.00  y 0.00 m", "stalled no", "laser   nearest 1.")
    assert [words for words in wanted if words not in shown] == []


def test_the_map_shows_names_and_the_ball(sim):
    shown = picture(sim, width=40, height=12)
    assert "scout" in shown
    assert "rover" in shown
    assert "●" in shown


def test_a_small_robot_is_an_arrow_that_points_ahead(sim):
    sim.change(Move("scout", Pose(0.0, 0.0, heading_rad=math.pi / 2)))
    assert "↑" in picture(sim, width=40, height=12)


def test_a_large_robot_is_an_outline(sim):
    assert not set("→↑") & set(picture(sim, width=200, height=60))


def test_a_plain_terminal_gets_ascii_only(sim):
    sim.run(0.2)
    trails = {"scout": [(0.1, 0.1), (0.2, 0.2)]}
    assert picture(sim, view_of(sim, braille=False, messages=("grüße",)), trails=trails).isascii()


def test_messages_stand_at_the_bottom(sim):
    shown = picture(sim, view_of(sim, messages=("first", "second"))).splitlines()
    assert shown[-3:-1] == ["first", "second"]


def test_a_held_clock_is_announced(sim):
    sim.pause()
    assert "PAUSED" in picture(sim)


def test_a_stalled_robot_is_announced(sim):
    sim.robot("scout").drive(0.5)
    sim.run(4)
    assert "stalled YES" in picture(sim)


def test_a_closed_port_is_called_closed(sim):
    assert "ports   closed" in picture(sim, view_of(sim, selected="rover"))


def test_an_open_port_shows_its_address_and_its_client(sim):
    sim.open_ports()
    waiting = picture(sim, view_of(sim, selected="rover"))
    sim.ports.link("rover/host").client()
    assert "no client" in waiting
    assert "loop:" in waiting
    assert "host    connected" in picture(sim, view_of(sim, selected="rover"))


def test_a_trail_is_drawn(sim):
    trail = [(-1.0 + 0.05 * i, -1.0) for i in range(20)]
    assert picture(sim, trails={"scout": trail}) != picture(sim)


def test_what_rangers_hit_lies_on_the_walls(sim):
    sim.run(0.1)
    points = list(hit_points(sim, "rover"))
    assert {kind for _, kind in points} == {"laser", "sonar"}
    assert all(abs(x) < 3.1 and abs(y) < 2.1 for (x, y), _ in points)


def test_a_dead_laser_sees_nothing(sim):
    sim.change(Fault("scout/front"))
    sim.run(0.2)
    assert "laser   nothing within 8 m" in picture(sim)


def test_a_scene_without_robots_can_be_shown():
    with Sim(scenes.room(robots=())) as empty:
        assert HELP in picture(empty)


def test_a_scene_without_walls_shows_its_ground():
    with Sim(scenes.room(walls=())) as bare:
        assert "| 1 m" in picture(bare) or "| 2 m" in picture(bare)


def test_the_program_of_a_robot_is_named():
    robot = scenes.robot(program=Program("wander.py"))
    with Sim(scenes.room(robot)) as programmed:
        assert "program wander.py" in picture(programmed)


def test_bars_grow_with_the_value():
    assert bars([0.0, 0.25, 0.5, 0.75, 1.0, math.inf], 1.0) == ("   ▄█ ", " ▄███ ")


# ---- watching changes nothing


def test_a_run_that_is_drawn_is_the_run_that_is_not(sim):
    with Sim(sim.start) as alone:
        alone.robot("scout").drive(0.3, 0.4)
        alone.run(1.0)
        expected = alone.hash()
    sim.robot("scout").drive(0.3, 0.4)
    trails = Trails()
    sim.attach(trails)
    for _ in range(20):
        sim.run(0.05)
        frame(sim, trails.points, view_of(sim), 79, 24)
    assert sim.hash() == expected


def test_watching_ends_with_a_quit_on_the_tape(sim):
    screen = FakeScreen("x", "q")
    watch(sim, MapView("room"), screen, Lines())
    assert sim.exit_code == 0
    assert len(screen.shown) >= 2


def test_the_selected_robot_is_the_first_at_the_beginning(sim):
    view, screen = MapView("room"), FakeScreen("q")
    watch(sim, view, screen, Lines())
    assert view.selected == "scout"
    assert "1/2" in screen.shown[0]


# ---- trails


def test_trails_note_ten_places_in_a_second(sim):
    trails = Trails()
    sim.attach(trails)
    sim.robot("scout").drive(0.5)
    sim.run(1.0)
    assert 10 <= len(trails.points["scout"]) <= 11


def test_a_reset_forgets_the_trails(sim):
    trails = Trails()
    sim.attach(trails)
    sim.run(1.0)
    sim.reset()
    assert not trails.points


# ---- keys


def after(sim, *keys, view=None, seconds=2.0):
    view = view or view_of(sim)
    for key in keys:
        press(sim, view, key)
    sim.run(seconds)
    return view


def test_arrows_add_up(sim):
    after(sim, "KEY_UP", "KEY_UP", "KEY_LEFT", seconds=0.5)
    panel = sim.robot("scout").panel("controller")
    assert (panel.m_s, panel.rad_s) == pytest.approx((0.2, 0.3))


def test_opposite_arrows_cancel_exactly(sim):
    view = after(sim, *["KEY_LEFT"] * 3, *["KEY_RIGHT"] * 3)
    assert view.wanted["scout"] == (0.0, 0.0)


def test_no_arrow_asks_for_more_than_the_drive_can(sim):
    view = after(sim, *["KEY_UP"] * 30, seconds=0.1)
    assert view.wanted["scout"] == (1.0, 0.0)


def test_space_stops_the_robot(sim):
    after(sim, "KEY_UP", "KEY_LEFT", " ")
    panel = sim.robot("scout").panel("controller")
    assert (panel.m_s, panel.rad_s) == (0.0, 0.0)


def test_tab_goes_round_the_robots(sim):
    view = view_of(sim)
    seen = []
    for _ in range(3):
        press(sim, view, "KEY_TAB")
        seen.append(view.selected)
    assert seen == ["rover", "scout", "rover"]


def test_p_holds_the_clock_and_a_point_steps_it(sim):
    view = view_of(sim)
    press(sim, view, "p")
    sim.run(0.005)
    tick = sim.tick
    press(sim, view, ".")
    sim.run_for(0.01)
    assert sim.paused
    assert sim.tick == tick + 1


def test_p_pressed_twice_at_once_changes_nothing(sim):
    after(sim, "p", "p", seconds=0.1)
    assert not sim.paused


def test_a_point_does_nothing_while_time_runs(sim):
    press(sim, view_of(sim), ".")
    assert not sim.inbox.waiting()


def test_plus_pressed_twice_at_once_goes_two_steps(sim):
    sim.clock.speed = 10.0
    after(sim, "+", "+", seconds=0.05)
    assert sim.clock.speed == 50.0


def test_reset_begins_a_new_run(sim):
    view = after(sim, "KEY_UP")
    press(sim, view, "r")
    sim.step()
    assert sim.tick == 0
    assert not view.wanted


def test_an_unknown_key_does_nothing(sim):
    press(sim, view_of(sim), "KEY_F5")
    assert not sim.inbox.waiting()


def test_keys_are_harmless_without_robots():
    with Sim(scenes.room(robots=())) as empty:
        after(empty, "KEY_UP", " ", "KEY_TAB", seconds=0.01)


@pytest.mark.parametrize(("speed", "way", "expected"), [(1.0, 1, 2.0), (None, 1, None), (0.1, -1, 0.1), (3.0, -1, 2.0)])
def test_speeds_form_a_ladder(speed, way, expected):
    assert next_speed(speed, way) == expected


# ---- what others say


def test_prints_and_log_records_are_shown_and_handed_on(monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    logger = logging.getLogger("understudy")
    handler = logging.StreamHandler(err)
    logger.addHandler(handler)
    try:
        with off_screen() as lines:
            print("a program\nspeaks")
            logger.warning("a warning")
            shown, early = lines.recent(), out.getvalue() + err.getvalue()
    finally:
        logger.removeHandler(handler)
    assert shown == ("a program", "speaks", "a warning")
    assert not early
    assert (out.getvalue(), err.getvalue()) == ("a program\nspeaks\n", "a warning\n")


def test_streams_and_handlers_are_as_before_even_after_a_failure():
    handler = logging.StreamHandler(sys.stderr)
    logging.getLogger("understudy").addHandler(handler)
    before = sys.stdout, sys.stderr, handler.stream
    try:
        with pytest.raises(ValueError, match="boom"), off_screen():
            raise ValueError("boom")
    finally:
        logging.getLogger("understudy").removeHandler(handler)
    assert (sys.stdout, sys.stderr, handler.stream) == before


def test_only_the_last_three_lines_are_shown():
    lines = Lines()
    for number in range(5):
        lines.say(f"line {number}")
    assert lines.recent() == ("line 2", "line 3", "line 4")


def test_the_marks_under_a_traceback_are_no_message():
    lines = Lines()
    lines.say("    ~~^~~")
    assert not lines.recent()


# ---- the terminal


@pytest.fixture
def terminal():
    return Terminal(kind="xterm-256color", stream=io.StringIO(), force_styling=True)


def test_only_changed_rows_are_written(terminal):
    screen = TerminalScreen(terminal)
    screen.draw([[("one", "")], [("two", "")]])
    terminal.stream.truncate(0)
    screen.draw([[("one", "")], [("three", "")]])
    assert "three" in terminal.stream.getvalue()
    assert "one" not in terminal.stream.getvalue()


def test_a_removed_row_is_wiped(terminal):
    screen = TerminalScreen(terminal)
    screen.draw([[("one", "")], [("two", "")]])
    terminal.stream.truncate(0)
    screen.draw([[("one", "")]])
    assert terminal.stream.getvalue().endswith(terminal.move_yx(1, 0) + terminal.clear_eol)


def test_colours_become_the_nearest_of_the_terminal(terminal):
    TerminalScreen(terminal).draw([[("x", "bold #ff0000")]])
    assert f"{terminal.bold}{terminal.color_rgb(255, 0, 0)}x{terminal.normal}" in terminal.stream.getvalue()


def test_a_terminal_without_colours_gets_none(terminal):
    terminal.number_of_colors = 0
    TerminalScreen(terminal).draw([[("x", "#ff0000")]])
    assert terminal.stream.getvalue().endswith(f"x{terminal.clear_eol}")


def test_show_refuses_what_is_no_terminal(sim, monkeypatch):
    monkeypatch.setattr(sys, "__stdout__", io.StringIO())
    with pytest.raises(UnderstudyError, match="needs an interactive terminal"):
        show(sim, "room")


@pytest.mark.parametrize(
    ("encoding", "environment", "expected"),
    [
        ("utf-8", {}, True),
        ("utf-8", {"LANG": "de_CH.UTF-8"}, True),
        ("utf-8", {"LC_ALL": "C", "LANG": "en_US.UTF-8"}, False),
        ("cp1252", {}, False),
        ("utf-8", {"TERM": "linux"}, False),
    ],
)
def test_braille_is_for_terminals_that_know_it(encoding, environment, expected):
    assert knows_braille(encoding, environment) is expected


def test_the_gauge_starts_at_zero_and_forgets_an_earlier_run():
    gauge = Gauge()
    gauge.factor(5.0)
    assert gauge.factor(0.0) == 0.0


def test_the_scale_is_a_round_length(sim):
    from understudy.cli.picture import draw_map

    assert scale_m(draw_map(sim, {}, view_of(sim), 50, 20)) in (0.5, 1.0, 2.0)


def test_the_dots_of_a_scanner_are_on_the_map(sim):
    from understudy.cli.picture import draw_map
    from understudy.world.changes import Add
    from understudy.world.scene import Wall

    def blanks():
        return sum(text.count(" ") for row in draw_map(sim, {}, view_of(sim), 50, 20).render() for text, _ in row)

    before = blanks()
    sim.change(Add(Wall(name="scanned", dots_m=tuple((-1.0 + 0.01 * i, -1.0) for i in range(200)), dot_m=0.01)))
    assert blanks() < before - 5
