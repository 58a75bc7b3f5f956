"""Follow the wall on the right: in at every door, around everything that stands in the way, and out again."""

SPEED_M_S = 0.4
GAP_M = 0.5  # from the laser to the wall


def main(robot):
    robot.wait(0.2)
    while True:
        scan = robot.read("front")  # 181 ranges, one per degree, from the right over ahead to the left
        right, ahead = min(scan[0:60]), min(scan[60:121])
        if robot.stalled:
            robot.drive(-0.2, 0.5)
            robot.wait(1.0)
        elif ahead < GAP_M + 0.1:  # a corner: turn left on the spot
            robot.drive(0.0, 0.8)
        else:  # too far from the wall: to the right; too near: to the left
            turn = max(-0.8, min(0.8, 2.0 * (GAP_M - right)))
            robot.drive(SPEED_M_S, turn)
        robot.wait(0.1)
