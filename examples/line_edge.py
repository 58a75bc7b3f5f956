"""Follow the edge of a black line with one light sensor: turn left over white, right over black."""

HALF = 50.0  # brightness between black and white


def main(robot):
    while True:
        bright = robot.read("light")[0]
        robot.drive(0.12, 1.6 * (bright - HALF) / HALF)
        robot.wait(0.02)
