import pytest
from scenes import box, robot, room

from understudy.sim.factory import robot_at
from understudy.world.clearance import Clearance, shifted
from understudy.world.scene import Scene, Wall
from understudy.world.shapes import Pose

PICTURE = Wall(name="block", points_m=((-4, -4), (4, -4), (4, 4), (-4, 4)), closed=True, solid=True)


@pytest.mark.parametrize(
    ("x", "y", "free"),
    [(0.0, 1.0, True), (0.0, 0.0, False), (2.85, 0.0, False), (2.75, 0.0, True), (1.5, 0.0, False), (9.0, 9.0, True)],
)
def test_a_place_is_free_if_the_outline_meets_nothing(x, y, free):
    clearance = Clearance(room(robot(), objects=[box()]))
    assert clearance.fits(robot_at(robot("late"), Pose(x, y))) is free


def test_inside_of_what_is_solid_nothing_is_free():
    clearance = Clearance(Scene(walls=(PICTURE,)))
    assert not clearance.fits(robot_at(robot(), Pose(1.0, 1.0)))
    assert clearance.fits(robot_at(robot(), Pose(6.0, 1.0)))


def test_what_was_taken_is_not_free_any_more():
    clearance, late = Clearance(Scene()), robot("late")
    clearance.take(robot_at(late, Pose()))
    assert clearance.nearest(Pose(), lambda pose: robot_at(late, pose)) == Pose(0.0, -1.0)


def test_without_any_room_the_place_is_kept():
    huge = Wall(name="block", points_m=((-99, -99), (99, -99), (99, 99), (-99, 99)), closed=True, solid=True)
    clearance = Clearance(Scene(walls=(huge,)))
    assert clearance.nearest(Pose(1.0), lambda pose: robot_at(robot(), pose)) == Pose(1.0)


def test_a_shift_keeps_the_heading():
    assert shifted(Pose(1.0, 2.0, heading_rad=0.5), 1.0, -1.0) == Pose(2.0, 1.0, heading_rad=0.5)
