"""Packets of the RCX's infra-red link: every byte is followed by its complement.

Layout::

    55 FF 00 | d1 ~d1 | d2 ~d2 ... | sum ~sum        sum of d1 to dn, modulo 256
"""

from __future__ import annotations

HEADER = b"\x55\xff\x00"


def packet(data: bytes) -> bytes:
    """Return the bytes on the line.

    >>> packet(bytes([0x10])).hex(" ")
    '55 ff 00 10 ef 10 ef'
    """
    pairs = bytearray()
    for byte in (*data, sum(data) & 0xFF):
        pairs += bytes((byte, byte ^ 0xFF))
    return HEADER + bytes(pairs)


def unpacked(wire: bytes) -> bytes | None:
    """Return the content of one whole packet; None if it is not one."""
    pairs = wire[len(HEADER) :]
    if not wire.startswith(HEADER) or len(pairs) < 4 or len(pairs) % 2:
        return None
    if any(byte ^ other != 0xFF for byte, other in zip(pairs[::2], pairs[1::2])):
        return None
    *data, check = pairs[::2]
    return bytes(data) if sum(data) & 0xFF == check else None
