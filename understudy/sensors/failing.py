"""What is wrong with a failing device besides being dead or stuck: other noise, or readings that come too late."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.sensors.imperfection import Noise
from understudy.world.faults import Effect, Lost, MoreNoise, Offset

Array = npt.NDArray[np.float64]
_AMOUNTS = ("sigma", "uniform")  # of the noise, in the unit of the reading


def _scaled(noise: Noise, effect: MoreNoise) -> Noise:
    """Return the noise of the data sheet so many times as strong, also where the scene asks for perfect sensors."""
    amounts = {_key(noise, name): noise.amount(name) * effect.scale for name in _AMOUNTS}
    changed: dict[str, Any] = {"preset": "", "relative": noise.relative * effect.scale, **amounts}
    return replace(noise, **changed)


def _biased(noise: Noise, effect: Offset) -> Noise:
    changed: dict[str, Any] = {_key(noise, "bias"): noise.amount("bias") + effect.by}
    return replace(noise, **changed)


def _lossy(noise: Noise, effect: Lost) -> Noise:
    return replace(noise, lost=1.0 - (1.0 - noise.lost) * (1.0 - effect.share))


_STAGES: Mapping[type[Effect], Callable[[Noise, Any], Noise]] = {MoreNoise: _scaled, Offset: _biased, Lost: _lossy}


def altered(noise: Noise, effect: Effect) -> Noise | None:
    """Return the noise that a device with this fault has; None if the fault does not change it."""
    stage = _STAGES.get(type(effect))
    if stage is None:
        return None
    perfect = noise.preset == "perfect" and not isinstance(effect, MoreNoise)
    return stage(type(noise)() if perfect else noise, effect)


def drift_scale(effect: Effect) -> float:
    """Return how many times as far a device with this fault drifts."""
    return effect.scale if isinstance(effect, MoreNoise) else 1.0


def _key(noise: Noise, name: str) -> str:
    return f"{name}_{noise.unit}" if noise.unit else name


@dataclass
class LateRow:
    """Readings of one device on their way: each with the time at which it may be shown (us)."""

    delay_us: int
    line: deque[tuple[int, Array]] = field(default_factory=deque)

    def shown(self, values: Array, before: Array, due_us: int) -> Array:
        """Take a reading that was due now; returns the newest that is old enough, or the one *before*."""
        self.line.append((due_us + self.delay_us, values.copy()))
        found = before
        while self.line and self.line[0][0] <= due_us:
            found = self.line.popleft()[1]
        return found

    def state(self) -> list[list[Any]]:
        """Return what is on its way."""
        return [[at, values.copy()] for at, values in self.line]
