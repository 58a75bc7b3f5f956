import numpy as np
import pytest
from meshes import ball, box, obj

from understudy.assets import convex
from understudy.assets.library import Library
from understudy.errors import EngineError
from understudy.world.shapes import Mesh
from understudy.world.triangles import Triangles, joined


def dented():
    """Return a ball whose pole is pushed in."""
    body = ball(4, 6)
    return Triangles(np.where(body.vertices == [0, 0, 1], [0, 0, -0.5], body.vertices), body.faces)


@pytest.fixture
def no_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(convex, "user_cache", lambda: tmp_path)
    return tmp_path


def test_a_convex_body_is_its_only_piece():
    assert len(convex.pieces(box(), "box")) == 1


def test_bodies_that_do_not_hang_together_are_pieces_by_themselves():
    both = joined([box(), box(at=(0.5, 0.0, 4.0)), ball()])
    found = convex.pieces(both, "thing")
    assert len(found) == 3
    assert sum(piece.volume_m3 for piece in found) == pytest.approx(both.volume_m3)


def test_a_body_with_dents_is_taken_apart_once(no_cache, monkeypatch):
    coacd = pytest.importorskip("coacd")
    asked = []

    def apart(mesh, **how):
        asked.append(how["seed"])
        return [(box().vertices, box().faces), (ball().vertices, ball().faces)]

    monkeypatch.setattr(coacd, "run_coacd", apart)
    first, again = (convex.pieces(dented(), "bowl") for _ in range(2))
    assert (len(first), len(asked)) == (2, 1)
    assert [piece.vertices.tolist() for piece in again] == [piece.vertices.tolist() for piece in first]
    (kept,) = (no_cache / "understudy" / "pieces").iterdir()
    kept.write_bytes(b"damaged")
    assert len(convex.pieces(dented(), "bowl")) == 2


def test_a_body_that_cannot_be_taken_apart_is_refused_with_advice(no_cache, monkeypatch):
    coacd = pytest.importorskip("coacd")
    monkeypatch.setattr(coacd, "run_coacd", lambda mesh, **how: [])
    with pytest.raises(
        EngineError, match="bowl: this mesh cannot be decomposed; split it into convex meshes, set hull"
    ):
        convex.pieces(dented(), "bowl")
    monkeypatch.setattr(convex, "_MOST_TRIANGLES", 3)
    with pytest.raises(EngineError, match="simplify it"):
        convex.pieces(dented(), "bowl")


def test_a_hull_is_taken_only_if_the_scene_says_so():
    (hull,) = Library({"a.obj": obj(dented())}).pieces(Mesh("a.obj", hull=True), "bowl")
    assert not hull.convex
