"""What a UART receives when sender and receiver disagree on the baud rate: the same levels, sampled at other times.

A character is a start bit (low), eight data bits, lowest first, and a stop bit (high). The receiver waits for a falling
edge and samples the middle of each bit that it expects. So a difference below about 4 % does no harm, and a larger one
gives the garbage that hardware gives. A character without a stop bit is delivered as it was sampled, which is what a
serial port in raw mode does.
"""

from __future__ import annotations

CHARACTER_BITS = 10


def received(data: bytes, sent_at: int, sampled_at: int) -> bytes:
    """Return what a receiver at *sampled_at* baud makes of characters sent back to back at *sent_at* baud."""
    if sent_at == sampled_at:
        return data
    levels = _levels(data)
    long, short = 2 * sampled_at, sent_at  # a sent bit and half an expected one, in units of 1 / (2 sent sampled) s
    characters, at = bytearray(), _falling_edge(levels, 0)
    while at < len(levels):
        samples = [_level(levels, (at * long + short * (2 * bit + 1)) // long) for bit in range(CHARACTER_BITS)]
        if samples[0] == 0:  # else it was a spike
            characters.append(sum(level << bit for bit, level in enumerate(samples[1:9])))
        last = (at * long + short * (2 * CHARACTER_BITS - 1)) // long
        at = _falling_edge(levels, max(last, at + 1))
    return bytes(characters)


def _levels(data: bytes) -> list[int]:
    """Return the level of each bit on the wire."""
    return [level for byte in data for level in (0, *((byte >> bit) & 1 for bit in range(8)), 1)]


def _level(levels: list[int], index: int) -> int:
    return levels[index] if index < len(levels) else 1  # an idle line is high


def _falling_edge(levels: list[int], start: int) -> int:
    """Return the first bit from *start* on that is low after a high one; the number of bits if there is none."""
    before = levels[start - 1] if 0 < start <= len(levels) else 1
    for index in range(start, len(levels)):
        if before and not levels[index]:
            return index
        before = levels[index]
    return len(levels)
