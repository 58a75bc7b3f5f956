"""A user's own last stage of a sensor."""

import numpy as np
import pytest
from scenes import PERFECT, model, robot, room

import understudy as us
from understudy.errors import ProgramError, TapeError
from understudy.sensors.laser import Laser
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.world.robot import DeviceSpec

FILE = b"""
def half(reading, t_s, draws):
    return reading / 2

def noisy(reading, t_s, draws):
    return reading + 0.1 * draws + t_s

def short(reading, t_s, draws):
    return reading[:2]

def broken(reading, t_s, draws):
    return reading / len([])[0]

def quits(reading, t_s, draws):
    if t_s > 0.2:
        raise SystemExit(3)
    return reading

def hangs(reading, t_s, draws):
    while t_s > 0.2:
        try:
            sum(range(100))
        except:
            pass
    return reading

def interrupts(reading, t_s, draws):
    if t_s > 0.2:
        raise KeyboardInterrupt
    return reading
"""


def sim(spec, files=None):
    sheets = {"front": Laser(rays=5, noise=PERFECT, filter=spec), "plain": Laser(rays=5, noise=PERFECT)}
    parts = model(devices=tuple(DeviceSpec(name=name, sheet=sheet) for name, sheet in sheets.items()))
    return Sim(room(robot("a", parts=parts)), seed=1, files=files or {"mine.py": FILE})


def test_a_filter_changes_what_its_device_reports():
    one = sim("mine.py:half")
    assert np.array_equal(one.robot("a").read("front"), one.robot("a").read("plain") / 2)


def test_a_filter_has_random_numbers_that_repeat():
    runs = [sim("mine.py:noisy") for _ in range(2)]
    for each in runs:
        each.run(0.5)
    assert np.array_equal(*(each.robot("a").read("front") for each in runs))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("other.py:half", "no file 'other.py' next to the scene"),
        ("mine.py:hlaf", r"mine.py: no function 'hlaf' \(did you mean 'half'"),
        ("mine.py:short", "mine.py: returned 2 values; expected 5"),
        ("mine.py:broken", r"mine.py:12: TypeError"),
        ("half", "no file '' next to the scene"),
    ],
)
def test_a_wrong_filter_is_named_with_its_place(spec, message):
    with pytest.raises(ProgramError, match=message):
        sim(spec)


def test_a_file_that_is_no_python_is_named_with_its_line():
    with pytest.raises(ProgramError, match=r"mine.py:2: SyntaxError"):
        sim("mine.py:half", {"mine.py": b"x = 1\ndef half(:\n"})


def test_a_tape_with_a_filter_is_replayed_only_when_trusted(tmp_path):
    with sim("mine.py:noisy") as made:
        made.attach(TapeWriter(tmp_path / "a.tape"))
        made.run(0.5)
    with pytest.raises(TapeError, match=r"the filter mine.py:noisy: run it with --trust"):
        us.replay(tmp_path / "a.tape")
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_a_scene_file_finds_its_filter_beside_it(tmp_path):
    (tmp_path / "mine.py").write_bytes(FILE)
    scene = tmp_path / "room.toml"
    scene.write_text('schema = 1\n[[robot]]\nmodel = "scout"\ndevice.front.filter = "mine.py:half"\n')
    with us.load(scene) as loaded:
        assert loaded.robot("scout-1").read("front").max() <= loaded.robot("scout-1").sheet("front").max_m / 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mine.py:quits", r"a/front: mine.py:16: SystemExit(3); the device returns no readings from now on"),
        ("mine.py:interrupts", r"a/front: mine.py:29: KeyboardInterrupt(); the device returns no readings from now on"),
        (
            "mine.py:hangs",
            r"the filter did not return for 0.2 s (an endless loop?); interrupted; the device returns no readings",
        ),
    ],
)
def test_a_filter_that_fails_on_the_way_blinds_its_device_and_nothing_else(caplog, spec, message):
    with sim(spec) as made:
        made._guard.patience_s = 0.2
        made.run(1.0)
        assert made.tick == 200
        assert message in caplog.text
        assert np.array_equal(made.robot("a").read("front"), made.robot("a").sheet("front").blank())
        assert made.robot("a").read("plain").min() > 0.0


def test_a_filter_file_that_does_not_load_is_refused_whatever_it_raises():
    with pytest.raises(ProgramError, match=r"mine.py:1: SystemExit"):
        sim("mine.py:half", {"mine.py": b"raise SystemExit\n"})


def test_a_run_with_a_filter_that_failed_goes_on_from_where_it_was_saved():
    with sim("mine.py:quits") as made:
        made.run(1.0)
        with us.restore(made.save(), trust=True) as again:
            again.run(0.5)
            assert np.array_equal(again.robot("a").read("front"), made.robot("a").sheet("front").blank())
