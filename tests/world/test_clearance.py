import math
from itertools import combinations

import pytest
from scenes import box, robot, room

from understudy.sim.factory import robot_at
from understudy.world.clearance import Clearance, shifted
from understudy.world.outlines import overlaps
from understudy.world.scene import Ground, Scene, Wall
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


def in_line(scene, start, count):
    """Return where so many robots that begin at the same place are put."""
    clearance, places = Clearance(scene), []
    for number in range(count):
        places.append(clearance.in_line(start, number, lambda pose: robot_at(robot(), pose)))
        clearance.take(robot_at(robot(), places[-1]))
    return places


def test_each_further_one_stands_a_metre_further_in_y():
    assert in_line(Scene(), Pose(0.0, 1.0), 3) == [Pose(0.0, 1.0), Pose(0.0, 0.0), Pose(0.0, -1.0)]


@pytest.mark.parametrize("count", [3, 12])
def test_nobody_is_put_behind_a_wall_or_on_each_other(count):
    """Two rooms side by side on a larger ground; all robots begin in the corner of the left one."""
    outer = Wall(points_m=((-4, -2), (4, -2), (4, 2), (-4, 2)), closed=True)
    scene = Scene(walls=(outer, Wall(points_m=((0, -2), (0, 2)))))
    places = in_line(scene, Pose(-0.4, -1.5), count)
    assert all(-4 < place.x_m < 0 and -2 < place.y_m < 2 for place in places)
    assert not list(overlaps([robot_at(robot(), place) for place in places], []))


def test_where_there_is_room_they_stand_a_metre_apart():
    places = in_line(Scene(ground=Ground((5.0, 5.0))), Pose(0.0, -2.0), 20)
    gaps = [math.dist((a.x_m, a.y_m), (b.x_m, b.y_m)) for a, b in combinations(places, 2)]
    assert min(gaps) == 1.0


def test_a_door_leads_to_the_next_room():
    outer = Wall(points_m=((-1, -1), (4, -1), (4, 1), (-1, 1)), closed=True)
    scene = Scene(walls=(outer, Wall(points_m=((1, -1), (1, -0.5))), Wall(points_m=((1, 0.5), (1, 1)))))
    assert any(place.x_m > 1 for place in in_line(scene, Pose(), 16))


def test_without_walls_the_ground_is_the_bound():
    places = in_line(Scene(ground=Ground((4.0, 4.0))), Pose(0.0, -1.5), 10)
    assert all(abs(place.x_m) <= 1.8 and abs(place.y_m) <= 1.8 for place in places)


def test_outside_of_the_ground_there_is_no_bound():
    assert in_line(Scene(ground=Ground((4.0, 4.0))), Pose(-9.0, 0.0), 2) == [Pose(-9.0, 0.0), Pose(-9.0, -1.0)]


def test_a_shift_keeps_the_heading():
    assert shifted(Pose(1.0, 2.0, heading_rad=0.5), 1.0, -1.0) == Pose(2.0, 1.0, heading_rad=0.5)
