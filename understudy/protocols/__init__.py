"""Wire languages: bytes to commands and changes, a unit's readings to bytes; tables and decoders, no socket.

To add one: one file here and one line in PROTOCOLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from understudy.lazy import imported

if TYPE_CHECKING:
    from understudy.protocols.base import WireProtocol

PROTOCOLS: Mapping[str, type[WireProtocol]] = imported(
    {"arcos": f"{__name__}.arcos:Arcos", "nmea": f"{__name__}.nmea:Nmea"}
)
