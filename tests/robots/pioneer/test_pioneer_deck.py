"""Accessories that MobileSim left out: each reads its device, and MobileSim's constant without one."""

from __future__ import annotations

import dataclasses
import math

import pytest
from robots.robots_fakes import MODEL, TICK_US, Bench, FakeDevice

from understudy.robots.base import Drive, Session
from understudy.robots.pioneer import orders
from understudy.robots.pioneer.gripper import CARRY, CLOSE, DEPLOY, DOWN, HALT, OPEN, PRESSURE, UP, GripperState
from understudy.sensors.compass import Compass
from understudy.sensors.gripper import Gripper as GripperSheet
from understudy.sensors.inertial import Gyro
from understudy.sensors.touch import Bumper, Sector
from understudy.world.changes import Done, Grasp, Move, Release
from understudy.world.news import Note, Sound
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Mount, Pose

SECOND = 1_000_000 // TICK_US
# five in front and five behind, as a PeopleBot has them, in no order
ANGLES = (0, 60, -60, 30, -30, 180, 120, -120, 150, -150)
RING = Bumper(sectors=tuple(Sector(math.radians(a - 15), math.radians(a + 15)) for a in ANGLES))
ALIKE = {"front": (60, 30, 0, -30, -60), "rear": (-120, -150, 180, 150, 120)}  # clockwise, as ARIA counts


def bench(**plugged: FakeDevice) -> Bench:
    for device in plugged.values():
        device.tell(None, 0)
    made = Bench("pioneer", plugged=plugged)
    made.unit.order(Session(True))
    return made


def exact(**plugged: FakeDevice) -> Bench:
    return Bench("pioneer", plugged=plugged, exact=True)


def pressed(*angles: int) -> FakeDevice:
    device = FakeDevice("ring", tuple(float(angle in angles) for angle in ANGLES), RING)
    device.tell(None, 0)
    return device


# ---- bumpers


@pytest.mark.parametrize("which", ["front", "rear"])
@pytest.mark.parametrize("number", range(5))
def test_bumpers_are_bits_in_arias_order(which: str, number: int) -> None:
    front, rear = bench(bumpers=pressed(ALIKE[which][number])).unit.deck.bumpers
    assert (front if which == "front" else rear, rear if which == "front" else front) == (2 << number, 0)


def test_config_knows_how_many_bumpers_there_are() -> None:
    assert bench(bumpers=pressed()).unit.deck.bumper_counts == (5, 5)
    assert Bench("pioneer").unit.deck.bumper_counts == (0, 0)


@pytest.mark.parametrize(
    ("rings", "angle", "speed", "stops"),
    [
        (1, 0, 0.3, True),
        (1, 0, -0.3, False),
        (2, 180, -0.3, True),
        (2, 0, 0.3, False),
        (3, 30, 0.3, True),
        (0, 0, 0.3, False),
    ],
)
def test_a_bumper_that_counts_stops_the_robot_that_drives_against_it(
    rings: int, angle: int, speed: float, stops: bool
) -> None:
    made = bench(bumpers=pressed(angle))
    made.unit.order(orders.BumpStall(rings))
    made.unit.order(Drive(speed))
    made.step(2 * SECOND)
    assert (made.seen()[-1][0] == 0.0) is stops
    assert made.unit.stalled is (bool(rings) and (rings, angle) != (2, 0))


def test_bumpers_count_no_more_in_the_next_session() -> None:
    made = bench(bumpers=pressed(0))
    made.unit.order(orders.BumpStall(3))
    made.step()
    made.unit.order(Session(False))
    made.step()
    assert not made.unit.stalled


# ---- compass, gyro, battery, warmth


def test_the_compass_is_reported_and_a_robot_without_one_says_so() -> None:
    assert bench(compass=FakeDevice("c", (271.5,), Compass())).unit.deck.compass_deg == 271.5
    assert Bench("pioneer").unit.deck.compass_deg is None
    assert exact(compass=FakeDevice("c", (271.5,), Compass())).unit.deck.compass_deg is None


@pytest.mark.parametrize(("unit", "rate"), [("deg_s", (0.0, 0.0, 30.0)), ("rad_s", (0.0, 0.0, math.radians(30.0)))])
def test_the_gyro_reads_what_aria_turns_into_degrees(unit: str, rate: tuple[float, ...]) -> None:
    deck = bench(gyro=FakeDevice("g", rate, Gyro(unit=unit))).unit.deck  # type: ignore[arg-type]
    counts = deck.gyro_count
    assert -(counts - 512) * 5.0 / 1023 * 300 / 2.5 * 1.626 == pytest.approx(30.0, abs=0.5)


def test_a_gyro_at_rest_is_centred() -> None:
    assert bench(gyro=FakeDevice("g", (0.0, 0.0, 0.0), Gyro())).unit.deck.gyro_count == 512


def test_the_battery_is_measured_unless_it_is_set_otherwise() -> None:
    made = bench(battery=FakeDevice("b", (12.34, -1.0, 5.0, 0.5)))
    assert made.unit.deck.decivolts == 123
    made.unit.order(orders.BatteryTest(105))
    made.unit.order(Session(False))
    assert made.unit.deck.decivolts == 105
    made.unit.order(orders.BatteryTest(0))
    assert made.unit.deck.decivolts == 123


def test_a_battery_with_a_state_of_charge_is_set_in_percent() -> None:
    made = Bench("pioneer", state_of_charge=True)
    assert made.unit.deck.charge_percent == 100
    made.unit.order(orders.BatteryTest(42))
    assert (made.unit.deck.charge_percent, made.unit.deck.decivolts) == (42, 130)


def test_the_temperature_is_faked_measured_or_unknown() -> None:
    assert Bench("pioneer").unit.deck.celsius == -127
    made = bench(thermometer=FakeDevice("t", (21.4,)))
    assert made.unit.deck.celsius == 21
    made.unit.order(orders.TemperatureTest(60))
    assert made.unit.deck.celsius == 60
    made.unit.order(orders.TemperatureTest(-128))
    assert made.unit.deck.celsius == 21


# ---- ports


def test_infra_red_switches_are_active_low() -> None:
    made = bench(
        infrared1=FakeDevice("a", (1.0,)), infrared3=FakeDevice("b", (0.0,)), infrared8=FakeDevice("c", (1.0,))
    )
    assert made.unit.deck.infrared == 0xFF & ~0b1000_0001
    assert made.unit.deck.digital_in == 0xFF & ~0b1000_0001


def test_outputs_change_where_the_mask_says_so_and_come_back_with_the_session() -> None:
    made = bench()
    made.unit.order(orders.DigitalOut(0x0F, 0x05))
    assert made.unit.deck.memory.digital_out == 0xF5
    made.unit.order(Session(False))
    assert made.unit.deck.memory.digital_out == 0xFF


def test_inputs_are_what_a_program_says() -> None:
    made = bench()
    made.unit.order(orders.DigitalIn(0xA5))
    made.unit.order(orders.AnalogIn(3, 2.5))
    assert (made.unit.deck.digital_in, made.unit.deck.analog(3), made.unit.deck.analog(2)) == (0xA5, 512, 0)


def test_an_analog_port_reads_its_device() -> None:
    assert bench(analog2=FakeDevice("ir", (5.0,))).unit.deck.analog(2) == 1023


def test_servos_point_the_camera() -> None:
    made = bench()
    made.unit.order(orders.ServoPulse(1, 100))
    made.unit.order(orders.ServoPulse(2, 200))
    assert made.unit.deck.pan_tilt_deg == (45.0, 45.0)


# ---- joystick and sound


def test_the_joystick_drives_when_nobody_is_connected() -> None:
    made = Bench("pioneer")
    made.unit.order(orders.Joystick(x=-0.5, y=1.0, throttle=0.5, fire=True))
    made.step(3 * SECOND)
    assert made.seen()[-1] == pytest.approx((0.5, 0.0, math.radians(25.0)))
    made.unit.order(orders.Joystick(y=1.0))
    made.step(3 * SECOND)
    assert made.seen()[-1] == (0.0, 0.0, 0.0)


def test_in_a_session_the_joystick_drives_only_if_the_client_lets_it() -> None:
    made = bench()
    made.unit.order(orders.Joystick(y=1.0, fire=True))
    made.step(SECOND)
    assert made.seen()[-1] == (0.0, 0.0, 0.0)
    made.unit.order(orders.JoyDrive(True))
    made.unit.order(orders.Joystick(y=1.0, fire=True))
    made.step(SECOND)
    assert made.seen()[-1][0] > 0.2


def test_beeps_and_sounds_are_news() -> None:
    unit = bench().unit
    unit.order(orders.Beep(((50, 100), (10, 0))))
    unit.order(orders.PlaySound(7))
    assert unit.asks() == [Sound(((1.0, 100.0), (0.2, 0.0))), Sound(number=7)]
    assert unit.asks() == ()


def test_a_muted_robot_is_silent_until_the_next_session() -> None:
    unit = bench().unit
    unit.order(orders.SoundOn(False))
    unit.order(orders.PlaySound(7))
    assert unit.asks() == ()
    unit.order(Session(True))
    unit.order(orders.PlaySound(7))
    assert unit.asks() == [Sound(number=7)]


# ---- what only a simulator does


def test_a_robot_is_placed_by_one_coordinate_at_a_time() -> None:
    made = bench()
    made.here.at = Pose(1.0, 2.0, heading_rad=0.5)
    made.unit.order(orders.PlaceRobot(y_m=-3.0))
    assert made.unit.asks() == [Move("robot", Pose(1.0, -3.0, heading_rad=0.5))]


def test_the_state_is_described_for_the_log() -> None:
    unit = bench().unit
    unit.order(orders.Describe("look"))
    (note,) = unit.asks()
    assert isinstance(note, Note)
    assert note.text.startswith("look PioneerPanel(motors_on=True")


# ---- gripper


def test_paddles_open_and_close_in_their_time() -> None:
    gripper = GripperState()
    gripper.act(CLOSE)
    for _ in range(149):
        assert gripper.advance(False, 0.01) == ""
    assert gripper.switches(False, False) & 0x80, "moving"
    gripper.advance(False, 0.02)
    assert (gripper.paddles, gripper.switches(False, False)) == (1.0, 0b0000_0001)
    gripper.act(OPEN)
    for _ in range(160):
        gripper.advance(False, 0.01)
    assert gripper.switches(False, False) == 0b0011_0000


def test_paddles_that_close_on_something_take_it_and_let_it_go() -> None:
    gripper = GripperState()
    gripper.act(CLOSE)
    wishes = [gripper.advance(True, 0.01) for _ in range(200)]
    assert [wish for wish in wishes if wish] == ["grasp"]
    gripper.holding = True
    assert gripper.switches(True, True) & 0b0011_1100 == 0b0000_1100
    gripper.act(CLOSE)
    assert [gripper.advance(True, 0.01) for _ in range(200)] == [""] * 200
    gripper.act(OPEN)
    assert [wish for wish in (gripper.advance(True, 0.01) for _ in range(200)) if wish] == ["release"]


def test_the_lift_rises_falls_stops_and_carries() -> None:
    gripper = GripperState()
    gripper.act(UP)
    gripper.advance(False, 1.0)
    assert (gripper.lift, bool(gripper.switches(False, False) & 0x40)) == (0.5, True)
    gripper.act(HALT)
    gripper.advance(False, 1.0)
    assert gripper.lift == 0.5
    gripper.act(CARRY)
    gripper.give(-25)
    for _ in range(10):
        gripper.advance(False, 0.1)
    assert gripper.lift == pytest.approx(0.25)
    gripper.act(DOWN)
    for _ in range(30):
        gripper.advance(False, 0.1)
    assert (gripper.lift, bool(gripper.switches(False, False) & 0x02)) == (0.0, False)


def test_pressure_is_kept_and_deploy_opens_and_lowers() -> None:
    gripper = GripperState(paddles=1.0, lift=1.0)
    gripper.act(PRESSURE)
    gripper.give(12)
    gripper.act(DEPLOY)
    for _ in range(30):
        gripper.advance(False, 0.1)
    assert (gripper.grasp_time, gripper.paddles, gripper.lift) == (12, 0.0, 0.0)


def grippy(broken: float) -> Bench:
    model = dataclasses.replace(
        MODEL, devices=(DeviceSpec(name="grip", sheet=GripperSheet(), mount=Mount(x_m=0.25, z_m=0.05)),)
    )
    device = FakeDevice("robot/grip", (broken, broken), GripperSheet())
    device.tell(None, 0)
    return Bench("pioneer", model=model, plugged={"gripper": device})


def test_the_firmware_asks_to_grasp_what_is_between_the_paddles() -> None:
    made = grippy(1.0)
    made.unit.order(orders.Grip(CLOSE))
    made.step(2 * SECOND)
    (wish,) = made.unit.asks()
    assert wish == Grasp("robot", 0.3, 0.0, pytest.approx(0.15))
    made.unit.done(Done(wish, True))
    assert made.unit.panel().holding
    made.unit.order(orders.Grip(OPEN))
    made.step(2 * SECOND)
    assert made.unit.asks() == [Release("robot")]


def test_what_cannot_be_held_is_not() -> None:
    made = grippy(1.0)
    made.unit.order(orders.Grip(CLOSE))
    made.step(2 * SECOND)
    made.unit.done(Done(made.unit.asks()[0], False, "there is nothing"))
    made.unit.order(orders.Grip(OPEN))
    made.step(2 * SECOND)
    assert (made.unit.panel().holding, made.unit.asks()) == (False, ())


def test_a_robot_without_gripper_has_no_switches() -> None:
    assert Bench("pioneer").unit.deck.gripper_switches == 0
