"""Every stage of imperfection does what its data sheet says."""

import math

import numpy as np
import pytest
from scenes import model, robot, room

from understudy.sensors.imperfection import LengthNoise, PlainNoise
from understudy.sensors.laser import Laser
from understudy.sensors.noise import corrupt, wander
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.world.robot import DeviceSpec

KEYS = np.array([[i, 7 * i + 1] for i in range(1000)], np.uint32)


def sample(noise, truth=2.0, columns=100, n=0, floor=0.1, nothing=8.0, walk=None):
    values = np.full((len(KEYS), columns), truth)
    corrupt(noise, values, np.ones(columns), floor, nothing, KEYS, n, walk)
    return values


@pytest.mark.parametrize(
    ("noise", "silent"),
    [
        (PlainNoise(), True),
        (PlainNoise(preset="perfect", sigma=1.0), True),
        (PlainNoise(sigma=0.1), False),
        (PlainNoise(lost=0.1), False),
        (PlainNoise(bias=0.1), False),
    ],
)
def test_noise_is_silent_if_readings_stay_as_they_are(noise, silent):
    assert noise.silent == silent


def test_a_bias_is_added_to_every_reading():
    assert np.allclose(sample(LengthNoise(bias_m=0.3)), 2.3)


def test_a_scale_multiplies_the_truth():
    assert np.allclose(sample(LengthNoise(scale=1.05)), 2.1)


def test_relative_noise_grows_with_the_reading():
    assert math.isclose(sample(LengthNoise(relative=0.01), 4.0).std(), 0.04, rel_tol=0.02)


def test_uniform_noise_is_as_likely_near_its_greatest_amount_as_anywhere():
    errors = sample(LengthNoise(uniform_m=0.3)) - 2.0
    shares, _ = np.histogram(errors, bins=6, range=(-0.3, 0.3))
    assert np.allclose(shares / errors.size, 1 / 6, rtol=0.05)


def test_uniform_noise_keeps_to_the_range_of_the_device():
    values = sample(LengthNoise(uniform_m=0.3), 0.2)
    assert values.min() == 0.1


def test_steps_round_the_reading():
    assert set(np.unique(sample(LengthNoise(sigma_m=0.05, step_m=0.1)).round(6) * 10 % 1)) <= {0.0}


def test_a_reading_saturates():
    values = sample(LengthNoise(sigma_m=1.0, low_m=1.5, high_m=2.5))
    assert (values.min(), values.max()) == (1.5, 2.5)


def test_outliers_have_their_share():
    struck = sample(LengthNoise(outliers=0.03)) != 2.0
    assert math.isclose(struck.mean(), 0.03, rel_tol=0.1)


def test_outliers_lie_anywhere_in_the_range_of_the_device():
    values = sample(LengthNoise(outliers=1.0))
    assert math.isclose(values.mean(), (0.1 + 8.0) / 2, rel_tol=0.01)


def test_outliers_may_have_a_spread_of_their_own():
    assert math.isclose(sample(LengthNoise(outliers=1.0, outlier_m=0.2), 4.0).std(), 0.2, rel_tol=0.02)


def test_outliers_without_a_range_need_a_spread():
    values = sample(PlainNoise(outliers=1.0, outlier=3.0), floor=-math.inf, nothing=math.nan)
    assert math.isclose(values.std(), 3.0, rel_tol=0.02)


def test_outliers_lie_between_the_bounds_of_the_noise():
    values = sample(PlainNoise(outliers=1.0, low=0.0, high=255.0), 100.0, floor=-math.inf, nothing=math.nan)
    assert math.isclose(values.mean(), 127.5, rel_tol=0.01)
    assert 0.0 <= values.min() < 1.0 < 254.0 < values.max() <= 255.0


def test_outliers_with_a_huge_spread_are_salt_and_pepper():
    noise = PlainNoise(outliers=0.1, outlier=1e6, low=0.0, high=255.0)
    values = sample(noise, 100.0, floor=-math.inf, nothing=math.nan)
    assert [math.isclose((values == end).mean(), 0.05, rel_tol=0.1) for end in (0.0, 255.0)] == [True, True]
    assert math.isclose((values == 100.0).mean(), 0.9, rel_tol=0.01)


@pytest.mark.parametrize("nothing", [8.0, math.nan])
def test_no_stage_touches_a_missing_echo(nothing):
    noise = LengthNoise(
        sigma_m=1.0, uniform_m=1.0, relative=0.1, bias_m=0.2, scale=1.1, outliers=0.5, step_m=0.3, high_m=3.0
    )
    values = sample(noise, truth=nothing, nothing=nothing)
    assert np.array_equal(values, np.full_like(values, nothing), equal_nan=True)


def walked(noise, samples, period_us=100_000):
    walk = np.zeros((len(KEYS), 100))
    for n in range(samples):
        wander(noise, walk, KEYS, n, period_us)
    return walk


def test_a_random_walk_has_drifted_as_specified_after_a_second():
    assert math.isclose(walked(LengthNoise(drift_m=0.2), 11).std(), 0.2, rel_tol=0.02)


def test_a_random_walk_begins_at_the_truth():
    assert not walked(LengthNoise(drift_m=0.2), 1).any()


@pytest.mark.parametrize("samples", [1, 50])
def test_a_drift_that_forgets_is_as_wide_at_any_time(samples):
    noise = LengthNoise(drift_m=0.2, drift_time_us=1_000_000)
    assert math.isclose(walked(noise, samples).std(), 0.2, rel_tol=0.02)


def test_a_drift_is_saved_with_the_run():
    parts = model(devices=(DeviceSpec(name="it", sheet=Laser(rays=3, noise=LengthNoise(drift_m=0.1))),))
    sim = Sim(room(robot("a", parts=parts)), seed=1)
    sim.run(1.0)
    again = Sim.restored(unpack_run(sim.save()))
    sim.run(1.0)
    again.run(1.0)
    assert np.array_equal(sim.robot("a").read("it"), again.robot("a").read("it"))
