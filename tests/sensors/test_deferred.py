"""Devices that are sampled at every tick are measured only when they are read; nobody can tell the difference."""

import numpy as np
import pytest

import understudy as us
from understudy.sensors.measuring import Measuring
from understudy.world.changes import Move
from understudy.world.shapes import Pose

ROOM = """
schema = 1
seed = 7
ground = {size_m = [6, 6], walled = true}
[[robot]]
name = "pip"
model = "s4"
device.psd.noise = {sigma_m = 0.02}
"""


@pytest.fixture
def counted(monkeypatch):
    """Count how often a device is measured, by its kind."""
    counts = {}
    measure = Measuring.measure

    def counting(self, *args):
        counts[self.sheet.kind] = counts.get(self.sheet.kind, 0) + 1
        return measure(self, *args)

    monkeypatch.setattr(Measuring, "measure", counting)
    return counts


def test_samples_that_nobody_reads_are_not_measured(counted):
    with us.load_text(ROOM) as sim:
        sim.run(1.0)
        assert counted.get("psd", 0) <= 1
        sim.robot("pip").read("psd")
        sim.robot("pip").read("psd")
        assert counted["psd"] <= 2


def test_devices_that_are_off_from_the_start_are_never_measured(counted):
    with us.load_text(ROOM) as sim:
        sim.run(1.0)
        assert "camera" not in counted
        assert sim.robot("pip").read("camera").max() == 0.0


def test_a_device_that_is_switched_on_measures():
    with us.load_text(ROOM) as sim:
        sim.robot("pip").switch("lidar", True)
        sim.run(0.2)
        assert sim.robot("pip").read("lidar").max() > 1.0


def test_reading_every_tick_or_once_gives_the_same_noisy_value():
    with us.load_text(ROOM) as often, us.load_text(ROOM) as once:
        for _ in range(50):
            often.step()
            often.robot("pip").read("psd")
        once.step(50)
        assert np.array_equal(often.robot("pip").read("psd"), once.robot("pip").read("psd"))


def test_a_sample_shows_the_world_of_its_tick_even_if_the_robot_is_moved_before_it_is_read():
    with us.load_text(ROOM) as sim, us.load_text(ROOM) as other:
        sim.step(10)
        other.step(10)
        before = other.robot("pip").read("psd")
        sim.change(Move("pip", Pose(2.0, 2.0)))
        assert np.array_equal(sim.robot("pip").read("psd"), before)
        sim.step()
        assert not np.array_equal(sim.robot("pip").read("psd"), before)


def test_samples_are_counted_and_stamped_as_if_they_had_been_measured():
    with us.load_text(ROOM) as sim:
        sim.step(10)
        assert sim.robot("pip").stamp_us("psd") == sim.t_us


def test_a_saved_run_has_the_reading_that_was_not_read_yet():
    with us.load_text(ROOM) as sim:
        sim.step(10)
        saved = sim.save()
        expected = sim.robot("pip").read("psd")
    with us.restore(saved) as again:
        assert np.array_equal(again.robot("pip").read("psd"), expected)
