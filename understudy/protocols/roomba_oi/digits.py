"""Characters on the seven-segment display of a Create 2, as segment bits A to G from bit 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

# the segments that are lit for each character, in the usual lettering: A top, clockwise to F, G in the middle
_LIT = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "A": "abcefg", "B": "cdefg", "C": "adef", "D": "bcdeg", "E": "adefg", "F": "aefg",
    "G": "acdef", "H": "bcefg", "I": "ef", "J": "bcde", "K": "acefg", "L": "def", "M": "aceg", "N": "ceg",
    "O": "abcdef", "P": "abefg", "Q": "abcfg", "R": "eg", "S": "acdfg", "T": "defg", "U": "bcdef", "V": "bcdf",
    "W": "bdfg", "X": "bcefg", "Y": "bcdfg", "Z": "abdeg", "-": "g", "_": "d", "=": "dg", "'": "f", '"': "bf",
    "[": "adef", "]": "abcd", "(": "adef", ")": "abcd", ",": "c", ".": "c", "!": "bc", "?": "abeg", "/": "beg",
    "\\": "cfg", "^": "abf", "|": "ef", "<": "deg", ">": "cdg", "`": "f", "~": "a", "#": "abcg", "%": "beg",
    "&": "acdefg", "$": "acdfg", "*": "abfg", "+": "beg", ":": "g", ";": "cg", "@": "abdefg",
}  # fmt: skip
SEGMENTS: Mapping[str, int] = MappingProxyType(
    {name: sum(1 << "abcdefg".index(letter) for letter in lit) for name, lit in _LIT.items()}
)


def segments(characters: Iterable[int]) -> tuple[int, int, int, int]:
    """Return the segment bits of four characters; what cannot be shown is dark.

    >>> segments(b"18 H")
    (6, 127, 0, 118)
    """
    first, second, third, fourth = (SEGMENTS.get(chr(code).upper(), 0) for code in characters)
    return first, second, third, fourth
