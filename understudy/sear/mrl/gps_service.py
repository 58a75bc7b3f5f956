"""The service ``GPS``: the fields of NMEA sentences, as text."""

from __future__ import annotations

import re
from typing import Any

from understudy.sear.mrl.serial_service import OnSerialPort

MOST_LINE = 1024  # bytes without an end of line that are kept
_SENTENCE = re.compile(r"\$([A-Z]{2}([A-Z]{3}),[^*]*)\*([0-9A-Fa-f]{2})\s*")
KINDS = ("GGA", "GLL", "GSA", "GSV", "RMC", "VTG")


def fields(line: str) -> tuple[str, list[str]] | None:
    """Return the kind of a sentence, and its parts with the checksum last; None if it is not valid.

    >>> fields("$GPGLL,3336.6000,N,08051.9000,W,123519.000,A,A*40")[1][1:5]
    ['3336.6000', 'N', '08051.9000', 'W']
    """
    found = _SENTENCE.fullmatch(line)
    if not found:
        return None
    total = 0
    for character in found[1]:
        total ^= ord(character)
    if total != int(found[3], 16):
        return None
    return found[2], re.split("[,*]", line.strip())


class GpsService(OnSerialPort):
    """A receiver: part 2 of a GGA is the latitude, 4 the longitude (degrees and minutes), 9 the altitude."""

    topics = tuple(f"publish{kind}Data" for kind in KINDS)
    default_baud = 38400  # of the San Jose FV-M8

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._rest = b""
        self.bad = 0  # lines that are not valid sentences

    def _begin(self) -> None:
        self._rest = b""

    def received(self, data: bytes) -> None:
        """Publish the sentences that *data* completes, each as a list of texts."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-MOST_LINE:]
        for line in lines:
            self._publish_line(line.decode("ascii", "replace"))

    def _publish_line(self, line: str) -> None:
        sentence = fields(line)
        if sentence is None:
            self.bad += 1
        elif sentence[0] in KINDS:
            self.publish(f"publish{sentence[0]}Data", sentence[1])
