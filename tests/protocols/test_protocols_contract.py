from __future__ import annotations

import pytest
from contracts.protocol_contract import check_protocol
from robots.robots_fakes import Bench

from understudy.protocols import PROTOCOLS

TALK = {
    "arcos": ("pioneer", bytes.fromhex(
        "fafb03000000 00ff fafb03010001 fafb03020002 fafb06013b0100023b fafb06123b0100133b fafb060b3bc800d33b"
        "fafb060b3bc800d33c fafb06151b0a001f1b fafbff fafb0300 fafb03120012 fafb10e000e80300000cfeffff5a0000002f00"
        "fafb06243b5a007e3b fafb06233b0200253b fafb06ed3b0200ef3b fafb06283b02002a3b fafb06223b0100233b"
        "fafb08ee2b026869005993 fafb06023b0100033b fafb0301"
    )),
    "nmea": ("nmea_gps", b"\x00\xffprobe\r\n$PMTK220,200*2C\r\n$PMTK220,200*2D\r\n"
             b"$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28\r\n" + b"x" * 700 + b"\r\n$PMTK251,38400*27\r\n$PM"),
}  # fmt: skip


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_protocol_keeps_the_contract(kind: str) -> None:
    unit, talk = TALK[kind]
    protocol = PROTOCOLS[kind]
    check_protocol(lambda: protocol(protocol.Sheet(), "robot"), lambda: Bench(unit).unit, talk)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_every_protocol_is_listed_under_its_own_kind(kind: str) -> None:
    assert PROTOCOLS[kind].Sheet.kind == kind  # type: ignore[attr-defined]
