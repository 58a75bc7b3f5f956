"""What every kind of sensor must do, whoever wrote it."""

from dataclasses import is_dataclass, replace

import numpy as np
from contracts.sensor_truth import AT_THE_RIM, BOX_M, DRIVE, LAMP, LAMP_M, START_M, Course, Moment
from limbs import PAN
from scenes import PERFECT, box, model, robot, room

from understudy.sensors.batch import Batch
from understudy.sim.sim import Sim
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Light
from understudy.world.shapes import Mount, Pose


def _sim(sheet, *names, seed=3):
    joint = "pan" if sheet.on_joint else ""
    devices = (
        DeviceSpec(name="it", sheet=sheet, mount=Mount(z_m=0.1), joint=joint),
        DeviceSpec(name="two", sheet=sheet, joint=joint),
    )
    parts = model(devices=devices, joints=(PAN,) if joint else ())
    robots = [robot(name, x=-2.0 + 1.3 * i, parts=parts) for i, name in enumerate(names)]
    return Sim(room(*robots), seed=seed)


def _readings(sheet, *names, who="a", seconds=2.0):
    sim = _sim(sheet, *names)
    seen = []
    for each in names:
        sim.robot(each).drive(0.2, 0.3)
    for _ in range(round(seconds / 0.05)):
        sim.run(0.05)
        seen.append(sim.robot(who).read("it"))
    return np.array(seen)


def check_sensor(sheet_class, oracle=None):
    """Check one data sheet class against the sensor contract, and against an oracle of contracts.sensor_truth."""
    sheet = sheet_class()
    assert is_dataclass(sheet)
    assert isinstance(sheet.kind, str)
    assert len(sheet.columns()) == len(sheet.scales())
    hash(sheet)  # equal sheets form one batch
    alone = _readings(sheet, "a")
    assert alone.shape[1] == len(sheet.columns())
    assert np.array_equal(alone, _readings(sheet, "a"), equal_nan=True), "a reading must repeat to the bit"
    _check_isolation(sheet)
    _check_batch(sheet, alone)
    check_perfect(sheet, oracle)
    _check_delay(sheet)
    _check_save(sheet)
    _check_adoption(sheet)


def _check_isolation(sheet):
    """Robots far behind a wall of distance must not change another's noise."""
    first = _sim(sheet, "a", "b").current.batches[0]
    swapped = _sim(sheet, "b", "a").current.batches[0]
    assert first.keys[first.paths.index("a/it")].tolist() == swapped.keys[swapped.paths.index("a/it")].tolist()


def _check_batch(sheet, alone):
    """What follows from the robot's own state does not depend on how many devices are measured together."""
    if sheet.table(Mount()) is None:
        assert np.array_equal(alone, _readings(sheet, "a", "b"), equal_nan=True)


def check_perfect(sheet, oracle):
    """A perfect device has no noise, whatever the seed, and reads what the oracle says; without one only the former."""
    quiet = replace(sheet, noise=PERFECT, **(oracle.settings if oracle else {}))
    seen = [_drive_the_course(quiet, oracle.mount if oracle else AT_THE_RIM, seed) for seed in (3, 4)]
    assert np.array_equal(seen[0][0], seen[1][0], equal_nan=True), "a perfect device must not depend on the seed"
    if oracle:
        _check_truth(quiet, oracle, *seen[0])


def _check_truth(sheet, oracle, values, courses):
    wanted = np.array([oracle.reads(sheet, course) for course in courses], np.float64)
    judged = ~np.isnan(wanted)
    assert judged.any(axis=0).all(), "the oracle must judge every value at some moment"
    for column, name in enumerate(sheet.columns()):
        rows = judged[:, column]
        wrong = np.abs(values[rows, column] - wanted[rows, column])
        assert wrong.max() <= oracle.near, (
            f"{sheet.kind}: {name} is {values[rows, column][wrong.argmax()]}, "
            f"but the truth is {wanted[rows, column][wrong.argmax()]}"
        )


def _drive_the_course(sheet, mount, seed):
    """Let a robot drive against a box; return every reading of its device and the truth up to it."""
    x, y, z, yaw = mount
    on_joint = getattr(sheet, "on_joint", False)
    device = DeviceSpec(
        name="it", sheet=sheet, mount=Mount(x, y, z, yaw_rad=yaw), joint="pan" if on_joint else ""
    )  # fmt: skip
    parts = model(devices=(device,), joints=(PAN,) if on_joint else ())
    left, right, low, high, tall = BOX_M
    crate = box("crate", (left + right) / 2, (low + high) / 2, (right - left, high - low, tall))
    lamp = Light("lamp", pose=Pose(*LAMP_M), brightness=LAMP)
    with Sim(room(robot("a", *START_M, parts=parts), objects=(crate,), lights=(lamp,)), seed=seed) as sim:
        sim.robot("a").drive(*DRIVE)
        if on_joint:
            sim.robot("a").servo("pan").to(0.8)
        past, taken, values, courses = [_moment(sim)], [0], [], []
        for tick in range(1, 601):
            sim.step()
            past.append(_moment(sim))
            if _due(sim, tick):
                values.append(sim.robot("a").read("it"))
                courses.append(Course(past[:], taken[-1], mount))
                taken.append(tick)
    return np.array(values), courses


def _due(sim, tick):
    """Say whether the newest reading was taken at this tick: the first at or after it was due."""
    tick_us = sim.start.tick_us
    return -(-sim.robot("a").stamp_us("it") // tick_us) == tick


def _moment(sim):
    pose, twist = sim.robot("a").pose, sim.current.engine.twists()[0]
    servo = sim.robot("a").servo("pan") if sim.robot("a").joints else None
    joint = (servo.position, servo.speed, servo.effort) if servo else (0.0, 0.0, 0.0)
    return Moment(sim.time_s, pose.x_m, pose.y_m, pose.heading_rad, twist[0], twist[1], twist[5], joint)


def _check_delay(sheet):
    late = replace(sheet, latency_us=250_000)
    sim = _sim(late, "a")
    sim.run(0.2)
    assert sim.current.readings["a/it"].samples == 0, "nothing may be reported before its latency has passed"
    sim.run(0.1)
    assert sim.current.readings["a/it"].stamp_us == late.phase_us + (
        (50_000 // (late.period_us or 5_000)) * (late.period_us or 5_000)
    )


def _check_save(sheet):
    sim = _sim(replace(sheet, latency_us=120_000), "a")
    sim.robot("a").drive(0.2, 0.3)
    sim.run(0.5)
    state = sim.current.state()
    other = _sim(replace(sheet, latency_us=120_000), "a")
    other.current.restore(state)
    for each in (sim, other):
        each.run(0.5)
    for path, reading in sim.current.readings.items():
        assert np.array_equal(reading.read(), other.current.readings[path].read(), equal_nan=True)


def _check_adoption(sheet):
    """A device that stays keeps its reading and its memory when the world around it changes."""
    sim = _sim(sheet, "b", "a")
    sim.robot("a").drive(0.2, 0.3)
    sim.run(0.5)
    old = next(batch for batch in sim.current.batches if "a/it" in batch.paths)
    new = Batch(sheet, old.mount, ["a/it", "z/it"], [0, 1], seed=3, tick_us=5_000)
    new.adopt([old])
    row = old.paths.index("a/it")
    assert np.array_equal(new.values[0], old.values[row], equal_nan=True)
    for name, rows in old.memory.items():
        assert len(rows) == len(old.paths), f"{name} has no row for each device"
        assert np.array_equal(new.memory[name][0], rows[row], equal_nan=rows.dtype.kind == "f")
