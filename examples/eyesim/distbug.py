# DistBug with a laser scanner: drives to a goal around unknown obstacles; leaves a wall when the way to the goal is
# shorter than it ever was. Goal in mm as arguments: x ahead and y to the left of the start.
#
#   understudy eyesim distbug.py 2600 800 --world boxes.wld
import sys
from math import atan2, degrees, hypot

from eye import *

GOAL = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (2600, 800)
NEAR, WALL, STEP = 250, 200, 30  # mm


def free(scan, bearing, half=20):
    """Return the free distance in a direction (degrees, left positive), for the width of the robot."""
    middle = 180 - round(bearing)
    return min(scan[(middle + i) % 360] for i in range(-half, half + 1))


def to_goal():
    x, y, phi = VWGetPosition()
    dx, dy = GOAL[0] - x, GOAL[1] - y
    bearing = (degrees(atan2(dy, dx)) - phi + 180) % 360 - 180
    return hypot(dx, dy), bearing


def show(state, distance):
    LCDSetPrintf(0, 0, "%-12s goal at %5d mm ", state, distance)


def head_for_goal():
    """Drive towards the goal; returns whether it is reached (else a wall is in the way)."""
    while True:
        distance, bearing = to_goal()
        show("to the goal", distance)
        if distance < 60:
            return True
        if abs(bearing) > 10:
            VWTurn(bearing, 90)
            VWWait()
        elif free(LIDARGet(), bearing) < NEAR:
            return False
        else:
            VWSetSpeed(200, bearing)
            OSWait(50)


def follow_wall():
    """Keep the wall on the right until the goal is nearer than ever and the way to it is free."""
    nearest, _ = to_goal()
    VWTurn(90, 90)
    VWWait()
    for _ in range(2000):
        distance, bearing = to_goal()
        show("along a wall", distance)
        scan = LIDARGet()
        ahead, right = free(scan, 0), min(scan[225:300])
        nearest = min(nearest, distance)
        way = min(free(scan, bearing) - NEAR - 50, distance)  # that the robot could go towards the goal from here
        if distance - way <= nearest - STEP:
            return
        if ahead < NEAR:
            VWSetSpeed(0, 60)
        else:
            VWSetSpeed(120, max(-50, min(50, (WALL - right) * 0.5)))
        OSWait(50)


for _ in range(20):
    if head_for_goal():
        break
    follow_wall()
VWSetSpeed(0, 0)
distance, _ = to_goal()
show("reached" if distance < 100 else "given up", distance)
AUBeep()
