"""All settings of the sensors of a robot's own state, written in a file."""

import math

import pytest

import understudy as us
from understudy.sensors.odometry import WheelError

SCENE = """
schema = 1

[origin]
latitude_deg = 35.31
longitude_deg = -80.73
date = "2026-11-15"

[air]
temperature_c = 12.0
swing_c = 5.0
warmest_h = 14.5

[[robot]]
name = "scout"
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}

[robot.device.accel]
kind = "accelerometer"
axes = "xy"
gravity = false
unit = "g"
bandwidth_hz = 20
range_m_s2 = 20
noise = {sigma_m_s2 = 0.01, step_m_s2 = 0.1}

[robot.device.gyro]
kind = "gyro"
axes = "z"
unit = "deg_s"
range_deg_s = 300
noise = {bias_deg_s = 1.5}

[robot.device.needle]
kind = "compass"
north_m = [100000, 0]
span = "signed"
iron_deg = 3

[robot.device.fixed]
kind = "compass"
north_deg = 90
unit = "rad"
noise = "perfect"

[robot.device.gps]
kind = "gps"
form = "minutes"
earth = "flat"
acquire_s = 30

[robot.device.wheels]
kind = "encoders"
ticks_per_m = 2000
error = {share = [0.01, -0.01, 0], spread_m = 0.001}

[robot.device.trip]
kind = "odometer"
dead_band_m_s = 0.01
again_at_m = 32.767

[robot.device.place]
kind = "odometry"
unit = "deg"
error = {of = "motion", random = 0.0075, drawn = "always"}

[robot.device.power]
kind = "battery"
chemistry = "nimh"
cells = 12
capacity_ah = 2.6

[robot.device.probe]
kind = "thermometer"
unit = "f"
lag_s = 5
power_w = 0.01
"""


@pytest.fixture
def sim(tmp_path):
    (tmp_path / "room.toml").write_text(SCENE)
    with us.load(tmp_path / "room.toml", seed=1) as sim:
        sim.robot("scout").drive(0.2, 0.3)
        yield sim


def sheets(sim):
    return {device.name: device.sheet for device in sim.current.scene().robots[0].built.devices}


def test_every_setting_arrives_on_its_data_sheet(sim):
    got = sheets(sim)
    assert got["accel"].columns() == ("x_g", "y_g")
    assert got["gyro"].noise.bias_rad_s == pytest.approx(math.radians(1.5))
    assert got["needle"].north_m == (100_000.0, 0.0)
    assert got["fixed"].north_rad == pytest.approx(math.pi / 2)
    assert got["gps"].acquire_us == 30_000_000
    assert got["wheels"].error == WheelError(share=(0.01, -0.01, 0.0), spread_m=0.001)
    assert got["place"].error == WheelError(of="motion", random=0.0075, drawn="always")
    assert sim.current.scene().air.warmest_h == 14.5


def test_all_of_them_read_something_and_go_on_from_a_saved_run(sim):
    sim.run(1.0)
    saved = sim.save()
    sim.run(1.0)
    with us.restore(saved) as other:
        other.run(1.0)
        for name in sheets(sim):
            one, two = (each.robot("scout").read(name) for each in (sim, other))
            assert one.tobytes() == two.tobytes(), name


def test_a_perfect_scene_has_perfect_wheels(tmp_path):
    (tmp_path / "room.toml").write_text(SCENE.replace("schema = 1", 'schema = 1\nnoise = "perfect"'))
    with us.load(tmp_path / "room.toml", seed=1) as sim:
        sim.robot("scout").drive(0.5)
        sim.run(2.0)
        left, right, *_ = sim.robot("scout").read("wheels")
        assert left == right == pytest.approx(sim.robot("scout").pose.x_m, abs=1e-3)
