"""Drive ahead until the touch sensor in front is pressed, then back for one second, and repeat."""


def main(robot):
    while True:
        robot.drive(0.3)
        while not robot.read("touch")[0]:
            robot.wait(0.02)
        robot.drive(-0.3)
        robot.wait(1.0)
