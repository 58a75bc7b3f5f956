import math

import pytest
from scenes import PERFECT, box, model, pioneer_model, robot, room

import understudy as us
from understudy.errors import ChangeRefused, UnderstudyError, UnknownName
from understudy.sim.inbox import Order
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Fault, LoadMap, Move, Pause, Quit, Remove, Replace, Reset, Speed, Step, Switch
from understudy.world.shapes import Pose


@pytest.fixture
def sim():
    with Sim(room(robot("scout", -1.0), objects=(box(),)), seed=3) as it:
        yield it


def test_a_run_has_the_length_that_was_asked_for(sim):
    sim.run(1.234)
    assert (sim.tick, sim.t_us) == (247, 1_235_000)


def test_an_order_acts_in_the_tick_after_the_one_it_was_given_in(sim):
    scout = sim.robot("scout")
    sim.step()
    scout.drive(0.5)
    before = scout.pose.x_m
    assert scout.pose.x_m == before
    sim.step()
    assert scout.pose.x_m > before


def test_robots_are_found_by_name_and_unknown_ones_are_named(sim):
    with pytest.raises(UnknownName, match=r"no robot is named 'skout' \(did you mean 'scout'\?\)"):
        sim.robot("skout")


def test_unknown_devices_are_named(sim):
    with pytest.raises(UnknownName, match=r"scout has no device 'fronts' \(did you mean 'front'\?\)"):
        sim.robot("scout").read("fronts")


def test_unknown_units_are_named(sim):
    with pytest.raises(UnknownName, match="scout has no unit 'brain'"):
        sim.robot("scout").order(1, "brain")


def test_equal_runs_have_equal_hashes_and_other_seeds_other_noise():
    def end(seed):
        with Sim(room(robot("scout", -1.0)), seed=seed) as it:
            it.robot("scout").drive(0.3, 0.2)
            it.run(2.0)
            return it.hash(), it.robot("scout").read("front").tobytes()

    assert end(1) == end(1)
    assert end(1)[1] != end(2)[1]


def test_a_reset_run_is_a_new_run(sim):
    def go():
        sim.robot("scout").drive(0.3, 0.2)
        sim.run(1.0)
        return sim.hash(), sim.robot("scout").read("front").tobytes()

    first = go()
    sim.change(Add(box("late", 0.0, 1.5)))
    sim.reset()
    assert sim.tick == 0
    assert go() == first


def test_a_reset_in_the_middle_of_a_run_does_not_make_it_longer(sim):
    sim.run(0.5)
    sim.post(Reset())
    sim.run(0.1)
    assert sim.tick == 19


def test_moving_a_robot_leaves_its_odometry_alone(sim):
    scout = sim.robot("scout")
    scout.drive(0.4)
    sim.run(1.0)
    wheels = scout.read("wheels")
    scout.move_to(0.5, 1.0, math.pi / 2)
    sim.step()
    assert scout.pose.x_m == pytest.approx(0.5, abs=0.01)
    assert scout.read("wheels")[0] == pytest.approx(wheels[0], abs=0.01)


def test_a_robot_goes_back_to_its_start_alone(sim):
    sim.robot("scout").drive(0.4)
    sim.run(1.0)
    sim.change(Reset("scout"))
    assert sim.robot("scout").pose.x_m == -1.0
    assert sim.tick == 200


def test_a_change_that_cannot_be_made_says_why(sim):
    with pytest.raises(ChangeRefused, match=r"there is no 'boxx' \(did you mean 'box'\?\)"):
        sim.change(Move("boxx", Pose()))


def test_a_source_without_the_right_is_refused(sim):
    with pytest.raises(ChangeRefused, match="port:scout/host may not quit"):
        sim.change(Quit(), "port:scout/host")
    assert sim.exit_code is None


def test_things_come_and_go_while_time_goes_on(sim):
    scout = sim.robot("scout")
    assert scout.read("front")[15] == pytest.approx(2.3, abs=0.1)
    sim.change(Remove("box"))
    sim.run(0.2)
    assert scout.read("front")[15] == pytest.approx(4.0, abs=0.1)
    sim.change(Add(box("crate", 0.5)))
    sim.run(0.2)
    assert scout.read("front")[15] == pytest.approx(1.3, abs=0.1)
    sim.change(Move("crate", Pose(1.5)))
    sim.run(0.2)
    assert scout.read("front")[15] == pytest.approx(2.3, abs=0.1)
    sim.change(Replace("crate", box("crate", 1.0)))
    sim.run(0.2)
    assert scout.read("front")[15] == pytest.approx(1.8, abs=0.1)


def test_a_robot_that_joins_later_drives_and_senses_and_the_first_goes_on(sim):
    scout = sim.robot("scout")
    scout.drive(0.0, 0.5)
    sim.run(0.5)
    sim.change(Add(robot("late", 1.0, 1.0, parts=pioneer_model())))
    sim.robot("late").drive(0.0, 0.3)
    sim.run(2.0)
    assert sim.robot("late").pose.heading_rad > 0.3
    assert sim.robot("late").read("front").shape == (31,)
    assert scout.pose.heading_rad == pytest.approx(1.25, abs=0.05)
    sim.change(Remove("late"))
    sim.run(0.1)
    assert [r.name for r in sim.robots] == ["scout"]


def test_adding_a_robot_leaves_the_readings_of_another_as_they_were():
    def readings(visit):
        with Sim(room(robot("a", -2.0, heading=math.pi)), seed=9) as it:
            it.run(0.5)
            if visit:
                it.change(Add(robot("b", 2.0)))
            it.run(0.5)
            return it.robot("a").read("front").tobytes(), it.robot("a").stamp_us("front")

    assert readings(True) == readings(False)


def test_a_new_map_keeps_the_robots(sim):
    sim.robot("scout").drive(0.2)
    sim.run(1.0)
    pose = sim.robot("scout").pose
    sim.change(LoadMap(room(width=10.0, depth=10.0)))
    assert sim.robot("scout").pose == pose
    sim.run(0.2)
    assert sim.robot("scout").read("front")[15] > 5.0


def test_while_paused_nothing_moves_but_changes_are_made(sim):
    scout = sim.robot("scout")
    scout.drive(0.5)
    sim.run(0.5)
    sim.pause()
    with pytest.raises(UnderstudyError, match="the simulation is paused"):
        sim.run(1.0)
    scout.move_to(1.0, -1.0)
    assert (scout.pose.x_m, sim.tick) == (1.0, 100)
    sim.resume()
    sim.run(0.5)
    assert scout.pose.x_m > 1.1


def test_a_held_clock_can_be_stepped(sim):
    sim.pause()
    sim.change(Step(3))
    assert sim.tick == 3
    sim.step(2)
    assert sim.tick == 5


def test_controls_come_through_the_inbox(sim):
    sim.post(Speed(2.0))
    sim.post(Pause(True))
    sim.step()
    assert (sim.clock.speed, sim.paused) == (2.0, True)
    sim.post(Quit(7))
    sim.run()
    assert sim.exit_code == 7


@pytest.mark.parametrize("effect", ["dead", "stuck"])
def test_a_failed_sensor_reads_nothing_or_the_same_again_and_recovers(effect):
    with Sim(room(robot("scout", parts=model(PERFECT))), seed=1) as sim:
        scout = sim.robot("scout")
        scout.drive(0.5)
        sim.run(0.2)
        before = scout.read("front")[15]
        sim.change(Fault("scout/front", effect))
        sim.run(1.0)
        assert scout.read("front")[15] == (8.0 if effect == "dead" else before)
        sim.change(Fault("scout/front", effect, active=False))
        sim.run(0.5)
        assert scout.read("front")[15] < before


def test_a_dead_drive_rolls_out_and_a_stuck_one_goes_on(sim):
    scout = sim.robot("scout")
    scout.drive(0.2)
    sim.run(1.0)
    sim.change(Fault("scout", "stuck"))
    scout.stop()
    x = scout.pose.x_m
    sim.run(1.0)
    assert scout.pose.x_m == pytest.approx(x + 0.2, abs=0.01)
    sim.change(Fault("scout", "dead"))
    sim.run(0.5)
    x = scout.pose.x_m
    sim.run(0.5)
    assert scout.pose.x_m == x


def test_a_sensor_that_is_switched_off_reads_nothing_until_it_is_on_again(sim):
    scout = sim.robot("scout")
    scout.switch("front", False)
    sim.run(0.2)
    assert (scout.read("front") == scout.sheet("front").nothing()).all()
    scout.switch("front", True)
    sim.run(0.2)
    assert (scout.read("front") < scout.sheet("front").nothing()).any()


def test_switching_what_is_not_there_is_refused(sim):
    with pytest.raises(ChangeRefused, match="unknown device 'scout/nose'"):
        sim.change(Switch("scout/nose"))


def test_a_fault_of_nothing_is_refused(sim):
    with pytest.raises(ChangeRefused, match="unknown part 'scout/nose'"):
        sim.change(Fault("scout/nose"))


def test_a_listener_that_fails_is_detached_and_the_run_goes_on(sim, caplog):
    class Bad:
        def begin(self, sim):
            pass

        def tick(self, snapshot):
            raise ZeroDivisionError

        def end(self, reason):
            pass

    sim.attach(Bad())
    sim.run(0.1)
    assert sim.tick == 20
    assert caplog.text.count("failed and was detached") == 1


def test_an_order_for_a_removed_unit_is_dropped(sim):
    sim.inbox.post("api", Order("gone/controller", None))
    sim.step()
    assert sim.tick == 1


# ---- what is refused


@pytest.mark.parametrize("seconds", [-1.0, math.nan, math.inf])
def test_a_run_of_no_sensible_length_is_refused(sim, seconds):
    with pytest.raises(ValueError, match="want a number of seconds from 0 on"):
        sim.run(seconds)
    assert sim.tick == 0


@pytest.mark.parametrize("act", [lambda sim: sim.run(1.0), lambda sim: sim.step(), lambda sim: sim.run_for(0.01)])
def test_a_closed_simulation_does_not_run(sim, act):
    sim.close()
    with pytest.raises(UnderstudyError, match="the simulation is closed"):
        act(sim)


@pytest.mark.parametrize(("place", "thing"), [((3.0, 0.0), "edge"), ((0.0, 1.0), "other"), ((1.0, 0.0), "box")])
def test_a_robot_cannot_be_moved_into_something_which_is_named(place, thing):
    with Sim(room(robot("scout", -1.0), robot("other", 0.0, 1.0), objects=(box("box", 1.0, 0.0),)), seed=3) as sim:
        with pytest.raises(ChangeRefused, match=f"scout cannot be at .*: {thing} is there"):
            sim.robot("scout").move_to(*place)
        assert sim.robot("scout").pose.x_m == -1.0


def test_a_robot_can_be_moved_a_little_without_being_in_its_own_way(sim):
    sim.robot("scout").move_to(-0.95, 0.0)
    assert sim.robot("scout").pose.x_m == -0.95


def test_the_velocity_of_a_robot_is_in_its_own_frame(sim):
    scout = sim.robot("scout")
    scout.move_to(-1.0, 0.0, math.pi / 2)
    scout.drive(0.3, 0.1)
    sim.run(1.0)
    assert scout.velocity == pytest.approx((0.3, 0.0, 0.1), abs=1e-3)
    assert sim.fleet.velocities[0] == pytest.approx(scout.velocity)


def test_a_panel_of_an_unknown_unit_is_named(sim):
    with pytest.raises(UnknownName, match="scout has no unit 'brain'"):
        sim.robot("scout").panel("brain")


@pytest.mark.parametrize("options", [{"seed": -1}, {"seed": "x"}, {"seed": 1.5}, {"seed": 2**63}])
def test_a_seed_that_no_scene_file_could_have_is_refused(options):
    with pytest.raises(ValueError, match=r"seed: want an integer from 0 to 2\^63 - 1, got"):
        us.load_text("schema = 1", **options)


@pytest.mark.parametrize("speed", [0, -1.0, float("nan"), float("inf")])
def test_a_speed_at_which_time_cannot_pass_is_refused(speed):
    with pytest.raises(ValueError, match="speed: want a number above 0, or None"):
        us.load_text("schema = 1", speed=speed)


def test_text_as_seconds_and_ticks_below_zero_are_refused():
    with us.load_text("schema = 1") as sim:
        with pytest.raises(ValueError, match="want a number of seconds from 0 on, got '1'"):
            sim.run("1")
        with pytest.raises(ValueError, match="want a number of ticks from 0 on, got -1"):
            sim.step(-1)
        with pytest.raises(TypeError, match=r"plot: want a recording, got 'map\.png'.*savefig"):
            sim.plot("map.png")
        assert sim.tick == 0
