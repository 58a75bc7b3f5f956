"""The firmware of a Roomba: driving, safety, songs, light, charging, sleep, waits and behaviours."""

from __future__ import annotations

import math

import pytest
from protocols.roomba_desk import GENERATIONS, Desk
from robots.robots_fakes import TRACK_M

from understudy.robots.base import Drive, Session
from understudy.robots.roomba.orders import Cable, CargoBay, PushButtons, Sense, Sensed
from understudy.robots.roomba.pilot import DEMOS
from understudy.world.media import Message
from understudy.world.motion import Motion
from understudy.world.news import Note, Sound

HALF = TRACK_M / 2


def driven(command: str, generation: str = "create2", mode: str = "full") -> tuple[float, float]:
    return Desk(generation).into(mode).send(command).step(1).motion


# ---- driving


@pytest.mark.parametrize(
    ("command", "ahead", "turn"),
    [
        ("89 00c8 8000", 0.2, 0.0),
        ("89 00c8 7fff", 0.2, 0.0),
        ("89 ff38 7fff", -0.2, 0.0),
        ("89 0000 0000", 0.0, 0.0),
        ("89 00c8 0000", 0.2, 0.0),
        ("89 0064 0001", 0.0, 0.1 / HALF),
        ("89 0064 ffff", 0.0, -0.1 / HALF),
        ("89 ff9c 0001", 0.0, -0.1 / HALF),
        ("89 00c8 01f4", 0.2, 0.4),
        ("89 00c8 fe0c", 0.2, -0.4),
        ("89 ff38 01f4", -0.2, -0.4),
        ("89 03e8 8000", 0.5, 0.0),
        ("89 00c8 1388", 0.2, 0.1),  # radius 5000: 2000
        ("91 003b ffc5", 0.0, 0.059 / HALF),
        ("91 03e8 03e8", 0.5, 0.0),
        ("92 00ff 00ff", 0.5, 0.0),
        ("92 ff01 00ff", 0.0, -0.5 / HALF),
        ("92 7fff 7fff", 0.5, 0.0),
    ],
)
def test_drive_commands_become_speed_and_turn(command, ahead, turn):
    assert driven(command) == pytest.approx((ahead, turn))


def test_each_wheel_saturates_at_500_mm_s():
    ahead, turn = driven("89 01f4 0064")  # radius 100 mm at 500 mm/s
    assert ahead + turn * HALF == pytest.approx(0.5)
    assert ahead - turn * HALF == pytest.approx(-0.325)


def test_the_last_command_holds_for_ever_also_without_a_client():
    desk = Desk().into("full").send("91 0064 0064").step(2000)
    desk.give(desk.protocol.closed())
    assert desk.step(2000).motion == (0.1, 0.0)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_start_stops_the_wheels(generation):
    desk = Desk(generation).into("full").send("89 00c8 8000").step(1).send("80").step(1)
    assert (desk.motion, desk.unit.mode) == ((0.0, 0.0), "passive")


def test_a_program_drives_in_any_mode():
    desk = Desk()
    desk.unit.order(Drive(0.2, 0.5))
    assert desk.step(1).motion == pytest.approx((0.2, 0.5))


def test_a_question_for_an_unknown_sensor_has_no_reply():
    unit = Desk().into("passive").unit
    assert unit.order(Sense(("mode", "nonsense"))) is None
    assert unit.order(Sense(("mode",))) == Sensed((1,))


# ---- safety

CLIFF = ("cliffs", 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("command", "event", "stops"),
    [
        ("91 0064 0064", CLIFF, True),
        ("91 ff9c ff9c", CLIFF, False),
        ("91 ffce ff6a", CLIFF, False),  # backward, radius 330 mm
        ("91 0000 ff38", CLIFF, True),  # backward, radius 165 mm
        ("91 0000 0000", CLIFF, False),
        ("91 0064 0064", ("drops", 0.0, 1.0, 0.0), True),
        ("91 0000 0000", ("drops", 0.0, 0.0, 1.0), True),
        ("91 0064 0064", ("bumpers", 1.0, 1.0), False),
        ("91 0064 0064", ("wall", 1.0, 500.0), False),
    ],
)
def test_safe_mode_ends_where_it_is_dangerous(command, event, stops):
    desk = Desk().into("safe").send(command).step(1)
    before = desk.motion
    desk.tell(*event).step(2)
    assert desk.unit.mode == ("passive" if stops else "safe")
    assert desk.motion == ((0.0, 0.0) if stops else before)
    assert desk.ask("8e23") == ("01" if stops else "02")


def test_the_log_has_the_reason_why_safe_mode_ends():
    desk = Desk().into("safe").send("91 0064 0064").step(1).tell(*CLIFF).step(5)
    assert desk.news == [Note("safe mode ends: there is a cliff")]


def test_the_charger_ends_safe_mode():
    desk = Desk().into("safe").send("91 0064 0064").step(1)
    desk.unit.order(Cable(True))
    assert (desk.step(1).unit.mode, desk.motion) == ("passive", (0.0, 0.0))


def test_full_mode_has_no_safety():
    desk = Desk().into("full").send("91 0064 0064").step(1)
    desk.unit.order(Cable(True))
    desk.tell(*CLIFF).tell("drops", 1.0, 1.0, 1.0).step(20)
    assert (desk.unit.mode, desk.motion) == ("full", (0.1, 0.0))


# ---- sounds, lights, buttons


def test_a_song_is_played_once_and_reported_while_it_lasts():
    desk = Desk().step(3).into("safe")
    assert desk.ask("8c 01 02 4520 1e20 8d 01 95 02 24 25") == "0101"
    assert desk.news == [Sound(((0.5, 440.0), (0.5, 0.0)))]
    assert desk.ask("8d 01 8e25", 198) == "01"
    assert desk.ask("8e25") == "00"
    assert len(desk.news) == 1


@pytest.mark.parametrize(("generation", "last"), [("roomba400", 15), ("create1", 15), ("create2", 4)])
def test_a_generation_keeps_so_many_songs(generation, last):
    desk = Desk(generation).into("full")
    for number in (last, last + 1):
        desk.send(f"8c {number:02x} 01 4501 8d {number:02x}").step(12)
    assert len(desk.news) == 1


@pytest.mark.parametrize("notes", [0, 17])
def test_a_song_of_no_or_too_many_notes_is_read_and_dropped(notes):
    desk = Desk().into("full").send(f"8c 00 {notes:02x}" + "4501" * notes + "8d 00").step()
    assert desk.news == []


def test_lights_and_digits_show_on_the_panel():
    panel = Desk().into("safe").send("8b 0a 80 ff a4 31 32 33 34").unit.panel()
    assert panel.leds == (10, 128, 255)
    assert panel.digits == (0b110, 0b1011011, 0b1001111, 0b1100110)


def test_pushed_buttons_are_released_after_a_sixth_of_a_second():
    desk = Desk().step(3).into("full")
    assert desk.ask("a5 02 8e12") == "02"
    assert desk.ask("8e12", 33) == "02"
    assert desk.ask("8e12") == "00"


def test_the_clean_button_starts_cleaning_and_stops_it_again():
    desk = Desk().into("passive").send("a501").step()
    assert desk.unit.panel().behaviour == "clean"
    assert desk.send("a501").step().unit.panel().behaviour == ""


def test_a_button_is_only_reported_in_safe_mode():
    desk = Desk().into("safe")
    desk.unit.order(PushButtons(1))
    assert (desk.unit.mode, desk.unit.panel().behaviour) == ("safe", "")


def test_a_finger_on_the_clean_button_works_also_when_the_interface_is_off():
    desk = Desk()
    desk.unit.order(PushButtons(1))
    assert (desk.unit.mode, desk.unit.panel().behaviour) == ("passive", "clean")


def test_the_schedule_starts_cleaning_at_its_time():
    desk = Desk().into("passive").send("a8 02 0b 3b a7 04 0000 0000 0c00 0000 0000 0000 0000").step(11_990)
    assert desk.unit.panel().behaviour == ""
    assert desk.step(20).unit.panel().behaviour == "clean"


def test_the_schedule_waits_while_a_client_has_control():
    desk = Desk().into("full").send("a8 02 0b 3b a7 04 0000 0000 0c00 0000 0000 0000 0000").step(12_100)
    assert desk.unit.panel().behaviour == ""


# ---- infrared light


def test_a_virtual_wall_is_seen_while_it_shines():
    desk = Desk().step(3).into("passive").shine(162)
    assert desk.ask("95 02 0d 11") == "01a2"
    assert desk.ask("8e0d", 30) == "01"
    assert desk.ask("8e0d") == "00"


def test_a_roomba_400_reports_no_character_for_a_virtual_wall():
    desk = Desk("create1").step(3).into("passive").shine(162)
    assert desk.ask("95 02 0d 11") == "01ff"


@pytest.mark.parametrize(
    ("codes", "old", "new"),
    [((248,), 248, 168), ((168,), 248, 168), ((248, 244), 252, 172), ((242,), 242, 161), ((168, 164, 161), 254, 173)],
)
def test_the_lamps_of_a_home_base_add_up_in_the_code_of_the_generation(codes, old, new):
    for generation, expected in (("create1", old), ("create2", new)):
        desk = Desk(generation).step(3).into("passive")
        for code in codes:
            desk.shine(code)
        assert desk.ask("8e11") == f"{expected:02x}"


@pytest.mark.parametrize(
    ("bearing", "left", "right"), [(60, "87", "00"), (-60, "00", "87"), (0, "87", "87"), (180, "00", "00")]
)
def test_left_and_right_receivers_see_their_side(bearing, left, right):
    desk = Desk().step(3).into("passive").shine(0x87, bearing_rad=math.radians(bearing))
    assert desk.ask("95 03 11 34 35") == "87" + left + right


def test_a_create_sends_a_character():
    assert Desk("create1").into("safe").send("97 89").step(1).news == [Message("infrared", b"\x89", 3.0)]


# ---- power


def test_on_a_home_base_the_battery_is_charged():
    desk = Desk().step(3).into("passive")
    before = int(desk.ask("8e19"), 16)
    for _ in range(720):  # a minute and more
        desk.shine(242, 0.2).step(20)
    assert desk.ask("95 02 15 22") == "0202"
    assert int(desk.ask("8e19"), 16) == before + 25


def test_a_full_battery_is_charged_no_further():
    desk = Desk().step(3).into("passive").tell("battery", 16.0, -0.2, 2.5, 1.0)
    desk.unit.order(Cable(True))
    assert desk.step(SETTLED).ask("95 03 15 19 22", 300) == "03" + "09c4" + "01"


SETTLED = 201  # ticks after which the charger no longer waits


def charging(desk):
    """Return state and current (mA) of the charger."""
    answer = bytes.fromhex(desk.ask("95 02 15 17"))
    return answer[0], int.from_bytes(answer[1:], "big", signed=True)


def plugged_in(held=0.8, celsius=22.0, **settings):
    """Return a robot whose charger was plugged in a moment ago."""
    desk = Desk(**settings).step(3).into("passive").tell("thermometer", celsius)
    desk.tell("battery", 14.0, -0.25, 2.5 * held, held)
    desk.unit.order(Cable(True))
    return desk


def test_a_charger_waits_a_second_before_it_charges():
    desk = plugged_in(charge_a=1.5)
    assert charging(desk) == (4, -250)
    assert charging(desk.step(SETTLED)) == (2, 1500)


def test_a_deeply_discharged_battery_is_reconditioned_gently_until_it_can_be_charged():
    desk = plugged_in(0.049, charge_a=1.5).step(SETTLED)
    assert charging(desk) == (1, 300)
    assert charging(desk.step(12_000)) == (2, 1500)  # a minute at 0.3 A is 5 mAh


@pytest.mark.parametrize("celsius", [-3.0, 51.0])
def test_a_charger_waits_while_the_battery_is_too_cold_or_too_hot(celsius):
    desk = plugged_in(celsius=celsius).step(SETTLED)
    before = desk.ask("8e19")
    assert charging(desk.step(2000)) == (4, -250)
    assert desk.ask("8e19") == before
    assert charging(desk.tell("thermometer", 30.0))[0] == 2


def test_a_battery_that_cannot_be_read_is_a_fault():
    desk = plugged_in().step(SETTLED).tell("battery", *[math.nan] * 4)
    assert charging(desk)[0] == 5


def test_the_charger_waits_again_after_each_contact():
    desk = plugged_in().step(SETTLED)
    desk.unit.order(Cable(False))
    assert charging(desk)[0] == 0
    desk.unit.order(Cable(True))
    assert charging(desk)[0] == 4


# ---- dirt


@pytest.mark.parametrize(
    ("generation", "main", "dirt"),
    [
        ("create2", "8a 04", ("ff", "00")),
        ("create2", "90 40 00 00", ("81", "00")),
        ("create2", "8a 03", ("00", "00")),  # the side brush and the vacuum throw nothing against the sensor
        ("create1", "8a 04", ("00", "00")),  # has none
        ("roomba400", "8a 04", ("ff", "ff")),
    ],
)
def test_a_brush_on_dirt_gives_a_signal(generation, main, dirt):
    desk = Desk(generation).step(3).into("full").send(main)
    desk.bench.here.dirt = True
    desk.bench.wheels.twist = lambda: Motion(0.4, 0.0, 0.0)
    group = bytes.fromhex(desk.ask("8e01"))
    assert (f"{group[8]:02x}", f"{group[9]:02x}") == dirt


def test_without_dirt_or_without_motion_there_is_no_signal():
    desk = Desk().step(3).into("full").send("8a 04")
    assert desk.ask("8e0f") == "00"
    desk.bench.here.dirt = True
    assert desk.ask("8e0f") == "00"


def test_an_empty_battery_switches_it_off():
    desk = Desk().step(3).into("full").send("91 0064 0064").tell("battery", 10.0, -1.0, 0.0, 0.0).step(2)
    assert (desk.unit.mode, desk.motion) == ("off", (0.0, 0.0))


def test_it_falls_asleep_in_passive_mode_and_a_pulse_wakes_it():
    desk = Desk(sleep_us=1_000_000).step(3).into("passive")
    assert desk.step(201).ask("80 8e23") == ""
    assert desk.unit.panel().asleep
    assert desk.line(False).ask("80 8e23") == "01"


def test_a_new_client_wakes_it():
    desk = Desk(sleep_us=1_000_000).step(3).into("passive").step(210)
    desk.unit.order(Session(False))
    desk.unit.order(Session(True))
    assert desk.ask("80 8e23") == "01"


@pytest.mark.parametrize("mode", ["safe", "full"])
def test_it_does_not_fall_asleep_in_other_modes(mode):
    desk = Desk(sleep_us=1_000_000).step(3).into(mode).step(400)
    assert desk.unit.mode == mode


def test_a_stream_does_not_keep_it_awake():
    desk = Desk(sleep_us=1_000_000).step(3).into("passive").send("94 01 07").step(203)
    assert desk.unit.panel().asleep
    assert desk.ask("", 30) == ""


def test_commands_keep_it_awake():
    desk = Desk(sleep_us=1_000_000).step(3).into("passive")
    assert [desk.step(150).ask("8e23") for _ in range(4)] == ["01"] * 4


# ---- waits and scripts of a Create

SQUARE = "98 11 89 012c 8000 9c 0190 89 012c 0001 9d 005a 99"


def test_while_it_waits_it_reads_nothing_and_then_goes_on():
    desk = Desk("create1").step(3).into("full")
    assert desk.ask("9b 02 8e23", 39) == ""
    assert desk.ask("", 6) == "03"


def test_a_wait_for_a_distance_clears_the_distance():
    desk = Desk("create1").step(3).into("full").send("91 0064 0064").step(60)
    desk.send("9c 0032 91 0000 0000 8e13").step(120)
    assert 50 <= int(desk.heard.hex(), 16) <= 52


def test_a_wait_backwards_needs_a_negative_distance():
    desk = Desk("create1").into("full").send("91 ff9c ff9c 9c ffce 91 0000 0000").step(120)
    assert desk.motion == (0.0, 0.0)
    assert desk.bench.travel[0] == pytest.approx(-0.05, abs=0.002)


def test_a_wait_for_an_angle():
    desk = Desk("create1").into("full").send("89 0064 0001 9d 002d 89 0000 0000").step(300)
    turned = (desk.bench.travel[1] - desk.bench.travel[0]) / TRACK_M
    assert math.degrees(turned) == pytest.approx(45.0, abs=0.5)


def test_a_wait_for_an_event_and_for_its_end():
    desk = Desk("create1").step(3).into("full").send("9e 05 8e23 9e fb 8e07").step(30)
    assert desk.heard == b""
    desk.tell("bumpers", 1.0, 0.0).step(30)
    assert desk.heard.hex() == "03"
    assert desk.tell("bumpers", 0.0, 0.0).step(6).heard.hex() == "0300"


EVENTS = {
    1: ("drops", (0, 0, 1)), 2: ("drops", (0, 0, 1)), 3: ("drops", (1, 0, 0)), 4: ("drops", (0, 1, 0)),
    5: ("bumpers", (0, 1)), 6: ("bumpers", (1, 0)), 7: ("bumpers", (0, 1)), 8: 162, 9: ("wall", (1, 9)),
    10: ("cliffs", (0, 0, 0, 1, 0, 0, 0, 0)), 11: ("cliffs", (1, 0, 0, 0, 0, 0, 0, 0)),
    12: ("cliffs", (0, 1, 0, 0, 0, 0, 0, 0)), 13: ("cliffs", (0, 0, 1, 0, 0, 0, 0, 0)),
    14: ("cliffs", (0, 0, 0, 1, 0, 0, 0, 0)), 15: 242, 16: PushButtons(4), 17: PushButtons(1),
    18: CargoBay(1, 0.0), 19: CargoBay(2, 0.0), 20: CargoBay(4, 0.0), 21: CargoBay(8, 0.0), 22: "passive",
}  # fmt: skip


@pytest.mark.parametrize("number", EVENTS)
def test_every_event_that_a_create_can_wait_for(number):
    desk = Desk("create1").step(3).into("full").send(f"9e {number:02x} 8b 01 02 03").step(6)
    assert desk.unit.panel().leds == (0, 0, 0)
    match EVENTS[number]:
        case (name, values):
            desk.tell(name, *(float(value) for value in values))
        case int(code):
            desk.shine(code, 0.1)
        case str(mode):
            desk.into(mode)
        case order:
            desk.unit.order(order)
    desk.step(3)
    assert (desk.protocol.state()["queue"], desk.protocol.state()["talk"]["waiting"]) == ("", False)


def test_a_script_is_stored_shown_and_halts_the_stream():
    desk = Desk("create1").step(3).into("full").send("94 01 07" + SQUARE.replace(" ", ""))
    assert desk.ask("9a").endswith("11" + SQUARE.replace(" ", "")[4:])
    assert desk.ask("", 30) == ""


def test_a_script_that_plays_itself_drives_squares():
    desk = Desk("create1").into("full").send(SQUARE + "99").step(2 * 4 * 1000)
    turned = math.degrees((desk.bench.travel[1] - desk.bench.travel[0]) / TRACK_M)
    assert turned > 4 * 90
    assert desk.unit.speeds != (0.0, 0.0)


def test_a_script_of_nothing_but_play_does_not_hang():
    desk = Desk("create1").into("full").send("98 01 99 99").step(10)
    assert desk.ask("8e23", 9) == "03"


def test_the_host_ends_a_script_that_plays_itself():
    desk = Desk("create1").step(3).into("full").send("98 03 9b 01 99 99").step(100)
    assert desk.ask("98 00 8e23", 60) == "03"
    assert desk.ask("8e23", 60) == "03"


def test_songs_and_script_survive_a_reset():
    unit = Desk("create1").into("full").send("8c 00 01 4510 98 02 8e07").unit
    fresh = Desk("create1")
    fresh.unit.recall(unit.keep())
    assert fresh.into("full").ask("9a") == "028e07"
    assert fresh.send("8d00").step().news != []


def test_bytes_that_find_no_room_while_it_waits_are_lost_and_counted():
    desk = Desk("create1").into("full").send("9b ff").step(3)
    desk.send("80" * 2000)
    assert desk.protocol.counters()["lost"] == 2000 - 1024


# ---- behaviours


@pytest.mark.parametrize("number", range(len(DEMOS)))
def test_every_demo_runs_in_passive_mode_until_it_is_stopped(number):
    desk = Desk("create1").into("full").send(f"88 {number:02x}").step(5)
    assert (desk.unit.mode, desk.unit.panel().behaviour) == ("passive", DEMOS[number])
    assert (desk.motion != (0.0, 0.0)) == (number < 8)
    desk.send("88 ff").step(1)
    assert (desk.motion, desk.unit.panel().behaviour) == ((0.0, 0.0), "")


@pytest.mark.parametrize("command", ["86", "87", "88", "8f"])
def test_a_cleaning_robot_backs_off_from_what_it_bumps_into(command):
    desk = Desk().into("safe").send(command).step(5)
    assert desk.motion[0] > 0.0
    desk.tell("bumpers", 1.0, 0.0).step(2)
    assert desk.motion[0] < 0.0
    desk.tell("bumpers", 0.0, 0.0).step(90)
    assert desk.motion[0] == pytest.approx(0.0)  # it turns away
    assert desk.motion[1] < 0.0


def test_spot_cleaning_ends_by_itself():
    desk = Desk().into("safe").send("86").step(8010)
    assert (desk.unit.panel().behaviour, desk.motion) == ("", (0.0, 0.0))


def test_seek_dock_turns_towards_the_home_base_and_ends_on_it():
    desk = Desk().into("safe").send("8f").shine(248, 1.5, 0.6).step(2)
    assert desk.motion[1] > 0.0
    desk.shine(248, 0.2, 0.0).step(2)
    assert (desk.motion, desk.unit.panel().behaviour, desk.unit.power.docked) == ((0.0, 0.0), "", True)


def test_seek_dock_leaves_a_home_base_whose_buoys_it_does_not_see():
    desk = Desk().into("safe").send("8f").shine(242, 0.4, 0.6).step(2)
    assert desk.motion[0] < 0.0


def test_a_lifted_robot_ends_its_behaviour():
    desk = Desk().into("safe").send("87").step(5).tell("drops", 1.0, 1.0, 1.0).step(2)
    assert (desk.motion, desk.unit.panel().behaviour) == ((0.0, 0.0), "")


def test_a_nearly_empty_battery_ends_cleaning():
    desk = Desk().into("safe").send("87").step(5).tell("battery", 12.0, -1.0, 0.1, 0.04).step(2)
    assert desk.unit.panel().behaviour == ""


def test_brushes_run_while_it_cleans():
    desk = Desk().step(3).into("safe")
    assert desk.ask("87 8e38") == "00fa"
    assert desk.ask("80 8e38") == "0000"


def test_the_client_takes_over_from_a_behaviour():
    desk = Desk().into("safe").send("87").step(5).send("83 91 0000 0000").step(2)
    assert (desk.motion, desk.unit.mode) == ((0.0, 0.0), "safe")
