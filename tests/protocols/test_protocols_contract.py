from __future__ import annotations

from typing import Any

import pytest
from contracts.protocol_contract import check_protocol
from contracts.scene_bench import SceneBench
from robots.robots_fakes import Bench

from understudy.protocols import PROTOCOLS
from understudy.protocols.base import WireProtocol
from understudy.robots.roomba.orders import Identify, Identity

# kind of the unit, "" for a protocol of the whole scene, and what a client might send
TALK = {
    "arcos": ("pioneer", bytes.fromhex(
        "fafb03000000 00ff fafb03010001 fafb03020002 fafb06013b0100023b fafb06123b0100133b fafb060b3bc800d33b"
        "fafb060b3bc800d33c fafb06151b0a001f1b fafbff fafb0300 fafb03120012 fafb10e000e80300000cfeffff5a0000002f00"
        "fafb06243b5a007e3b fafb06233b0200253b fafb06ed3b0200ef3b fafb06283b02002a3b fafb06223b0100233b"
        "fafb08ee2b026869005993 fafb06023b0100033b fafb0301"
    )),
    "sick_lms200": ("lms200", bytes.fromhex(
        "ff0002ff02 02000100311512 02000200204050 08 0200020020243408 0200020020253508 02000a0020005349434b5f4c4d53bec5"
        "02000100745012 0200020030013118 020005003bb40032003b1f 020001003a1e12 02000100321612 02000100991312"
        "02000100103412 0200"
    )),
    "json_lines": ("", b'{"do": "robots", "id": 1}\r\n\x00\xff\n\n[[[[[[[[[[\n{"do": 1}\n{"do": "stop", "robot": "x"}\n'
                   b'{"do": "drive", "robot": "scout", "m_s": 0.3, "id": 2}\n{"do": "read", "sensor": "scout/front"}\n'
                   b'{"do": "wait", "s": 0.1}\n{"do": "stop", "robot": "scout"}\n{"do": "time", "id": NaN}\n{"do'),
    "nmea": ("nmea_gps", b"\x00\xffprobe\r\n$PMTK220,200*2C\r\n$PMTK220,200*2D\r\n"
             b"$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28\r\n" + b"x" * 700 + b"\r\n$PMTK251,38400*27\r\n$PM"),
    "roomba_oi": ("roomba", bytes.fromhex(
        "0001ff 80 83 8e23 91003bffc5 8e07 8e64 9503071314 94021d0d 9600 8900c88000 8901f40001 92ff0100ff 8a07 8b0180ff"
        "8c00014610 8d00 a361626364 8e ff 90407f20 a502 a800173b a7ff 0102030405060708090a0b0c0d0e 810b 9601 8f 84 94"
    )),
    "rcx_link": ("rcx", bytes.fromhex(
        "00ff55ff 55ff0010ef10ef 55ff0050af50af 55ff0050af50af 55ff0025da00ff00ff00ff03fc00ff28d7"
        "55ff0045ba00ff00ff03fc00ff51ae00ff21de728d2cd3 55ff0012ed00ff01fe13ec 55ff0010ef10ee"
        "55ff001ae500ff01fe1be4 55ff00996600ff9966 55ff00f70811ee08f7 55ff00d22d40bf00ff12ed 55ff00"
        "718e00ff718e 55ff0011ee 55ff00 10"
    )),
    "robolab": ("rcx", b"poll 8,0\r\nprgm 0\rstop 0\n\x00\xff junk\nfly\n\r\ntask 0\nset 0,47,2,5\nout 2,1\nendt\n"
                b"sub 1\nplays 1\nends\nplays 5\nmsgs 3\ntask 1\nout 1,1\n" + b"x" * 1200 + b"\nendt\nstart 0\npoll 0,4"
                b"7\ntask 0\nplays 2\nendt\npoll 15,0\ntask 0\nout"),
    "raw": ("board", bytes(range(256))),
}  # fmt: skip


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_protocol_keeps_the_contract(kind: str) -> None:
    unit, talk = TALK[kind]
    protocol = PROTOCOLS[kind]
    check_protocol(lambda: protocol(protocol.Sheet(), unit and "robot"), lambda: _listener(unit), talk)


def _listener(unit: str) -> Any:
    return Bench(unit).unit if unit else SceneBench()


@pytest.mark.parametrize("generation", ["roomba400", "create1"])
def test_every_generation_of_the_open_interface_keeps_the_contract(generation: str) -> None:
    scripts = bytes.fromhex("80 82 84 980389012c 9b00 8804 9900 9a 9e05 9d005a 9c0190 9701 9303 99")
    protocol = PROTOCOLS["roomba_oi"]

    def make() -> WireProtocol:
        made = protocol(protocol.Sheet(), "robot")
        list(made.answered(Identify(), Identity(generation)))  # type: ignore[arg-type]
        return made

    check_protocol(make, lambda: Bench("roomba", generation=generation).unit, TALK["roomba_oi"][1] + scripts)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_protocol_is_listed_under_its_own_kind(kind: str) -> None:
    assert PROTOCOLS[kind].Sheet.kind == kind  # type: ignore[attr-defined]
