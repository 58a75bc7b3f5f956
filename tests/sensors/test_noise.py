import numpy as np

from understudy import rng
from understudy.sensors.noise import Noise, corrupt

KEYS = np.array([rng.key(1, f"robot-{i}") for i in range(50)], np.uint32)


def sample(noise, truth=2.0, columns=200, n=0, floor=0.0, nothing=8.0):
    values = np.full((len(KEYS), columns), truth)
    corrupt(noise, values, np.ones(columns), floor, nothing, KEYS, n)
    return values


def test_the_spread_is_the_one_on_the_sheet():
    values = sample(Noise(sigma_m=0.05))
    assert abs(values.mean() - 2.0) < 0.002
    assert abs(values.std() - 0.05) < 0.002


def test_the_share_of_lost_readings_is_the_one_on_the_sheet():
    assert abs((sample(Noise(lost=0.1)) == 8.0).mean() - 0.1) < 0.01


def test_a_missing_echo_never_gets_noise():
    assert (sample(Noise(sigma_m=0.5, lost=0.3), truth=8.0) == 8.0).all()


def test_perfect_switches_the_stage_off():
    assert (sample(Noise("perfect", sigma_m=0.5, lost=0.5)) == 2.0).all()


def test_noise_never_leaves_the_range_of_the_device():
    values = sample(Noise(sigma_m=3.0), floor=0.1)
    assert values.min() >= 0.1
    assert values.max() <= 8.0


def test_rows_of_other_robots_do_not_matter():
    alone = np.full((1, 20), 2.0)
    corrupt(Noise(sigma_m=0.1), alone, np.ones(20), 0.0, 8.0, KEYS[7:8], 3)
    together = np.full((len(KEYS), 20), 2.0)
    corrupt(Noise(sigma_m=0.1), together, np.ones(20), 0.0, 8.0, KEYS, 3)
    assert together[7].tobytes() == alone[0].tobytes()


def test_each_sample_has_noise_of_its_own():
    assert not np.array_equal(sample(Noise(sigma_m=0.1), n=1), sample(Noise(sigma_m=0.1), n=2))
