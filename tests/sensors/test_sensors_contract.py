import pytest
from contracts.sensor_contract import check_perfect, check_sensor
from contracts.sensor_truth import ORACLES

from understudy.sensors import SENSORS


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_every_sensor_fulfils_the_contract(kind):
    check_sensor(SENSORS[kind], ORACLES[kind])


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_the_word_for_a_sensor_is_its_kind(kind):
    assert SENSORS[kind].kind == kind


def test_every_sensor_is_compared_with_a_truth_of_its_own():
    assert set(ORACLES) == set(SENSORS)


def wrong(kind, **methods):
    """Return a sensor of a kind with something wrong in it."""
    return type(f"Wrong{kind}", (SENSORS[kind],), {"__slots__": (), **methods})


def too_much(self, truth, out):
    out += 0.001


def too_little(self, truth, rows, mount, out, *memory):
    super(type(self), self).measure(truth, rows, mount, out, *memory)
    out *= 0.999


def upside_down(self, truth, out):
    super(type(self), self).finish(truth, out)
    out[:] = 1.0 - out


INVALID = {
    "finish": (too_much, ["laser", "sonar", "beam", "odometer", "encoders", "gyro", "feedback", "camera"]),
    "measure": (too_little, ["compass", "gps", "odometry", "accelerometer", "light", "battery", "line", "colour"]),
    "flags": (upside_down, ["bumper", "touch", "stall", "gripper", "proximity", "wheel_drop"]),
}
WRONG = [(kind, what) for what, (_, kinds) in INVALID.items() for kind in kinds]


@pytest.mark.parametrize(("kind", "what"), WRONG)
def test_a_sensor_that_does_not_read_the_truth_fails_the_contract(kind, what):
    sheet = wrong(kind, **{what.replace("flags", "finish"): INVALID[what][0]})()
    with pytest.raises(AssertionError, match=f"{kind}: .* but the truth is"):
        check_perfect(sheet, ORACLES[kind])


def test_a_perfect_sensor_that_has_noise_fails_the_contract():
    def noisy(self, truth, rows, mount, out, memory):
        super(type(self), self).measure(truth, rows, mount, out, memory)
        out += memory["keys"][:, :1] / 2**32

    with pytest.raises(AssertionError, match="must not depend on the seed"):
        check_perfect(wrong("odometer", measure=noisy)(), ORACLES["odometer"])
