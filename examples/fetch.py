"""Pick up a brick with an arm of three joints, and put it on a shelf."""

from math import radians

# shoulder and elbow, degrees
OVER, DOWN, AWAY, ABOVE = (30, 150), (65, 115), (10, 130), (48, 120)


def bend(robot, pose, seconds=1.5):
    for name, degrees in zip(("shoulder", "elbow"), pose):
        robot.servo(name).to(radians(degrees))
    robot.wait(seconds)


def grip(robot, width_m):
    robot.servo("left").to(width_m)
    robot.wait(0.7)


def main(robot):
    robot.servo("nod").to(radians(30))  # the camera looks at the gripper
    bend(robot, OVER, 2.0)
    robot.drive(0.1)
    robot.wait(3.0)
    robot.stop()
    robot.wait(0.5)
    bend(robot, DOWN)
    grip(robot, 0.0)
    print(f"the fingers are {2 * robot.read('grip')[0] * 1000:.0f} mm apart")
    bend(robot, AWAY, 2.0)
    robot.servo("pan").to(radians(90))
    robot.servo("neck").to(radians(80))
    robot.wait(2.0)
    bend(robot, ABOVE, 2.0)
    grip(robot, 0.035)
    bend(robot, AWAY)
