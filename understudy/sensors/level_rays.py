"""All level rays of a tick in one compiled call: cast, reduced and disturbed, a few robots at a time while they are in
the L1 cache, on all available threads.

A job is one batch of devices. The distribution over threads does not matter: every row depends only on its own robot
and its own random numbers. A robot at a position without a wall list is done again when the list has been built.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.level.caster import PlaneView, Sight
from understudy.engines.rays.packed import cast_rows, lacking
from understudy.engines.rays.simd.llvm import array_at
from understudy.jit import inner, kernel
from understudy.rng import QUANTILES
from understudy.sensors.noise import lose, pace
from understudy.sensors.white_noise import spread

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEW = 200  # robots below which a second thread costs more than it gives
MANY = 5_000  # robots from which it pays to process neighbours in sequence: they see the same walls
_ROWS = 8  # robots that are processed together


def _fields(kind: str, names: str) -> list[tuple[str, str]]:
    return [(name, kind) for name in names.split()]


JOB = np.dtype(
    [
        *_fields("i8", "due"),
        *_fields("i8", "kind worlds numbers size"),  # how its rays are cast; the threads' packed worlds
        *_fields("i8", "rows count out width hits rays"),  # which robots; addresses of readings and, if many, rays
        *_fields("i8", "lengths"),  # of the rays; 0: all have the same range
        *_fields("i8", "keys scales"),
        *_fields("i8", "sample samples"),  # number of the sample; or one for each row, if they differ
        *_fields("f8", "sigma lost pace floor nothing limit"),
        *_fields("i8", "lacks"),  # what each thread lacked: how many cells, which, and for which rows
    ]
)


@inner(inline=True)
def _matrix(address, rows, columns):
    return array_at(address, (rows, columns), np.float64)


@inner(inline=True)
def _row(address, count):
    return array_at(address, (count,), np.float64)


@inner(inline=True)
def _cut(hits, todo, first, last, lengths, limit):
    """Drop echoes from beyond a ray's own length."""
    for p in range(first, last):
        row = todo[p]
        for r in range(hits.shape[1]):
            hits[row, r] = hits[row, r] if hits[row, r] < lengths[r] else limit


@inner(inline=True)
def _nearest(hits, out, todo, first, last):
    """Write the nearest of the rays that belong to each value."""
    rays = hits.shape[1] // out.shape[1]
    for p in range(first, last):
        row = todo[p]
        for value in range(out.shape[1]):
            best = hits[row, value * rays]
            for r in range(value * rays + 1, (value + 1) * rays):
                best = min(best, hits[row, r])
            out[row, value] = best


@inner(inline=True)
def _raise(out, todo, first, last, floor):
    for p in range(first, last):
        row = todo[p]
        for value in range(out.shape[1]):
            out[row, value] = max(out[row, value], floor)


@inner(inline=True)
def _note(lacks, whole, missing):
    """Add the cells that the last cast lacked to those that this thread lacked before."""
    cells, rows = lacking(whole)
    room = lacks.shape[0] // 2
    for n in range(missing):
        lacks[1 + lacks[0]] = cells[n]
        lacks[1 + room + lacks[0]] = rows[n]
        lacks[0] += 1


@inner(inline=True)
def _do(job, todo, first, last, share, table):
    """Do one job for the rows todo[first:last]."""
    whole = array_at(job.worlds + 8 * share * job.size, (job.size,), np.int64)
    real = _row(job.numbers, 16)
    rows = array_at(job.rows, (job.count,), np.int64)
    out = _matrix(job.out, job.count, job.width)
    hits = _matrix(job.hits, job.count, job.rays)
    keys = array_at(job.keys, (job.count, 2), np.uint32)
    scales = _row(job.scales, job.width)
    lacks = array_at(job.lacks + 8 * share * (2 * job.count + 1), (2 * job.count + 1,), np.int64)
    lacks[0] = 0
    for top in range(first, last, _ROWS):
        bottom = min(top + _ROWS, last)
        missing = cast_rows(job.kind, top, bottom, todo, rows, whole, real, hits)
        if missing:
            _note(lacks, whole, missing)
        if job.lengths:
            _cut(hits, todo, top, bottom, _row(job.lengths, job.rays), job.limit)
        if job.rays != job.width:
            _nearest(hits, out, todo, top, bottom)
        if job.floor > 0.0:
            _raise(out, todo, top, bottom, job.floor)
        step = _ROWS if job.samples == 0 else 1
        for p in range(top, bottom, step):
            sample, q = _sample(job, todo[p]), min(p + step, bottom)
            if job.sigma > 0.0:
                spread(out, todo, p, q, job.sigma, scales, job.floor, job.nothing, keys, sample, table)
            if job.lost > 0.0:
                lose(out, todo, p, q, scales, job.pace, job.nothing, keys, sample)
    return lacks[0]


@inner(inline=True)
def _sample(job, row):
    """Return which sample is taken for a row."""
    return array_at(job.samples, (job.count,), np.int64)[row] if job.samples else job.sample


@kernel(effort=28, cost=("todo", 5e-3))
def observe(jobs, only, todo, share, shares, table):
    """Do one thread's share of all jobs that are due, or of one of them; return how many rows lacked a list."""
    missing = 0
    for j in range(jobs.shape[0]):
        job = jobs[j]
        if job.due and (only == -1 or only == j):
            rows = job.count if only < 0 else todo.shape[0]
            missing += _do(job, todo, rows * share // shares, rows * (share + 1) // shares, share, table)
    return missing


def _one_share(jobs: Any, only: int, todo: Ints, share: int, shares: int) -> int:
    return int(observe(jobs, only, todo, share, shares, QUANTILES))


class Observer:
    """Does the jobs of all batches whose rays compiled code can cast; it knows where each batch has its numbers."""

    def __init__(self, sight: Sight, batches: Sequence[Any]) -> None:
        self._sight = sight
        views = [(batch, sight.view(batch.table)) for batch in batches if batch.table is not None]
        self.batches = [batch for batch, view in views if view is not None and batch.simple]
        self._jobs = np.zeros(len(self.batches), JOB)
        self.due: Ints = self._jobs["due"]  # jobs to do in the next run
        self.sample: Ints = self._jobs["sample"]  # and which sample of each
        self._kept: list[Any] = [None] * len(self.batches)  # arrays that jobs refer to
        self._lacks = [np.zeros((sight.threads, 2 * len(batch.rows) + 1), np.int64) for batch in self.batches]
        self._everyone: Ints = np.arange(max([len(batch.rows) for batch in self.batches], default=0))
        self._alike = all(np.array_equal(batch.rows, self._everyone) for batch in self.batches)
        self._pool: ThreadPoolExecutor | None = None
        self._version = -1
        for j, batch in enumerate(self.batches):
            batch.serve(j)
            self._describe(j, batch)

    def _describe(self, j: int, batch: Any) -> None:
        """Write the constant part of a job."""
        job, noise = self._jobs[j], batch.sheet.noise
        for name, array in (("rows", batch.rows), ("keys", batch.keys), ("scales", batch.scales)):
            job[name] = array.ctypes.data
        for name, array in (("out", batch.values), ("hits", batch.hits), ("lacks", self._lacks[j])):
            job[name] = array.ctypes.data
        (job["count"], job["width"]), job["rays"] = batch.values.shape, batch.hits.shape[1]
        if batch.table.lengths is not None:
            job["lengths"], job["limit"] = batch.table.lengths.ctypes.data, batch.table.limit_m
        job["floor"], job["nothing"] = batch.sheet.floor(), batch.sheet.nothing()
        if noise.plain and noise.preset != "perfect":
            job["sigma"], job["lost"], job["pace"] = noise.amount("sigma"), noise.lost, pace(noise.lost)

    def run(self, robots: int) -> None:
        """Do the due jobs, for batches of this many robots in total."""
        sight = self._sight
        sight.settle()
        self._refer()
        shares = 1 if robots < FEW else sight.threads
        todo = sight.neighbours(robots) if self._alike and robots >= MANY else self._everyone
        if self._observe(-1, todo, shares):
            self._learn(shares)
        self.due[:] = 0

    def run_rows(self, job: int, todo: Ints, samples: Ints) -> None:
        """Do one job for some of its rows; *samples* says for every row of the job which sample it is."""
        self._sight.settle()
        self._refer()
        self.due[job], self._jobs["samples"][job] = 1, samples.ctypes.data
        shares = 1 if len(todo) < FEW else self._sight.threads
        if self._observe(job, todo, shares):
            self._learn(shares)
        self.due[job], self._jobs["samples"][job] = 0, 0

    def _refer(self) -> None:
        """Update the addresses of packed worlds."""
        while self._version != self._sight.version:  # viewing one may replace parts of another
            self._version = self._sight.version
            for j, batch in enumerate(self.batches):
                view = self._sight.view(batch.table)
                assert view is not None
                self._point(j, view)

    def _point(self, j: int, view: PlaneView) -> None:
        job, whole = self._jobs[j], np.stack([world.whole for world in view.worlds])
        real = view.worlds[0].real
        self._kept[j] = (whole, real)
        job["kind"], job["size"] = view.part.kind, whole.shape[1]
        job["worlds"], job["numbers"] = whole.ctypes.data, real.ctypes.data

    def _observe(self, only: int, todo: Ints, shares: int) -> int:
        if shares == 1:
            return _one_share(self._jobs, only, todo, 0, 1)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._sight.threads - 1, "rays")
        others = [self._pool.submit(_one_share, self._jobs, only, todo, share, shares) for share in range(1, shares)]
        mine = _one_share(self._jobs, only, todo, 0, shares)
        return mine + sum(other.result() for other in others)

    def _learn(self, shares: int) -> None:
        """Build the lists that rows lacked, and repeat those rows until none lacks any."""
        for j in np.nonzero(self.due)[0].tolist():
            lacks = self._lacks[j][:shares]
            while lacks[:, 0].any():
                cells = np.concatenate([row[1 : 1 + row[0]] for row in lacks])
                rows = np.concatenate([row[1 + len(row) // 2 :][: row[0]] for row in lacks])
                view = self._sight.view(self.batches[j].table)
                assert view is not None
                self._sight.learn(view, cells)
                self._refer()
                self._observe(j, rows, 1)
                lacks = self._lacks[j][:1]
