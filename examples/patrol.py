"""Patrol: drive from corner to corner of a square, around what is in the way; pause while a client has the robot."""

import math

SPEED_M_S, TURN_RAD_S = 0.4, 1.2
SIDE_M = 1.6  # of the square
CLEAR_M, CLOSE_M = 0.9, 0.35  # free space that the laser must see in a direction, and the sonar all around the front
THERE_M, PATIENCE_S = 0.4, 12.0  # a corner is reached, or given up
STEP_S = 0.1


def main(robot):
    start = robot.pose
    corners = [(start.x_m + x, start.y_m + y) for x, y in ((0, SIDE_M), (-SIDE_M, SIDE_M), (-SIDE_M, 0), (0, 0))]
    robot.wait(0.2)
    while True:
        for corner in corners:
            go(robot, *corner)


def go(robot, x_m, y_m):
    """Drive to a point, by the direction nearest to it that is free."""
    end_s = robot.time_s + PATIENCE_S
    while robot.time_s < end_s and math.hypot(x_m - robot.pose.x_m, y_m - robot.pose.y_m) > THERE_M:
        give_way(robot)
        steer(robot, math.atan2(y_m - robot.pose.y_m, x_m - robot.pose.x_m))
        robot.wait(STEP_S)


def give_way(robot):
    """Rest while a client, such as an ARIA program on TCP 8101, has the robot."""
    if robot.panel("arcos").session:
        robot.stop()
        while robot.panel("arcos").session:
            robot.wait(STEP_S)


def steer(robot, bearing_rad):
    """Turn towards a bearing, or as near to it as there is space, and drive."""
    wanted = math.degrees(math.remainder(bearing_rad - robot.pose.heading_rad, math.tau))
    scan = robot.read("front")  # one range per degree, from right to left
    free = [way for way in range(-70, 71, 5) if min(scan[70 + way : 111 + way]) > CLEAR_M]
    way = min(free, key=lambda way: abs(way - wanted), default=math.copysign(90, wanted))
    left, right = sides(robot)
    if min(left, right) < CLOSE_M:  # lower than the laser, such as another robot
        free, way = [], -90 if left < right else 90
    rate = max(-TURN_RAD_S, min(TURN_RAD_S, math.radians(2.0 * way)))
    robot.drive(SPEED_M_S * max(0.0, math.cos(math.radians(way))) if free else 0.0, rate)


def sides(robot):
    """Return how near the sonar sees something at the left and at the right of the front (m)."""
    ring = robot.read("sonar")  # the first eight look ahead, from left to right
    return min(ring[1:4]), min(ring[4:7])
