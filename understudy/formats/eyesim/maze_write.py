"""Scenes as mazes: walls that lie on a grid, with robots, balls and crates at its cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from understudy.errors import FormatError
from understudy.formats.eyesim import things
from understudy.formats.eyesim.maze_text import CELL_MM, HEADINGS, LONGEST
from understudy.world import walls
from understudy.world.scene import Scene
from understudy.world.shapes import Box, Pose

_UM = 1e6  # coordinates are compared in whole micrometres
_FINER = 12  # a cell may be so many times smaller than the grid of the walls, if robots stand off its centres
_LETTERS = {round(heading) % 360: letter for letter, heading in HEADINGS.items()}  # u for up


@dataclass(frozen=True)
class _Symbol:
    """A robot or thing in micrometres, its letter, and what messages call it."""

    x: int
    y: int
    letter: str
    noun: str


@dataclass
class _Sheet:
    """A drawing under construction: a character for each place of each row from below."""

    cell: int  # micrometres
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    missing: list[_Symbol] = field(default_factory=list)

    def wall(self, x1: int, y1: int, x2: int, y2: int) -> None:
        """Draw a piece along an axis."""
        (left, right), (low, high) = (sorted((a // self.cell, b // self.cell)) for a, b in ((x1, x2), (y1, y2)))
        if low == high:
            for column in range(left, right):
                self.rows.setdefault(low, {})[2 * column + 1] = "_"
        else:
            for row in range(low, high):
                self.rows.setdefault(row, {})[2 * left] = "|"

    def symbol(self, symbol: _Symbol) -> None:
        """Put a letter, in upper case if there is a wall below; note it if its place is taken."""
        place, row = 2 * symbol.x // self.cell, symbol.y // self.cell
        line = self.rows.setdefault(row, {})
        known = line.get(place, " ")
        if known not in " _":
            self.missing.append(symbol)
        else:
            line[place] = symbol.letter.upper() if known == "_" else symbol.letter

    def text(self) -> str:
        """Return the drawing, without gaps between walls along x, and the size of its cells."""
        top = max(self.rows, default=0)
        lines = [self._line(self.rows.get(row, {})) for row in range(top, -1, -1)]
        return "\n".join([*lines, f"{self.cell / 1000:.12g}"]) + "\n"

    def _line(self, line: dict[int, str]) -> str:
        joined = {
            place + 1: "_"
            for place in line
            if place % 2 and place + 1 not in line and all(_has_wall(line.get(at, "")) for at in (place, place + 2))
        }
        whole = line | joined
        return "".join(whole.get(place, " ") for place in range(max(whole, default=-1) + 1))


def _has_wall(letter: str) -> bool:
    return letter == "_" or letter.isupper()


def write(scene: Scene) -> str:
    """Return *scene* as a maze; raises FormatError if its walls are not on a grid."""
    return _drawn(scene).text()


def left_out(scene: Scene) -> list[str]:
    """Return descriptions of what a maze does not store."""
    nouns = [symbol.noun for symbol in _drawn(scene).missing]
    words = [f"{nouns.count(noun)} {noun} off the grid" for noun in dict.fromkeys(nouns)]
    others = {"object": len(scene.objects) - len(_crates(scene)), "light": len(scene.lights), "mark": len(scene.marks)}
    words += [f"{count} {noun}{'s' if count != 1 else ''}" for noun, count in others.items() if count]
    if any(robot.model != things.START_MODEL or robot.program for robot in scene.robots):
        words.append(f"models and programs of robots: a maze has {things.START_MODEL}s")
    return [*words, "names, heights, thickness and colours: a maze has lines and letters only"]


def _drawn(scene: Scene) -> _Sheet:
    dx, dy = _corner(scene)
    pieces = [_whole(piece, dx, dy) for wall in scene.walls for piece in walls.pieces(wall).tolist()]
    for wall in (wall for wall in scene.walls if wall.surface.obstacle):
        _check_straight(wall.name, walls.pieces(wall).tolist())
    symbols = list(_symbols(scene, dx, dy))
    cell = _cell(scene, pieces, symbols)
    sheet = _Sheet(cell)
    for x1, y1, x2, y2 in pieces:
        sheet.wall(x1, y1, x2, y2)
    if pieces:
        _check_size(pieces, cell)
    for symbol in symbols:
        if _fits(symbol, cell):
            sheet.symbol(symbol)
        else:
            sheet.missing.append(symbol)
    return sheet


def _corner(scene: Scene) -> tuple[float, float]:
    """Return the lower left corner of the ground, which becomes 0, 0 (m)."""
    (x, y), (wide, high) = scene.ground.center_m, scene.ground.size_m
    low = [value for wall in scene.walls for piece in walls.pieces(wall).tolist() for value in piece]
    return (x - wide / 2, y - high / 2) if low else (0.0, 0.0)


def _whole(piece: Sequence[float], dx: float, dy: float) -> tuple[int, int, int, int]:
    x1, y1, x2, y2 = piece
    return round((x1 - dx) * _UM), round((y1 - dy) * _UM), round((x2 - dx) * _UM), round((y2 - dy) * _UM)


def _check_straight(name: str, pieces: list[list[float]]) -> None:
    for x1, y1, x2, y2 in pieces:
        if abs(x1 - x2) > 1e-6 and abs(y1 - y2) > 1e-6:
            what = f"the wall {name!r}" if name else "a wall"
            raise FormatError(f"{what} is oblique, from {x1:g}, {y1:g} to {x2:g}, {y2:g}; a maze has right angles only")


def _crates(scene: Scene) -> list[Pose]:
    return [solid.pose for solid in scene.objects if isinstance(solid.shape, Box) and solid.mass_kg > 0.0]


def _symbols(scene: Scene, dx: float, dy: float) -> Iterator[_Symbol]:
    """Yield robots, balls and crates, from the top line on."""
    for robot in scene.robots:
        quarter = round(math.degrees(robot.pose.heading_rad) / 90.0) * 90 % 360
        yield _symbol(robot.pose, dx, dy, _LETTERS[quarter], "robot")
    for ball in scene.balls:
        yield _symbol(ball.pose, dx, dy, "o", "ball")
    for pose in _crates(scene):
        yield _symbol(pose, dx, dy, "x", "crate")


def _symbol(pose: Pose, dx: float, dy: float, letter: str, noun: str) -> _Symbol:
    return _Symbol(round((pose.x_m - dx) * _UM), round((pose.y_m - dy) * _UM), letter, noun)


def _fits(symbol: _Symbol, cell: int) -> bool:
    """Return whether a place is in the middle of a row, and in the middle of a cell or on the line between two."""
    return symbol.x >= 0 and symbol.y >= 0 and 2 * symbol.x % cell == 0 and (2 * symbol.y) % (2 * cell) == cell


def _cell(scene: Scene, pieces: list[tuple[int, int, int, int]], symbols: list[_Symbol]) -> int:
    """Return the size of a cell: the largest at which all walls, the ground and everything else are on the grid."""
    size = [round(value * _UM) for value in scene.ground.size_m]
    grid = math.gcd(*(abs(value) for piece in pieces for value in piece))
    whole = math.gcd(grid, *size)
    for base in (whole, grid or round(CELL_MM * 1000)):
        for finer in range(1, _FINER + 1):
            cell, rest = divmod(base, finer)
            if cell >= 1000 and not rest and max(size) // cell < LONGEST // 2 and all(_fits(s, cell) for s in symbols):
                return cell
    return max(grid, 1000)


def _check_size(pieces: list[tuple[int, int, int, int]], cell: int) -> None:
    """Raise FormatError if the grid would have too many cells, or a wall is left of it or below."""
    if min(min(piece) for piece in pieces) < 0:
        raise FormatError("a wall is outside the ground; make the ground larger")
    if any(value % cell for piece in pieces for value in piece) or max(map(max, pieces)) // cell > LONGEST // 2:
        raise FormatError(f"the walls are on no grid of up to {LONGEST // 2} cells; a maze has cells of one size")
