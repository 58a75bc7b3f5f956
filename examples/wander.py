"""Wander: drive towards the most open direction; where there is none, turn until there is."""

import math

SPEED_M_S = 0.5
SAFE_M = 0.55  # nearer than this ahead: turn on the spot
SLOW_M = 1.5  # nearer than this ahead: slow down


def main(robot):
    side = 1.0  # the way to turn when blocked: 1 is left
    robot.wait(0.2)
    while True:
        scan = robot.read("front")  # 181 ranges, one per degree, from the right over ahead to the left
        right, ahead, left = min(scan[20:65]), min(scan[55:126]), min(scan[116:161])
        if robot.stalled:
            robot.drive(-0.2, side)
            robot.wait(1.0)
        elif ahead < SAFE_M:
            robot.drive(0.0, side)
        else:
            side = 1.0 if left > right else -1.0
            speed = SPEED_M_S * min(ahead / SLOW_M, 1.0)
            robot.drive(speed, steer(left, right))
        robot.wait(0.1)


def steer(left, right):
    """Return how fast to turn away from the nearer side (rad/s)."""
    near = min(left, right)
    if near > 1.0:
        return 0.0
    return math.copysign(1.0 - near, left - right)
