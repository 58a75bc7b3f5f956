from __future__ import annotations

import dataclasses
from typing import Any

import pynmea2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots.robots_fakes import FIX, START_US, Bench

from understudy.protocols.nmea.commands import COMMANDS
from understudy.protocols.nmea.protocol import Nmea
from understudy.protocols.nmea.sentences import SENTENCES, NmeaSheet, angle, parse, sentence
from understudy.robots.nmea_gps import Fix

HERE = Fix(0, START_US, True, *FIX[:5], satellites=8, hdop=1.2)
LOST = Fix(0, START_US)
SHEET = NmeaSheet(geoid_m=-33.2, variation_deg=-7.84)
ALL = ("GGA", "GLL", "GSA", "GSV", "RMC", "VTG")


def line(name: str, fix: Fix, sheet: NmeaSheet = SHEET) -> str:
    """Return the first sentence of a kind, without its line end."""
    return sentence(",".join(("GP" + name, *SENTENCES[name](fix, sheet)[0]))).decode().rstrip("\r\n")


def lines(nmea: Nmea, bench: Bench, ticks: int) -> list[tuple[int, str]]:
    """Return (time, sentence) of so many ticks."""
    got = []
    for _ in range(ticks):
        bench.step()
        for text in nmea.tick(bench.unit, bench.now_us).decode().splitlines():
            got.append((bench.now_us, text))
    return got


def make(**settings: Any) -> tuple[Nmea, Bench]:
    return Nmea(NmeaSheet(**settings), "robot"), Bench("nmea_gps")


# ---- sentences


@pytest.mark.parametrize(
    "expected",
    [
        "$GPGGA,123519.000,3336.6000,N,08051.9000,W,1,08,1.20,182.5,M,-33.2,M,,*5F",
        "$GPRMC,123519.000,A,3336.6000,N,08051.9000,W,0.39,90.00,151126,7.8,W,A*32",
        "$GPGSA,A,3,01,03,06,11,14,17,19,22,,,,,1.90,1.20,1.50*02",
        "$GPGSV,2,1,08,01,40,083,42,03,30,180,40,06,25,270,38,11,60,010,45*7E",
        "$GPVTG,90.00,T,97.84,M,0.39,N,0.72,K,A*27",
        "$GPGLL,3336.6000,N,08051.9000,W,123519.000,A,A*40",
    ],
)
def test_a_sentence_equals_the_worked_one(expected: str) -> None:
    assert line(expected[3:6], HERE) == expected


@pytest.mark.parametrize(
    "expected",
    [
        "$GPGGA,123519.000,,,,,0,00,,,M,,M,,*75",
        "$GPRMC,123519.000,V,,,,,,,151126,,,N*40",
        "$GPGSA,A,1,,,,,,,,,,,,,,,*1E",
        "$GPGSV,1,1,00*79",
        "$GPVTG,,T,,M,,N,,K,N*2C",
        "$GPGLL,,,,,123519.000,V,N*77",
    ],
)
def test_a_sentence_without_fix_equals_the_worked_one(expected: str) -> None:
    assert line(expected[3:6], LOST) == expected


@pytest.mark.parametrize(
    ("degrees", "digits", "expected"),
    [
        (35.99999999, 2, "3600.0000"),
        (0.0, 2, "0000.0000"),
        (-0.5, 3, "00030.0000"),
        (179.99999999, 3, "18000.0000"),
        (5.0 + 59.99995 / 60, 3, "00600.0000"),
    ],
)
def test_rounding_carries_into_the_degrees(degrees: float, digits: int, expected: str) -> None:
    assert angle(degrees, digits, 4, "NS")[0] == expected


def test_hemispheres_replace_signs() -> None:
    south_east = dataclasses.replace(HERE, latitude_deg=-33.61, longitude_deg=80.865)
    assert "3336.6000,S,08051.9000,E" in line("GLL", south_east)


def test_time_is_rounded_once_and_carries_over_midnight() -> None:
    late = dataclasses.replace(HERE, utc_us=1_767_225_599_999_700)  # 2025-12-31 23:59:59.9997
    assert line("RMC", late).startswith("$GPRMC,000000.000,A")
    assert ",010126," in line("RMC", late)


def test_a_course_of_almost_360_is_north() -> None:
    assert line("VTG", dataclasses.replace(HERE, course_deg=359.999)).startswith("$GPVTG,0.00,T,7.84,M")


def test_an_unknown_variation_leaves_its_fields_empty() -> None:
    assert ",151126,,,A*" in line("RMC", HERE, NmeaSheet())
    assert line("VTG", HERE, NmeaSheet()).startswith("$GPVTG,90.00,T,,M,")


def test_decimals_quality_and_the_last_field_can_be_set() -> None:
    sheet = NmeaSheet(decimals=6, quality=8, gga_fields=13)
    assert line("GGA", HERE, sheet)[:-3] == (
        "$GPGGA,123519.000,3336.600000,N,08051.900000,W,8,08,1.20,182.5,M,0.0,M,"
    )  # fmt: skip


def test_the_standard_gga_has_16_tokens_with_its_checksum() -> None:
    assert len(line("GGA", HERE).replace("*", ",").split(",")) == 16


@pytest.mark.parametrize(("quality", "mode"), [(1, "A"), (2, "D"), (6, "E")])
def test_the_mode_follows_the_quality(quality: int, mode: str) -> None:
    assert line("GLL", HERE, NmeaSheet(quality=quality)).split("*")[0].endswith(f",A,{mode}")


@pytest.mark.parametrize("fix", [HERE, LOST])
@pytest.mark.parametrize("name", ALL)
def test_a_strangers_parser_accepts_every_sentence(name: str, fix: Fix) -> None:
    parsed = pynmea2.parse(line(name, fix), check=True)
    assert parsed.sentence_type == name


@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(3, 6))
def test_a_strangers_parser_finds_the_place(latitude: float, longitude: float, decimals: int) -> None:
    fix = dataclasses.replace(HERE, latitude_deg=latitude, longitude_deg=longitude)
    parsed = pynmea2.parse(line("GGA", fix, NmeaSheet(decimals=decimals)), check=True)
    tolerance = 0.6 * 10**-decimals / 60
    assert (parsed.latitude, parsed.longitude) == pytest.approx((latitude, longitude), abs=tolerance)


@given(st.floats(-90, 90), st.floats(-180, 180), st.floats(-400, 9000), st.floats(0, 50), st.floats(0, 360))
def test_no_sentence_is_longer_than_82_characters(
    latitude: float, longitude: float, altitude: float, speed: float, course: float
) -> None:
    fix = Fix(0, START_US, True, latitude, longitude, altitude, speed, course, 12, 1.2)
    assert max(len(line(name, fix)) + 2 for name in ALL) <= 82


# ---- epochs


def test_an_epoch_has_four_sentences_and_every_fifth_one_also_the_sky() -> None:
    nmea, bench = make()
    got = lines(nmea, bench, 1001)
    epoch, with_sky = ["GGA", "GSA", "RMC", "VTG"], ["GGA", "GSA", "GSV", "GSV", "RMC", "VTG"]
    assert [text[3:6] for _, text in got] == [*with_sky, *epoch * 4, *with_sky]
    assert sorted({time for time, _ in got}) == [5_000, *range(1_000_000, 5_000_001, 1_000_000)]


def test_an_epoch_is_stamped_with_the_time_its_reading_was_due() -> None:
    nmea, bench = make(sentences=("GGA",))
    bench.devices["gps"].tell(FIX, 7_000_000)
    assert nmea.tick(bench.unit, 7_300_000).startswith(b"$GPGGA,123526.000,")


def test_a_longer_period_leaves_readings_out() -> None:
    nmea, bench = make(sentences=("GLL",), period_us=2_000_000)
    assert [time for time, _ in lines(nmea, bench, 1001)] == [5_000, 2_000_000, 4_000_000]


def test_an_old_reading_is_not_sent_again() -> None:
    nmea, bench = make(period_us=200_000)
    nmea.tick(bench.unit, 5_000)
    assert nmea.tick(bench.unit, 900_000) == b""


def test_a_run_that_begins_anew_is_heard_at_once() -> None:
    nmea, bench = make(sentences=("GLL",))
    bench.devices["gps"].tell(FIX, 500_000_000)
    nmea.tick(bench.unit, 500_000_000)
    bench.devices["gps"].tell(FIX, 0)
    assert nmea.tick(bench.unit, 0) != b""


def test_before_the_first_reading_nothing_is_sent() -> None:
    nmea, bench = make()
    bench.devices["gps"].stamp_us = -1
    assert nmea.tick(bench.unit, 5_000) == b""


def test_while_time_stands_no_epoch_is_sent() -> None:
    nmea, bench = make()
    assert nmea.tick(bench.unit, 0) == b""


def test_the_talker_can_be_set() -> None:
    nmea, bench = make(talker="GN", sentences=("GLL",))
    assert nmea.tick(bench.unit, 5_000).startswith(b"$GNGLL,")


# ---- commands


def test_pmtk220_sets_the_period_and_is_confirmed() -> None:
    nmea, bench = make(sentences=())
    nmea.feed(b"$PMTK220,200*2C\r\n")
    assert nmea.tick(bench.unit, 0) == b"$PMTK001,220,3*30\r\n"
    assert nmea.state()["settings"]["period_us"] == 200_000


def test_a_shorter_period_takes_effect_with_the_next_reading() -> None:
    nmea, bench = make(sentences=("GLL",))
    nmea.tick(bench.unit, 5_000)
    nmea.feed(b"$PMTK220,200*2C\r\n")
    bench.devices["gps"].tell(FIX, 200_000)
    assert b"GPGLL" in nmea.tick(bench.unit, 200_000)


def test_pmtk314_selects_sentences_and_is_confirmed() -> None:
    nmea, bench = make()
    nmea.feed(b"$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28\r\n")
    texts = [text for _, text in lines(nmea, bench, 1)]
    assert texts[0].startswith("$PMTK001,314,3*")
    assert [text[3:6] for text in texts[1:]] == ["GGA", "RMC"]


def test_pmtk314_minus_one_goes_back_to_the_sheet() -> None:
    nmea, _ = make()
    nmea.feed(b"$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28\r\n" + sentence("PMTK314,-1"))
    assert nmea.state()["settings"]["every"] == [["GGA", 1], ["GSA", 1], ["GSV", 5], ["RMC", 1], ["VTG", 1]]


@pytest.mark.parametrize(
    "body",
    [
        "PMTK220,5",
        "PMTK220,x",
        "PMTK220",
        "PMTK220,99999999999",
        "PMTK314,1",
        "PMTK314,9,9,9,9,9,9",
        "PMTK251,12345",
        "PMTK251",
        "PMTK300,5",
        "PMTK301,7",
        "PMTK313,x",
    ],
)
def test_a_value_that_cannot_be_is_answered_as_failed(body: str) -> None:
    nmea, bench = make(sentences=())
    nmea.feed(sentence(body))
    assert nmea.tick(bench.unit, 0).split(b",")[2][:1] == b"2"


@pytest.mark.parametrize(
    "data",
    [
        b"$PMTK220,200*2D\r\n",
        b"$PMTK220,200\r\n",
        b"PMTK220,200*2C\r\n",
        b"?WATCH={}\n",
        sentence("PUBX,00"),
        sentence("PMTKxyz"),
    ],
)
def test_unknown_input_is_ignored_and_counted(data: bytes) -> None:
    nmea, bench = make(sentences=())
    nmea.feed(data)
    assert (nmea.tick(bench.unit, 0), nmea.counters()["ignored"]) == (b"", 1)


CONVERSATIONS = {
    0: (b"$PMTK000*32\r\n", b"$PMTK001,0,3*30\r\n"),
    101: (b"$PMTK101*32\r\n", b"$PMTK010,001*2E\r\n"),
    102: (b"$PMTK102*31\r\n", b"$PMTK010,001*2E\r\n"),
    103: (b"$PMTK103*30\r\n", b"$PMTK010,001*2E\r\n"),
    104: (b"$PMTK104*37\r\n", b"$PMTK010,001*2E\r\n"),
    220: (b"$PMTK220,200*2C\r\n", b"$PMTK001,220,3*30\r\n"),
    251: (b"$PMTK251,38400*27\r\n", b"$PMTK001,251,3*36\r\n"),
    300: (b"$PMTK300,1000,0,0,0.0,0.0*1C\r\n", b"$PMTK001,300,3*33\r\n"),
    301: (b"$PMTK301,2*2E\r\n", b"$PMTK001,301,3*32\r\n"),
    313: (b"$PMTK313,1*2E\r\n", b"$PMTK001,313,3*31\r\n"),
    314: (b"$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28\r\n", b"$PMTK001,314,3*36\r\n"),
    320: (b"$PMTK320,0*2F\r\n", b"$PMTK001,320,3*31\r\n"),
    386: (b"$PMTK386,0*23\r\n", b"$PMTK001,386,3*3D\r\n"),
    400: (b"$PMTK400*36\r\n", b"$PMTK500,1000,0,0,0.0,0.0*1A\r\n"),
    401: (b"$PMTK401*37\r\n", b"$PMTK501,0*2A\r\n"),
    413: (b"$PMTK413*34\r\n", b"$PMTK513,0*29\r\n"),
    414: (b"$PMTK414*33\r\n", b"$PMTK514,0,1,1,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0*2B\r\n"),
    605: (b"$PMTK605*31\r\n", b"$PMTK705,AXN_1.30,0000,MTK-3301,1.0*75\r\n"),
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.number))
def test_every_command_of_the_table_is_answered_byte_for_byte(command: Any) -> None:
    nmea, bench = make()
    asked, answer = CONVERSATIONS[command.number]
    nmea.feed(asked)
    assert nmea.tick(bench.unit, 0) == answer


def test_an_unknown_mtk_command_is_answered_as_unsupported() -> None:
    nmea, bench = make()
    nmea.feed(sentence("PMTK999,1"))
    assert nmea.tick(bench.unit, 0) == sentence("PMTK001,999,1")


def test_settings_are_read_back() -> None:
    nmea, bench = make()
    nmea.feed(b"".join(map(sentence, ("PMTK220,500", "PMTK301,2", "PMTK313,1", "PMTK314,0,1,0,5,0,0"))))
    nmea.tick(bench.unit, 0)
    nmea.feed(b"".join(map(sentence, ("PMTK400", "PMTK401", "PMTK413", "PMTK414"))))
    bodies = [line[1:-3] for line in nmea.tick(bench.unit, 0).decode().splitlines()]
    assert bodies[:3] == ["PMTK500,500,0,0,0.0,0.0", "PMTK501,2", "PMTK513,1"]
    assert bodies[3].startswith("PMTK514,0,1,0,5,0,0,0")


def test_a_sentence_may_be_part_of_every_third_epoch_only() -> None:
    nmea, bench = make()
    nmea.feed(sentence("PMTK314,0,1,0,3,0,0"))
    names = [text[3:6] for _, text in lines(nmea, bench, 1201)]
    assert (names.count("GGA"), names.count("RMC")) == (3, 7)


def test_a_full_cold_start_forgets_the_settings() -> None:
    nmea, _ = make()
    nmea.feed(sentence("PMTK220,200") + sentence("PMTK104"))
    assert nmea.state()["settings"] == make()[0].state()["settings"]


def test_a_receiver_may_announce_itself() -> None:
    nmea, bench = make(announce=True)
    assert nmea.tick(bench.unit, 0) == b"$PMTK010,001*2E\r\n"
    assert nmea.tick(bench.unit, 0) == b""


def test_a_slow_line_gets_whole_epochs_and_no_backlog() -> None:
    nmea, bench = make(gsv_every=1)
    nmea.wired(1200, True)
    got = lines(nmea, bench, 2001)
    seconds = [time // 1_000_000 for time, text in got if "GGA" in text]
    assert seconds == [0, 4, 8]
    assert nmea.counters()["skipped"] == 8
    assert got[-1][1][3:6] == "VTG"


def test_a_command_behind_a_binary_probe_is_heard() -> None:
    assert parse(b"\xb5\x62\x00$PMTK220,200*2C\r") == ["PMTK220", "200"]


@given(st.binary(max_size=900), st.integers(1, 9))
def test_any_split_of_junk_leaves_the_same_state(junk: bytes, step: int) -> None:
    whole, split = make()[0], make()[0]
    whole.feed(junk)
    for i in range(0, len(junk), step):
        split.feed(junk[i : i + step])
    assert whole.state() == split.state()


def test_clients_come_and_go_without_orders() -> None:
    nmea, _ = make()
    assert (list(nmea.opened()), list(nmea.closed()), nmea.hung_up()) == ([], [], False)
