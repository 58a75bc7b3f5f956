"""Where a pole is noticed, against the shape of the beam."""

import math

import numpy as np
import pytest

from understudy.errors import EngineError
from understudy.sensors.compass import Compass
from understudy.sensors.cone import Sonar
from understudy.sensors.infrared import Infrared, Proximity, Psd
from understudy.sensors.laser import Laser
from understudy.sensors.lobes import Lobe
from understudy.sensors.models import models
from understudy.sensors.pattern import pattern, width_rad
from understudy.world.shapes import Mount


def is_seen(seen, x, y):
    return bool(seen.at(np.array(x), np.array(y)))


def test_the_pattern_of_a_cone_is_the_cone_grown_by_the_pole():
    seen = pattern(Sonar(cone_rad=math.radians(30), max_m=2.0), 0.1, fine=60)
    x, y = np.meshgrid(seen.x_m, seen.y_m)
    away, off = np.hypot(x, y), np.abs(np.arctan2(y, x))
    near_axis = np.maximum(off - math.radians(15), 0.0)
    side = np.where(
        near_axis < math.pi / 2, away * np.sin(near_axis), away
    )  # distance of the pole's middle to the cone
    expected = (side < 0.05) & (away < 2.05)
    unsure = (np.abs(side - 0.05) < 0.01) | (np.abs(away - 2.05) < 0.03)
    assert np.array_equal(seen.seen[~unsure], expected[~unsure])


def test_the_pattern_of_lobes_has_their_reaches_and_widths():
    sheet = Sonar(lobes=(Lobe(math.radians(60), 1.0), Lobe(math.radians(20), 3.0)), max_m=3.0)
    seen = pattern(sheet, 0.02, fine=120)
    assert seen.farthest_m() == pytest.approx(3.0, abs=0.04)
    assert math.degrees(width_rad(seen, 0.8)) == pytest.approx(60, abs=4)
    assert math.degrees(width_rad(seen, 2.0)) == pytest.approx(20, abs=3)


@pytest.mark.parametrize(
    "sheet",
    [Infrared(), Infrared(curve=((0.1, 2.0), (0.8, 0.4))), Proximity(), Psd(), Laser(max_m=1.0)],
    ids=lambda s: s.kind,
)
def test_whatever_a_device_reports_its_pattern_is_found(sheet):
    seen = pattern(sheet, 0.1, fine=40)
    reach = 0.24 if isinstance(sheet, Proximity) else sheet.nothing()
    assert seen.farthest_m() == pytest.approx(reach + 0.05, abs=2 * max(seen.steps_m))
    assert is_seen(seen, 0.2, 0.0)


def test_a_pattern_knows_where_the_device_sits_and_looks():
    left = Mount(x_m=0.3, z_m=0.5, yaw_rad=math.pi / 2)
    seen = pattern(Sonar(cone_rad=0.3, max_m=1.0), 0.1, left, fine=60)
    assert is_seen(seen, 0.3, 0.8)
    assert not is_seen(seen, 0.3, -0.05)


def test_one_value_of_a_ring_can_be_looked_at_alone():
    ring = (Mount(), Mount(yaw_rad=math.pi))
    whole, ahead = (pattern(Sonar(ring=ring, max_m=1.0), 0.1, number=n, fine=40) for n in (None, 0))
    assert is_seen(whole, -0.7, 0.0)
    assert not is_seen(ahead, -0.7, 0.0)
    assert is_seen(ahead, 0.7, 0.0)


def test_a_wider_pole_is_noticed_in_more_places():
    thin, thick = (pattern(models()["ping"].sheet, width, fine=50) for width in (0.02, 0.457))
    assert width_rad(thick, 1.5) > width_rad(thin, 1.5) + math.radians(10)


def test_a_beam_as_narrow_as_a_line_is_not_missed():
    assert pattern(models()["eyesim-psd"].sheet, 0.1, fine=30).farthest_m() == pytest.approx(10.0, abs=0.4)


def test_what_casts_no_rays_has_no_pattern():
    with pytest.raises(EngineError, match="a compass casts no rays, so it has no beam pattern"):
        pattern(Compass(), 0.1)
