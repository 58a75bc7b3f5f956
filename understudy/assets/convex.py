"""Colliding bodies must be convex: a concave one is decomposed into convex pieces, or refused; never its hull.

Disconnected pieces are separated first; only concave pieces then go to the library CoACD, whose
result is deterministic for a seed. It takes seconds, so the result is kept in the user's cache.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from hashlib import blake2b
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from understudy.errors import EngineError
from understudy.folders import user_cache
from understudy.world.triangles import NO_COLOURS, Ints, Triangles

log = logging.getLogger(__name__)
_SEED = 1
_DENT = 0.05  # of the size: depth of concavities that may remain
_MOST_TRIANGLES = 200_000
_ADVICE = (
    "split it into convex meshes, set hull = true to collide with its convex hull, or obstacle = false for no "
    "collisions"
)


def pieces(body: Triangles, name: str) -> tuple[Triangles, ...]:
    """Return convex pieces that together are the body; raises EngineError with advice if this is not possible."""
    found: list[Triangles] = []
    for part in separate(body):
        found += [part.turned_out()] if part.convex else _decomposed(part, name)
    return tuple(found)


def separate(body: Triangles) -> list[Triangles]:
    """Return the pieces of a body that have no vertex in common."""
    group = _groups(body.faces, len(body.vertices))[body.faces[:, 0]]
    return [_part(body, group == number) for number in np.unique(group)]


def _groups(faces: Ints, count: int) -> Ints:
    """Return for each vertex the lowest vertex that it is connected to."""
    group = np.arange(count)
    while True:
        least = group[faces].min(axis=1)
        new = group.copy()
        np.minimum.at(new, faces.ravel(), np.repeat(least, 3))
        new = new[new]
        if (new == group).all():
            return group
        group = new


def _part(body: Triangles, chosen: npt.NDArray[np.bool_]) -> Triangles:
    rows, faces = np.unique(body.faces[chosen], return_inverse=True)
    colours = body.colours[chosen] if len(body.colours) else NO_COLOURS
    return Triangles(body.vertices[rows], faces.reshape(-1, 3).astype(np.int64), colours)


def _decomposed(part: Triangles, name: str) -> list[Triangles]:
    if len(part.faces) > _MOST_TRIANGLES:
        raise EngineError(f"{name}: a concave mesh with {len(part.faces):,} triangles; simplify it, or {_ADVICE}")
    try:
        import coacd
    except ImportError:
        install = "pip install 'understudy[rigid]' to decompose it"
        raise EngineError(f"{name}: the mesh is concave; {install}, or {_ADVICE}") from None
    coacd.set_log_level("off")
    kept = _place(part, str(getattr(coacd, "__version__", "")))
    if (known := _kept(kept)) is not None:
        return known
    log.info("%s: decomposing a concave mesh; this takes a while the first time", name)
    try:
        found = coacd.run_coacd(
            coacd.Mesh(part.vertices, part.faces), threshold=_DENT, mcts_nodes=10, mcts_iterations=40, resolution=1000,
            seed=_SEED,
        )  # fmt: skip
    except (RuntimeError, ValueError) as error:
        raise EngineError(f"{name}: this mesh cannot be decomposed ({error}); {_ADVICE}") from None
    if not found:
        raise EngineError(f"{name}: this mesh cannot be decomposed; {_ADVICE}")
    made = [Triangles(np.asarray(v, np.float64), np.asarray(f, np.int64)) for v, f in found]
    _keep(kept, made)
    return made


# ---- cache


def _place(part: Triangles, version: str) -> Path:
    """Return the cache file of the pieces of a body: by its content and the version of the decomposer."""
    digest = blake2b(f"{version} {_SEED} {_DENT} {part.faces.shape}".encode(), digest_size=12)
    digest.update(part.vertices.tobytes())
    digest.update(part.faces.tobytes())
    return user_cache() / "understudy" / "pieces" / f"{digest.hexdigest()}.npz"


def _kept(file: Path) -> list[Triangles] | None:
    """Return cached pieces; None if there are none, or they are damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            count = len(arrays.files) // 2
            return [Triangles(arrays[f"v{n}"], arrays[f"f{n}"]) for n in range(count)] or None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _keep(file: Path, pieces: list[Triangles]) -> None:
    """Write pieces atomically (temporary file and rename); if the cache is not writable nothing is kept."""
    arrays = {f"{word}{n}": array for n, p in enumerate(pieces) for word, array in (("v", p.vertices), ("f", p.faces))}
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".npz", delete=False) as aside:
            np.savez(aside, **arrays)  # type: ignore[arg-type]
        Path(aside.name).replace(file)
