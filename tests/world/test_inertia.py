import numpy as np
import pytest

from understudy.world.inertia import Heavy, Inertia, ball, box, cone, cylinder, findings, merged, rounded_up, tensor_of


def test_two_halves_of_a_box_have_the_inertia_of_the_whole():
    half = box(1.0, (0.2, 0.3, 0.5))
    whole = merged([Heavy(1.0, np.array([x, 1.0, 0.0]), half) for x in (-0.1, 0.1)])
    assert whole.mass_kg == 2.0
    assert whole.cog == pytest.approx([0.0, 1.0, 0.0])
    assert whole.tensor == pytest.approx(box(2.0, (0.4, 0.3, 0.5)))


def test_a_body_seen_from_elsewhere_keeps_its_moments():
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    seen = Heavy(1.0, np.array([1.0, 0.0, 0.0]), np.diag([1.0, 2.0, 2.5])).seen(turn, np.array([0.0, 0.0, 3.0]))
    assert seen.cog == pytest.approx([0.0, 1.0, 3.0])
    assert seen.tensor == pytest.approx(np.diag([2.0, 1.0, 2.5]))


@pytest.mark.parametrize("tensor", [box(2, (1, 2, 3)), cylinder(2, 0.1, 4), cone(1, 0.3, 0.2), ball(3, 0.1)])
def test_every_filled_form_has_an_inertia_that_a_body_can_have(tensor):
    six = (*np.diag(tensor), 0.0, 0.0, 0.0)
    assert not list(findings(Inertia(moments_kg_m2=six[:3])))
    assert tensor_of(six) == pytest.approx(tensor)


@pytest.mark.parametrize(
    ("moments", "products", "words"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "its moments are 0"),
        ((1.0, 1.0, -1.0), (0.0, 0.0, 0.0), "it has negative moments"),
        ((1.0, 1.0, 1.0), (2.0, 0.0, 0.0), "it has negative moments"),
        ((1.0, 1.0, 3.0), (0.0, 0.0, 0.0), "one of its moments, 3, is greater than the sum of the others, 2"),
    ],
)
def test_an_inertia_that_no_body_has_is_reported(moments, products, words):
    (found,) = findings(Inertia(moments_kg_m2=moments, products_kg_m2=products))
    assert words in found


def test_a_rod_without_thickness_gets_a_little():
    low, middle, high = np.linalg.eigvalsh(rounded_up(np.diag([1.0, 1.0, 0.0])))
    assert 0.0 < low < 1e-5
    assert (middle, high) == pytest.approx((1.0, 1.0))


def test_a_body_that_can_be_is_left_alone():
    tensor = box(2.0, (0.1, 0.2, 0.3))
    assert rounded_up(tensor) is tensor
