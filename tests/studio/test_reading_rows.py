import math

import numpy as np
import pytest

import understudy as us
from understudy.errors import UnknownName
from understudy.sim.view import View
from understudy.studio.quantities import Quantity, quantity
from understudy.studio.readings import figures, sections
from understudy.studio.scope import MOST_PINS, Pin, Scope
from understudy.studio.sensor_pictures import sensor_picture

ROOM = """
schema = 1
ground = {size_m = [8, 6], walled = true}
origin = {latitude_deg = 46.5, longitude_deg = 6.6}
[[robot]]
model = "p3dx"
name = "pioneer"
device.gps = {kind = "gps", noise = "perfect"}
device.eye = {kind = "camera", images = ["rgb", "depth", "labels"], width = 8, height = 6}
"""


@pytest.fixture
def sim():
    with us.load_text(ROOM) as made:
        made.step(30)
        yield made


def section(sim, name):
    return next(each for each in sections(sim, "pioneer") if each.title == name)


def texts(sim, name):
    found = section(sim, name)
    return dict(zip((value.name for value in found.values), figures(sim.view(), found, True).texts))


@pytest.mark.parametrize(
    ("column", "name", "unit"),
    [("x_m_s2", "x", "m/s²"), ("turn_rad_s", "turn", "rad/s"), ("range_mm[2]", "range 2", "mm"), ("hdop", "hdop", "")],
)
def test_a_column_tells_name_and_unit(column, name, unit):
    found = quantity(column)
    assert (found.name, found.unit) == (name, unit)


@pytest.mark.parametrize("value", [1e300, -1e18, math.nan, math.inf, -math.inf, 0.0])
def test_any_number_has_a_short_text(value):
    assert 0 < len(Quantity("x", "m").text(value)) < 24
    assert 0 < len(Quantity("x").text(value)) < 24


def test_a_gps_that_moves_by_centimetres_shows_it(sim):
    before = texts(sim, "gps")
    sim.robot("pioneer").drive(0.1)
    sim.step(400)
    after = texts(sim, "gps")
    assert before["longitude"] != after["longitude"]


def test_every_value_of_every_sensor_is_shown(sim):
    for found in sections(sim, "pioneer"):
        if not found.pictures:
            assert len(figures(sim.view(), found, True).texts) == len(found.values) > 0


def test_headings_are_in_degrees_and_a_sensors_values_in_its_own_unit(sim):
    assert section(sim, "pose").values[5].unit == "°"
    assert all(value.unit == "m" for value in section(sim, "sonar").values)


def test_ranges_have_the_directions_of_the_rays(sim):
    laser = section(sim, "front")
    assert laser.bearings_deg[0] == -90.0
    assert laser.bearings_deg[-1] == 90.0
    assert len(figures(sim.view(), laser, True).ranges_m) == len(laser.bearings_deg)


def test_a_closed_section_has_only_a_summary(sim):
    found = figures(sim.view(), section(sim, "front"), False)
    assert found.texts == ()
    assert found.brief.startswith("nearest")


def test_a_device_that_is_off_is_said_to_be_off(sim):
    sim.robot("pioneer").switch("sonar", False)
    sim.step(2)
    assert not section(sim, "sonar").on


# ---- pictures of cameras


def test_pictures_are_made_of_every_image_of_a_camera(sim):
    images = sim.robot("pioneer").pictures("eye")
    made = [sensor_picture(name, image, ("nothing", "ground", "ground-edge")) for name, image in images.items()]
    assert [picture.name for picture in made] == ["rgb", "depth", "labels"]
    assert all(picture.url.startswith("data:image/png;base64,") for picture in made)
    assert "ground" in made[2].legend


@pytest.mark.parametrize("fill", [0.0, math.nan, math.inf, 1e300, -5.0])
@pytest.mark.parametrize("name", ["depth", "labels", "thermal"])
def test_an_image_of_absurd_numbers_is_a_picture_too(name, fill):
    with np.errstate(all="ignore"):
        assert sensor_picture(name, np.full((3, 4), fill)).url


def test_a_large_image_is_scaled_down():
    picture = sensor_picture("rgb", np.zeros((10, 4000, 3), np.uint8))
    assert len(picture.url) < 5000


# ---- plots


def test_a_pinned_value_is_recorded_and_saved_as_a_table(sim):
    scope = Scope()
    sim.attach(scope)
    scope.toggle(sim, Pin("pioneer/pose", 0))
    sim.robot("pioneer").drive(0.3)
    sim.step(100)
    rows = scope.csv().splitlines()
    assert rows[0] == "time_s,pioneer/pose x (m)"
    assert len(rows) > 20
    assert float(rows[-1].split(",")[1]) == pytest.approx(sim.robot("pioneer").pose.x_m, abs=0.02)


def test_a_second_pin_keeps_the_curve_of_the_first(sim):
    scope = Scope()
    sim.attach(scope)
    scope.toggle(sim, Pin("pioneer/pose", 0))
    sim.step(20)
    scope.toggle(sim, Pin("pioneer/velocity", 0))
    first = scope.after(0)[0]
    assert first.values[0] == first.values[0]
    assert math.isnan(first.values[1])


def test_a_reset_begins_the_curves_anew(sim):
    scope = Scope()
    sim.attach(scope)
    scope.toggle(sim, Pin("pioneer/pose", 0))
    sim.step(20)
    sim.reset()
    assert scope.after(0) == []
    sim.step(20)
    assert scope.after(0)


def test_the_curve_of_a_removed_robot_has_no_more_values(sim):
    scope = Scope()
    sim.attach(scope)
    scope.toggle(sim, Pin("pioneer/pose", 0))
    sim.change(us.world.changes.Remove("pioneer"))
    sim.step(20)
    assert math.isnan(scope.after(0)[-1].values[0])


@pytest.mark.parametrize("pin", [Pin("nobody/pose", 0), Pin("pioneer/pose", 99), Pin("pioneer/pose", -1), Pin("", 0)])
def test_what_does_not_exist_cannot_be_pinned(sim, pin):
    with pytest.raises(UnknownName):
        Scope().toggle(sim, pin)


def test_the_number_of_curves_is_limited(sim):
    scope = Scope()
    for index in range(MOST_PINS):
        scope.toggle(sim, Pin("pioneer/front", index))
    with pytest.raises(UnknownName, match="take a pin away"):
        scope.toggle(sim, Pin("pioneer/front", MOST_PINS))


def test_the_values_of_one_robot_are_read_without_a_look_at_all_others(sim, monkeypatch):
    found = sections(sim, "pioneer")
    monkeypatch.setattr(View, "devices", lambda view: pytest.fail("the sensors of all robots"))
    assert all(figures(sim.view(), each, True).brief for each in found)
