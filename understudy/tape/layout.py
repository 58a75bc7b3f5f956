"""The file format of tapes.

Layout::

    "USTAPE1\\n" | block | block ...
    block = kind (1 byte) | length (u32) | CRC-32 (u32) | zlib-packed tree

Blocks are complete or absent: a truncated tape is read up to its last valid block. Kinds: H header, E entries,
K keyframe, Z end. An entry is one tick, or one exchange while the clock was paused. Ticks without an entry are ticks
without input (level *inbox*); there are fewer than `IDLE_TICKS` of them in a row, so that no tape claims more time
than its size can account for.
"""

from __future__ import annotations

import struct
import sys
import zlib
from importlib import metadata
from typing import Any, BinaryIO

import numpy as np

from understudy import __version__
from understudy.errors import TapeError, excerpt
from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.sensors.camera.drawings import drawer_of
from understudy.sim import saving
from understudy.sim.packing import pack, unpack
from understudy.sim.tree_checks import ANY, COUNT, TICK, blamed_on, check
from understudy.world.limits import BLOCK_BYTES, BLOCK_FREE_BYTES, BLOCK_RATIO
from understudy.world.news import NEWS, News
from understudy.world.records import from_plain, to_plain
from understudy.world.scene import Scene

MAGIC = b"USTAPE1\n"
HEADER, ENTRIES, KEYFRAME, END = b"H", b"E", b"K", b"Z"
_HEAD = struct.Struct("<cII")

# the columns of an entry's rows; one row per robot
FIELDS = ("x_m", "y_m", "z_m", "roll_rad", "pitch_rad", "yaw_rad",
          "vx_m_s", "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s")  # fmt: skip


@frozen
class TapeEntry:
    """One tick, or one exchange while the clock was paused (*sub* above 0)."""

    tick: int
    sub: int
    items: tuple[list[Any], ...]
    hash: str = ""  # levels state and full
    rows: Array | None = None  # levels state and full: poses and twists
    sent: tuple[tuple[str, bytes], ...] = ()  # level full
    news: tuple[tuple[str, News], ...] = ()  # levels state and full: (unit or port, its news)

    def plain(self) -> list[Any]:
        """Return the entry as a list."""
        news_rows = [[path, type(news).__name__, to_plain(news)] for path, news in self.news]
        return [self.tick, self.sub, list(self.items), self.hash, self.rows, [list(s) for s in self.sent], news_rows]

    @staticmethod
    def from_plain(plain: list[Any]) -> TapeEntry:
        """Return the entry of a list; raises TapeError for news that cannot be read."""
        tick, sub, items, digest, rows, sent, news_rows = plain
        pairs = tuple((path, data) for path, data in sent)
        return TapeEntry(tick, sub, tuple(items), digest, rows, pairs, tuple(map(_news, news_rows)))


_NEWS = {kind.__name__: kind for kind in NEWS}


def _news(plain: list[Any]) -> tuple[str, News]:
    path, kind, table = plain
    if kind not in _NEWS:
        raise TapeError(f"unknown kind of news {excerpt(kind)}")
    with blamed_on(f"news of {path}"):
        news: News = from_plain(_NEWS[kind], table)
    return path, news


_ENTRY = (TICK, COUNT, [saving.ITEM], str, ANY, [(str, bytes)], [(str, str, dict)])
SCHEMAS: dict[bytes, Any] = {
    HEADER: {
        "fingerprint": {str: str}, "scene": dict, "seed": int, "engine": str, "tick_us": COUNT, "level": str,
        "begin": TICK, "assets": {str: bytes},
    },
    ENTRIES: [_ENTRY],
    KEYFRAME: saving.PARTS,
    END: {"tick": TICK, "hash": str, "reason": str},
}  # fmt: skip
_NAMES = {HEADER: "header", ENTRIES: "entries", KEYFRAME: "keyframe", END: "end"}


def check_block(kind: bytes, tree: Any) -> None:
    """Raise TapeError if the content of a block does not fit its kind."""
    if kind not in SCHEMAS:
        raise TapeError(f"unknown block kind {kind!r}")
    check(tree, SCHEMAS[kind], _NAMES[kind])
    for i, entry in enumerate(tree if kind == ENTRIES else ()):
        rows = entry[4]
        if rows is not None and not _are_rows(rows):
            raise TapeError(f"entries[{i}]: rows: expected a table of {len(FIELDS)} numbers per robot")


def _are_rows(rows: Any) -> bool:
    return isinstance(rows, np.ndarray) and rows.dtype == np.float64 and rows.shape[1:] == (len(FIELDS),)


def block(kind: bytes, tree: Any) -> bytes:
    """Return one block."""
    body = zlib.compress(pack(tree), 1)
    return _HEAD.pack(kind, len(body), zlib.crc32(body)) + body


def read_block(file: BinaryIO) -> tuple[bytes, Any] | None:
    """Return kind and tree of the next block, or None where the valid part of the tape ends.

    Raises TapeError if a block is complete but its content is not what a recorder writes.
    """
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length, crc = _HEAD.unpack(head)
    body = file.read(length)
    if len(body) < length or zlib.crc32(body) != crc:
        return None
    try:
        tree = unpack(_decompressed(body))
    except (ValueError, zlib.error) as problem:
        raise TapeError(f"cannot decompress the block: {problem}") from problem
    if kind == ENTRIES:
        tree = _with_news(tree)
    check_block(kind, tree)
    return kind, tree


def _with_news(tree: Any) -> Any:
    """Return entries with their news; older tapes have none."""
    older = len(_ENTRY) - 1
    rows = tree if isinstance(tree, list) else []
    return [[*row, []] if isinstance(row, list) and len(row) == older else row for row in rows] or tree


def _decompressed(body: bytes) -> bytes:
    """Return the decompressed content of a block; raises ValueError if it is too large for the memory."""
    most = min(BLOCK_BYTES, max(BLOCK_FREE_BYTES, BLOCK_RATIO * len(body)))
    data = zlib.decompressobj().decompress(body, most + 1)
    if len(data) > most:
        raise ValueError(f"{len(body):,} bytes expand to more than {most:,}")
    return data


def _version(package: str) -> str:
    """Return the version of an optional package; empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def fingerprint(scene: Scene) -> dict[str, str]:
    """Return what the bits of a run depend on besides scene, seed and inbox; with cameras also the renderer."""
    import llvmlite.binding as llvm
    import numba

    features = ",".join(sorted(name for name, on in llvm.get_host_cpu_features().items() if on))
    cameras = drawer_of(scene)
    return {
        "understudy": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "mujoco": _version("mujoco"),
        "cpu": llvm.get_host_cpu_name(),
        "features": f"{zlib.crc32(features.encode()):08x}",
        **({"cameras": cameras} if cameras else {}),
    }
