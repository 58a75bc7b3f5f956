from __future__ import annotations

from understudy.world.boxes import BOXES
from understudy.world.shapes import Box


def test_every_box_of_the_manual_is_half_a_metre_square_an_obstacle_and_can_be_pushed():
    assert set(BOXES) == {"box", "box-nolaser", "box-nolaser-nosonar", "box-reflector"}
    for box in BOXES.values():
        assert isinstance(box.shape, Box)
        assert box.shape.size_m[:2] == (0.5, 0.5)
        assert box.surface.obstacle
        assert box.mass_kg > 0


def test_boxes_differ_in_what_sees_them():
    seen = {name: ("laser" in box.surface.seen_by, "sonar" in box.surface.seen_by) for name, box in BOXES.items()}
    assert seen == {
        "box": (True, True),
        "box-nolaser": (False, True),
        "box-nolaser-nosonar": (False, False),
        "box-reflector": (True, True),
    }


def test_only_the_reflector_throws_back_more_than_a_plain_surface():
    assert {name: box.surface.reflectance for name, box in BOXES.items() if box.surface.reflectance != 1.0} == {
        "box-reflector": 2.0
    }
