import pytest

from understudy.world.marks import NO_GPS, Mark, Tag, areas, start_pose
from understudy.world.resolve import named
from understudy.world.scene import Scene
from understudy.world.shapes import Pose


def mark(kind, x=0.0, **given):
    return Mark(tag=Tag(kind), pose=Pose(x, 2.0, heading_rad=0.5), **given)


@pytest.mark.parametrize(("marks", "x"), [
    ([mark("Goal", 1.0), mark("Dock", 2.0), mark("RobotHome", 3.0), mark("RobotHome", 4.0)], 3.0),
    ([mark("Goal", 1.0), mark("Dock", 2.0), mark("Dock", 3.0)], 2.0),
    ([mark("RobotHome", 1.0, status="inactive"), mark("RobotHome", 2.0, status="child"), mark("Dock", 3.0)], 3.0),
    ([mark("RobotHome", 1.0, size_m=(2.0, 1.0))], 1.0),
])  # fmt: skip
def test_robots_start_at_the_first_home_else_at_the_first_dock(marks, x):
    assert start_pose(marks) == Pose(x, 2.0, heading_rad=0.5)


@pytest.mark.parametrize("marks", [[], [mark("Goal", 1.0), mark("DockLynx", 2.0)]])
def test_robots_start_at_zero_where_there_is_neither_home_nor_dock(marks):
    assert start_pose(marks) == Pose()


def test_areas_without_gps_are_found_by_their_type():
    area = {"size_m": (2.0, 1.0)}
    marks = [mark("BadGPSSector", 1.0, **area), mark("Sector", 2.0, **area), mark("SimBadGPSSector", 3.0, **area)]
    assert areas(marks, NO_GPS).tolist() == [[1.0, 2.0, 0.5, 2.0, 1.0], [3.0, 2.0, 0.5, 2.0, 1.0]]


@pytest.mark.parametrize("given", [{}, {"size_m": (1.0, 1.0), "status": "inactive"}])
def test_a_mark_that_is_no_area_or_not_active_leaves_the_sky_open(given):
    assert areas([mark("BadGPSSector", **given)], NO_GPS).shape == (0, 5)


def test_marks_without_a_name_are_named_after_their_type():
    scene = named(Scene(marks=(mark("Goal"), mark("Sim.Box"), mark("Goal"), mark("2nd"))))
    assert [m.name for m in scene.marks] == ["goal-1", "sim-box-1", "goal-2", "mark-2nd-1"]
