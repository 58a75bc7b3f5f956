"""Wire languages: bytes to commands and changes, a unit's readings to bytes; tables and decoders, no socket.

To add one: one file here and one line in PROTOCOLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from understudy.protocols.arcos import Arcos
from understudy.protocols.base import WireProtocol
from understudy.protocols.nmea import Nmea

PROTOCOLS: Mapping[str, type[WireProtocol]] = MappingProxyType({"arcos": Arcos, "nmea": Nmea})
