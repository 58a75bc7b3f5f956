"""Commands of users, on a runner that the test steps."""

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenes import room
from studio_fakes import House

from understudy.robots.base import Drive
from understudy.sim.inbox import Order
from understudy.sim.sim import Sim
from understudy.studio import driving, palette
from understudy.studio.robot_panel import faces, program_text
from understudy.world.changes import Add
from understudy.world.robot import Program
from understudy.world.scene import Wall


@pytest.fixture
def house():
    with House() as made:
        yield made


@pytest.fixture
def me(house):
    return house.browser()


@pytest.fixture
def held(house, me):
    """A clock that is held, as most edits find it."""
    house.hear(me, "pause")
    return house


def believed(house, name="pioneer"):
    return house.sim.view().odometry(name)


def drive(house, ahead=0.3, turn=0.0):
    house.sim.inbox.post("user", Order("pioneer/arcos", Drive(ahead, turn)))


# ---- time


def test_pause_holds_and_run_lets_go(house, me):
    house.hear(me, "pause")
    assert house.sim.paused
    house.hear(me, "run")
    assert not house.sim.paused


def test_a_toggle_does_either(house, me):
    house.hear(me, "toggle")
    assert house.sim.paused
    house.hear(me, "toggle")
    assert not house.sim.paused


@pytest.mark.parametrize("ticks", [1, 7])
def test_a_step_is_so_many_ticks(held, me, ticks):
    before = held.sim.tick
    held.hear(me, "step", ticks=ticks)
    held.runner.turn()
    assert held.sim.tick == before + ticks


def test_a_step_holds_a_clock_that_runs(house, me):
    house.hear(me, "step")
    assert house.sim.paused


@pytest.mark.parametrize(("asked", "speed"), [(0.1, 0.1), (4, 4.0), ("2", 2.0), (None, None), ("step", 0.15)])
def test_the_speed_is_set(held, me, asked, speed):
    held.hear(me, "speed", factor=asked)
    assert held.sim.clock.speed == (None if speed is None else pytest.approx(speed))


def test_reset_begins_again(house, me):
    house.run(100)
    house.hear(me, "pause")
    house.hear(me, "reset")
    assert house.sim.tick == 0


# ---- hands


def carry(house, viewer, name, x, y, **more):
    house.hear(viewer, "grab", name=name)
    house.hear(viewer, "drag", name=name, x=x, y=y, **more)
    house.hear(viewer, "drop", name=name)


@pytest.mark.parametrize("name", ["scout", "pioneer", "box", "crate"])
def test_what_is_dragged_is_there(held, me, name):
    carry(held, me, name, 0.5, 0.25)
    assert held.place(name)[:2] == pytest.approx((0.5, 0.25))


def test_what_is_turned_has_that_heading(held, me):
    carry(held, me, "scout", -1.0, 0.0, heading=1.25)
    assert held.place("scout")[2] == pytest.approx(1.25)


def test_a_drag_leaves_the_odometry_alone(house, me):
    drive(house)
    house.run(200)
    house.hear(me, "pause")
    before = believed(house)
    carry(house, me, "pioneer", 2.0, 1.0, heading=1.0)
    assert house.place("pioneer")[:2] == pytest.approx((2.0, 1.0))
    assert believed(house) == before != (0.0, 0.0, 0.0)


def test_what_is_held_stays_though_its_wheels_turn(house, me):
    drive(house)
    house.hear(me, "grab", name="pioneer")
    house.hear(me, "drag", name="pioneer", x=0.0, y=1.0)
    for _ in range(5):
        house.run(10)
        house.runner.turn()
    house.commands._hold(house.sim)
    assert house.place("pioneer")[:2] == pytest.approx((0.0, 1.0), abs=0.02)


def test_what_was_let_go_drives_on(house, me):
    drive(house)
    carry(house, me, "pioneer", 0.0, 1.0)
    house.run(200)
    assert house.place("pioneer")[0] > 0.1


def test_what_another_viewer_holds_is_refused(held, me):
    other = held.browser()
    held.hear(me, "grab", name="scout")
    held.hear(other, "grab", name="scout")
    held.hear(other, "drag", name="scout", x=2.0, y=1.0)
    assert held.place("scout")[:2] == (-1.0, 0.0)
    assert f"scout is held by {me.name}" in other.of("refused")[-1]["reason"]


def test_another_cannot_drop_what_i_hold(held, me):
    held.hear(me, "grab", name="scout")
    held.hear(held.browser(), "drop", name="scout")
    held.hear(me, "drag", name="scout", x=1.0, y=1.0)
    assert held.place("scout")[:2] == pytest.approx((1.0, 1.0))


def test_whoever_goes_lets_go(held, me):
    other = held.browser()
    held.hear(me, "grab", name="scout")
    held.commands.leave(me)
    held.runner.turn()
    carry(held, other, "scout", 1.0, 1.0)
    assert held.place("scout")[:2] == pytest.approx((1.0, 1.0))


def test_a_reset_lets_go_of_everything_and_nothing_begins_elsewhere(house, me):
    house.run(10)
    house.hear(me, "pause")
    house.hear(me, "grab", name="scout")
    house.hear(me, "drag", name="scout", x=1.0, y=1.0)
    house.hear(house.browser(), "reset")
    house.commands._hold(house.sim)
    house.hear(me, "drag", name="scout", x=2.0, y=1.0)
    house.hear(me, "drop", name="scout")
    begins = next(robot.pose for robot in house.sim.start.robots if robot.name == "scout")
    assert (house.place("scout")[:2], (begins.x_m, begins.y_m)) == ((-1.0, 0.0), (-1.0, 0.0))
    assert me.of("held")[-1]["names"] == []


def test_everybody_hears_what_is_held(held, me):
    other = held.browser()
    held.hear(me, "grab", name="scout")
    assert other.of("held")[-1]["names"] == ["scout"]
    held.hear(me, "drop", name="scout")
    assert other.of("held")[-1]["names"] == []


def test_what_is_taken_away_while_it_is_held_is_forgotten(held, me):
    held.hear(me, "grab", name="box")
    held.hear(me, "remove", name="box")
    held.hear(me, "drag", name="box", x=1.0, y=1.0)
    assert "box" not in held.names()


def test_a_cancelled_drag_puts_a_thing_back_and_is_no_edit(held, me):
    before = held.place("crate")
    held.hear(me, "grab", name="crate")
    held.hear(me, "drag", name="crate", x=0.5, y=0.25)
    held.hear(me, "drop", name="crate", cancel=True)
    assert held.place("crate") == pytest.approx(before)
    assert me.of("history") == []


# ---- walls


def wall(house, name="partition"):
    return next(wall for wall in house.sim.scene.walls if wall.name == name)


def put(house, **more):
    house.sim.change(Add(Wall(name="partition", thickness_m=0.1, **more)), "user")


def reshape(house, viewer, name="partition", **more):
    house.hear(viewer, "grab", name=name)
    house.hear(viewer, "reshape", name=name, **more)
    house.hear(viewer, "drop", name=name)


def test_a_wall_is_moved_as_a_whole_and_undone(held, me):
    put(held, points_m=((0.1, 1.0), (0.1, 2.0)))
    reshape(held, me, by=[0.2, -0.5])
    assert wall(held).points_m == ((0.3, 0.5), (0.3, 1.5))
    assert me.of("history")[-1]["undo"] == "move partition"
    held.hear(me, "undo")
    assert wall(held).points_m == ((0.1, 1.0), (0.1, 2.0))
    held.hear(me, "redo")
    assert wall(held).points_m[0] == (0.3, 0.5)


@pytest.mark.parametrize(("corner", "word"), [(0, "end"), (1, "corner"), (2, "end")])
def test_a_corner_of_a_wall_is_moved_alone(held, me, corner, word):
    points = ((0.0, 1.0), (1.0, 1.0), (1.0, 2.0))
    put(held, points_m=points)
    reshape(held, me, by=[0.1, 0.2], corner=corner)
    x, y = points[corner]
    wanted = [*points[:corner], (round(x + 0.1, 6), round(y + 0.2, 6)), *points[corner + 1 :]]
    assert list(wall(held).points_m) == wanted
    assert me.of("history")[-1]["undo"] == f"move {word} of partition"


def test_the_walls_of_a_map_are_moved_as_a_whole(held, me):
    put(held, pieces_m=((0.0, 1.0, 1.0, 1.0), (2.0, 1.0, 3.0, 1.0)))
    reshape(held, me, by=[0.5, 0.25])
    assert wall(held).pieces_m == ((0.5, 1.25, 1.5, 1.25), (2.5, 1.25, 3.5, 1.25))


def test_a_moved_wall_stays_so_after_a_reset(house, me):
    house.run(50)
    put(house, points_m=((0.0, 1.0), (0.0, 2.0)))
    reshape(house, me, by=[0.5, 0.0], corner=1)
    house.hear(me, "reset")
    assert wall(house).points_m == ((0.0, 1.0), (0.5, 2.0))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"by": [0.0, -1.0], "corner": 1}, "at least 0.05 m"),
        ({"by": [0.0, 1.0], "corner": 2}, "no corner 2"),
        ({"by": [20_000, 0.0]}, "within 10000 m"),
        ({"by": [1.0]}, "reshape"),
    ],
)
def test_a_wall_that_cannot_be_is_refused(held, me, more, reason):
    put(held, points_m=((0.0, 1.0), (0.0, 2.0)))
    reshape(held, me, **more)
    assert reason in me.of("refused")[-1]["reason"]
    assert wall(held).points_m == ((0.0, 1.0), (0.0, 2.0))
    assert me.of("history") == []


def test_the_first_and_the_last_corner_of_a_closed_wall_are_neighbours(held, me):
    put(held, points_m=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), closed=True)
    reshape(held, me, by=[1.0, 1.0], corner=0)
    assert "at least" in me.of("refused")[-1]["reason"]
    reshape(held, me, by=[-0.5, 0.0], corner=0)
    assert me.of("history")[-1]["undo"] == "move corner of partition"


def test_only_the_user_who_holds_a_wall_moves_it(held, me):
    put(held, points_m=((0.0, 1.0), (0.0, 2.0)))
    other = held.browser()
    held.hear(me, "grab", name="partition")
    held.hear(other, "grab", name="partition")
    held.hear(other, "reshape", name="partition", by=[1.0, 0.0])
    assert "is held by" in other.of("refused")[-1]["reason"]
    assert wall(held).points_m == ((0.0, 1.0), (0.0, 2.0))


@pytest.mark.parametrize(
    ("verb", "name", "words"), [("drag", "edge", {"x": 1.0, "y": 0.0}), ("reshape", "box", {"by": [1, 0]})]
)
def test_walls_and_things_are_moved_each_in_its_way(held, me, verb, name, words):
    held.hear(me, "grab", name=name)
    held.hear(me, verb, name=name, **words)
    assert "wall" in me.of("refused")[-1]["reason"]


# ---- edits


def test_an_obstacle_is_added_where_it_was_asked_for(held, me):
    held.hear(me, "add", what="cone", x=-2.0, y=1.0)
    assert held.place("cone-1")[:2] == (-2.0, 1.0)


def test_a_robot_is_added_where_there_is_room(held, me):
    held.hear(me, "add", what="p3dx", x=-1.0, y=0.0)
    x, y, _ = held.place("p3dx-1")
    assert 0.3 < math.hypot(x + 1.0, y) < 1.5


@pytest.mark.parametrize("what", ["box", "cylinder", "cone", "sphere", "crate", "ball", "wall", "lamp", "amigo"])
def test_everything_of_the_palette_can_be_added_undone_and_done_again(held, me, what):
    before = held.names()
    held.hear(me, "add", what=what, x=-2.0, y=-1.0)
    (new,) = set(held.names()) - set(before)
    held.hear(me, "undo")
    assert held.names() == before
    held.hear(me, "redo")
    assert new in held.names()


@pytest.mark.parametrize("name", ["scout", "box", "crate", "edge"])
def test_what_was_removed_comes_back_where_it_was(held, me, name):
    before = next(thing for thing in held.sim.scene.things() if thing.name == name)
    held.hear(me, "remove", name=name)
    assert name not in held.names()
    held.hear(me, "undo")
    assert next(thing for thing in held.sim.scene.things() if thing.name == name) == before


@pytest.mark.parametrize("name", ["scout", "pioneer", "box", "crate", "edge"])
def test_a_copy_has_a_name_of_its_own_and_can_be_undone(held, me, name):
    before = held.names()
    held.hear(me, "duplicate", name=name)
    assert set(held.names()) - set(before) == {f"{name}-2"}
    held.hear(me, "undo")
    assert held.names() == before


@pytest.mark.parametrize(
    "made",
    [Wall(name="scan", dots_m=((0.0, 1.0), (0.1, 1.0))), Wall(name="scan", pieces_m=((0.0, 1.0, 1.0, 1.0),))],
    ids=["dots", "pieces"],
)
def test_a_copy_of_a_wall_of_a_map_is_beside_it(held, me, made):
    held.sim.change(Add(made))
    held.hear(me, "duplicate", name="scan")
    copy = next(wall for wall in held.sim.scene.walls if wall.name == "scan-2")
    assert copy == palette._at(replace(made, name="scan-2"), 0.6, 0.6)
    assert (copy.dots_m, copy.pieces_m) != (made.dots_m, made.pieces_m)


def test_a_copy_of_a_copy_counts_on(held, me):
    held.hear(me, "duplicate", name="box")
    held.hear(me, "duplicate", name="box-2")
    assert "box-3" in held.names()


@pytest.mark.parametrize("name", ["scout", "box", "crate"])
def test_a_drag_is_undone_and_done_again(held, me, name):
    before = held.place(name)
    carry(held, me, name, 0.5, 0.25)
    held.hear(me, "undo")
    assert held.place(name) == pytest.approx(before)
    held.hear(me, "redo")
    assert held.place(name)[:2] == pytest.approx((0.5, 0.25))


def test_a_click_is_no_edit(held, me):
    held.hear(me, "grab", name="scout")
    held.hear(me, "drop", name="scout")
    assert me.of("history") == []


def test_everybody_hears_what_could_be_undone(held, me):
    other = held.browser()
    held.hear(me, "remove", name="box")
    held.hear(me, "undo")
    assert [(row["undo"], row["redo"]) for row in other.of("history")] == [("remove box", ""), ("", "remove box")]


def test_a_new_edit_forgets_what_was_undone(held, me):
    held.hear(me, "remove", name="box")
    held.hear(me, "undo")
    held.hear(me, "remove", name="crate")
    held.hear(me, "redo")
    assert "box" in held.names()


def test_undo_without_edits_does_nothing(held, me):
    before = held.sim.scene
    held.hear(me, "undo")
    held.hear(me, "redo")
    assert held.sim.scene == before


def test_an_edit_that_was_refused_is_not_in_the_history(held, me):
    held.hear(me, "remove", name="nobody")
    assert me.of("history") == []


def test_edits_survive_a_reset(house, me):
    house.run(50)
    house.hear(me, "pause")
    house.hear(me, "add", what="cone", x=-2.0, y=1.0)
    house.hear(me, "remove", name="box")
    house.hear(me, "reset")
    assert "cone-1" in house.names()
    assert "box" not in house.names()


def test_a_drag_while_time_has_passed_does_not_survive_a_reset(house, me):
    house.run(50)
    house.hear(me, "pause")
    carry(house, me, "scout", 2.0, 1.0)
    house.hear(me, "reset")
    assert house.place("scout")[:2] == (-1.0, 0.0)


def test_a_drag_before_time_begins_survives_a_reset(me, house):
    house.sim.pause()
    carry(house, me, "scout", 2.0, 1.0)
    house.hear(me, "reset")
    assert house.place("scout")[:2] == pytest.approx((2.0, 1.0))


# ---- robots


def test_home_puts_the_robot_back_with_its_odometer_at_zero(house, me):
    drive(house, 0.3, 0.4)
    house.run(300)
    house.hear(me, "home", robot="pioneer")
    settle(house)
    assert house.place("pioneer")[:2] == pytest.approx((1.0, 0.0), abs=0.01)
    assert believed(house)[:2] == pytest.approx((0.0, 0.0), abs=0.01)


def settle(house):
    """Take turns until a robot that drove has come to rest, and some more."""
    for _ in range(30):
        house.run(10)
        house.runner.turn()


def test_a_robot_that_was_sent_home_can_be_driven_away_again(house, me):
    house.hear(me, "home", robot="pioneer")
    settle(house)
    drive(house)
    house.run(300)
    assert house.place("pioneer")[0] > 1.1


def test_home_is_where_it_was_dragged_before_time_began(me, house):
    house.sim.pause()
    carry(house, me, "pioneer", 2.0, 1.0)
    house.sim.resume()
    drive(house)
    house.run(100)
    house.hear(me, "home", robot="pioneer")
    settle(house)
    assert house.place("pioneer")[:2] == pytest.approx((2.0, 1.0), abs=0.01)


@pytest.mark.parametrize("name", ["scout", "pioneer"])
def test_keys_drive_and_halt_stops(monkeypatch, house, me, name):
    monkeypatch.setattr(driving.asyncio, "get_running_loop", lambda: Later())
    x = house.place(name)[0]
    house.commands.hear(me, {"do": "drive", "robot": name, "keys": ["forward"]})
    house.run(200)
    assert house.place(name)[0] > x + 0.05
    house.commands.hear(me, {"do": "halt", "robot": name})
    house.run(400)
    assert house.sim.current.engine.twists()[house.sim.row(name), 0] == pytest.approx(0.0, abs=1e-6)


class Later:
    def call_later(self, seconds, call):
        return self

    def cancel(self):
        pass


def test_a_device_is_switched(house, me):
    house.hear(me, "switch", path="scout/front", on=False)
    house.run(50)
    assert any(batch.off.any() for batch in house.sim.current.batches)


def test_a_browser_sees_the_beams_that_it_chose(house, me):
    house.hear(me, "select", robot="scout")
    assert house.stream.request().robots == {"scout"}
    house.hear(me, "beams", which="all")
    assert house.stream.request().all_robots


# ---- messages that make no sense

VERBS = [
    "select", "beams", "drive", "grab", "drag", "reshape", "drop", "run", "pause", "toggle", "step", "reset", "speed",
    "start", "home", "halt", "add", "remove", "duplicate", "undo", "redo", "switch", "nonsense",
]  # fmt: skip
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.sampled_from(["scout", "box", "crate", "edge", "cone", "p3dx", "forward", "scout/front", 1e300, 10**400, "nan"]),
)  # fmt: skip
WORDS = ("name", "robot", "what", "which", "x", "y", "heading", "keys", "share", "ticks", "factor", "path", "on")
MESSAGES = st.builds(
    lambda verb, words: {**words, "do": verb},
    st.one_of(st.sampled_from(VERBS), ODD),
    st.dictionaries(st.sampled_from(WORDS), ODD, max_size=6),
)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"do": None},
        {"do": "grab"},
        {"do": "drag", "name": "scout", "x": 1},
        {"do": "drag", "name": "scout", "x": float("nan"), "y": 0},
        {"do": "add", "what": "cone", "x": 1e300, "y": 0},
        {"do": "add", "what": "unicorn", "x": 0, "y": 0},
        {"do": "drive", "robot": "scout", "keys": 5},
        {"do": "drive", "robot": "scout", "keys": [], "share": float("nan")},
        {"do": "beams", "which": "some"},
        {"do": "speed", "factor": -1},
        {"do": "speed", "factor": "quick"},
        {"do": "step", "ticks": 10**12},
        {"do": "step", "ticks": 0},
        {"do": "remove", "name": "nobody"},
        {"do": "home", "robot": "nobody"},
        {"do": "duplicate"},
    ],
)
def test_a_bad_message_is_answered(house, me, message):
    house.commands.hear(me, message)
    house.runner.turn()
    assert me.of("refused")


def test_no_message_ever_ends_the_run(monkeypatch, caplog):
    monkeypatch.setattr(driving.asyncio, "get_running_loop", lambda: Later())

    with House() as house:
        me, other = house.browser(), house.browser()
        house.sim.pause()

        @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(MESSAGES, min_size=1, max_size=3), st.booleans())
        def check(messages, mine):
            for message in messages:
                house.commands.hear(me if mine else other, message)
            house.sim.paused = True
            house.runner.turn()
            assert house.sim.exit_code is None

        check()
    assert "internal error" not in caplog.text


# ---- the faces of units


def test_what_a_unit_offers_can_be_pressed(house):
    assert list(faces(house.sim, "scout")) == []
    ((unit, (offer,)),) = faces(house.sim, "pioneer").items()
    before = offer.label
    house.commands.press(unit, offer)
    house.run(1)
    assert {before, faces(house.sim, "pioneer")[unit][0].label} == {"motors on", "motors off"}


def test_the_panel_of_a_robot_shows_the_line_at_which_its_program_is(tmp_path):
    (tmp_path / "p.py").write_text("def main(robot):\n    robot.wait(9)  # long\n")
    with Sim(room(), folder=tmp_path, user_programs={"scout": Program("p.py")}) as sim:
        sim.step()
        assert program_text(sim, "scout") == "p.py:2 robot.wait(9)  # long"
