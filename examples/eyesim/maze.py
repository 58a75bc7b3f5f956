# Explores a maze by depth-first search, draws its map on the LCD, and drives the shortest path back to the start.
#
#   understudy eyesim maze.sim            (with --fast: as quickly as the machine can)
from collections import deque

from eye import *

CELL = 360  # mm
SPEED = 300
AHEAD, LEFT, _, RIGHT = range(4)  # as turns, in quarters to the left
STEPS = [(1, 0), (0, 1), (-1, 0), (0, -1)]  # of the headings 0, 90, 180, 270 degrees

heading = 0
place = (0, 0)
open_sides = {}  # cell -> the neighbours that can be reached


def look():
    """Note which neighbours of this cell can be reached."""
    known = open_sides.setdefault(place, [])
    for turn, psd in ((AHEAD, PSD_FRONT), (LEFT, PSD_LEFT), (RIGHT, PSD_RIGHT)):
        cell = neighbour((heading + turn) % 4)
        if PSDGet(psd) > CELL * 0.6 and cell not in known:
            known.append(cell)
            draw(place, cell)


def neighbour(direction):
    dx, dy = STEPS[direction]
    return place[0] + dx, place[1] + dy


def on_lcd(cell):
    return 60 + cell[0] * 30, 250 - cell[1] * 30


def draw(one, other):
    LCDLine(*on_lcd(one), *on_lcd(other), GREEN)
    LCDCircle(*on_lcd(one), 4, WHITE, 1)


def turn_to(direction):
    global heading
    quarters = (direction - heading + 1) % 4 - 1  # -1 to 2
    if quarters:
        VWTurn(90 * quarters, 120)
        VWWait()
    heading = direction


def go(cell):
    """Drive to a neighbour, and correct the heading."""
    global place
    step = (cell[0] - place[0], cell[1] - place[1])
    turn_to(STEPS.index(step))
    VWStraight(CELL, SPEED)
    VWWait()
    off = (VWGetPosition()[2] - 90 * heading + 180) % 360 - 180
    if off:
        VWTurn(-off, 60)
        VWWait()
    place = cell


def path(start, goal):
    """Return the shortest path over known cells."""
    before, waiting = {start: start}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for other in open_sides.get(cell, []):
            if other not in before and (other in open_sides or other == goal):
                before[other] = cell
                waiting.append(other)
    cells = [goal]
    while cells[-1] != start:
        cells.append(before[cells[-1]])
    return cells[::-1]


def explore():
    """Visit every cell: go to the last one that was seen but not visited."""
    look()
    turn_to(LEFT)  # what is behind, is now on the left
    look()
    seen = list(open_sides[place])
    while seen:
        goal = seen.pop()
        if goal in open_sides:
            continue
        gate = next(cell for cell, others in open_sides.items() if goal in others)
        for cell in [*path(place, gate)[1:], goal]:
            go(cell)
        look()
        if gate not in open_sides[goal]:
            open_sides[goal].append(gate)  # the way back
        seen += open_sides[goal]


LCDPrintf("exploring\n")
VWSetPosition(0, 0, 0)
explore()
farthest = max(open_sides, key=lambda cell: len(path((0, 0), cell)))
LCDPrintf("%d cells, %d steps to the farthest\n", len(open_sides), len(path((0, 0), farthest)) - 1)
for cell in path(place, farthest)[1:]:
    go(cell)
for cell in path(farthest, (0, 0))[1:]:
    LCDCircle(*on_lcd(cell), 6, RED, 1)
    go(cell)
LCDPrintf("back at the start\n")
AUBeep()
