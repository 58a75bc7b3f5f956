"""The catalogue of devices: every model can be loaded, and says where its numbers are from."""

import math

import pytest
from scenes import PERFECT
from sensors.looking import pole, read

from understudy.sensors import SENSORS
from understudy.sensors.models import find, models
from understudy.world.rules import canonical, fields_of

NAMES = sorted(models())


@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_a_data_sheet_without_errors(name):
    model = models()[name]
    assert type(model.sheet) is SENSORS[model.kind]
    assert list(model.sheet.findings()) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_model_has_a_source_and_every_source_a_number(name):
    model = models()[name]
    given = {canonical(key) for key in model.device} - {"kind"}
    assert given - set(model.numbers) == set()
    assert set(model.numbers) - {field.name for field in fields_of(type(model.sheet))} == set()
    assert model.summary
    assert model.sources


def test_the_devices_that_everybody_asks_for_are_there():
    assert {"ping", "ez1", "srf", "lms200", "gp2d12", "gp2d15", "psd", "radar"} <= set(NAMES)


def test_names_of_models_differ_however_they_are_spelled():
    for name, model in models().items():
        assert find(name) is model
        assert all(find(other) is model for other in model.also)


READINGS = [
    # model, distance of a pole (m), what is read
    ("ping", 2.5, 2.5),
    ("ping", 3.5, 3.0),
    ("ez1", 0.1, 0.1524),
    ("srf08", 5.5, 5.5),
    ("hc-sr04", 3.9, 3.9),
    ("polaroid", 9.0, 9.0),
    ("radar", 9.0, 9.0),
    ("gp2d12", 0.2, 1.40),
    ("gp2d12", 0.8, 0.41),
    ("gp2d15", 0.2, 1.0),
    ("gp2d15", 0.3, 0.0),
    ("psd", 0.3, 300),
    ("eyesim-psd", 3.0, 3000),
    ("lidar-lite", 7.0, 7.0),
]


@pytest.mark.parametrize(("name", "distance", "reading"), READINGS)
def test_a_model_reads_what_its_data_sheet_says(name, distance, reading):
    from dataclasses import replace

    sheet = replace(models()[name].sheet, noise=PERFECT)
    assert read(sheet, pole(distance + 0.05))[0] == pytest.approx(reading, abs=1e-6)


def test_the_curve_of_the_gp2d12_follows_its_usual_fit_within_its_range():
    for distance_m, volts in models()["gp2d12"].sheet.curve:
        if 0.1 <= distance_m <= 0.8:
            counts = 6787 / (100 * distance_m + 4) + 3
            assert volts == pytest.approx(counts * 5 / 1024, abs=0.02)


def test_the_ring_of_srf_looks_all_around():
    sheet = models()["srf"].sheet
    assert [round(math.degrees(place.yaw_rad)) for place in sheet.ring] == [0, 45, 90, 135, 180, -135, -90, -45]
    assert all(math.hypot(place.x_m, place.y_m) == pytest.approx(0.15, abs=1e-3) for place in sheet.ring)


def test_the_polaroid_hears_what_is_near_beside_its_main_lobe():
    from dataclasses import replace

    sheet = replace(models()["polaroid"].sheet, noise=PERFECT)
    assert read(sheet, pole(2.0 * math.cos(0.35), 2.0 * math.sin(0.35), 0.02))[0] == pytest.approx(1.99)
    assert read(sheet, pole(4.0 * math.cos(0.35), 4.0 * math.sin(0.35), 0.02))[0] > 9.0
