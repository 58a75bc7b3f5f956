"""Drive stages: what lies between the motion that units command and the one that the engine is given.

Stages of equal kind of many robots are one group, and one array operation. All of them are functions of the targets,
the tick and the newest readings; the only state is the path that slipping wheels have rolled in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import rng
from understudy.engines.base import Array, Engine
from understudy.errors import ChangeRefused, EngineError
from understudy.frozen import frozen
from understudy.sensors.base import Keys
from understudy.sensors.batch import Reading
from understudy.sensors.noise import draw_normal, draw_uniform
from understudy.sim.wiring import DriveRow
from understudy.world.drive_stages import STAGES, BrownOut, Dead, DriveStage, Errors, Slip, Stuck, Weak
from understudy.world.faults import Fault
from understudy.world.outputs import misfits
from understudy.world.robot import PlacedRobot
from understudy.world.rules import hints_of

Tree = dict[str, Any]
_NOISE, _MARGIN = range(2)  # stages of the random numbers
_FAULT = "fault"  # its random numbers have a name of their own


class Group:
    """Stages of equal kind at the same place in the order, one row for each robot that has one."""

    def __init__(self, rows: Sequence[int], sheets: Sequence[Any], robots: Sequence[PlacedRobot], keys: Keys) -> None:
        self.rows: npt.NDArray[np.int64] = np.array(rows, np.int64)
        self.sheets, self.robots, self.keys = sheets, robots, keys
        cls: type = type(sheets[0])
        numbers = [name for name, hint in hints_of(cls).items() if hint is float]
        self.column: dict[str, Array] = {name: np.array([getattr(s, name) for s in sheets]) for name in numbers}
        drives = [robot.built.drive for robot in robots]
        self.track_m: Array = np.array([drive.track_m for drive in drives])
        self.most: Array = np.array([[drive.max_m_s, drive.max_lateral_m_s, drive.max_rad_s] for drive in drives])
        self.margins: Array = 2.0 * draw_uniform(keys, 0, _MARGIN, 2) - 1.0


@frozen
class Now:
    """What stages may look at besides the commanded motion."""

    tick: int
    engine: Engine
    readings: Mapping[str, Reading]


class DriveStages:
    """The stages of all robots of a run, faults included."""

    def __init__(
        self,
        engine: Engine,
        robots: Sequence[PlacedRobot],
        readings: Mapping[str, Reading],
        faults: Mapping[str, Fault],
        seed: int,
        before: DriveStages | None = None,
    ) -> None:
        self._engine, self._robots, self._readings, self._seed = engine, robots, readings, seed
        # path that the left and right wheels and those sideways rolled in vain (m); None: no wheel has slipped
        self.slipped: Array | None = None if before is None else before._slipped_of(robots)
        self.update(faults)

    def update(self, faults: Mapping[str, Fault]) -> None:
        """Take the faults that there are now."""
        lists = [_stages(robot, faults.get(robot.name)) for robot in self._robots]
        self._groups = [group for depth in zip_longest(*lists) for group in self._grouped(depth)]
        self._idle = _idle_shares([[sheet for _, sheet in stages] for stages in lists])
        if self._idle is not None and self.slipped is None:
            self.slipped = np.zeros((len(self._robots), 3))

    def _grouped(self, depth: Sequence[tuple[str, DriveStage] | None]) -> list[Group]:
        """Return the groups of stages that are at the same place in their robots' orders."""
        made = []
        for kind in STAGES:
            found = [(row, *each) for row, each in enumerate(depth) if each is not None and each[1].kind == kind]
            if found:
                rows, names, sheets = zip(*found)
                robots = [self._robots[row] for row in rows]
                owners = (f"{robot.name}/drive_stage/{name}" for robot, name in zip(robots, names))
                keys = np.array([rng.key(self._seed, owner) for owner in owners], np.uint32)
                made.append(Group(rows, sheets, robots, keys))
        return made

    @property
    def plain(self) -> bool:
        """Return whether the engine is given what units command, and no wheel has ever slipped."""
        return not self._groups and self.slipped is None

    def step(self, targets: Array, tick: int) -> None:
        """Advance the engine by one tick with the motion that the drives make of *targets*."""
        if self._idle is None or self.slipped is None:
            self._engine.step(self.obeyed(targets, tick) if self._groups else targets)
            return
        before = self._engine.travel().copy()
        self._engine.step(self.obeyed(targets, tick))
        self.slipped += (self._engine.travel() - before) * self._idle

    def obeyed(self, targets: Array, tick: int) -> Array:
        """Return the motion that the engine is given; *targets* themselves if there are no stages."""
        if not self._groups:
            return targets
        moves, now = targets.copy(), Now(tick, self._engine, self._readings)
        for group in self._groups:
            moves[group.rows] = _APPLY[group.sheets[0].kind](moves[group.rows], group, now)
        return moves

    def _slipped_of(self, robots: Sequence[PlacedRobot]) -> Array | None:
        """Return the slipped path in the rows of other robots, after the structure has changed."""
        if self.slipped is None:
            return None
        known = {robot.name: path for robot, path in zip(self._robots, self.slipped)}
        return np.array([known.get(robot.name, np.zeros(3)) for robot in robots]).reshape(-1, 3)

    def state(self) -> Tree:
        """Return the slipped path; an empty tree if no wheel has ever slipped."""
        return {} if self.slipped is None else {"slipped_m": self.slipped.copy()}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        saved = state.get("slipped_m")
        if saved is not None and not (saved.shape == (len(self._robots), 3) and np.isfinite(saved).all()):
            raise EngineError("the saved run is inconsistent: the slipped path of its robots is not valid")
        self.slipped = None if saved is None else saved.copy()


def stage_of(fault: Fault) -> DriveStage:
    """Return the stage that a fault of a drive adds."""
    assert isinstance(fault.how, DriveStage)  # by `faults.check`
    return fault.how


def check_fault(fault: Fault, robot: PlacedRobot) -> None:
    """Raise ChangeRefused if the drive of a robot cannot fail in this way."""
    for key, text in misfits(stage_of(fault), robot.built):
        raise ChangeRefused(f"{robot.name} cannot have the fault {fault.effect!r}: {key}: {text}")


def _stages(robot: PlacedRobot, fault: Fault | None) -> list[tuple[str, DriveStage]]:
    """Return the stages of a robot by name, in order."""
    own = [(spec.name, spec.sheet) for spec in robot.built.drive_stages]
    return own if fault is None else [*own, (_FAULT, stage_of(fault))]


def _idle_shares(lists: Sequence[Sequence[DriveStage]]) -> Array | None:
    """Return how much farther than the true path wheels roll: left, right, sideways; None if none slips."""
    slips = [(row, sheet) for row, stages in enumerate(lists) for sheet in stages if isinstance(sheet, Slip)]
    if not slips:
        return None
    rolled = np.ones((len(lists), 3))
    for row, sheet in slips:
        rolled[row] /= 1.0 - sheet.share * np.array([sheet.side != "right", sheet.side != "left", sheet.side == "both"])
    return rolled - 1.0


# ---- what each kind does with a motion: ahead m/s, to the left m/s, turn rad/s


def _errors(moves: Array, group: Group, now: Now) -> Array:
    speed, turn = (_gain(group, word, n, now.tick) for n, word in enumerate(("speed", "turn")))
    ahead, left, rate = moves.T
    return np.column_stack([ahead * speed, left * speed, rate * turn + group.column["veer_rad_m"] * ahead])


def _gain(group: Group, word: str, n: int, tick: int) -> Array:
    """Return by what a speed is multiplied: a fixed, a drawn and a changing share."""
    gain: Array = 1.0 + group.column[word] + group.column[f"{word}_margin"] * group.margins[:, n]
    noise = group.column[f"{word}_noise"]
    return gain + noise * draw_normal(group.keys, tick, _NOISE, 2)[:, n] if noise.any() else gain


def _slip(moves: Array, group: Group, now: Now) -> Array:
    return _sided(moves, group, 1.0 - group.column["share"])


def _dead(moves: Array, group: Group, now: Now) -> Array:
    return _sided(moves, group, np.zeros(len(moves)))


def _sided(moves: Array, group: Group, share: Array) -> Array:
    """Return motions in which the wheels of the affected side give only a share of their speed."""
    sides = [sheet.side for sheet in group.sheets]
    left, right = (np.where([side == other for side in sides], 1.0, share) for other in ("right", "left"))
    mean, half = (left + right) / 2, (right - left) / 2
    ahead, aside, turn = moves.T
    out = (
        ahead * mean + turn * half * group.track_m / 2,
        aside * np.minimum(left, right),
        turn * mean + ahead * half * 2 / group.track_m,
    )
    return np.column_stack(out) + 0.0  # no negative zeros


def _weak(moves: Array, group: Group, now: Now) -> Array:
    most = group.most * group.column["share"][:, None]
    return np.clip(moves, -most, most)


def _brown_out(moves: Array, group: Group, now: Now) -> Array:
    paths = [f"{robot.name}/{sheet.battery}" for robot, sheet in zip(group.robots, group.sheets)]
    volts = np.array([now.readings[path].read()[0] if path in now.readings else np.nan for path in paths])
    full, stop = group.column["full_v"], group.column["stop_v"]
    share = np.clip((volts - stop) / (full - stop), 0.0, 1.0)
    return moves * np.where(np.isnan(share), 1.0, share)[:, None] + 0.0  # a gauge that has failed slows nothing down


def _stuck(moves: Array, group: Group, now: Now) -> Array:
    return np.array([DriveRow(now.engine, moves, row).twist() for row in group.rows.tolist()])


_APPLY: dict[str, Callable[[Array, Group, Now], Array]] = {
    Errors.kind: _errors,
    Slip.kind: _slip,
    Weak.kind: _weak,
    BrownOut.kind: _brown_out,
    Dead.kind: _dead,
    Stuck.kind: _stuck,
}
