"""Names, units and texts of values for readers: ``latitude_deg`` is "latitude", in degrees, with seven decimals."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from understudy.frozen import frozen

# end of a column's name -> unit as written, decimals
UNITS: Mapping[str, tuple[str, int]] = {
    "m_s2": ("m/s²", 3), "rad_s": ("rad/s", 4), "deg_s": ("°/s", 2), "m_s": ("m/s", 3), "mm": ("mm", 0),
    "m": ("m", 4), "rad": ("rad", 4), "deg": ("°", 2), "v": ("V", 3), "a": ("A", 3), "ah": ("Ah", 4), "c": ("°C", 2),
    "w": ("W", 2), "s": ("s", 3),
}  # fmt: skip
GEOGRAPHIC = ("latitude", "longitude")  # a centimetre is the seventh decimal of a degree
_COLUMN = re.compile(r"(?P<stem>.*?)(?:_(?P<unit>" + "|".join(UNITS) + r"))?(?:\[(?P<index>\d+)\])?")
NO_READING, NOTHING = "no reading", "nothing"


@frozen
class Quantity:
    """What a reader needs to know of a value besides the number."""

    name: str
    unit: str = ""
    decimals: int = 3
    factor: float = 1.0  # from the value's own unit

    def text(self, value: float) -> str:
        """Return a value with as many decimals as its kind needs, without the unit.

        >>> Quantity("x", "m", 4).text(1.5), Quantity("hits").text(3.0), Quantity("range", "m").text(math.inf)
        ('1.5000', '3', 'nothing')
        """
        value *= self.factor
        if not math.isfinite(value):
            return NO_READING if math.isnan(value) else NOTHING
        if self.unit or not float(value).is_integer():
            text = f"{value:.{self.decimals}f}" if abs(value) < 1e9 else f"{value:.6g}"
            return text if float(text) else text.removeprefix("-")  # no negative zero
        return f"{value:.0f}" if abs(value) < 1e15 else f"{value:.6g}"


def in_degrees(plain: Quantity) -> Quantity:
    """Return a quantity in degrees if it is one in radians.

    >>> in_degrees(quantity("turn_rad_s")).text(math.pi)
    '180.00'
    """
    if not plain.unit.startswith("rad"):
        return plain
    return Quantity(plain.name, plain.unit.replace("rad", "°"), 2, math.degrees(1.0))


def quantity(column: str) -> Quantity:
    """Return what the name of a column says.

    >>> quantity("latitude_deg"), quantity("range_m[3]").name, quantity("near[0]").unit
    (Quantity(name='latitude', unit='°', decimals=7, factor=1.0), 'range 3', '')
    """
    found = _COLUMN.fullmatch(column)
    assert found is not None
    stem, index = found["stem"], found["index"]
    unit, decimals = UNITS[found["unit"]] if found["unit"] else ("", 3)
    words = stem.replace("_", " ")
    name = words if index is None else f"{words} {index}"
    return Quantity(name, unit, 7 if stem in GEOGRAPHIC else decimals)
