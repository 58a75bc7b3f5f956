import numpy as np
import pytest
from meshes import ball, box

from understudy.world.triangles import Triangles, joined, welded


def test_a_box_has_the_volume_centre_and_inertia_of_a_box():
    body = box((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    assert body.volume_m3 == pytest.approx(6.0)
    assert body.centre_m == pytest.approx([4.0, 5.0, 6.0])
    assert body.inertia_m5 == pytest.approx(np.diag([6.5, 5.0, 2.5]), abs=1e-9)


def test_a_body_inside_out_is_turned():
    body = box()
    inside_out = Triangles(body.vertices, body.faces[:, ::-1])
    assert inside_out.volume_m3 == pytest.approx(-6.0)
    assert inside_out.convex
    assert inside_out.turned_out().volume_m3 == pytest.approx(6.0)


@pytest.mark.parametrize("body", [box(), ball()])
def test_a_box_and_a_ball_are_closed_and_convex(body):
    assert body.closed
    assert body.convex


def test_a_body_with_a_face_missing_is_not_closed():
    body = Triangles(box().vertices, box().faces[1:])
    assert not body.closed
    assert not body.convex


def test_a_dent_is_not_convex():
    body = ball()
    dented = Triangles(np.where(body.vertices == [0, 0, 1], [0, 0, 0.5], body.vertices), body.faces)
    assert dented.closed
    assert not dented.convex


def test_two_boxes_apart_are_closed_but_not_convex():
    both = joined([box(), box(at=(9.0, 0.0, 0.0))])
    assert both.closed
    assert not both.convex
    assert both.volume_m3 == pytest.approx(12.0)


def test_corners_at_one_place_become_one_vertex():
    soup = box().corners.reshape(-1, 3)
    body = welded(soup, np.arange(36).reshape(-1, 3))
    assert len(body.vertices) == 8
    assert body.convex


def test_a_mirror_keeps_the_outside_outside():
    assert box().moved(np.diag([1.0, 1.0, -1.0]), np.zeros(3)).volume_m3 == pytest.approx(6.0)
