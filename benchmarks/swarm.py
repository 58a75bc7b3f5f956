"""The workload in our own simulator, with a stopwatch at every part of a tick."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import numpy as np
from workload import TICK_US, Array, Wander, Workload, square_metres

from understudy.sensors.batch import Batch
from understudy.sim.sim import Sim

Clock = Callable[[], float]


def command(sim: Sim, targets: Array) -> None:
    """Command every robot's motion from the next tick on, as a program does: forward m/s, left m/s, turn rad/s."""
    ahead, left, turn = targets.T
    sim.fleet.drive(ahead, turn, left)


class Swarm:
    """A simulation of a workload and the program of its robots.

    What is timed takes a clock and returns how long it took; the program is never timed, but for `whole_step`.
    """

    def __init__(self, work: Workload, *, noisy: bool = True, threads: int = 1) -> None:
        self.sim = Sim(work.scene(noisy=noisy), threads=threads)
        self.work, self.threads = work, threads
        self._wander = Wander(len(work.poses))
        self._batches: dict[str, Batch] = {batch.sheet.kind: batch for batch in self.sim.current.batches}

    def __enter__(self) -> Swarm:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.sim.close()

    def readings(self, kind: str) -> Array:
        """Return the newest readings of all sensors of a kind, one row per robot (m)."""
        return self.sim.fleet.read(kind)

    def _decided(self) -> Array:
        return self._wander(self.readings("laser"), self.sim.fleet.stalled)

    # ---- steps

    def engine_steps(self, clock: Clock, ticks: int = 1) -> float:
        """Decide once, then move and sense for so many ticks: phases 3 and 4 alone (s)."""
        run = self.sim.current
        run.targets[:] = self._decided()
        begin = clock()
        for _ in range(ticks):
            run.tick += 1
            run.engine.step(run.targets)
            run.sense()
        return clock() - begin

    def sim_steps(self, clock: Clock, ticks: int = 1) -> float:
        """Decide once, then make so many whole ticks (s)."""
        command(self.sim, self._decided())
        begin = clock()
        self.sim.step(ticks)
        return clock() - begin

    def run(self, clock: Clock, ticks: int) -> float:
        """Decide once, then let the simulation run as fast as it can (s)."""
        command(self.sim, self._decided())
        begin = clock()
        self.sim.run(ticks * TICK_US / 1e6)
        return clock() - begin

    def whole_step(self, clock: Clock) -> float:
        """Decide, send the commands and make a tick, all of it timed (s)."""
        begin = clock()
        self.sim_steps(clock)
        return clock() - begin

    # ---- parts of a step

    def drive(self, clock: Clock) -> float:
        """Move all robots by one tick: limits, motion, contacts (s)."""
        run = self.sim.current
        begin = clock()
        run.engine.step(run.targets)
        return clock() - begin

    def sense(self, clock: Clock) -> float:
        """Let every device measure (s)."""
        run = self.sim.current
        begin = clock()
        run.tick += 1
        run.sense()
        return clock() - begin

    def cast(self, kind: str, clock: Clock) -> float:
        """Cast the rays of all sensors of a kind again, with their noise, and nothing else (s)."""
        observer, batch = self.sim.current.senses.observer, self._batches[kind]
        begin = clock()
        observer.due[batch.job], observer.sample[batch.job] = 1, batch.taken
        observer.run(len(batch.paths))
        return clock() - begin

    def tour(self, clock: Clock) -> float:
        """Sense once at every square metre, each robot at a different one, and return (s)."""
        run, places = self.sim.current, square_metres(self.work.floors)
        robots = len(self.work.poses)
        home = run.engine.state()
        took = 0.0
        for first in range(0, len(places), robots):
            away = run.engine.state()
            away["place"][:robots, :2] = np.take(places, range(first, first + robots), axis=0, mode="wrap")
            run.engine.restore(away)
            took += self.sense(clock)
        run.engine.restore(home)
        self.sense(clock)  # the program must not act on readings of other places
        return took

    def follow(self, other: Swarm) -> None:
        """Copy all poses and the program's state from another simulation of the same workload."""
        self.sim.current.engine.restore(other.sim.current.engine.state())
        self.sim.current.targets[:] = other.sim.current.targets
