"""Full power for two seconds, then stop: table 4.1 of the LURobotSim thesis measures how far a robot drives."""

FULL_POWER_M_S = 25.1 * 0.021  # table 3.7: speed of a wheel (rad/s) times its radius (m)


def main(robot):
    robot.drive(FULL_POWER_M_S)
    robot.wait(2.0)
    robot.drive(0.0)
    robot.wait(1.0)
    print(f"{robot.name} came {robot.pose.x_m:.3f} m far")
