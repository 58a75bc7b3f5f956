"""Pixels that are black or white instead of what they should be."""

import numpy as np
import pytest

import understudy as us

ROOM = """
schema = 1
seed = {seed}
ground = {{size_m = [4, 4], walled = true}}
[[robot]]
name = "pip"
model = "s4"
device.camera = {{on = true, width = 80, height = 60, salt_pepper = {share}, noise = {noise}}}
"""


def picture(share, noise='{preset = "", sigma = 0.0}', seed=1):
    with us.load_text(ROOM.format(share=share, noise=noise, seed=seed)) as sim:
        sim.step()
        return sim.robot("pip").pictures("camera")["rgb"].reshape(-1, 3)


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_about_the_share_of_pixels_is_black_or_white_in_equal_parts(share):
    plain, spoiled = picture(0.0), picture(share)
    changed = np.any(plain != spoiled, axis=1)
    black, white = (spoiled == 0.0).all(axis=1), (spoiled == 255.0).all(axis=1)
    assert changed.mean() == pytest.approx(share, abs=0.03)
    assert (black[changed] | white[changed]).all()
    assert black[changed].mean() == pytest.approx(0.5, abs=0.1)


def test_the_same_seed_gives_the_same_pixels_and_another_seed_others():
    assert np.array_equal(picture(0.2), picture(0.2))
    assert not np.array_equal(picture(0.2), picture(0.2, seed=2))


def test_a_perfect_camera_has_none():
    assert np.array_equal(picture(0.2, '"perfect"'), picture(0.0, '"perfect"'))
