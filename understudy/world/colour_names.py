"""Colours by the names of the X11 list (rgb.txt), as scenes, Stage's worlds and other files give them."""

from __future__ import annotations

import re

# where X11 differs from the names of web pages, which Pillow knows
_X11 = {"gray": "#bebebe", "grey": "#bebebe", "green": "#00ff00", "maroon": "#b03060", "purple": "#a020f0"}
_SHADES = {"1": 1.0, "2": 0.932, "3": 0.804, "4": 0.545}  # red1 ... red4


def colour(name: str) -> str | None:
    """Return a colour as ``#rrggbb``, None if the name is unknown.

    >>> colour("Cornflower Blue"), colour("gray30"), colour("red3"), colour("mauvish")
    ('#6495ed', '#4d4d4d', '#cd0000', None)
    """
    word = re.sub(r"[\s_-]", "", name.lower())
    if word in _X11:
        return _X11[word]
    if grey := re.fullmatch(r"gr[ae]y(\d{1,3})", word):
        return "#" + f"{int(min(int(grey[1]), 100) * 255 / 100 + 0.5):02x}" * 3
    if (shaded := re.fullmatch(r"([a-z]+)([1-4])", word)) and (base := colour(shaded[1])):
        return _scaled(base, _SHADES[shaded[2]])
    return _web(word)


def names() -> tuple[str, ...]:
    """Return the names of colours, without their shades."""
    from PIL import ImageColor

    return tuple(ImageColor.colormap)


def _scaled(base: str, share: float) -> str:
    return "#" + "".join(f"{round(int(base[at : at + 2], 16) * share):02x}" for at in (1, 3, 5))


def _web(word: str) -> str | None:
    from PIL import ImageColor

    if word not in ImageColor.colormap and not re.fullmatch(r"#[0-9a-f]{6}", word):
        return None
    return "#{:02x}{:02x}{:02x}".format(*ImageColor.getrgb(word)[:3])


def from_shares(red: float, green: float, blue: float) -> str:
    """Return red, green and blue from 0 to 1 as ``#rrggbb``."""
    return "#" + "".join(f"{round(min(max(share, 0.0), 1.0) * 255):02x}" for share in (red, green, blue))
