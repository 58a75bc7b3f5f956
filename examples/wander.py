"""Wander: choose a random direction with free space ahead, drive there for a while, and repeat."""

import math
import random

SPEED_M_S, TURN_RAD_S = 0.5, 1.0
SAFE_M = 0.6  # something nearer ahead than this: choose another direction
SIDE_M = 0.45  # something nearer at a side than this: steer away
ROOM_M = 1.5  # a direction with this much free space may be chosen


def main(robot):
    dice = random.Random(7)  # seeded, so that every run is the same
    robot.wait(0.2)
    while True:
        turn(robot, choose(robot.read("front"), dice))
        drive(robot, dice.uniform(3.0, 8.0))


def choose(scan, dice):
    """Return a direction with free space (degrees to the left); a scan has one range per degree, right to left."""
    ways = [way for way in range(-75, 76, 5) if min(scan[80 + way : 101 + way]) > ROOM_M]
    return dice.choice(ways or [-120, 120])


def turn(robot, degrees):
    """Turn on the spot."""
    robot.drive(0.0, math.copysign(TURN_RAD_S, degrees))
    robot.wait(math.radians(abs(degrees)) / TURN_RAD_S)


def drive(robot, seconds):
    """Drive ahead for this time, or until there is an obstacle."""
    end = robot.time_s + seconds
    while robot.time_s < end:
        scan = robot.read("front")
        right, ahead, left = min(scan[:60]), min(scan[60:121]), min(scan[121:])
        if robot.stalled:  # something that the laser does not see: back off
            robot.drive(-0.2)
            robot.wait(1.0)
            return
        if ahead < SAFE_M:
            return
        robot.drive(SPEED_M_S, 0.0 if min(left, right) > SIDE_M else math.copysign(0.6, left - right))
        robot.wait(0.1)
