import dataclasses
import errno
import logging
import subprocess
import sys

import pytest
from contracts.listener_contract import check_listener
from scenes import box, model, pioneer_model, robot, room

from understudy.errors import TapeError
from understudy.links.base import Event
from understudy.sensors import SENSORS
from understudy.sim.inbox import Bytes
from understudy.sim.packing import pack, unpack
from understudy.sim.sim import Sim
from understudy.tape import LEVELS, Tape, TapeWriter, diff, differences, layout, replay
from understudy.world.changes import Add, Fault, Move, Remove
from understudy.world.media import Message
from understudy.world.news import At, Note, Sound
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Pose

SYNC = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002")
OPEN, VEL = bytes.fromhex("FAFB06013B0100023B"), bytes.fromhex("FAFB060B3BC800D33B")


def record(path, level="state", turn=0.4, seconds=3.0, seed=6):
    scene = room(robot("scout", -1.0), robot("pioneer", 1.0, parts=pioneer_model()), objects=(box(y=1.5),))
    with Sim(scene, seed=seed, insist=True) as sim:
        sim.attach(TapeWriter(path, level))
        sim.robot("scout").drive(0.3, turn)
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.OPENED))
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.DATA, SYNC))
        sim.run(0.5)
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.DATA, OPEN + VEL))
        sim.run(0.5)
        sim.pause()
        sim.change(Move("box", Pose(0.0, 1.5)))
        sim.change(Add(box("crate", 0.0, -1.5)))
        sim.change(Fault("scout/front", "stuck"))
        sim.resume()
        sim.run(seconds - 1.0)
        sim.change(Remove("crate"))
        sim.run(0.25)
        return sim.hash()


@pytest.mark.parametrize("level", LEVELS)
def test_a_tape_replays_to_the_same_hashes_without_clients(tmp_path, level):
    final = record(tmp_path / "a.tape", level)
    found = replay(tmp_path / "a.tape")
    assert (found.hash, found.ticks, found.mismatch, found.complete, found.foreign) == (final, 650, None, True, ())


def test_a_tape_says_who_made_the_pictures_and_a_replay_that_others_do(tmp_path, monkeypatch):
    eye = DeviceSpec(name="eye", sheet=SENSORS["camera"](width=4, height=3))
    scene = room(robot("scout", parts=model(devices=(eye,))), engine="rigid")
    monkeypatch.setattr(layout, "drawer_of", lambda scene: "egl a-card")
    with Sim(scene, seed=6) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.run(0.2)
    assert Tape(tmp_path / "a.tape").fingerprint["cameras"] == "egl a-card"
    monkeypatch.setattr(layout, "drawer_of", lambda scene: "rays")
    found = replay(tmp_path / "a.tape")
    assert (found.mismatch, found.foreign) == (None, ("cameras (recorded with egl a-card, replayed with rays)",))


def test_recording_changes_nothing():
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            check_listener(lambda level=level: TapeWriter(Path(folder) / f"{level}.tape", level))


def test_a_reset_in_the_middle_is_replayed(tmp_path):
    with Sim(room(robot("scout", -1.0)), seed=6) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.robot("scout").drive(0.3)
        sim.run(1.0)
        sim.reset()
        sim.robot("scout").drive(0.1)
        sim.run(0.5)
        final = sim.hash()
    assert (replay(tmp_path / "a.tape").hash, replay(tmp_path / "a.tape").mismatch) == (final, None)


def test_a_tape_begun_in_the_middle_of_a_run_replays(tmp_path):
    with Sim(room(robot("scout", -1.0)), seed=6) as sim:
        sim.robot("scout").drive(0.3)
        sim.run(1.0)
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.run(1.0)
        final = sim.hash()
    assert (replay(tmp_path / "a.tape").hash, replay(tmp_path / "a.tape").mismatch) == (final, None)


def test_equal_runs_have_equal_tapes(tmp_path):
    for name in "ab":
        record(tmp_path / name)
    assert diff(tmp_path / "a", tmp_path / "b") is None


def test_different_orders_are_found_in_the_inbox(tmp_path):
    record(tmp_path / "a")
    record(tmp_path / "b", turn=0.41)
    found = diff(tmp_path / "a", tmp_path / "b")
    assert (found.tick, found.where) == (1, "inbox")
    assert "0.4" in found.a


def test_different_motion_is_found_by_tick_robot_and_field(tmp_path, monkeypatch):
    record(tmp_path / "a")
    from understudy.engines.planar.engine import PlanarEngine

    step = PlanarEngine.step

    def faulty(self, targets):
        step(self, targets)
        self.count = getattr(self, "count", 0) + 1
        if self.count == 123:
            self._movers.place[1, 1] += 1e-15

    monkeypatch.setattr(PlanarEngine, "step", faulty)
    record(tmp_path / "b")
    found = diff(tmp_path / "a", tmp_path / "b")
    assert (found.tick, found.where) == (123, "pioneer.y_m")


def test_another_seed_or_scene_is_found_in_the_header(tmp_path):
    for name, seed in (("a", 1), ("b", 2)):
        with Sim(room(), seed=seed) as sim:
            sim.attach(TapeWriter(tmp_path / name))
            sim.run(0.1)
    assert diff(tmp_path / "a", tmp_path / "b").where == "seed"
    with Sim(room(robot("scout", 0.5)), seed=1) as sim:
        sim.attach(TapeWriter(tmp_path / "c"))
        sim.run(0.1)
    assert diff(tmp_path / "a", tmp_path / "c").where == "scene.robot[0].x_m"


def test_after_another_seed_the_first_difference_in_content_is_found_too(tmp_path):
    record(tmp_path / "a")
    for name, turn in (("b", 0.4), ("c", 0.41)):
        record(tmp_path / name, turn=turn, seed=77)
    assert differences(tmp_path / "b", tmp_path / "b") == ()
    seed, content = differences(tmp_path / "a", tmp_path / "c")
    assert (seed.where, content.tick, content.where) == ("seed", 1, "inbox")
    assert differences(tmp_path / "a", tmp_path / "b")[0] == seed


def test_tapes_with_other_ticks_are_not_compared_any_further(tmp_path):
    for name, tick_us in (("a", 5_000), ("b", 10_000)):
        with Sim(dataclasses.replace(room(), tick_us=tick_us), seed=1) as sim:
            sim.attach(TapeWriter(tmp_path / name))
            sim.run(0.1)
    assert [each.where for each in differences(tmp_path / "a", tmp_path / "b")] == ["tick_us"]


def test_a_longer_run_is_found_by_its_length(tmp_path):
    record(tmp_path / "a")
    record(tmp_path / "b", seconds=4.0)
    assert diff(tmp_path / "a", tmp_path / "b") is not None


@pytest.mark.parametrize(("level", "tick", "what"), [("inbox", 650, "the end"), ("state", 1, "state")])
def test_a_run_that_comes_out_differently_is_reported(tmp_path, monkeypatch, level, tick, what):
    record(tmp_path / "a", level)
    from understudy.sim.run import Run

    monkeypatch.setattr(Run, "hash", lambda self: "0" * 16)
    found = replay(tmp_path / "a").mismatch
    assert (found.tick, found.what) == (tick, what)


def test_other_bytes_sent_are_reported(tmp_path, monkeypatch):
    record(tmp_path / "a", "full")
    from understudy.protocols.arcos import protocol

    monkeypatch.setattr(protocol, "encode", lambda body: b"?")
    assert replay(tmp_path / "a").mismatch.what == "bytes sent"


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from scenes import robot, room
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
sim = Sim(room(robot("scout", -1.0)), seed=6)
sim.attach(TapeWriter(sys.argv[1]))
sim.robot("scout").drive(0.2)
sim.step(777)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_tape_cut_short_by_a_kill_is_readable_to_its_last_block(tmp_path):
    from pathlib import Path

    tests = Path(__file__).parent.parent
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "a"), str(tests)], check=False)
    found = replay(tmp_path / "a")
    assert (found.complete, found.mismatch) == (False, None)
    assert found.ticks == 700


def test_a_torn_block_ends_the_tape_and_nothing_before_it_is_lost(tmp_path):
    record(tmp_path / "a")
    data = (tmp_path / "a").read_bytes()
    (tmp_path / "b").write_bytes(data[: len(data) // 2])
    found = replay(tmp_path / "b")
    assert found.mismatch is None
    assert 0 < found.ticks < 650


class FullDisk:
    """A file on a disk that fills up."""

    def __init__(self, file, room_left):
        self._file, self._left = file, room_left

    def write(self, data):
        self._left -= len(data)
        if self._left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(data)

    def flush(self):
        self._file.flush()

    def close(self):
        self._file.close()


def test_a_full_disk_stops_the_tape_and_not_the_run(tmp_path, caplog):
    with Sim(room(robot("scout", -1.0)), seed=6) as sim:
        writer = TapeWriter(tmp_path / "a")
        writer._file = FullDisk(writer._file, 20_000)
        sim.attach(writer)
        sim.robot("scout").drive(0.2, 0.1)
        with caplog.at_level(logging.ERROR):
            sim.run(20.0)
        assert sim.tick == 4000
    assert caplog.text.count("No space left on device; the run continues without it") == 1
    assert replay(tmp_path / "a").mismatch is None


def test_a_tape_that_cannot_be_written_is_refused_at_once(tmp_path):
    with pytest.raises(TapeError, match=r"folder .* does not exist"):
        TapeWriter(tmp_path / "no" / "folder" / "a.tape")


@pytest.mark.parametrize("data", [b"", b"USTAPE1\n", b"something else", b"USTAPE1\nHxxxxxxxxxx"])
def test_what_is_no_tape_is_refused(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(TapeError):
        Tape(tmp_path / "x")


def test_a_missing_tape_is_refused_by_name(tmp_path):
    with pytest.raises(TapeError, match=r"gone\.tape: No such file"):
        Tape(tmp_path / "gone.tape")


def test_keyframes_come_every_ten_seconds(tmp_path):
    record(tmp_path / "a", seconds=25.0)
    assert [key["run"]["tick"] for key in Tape(tmp_path / "a").keyframes()] == [2000, 4000]


def test_a_tape_from_before_news_was_kept_is_still_read(tmp_path):
    record(tmp_path / "a.tape", seconds=1.5)
    tape = Tape(tmp_path / "a.tape")
    blocks = [(kind, [row[:6] for row in tree] if kind == layout.ENTRIES else tree) for kind, tree in tape.blocks()]
    (tmp_path / "old.tape").write_bytes(layout.MAGIC + b"".join(layout.block(*each) for each in blocks))
    assert replay(tmp_path / "old.tape").mismatch is None
    assert list(Tape(tmp_path / "old.tape").news()) == []


def test_news_that_cannot_be_read_is_named(tmp_path):
    record(tmp_path / "a.tape", seconds=1.5)
    blocks = list(Tape(tmp_path / "a.tape").blocks())
    for kind, tree in blocks:
        if kind == layout.ENTRIES:
            tree[0][6] = [["scout", "Rumour", {}]]
    (tmp_path / "a.tape").write_bytes(layout.MAGIC + b"".join(layout.block(*each) for each in blocks))
    with pytest.raises(TapeError, match="unknown kind of news 'Rumour'"):
        list(Tape(tmp_path / "a.tape").news())


def test_news_of_every_kind_comes_back_from_a_tape():
    news_items = (
        Note("a", "warning"),
        Sound(((0.5, 440.0),), 2),
        At("p.py", "1", 3, "wait", 2_000),
        Message("radio", b"\0\xff"),
    )
    entry = layout.TapeEntry(1, 0, (), news=tuple(("scout/unit", news) for news in news_items))
    assert layout.TapeEntry.from_plain(unpack(pack(entry.plain()))).news == entry.news
