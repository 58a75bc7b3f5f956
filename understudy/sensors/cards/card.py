"""Validity cards: sources of a kind of device, what is modelled and what is not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from textwrap import fill
from typing import Any

from understudy.frozen import frozen
from understudy.world.rules import alternatives

_WIDTH = 100


@frozen
class Number:
    """A default value of a data sheet, and the document it came from."""

    key: str  # the path on the data sheet, such as noise.sigma_m
    source: str

    def value(self, sheet: Any) -> Any:
        """Return the value on *sheet*: a number, or a list of places on the device."""
        return reduce(getattr, self.key.split("."), sheet)

    def text(self, sheet: Any) -> str:
        """Return the number as written in a scene, in degrees and milliseconds, with its source."""
        key, factor = (*alternatives(self.key), (self.key, 1.0))[0]
        value = self.value(sheet)
        shown = f"{value / factor:.6g}" if isinstance(value, int | float) else f"{len(value)} of them"
        return f"{key} = {shown}: {self.source}"


@frozen
class Card:
    """Why a device model can be trusted, and its limits."""

    name: str
    summary: str
    sources: tuple[str, ...]
    modelled: tuple[str, ...]
    not_modelled: tuple[str, ...]
    numbers: tuple[Number, ...] = ()

    def text(self, sheet: Any) -> str:
        """Return the card for printing; *sheet* is a data sheet whose numbers it shows.

        >>> print(Card("ruler", "A stick with marks.", (), ("length",), ("warmth",)).text(None))
        ruler: A stick with marks.
        <BLANKLINE>
        modelled
          - length
        <BLANKLINE>
        not modelled
          - warmth
        """
        parts = {
            "sources": self.sources,
            "modelled": self.modelled,
            "not modelled": self.not_modelled,
            "numbers": [number.text(sheet) for number in self.numbers],
        }
        head = fill(f"{self.name}: {self.summary}", _WIDTH)
        return "\n\n".join([head, *(_part(title, rows) for title, rows in parts.items() if rows)])


def _part(title: str, rows: Iterable[str]) -> str:
    wrapped = (fill(row, _WIDTH, initial_indent="  - ", subsequent_indent="    ") for row in rows)
    return "\n".join([title, *wrapped])
