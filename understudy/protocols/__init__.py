"""Wire protocols: bytes to commands and changes, a unit's readings to bytes; tables and decoders, no socket.

To add one: one folder here, with its entry module `protocol.py`, and one line in PROTOCOLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from understudy.plugins import Registry, of_kind

if TYPE_CHECKING:
    from understudy.protocols.base import WireProtocol

PROTOCOLS: Mapping[str, type[WireProtocol]] = Registry(
    "understudy.protocols",
    "protocol",
    {
        "arcos": f"{__name__}.arcos.protocol:Arcos",
        "json_lines": f"{__name__}.json_lines.protocol:JsonTalk",
        "nmea": f"{__name__}.nmea.protocol:Nmea",
        "raw": f"{__name__}.raw.protocol:Raw",
        "rcx_link": f"{__name__}.rcx_link.protocol:RcxLink",
        "robolab": f"{__name__}.robolab.protocol:Robolab",
        "roomba_oi": f"{__name__}.roomba_oi.protocol:RoombaOi",
        "sick_lms200": f"{__name__}.sick_lms200.protocol:SickLms200",
    },
    of_kind,
)
