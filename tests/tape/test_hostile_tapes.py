"""Tapes and saved runs that are well-formed but wrong: one error of ours, in bounded time and memory."""

import random
import subprocess
import sys
import zlib

import pytest
from scenes import box, pioneer_model, robot, room
from tape.mutations import blocks_of, mutated_run, mutated_state, mutated_tape
from tape.test_tape import OPEN, SYNC, VEL, record

from understudy import api
from understudy.errors import TapeError, UnderstudyError
from understudy.links.base import Event
from understudy.sim import saving
from understudy.sim.inbox import Bytes
from understudy.sim.packing import pack, unpack
from understudy.sim.run import Run
from understudy.sim.sim import Sim
from understudy.tape import Tape, TapeWriter, diff, layout, replay
from understudy.tape.playback import TapeSim
from understudy.world.limits import IDLE_TICKS

MOST_TICKS = 5_000  # of a spoiled tape of some hundred ticks


@pytest.fixture(scope="module")
def tapes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tapes")
    for level in ("inbox", "full"):
        record(folder / level, level, seconds=1.5)
    return folder


@pytest.fixture(scope="module")
def saved():
    pioneer = robot("pioneer", 1.0, parts=pioneer_model(latency_us=130_000))
    with Sim(room(robot("scout", -1.0), pioneer, objects=(box(y=1.5),)), seed=6, insist=True) as sim:
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.OPENED))
        for data in (SYNC, OPEN + VEL):
            sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.DATA, data))
            sim.run(0.3)
        sim.robot("scout").drive(0.1)
        return sim.save()


@pytest.fixture
def bounded(monkeypatch):
    """Fail if a run is advanced for ever."""
    advance, ticks = Run.advance, []

    def counted(run, *inputs):
        ticks.append(1)
        assert len(ticks) < MOST_TICKS, "an endless replay"
        return advance(run, *inputs)

    monkeypatch.setattr(Run, "advance", counted)


def said(call):
    """Return the message of the error that a call ends with, empty if it ends well."""
    try:
        call()
    except UnderstudyError as problem:
        text = str(problem)
        assert "\n" not in text
        assert len(text) < 400
        return text
    return ""


def wind(path):
    with TapeSim(path, speed=None) as sim:
        for position in (sim.deck.length, sim.deck.first, sim.deck.length // 2):
            sim.seek(position)


@pytest.mark.parametrize("level", ["inbox", "full"])
@pytest.mark.parametrize("seed", range(12))
def test_a_spoiled_tape_replays_or_is_refused_in_one_line_with_its_name(tapes, tmp_path, bounded, level, seed):
    (tmp_path / "x.tape").write_bytes(mutated_tape(blocks_of(tapes / level), seed))
    for use in (lambda: replay(tmp_path / "x.tape"), lambda: diff(tmp_path / "x.tape", tapes / level)):
        text = said(use)
        assert not text or "x.tape" in text
    said(lambda: wind(tmp_path / "x.tape"))


@pytest.mark.parametrize("part", range(10))
def test_a_spoiled_saved_run_goes_on_or_is_refused_in_one_line(saved, bounded, part):
    for seed in range(10 * part, 10 * part + 10):
        said(lambda seed=seed: go_on(mutated_run(saved, seed)))


@pytest.mark.parametrize("part", range(10))
def test_a_spoiled_state_goes_on_or_is_refused_even_if_its_hash_is_right(saved, bounded, monkeypatch, part):
    right = saving.unpack_run(saved)["hash"]
    monkeypatch.setattr(Run, "hash", lambda run: right)
    for seed in range(20 * part, 20 * part + 20):
        said(lambda seed=seed: go_on(mutated_state(saved, seed)))


def go_on(data):
    with api.restore(data) as sim:
        sim.step(10)


def test_a_flipped_byte_anywhere_in_a_saved_run_is_one_clear_error(saved):
    dice = random.Random(1)
    for at in [*range(40), *(dice.randrange(len(saved)) for _ in range(200))]:
        spoiled = bytearray(saved)
        spoiled[at] ^= 1 << dice.randrange(8)
        with pytest.raises(TapeError, match=r"damaged: wrong checksum|not a saved run|older version"):
            saving.unpack_run(bytes(spoiled))


def test_an_error_in_a_saved_run_names_its_file(tmp_path, saved):
    (tmp_path / "half.run").write_bytes(saved[:-1])
    with pytest.raises(TapeError, match=r"half\.run: the saved run is damaged: wrong checksum"):
        api.restore(tmp_path / "half.run")


def test_a_saved_run_of_the_version_without_checksum_is_recognised():
    with pytest.raises(TapeError, match="older version, in a format that is no longer supported"):
        api.restore(b"USRUN1\n\x80")


def rewritten(tapes, path, level, change):
    """Write a tape with its end, or another block, changed."""
    blocks = blocks_of(tapes / level)
    change(blocks)
    path.write_bytes(layout.MAGIC + b"".join(layout.block(kind, tree) for kind, tree in blocks))
    return path


@pytest.mark.parametrize("level", ["inbox", "full"])
def test_a_tape_that_claims_a_thousand_million_million_ticks_is_refused_at_once(tapes, tmp_path, bounded, level):
    path = rewritten(tapes, tmp_path / "x", level, lambda blocks: blocks[-1][1].update(tick=10**11))
    with pytest.raises(TapeError, match=r"tick 100,000,000,000 follows tick \d+; at most 1,000 ticks may be omitted"):
        replay(path)
    rewritten(tapes, path, level, lambda blocks: blocks[-1][1].update(tick=10**15))
    with pytest.raises(TapeError, match=r"end\.tick: want a tick from 0 to 1,000,000,000,000, got 1000000000000000"):
        replay(path)


def test_a_tape_whose_time_goes_backwards_is_refused(tapes, tmp_path, bounded):
    path = rewritten(tapes, tmp_path / "x", "full", lambda blocks: blocks[1][1].reverse())
    with pytest.raises(TapeError, match="x: tick"):
        replay(path)


def test_a_long_silence_is_on_an_inbox_tape(tmp_path):
    with Sim(room(), seed=1) as sim:
        sim.attach(TapeWriter(tmp_path / "a", "inbox"))
        sim.step(2 * IDLE_TICKS + 500)
        final = sim.hash()
    assert [entry.tick for entry in Tape(tmp_path / "a").entries()] == [IDLE_TICKS, 2 * IDLE_TICKS]
    assert (replay(tmp_path / "a").ticks, replay(tmp_path / "a").hash) == (2 * IDLE_TICKS + 500, final)


def test_a_block_that_grows_out_of_all_proportion_is_refused(tmp_path):
    body = zlib.compress(b"\xc4\0" + b"\0" * 50_000_000, 9)
    head = layout._HEAD.pack(layout.HEADER, len(body), zlib.crc32(body))
    (tmp_path / "bomb").write_bytes(layout.MAGIC + head + body)
    with pytest.raises(TapeError, match=r"bomb: block at byte 8: .*48.* bytes expand to more than 16,000,000"):
        Tape(tmp_path / "bomb")


BOMB = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_500_000_000, 2_500_000_000))
from understudy.errors import UnderstudyError
from understudy.tape import Tape
try:
    Tape(sys.argv[1])
except UnderstudyError as problem:
    print(problem)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be limited")
def test_a_block_of_countless_small_values_is_refused_in_bounded_memory(tmp_path):
    body = zlib.compress(b"\xdc\xff\xff" + (b"\xdc\x03\xe8" + b"\x90" * 1000) * 15_000, 9)
    head = layout._HEAD.pack(layout.HEADER, len(body), zlib.crc32(body))
    (tmp_path / "bomb").write_bytes(layout.MAGIC + head + body)
    done = subprocess.run([sys.executable, "-c", BOMB, str(tmp_path / "bomb")], capture_output=True, text=True)
    assert "unpacks to more than 10,000,000 values" in done.stdout, done.stderr


@pytest.mark.parametrize("dtype", ["|O", "<f8,<f8", "|S8", "garbage", "<c16"])
def test_arrays_of_anything_but_numbers_are_not_unpacked(dtype):
    import msgpack

    data = msgpack.packb(msgpack.ExtType(1, msgpack.packb([dtype, [1], bytes(8)])))
    with pytest.raises(ValueError, match="an array contains something other than numbers"):
        unpack(data)


def test_numbers_are_packed_and_unpacked():
    import numpy as np

    for dtype in (np.float64, np.float32, np.int64, np.int32, np.uint32, np.uint8, np.bool_):
        assert (unpack(pack(np.ones((2, 3), dtype))) == 1).all()
