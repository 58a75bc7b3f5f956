"""An engine with scripted poses, so that sensors meet motion that the planar engine does not have."""

import numpy as np
from scenes import model, robot, room

from understudy.sensors.base import Truth
from understudy.sensors.batch import Batch
from understudy.sensors.surroundings import Surroundings
from understudy.world.shapes import Mount

MIDDLE = Mount()


class Scripted:
    """Robots at rest at the origin unless a test says otherwise."""

    def __init__(self, count=1):
        self._poses, self._twists, self._travel = np.zeros((count, 6)), np.zeros((count, 6)), np.zeros((count, 3))
        self._stalled = np.zeros(count, np.bool_)

    def poses(self):
        return self._poses

    def twists(self):
        return self._twists

    def travel(self):
        return self._travel

    def stalled(self):
        return self._stalled

    def cast_world(self, origins, directions, limit_m, layer, owners, out, hits):
        """There is nothing but the floor."""
        out[:] = np.minimum(origins[:, 2] / np.maximum(-directions[:, 2], 1e-9), limit_m)


class Bench:
    """One batch of devices on scripted robots."""

    def __init__(self, sheet, mount=MIDDLE, count=1, seed=1, scene=None, around=None):
        self.engine = Scripted(count)
        scene = scene or room(*(robot(f"r{i}", parts=model(devices=())) for i in range(count)))
        self.around = around or Surroundings(scene)
        names = [f"r{i}/it" for i in range(count)]
        self.batch = Batch(sheet, mount, names, range(count), seed, tick_us=1_000)

    def at(self, t_us, **state):
        """Put the robots there, sense, and return the readings; the sheet's period must not be far shorter."""
        for name, rows in state.items():
            getattr(self.engine, name)()[:] = rows
        self.batch.sense(Truth(t_us, self.engine, self.around), None)
        return self.batch.values.copy()
