"""A run in one line: scene, time, engine and robots."""

from __future__ import annotations

from understudy.sim.run import Run

MOST_NAMES = 6  # of robots


def caption(run: Run, state: str = "") -> str:
    """Return what runs in one line; *state* follows the time."""
    names, start = [robot.name for robot in run.robots], run.start
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    what = f"{len(names)} robot{'s' * (len(names) != 1)}: {', '.join(names[:MOST_NAMES])}" if names else "no robots"
    when = f"{run.t_us / 1e6:g} s{state}"
    return f"{start.name or 'scene'} at {when}, {start.engine} engine, seed {start.seed}, {what}{more}"
