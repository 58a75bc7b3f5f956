"""The public functions: load a scene, restore a saved run, replay a tape, check a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from understudy import formats
from understudy.errors import Problem, SceneError
from understudy.formats import native
from understudy.formats.document import Document
from understudy.sim import saving
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.tape import Replay, TapeWriter
from understudy.tape import replay as replay_tape
from understudy.world.robot import Program

Programs = Mapping[str, str | Program]


def load(
    scene: str | Path,
    *,
    seed: int | None = None,
    engine: Literal["planar", "rigid"] | None = None,
    speed: float | None = None,
    tape: str | Path | None = None,
    level: Literal["inbox", "state", "full"] = "state",
    programs: Programs | None = None,
    ports: bool = False,
    insist: bool = False,
) -> Sim:
    """Return a simulation of a scene file.

    *speed* is a multiple of real time, None as fast as the machine can. *programs* maps robots to program files.
    *ports* opens the robots' ports to other programs. *tape* records the run.
    """
    flat = native.resolve(open_document(scene), vocabulary())
    sim = Sim(
        flat, seed=seed, engine=engine, speed=speed, insist=insist, folder=Path(scene).parent,
        user_programs=_programs(programs),
    )  # fmt: skip
    return _started(sim, tape, level, ports)


def open_document(path: str | Path) -> Document:
    """Return the scene in a file of any known format, as a document: includes and catalogue references kept."""
    return formats.read(path, vocabulary())


def load_text(text: str, *, seed: int | None = None, folder: str | Path = ".", ports: bool = False) -> Sim:
    """Return a simulation of a scene given as text."""
    document = native.parse(text, "<text>", vocabulary(), Path(folder))
    sim = Sim(native.resolve(document, vocabulary()), seed=seed, folder=Path(folder))
    return _started(sim, None, "state", ports)


def _started(sim: Sim, tape: str | Path | None, level: Literal["inbox", "state", "full"], ports: bool) -> Sim:
    if tape is not None:
        sim.attach(TapeWriter(tape, level))
    if ports:
        sim.open_ports()
    return sim


def _programs(programs: Programs | None) -> dict[str, Program]:
    """Return programs by robot; files named here are relative to where the user stands, not to the scene."""
    found: dict[str, Program] = {}
    for name, program in (programs or {}).items():
        found[name] = program if isinstance(program, Program) else Program(str(Path(program).resolve()))
    return found


def restore(saved: bytes | str | Path) -> Sim:
    """Return a simulation that goes on where a saved one stood."""
    data = saved if isinstance(saved, bytes) else Path(saved).read_bytes()
    return Sim.restored(saving.unpack_run(data))


def replay(tape: str | Path, *, trust: bool = False) -> Replay:
    """Run a tape again and say whether everything came out as recorded; *trust* lets filters on it run."""
    return replay_tape(tape, trust)


def check(scene: str | Path) -> tuple[Problem, ...]:
    """Return every mistake of a scene file."""
    try:
        native.resolve(open_document(scene), vocabulary())
    except SceneError as problem:
        return problem.problems
    return ()
