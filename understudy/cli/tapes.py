"""The verbs about tapes: ``replay`` and ``diff``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from understudy import tape
from understudy.cli import logs
from understudy.cli.run import quiet_ctrl_c
from understudy.tape.playback import TapeSim


def replay(args: argparse.Namespace) -> int:
    """Re-run a tape, without clients and programs, and compare every hash on it; or watch it in the browser."""
    if args.view == "studio":
        return _watch(args)
    found = tape.replay(args.tape, args.trust)
    if not found.complete:
        print("the tape is truncated or damaged; replayed up to the last intact tick", file=sys.stderr)
    if found.foreign:
        print(f"recorded on another platform ({', '.join(found.foreign)}); hashes may differ", file=sys.stderr)
    for note in found.notes:
        print(note, file=sys.stderr)
    if found.mismatch is not None:
        m = found.mismatch
        print(f"understudy: tick {m.tick}: {m.what}: replayed {m.replayed}, recorded {m.recorded}", file=sys.stderr)
        return 1
    print(f"{found.ticks} ticks replayed, hash {found.hash}")
    return 0


def _watch(args: argparse.Namespace) -> int:
    from understudy.cli.studio import open_studio

    with (
        logs.to_stderr("text") as stamp, logs.compile_notice(), open_studio(args) as studio,
        TapeSim(args.tape, trust=args.trust) as sim, quiet_ctrl_c(sim),
    ):  # fmt: skip
        stamp.sim = sim
        studio.show(sim, Path(args.tape).stem).run()
    return 0


def diff(args: argparse.Namespace) -> int:
    """Print how two tapes differ: engine and seed, then the first difference; exit code 0 when they are equal."""
    found = tape.differences(args.first, args.second)
    for difference in found:
        print(difference)
    if not found:
        print("equal")
    return 1 if found else 0
