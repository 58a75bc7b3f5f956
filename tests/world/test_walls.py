import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.world.scene import Wall
from understudy.world.walls import joined, pieces

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
CELLS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30)


@pytest.mark.parametrize(("wall", "want"), [
    (Wall(points_m=SQUARE), [[0, 0, 1, 0], [1, 0, 1, 1]]),
    (Wall(points_m=SQUARE, closed=True), [[0, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0]]),
    (Wall(pieces_m=((0.0, 0.0, 1.0, 0.0), (5.0, 5.0, 5.0, 5.0))), [[0, 0, 1, 0]]),
    (Wall(points_m=SQUARE[:2], pieces_m=((2.0, 2.0, 3.0, 3.0),)), [[0, 0, 1, 0], [2, 2, 3, 3]]),
    (Wall(dots_m=((1.0, 1.0),), dot_m=0.5), [[0.75, 1, 1.25, 1], [1, 0.75, 1, 1.25]]),
    (Wall(), []),
])  # fmt: skip
def test_every_form_of_wall_has_its_pieces(wall, want):
    assert pieces(wall).tolist() == want


@pytest.mark.parametrize(("dots", "want"), [
    ([(0, 0), (2, 0), (1, 0)], [[-0.5, 0, 2.5, 0]]),
    ([(4, 4), (4, 5)], [[4, 3.5, 4, 5.5]]),
    ([(0, 0), (1, 1), (2, 2)], [[0, 0, 2, 2]]),
    ([(0, 2), (1, 1), (2, 0)], [[0, 2, 2, 0]]),
    ([(0, 0), (1, 0), (1, 1)], [[-0.5, 0, 1.5, 0], [1, -0.5, 1, 1.5]]),
    ([(0, 0), (0, 0), (0, 3)], [[-0.5, 0, 0.5, 0], [-0.5, 3, 0.5, 3], [0, -0.5, 0, 0.5], [0, 2.5, 0, 3.5]]),
])  # fmt: skip
def test_neighbours_are_joined_in_rows_columns_and_diagonals(dots, want):
    assert joined(np.array(dots, float), 1.0).tolist() == want


def test_dots_between_the_lines_of_the_grid_join_as_well():
    assert joined(np.array([[0.01, 0.0], [0.03, 0.0], [0.05, 0.0]]), 0.02).round(9).tolist() == [[0.0, 0.0, 0.06, 0.0]]


def distance(point, piece):
    a, b = np.array(piece[:2]), np.array(piece[2:])
    t = np.clip(np.dot(point - a, b - a) / np.dot(b - a, b - a), 0.0, 1.0)
    return float(np.hypot(*(a + t * (b - a) - point)))


@given(CELLS)
def test_a_piece_passes_through_every_dot_and_through_the_middle_of_neighbours(cells):
    rows = joined(np.array(cells, float), 1.0)
    have = set(cells)
    targets = [np.array(cell, float) for cell in have]
    targets += [np.array((x + dx / 2, y)) for x, y in have for dx in (1,) if (x + dx, y) in have]
    targets += [np.array((x, y + 0.5)) for x, y in have if (x, y + 1) in have]
    assert all(min(distance(target, row) for row in rows) < 1e-9 for target in targets)


@given(CELLS)
def test_no_piece_leaves_the_dots(cells):
    have = {(float(x), float(y)) for x, y in cells}
    for ax, ay, bx, by in joined(np.array(cells, float), 1.0):
        for t in np.linspace(0.05, 0.95, 40):
            x, y = ax + t * (bx - ax), ay + t * (by - ay)
            assert min(max(abs(x - cx), abs(y - cy)) for cx, cy in have) <= 0.5 + 1e-9


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-320, 1e-30, 1e-12])
def test_dots_of_absurdly_small_size_stay_where_they_are(size):
    dots = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 2.0]])
    middles = joined(dots, size).reshape(-1, 2, 2).mean(axis=1)
    assert all(np.abs(middles - dot).max(axis=1).min() < 1e-6 for dot in dots)
