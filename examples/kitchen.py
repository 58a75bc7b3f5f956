"""Sends a Roomba cleaning for a minute, then back to its home base."""

from understudy.robots.roomba.orders import Behave, Enter


def main(robot):
    robot.order(Enter("start"))
    robot.order(Behave("clean"))
    robot.wait(60)
    robot.order(Behave("dock"))
    robot.wait(600)
