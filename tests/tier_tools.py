"""How tests run kernels in one tier or the other, in one process."""

import hashlib
import sys
from contextlib import contextmanager

from understudy.tiers import switch


def kernels():
    """Return every kernel that has been imported."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("understudy.") and module]
    found = {id(value): value for module in modules for value in vars(module).values()}
    return [value for value in found.values() if isinstance(value, switch.Kernel)]


class Forgotten:
    """Compiled code that kernels have forgotten, and how to give it back."""

    def __init__(self):
        self.code = {id(kernel): (kernel, list(kernel.overloads.values())) for kernel in kernels()}
        for kernel, _ in self.code.values():
            kernel._reset_overloads()
            kernel.overloads.clear()

    def give_back(self, key):
        kernel, code = self.code.pop(key)
        for each in code:
            kernel.add_overload(each)

    def give_all_back(self):
        for key in list(self.code):
            self.give_back(key)


@contextmanager
def interpreted():
    """Let the interpreter run all kernels; yields what they have forgotten."""
    before, forgotten = switch.tier, Forgotten()
    switch.tier = lambda: switch.Tier.NEVER
    try:
        yield forgotten
    finally:
        switch.tier = before
        forgotten.give_all_back()


def digest(sim):
    """Return the state of a run, and a digest of all that its devices read."""
    readings = hashlib.blake2b(digest_size=8)
    for path, reading in sorted(sim.current.readings.items()):
        readings.update(path.encode())
        readings.update(reading.read().tobytes())
    return sim.hash(), readings.hexdigest()


def ticks(sim, count):
    """Advance so many ticks; return what became of state and readings, tick by tick."""
    tick_s = sim.start.tick_us / 1e6
    seen = []
    for _ in range(count):
        sim.run(tick_s)
        seen.append(digest(sim))
    return seen
