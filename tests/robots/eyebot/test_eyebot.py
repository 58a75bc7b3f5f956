"""Motors, servos, encoders, bumpers, lines and radio of an EyeBot."""

import math

import pytest

import understudy as us
from understudy.robots.base import Session
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.inputs import IoLines
from understudy.robots.eyebot.radio import Radio
from understudy.world.changes import Move
from understudy.world.media import Heard
from understudy.world.shapes import Mount, Pose

ROOM = """
schema = 1
ground = {{size_m = [6, 6], walled = true}}
[[robot]]
name = "pip"
model = "{model}"
"""


def load(model="s4"):
    return us.load_text(ROOM.format(model=model))


def unit(sim, name="pip"):
    return sim.current.units[f"{name}/eyebot"]


def powered(model, percents, seconds=2.0, servo=None):
    """Return the pose of a robot after its motors were powered, and its unit."""
    with load(model) as sim:
        if servo is not None:
            sim.robot("pip").order(orders.ServoSet(1, servo))
            sim.run(4.0)
        for motor, percent in enumerate(percents, 1):
            sim.robot("pip").order(orders.MotorDrive(motor, percent))
        sim.run(seconds)
        return sim.robot("pip").pose, unit(sim)


def test_two_motors_at_half_power_drive_straight_at_half_their_speed():
    pose, eyebot = powered("s4", (50, 50))
    assert pose.x_m == pytest.approx(2.0 * 0.5 * eyebot.sheet.motor_m_s, rel=0.03)
    assert pose.y_m == pytest.approx(0.0, abs=1e-9)


def test_unequal_motors_turn_the_robot():
    pose, _ = powered("s4", (-20, 20), 0.5)
    assert pose.heading_rad > 0.5


@pytest.mark.parametrize(("percents", "ahead", "left", "turn"), [
    ((50, 50, 50, 50), 1, 0, 0), ((-50, 50, 50, -50), 0, 1, 0),
    ((50, -50, -50, 50), 0, -1, 0), ((-50, 50, -50, 50), 0, 0, 1),
])  # fmt: skip
def test_mecanum_motors_move_as_their_signs_say(percents, ahead, left, turn):
    pose, _ = powered("eyebot-omni", percents, 1.0)
    signs = [(value > 0.05) - (value < -0.05) for value in (pose.x_m, pose.y_m, pose.heading_rad)]
    assert signs == [ahead, left, turn]


def test_servo_1_steers_an_ackermann_robot_to_the_left_below_128():
    left, _ = powered("eyebot-ackermann", (50,), 1.0, servo=0)
    right, _ = powered("eyebot-ackermann", (50,), 1.0, servo=255)
    assert left.heading_rad > 0.3
    assert right.heading_rad < -0.3


def test_power_beyond_100_percent_counts_as_100():
    assert powered("s4", (500, 500))[0] == powered("s4", (100, 100))[0]


@pytest.mark.parametrize("command", [orders.MotorDrive(0, 50), orders.MotorDrive(99, 50), orders.MotorSpeed(-3, 9),
                                     orders.EncoderReset(5), orders.ServoSet(0, 9), orders.ServoSet(15, 9),
                                     orders.DigitalWrite(17, True), orders.DigitalSetup(1, "x"),
                                     Session(True)])  # fmt: skip
def test_numbers_that_do_not_exist_are_ignored(command):
    with load() as sim:
        before = unit(sim).digest()
        sim.robot("pip").order(command)
        sim.step()
        assert {**unit(sim).digest(), "now_us": 0, "wheels": 0} == {**before, "now_us": 0, "wheels": 0}


def test_encoders_count_revolutions_of_the_wheels_and_are_reset_one_by_one():
    with load() as sim:
        sim.robot("pip").order(orders.Straight(math.pi * 0.054, 0.2))
        sim.run(3.0)
        assert unit(sim).encoders()[:2] == pytest.approx([1100, 1100], abs=1)
        sim.robot("pip").order(orders.EncoderReset(1))
        sim.step()
        assert unit(sim).encoders()[:2] == pytest.approx([0, 1100], abs=1)


def test_encoders_of_wheels_that_turn_backwards_are_negative():
    with load() as sim:
        sim.robot("pip").order(orders.Straight(-math.pi * 0.054, 0.2))
        sim.run(3.0)
        assert unit(sim).encoders()[:2] == pytest.approx([-1100, -1100], abs=1)
        sim.robot("pip").order(orders.EncoderReset(2))
        sim.robot("pip").order(orders.Straight(math.pi * 0.054, 0.2))
        sim.run(3.0)
        assert unit(sim).encoders()[:2] == pytest.approx([0, 1100], abs=1)


def test_a_controlled_motor_turns_at_its_ticks_per_hundredth_of_a_second():
    with load() as sim:
        for motor in (1, 2):
            sim.robot("pip").order(orders.MotorSpeed(motor, 10))
        sim.run(1.0)
        before = unit(sim).encoders()[0]
        sim.run(1.0)
        assert unit(sim).encoders()[0] - before == pytest.approx(1000, abs=10)


def test_servos_turn_the_camera_at_thirty_degrees_a_second():
    with load() as sim:
        sim.robot("pip").order(orders.ServoSet(1, 0))
        sim.run(1.0)
        yaw = unit(sim).camera_mount(Mount()).yaw_rad
        assert yaw == pytest.approx(math.radians(30.0), abs=0.01)
        sim.run(9.0)
        assert unit(sim).camera_mount(Mount()).yaw_rad == pytest.approx(math.radians(90.0))


def test_a_servo_stays_within_its_range():
    with load() as sim:
        sim.robot("pip").order(orders.ServoRange(2, 100, 150))
        sim.robot("pip").order(orders.ServoSet(2, 255))
        sim.run(3.0)
        assert unit(sim).servo(2) == 150


def test_bumpers_count_presses_with_their_time():
    with load("soccerbot") as sim:
        sim.robot("pip").order(orders.SetSpeed(0.5, 0.0))
        sim.run(8.0)
        pressed = [bump.count for bump in unit(sim).bumps]
        assert min(pressed) >= 1
        assert 0 < unit(sim).bumps[0].last_us <= sim.t_us


def test_infrared_switches_see_a_wall_that_is_near():
    with load("soccerbot") as sim:
        sim.step()
        assert unit(sim).infrared() == [0, 0, 0]
        sim.change(Move("pip", Pose(2.85)))
        sim.step()
        assert unit(sim).infrared()[1] == 1


def test_a_compass_reads_whole_degrees():
    with load() as sim:
        sim.step()
        assert 0 <= unit(sim).compass_deg() < 360


def test_digital_lines_have_the_level_of_their_direction():
    lines = IoLines()
    lines.order(orders.DigitalSetup(1, "o"))
    lines.order(orders.DigitalWrite(1, True))
    lines.order(orders.DigitalWrite(2, True))  # an input
    lines.order(orders.DigitalSetup(3, "I"))
    lines.order(orders.DigitalSetup(4, "I"))
    lines.order(orders.SetInput(line=4, level=0))
    lines.order(orders.SetInput(line=5, level=1))
    assert lines.levels == 0b10101


def test_analog_channels_have_ten_bits():
    lines = IoLines()
    lines.order(orders.SetInput(channel=8, level=99_999))
    assert lines.analog[7] == 1023


def test_a_radio_that_is_off_hears_nothing():
    radio = Radio()
    radio.hear(Heard("radio", b"hi", "bob/eyebot", 1.0), 1024)
    assert radio.waiting == []


def test_a_radio_keeps_messages_until_they_are_taken():
    radio = Radio(on=True)
    for _ in range(2):
        radio.hear(Heard("radio", b"hi", "bob/eyebot", 1.0), 1024)
    assert radio.waiting == [(1, "bob", b"hi"), (2, "bob", b"hi")]
    radio.take(1)
    assert radio.waiting == [(2, "bob", b"hi")]


def test_a_full_radio_loses_messages_and_counts_them():
    radio = Radio(on=True)
    for _ in range(5):
        radio.hear(Heard("radio", b"x" * 300, "bob/eyebot", 1.0), 1024)
    assert (len(radio.waiting), radio.lost) == (3, 2)


def test_a_saved_eyebot_goes_on_to_the_bit():
    with load() as sim:
        sim.robot("pip").order(orders.Curve(1.0, 2.0, 0.2))
        sim.robot("pip").order(orders.ServoSet(1, 10))
        sim.run(1.0)
        saved = sim.save()
        sim.run(2.0)
        expected = sim.hash()
    with us.restore(saved) as again:
        again.run(2.0)
        assert again.hash() == expected
