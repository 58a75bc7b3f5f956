"""Segmentation labels of cameras: 0 is nothing, 1 the ground, then walls, objects, robots and balls."""

from __future__ import annotations

from understudy.world.scene import Scene, Thing

NOTHING, GROUND, FIRST = 0, 1, 2


def labels(scene: Scene) -> tuple[str, ...]:
    """Return the name that belongs to each number.

    >>> labels(Scene())
    ('nothing', 'ground')
    """
    things: tuple[Thing, ...] = (*scene.walls, *scene.objects, *scene.robots, *scene.balls)
    return ("nothing", "ground", *(thing.name for thing in things))
