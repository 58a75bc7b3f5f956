"""A skid-steered robot turns on uneven ground, where two of its four wheels carry nearly all of it."""

import numpy as np
import pytest

import understudy as us

SCENE = """
schema = 1
engine = "rigid"
ground = {size_m = [16, 12], heights = "hills.asc"}
[[robot]]
name = "rover"
x_m = -5.0
y_m = -2.0
body = {shape = "box", length_m = 0.6, width_m = 0.5, mass_kg = 25}
drive = {kind = "skid", track_m = 0.5, wheel_radius_m = 0.12, max_m_s = 0.8}
"""


@pytest.mark.parametrize(("m_s", "rad_s"), [(0.0, 1.0), (0.3, 0.5)])
def test_a_skid_steered_rover_turns_on_hills_as_commanded(tmp_path, m_s, rad_s):
    x, y = np.meshgrid(np.arange(33) * 0.5, np.arange(25) * 0.5)
    heights = 0.12 * np.sin(x * 0.9) * np.cos(y * 0.7)
    head = "ncols 33\nnrows 25\nxllcorner -8\nyllcorner -6\ncellsize 0.5\n"
    rows = "\n".join(" ".join(f"{value:.3f}" for value in row) for row in heights)
    (tmp_path / "hills.asc").write_text(head + rows + "\n")
    (tmp_path / "hills.toml").write_text(SCENE)
    with us.load(tmp_path / "hills.toml") as sim:
        rover = sim.robot("rover")
        rover.drive(m_s, rad_s)
        sim.run(2.0)
        assert rover.pose.heading_rad == pytest.approx(2.0 * rad_s, rel=0.15)
