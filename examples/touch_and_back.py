"""Ahead until something touches the sensor in front, then back for a second, again and again."""


def main(robot):
    while True:
        robot.drive(0.3)
        while not robot.read("touch")[0]:
            robot.wait(0.02)
        robot.drive(-0.3)
        robot.wait(1.0)
