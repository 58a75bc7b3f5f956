"""A hundred thousand readings of every kind and every model against what its data sheet says is wrong with it."""

import math
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest
from limbs import PAN
from scenes import model, robot, room

from understudy import rng
from understudy.engines.planar.engine import PlanarEngine
from understudy.sensors import SENSORS
from understudy.sensors.base import Truth
from understudy.sensors.batch import Batch
from understudy.sensors.models import models
from understudy.sensors.surroundings import Surroundings
from understudy.world.shapes import Mount

READINGS = 100_000
SURE = 4.5  # standard deviations that a statistic may be off
SCENE = room(robot(parts=model(devices=(), joints=(PAN,))))
AROUND = Surroundings(SCENE)
DOWN = Mount(z_m=0.02, pitch_rad=math.pi / 2)
SWITCHES = {
    "bumper",
    "touch",
    "stall",
    "wheel_drop",
    "lamp",
    "gripper",
}  # they read 0 or 1


known_key = cache(rng.key)  # a hundred thousand of them take a second


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch):
    monkeypatch.setattr(rng, "key", known_key)


class Still(PlanarEngine):
    """An engine that shows every ray the same distance, whoever looks."""

    def __init__(self, far_m):
        super().__init__(SCENE)
        self._far_m = far_m

    def cast(self, table, rows, out):
        out[:] = self._far_m

    def cast_hits(self, table, rows, out, hits):
        out[:] = self._far_m
        hits.reflectance[:] = hits.cosine[:] = 1.0


def same(values):
    return values


def metres(values):
    """Return latitude, longitude and altitude as metres east, north and up of the place itself."""
    here, east, north = AROUND.frame.geodetic(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    to_plane = np.linalg.inv(np.column_stack([east[:2] - here[:2], north[:2] - here[:2]]))
    return np.column_stack([(values[:, :2] - here[:2]) @ to_plane.T, values[:, 2] - here[2]])


@dataclass(frozen=True)
class Row:
    """How a kind is tried: what its rays meet, where it sits, which values have noise, and how they are in its unit."""

    far_m: float = 2.0
    mount: Mount = Mount(z_m=0.1)
    columns: slice = field(default_factory=lambda: slice(None))
    back: object = same
    amount: float = 0.02  # a sigma to try it with
    joint: str = ""


KINDS = {
    "laser": Row(),
    "beam": Row(),
    "sonar": Row(),
    "infrared": Row(0.4, amount=0.01),
    "psd": Row(0.4, back=lambda values: values / 1000.0, amount=0.01),
    "encoders": Row(columns=slice(0, 3)),
    "odometer": Row(),
    "odometry": Row(columns=slice(0, 2)),
    "gps": Row(mount=Mount(), columns=slice(0, 3), back=metres, amount=2.0),
    "accelerometer": Row(amount=0.1),
    "gyro": Row(amount=0.1),
    "compass": Row(back=lambda values: (np.radians(values) + math.pi) % math.tau - math.pi),
    "line": Row(mount=DOWN, amount=5.0),
    "colour": Row(mount=DOWN, columns=slice(0, 3), amount=5.0),
    "cliff": Row(columns=slice(4, 8), amount=50.0),
    "reflective": Row(0.03, mount=DOWN, columns=slice(1, 2), amount=50.0),
    "battery": Row(columns=slice(0, 1), amount=0.1),
    "thermometer": Row(amount=1.0),
    "light": Row(mount=Mount(z_m=0.5), amount=1.0),
    "feedback": Row(columns=slice(0, 1), joint="pan"),
}
MODELS = {name: each for name, each in models().items() if each.kind in KINDS}


def readings(sheet, row, count=None):
    """Return readings of as many devices as it takes, their values in the unit of the noise."""
    sheet = replace(sheet, phase_us=0, latency_us=0)
    count = count or math.ceil(READINGS / len(sheet.scales()[row.columns]))
    batch = Batch(
        sheet, row.mount, [f"r/{i}" for i in range(count)], np.zeros(count, np.int64), 1, 5_000, joint=row.joint
    )
    engine = Still(row.far_m)
    batch.sense(Truth(0, engine, AROUND).on(row.joint), engine.cast)
    return np.asarray(row.back(batch.values[:, row.columns] if row.back is not metres else batch.values))


def truth(sheet, row):
    return readings(replace(sheet, noise=replace(sheet.noise, preset="perfect")), row, 1)


def spoiled(kind, **stages):
    """Return a kind's sheet with nothing wrong but these stages, amounts in the unit of its noise."""
    sheet = SENSORS[kind]()
    blank = type(sheet.noise)()
    named = {name if hasattr(blank, name) else f"{name}_{blank.unit}": value for name, value in stages.items()}
    extra = {"hold_m_s": 0.0} if kind == "gps" else {}
    return replace(sheet, noise=replace(blank, **named), **extra)


def bound(share):
    return SURE * math.sqrt(share * (1.0 - share) / READINGS)


# ---- what the sheets say by themselves


def expected(sheet, row):
    """Return the deviation of each value, all stages together."""
    noise, scales = sheet.noise, sheet.scales()[row.columns]
    drift = noise.amount("drift") if noise.drift_time_us else 0.0
    parts = [noise.amount("sigma") * scales, drift * scales, noise.relative * np.abs(truth(sheet, row)[0])]
    step = max(noise.amount("step"), 0.001 if sheet.kind == "psd" else 0.0)  # a PSD reads whole millimetres
    return np.sqrt(sum(part**2 for part in parts) + step**2 / 12.0 * (sum(parts) > step / 2))


def agrees(sheet, row):
    """Check mean, deviation, losses and steps of a sheet's readings."""
    errors = readings(sheet, row) - truth(sheet, row)
    lost = np.isnan(errors) | (errors == sheet.nothing() - truth(sheet, row))
    assert abs(lost.mean() - sheet.noise.lost) <= bound(sheet.noise.lost)
    wanted, count = expected(sheet, row), np.count_nonzero(~lost, axis=0)
    kept = np.ma.array(errors, mask=lost)
    step = sheet.noise.amount("step")
    assert np.all(np.abs(kept.mean(axis=0)) <= SURE * wanted / np.sqrt(count) + step / 2 * (wanted == 0.0))
    assert np.all(np.abs(kept.std(axis=0) - wanted) <= (SURE / np.sqrt(2 * count) + 0.01 * (step > 0.0)) * wanted)
    if step:
        steps = (kept + truth(sheet, row)).compressed() / step
        assert np.abs(steps - np.rint(steps)).max() < 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_errs_as_its_card_says(kind):
    agrees(SENSORS[kind](), KINDS[kind])


@pytest.mark.parametrize("name", MODELS)
def test_a_model_errs_as_its_data_sheet_says(name):
    sheet = MODELS[name].sheet
    far_m = 0.4 if sheet.kind in ("infrared", "psd") else 1.0 if name != "radar-long" else 40.0
    back = sheet.ranges if sheet.kind == "infrared" else KINDS[sheet.kind].back
    agrees(sheet, replace(KINDS[sheet.kind], far_m=far_m, back=back))


@pytest.mark.parametrize("sheet", [SENSORS["proximity"](), models()["gp2d15"].sheet], ids=["proximity", "gp2d15"])
@pytest.mark.parametrize(("sigmas", "share"), [(-1.0, 0.8413), (0.0, 0.5), (1.0, 0.1587), (2.0, 0.0228)])
def test_a_switch_closes_by_chance_about_its_distance(sheet, sigmas, share):
    far_m = sheet.switch_m + sigmas * sheet.noise.sigma_m
    near = readings(sheet, Row(far_m)) == (sheet.active == "high")
    assert abs(near.mean() - share) <= bound(share) + 1e-4


def test_every_kind_has_a_row():
    assert {*KINDS, *SWITCHES, "proximity", "camera"} == set(SENSORS)  # a camera has its own test


# ---- every stage, on every kind


@pytest.mark.parametrize("kind", KINDS)
def test_bias_and_spread_are_those_that_are_asked_for(kind):
    row = KINDS[kind]
    bias, sigma = 3.0 * row.amount, row.amount
    sheet = spoiled(kind, bias=bias, sigma=sigma)
    errors, scales = readings(sheet, row) - truth(sheet, row), sheet.scales()[row.columns]
    root = math.sqrt(len(errors))
    assert np.all(np.abs(errors.mean(axis=0) - bias * scales) <= SURE * sigma * scales / root + 1e-6)
    assert np.all(np.abs(errors.std(axis=0) - sigma * scales) <= SURE * sigma * scales / root + 0.005 * sigma)


@pytest.mark.parametrize("kind", KINDS)
def test_losses_have_their_share_and_whole_readings_are_lost_as_a_whole(kind):
    sheet = spoiled(kind, lost=0.02)
    lost = _changed(sheet, KINDS[kind])
    assert np.all(np.abs(lost.mean(axis=0) - 0.02) <= SURE * math.sqrt(0.02 * 0.98 / len(lost)))
    assert not sheet.whole or (lost == lost[:, :1]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_outliers_have_their_share(kind):
    row = KINDS[kind]
    sheet = spoiled(kind, outliers=0.03, outlier=row.amount)
    struck = _changed(sheet, row)
    slack = 0.03 * (0.05 if kind == "psd" else 0.0)  # of some that are off by less than half a millimetre
    assert np.all(np.abs(struck.mean(axis=0) - 0.03) <= SURE * math.sqrt(0.03 * 0.97 / len(struck)) + slack)
    assert not sheet.whole or (struck == struck[:, :1]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_readings_are_whole_steps(kind):
    row = KINDS[kind]
    sheet = spoiled(kind, sigma=3.0 * row.amount, step=row.amount)
    values = readings(sheet, row) / row.amount
    assert np.abs(values - np.rint(values)).max() < 1e-4
    assert len(np.unique(np.rint(values))) > 5


def _changed(sheet, row):
    right = truth(sheet, row)
    return ~(np.abs(readings(sheet, row) - right) < 1e-7 * (1.0 + np.abs(right)))
