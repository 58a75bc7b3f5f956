"""Drive stages between what units command and what engines are given, on both engines."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scenes import model, robot, room

from understudy.errors import ChangeRefused, EngineError
from understudy.sensors import SENSORS
from understudy.sensors.imperfection import PlainNoise
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world import changes
from understudy.world.changes import Fault
from understudy.world.drive_stages import BrownOut, Dead, DriveStageSpec, Errors, Slip, Stuck, Weak
from understudy.world.robot import DeviceSpec, Omni, Undriven

ENGINES = pytest.mark.parametrize("engine", ["planar", "rigid"])
TRACK_M = 0.3
QUIET = PlainNoise(preset="perfect")


def staged(*sheets, **more):
    stages = tuple(DriveStageSpec(name=f"s{n}", sheet=sheet) for n, sheet in enumerate(sheets))
    return model(drive_stages=stages, **more)


def sim_of(*sheets, engine="planar", seed=5, **more):
    return Sim(room(robot("scout", -1.5, parts=staged(*sheets, **more)), width=12.0, engine=engine), seed=seed)


def steady(sim, m_s=0.4, rad_s=0.0, lateral_m_s=0.0):
    """Return how a robot moves once it is up to speed: m/s along its path, rad/s."""
    scout = sim.robot("scout")
    scout.drive(m_s, rad_s, lateral_m_s)
    sim.run(1.0)
    before = scout.pose
    sim.run(1.0)
    after = scout.pose
    way = math.hypot(after.x_m - before.x_m, after.y_m - before.y_m)
    return way, after.heading_rad - before.heading_rad


# ---- what each stage does


@ENGINES
def test_error_margins_scale_speed_and_turn(engine):
    with sim_of(Errors(speed=0.05), engine=engine) as sim:
        assert steady(sim) == (pytest.approx(0.42, rel=0.01), pytest.approx(0.0, abs=1e-3))
    with sim_of(Errors(turn=-0.1), engine=engine) as sim:
        assert steady(sim, 0.0, 0.5)[1] == pytest.approx(0.45, rel=0.02)


@ENGINES
def test_a_veer_turns_the_robot_by_the_way_it_goes(engine):
    with sim_of(Errors(veer_rad_m=-0.2), engine=engine) as sim:
        assert steady(sim)[1] == pytest.approx(-0.08, rel=0.03)


@ENGINES
def test_slip_shortens_the_way_and_encoders_do_not_notice(engine):
    with sim_of(Slip(0.25), engine=engine) as sim:
        assert steady(sim)[0] == pytest.approx(0.3, rel=0.01)
        left, right, lateral, _ = sim.robot("scout").read("wheels")
        way = sim.robot("scout").pose.x_m + 1.5
    assert (left, right) == pytest.approx((way / 0.75, way / 0.75), rel=0.01)
    assert lateral == 0.0


@ENGINES
def test_slip_of_one_side_pulls_to_that_side(engine):
    with sim_of(Slip(0.1, side="left"), engine=engine) as sim:
        assert steady(sim)[1] == pytest.approx(0.04 / TRACK_M, rel=0.03)
        left, right, _, _ = sim.robot("scout").read("wheels")
    assert left == pytest.approx(right, rel=0.01), "both wheels roll the same"


@ENGINES
def test_a_weak_drive_reaches_a_share_of_its_full_speed_and_is_right_below(engine):
    with sim_of(Weak(0.3), engine=engine) as sim:
        assert steady(sim, 1.0)[0] == pytest.approx(0.3, rel=0.01)
        assert steady(sim, 0.2)[0] == pytest.approx(0.2, rel=0.01)


@ENGINES
def test_a_dead_side_lets_the_robot_turn_about_that_wheel(engine):
    with sim_of(Dead("right"), engine=engine) as sim:
        assert steady(sim, 0.2)[1] == pytest.approx(-0.2 / TRACK_M, rel=0.03)


@ENGINES
def test_a_dead_drive_does_not_move(engine):
    with sim_of(Dead(), engine=engine) as sim:
        assert steady(sim) == pytest.approx((0.0, 0.0), abs=1e-6)


@ENGINES
@pytest.mark.parametrize(("start", "share"), [(1.0, 1.0), (0.03, 0.3), (0.0, 0.0)])
def test_a_brown_out_follows_the_voltage_of_the_battery(engine, start, share):
    battery = DeviceSpec(name="pack", sheet=SENSORS["battery"](start=start, resistance_ohm=0.0, noise=QUIET))
    volts = np.interp(start, [0.0, 0.1, 1.0], [11.58, 11.76, 12.72])
    stop_v = volts - share * 0.5 if 0.0 < share < 1.0 else 11.6
    stage = BrownOut(battery="pack", full_v=stop_v + 0.5, stop_v=stop_v)
    with sim_of(stage, engine=engine, devices=(battery,)) as sim:
        assert steady(sim)[0] == pytest.approx(0.4 * share, abs=0.006)


def test_a_battery_that_has_failed_does_not_slow_the_drive_down():
    battery = DeviceSpec(name="battery", sheet=SENSORS["battery"](start=0.0))
    with sim_of(BrownOut(stop_v=11.6), devices=(battery,)) as sim:
        assert steady(sim)[0] == 0.0
        sim.change(Fault("scout/battery", "dead"))
        assert steady(sim)[0] == pytest.approx(0.4, rel=0.01)


@ENGINES
def test_stages_work_one_after_another(engine):
    with sim_of(Errors(speed=0.5), Weak(0.4), Slip(0.5), engine=engine) as sim:
        assert steady(sim, 0.4)[0] == pytest.approx(0.2, rel=0.01), "0.4 * 1.5 is cut to 0.4, and half of it is lost"


def test_a_slipping_omni_robot_counts_its_way_aside():
    with sim_of(Slip(0.5), drive=Omni(max_m_s=1.0, max_lateral_m_s=1.0)) as sim:
        sim.robot("scout").drive(0.0, 0.0, 0.2)
        sim.run(2.0)
        assert sim.robot("scout").read("wheels")[2] == pytest.approx(2 * sim.robot("scout").pose.y_m)


# ---- random numbers


def test_a_drawn_margin_belongs_to_the_seed_and_the_robot_and_stays():
    speeds = {}
    for seed in (5, 5, 6):
        with sim_of(Errors(speed_margin=0.1), seed=seed) as sim:
            first, second = steady(sim)[0], steady(sim)[0]
        assert first == pytest.approx(second, abs=1e-9)
        assert speeds.setdefault(seed, first) == first
        assert 0.36 <= first <= 0.44
    assert speeds[5] != speeds[6]


def test_noise_has_the_deviation_that_is_asked_for_and_no_mean():
    with sim_of(Errors(speed_noise=0.1, turn_noise=0.2)) as sim:
        stages, targets = sim.current.stages, np.array([[0.5, 0.0, 1.0]])
        moves = np.array([stages.obeyed(targets, tick)[0] for tick in range(1, 3001)])
    assert moves.mean(axis=0) == pytest.approx([0.5, 0.0, 1.0], abs=0.015)
    assert moves.std(axis=0) == pytest.approx([0.05, 0.0, 0.2], rel=0.05)
    assert abs(np.corrcoef(moves[:, 0], moves[:, 2])[0, 1]) < 0.06


def test_another_robot_does_not_change_the_noise_of_the_first():
    poses = []
    noisy = staged(Errors(speed_noise=0.2, turn_noise=0.2, turn_margin=0.1))
    for others in ((), (robot("other", 1.5, parts=noisy),)):
        with Sim(room(robot("scout", -1.5, parts=noisy), *others), seed=2) as sim:
            for each in sim.current.robots:
                sim.robot(each.name).drive(0.2, 0.3)
            sim.run(1.0)
            poses.append(sim.robot("scout").pose)
            if others:
                other = sim.robot("other").pose
    assert poses[0] == poses[1]
    assert other.heading_rad != poses[0].heading_rad


# ---- without stages nothing is different


def test_without_stages_the_targets_themselves_are_passed_on():
    with sim_of() as sim:
        assert sim.current.stages.obeyed(sim.current.targets, 1) is sim.current.targets


def test_robots_without_stages_keep_their_motion_to_the_bit():
    poses = []
    for sheets in ((), (Errors(speed=0.1),)):
        pair = (robot("scout", -1.5), robot("other", 1.5, parts=staged(*sheets)))
        with Sim(room(*pair), seed=2) as sim:
            sim.fleet.drive(0.123, 0.456)
            sim.run(1.0)
            poses.append(sim.robot("scout").pose)
    assert poses[0] == poses[1]


# ---- faults are stages


@ENGINES
def test_a_fault_adds_a_stage_until_it_ends(engine):
    with sim_of(Errors(speed=0.1), engine=engine) as sim:
        sim.change(Fault("scout", "slip"))
        assert steady(sim)[0] == pytest.approx(0.44 * 0.7, rel=0.01)
        sim.change(Fault("scout", "slip", active=False))
        assert steady(sim)[0] == pytest.approx(0.44, rel=0.01)
        slipped = sim.current.stages.slipped
        assert slipped[0, 0] > 0.1, "what has slipped stays counted"


@ENGINES
def test_a_stuck_drive_goes_on_as_it_is(engine):
    with sim_of(engine=engine) as sim:
        steady(sim, 0.2)
        sim.change(Fault("scout", "stuck"))
        assert steady(sim, 0.0)[0] == pytest.approx(0.2, abs=0.01)


def test_a_stage_that_is_stuck_from_the_start_never_moves():
    with sim_of(Stuck()) as sim:
        assert steady(sim) == (0.0, 0.0)


def test_a_fault_that_the_part_cannot_have_is_refused():
    with sim_of() as sim:
        with pytest.raises(ChangeRefused, match=r"scout/front is a device, which cannot have 'slip'"):
            sim.change(Fault("scout/front", "slip"))
        with pytest.raises(ChangeRefused, match="no such battery 'battery'"):
            sim.change(Fault("scout", "brown_out"))


def test_a_robot_without_a_drive_has_no_drive_that_could_fail():
    with (
        Sim(room(robot("scout", parts=model(drive=Undriven()))), seed=1) as sim,
        pytest.raises(ChangeRefused, match="has no drive"),
    ):
        sim.change(Fault("scout", "weak"))


# ---- saving, replay, agreement


ALL = (Errors(0.02, 0.03, 0.05, 0.05, 0.1, 0.1, 0.05), Slip(0.2, "left"), Weak(0.9))


@ENGINES
def test_a_saved_run_goes_on_to_the_bit(engine):
    with sim_of(*ALL, engine=engine) as sim:
        sim.robot("scout").drive(0.3, 0.2)
        sim.step(50)
        sim.change(Fault("scout", "slip"))
        sim.step(50)
        with Sim.restored(unpack_run(sim.save())) as other:
            for each in (sim, other):
                each.step(100)
            assert other.hash() == sim.hash()
            assert other.robot("scout").read("wheels").tolist() == sim.robot("scout").read("wheels").tolist()


@ENGINES
def test_a_run_with_stages_and_faults_replays_from_the_tape(engine, tmp_path):
    with sim_of(*ALL, engine=engine) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        sim.robot("scout").drive(0.3, 0.2)
        sim.step(40)
        sim.change(Fault("scout", "weak"))
        sim.step(40)
    assert replay(tmp_path / "run.tape").mismatch is None


def test_the_hash_covers_what_has_slipped():
    with sim_of(Slip(0.1)) as sim:
        before = sim.hash()
        sim.current.stages.slipped[0, 0] = 0.01
        assert sim.hash() != before


@pytest.mark.parametrize("slipped", [np.zeros((2, 3)), np.full((1, 3), np.nan)])
def test_a_saved_slip_that_cannot_be_one_is_refused(slipped):
    with sim_of(Slip(0.2)) as sim, pytest.raises(EngineError, match="slipped path"):
        sim.current.stages.restore({"slipped_m": slipped})


def test_what_has_slipped_stays_with_its_robot_when_the_structure_changes():
    with sim_of(Slip(0.5)) as sim:
        steady(sim)
        before = sim.robot("scout").read("wheels")[:2].tolist()
        sim.robot("scout").stop()
        sim.change(changes.Add(replace(robot("late", 0.0, 1.0))))
        sim.run(0.5)
        after = sim.robot("scout").read("wheels")[:2].tolist()
        assert sim.current.stages.slipped.shape == (2, 3)
    assert all(a >= b for a, b in zip(after, before))


def test_both_engines_agree_on_all_stages_together():
    poses = []
    for engine in ("planar", "rigid"):
        with sim_of(*ALL, engine=engine) as sim:
            sim.robot("scout").drive(0.4, 0.3)
            sim.run(3.0)
            poses.append(sim.robot("scout").pose)
    planar, rigid = poses
    assert (rigid.x_m, rigid.y_m) == pytest.approx((planar.x_m, planar.y_m), abs=0.02)
    assert rigid.heading_rad == pytest.approx(planar.heading_rad, abs=0.03)
