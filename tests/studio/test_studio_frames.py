"""The stream's frames as bytes; web/frames.js reads the same layout and is tested in the browser."""

import contextlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import UnderstudyError
from understudy.studio import frames
from understudy.studio.frames import FAR, MOST_MM, NEAR, NOTHING, BlockKind, Flag, Frame, FrameBlock, pack, unpack

BLOCKS = st.builds(
    FrameBlock, st.sampled_from(BlockKind), st.integers(0, 2**32 - 1), st.binary(max_size=40), st.integers(0, 2**32 - 1)
)
FRAMES = st.builds(
    Frame,
    sequence=st.integers(0, 2**32 - 1),
    epoch=st.integers(0, 2**32 - 1),
    time_s=st.floats(0, 1e9),
    factor=st.floats(0, 1e6, width=32),
    flags=st.sampled_from([Flag(0), Flag.PAUSED, Flag.REPLAY, Flag.PAUSED | Flag.REPLAY]),
    blocks=st.lists(BLOCKS, max_size=5).map(tuple),
)


@given(FRAMES)
def test_what_was_packed_is_unpacked(frame):
    assert unpack(pack(frame)) == frame


@given(FRAMES)
def test_every_block_begins_at_a_multiple_of_four(frame):
    assert len(pack(frame)) % 4 == 0


def test_the_header_is_the_one_that_browsers_read():
    data = pack(Frame(7, 3, 1.5, 0.5, Flag.PAUSED, (FrameBlock(BlockKind.POSE2, 1, bytes(12)),)))
    assert struct.unpack_from("<4sHHIIdfHH", data) == (b"USF1", 1, 1, 7, 3, 1.5, 0.5, 1, 0)
    assert struct.unpack_from("<HHIII", data, 32) == (1, 0, 1, 12, 0)


def test_a_sequence_number_wraps_instead_of_failing():
    assert unpack(pack(Frame(2**32 + 5, 1, 0.0))).sequence == 5


@given(FRAMES, st.data())
def test_a_frame_that_was_cut_is_refused(frame, data):
    whole = pack(frame)
    padding = -len(frame.blocks[-1].payload) % 4 if frame.blocks else 0
    with pytest.raises(UnderstudyError):
        unpack(whole[: data.draw(st.integers(0, len(whole) - padding - 1))])


@given(st.binary(max_size=200))
def test_noise_is_refused_and_nothing_worse(noise):
    with pytest.raises(UnderstudyError):
        unpack(noise)


@given(FRAMES, st.data())
def test_a_changed_byte_gives_a_frame_or_a_refusal(frame, data):
    damaged = bytearray(pack(frame))
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(UnderstudyError):
        assert isinstance(unpack(bytes(damaged)), Frame)


# ---- poses


@pytest.mark.parametrize(
    ("angles", "quaternion"),
    [
        ((0, 0, 0), (0, 0, 0, 1)),
        ((np.pi, 0, 0), (1, 0, 0, 0)),
        ((0, np.pi, 0), (0, 1, 0, 0)),
        ((0, 0, np.pi), (0, 0, 1, 0)),
        ((0, 0, np.pi / 2), (0, 0, np.sqrt(0.5), np.sqrt(0.5))),
        ((np.pi / 2, 0, np.pi / 2), (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_quaternions_of_right_angles(angles, quaternion):
    assert frames.quaternions(np.array([angles], float))[0] == pytest.approx(quaternion, abs=1e-12)


def turned(quaternion, vector):
    x, y, z, w = quaternion
    axis = np.array([x, y, z])
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


ANGLE = st.floats(-np.pi, np.pi)


@given(st.tuples(ANGLE, ANGLE, ANGLE))
def test_a_quaternion_turns_as_yaw_after_pitch_after_roll(angles):
    roll, pitch, yaw = angles
    about_x = np.array([[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]])
    about_y = np.array([[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]])
    about_z = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    (found,) = frames.quaternions(np.array([angles]))
    vector = np.array([1.0, 2.0, 3.0])
    assert turned(found, vector) == pytest.approx(about_z @ about_y @ about_x @ vector, abs=1e-9)


def test_a_quaternion_has_length_one():
    angles = np.linspace(-7, 7, 300).reshape(-1, 3)
    assert np.linalg.norm(frames.quaternions(angles), axis=1) == pytest.approx(1.0)


def test_poses_of_nobody_are_an_empty_block():
    assert (frames.poses2([]).count, frames.poses2([]).payload) == (0, b"")


# ---- ranges


def coded(distances, limit=8.0, rows=(0,)):
    block = frames.ranges(3, np.array(rows), np.atleast_2d(np.array(distances, float)), limit)
    head = -(-len(rows) // 2) * 4
    return np.frombuffer(block.payload[head:], "<u2").tolist()


@pytest.mark.parametrize(
    ("value", "code"),
    [(1.234, 1234), (0.0, NOTHING), (8.0, FAR), (9.0, FAR), (np.inf, FAR), (np.nan, NEAR), (-1.0, NOTHING)],
)
def test_a_distance_is_coded_in_millimetres(value, code):
    assert coded([value]) == [code]


def test_a_distance_beyond_sixty_five_metres_stays_a_distance():
    assert coded([70.0], limit=100.0) == [MOST_MM]


@given(st.lists(st.floats(width=64), min_size=1, max_size=20))
def test_whatever_a_device_reads_becomes_a_number(values):
    assert all(0 <= code <= FAR for code in coded(values))


@pytest.mark.parametrize("rows", [(4,), (4, 9), (1, 2, 3)])
def test_the_rows_of_ranges_are_padded_to_four_bytes(rows):
    block = frames.ranges(3, np.array(rows), np.ones((len(rows), 5)), 8.0)
    assert (block.count, block.aux) == (len(rows), 3)
    assert np.frombuffer(block.payload, "<u2", len(rows)).tolist() == list(rows)
    assert coded(np.ones((len(rows), 5)), rows=rows) == [1000] * 5 * len(rows)


def test_a_lost_echo_is_told_from_nothing_there():
    lost = np.array([[False, True]])
    block = frames.ranges(0, np.array([0]), np.array([[8.0, 8.0]]), 8.0, lost)
    assert np.frombuffer(block.payload[-4:], "<u2").tolist() == [FAR, frames.LOST]
