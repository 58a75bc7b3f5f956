"""Numbers of robots and movable objects, one counter from 1 in the order of creation; they are never reused."""

from __future__ import annotations

from dataclasses import replace

from understudy.world.scene import Scene


def names(scene: Scene) -> tuple[str, ...]:
    """Return the names in the order of their numbers; some may be gone."""
    listed = dict.fromkeys(scene.numbering)
    movable = (solid for solid in scene.objects if solid.mass_kg > 0.0)
    others = (thing.name for group in (scene.robots, scene.balls, movable) for thing in group)
    return tuple(listed | dict.fromkeys(name for name in others if name))


def frozen(scene: Scene) -> Scene:
    """Return the scene with all its numbers listed, so that they stay when something is added or removed."""
    if not any(unit.sheet.numbered for robot in scene.robots if robot.parts for unit in robot.built.units):
        return scene
    return replace(scene, numbering=names(scene))
