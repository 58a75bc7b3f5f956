"""Shows the consoles of EyeBots in a terminal: text as text, graphics as Braille dots, and the menu of the keys.

Independent of any terminal: a picture is a list of rows, each a list of (text, colour). A colour is ``#rrggbb``, a
style that terminals have such as ``reverse``, or empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, islice

from understudy.eyesim.dots import Dots, dots_of, letter_of
from understudy.eyesim.dump import picture
from understudy.robots.eyebot.console import Console
from understudy.robots.eyebot.keys import KEYS, KeyTap

Run = tuple[str, str]  # text, colour
Row = list[Run]

SMALL = 128  # pixels; a screen up to this width is shown dot by dot when it has graphics
_DARK = 64  # a darker colour could not be seen on a dark terminal
_GAP = 2  # columns between two consoles
_STEP = 0x20  # of the brightness of colours, so that a row has few of them


def render(console: Console, columns: int, rows: int, braille: bool = True) -> list[str]:
    """Return a console as lines of text, at most this many of this length."""
    return ["".join(text for text, _ in row).rstrip() for row in paint(console, columns, rows, braille)]


def paint(console: Console, columns: int, rows: int, braille: bool = True) -> list[Row]:
    """Return a console as coloured rows, at most this many of this length; the last one is the menu."""
    if columns <= 0 or rows <= 0:
        return []
    exact = _is_exact(console, columns, rows)
    body = _exact(console, braille) if exact else _mixed(console, braille)
    menu = _menu(console, _grid(console, exact)[0])
    return [_cut(row, columns) for row in (*_visible(body, rows - 1), menu)]


def _grid(console: Console, exact: bool) -> tuple[int, int]:
    """Return how many columns and rows a console takes without its menu."""
    if exact:
        return console.width // Dots.ACROSS, console.graphics_height // Dots.DOWN
    return console.width // console.letter[0], len(console.text)


def _is_exact(console: Console, columns: int, rows: int) -> bool:
    """Return whether each pixel is shown as a dot: on a small screen with graphics, if there is room."""
    fits = console.width <= SMALL and console.width <= columns * Dots.ACROSS
    return fits and console.graphics_height <= (rows - 1) * Dots.DOWN and _has_graphics(console)


def _has_graphics(console: Console) -> bool:
    """Return whether pixels differ from the background where no text is."""
    return console.pixels is not None and bool(_dots(console).bits.any())


def _dots(console: Console) -> Dots:
    """Return what is drawn beside the text, one character for each cell of text."""
    across, down = _grid(console, exact=False)
    screen = picture(console)[: down * console.letter[1], : across * console.letter[0]]
    return dots_of(screen, across, down, console.text_boxes)


def _exact(console: Console, braille: bool) -> list[Row]:
    screen = picture(console)
    dots = dots_of(screen, screen.shape[1] // Dots.ACROSS, screen.shape[0] // Dots.DOWN)
    return [_joined([(letter_of(int(bits), braille), "") for bits in row]) for row in dots.bits]


def _mixed(console: Console, braille: bool) -> list[Row]:
    """Return one character for each cell of text: its letter, or what is drawn there."""
    if console.pixels is None:
        return [[(text, "")] for text in console.text]
    dots = _dots(console)
    drawn = [[letter_of(bits, braille) for bits in row] for row in dots.bits.tolist()]
    colours = [[_name(colour) for colour in row] for row in dots.colours.tolist()]
    return [
        _joined([(_letter(text, column) or dot, colour) for column, (dot, colour) in enumerate(zip(*row))])
        for text, *row in zip(console.text, drawn, colours)
    ]


def _letter(text: str, column: int) -> str:
    """Return the letter in a column, empty if there is none."""
    return text[column : column + 1].strip()


def _name(colour: Sequence[int]) -> str:
    """Return a colour as ``#rrggbb``, in few steps; empty if it is dark, or as good as white."""
    red, green, blue = (min(value // _STEP * _STEP + _STEP // 2, 255) for value in colour)
    bright = max(red, green, blue)
    if bright < _DARK or min(red, green, blue) >= 256 - _STEP:
        return ""
    return f"#{red:02x}{green:02x}{blue:02x}"


def _visible(body: list[Row], most: int) -> list[Row]:
    """Return the rows that fit: empty ones at the end are left out first, then rows at the top."""
    used = len(body)
    while used > max(most, 0) and not any(text.strip() for text, _ in body[used - 1]):
        used -= 1
    return body[max(used - most, 0) : used]


def _menu(console: Console, columns: int) -> Row:
    """Return the menu: number and label of each key; a pressed key is marked."""
    wide = max(columns // len(KEYS), 1)
    row: Row = []
    for number, (key, label) in enumerate(zip(KEYS, console.menu), 1):
        text = f"[{number}]{label.text}"[: wide - 1].ljust(wide - 1)
        row += [(text, "reverse bold" if console.pressed & key else "reverse"), (" ", "")]
    return row[:-1]


def _joined(cells: list[Run]) -> Row:
    """Return cells with neighbours of one colour as one text; a blank has no colour."""
    plain = [(text, colour if text.strip() else "") for text, colour in cells]
    return [("".join(text for text, _ in group), colour) for colour, group in groupby(plain, lambda cell: cell[1])]


def _cut(row: Row, columns: int) -> Row:
    """Return what fits of a row."""
    kept: Row = []
    for text, colour in row:
        if columns <= 0:
            break
        kept.append((text[:columns], colour))
        columns -= len(text)
    return kept


class ConsoleView:
    """The consoles of some robots, one of them selected: digits press its keys, Tab selects the next one."""

    def __init__(self, braille: bool = True) -> None:
        self.selected = ""
        self._names: tuple[str, ...] = ()
        self._braille = braille
        self._painted: dict[str, tuple[Console, int, int, list[Row]]] = {}  # the last picture of each

    def frame(self, consoles: Mapping[str, Console], columns: int, rows: int) -> list[Row]:
        """Return as many consoles as fit, the selected one among them, side by side and below each other."""
        self._names = tuple(consoles)
        if self.selected not in consoles:
            self.selected = next(iter(consoles), "")
        if not consoles or columns <= 0 or rows <= 0:
            return []
        sizes = [_grid(console, _is_exact(console, columns, rows - 1)) for console in consoles.values()]
        wide, high = max(size[0] for size in sizes) + _GAP, max(size[1] for size in sizes) + 2  # title and menu
        across, down = max((columns + _GAP) // wide, 1), max(rows // high, 1)
        first = self._names.index(self.selected) // (across * down) * across * down
        shown = list(islice(consoles.items(), first, first + across * down))
        self._painted = {name: self._painted[name] for name, _ in shown if name in self._painted}
        picture_rows: list[Row] = []
        for start in range(0, len(shown), across):
            room = rows if down == 1 else high
            picture_rows += self._side_by_side(shown[start : start + across], min(wide, columns + _GAP), room)
        return [_cut(row, columns) for row in picture_rows[:rows]]

    def _side_by_side(self, shown: Sequence[tuple[str, Console]], wide: int, rows: int) -> list[Row]:
        columns = wide - _GAP
        parts = [
            [self._title(name, columns), *self._paint(name, console, columns, rows - 1)] for name, console in shown
        ]
        high = max(len(part) for part in parts)
        return [
            [run for part in parts for run in _padded(part[row] if row < len(part) else [], wide)]
            for row in range(high)
        ]

    def _paint(self, name: str, console: Console, columns: int, rows: int) -> list[Row]:
        """Return a console as rows; drawn again only if it has changed."""
        if name not in self._painted or self._painted[name][:3] != (console, columns, rows):
            self._painted[name] = (console, columns, rows, paint(console, columns, rows, self._braille))
        return self._painted[name][3]

    def _title(self, name: str, columns: int) -> Row:
        selected = name == self.selected and len(self._names) > 1
        hint = "  1-4: keys" + ("  Tab: next robot" if len(self._names) > 1 else "")
        text = f"{name}{hint}" if name == self.selected else name
        return [(text[:columns], "bold reverse" if selected else "bold")]

    def press(self, key: str) -> tuple[str, KeyTap] | None:
        """Handle a key of the keyboard; returns the robot and its order if it is a key of the console."""
        if key in ("\t", "KEY_TAB") and self._names:
            place = self._names.index(self.selected) if self.selected in self._names else -1
            self.selected = self._names[(place + 1) % len(self._names)]
        elif self.selected and key in ("1", "2", "3", "4"):
            return self.selected, KeyTap(KEYS[int(key) - 1])
        return None


def _padded(row: Row, columns: int) -> Row:
    used = sum(len(text) for text, _ in row)
    return [*row, (" " * (columns - used), "")] if used < columns else row
