"""The stream's frames: everything that moves, as one binary message. `web/frames.js` reads the same layout.

A frame is complete: a browser that has missed some can draw the latest one. Little-endian throughout; blocks are
padded to four bytes, so that a browser reads them in place. No value is ever NaN or infinite.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import IntEnum, IntFlag

import numpy as np
import numpy.typing as npt

from understudy.errors import UnderstudyError
from understudy.frozen import frozen
from understudy.world.rotations import quaternion_of

MAGIC, VERSION = b"USF1", 1
HEADER = struct.Struct("<4sHHIIdfHH")  # magic, version, flags, sequence, epoch, time (s), real-time factor, blocks, 0
BLOCK = struct.Struct("<HHIII")  # kind, flags, count, bytes, aux
# ranges: no reading; an echo that was lost; detected at an unknown distance; nothing detected
NOTHING, LOST, NEAR, FAR = 0, 65533, 65534, 65535
MOST_MM = 65532

Array = npt.NDArray[np.float64]


class BlockKind(IntEnum):
    """What a block holds."""

    POSE2 = 1  # f32 x, y, heading: pose estimates of robots
    POSE3 = 2  # f32 x, y, z, qx, qy, qz, qw: true poses of bodies
    ROLLING = 3  # f32 travel of the left and right wheels and sideways (m), steered curvature (1/m)
    RANGES = 4  # aux: number of the batch; u16 rows, padded, then u16 mm for each of them
    CONTACTS = 9  # f32 x, y, normal x, normal y


class Flag(IntFlag):
    """State of the run in a frame's header."""

    PAUSED = 1
    REPLAY = 2


@frozen
class FrameBlock:
    """One part of a frame."""

    kind: BlockKind
    count: int
    payload: bytes
    aux: int = 0


@frozen
class Frame:
    """Everything that moves, at one moment; *epoch* identifies the scene description that its numbers refer to."""

    sequence: int
    epoch: int
    time_s: float
    factor: float = 0.0  # simulated seconds per second
    flags: Flag = Flag(0)
    blocks: tuple[FrameBlock, ...] = field(default=())

    def of(self, kind: BlockKind) -> Iterator[FrameBlock]:
        """Yield the blocks of one kind."""
        return (block for block in self.blocks if block.kind is kind)


def pack(frame: Frame) -> bytes:
    """Return a frame as bytes."""
    parts = [
        HEADER.pack(
            MAGIC, VERSION, frame.flags, frame.sequence & 0xFFFFFFFF, frame.epoch, frame.time_s, frame.factor,
            len(frame.blocks), 0,
        )
    ]  # fmt: skip
    for block in frame.blocks:
        parts += [BLOCK.pack(block.kind, 0, block.count, len(block.payload), block.aux), padded(block.payload)]
    return b"".join(parts)


def padded(data: bytes) -> bytes:
    """Return bytes padded to a multiple of four."""
    return data + bytes(-len(data) % 4)


def unpack(data: bytes) -> Frame:
    """Return the frame in *data*; raises UnderstudyError if it is invalid."""
    try:
        magic, version, flags, sequence, epoch, time_s, factor, count, _ = HEADER.unpack_from(data)
        if (magic, version) != (MAGIC, VERSION):
            raise UnderstudyError(f"not a frame of version {VERSION}: starts with {data[:6]!r}")
        return Frame(sequence, epoch, time_s, factor, Flag(flags), tuple(_blocks(data, count)))
    except (struct.error, ValueError) as problem:
        raise UnderstudyError(f"a frame of {len(data)} bytes is damaged: {problem}") from problem


def _blocks(data: bytes, count: int) -> Iterator[FrameBlock]:
    at = HEADER.size
    for _ in range(count):
        kind, _, number, length, aux = BLOCK.unpack_from(data, at)
        at += BLOCK.size
        if at + length > len(data):
            raise ValueError(f"a block of {length} bytes does not fit")
        yield FrameBlock(BlockKind(kind), number, data[at : at + length], aux)
        at += length + -length % 4


# ---- blocks


def poses3(poses: Array) -> FrameBlock:
    """Return rows of x, y, z, roll, pitch, yaw as positions and quaternions."""
    rows = np.empty((len(poses), 7), "<f4")
    rows[:, :3], rows[:, 3:] = poses[:, :3], quaternions(poses[:, 3:])
    return FrameBlock(BlockKind.POSE3, len(rows), rows.tobytes())


def quaternions(angles: Array) -> Array:
    """Return roll, pitch, yaw as unit quaternions x, y, z, w."""
    roll, pitch, yaw = (angles / 2.0).T
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in (roll, pitch, yaw))
    w, x, y, z = quaternion_of(cr, sr, cp, sp, cy, sy)
    return np.column_stack([x, y, z, w])


def poses2(poses: Sequence[tuple[float, float, float]]) -> FrameBlock:
    """Return rows of x, y, heading."""
    return FrameBlock(BlockKind.POSE2, len(poses), np.array(poses, "<f4").reshape(-1, 3).tobytes())


def rolling(rows: Array) -> FrameBlock:
    """Return rows of left, right, sideways travel (m) and curvature (1/m)."""
    return FrameBlock(BlockKind.ROLLING, len(rows), rows.astype("<f4").tobytes())


def ranges(
    batch: int, rows: npt.NDArray[np.int64], distances: Array, limit_m: float, lost: npt.NDArray[np.bool_] | None = None
) -> FrameBlock:
    """Return the ranges of a batch's devices, one row for each robot of *rows* (m), and which echoes were lost."""
    coded = np.rint(np.clip(np.nan_to_num(distances, nan=0.0), 0.0, MOST_MM / 1000) * 1000).astype("<u2")
    coded[distances >= limit_m] = FAR
    coded[np.isnan(distances)] = NEAR
    if lost is not None:
        coded[lost] = LOST
    return FrameBlock(BlockKind.RANGES, len(rows), padded(rows.astype("<u2").tobytes()) + coded.tobytes(), batch)


def contacts(points: Array) -> FrameBlock:
    """Return rows of x, y, normal x, normal y."""
    return FrameBlock(BlockKind.CONTACTS, len(points), points.astype("<f4").tobytes())
