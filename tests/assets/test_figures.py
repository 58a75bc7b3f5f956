"""The catalogue of ready looks."""

import numpy as np
import pytest

from understudy.assets import figures
from understudy.errors import UnknownName
from understudy.formats.native.robot_read import find_robot
from understudy.sim.vocabulary import vocabulary
from understudy.world.looks import Figure, Look, Prism
from understudy.world.rotations import joined
from understudy.world.shapes import Box, Mount
from understudy.world.texture_mapping import wrapped
from understudy.world.triangles import welded

OBJECTS = ("desk", "chair", "shelf", "plant", "door", "can", "cone", "tree", "crate", "cardboard")


@pytest.mark.parametrize("name", figures.names())
def test_a_figure_names_only_parts_and_axles_that_it_has(name):
    model = figures.figure(name)
    parts = {look.name for look in model.looks}
    assert parts
    assert set(model.far) <= parts
    assert {look.wheel for look in model.looks} - {""} <= {axle.name for axle in model.axles}
    assert not any(isinstance(look.shape, Figure) for look in model.looks)


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_that_people_know_has_a_ready_look_of_a_known_size(name):
    assert figures.figure(name).size_m


@pytest.mark.parametrize("model", vocabulary().catalog)
def test_every_robot_of_the_catalogue_looks_like_itself(model):
    looks = find_robot(model, None, vocabulary()).table["look"].values()
    worn = [look["shape"]["name"] for look in looks if look["shape"]["kind"] == "figure"]
    assert worn
    assert set(worn) <= set(figures.names())


@pytest.mark.parametrize("model", ["p3dx", "p3at", "amigo", "scout", "create2", "soccerbot", "labbot", "rcx-m4"])
def test_a_robot_with_wheels_shows_them_on_the_floor(model):
    table = find_robot(model, None, vocabulary()).table
    axles = figures.figure(table["look"]["body"]["shape"]["name"]).axles
    assert len(axles) >= 2
    assert all(axle.z_m == pytest.approx(table["drive"]["wheel_radius_m"], rel=0.1) for axle in axles)


def test_an_unknown_figure_is_an_error_with_a_suggestion():
    with pytest.raises(UnknownName, match="did you mean 'desk'"):
        figures.figure("dsk")


def test_a_look_at_several_places_is_several_solids():
    look = Look(name="post", shape=Box((1, 1, 1)), places=((1, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 90)))
    assert [mounts[-1].y_m for _, mounts in figures.solids((look,))] == [0, 2]
    assert figures.mounts(look)[1].yaw_rad == pytest.approx(np.pi / 2)


def test_small_parts_of_a_figure_can_be_left_out():
    worn = (Look(name="body", shape=Figure("p3dx"), mount=Mount(x_m=1.0)),)
    fine, coarse = (list(figures.solids(worn, least)) for least in (0.0, 0.1))
    assert len(fine) > 2 * len(coarse) > 0
    assert all(mounts[0].x_m == 1.0 for _, mounts in coarse)


def test_a_mount_on_a_mount_turns_with_it():
    made = joined(Mount(1.0, 0.0, 0.0, np.pi / 2), Mount(2.0, 0.0, 0.5))
    assert (made.x_m, made.y_m, made.z_m, made.yaw_rad) == pytest.approx((1.0, 2.0, 0.5, np.pi / 2))


@pytest.mark.parametrize("turn", [1, -1])
def test_a_prism_is_a_closed_body_of_its_volume_whichever_way_its_outline_goes(turn):
    outline = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))[::turn]
    body = wrapped(Prism(outline, 0.5), None, (1, 2, 3))
    whole = welded(body.vertices, body.faces)
    assert whole.closed
    assert whole.volume_m3 == pytest.approx(1.0)
