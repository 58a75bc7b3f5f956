"""Saved runs: scene, tick, engine, units, protocols, delay lines, counters and inbox in one file.

The state of a running Python program cannot be saved. A run with gated programs is therefore saved with its whole input
and restored by re-running it up to the same tick. If the hash of the re-run differs, because a program is not
deterministic, restore fails with an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from understudy.assets.files import Contents
from understudy.errors import TapeError
from understudy.sim import consent
from understudy.sim.inbox import Inbox, Item
from understudy.sim.packing import pack, unpack
from understudy.sim.run import Run
from understudy.sim.scene_codec import encode_body, encode_item, scene_from, scene_plain
from understudy.sim.tree_checks import ANY, COUNT, TICK, check
from understudy.world.records import from_plain, to_plain
from understudy.world.robot import Program
from understudy.world.scene import Scene

MAGIC, OLD_MAGIC = b"USRUN2\n", b"USRUN1\n"  # the first version had no checksum
_SUM_BYTES = 16  # length of the checksum between magic and tree
ITEM = (TICK, COUNT, COUNT, str, list)
PARTS = {
    "start": dict,
    "scene": dict,
    "run": {
        "tick": TICK, "engine": dict, "targets": ANY, "outputs": dict, "drive_stages": dict, "units": {str: ANY},
        "plugs": {str: {"connected": bool, "protocol": dict, "line": dict}}, "batches": [dict],
        "faults": {str: dict}, "held": {str: dict}, "starts": {str: dict}, "map_master": bool,
        "brought": {str: bytes}, "paused": bool, "messages": {"waiting": [dict], "lost": COUNT},
        "takeover": {"units": {str: int}, "asked": {str: dict}},
    },
    "hash": str,
    "inbox": [(str, list)],
    "programs": {str: ANY},
    "programs_from": int,
    "folder": str,
    "history": [ITEM],
}  # fmt: skip


# parts that only some runs have: the run before its programs began, and programs that share its clock
LATER = {
    "base": {**PARTS, "sequence": COUNT},
    "together": {"programs": [([str], str)], "compute": float},
}


def tree(
    start: Scene,
    run: Run,
    inbox: Inbox,
    programs: Mapping[str, Program],
    programs_from: int,
    folder: Path,
    history: Sequence[Item],
) -> dict[str, Any]:
    """Return everything needed to continue, except the contents of the scene's files, which do not change."""
    return {
        "start": scene_plain(start),
        "scene": scene_plain(run.scene()),
        "run": run.state(),
        "hash": run.hash(),
        "inbox": [[source, encode_body(body, run, doubtful=True)] for source, body in inbox.waiting()],
        "programs": {name: to_plain(program) for name, program in programs.items()},
        "programs_from": programs_from,  # tick; -1: they are armed
        "folder": str(folder.resolve()) if programs else "",
        "history": [encode_item(item, run, doubtful=True) for item in history],
    }


def is_saved_run(head: bytes) -> bool:
    """Return whether a file that begins with *head* is a saved run, of any version."""
    return head.startswith(b"USRUN")


def pack_run(saved: Mapping[str, Any], files: Contents) -> bytes:
    """Return the file content of a saved run."""
    data = pack({**saved, "files": dict(files)})
    return MAGIC + _checksum(data) + data


def _checksum(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SUM_BYTES).digest()


def unpack_run(data: bytes) -> dict[str, Any]:
    """Return the tree of a saved run; raises TapeError for anything else."""
    if data.startswith(OLD_MAGIC):
        raise TapeError("saved by an older version, in a format that is no longer supported; save the run again")
    if not data.startswith(MAGIC):
        raise TapeError("not a saved run")
    checksum, packed = data[len(MAGIC) : len(MAGIC) + _SUM_BYTES], data[len(MAGIC) + _SUM_BYTES :]
    if checksum != _checksum(packed):
        raise TapeError("the saved run is damaged: wrong checksum")
    try:
        saved = unpack(packed)
    except ValueError as problem:
        raise TapeError(f"the saved run cannot be unpacked: {problem}") from problem
    later = {name: form for name, form in LATER.items() if isinstance(saved, dict) and name in saved}
    check(saved, {**PARTS, "files": {str: bytes}, **later}, "the saved run")
    tree: dict[str, Any] = saved
    return tree


def restored_run(saved: Mapping[str, Any], files: Contents, trust: bool) -> Run:
    """Return a run that continues a saved one, without programs; raises TapeError for filters that are not trusted."""
    start, scene = scene_from(saved["start"]), scene_from(saved["scene"])
    run = Run(start, start.seed, files=files, trust=trust)
    run.resume(scene, saved["run"])
    if run.hash() != saved["hash"]:
        raise TapeError("the saved run does not match this version: its hash differs after loading")
    return run


def programs_of(saved: Mapping[str, Any]) -> dict[str, Program]:
    """Return the programs that drove robots in the saved run."""
    return {name: from_plain(Program, plain) for name, plain in saved["programs"].items()}


def code_of(saved: Mapping[str, Any]) -> list[str]:
    """Return a description of the user code that a saved run would execute: programs, filters at start and now."""
    start, scene = scene_from(saved["start"]), scene_from(saved["scene"])
    placed = {robot.name: robot.program for robot in start.robots if robot.program}
    programs = consent.of_programs({**placed, **programs_of(saved)}, Path(saved["folder"]))
    before = code_of(saved["base"]) if "base" in saved else []
    before += [f"the program {' '.join(words)!r}" for words, _ in saved.get("together", {}).get("programs", ())]
    return programs + consent.of_scene(start) + consent.of_scene(scene) + before
