"""Outputs of units in a run, on both engines: motors on wheels and joints, and devices that are powered."""

import math
from dataclasses import replace

import pytest
from contracts.toy import toys_in_the_tables
from contracts.toy_motors import Amps, Ramp, ToyMotorsSheet
from hypothesis import given, settings
from hypothesis import strategies as st
from limbs import PAN, panning
from scenes import model, robot, room

from understudy.errors import EngineError, TapeError
from understudy.robots.motors import Brake, Coast, Measure, MotorsSheet, Power
from understudy.sensors import SENSORS
from understudy.sensors.imperfection import PlainNoise
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world import changes
from understudy.world.motors import Motor
from understudy.world.robot import Ackermann, DeviceSpec, Differential, UnitSpec
from understudy.world.shapes import Mount

WHEELS = {"A": "wheel:left", "B": "wheel:right"}
BOARD = MotorsSheet()
MAX_M_S, TRACK_M = 1.0, 0.3
ENGINES = pytest.mark.parametrize("engine", ["planar", "rigid"])


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def board(drives=WHEELS, sheet=BOARD, **motor):
    return UnitSpec(name="board", sheet=sheet, drives=tuple(sorted(drives.items())), motor=Motor(**motor))


def sim_of(engine="planar", unit=None, place=(-2.0, 0.0, 0.0), parts=model, **more):
    built = parts(units=(unit or board(),), **more)
    return Sim(room(robot("scout", *place, parts=built), engine=engine), seed=3)


def order(sim, *commands):
    for command in commands:
        sim.robot("scout").order(command, "board")


def ask(sim, command):
    return sim.robot("scout").ask(command, "board")


# ---- wheels


@ENGINES
def test_half_the_power_on_both_wheels_drives_straight_at_half_the_speed(engine):
    with sim_of(engine) as sim:
        order(sim, Power("A", 0.5), Power("B", 0.5))
        sim.run(1.0)
        x = sim.robot("scout").pose.x_m
        sim.run(1.0)
        pose = sim.robot("scout").pose
    assert pose.x_m - x == pytest.approx(0.5 * MAX_M_S, rel=0.01)
    assert (pose.y_m, pose.heading_rad) == pytest.approx((0.0, 0.0), abs=2e-3)


@ENGINES
def test_opposite_powers_turn_on_the_spot_to_the_left(engine):
    with sim_of(engine) as sim:
        order(sim, Power("A", -0.1), Power("B", 0.1))
        sim.run(1.0)
        before = sim.robot("scout").pose.heading_rad
        sim.run(1.0)
        pose = sim.robot("scout").pose
    assert pose.heading_rad - before == pytest.approx(0.2 * MAX_M_S / TRACK_M, rel=0.02)
    assert pose.x_m == pytest.approx(-2.0, abs=5e-3)


@ENGINES
def test_one_motor_for_both_wheels_drives_straight(engine):
    with sim_of(engine, board({"C": "wheel:both"})) as sim:
        order(sim, Power("C", 0.3))
        sim.run(2.0)
        pose = sim.robot("scout").pose
    assert pose.x_m > -1.5
    assert pose.heading_rad == pytest.approx(0.0, abs=1e-3)


@ENGINES
def test_one_motor_drives_a_car_straight_ahead(engine):
    with sim_of(engine, board({"C": "wheel:both"}), drive=Ackermann(wheelbase_m=0.2)) as sim:
        order(sim, Power("C", 0.3))
        sim.run(2.0)
        pose = sim.robot("scout").pose
    assert pose.x_m > -1.5
    assert pose.heading_rad == pytest.approx(0.0, abs=1e-3)


@ENGINES
def test_one_motor_alone_drives_a_circle_about_the_other_wheel(engine):
    with sim_of(engine, place=(0.0, 0.0, 0.0)) as sim:
        order(sim, Power("B", 0.2))
        sim.run(1.5)
        pose = sim.robot("scout").pose
    assert math.hypot(pose.x_m, pose.y_m - TRACK_M / 2) == pytest.approx(TRACK_M / 2, abs=5e-3)


def test_a_motor_follows_its_power_with_a_time_constant():
    slow = board(spin_up_us=500_000)
    with sim_of(unit=slow) as sim:
        order(sim, Power("A", 1.0), Power("B", 1.0))
        sim.run(0.5)
        assert sim.current.targets[0, 0] == pytest.approx(1.0 - math.exp(-1.0), rel=1e-6)
        sim.run(5.0)
        assert sim.current.targets[0, 0] == MAX_M_S, "in the end it is exactly there"


@pytest.mark.parametrize(("stop", "time_us"), [(Brake, 30_000), (Coast, 400_000)])
def test_brake_and_coast_decay_with_their_own_time_constants(stop, time_us):
    with sim_of() as sim:
        order(sim, Power("A", 0.5), Power("B", 0.5))
        sim.run(1.0)
        order(sim, stop("A"), stop("B"))
        sim.step(4)
        assert sim.current.targets[0, 0] == pytest.approx(0.5 * math.exp(-20_000 / time_us), rel=1e-6)
        sim.run(5.0)
        assert sim.current.targets[0].tolist() == [0.0, 0.0, 0.0]


@ENGINES
def test_a_robot_rolls_farther_when_it_coasts_than_when_it_brakes(engine):
    ways = {}
    for stop in (Brake, Coast):
        with sim_of(engine) as sim:
            order(sim, Power("A", 0.5), Power("B", 0.5))
            sim.run(1.0)
            x = sim.robot("scout").pose.x_m
            order(sim, stop("A"), stop("B"))
            sim.run(2.0)
            ways[stop] = sim.robot("scout").pose.x_m - x
    assert ways[Coast] == pytest.approx(0.5 * 0.4, rel=0.05)
    assert ways[Brake] < 0.05


@ENGINES
def test_a_held_motor_draws_its_stall_current_and_a_free_one_little(engine):
    with sim_of(engine, board(stall_a=2.0, idle_a=0.1), place=(2.0, 0.0, 0.0)) as sim:
        order(sim, Power("A", -1.0), Power("B", -1.0))
        sim.run(1.5)
        free = ask(sim, Measure("A"))
        order(sim, Power("A", 1.0), Power("B", 1.0))
        sim.run(5.0)
        held = ask(sim, Measure("A"))
        order(sim, Coast("A"))
        sim.run(0.1)
        off = ask(sim, Measure("A"))
    assert free.speed == pytest.approx(-MAX_M_S, rel=0.02)
    assert free.current_a == pytest.approx(-0.1, abs=0.05)
    assert held.speed == pytest.approx(0.0, abs=0.02)
    assert held.current_a == pytest.approx(2.0, abs=0.05)
    assert off.current_a == 0.0


def supplied(engine, place=(-2.0, 0.0, 0.0), **battery):
    """Return a simulation of a robot whose motors, of 2 A when held and 0.2 A when free, have a battery."""
    sheet = SENSORS["battery"](idle_w=0.0, resistance_ohm=0.0, noise=PlainNoise(preset="perfect"), **battery)
    gauge = DeviceSpec(name="battery", sheet=sheet)
    return sim_of(engine, board(stall_a=2.0, idle_a=0.2, supply_v=10.0), place, devices=(gauge,))


def drawn_w(sim):
    volts, amps = sim.robot("scout").read("battery")[:2]
    return -volts * amps


@ENGINES
def test_a_held_motor_draws_more_from_the_battery_than_a_free_one(engine):
    with supplied(engine) as sim:
        sim.run(0.3)
        assert drawn_w(sim) == 0.0
        order(sim, Power("A", 1.0), Power("B", 1.0))
        sim.run(2.05)
        assert drawn_w(sim) == pytest.approx(2 * 10.0 * 0.2, rel=0.2)
        sim.run(6.0)  # the wall holds it
        assert drawn_w(sim) == pytest.approx(2 * 10.0 * 2.0, rel=0.05)
        order(sim, Brake("A"), Coast("B"))
        sim.run(0.2)
        assert drawn_w(sim) == 0.0


def test_half_the_power_of_a_held_motor_is_a_quarter_of_the_load():
    with supplied("planar", place=(2.79, 0.0, 0.0)) as sim:
        order(sim, Power("A", 0.5), Power("B", 0.5))
        sim.run(2.0)
        assert drawn_w(sim) == pytest.approx(2 * 10.0 * 0.5 * 1.0, rel=0.05)


def test_a_battery_of_motors_loses_the_charge_that_they_draw():
    with supplied("planar", place=(2.79, 0.0, 0.0), capacity_ah=1.0) as sim:
        order(sim, Power("A", 1.0), Power("B", 1.0))
        sim.run(1.0)
        before = sim.robot("scout").read("battery")[2]
        sim.run(10.0)
        volts, _, charge, _ = sim.robot("scout").read("battery")
        assert before - charge == pytest.approx(40.0 / volts * 10.0 / 3600.0, rel=0.02)


def test_another_robots_motors_do_not_load_the_battery():
    sheet = SENSORS["battery"](noise=PlainNoise(preset="perfect"))
    plain = model(devices=(DeviceSpec(name="battery", sheet=sheet),))
    motors = model(units=(board(),))
    ends = []
    for others in ((), (robot("with-motors", 1.0, 1.0, parts=motors),)):
        with Sim(room(robot("scout", -2.0, 0.0, parts=plain), *others), seed=3) as sim:
            sim.robot("scout").drive(0.5)
            for other in others:
                sim.robot(other.name).order(Power("A", 1.0), "board")
            sim.run(1.0)
            ends.append(sim.robot("scout").read("battery").tolist())
    assert ends[0] == ends[-1]


def test_a_reversed_motor_turns_the_other_way_and_says_the_same_of_itself():
    with sim_of(unit=board(reversed=("A", "B"))) as sim:
        order(sim, Power("A", -0.5), Power("B", -0.5))
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > -2.0
        measured = ask(sim, Measure("A"))
    assert measured.speed == pytest.approx(-0.5, rel=0.01)
    assert measured.current_a < 0.0


def test_the_motors_own_speed_counts_where_it_is_given():
    with sim_of(unit=board(max_m_s=0.2)) as sim:
        order(sim, Power("A", 1.0), Power("B", 1.0))
        sim.run(2.0)
        assert sim.current.targets[0, 0] == 0.2


@ENGINES
def test_robot_drive_turns_the_wheels_of_a_unit_that_knows_no_drive(engine):
    with sim_of(engine) as sim:
        sim.robot("scout").drive(0.4, 0.5)
        sim.run(1.0)
        assert sim.current.targets[0].tolist() == pytest.approx([0.4, 0.0, 0.5])
        sim.fleet.drive(0.2)
        sim.run(1.0)
        assert sim.current.targets[0].tolist() == pytest.approx([0.2, 0.0, 0.0])
        sim.robot("scout").stop()
        sim.run(1.0)
        assert not sim.current.targets.any()


def test_no_plain_controller_is_added_to_a_robot_whose_outputs_turn_its_wheels():
    with sim_of() as sim:
        assert list(sim.current.units) == ["scout/board"]
    with sim_of(unit=board({"A": "device:front"})) as sim:
        assert list(sim.current.units) == ["scout/board", "scout/controller"]


def test_the_firmware_of_another_unit_reads_the_current_and_lets_go():
    with sim_of(unit=board(sheet=ToyMotorsSheet(fuse_a=1.0)), place=(2.5, 0.0, 0.0)) as sim:
        order(sim, Ramp("A", 1.0), Ramp("B", 1.0))
        sim.run(5.0)
        assert ask(sim, Amps("A")) == 0.0
        assert not sim.current.targets.any()


def test_both_engines_drive_the_same_way():
    poses = []
    for engine in ("planar", "rigid"):
        with sim_of(engine, place=(-1.0, -0.5, 0.0)) as sim:
            for left, right in ((0.4, 0.5), (0.5, 0.2), (-0.3, -0.3), (0.1, -0.1)):
                order(sim, Power("A", left), Power("B", right))
                sim.run(0.7)
            order(sim, Coast("A"), Brake("B"))
            sim.run(1.0)
            poses.append(sim.robot("scout").pose)
    planar, rigid = poses
    assert (rigid.x_m, rigid.y_m) == pytest.approx((planar.x_m, planar.y_m), abs=0.02)
    assert rigid.heading_rad == pytest.approx(planar.heading_rad, abs=0.03)


# ---- joints and devices


@ENGINES
def test_an_output_turns_a_joint_to_its_end_and_is_held_there(engine):
    with sim_of(engine, board({"C": "joint:pan"}), parts=panning) as sim:
        order(sim, Power("C", 0.5))
        sim.run(1.0)
        turning = ask(sim, Measure("C"))
        sim.run(3.0)
        held = ask(sim, Measure("C"))
        angle = sim.robot("scout").servo("pan").position
    assert turning.speed == pytest.approx(0.5 * PAN.motion.max_rad_s, rel=0.02)
    assert angle == pytest.approx(2.0, abs=0.02)
    assert held.current_a == pytest.approx(0.75, abs=0.03)


@ENGINES
def test_a_braked_joint_stands_and_a_coasting_one_goes_on_for_a_while(engine):
    ways = {}
    for stop in (Brake, Coast):
        with sim_of(engine, board({"C": "joint:pan"}, coast_us=200_000), parts=panning) as sim:
            order(sim, Power("C", 0.5))
            sim.run(0.5)
            before = sim.robot("scout").servo("pan").position
            order(sim, stop("C"))
            sim.run(1.5)
            ways[stop] = sim.robot("scout").servo("pan").position - before
    assert ways[Brake] == pytest.approx(0.03, abs=0.03)
    assert ways[Coast] == pytest.approx(0.2, abs=0.03)


def lit(drives, *commands):
    quiet = {"noise": PlainNoise(preset="perfect")}
    lamp = DeviceSpec(name="lamp", sheet=SENSORS["lamp"](brightness=0.02, power_w=3.0), mount=Mount(z_m=0.3))
    eye = DeviceSpec(name="eye", sheet=SENSORS["light"](period_us=0, **quiet), mount=Mount(x_m=-0.5, z_m=0.3))
    with sim_of(unit=board(drives), devices=(lamp, eye)) as sim:
        sim.step(2)
        dark = float(sim.robot("scout").read("eye")[0])
        order(sim, *commands)
        sim.step(2)
        measured = ask(sim, Measure("B")).current_a
        sim.step(2)
        return dark, float(sim.robot("scout").read("eye")[0]), float(sim.robot("scout").read("lamp")[0]), measured


def test_an_output_switches_and_dims_a_lamp():
    drives = {"B": "device:lamp"}
    dark, full, reading, amps = lit(drives, Power("B", 1.0))
    _, half, dimmed, less = lit(drives, Power("B", -0.5))
    assert (reading, dimmed) == (1.0, 0.5)
    assert full > dark, "it is dark until it has power"
    assert half - dark == pytest.approx((full - dark) / 2)
    assert (amps, less) == pytest.approx((3.0 / 9.0, 1.5 / 9.0))


@pytest.mark.parametrize("off", [Power("B", 0.0), Brake("B"), Coast("B")])
def test_a_lamp_without_power_is_dark(off):
    dark, after, reading, amps = lit({"B": "device:lamp"}, Power("B", 1.0), off)
    assert (after, reading, amps) == (dark, 0.0, 0.0)


def test_any_device_can_be_powered_by_an_output():
    with sim_of(unit=board({"B": "device:front"})) as sim:
        sim.run(0.3)
        assert (sim.robot("scout").read("front") == 8.0).all()
        order(sim, Power("B", 1.0))
        sim.run(0.3)
        assert (sim.robot("scout").read("front") < 8.0).any()


def test_an_output_that_nothing_is_connected_to_does_no_harm():
    with sim_of() as sim:
        order(sim, Power("H", 1.0), Brake("H"), Coast("H"))
        measured = ask(sim, Measure("H"))
        sim.step(5)
    assert (measured.speed, measured.current_a) == (0.0, 0.0)


# ---- absurd values


@pytest.mark.parametrize("power", [1e300, -1e300, 7.0, 5e-324, -0.0])
def test_an_absurd_power_is_clamped(power):
    with sim_of() as sim:
        order(sim, Power("A", power), Power("B", power))
        sim.run(2.0)
        assert abs(sim.current.targets[0, 0]) <= MAX_M_S
        assert sim.current.targets[0, 2] == 0.0


@pytest.mark.parametrize("power", [math.nan, math.inf, -math.inf])
def test_firmware_that_sets_nan_or_infinity_is_named(power):
    with sim_of() as sim, pytest.raises(EngineError, match=r"scout/board/A: .* invalid power \(NaN or infinity\)"):
        sim.current.units["scout/board"].order(Power("A", power))


@pytest.mark.parametrize("bound", ["wheel:middle", "joint:arm", "device:horn", "nothing"])
def test_a_scene_made_by_a_program_whose_outputs_drive_nothing_is_refused(bound):
    with pytest.raises(EngineError, match=r"scout/board: drives\.A: "):
        sim_of(unit=board({"A": bound}))


# ---- time, saving, replay


def busy(sim):
    order(sim, Power("A", 0.5), Power("B", 0.3))
    sim.step(11)
    order(sim, Coast("A"))
    sim.step(3)


@ENGINES
def test_a_run_saved_while_motors_spin_up_goes_on_to_the_bit(engine):
    with sim_of(engine) as sim:
        busy(sim)
        with Sim.restored(unpack_run(sim.save())) as other:
            for each in (sim, other):
                each.step(40)
            assert other.hash() == sim.hash()
            assert other.robot("scout").pose == sim.robot("scout").pose


def test_a_dimmed_lamp_is_saved():
    lamp = DeviceSpec(name="lamp", sheet=SENSORS["lamp"]())
    with sim_of(unit=board({"B": "device:lamp"}), devices=(lamp,)) as sim:
        order(sim, Power("B", 0.25))
        sim.step(5)
        with Sim.restored(unpack_run(sim.save())) as other:
            other.step(1)
            assert other.robot("scout").read("lamp").tolist() == [0.25]


def test_a_saved_state_that_cannot_be_one_is_refused():
    with sim_of() as sim:
        busy(sim)
        for part, value in (("power", 2.0), ("power", math.nan), ("mode", 7), ("speed", math.inf)):
            saved = unpack_run(sim.save())
            saved["run"]["outputs"][part][0] = value
            with pytest.raises((EngineError, TapeError), match="outputs"):
                Sim.restored(saved)


@ENGINES
def test_a_run_with_outputs_replays_from_the_tape(engine, tmp_path):
    with sim_of(engine) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        busy(sim)
        sim.robot("scout").drive(0.1, 0.2)
        sim.step(30)
    assert replay(tmp_path / "run.tape").mismatch is None


def test_a_reset_run_is_the_same_again():
    with sim_of() as sim:
        hashes = []
        for _ in range(2):
            busy(sim)
            hashes.append(sim.hash())
            sim.reset()
    assert hashes[0] == hashes[1]


def test_the_hash_tells_coasting_from_braking_before_the_robot_does():
    hashes = set()
    for stop in (Brake, Coast):
        with sim_of() as sim:
            order(sim, stop("A"))
            sim.step(1)
            assert not sim.current.targets.any()
            hashes.add(sim.hash())
    assert len(hashes) == 2


def test_motors_keep_turning_when_the_structure_changes():
    with sim_of() as sim:
        order(sim, Power("A", 0.5), Power("B", 0.5))
        sim.run(1.0)
        sim.change(changes.Add(replace(robot("late", 0.0, 1.0), parts=model(units=(board(),)))))
        sim.step(1)
        assert sim.current.targets[:, 0].tolist() == [0.5, 0.0]
        sim.robot("late").order(Power("A", 1.0), "board")
        sim.change(changes.Remove("scout"))
        sim.run(1.0)
        assert sim.current.targets.shape == (1, 3)
        assert sim.current.targets[0, 0] == pytest.approx(0.5)


@ENGINES
def test_a_joint_keeps_turning_when_the_structure_changes(engine):
    with sim_of(engine, board({"C": "joint:pan"}), parts=panning) as sim:
        order(sim, Power("C", 0.25))
        sim.run(1.0)
        sim.change(changes.Add(replace(robot("late", 0.0, 1.0))))
        before = sim.robot("scout").servo("pan").position
        sim.run(1.0)
        assert sim.robot("scout").servo("pan").position - before == pytest.approx(0.5, rel=0.03)


POWERS = st.one_of(
    st.builds(Power, st.sampled_from("ABCH"), st.floats(-2.0, 2.0)),
    st.builds(Brake, st.sampled_from("ABCH")),
    st.builds(Coast, st.sampled_from("ABCH")),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(POWERS, st.integers(1, 9)), min_size=1, max_size=8), st.integers(0, 8))
def test_any_orders_continue_from_a_saved_run_and_stay_within_the_limits(steps, at):
    with sim_of() as one, sim_of() as other:
        for n, (command, ticks) in enumerate(steps):
            if n == at:
                other = Sim.restored(unpack_run(one.save()))
            for each in (one, other):
                order(each, command)
                each.step(ticks)
            assert abs(one.current.targets[0, 0]) <= MAX_M_S
        assert one.hash() == other.hash()


def test_nothing_turns_while_time_is_paused():
    with sim_of() as sim:
        sim.change(changes.Pause(True))
        order(sim, Power("A", 1.0))
        for _ in range(5):
            sim.exchange()
        assert not sim.current.targets.any()


def test_each_robot_of_a_swarm_turns_by_its_own_track():
    robots = [
        robot(f"r{n}", parts=model(units=(board(),), drive=Differential(0.2 + 0.01 * n)), y=0.0, x=-2.5 + 0.5 * n)
        for n in range(10)
    ]
    with Sim(room(*robots), seed=1) as sim:
        for n in range(10):
            sim.robot(f"r{n}").order(Power("A", 0.1), "board")
            sim.robot(f"r{n}").order(Power("B", 0.2), "board")
        sim.run(2.0)
        targets = sim.current.targets
    assert targets[:, 0] == pytest.approx([0.15] * 10)
    assert targets[:, 2] == pytest.approx([0.1 / (0.2 + 0.01 * n) for n in range(10)])
