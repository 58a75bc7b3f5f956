"""What every kind of sensor must do, whoever wrote it."""

from dataclasses import is_dataclass, replace

import numpy as np
from limbs import PAN
from scenes import PERFECT, model, robot, room

from understudy.sensors.base import RaySheet
from understudy.sensors.batch import Batch
from understudy.sim.sim import Sim
from understudy.world.robot import Device
from understudy.world.shapes import Mount


def _sim(sheet, *names, seed=3):
    joint = "pan" if getattr(sheet, "on_joint", False) else ""
    devices = (
        Device(name="it", sheet=sheet, mount=Mount(z_m=0.1), joint=joint),
        Device(name="two", sheet=sheet, joint=joint),
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


def check_sensor(sheet_class):
    """Check one data sheet class against the sensor contract."""
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
    _check_perfect(sheet)
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
    if not isinstance(sheet, RaySheet):
        assert np.array_equal(alone, _readings(sheet, "a", "b"), equal_nan=True)


def _check_perfect(sheet):
    quiet = replace(sheet, noise=PERFECT)
    assert np.array_equal(_readings(quiet, "a"), _readings(quiet, "a"), equal_nan=True)


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
