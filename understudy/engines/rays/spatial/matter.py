"""Everything in a scene that rays can hit, as one world: solids, terrain and meshes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.engines.rays.spatial.solids import (
    NOBODY,
    OBSTACLE,
    Moving,
    SolidWorld,
    _six,
    moving_of,
    solids_of,
    world_of,
)
from understudy.engines.rays.spatial.terrain import Relief, relief_of
from understudy.engines.rays.spatial.triangles import Placed, Tree, meshes_of, paint_of, textures_of, tree_of
from understudy.engines.rays.spatial.worn_looks import CAMERA, WornLook, carried_of, dressed_of, hide_bodies, worn_of
from understudy.world.materials import layer_mask
from understudy.world.scene import Scene, Solid
from understudy.world.shapes import Mesh


def scene_world(scene: Scene, files: Contents, moving: Moving | None = None) -> SolidWorld:
    """Return everything that rays can hit; *files* are the contents of the files that the scene names.

    *moving* is everything that can move, if that is more than the scene's bodies.
    """
    library = Library.of(files)
    dressed, worn = dressed_of(scene, library), worn_of(scene, library)
    placed = [*_ground(scene, library), *_placed(scene, library, dressed), *_on_objects(dressed, scene)]
    carried = carried_of(worn, len(placed))
    placed += [_on_robot(wear, scene) for wear in worn]
    world = world_of(solids_of(scene), moving or moving_of(scene), relief_for(scene, library))
    if not placed:
        return world
    movable = {owner for row, _, owner in _owned(scene) if row in dressed}
    hide_bodies(world, {wear.robot for wear in worn} | movable - {NOBODY}, _dressed_rows(scene, dressed))
    return world._replace(
        meshes=meshes_of(placed), paint=paint_of(placed), textures=textures_of(placed), carried=carried
    )


def _on_robot(wear: WornLook, scene: Scene) -> Placed:
    robot = scene.robots[wear.robot]
    mask = CAMERA & layer_mask(robot.built.surface.seen_by)
    return Placed(wear.tree, _six(robot.pose), mask, wear.robot, 1.0, len(scene.objects) + wear.robot)


def _on_objects(dressed: Mapping[int, Tree], scene: Scene) -> Iterator[Placed]:
    for row, solid, owner in _owned(scene):
        if row in dressed:
            mask = CAMERA & layer_mask(solid.surface.seen_by)
            yield Placed(dressed[row], _six(solid.pose), mask, owner, solid.surface.reflectance, row)


def _dressed_rows(scene: Scene, dressed: Mapping[int, Tree]) -> npt.NDArray[np.bool_] | None:
    """Return which fixed solids have a look; None if none has."""
    if not dressed:
        return None
    from understudy.engines.rays.spatial.hits import numbers_of  # compiles: only scenes with cameras need it

    numbers = numbers_of(scene)
    return np.isin(numbers.fixed, numbers.objects[list(dressed)])


def relief_for(scene: Scene, library: Library) -> Relief | None:
    """Return the terrain of a scene for rays, or None; for ground that is a mesh, rays hit the triangles."""
    if library.ground_mesh(scene.ground) is not None:
        return None
    terrain = library.terrain(scene.ground)
    return None if terrain is None else relief_of(terrain, layer_mask(scene.ground.seen_by) | OBSTACLE)


def _ground(scene: Scene, library: Library) -> Iterator[Placed]:
    body = library.ground_mesh(scene.ground)
    if body is not None:
        yield Placed(tree_of(body), (0.0,) * 6, layer_mask(scene.ground.seen_by) | OBSTACLE, NOBODY, 1.0)


def _placed(scene: Scene, library: Library, dressed: Mapping[int, Tree]) -> Iterator[Placed]:
    trees: dict[Mesh, Tree] = {}
    for row, solid, owner in _owned(scene):
        if not isinstance(solid.shape, Mesh):
            continue
        if solid.shape not in trees:
            trees[solid.shape] = tree_of(library.mesh(solid.shape))
        surface = solid.surface
        mask = layer_mask(surface.seen_by) & (~CAMERA if row in dressed else -1)
        mask |= OBSTACLE if surface.obstacle else 0
        yield Placed(trees[solid.shape], _six(solid.pose), mask, owner, surface.reflectance, row)


def _owned(scene: Scene) -> Iterator[tuple[int, Solid, int]]:
    """Yield row, object and owner of each object; a movable one owns itself, after the robots."""
    owner = len(scene.robots)
    for row, solid in enumerate(scene.objects):
        yield row, solid, owner if solid.mass_kg else NOBODY
        owner += bool(solid.mass_kg)
