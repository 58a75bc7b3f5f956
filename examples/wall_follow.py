"""Follow the wall on the right: through every door, around every obstacle, and out again."""

import math

SPEED_M_S, TURN_RAD_S = 0.4, 0.8
GAP_M = 0.5  # from the laser to the wall
STEP_S = 0.1


def main(robot):
    turned = 0.0  # total turn so far; it grows along the walls of a room and shrinks around a table
    robot.wait(0.2)
    while True:
        right, ahead = look(robot)
        if robot.stalled:  # something that the laser does not see: back off
            robot.drive(-0.2, 0.5)
            robot.wait(1.0)
        if turned < -2 * math.tau:  # twice around the same table is enough
            leave(robot)
            turned = 0.0
        rate = steer(right, ahead)
        robot.drive(SPEED_M_S if ahead > GAP_M + 0.1 else 0.0, rate)
        robot.wait(STEP_S)
        turned += rate * STEP_S


def look(robot):
    """Return the free distance to the right and ahead (m); the scan has one range per degree, from right to left."""
    scan = robot.read("front")
    return min(scan[:60]), min(scan[60:121])


def steer(right, ahead):
    """Return the turn rate: left in a corner, else towards or away from the wall (rad/s)."""
    if ahead < GAP_M + 0.1:
        return TURN_RAD_S
    return max(-TURN_RAD_S, min(TURN_RAD_S, 2.0 * (GAP_M - right)))


def leave(robot):
    """Turn away to the left and drive straight to the next wall."""
    robot.drive(0.0, TURN_RAD_S)
    robot.wait(math.radians(90) / TURN_RAD_S)
    while look(robot)[1] > GAP_M + 0.1 and not robot.stalled:
        robot.drive(SPEED_M_S)
        robot.wait(STEP_S)
