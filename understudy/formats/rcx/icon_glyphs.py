"""Own drawings for the icons of an RCX program: lines in a square of 56 pixels, and a colour for each kind."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from understudy.formats.rcx.icons import Icon

_COLOURS: Mapping[str, str] = MappingProxyType({
    "motor": "#2e7d32", "stop": "#c62828", "wait": "#1565c0", "repeat": "#6a1b9a", "forever": "#6a1b9a",
    "while": "#6a1b9a", "again": "#9c6ab5", "fork": "#ef6c00", "else": "#f2a05c", "merge": "#f2a05c",
    "unless": "#ef6c00", "jump": "#00838f", "land": "#00838f", "split": "#283593", "task": "#283593",
    "sound": "#ad1457", "container": "#5d4037", "timer": "#37474f", "port": "#37474f", "message": "#00695c",
    "call": "#4e342e", "return": "#4e342e", "begin": "#43a047",
})  # fmt: skip
OTHER = "#757575"
_RING = "M28 12a16 16 0 1 1 -.1 0"
_LOOP = "M40 20a14 14 0 1 0 3 12M43 14v8h-8"
# kind, or the beginning of the words -> the path of its drawing; the longest beginning counts
_PATHS: Mapping[str, str] = MappingProxyType({
    "motor": f"{_RING}M20 28h16m-6 -6l6 6l-6 6",
    "motor-backward": f"{_RING}M36 28h-16m6 -6l-6 6l6 6",
    "stop": "M20 10h16l10 10v16l-10 10h-16l-10 -10v-16zM20 28h16",
    "float": "M12 24q8 -8 16 0t16 0M12 36q8 -8 16 0t16 0",
    "wait": f"{_RING}M28 18v10l7 5",
    "wait for push": "M14 44h28v-8h-28zM28 10v20m-7 -7l7 7l7 -7",
    "wait for let go": "M14 44h28v-8h-28zM28 30v-20m-7 7l7 -7l7 7",
    "wait for dark": "M36 40a15 15 0 1 1 -2 -28a12 12 0 0 0 2 28",
    "wait for light": "M28 20a8 8 0 1 1 -.1 0M28 8v6M28 42v6M8 28h6M42 28h6M14 14l4 4M38 38l4 4M42 14l-4 4M18 38l-4 4",
    "repeat": _LOOP, "forever": _LOOP, "while": _LOOP, "again": "M40 16v14h-24m8 -8l-8 8l8 8",
    "fork": "M10 28h14l14 -14h8M24 28l14 14h8", "else": "M10 28h36", "merge": "M46 28h-14l-14 -14h-8M32 28l-14 14h-8",
    "unless": "M10 28h14l14 -14h8M24 28l14 14h8m-4 -5l4 5l-4 5",
    "jump": "M12 40q16 -36 32 -10m0 -9v9h-9", "land": "M12 44h32M28 10v26m-8 -8l8 8l8 -8",
    "split": "M10 28h12v-14h22M22 28v14h22m-6 -6l6 6l-6 6", "task": "M14 14h28v28h-28zM20 28h16",
    "sound": "M22 40v-26l18 -4v26M22 40a5 5 0 1 1 -1 -4M40 36a5 5 0 1 1 -1 -4",
    "container": "M14 16h28l-4 28h-20zM14 16q14 8 28 0", "timer": f"{_RING}M28 12v-4M24 8h8M28 28l6 -6",
    "port": "M18 10v12M38 10v12M12 22h32v6q0 8 -8 8h-16q-8 0 -8 -8zM28 36v12",
    "message": "M10 16h36v24h-36zM10 16l18 14l18 -14", "call": "M12 14h20v28h-20M26 28h20m-7 -7l7 7l-7 7",
    "return": "M44 14h-20v28h20M30 28h-20m7 -7l-7 7l7 7", "begin": "M20 12l22 16l-22 16z",
})  # fmt: skip


def colour_of(icon: Icon) -> str:
    """Return the colour of an icon's square."""
    return _COLOURS.get(icon.kind, OTHER)


def glyph_of(icon: Icon) -> str:
    """Return the drawing of an icon as SVG; an instruction that is no icon shows its name."""
    if icon.kind == "lasm":
        name = escape(icon.words.split()[1][:7])
        return f'<text x="28" y="32" text-anchor="middle" style="fill:#fff">{name}</text>'
    return f'<path class="glyph" d="{_PATHS[_key(icon)]}"/>'


def _key(icon: Icon) -> str:
    if icon.kind == "motor":
        return "motor-backward" if icon.setting("direction") == "backward" else "motor"
    keys = [key for key in _PATHS if key == icon.kind or icon.words.startswith(key)]
    return max(keys, key=len)
