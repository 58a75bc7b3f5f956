"""A robot on terrain that knows where it lies: its GPS agrees with the map."""

import numpy as np
import pytest

import understudy as us
from understudy.assets.heights.elevation import _sampled

SCENE = """
schema = 1
engine = "rigid"
[ground.heights]
file = "N46E007.hgt"
window = [20, 30, 40, 40]
[[robot]]
model = "scout"
name = "scout"
latitude_deg = 46.6
longitude_deg = 7.3
noise = "perfect"
[robot.device.place]
kind = "gps"
"""


def test_a_gps_on_terrain_reads_what_the_map_says(tmp_path):
    pytest.importorskip("mujoco")
    rows, columns = np.mgrid[0:121, 0:121]
    heights = (900 + 100 * np.sin(columns / 9) + 80 * np.cos(rows / 7)).astype(">i2")
    (tmp_path / "N46E007.hgt").write_bytes(heights.tobytes())
    (tmp_path / "alps.toml").write_text(SCENE)
    with us.load(tmp_path / "alps.toml", seed=1) as sim:
        sim.run(0.5)
        latitude, longitude, altitude = sim.robot("scout").read("place")[:3]
    assert (latitude, longitude) == pytest.approx((46.6, 7.3), abs=1e-5)
    column, row = np.array([(longitude - 7) * 120]), np.array([(47 - latitude) * 120])
    assert altitude == pytest.approx(float(_sampled(heights.astype(np.float32), column, row)[0]), abs=0.3)
