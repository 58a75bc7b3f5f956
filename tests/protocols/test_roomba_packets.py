"""Every sensor packet, byte by byte, alone and in groups, and the ways to read them: 142, 149, 148."""

from __future__ import annotations

import struct

import pytest
from protocols.roomba_desk import GENERATIONS, TICK_US, Desk

from understudy.protocols.roomba_oi.packets import GROUPS, PACKETS, contents
from understudy.robots.roomba.orders import Cable, CargoBay, PushButtons
from understudy.robots.roomba.power import SETTLE_S
from understudy.robots.roomba.readings import READINGS

# id -> bytes in the situation of `busy`
BUSY = {
    7: "0f", 8: "01", 9: "00", 10: "01", 11: "00", 12: "01", 13: "01", 14: "00", 15: "00", 16: "00", 17: "a2",
    18: "09", 19: "0014", 20: "0000", 21: "00", 22: "3c8c", 23: "ff06", 24: "16", 25: "07d0", 26: "09c4", 27: "0141",
    28: "0064", 29: "0032", 30: "0bb8", 31: "0000", 32: "00", 33: "0000", 34: "00", 35: "03", 36: "02", 37: "01",
    38: "00", 39: "fed4", 40: "01f4", 41: "00c8", 42: "00c8", 43: "002c", 44: "002c", 45: "25", 46: "0064",
    47: "0000", 48: "0fa0", 49: "0000", 50: "0000", 51: "0032", 52: "a2", 53: "00", 54: "00b4", 55: "00b4", 56: "00fa",
    57: "ff06", 58: "01",
}  # fmt: skip
GROUP_SIZES = {0: 26, 1: 10, 2: 6, 3: 10, 4: 14, 5: 12, 6: 52, 100: 80, 101: 28, 106: 12, 107: 9}
IDS = {
    "roomba400": {0, 1, 2, 3},
    "create1": {*range(43)},
    "create2": {*range(59), 100, 101, 106, 107},
}


def busy(generation: str = "create2") -> Desk:
    """Return a robot that has driven 20 mm in full mode, with something to tell from every sensor."""
    desk = Desk(generation).step(6).into("full")
    desk.send("89 fed4 01f4 91 00c8 00c8").step(20)  # 100 ms at 200 mm/s
    desk.send("8a 0d" if generation == "create2" else "8a 00")
    desk.send("8c 02 01 4640 8d 02")
    desk.unit.order(PushButtons(9))
    desk.tell("bumpers", 1.0, 1.0).tell("drops", 1.0, 1.0, 0.0).tell("wall", 1.0, 321.0)
    desk.tell("cliffs", 0.0, 1.0, 0.0, 1.0, 100.0, 50.0, 3000.0, 0.0)
    desk.tell("lights", 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 100.0, 0.0, 4000.0, 0.0, 0.0, 50.0)
    return desk.shine(162, bearing_rad=1.0)


def held(desk: Desk, text: str) -> str:
    """Return the answer while the clock is held."""
    desk.send(text)
    return desk.protocol.tick(desk.unit, desk.bench.now_us).hex()


def test_every_packet_has_a_reading_and_an_expected_value():
    assert {packet.name for packet in PACKETS} == set(READINGS)
    assert {packet.id for packet in PACKETS} == set(BUSY)


@pytest.mark.parametrize("packet", PACKETS, ids=lambda packet: str(packet.id))
def test_a_packet_of_a_create_2_byte_by_byte(packet):
    assert held(busy(), f"8e{packet.id:02x}") == BUSY[packet.id]


@pytest.mark.parametrize("packet", [packet for packet in PACKETS if packet.id <= 42], ids=lambda packet: str(packet.id))
def test_a_packet_of_a_create_1_byte_by_byte(packet):
    differs = {17: "ff", 32: "10"}  # no character, baud pin of the cargo bay
    assert held(busy("create1"), f"8e{packet.id:02x}") == differs.get(packet.id, BUSY[packet.id])


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: str(group.id))
def test_a_group_is_its_packets_one_after_the_other(group):
    expected = "".join(BUSY[number] for number in range(group.first, group.last + 1))
    assert held(busy(), f"8e{group.id:02x}") == expected
    assert len(expected) == 2 * GROUP_SIZES[group.id] == 2 * group.size


def test_group_6_has_the_layout_that_clients_unpack():
    assert struct.calcsize(">12B2hBHhb7HBH5B4h") == GROUP_SIZES[6]
    assert struct.calcsize(">12B2hBHhb7HBH5B4h2HB6H2B4hB") == GROUP_SIZES[100]


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_generation_answers_to_its_own_ids_and_to_nothing_else(generation):
    desk = Desk(generation).into("passive")
    answered = {number for number in range(256) if held(desk, f"8e{number:02x}")}
    assert answered == IDS[generation] == set(contents(generation))


def test_the_groups_of_a_roomba_400_have_the_angle_in_millimetres():
    desk = Desk("roomba400").step().into("full").send("8900640001").step(200)  # one second to the left at 100 mm/s
    assert held(desk, "8e02") == "ff00" + "0000" + "0064"


def test_the_castor_drop_is_not_reported_by_a_create_2():
    for generation, expected in (("create1", "10"), ("create2", "00")):
        assert held(Desk(generation).into("full").tell("drops", 0.0, 0.0, 1.0), "8e07") == expected


def test_a_stalled_wheel_is_an_overcurrent():
    desk = Desk().into("full").send("91 0000 0064")
    desk.bench.stalled = True
    desk.step(2)
    assert held(desk, "8e0e") == "10"
    assert held(desk, "8e36") == f"{1100:04x}"


def test_the_cargo_bay_of_a_create_1():
    desk = Desk("create1").into("passive")
    desk.unit.order(CargoBay(0b0101, 2.5))
    assert held(desk, "95 02 20 21") == "15" + "0200"


def test_the_charger_cable_is_a_charging_source():
    desk = Desk().into("passive")
    desk.unit.order(Cable(True))
    desk.step(round(SETTLE_S * 1e6 / TICK_US) + 1)  # the charger waits for a contact that lasts
    assert held(desk, "95 03 15 17 22") == "02" + f"{1250:04x}" + "01"


def test_without_devices_nothing_is_noticed():
    everything = ("wheels", "bumpers", "drops", "cliffs", "wall", "lights", "battery", "thermometer")
    desk = Desk(without=everything).into("passive")
    assert held(desk, "8e01") == "00" * 10
    assert held(desk, "8e03") == "00" + f"{16000:04x}" + "ff38" + "19" + f"{2696:04x}" * 2


# ---- distance and angle


def test_reading_distance_clears_it_by_every_route():
    for question, place in (("8e13", 0), ("8e02", 4), ("8e00", 24), ("8e06", 24), ("8e64", 24), ("95 01 13", 0)):
        desk = Desk().step().into("full").send("91 01f4 01f4").step(400)
        desk.send("91 0000 0000").step()
        assert held(desk, question)[place : place + 4] == "03e8", question
        assert held(desk, "8e13") == "0000", question


def test_turning_a_quarter_to_the_right_is_minus_90_degrees():
    desk = Desk().step().into("full")
    desk.unit.odometer.turn_rad = -1.5707963
    assert held(desk, "8e14") == "ffa6"


def test_fractions_are_kept_for_the_next_reading():
    desk = Desk().step().into("full").send("91 000a 000a")  # 10 mm/s: 0.15 mm per cycle
    total = sum(int(desk.ask("8e13"), 16) for _ in range(200))
    assert total == 30


def test_fractions_may_be_lost_as_on_a_real_create():
    desk = Desk(lose_fractions=True).step().into("full").send("91 000a 000a")
    assert {desk.ask("8e13") for _ in range(50)} == {"0000"}


def test_distance_is_capped_and_does_not_wrap():
    desk = Desk().step().into("full")
    desk.bench.travel[:2] = [40.0, 40.0]
    desk.step(2)
    assert held(desk, "8e13") == "7fff"
    desk.bench.travel[:2] = [-10.0, -10.0]
    desk.step(2)
    assert held(desk, "8e13") == "8000"


def test_encoders_are_never_cleared_and_wrap_around():
    desk = Desk().step().into("full")
    desk.bench.travel[:2] = [1.0, -1.0]
    desk.step(2)
    expected = f"{2249:04x}{65536 - 2250:04x}"
    assert held(desk, "95 02 2b 2c") == expected
    assert held(desk, "95 02 2b 2c") == expected


# ---- when answers come


def test_an_answer_comes_at_the_end_of_the_cycle():
    desk = Desk().step(3).into("passive")
    assert desk.ask("8e23", 2) == ""
    assert desk.ask("", 1) == "01"


def test_many_questions_of_one_cycle_are_answered_in_order():
    assert Desk().step(3).ask("80 8e23 83 8e23 84 8e23") == "010203"


def test_answers_that_find_no_room_are_lost_whole():
    desk = Desk().step(3).into("passive")
    desk.send("8e64" * 60).step()
    assert len(desk.heard) == 26 * 80  # 2,048 bytes may wait, and the answer that crosses that line
    assert desk.protocol.counters()["lost"] == 34


def test_nothing_is_answered_when_off():
    assert Desk().ask("8e23 8e64 9502070d 94010 7".replace(" ", ""), 30) == ""


# ---- the stream


def frames(desk: Desk, text: str, ticks: int = 30) -> list[str]:
    heard = bytes.fromhex(desk.ask(text, ticks))
    found = []
    while heard:
        size = 3 + heard[1]
        found.append(heard[:size].hex())
        heard = heard[size:]
    return found


def test_a_frame_comes_in_every_cycle_with_the_published_bytes():
    desk = Desk().step(3).into("passive").tell("cliffs", 0, 0, 0, 0, 0, 549, 0, 0)
    assert frames(desk, "94 02 1d 0d") == ["13051d02250d0097"] * 10


def test_the_checksum_of_the_create_manual_leaves_the_header_out():
    desk = Desk("create1", checksum="text").step(3).into("passive").tell("cliffs", 0, 0, 0, 0, 0, 537, 0, 0)
    assert frames(desk, "94 02 1d 0d", 3) == ["13051d02190d00b6"]
    desk = Desk("create1").step(3).into("passive").tell("cliffs", 0, 0, 0, 0, 0, 537, 0, 0)
    assert frames(desk, "94 02 1d 0d", 3) == ["13051d02190d00a3"]


def test_a_stream_is_paused_resumed_replaced_and_stopped():
    desk = Desk().step(3).into("passive")
    assert len(frames(desk, "94 01 23")) == 10
    assert frames(desk, "96 00") == []
    assert frames(desk, "96 01", 3) == ["13022301c7"]
    assert frames(desk, "94 01 07", 3) == ["13020700e4"]
    assert frames(desk, "94 00") == []


@pytest.mark.parametrize("end", ["ad", "07"])
def test_a_stream_ends_when_the_robot_goes_off(end):
    desk = Desk().step(3).into("full").send("94 01 07").step(3)
    banner = desk.ask(end, 30)
    assert (b"bl-start" in bytes.fromhex(banner)) == (end == "07")
    assert desk.ask("80", 30) == ""


def test_packet_38_counts_the_stream():
    desk = Desk().step(3).into("passive").send("94 03 07 08 09 96 00")
    assert held(desk, "8e26") == "03"


def test_streamed_distance_adds_up():
    desk = Desk().step(3).into("full").send("94 01 13 91 0064 0064")
    total = sum(int(frame[6:10], 16) for frame in frames(desk, "", 300))
    assert 148 <= total <= 150


def test_a_stream_longer_than_a_frame_has_as_many_packets_as_fit():
    desk = Desk().step(3).into("passive")
    (frame,) = frames(desk, "94 04 64 64 64 64", 3)
    assert int(frame[2:4], 16) == 3 * 81
