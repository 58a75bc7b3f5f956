"""Mazes and worlds against oracles: random mazes cell by cell, random frames by matrices."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from understudy.formats.eyesim import maze_file
from understudy.formats.eyesim.maze_text import read_maze
from understudy.formats.eyesim.world_lines import read_world

LETTERS = {"S": 90.0, "U": 90.0, "D": 270.0, "L": 180.0, "R": 0.0}


def random_maze(seed):
    """Return the text of a maze with its walls and letters, as sets of unit pieces and things in cells."""
    dice = random.Random(seed)
    wide, high, cell = dice.randint(1, 9), dice.randint(1, 9), dice.choice([90, 180, 250, 360, 1000])
    below, left, things = set(), set(), {}
    rows = []
    for row in range(high, -1, -1):  # row `high` is the upper border
        line = [" "] * (2 * wide + 1)
        for column in range(wide):
            if dice.random() < 0.5 or row == high:
                below.add((column, row))
                line[2 * column + 1] = "_"
            if row < high and dice.random() < 0.15:
                letter = dice.choice("SUDLRox")
                things[column, row] = letter.upper()
                line[2 * column + 1] = letter.upper() if (column, row) in below else letter.lower()
        for column in range(wide + 1):
            if row < high and dice.random() < 0.5:
                left.add((column, row))
                line[2 * column] = "|"
            elif dice.random() < 0.5 and line[2 * column - 1 : 2 * column] in (["_"], []):
                line[2 * column] = "_"  # decoration
        rows.append("".join(line).rstrip())
    return "\n".join(rows) + (f"\n{cell}\n" if cell != 360 else "\n"), cell, below, left, things


def unit_pieces(pieces, cell):
    """Return pieces cut into pieces of one cell: those along x and those along y, by their lower left corner."""
    along_x, along_y = set(), set()
    for x1, y1, x2, y2 in (tuple(round(1000 * value / cell) for value in piece) for piece in pieces):
        along_x |= {(x, y1) for x in range(x1, x2)} if y1 == y2 else set()
        along_y |= {(x1, y) for y in range(y1, y2)} if x1 == x2 else set()
    return along_x, along_y


@pytest.mark.parametrize("seed", range(60))
def test_a_random_maze_has_exactly_the_walls_and_letters_of_its_drawing(seed):
    text, cell, below, left, things = random_maze(seed)
    maze = read_maze(text, "a.maz")
    assert not maze.notes.warnings
    assert maze.cell_mm == cell
    assert unit_pieces(maze.pieces_m(), cell) == (below, left)
    found = {
        (math.floor(1000 * symbol.pose.x_m / cell), math.floor(1000 * symbol.pose.y_m / cell)): symbol
        for symbol in maze.symbols
    }
    assert {place: symbol.letter.upper() for place, symbol in found.items()} == things
    for symbol in found.values():
        assert math.degrees(symbol.pose.heading_rad) == pytest.approx(LETTERS.get(symbol.letter.upper(), 0.0))


@pytest.mark.parametrize("seed", range(60))
def test_a_random_maze_that_is_written_reads_back_the_same(seed):
    text = random_maze(seed)[0]
    scene = maze_file.parse(text, "a.maz", None).scene
    assert maze_file.parse(maze_file.write(scene), "a.maz", None).scene == scene


def matrix(x, y, clockwise):
    turn = math.radians(-clockwise)
    return np.array([[math.cos(turn), -math.sin(turn), x], [math.sin(turn), math.cos(turn), y], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("seed", range(40))
def test_nested_frames_are_products_of_matrices(seed):
    dice = random.Random(seed)
    lines, want, starts, stack = ["width 9000", "height 9000"], [], [], [np.eye(3)]
    for _ in range(80):
        x, y, angle = dice.randint(-900, 900), dice.randint(-900, 900), dice.choice([0, 90, 180, -45, 30, 417])
        choice = dice.random()
        if choice < 0.35:
            lines.append(f"push {x} {y} {angle}")
            stack.append(stack[-1] @ matrix(x, y, angle))
        elif choice < 0.6 and len(stack) > 1:
            lines.append("pop")
            stack.pop()
        elif choice < 0.7:
            lines.append(f"position {x} {y} {angle}")
            whole = stack[-1] @ matrix(x, y, -angle)
            starts.append((*whole[:2, 2], math.atan2(whole[1, 0], whole[0, 0])))
        else:
            lines.append(f"{x} {y} {angle} 7")
            ends = stack[-1] @ np.array([[x, angle], [y, 7], [1, 1]])
            want.append(ends[:2].T.ravel())
    plan = read_world("\n".join(lines), "a.wld", None)
    assert not plan.notes.warnings
    found = [piece for pieces in plan.pieces.values() for piece in pieces]
    assert np.array(found) * 1000 == pytest.approx(np.array(want), abs=1e-6)
    for pose, (x, y, heading) in zip(plan.positions, starts, strict=True):
        assert (1000 * pose.x_m, 1000 * pose.y_m) == pytest.approx((x, y), abs=1e-6)
        assert math.remainder(pose.heading_rad - heading, math.tau) == pytest.approx(0.0, abs=1e-9)
