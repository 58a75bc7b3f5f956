"""The changes that a scene makes by itself, by tick: a pure function of scene and tick, so nothing of it is saved."""

from __future__ import annotations

from understudy.world.changes import Change, Reset
from understudy.world.scene import Scene, SceneEvent

SOURCE = "event"


def tick_of(event: SceneEvent, tick_us: int) -> int:
    """Return the tick at which an event acts: the first at or after its time, and never before the first of the run.

    >>> [tick_of(SceneEvent(at_us, None), 5_000) for at_us in (12_000, 10_000, 0)]
    [3, 2, 1]
    """
    return max(1, -(-event.at_us // tick_us))


def agenda(scene: Scene) -> dict[int, list[tuple[str, Change]]]:
    """Return the changes that a scene makes, by tick, each with its source: by time, else in the order of the file."""
    due: dict[int, list[tuple[str, Change]]] = {}
    for event in sorted(scene.events, key=lambda event: event.at_us):
        row = (f"{SOURCE}:{event.at_us / 1e6:g}s", event.change)
        due.setdefault(tick_of(event, scene.tick_us), []).append(row)
    return due


def restart_tick(scene: Scene) -> int | None:
    """Return the tick at which the scene's own events begin the run again, None if they never do."""
    resets = (event for event in scene.events if isinstance(event.change, Reset) and not event.change.name)
    return min((tick_of(event, scene.tick_us) for event in resets), default=None)
