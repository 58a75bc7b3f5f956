"""Devices that fail in part: more noise, an offset, lost readings, readings that come too late."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scenes import PERFECT, model, robot, room

import understudy as us
from understudy.errors import ChangeRefused
from understudy.sensors.imperfection import LengthNoise
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Fault, Tune
from understudy.world.drive_stages import Slip
from understudy.world.faults import EFFECTS, WORDS, Delay, Lost, MoreNoise, Offset

QUIET = LengthNoise(sigma_m=0.01)


def two(noise=PERFECT, **extra):
    """Return a simulation of two equal robots with equal devices, of which only the first will fail."""
    parts = model(noise, **extra)
    return Sim(room(robot("scout", -1.0, parts=parts), robot("other", 1.0, parts=parts)), seed=1)


def test_a_device_with_an_offset_reads_so_much_more_where_it_sees_something():
    with two() as sim:
        sim.run(0.2)
        before, other = sim.robot("scout").read("front"), sim.robot("other").read("front")
        sim.change(Fault("scout/front", Offset(0.25)))
        sim.run(0.2)
        assert sim.robot("scout").read("front") == pytest.approx(np.where(before < 8.0, before + 0.25, before))
        assert sim.robot("other").read("front").tolist() == other.tolist()


@pytest.mark.parametrize("noise", [QUIET, LengthNoise(sigma_m=0.01, preset="perfect")], ids=["quiet", "perfect"])
def test_noise_may_become_many_times_as_strong_also_for_a_perfect_device(noise):
    with two(noise) as sim, two(PERFECT) as exact:
        sim.change(Fault("scout/front", MoreNoise(20.0)))
        errors, usual = [], []
        for _ in range(40):
            sim.run(0.1)
            exact.run(0.1)
            errors.append(sim.robot("scout").read("front") - exact.robot("scout").read("front"))
            usual.append(sim.robot("other").read("front") - exact.robot("other").read("front"))
    assert np.std(errors) == pytest.approx(0.2, rel=0.1)
    assert np.std(usual) == pytest.approx(0.0 if noise.preset else 0.01, rel=0.1)


def test_a_share_of_the_readings_is_lost():
    with two() as sim:
        sim.change(Fault("scout/front", Lost(0.3)))
        seen = []
        for _ in range(60):
            sim.run(0.1)
            seen.append(sim.robot("scout").read("front") == 8.0)
        assert np.mean(seen) == pytest.approx(0.3, abs=0.03)
        assert not (sim.robot("other").read("front") == 8.0).any()


def test_a_late_device_shows_what_it_would_have_shown_a_while_ago():
    with two() as sim, two() as prompt:
        past = []
        for each in (sim, prompt):
            each.robot("scout").drive(0.3)
        sim.change(Fault("scout/front", Delay(300_000)))
        for tick in range(20):
            sim.run(0.1)
            prompt.run(0.1)
            past.append(prompt.robot("scout").read("front").tolist())
            if tick > 3:
                assert sim.robot("scout").read("front").tolist() == past[-4]
        assert sim.robot("other").read("front").tolist() == prompt.robot("other").read("front").tolist()


def test_a_device_recovers_from_every_effect():
    given = {"by": 0.5, "delay_us": 200_000}
    for effect in EFFECTS["device"]:
        how = effect(**{name: value for name, value in given.items() if name in effect.__dataclass_fields__})
        with two() as sim, two() as sound:
            sim.change(Fault("scout/front", how))
            sim.run(0.5)
            sim.change(Fault("scout/front", how, active=False))
            sim.run(0.5)
            sound.run(1.0)
            assert sim.robot("scout").read("front").tolist() == sound.robot("scout").read("front").tolist()


@pytest.mark.parametrize("how", [Delay(300_000), Lost(0.3), MoreNoise(5.0), Offset(0.2)])
def test_a_fault_outlives_saving_and_what_is_added_to_the_world(how):
    with two(QUIET) as sim, two(QUIET) as other:
        for each in (sim, other):
            each.robot("scout").drive(0.3)
            each.change(Fault("scout/front", how))
            each.run(0.45)
        other.change(Add(robot("third", 0.0, 1.5, parts=model(QUIET))))
        with us.restore(sim.save()) as restored:
            for each in (sim, restored, other):
                each.run(0.6)
            expected = sim.robot("scout").read("front").tolist()
            assert restored.robot("scout").read("front").tolist() == expected
            assert other.robot("other").read("gps").tolist() == sim.robot("other").read("gps").tolist()
            assert other.current.faults == sim.current.faults
            assert other.current.batches[0]._effects == sim.current.batches[0]._effects


def test_a_device_cannot_slip_and_the_message_says_what_it_can():
    with two() as sim, pytest.raises(ChangeRefused, match=r"scout/front is a device, which cannot have 'slip' \(known"):
        sim.change(Fault("scout/front", Slip()))


def test_every_effect_belongs_to_some_sort_of_part():
    assert set(WORDS.values()) == {effect for effects in EFFECTS.values() for effect in effects}


def test_a_word_that_is_no_effect_or_needs_a_number_says_so():
    with pytest.raises(ValueError, match=r"no such effect 'ded' .did you mean 'dead'"):
        Fault("scout", "ded")
    with pytest.raises(ValueError, match="'offset' needs to know how much"):
        Fault("scout", "offset")


def test_a_fault_outlives_another_data_sheet_with_another_number_of_values():
    with two() as sim:
        sim.change(Fault("scout/front", "dead"))
        sheet = sim.robot("scout").sheet("front")
        sim.change(Tune("scout/front", replace(sheet, rays=11)))
        sim.run(0.3)
        assert sim.robot("scout").read("front").tolist() == [8.0] * 11


def test_a_run_that_is_set_back_forgets_the_faults_that_came_later():
    with two() as sim, two() as sound:
        before = sim.current.state()
        sim.change(Fault("scout/front", Offset(0.5)))
        sim.current.restore(before)
        sim.run(0.3)
        sound.run(0.3)
        assert sim.robot("scout").read("front").tolist() == sound.robot("scout").read("front").tolist()
