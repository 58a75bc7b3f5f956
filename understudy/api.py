"""The public functions: load a scene, restore a saved run, replay a tape, check a file."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from understudy import formats
from understudy.errors import Problem, SceneError
from understudy.formats import native
from understudy.formats.document import Document
from understudy.sim import saving
from understudy.sim.factory import robot_at
from understudy.sim.sim import Sim
from understudy.sim.tree_checks import blamed_on
from understudy.sim.vocabulary import vocabulary
from understudy.tape import Replay, TapeWriter
from understudy.tape import replay as replay_tape
from understudy.world.clearance import Clearance
from understudy.world.marks import start_pose
from understudy.world.outlines import of_robot
from understudy.world.resolve import merged
from understudy.world.robot import Program, Robot
from understudy.world.scene import Scene
from understudy.world.validate import overlaps

log = logging.getLogger(__name__)
_MOST_WARNINGS = 20
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
    robots: Sequence[str] = (),
    ports: bool = False,
    insist: bool = False,
    armed: bool = False,
) -> Sim:
    """Return a simulation of a scene file, or of a world in any other format that is known.

    *speed* is a multiple of real time, None as fast as the machine can. *programs* maps robots to program files.
    *robots* adds robots of the catalogue (``p3dx``, or ``p3dx:scout`` with a name) where a map says that they start.
    *ports* opens the robots' ports to other programs. *tape* records the run. *armed* lets programs wait until
    `sim.start_programs()`.
    """
    document = open_document(scene)
    _tell(document.warnings)
    flat = native.resolve(with_robots(document, robots), vocabulary(), overlaps_too=not robots)
    flat = _apart(flat, len(robots))
    for mistake in overlaps(flat) if robots else ():  # a map may have its home where a scanner saw something
        log.warning("%s", mistake.text)
    sim = Sim(
        flat, seed=seed, engine=engine, speed=speed, insist=insist, folder=Path(scene).parent,
        user_programs=_programs(programs), armed=armed,
    )  # fmt: skip
    sim.maps.note(Path(scene))
    return _started(sim, tape, level, ports)


def open_document(path: str | Path) -> Document:
    """Return the scene in a file of any known format, as a document: includes and catalogue references kept."""
    return formats.read(path, vocabulary())


def with_robots(document: Document, robots: Sequence[str]) -> Document:
    """Return a document with more robots, all of them at its start."""
    start = start_pose(merged(document.scene).marks)
    placed = []
    for robot in robots:
        model, _, name = robot.partition(":")
        placed.append(Robot(name, model, place=start))
    old = document.scene.robots
    rows = {
        **document.rows,
        "robot": (*document.rows.get("robot", range(len(old))), *range(len(old), len(old) + len(placed))),
    }
    return dataclasses.replace(document, scene=dataclasses.replace(document.scene, robots=(*old, *placed)), rows=rows)


def _apart(flat: Scene, count: int) -> Scene:
    """Return the scene with the last *count* robots in a line from where the first of them is, as MobileSim does it."""
    if count < 2:
        return flat
    robots = list(flat.robots[: 1 - count])
    room, start = Clearance(dataclasses.replace(flat, robots=tuple(robots))), robots[-1].pose
    for number, robot in enumerate(flat.robots[1 - count :], 1):
        robots.append(dataclasses.replace(robot, place=room.in_line(start, number, partial(robot_at, robot))))
        room.take(of_robot(robots[-1]))
    return dataclasses.replace(flat, robots=tuple(robots))


def _tell(warnings: Sequence[Problem]) -> None:
    for warning in warnings[:_MOST_WARNINGS]:
        log.warning("%s", warning)
    if len(warnings) > _MOST_WARNINGS:
        log.warning("... and %d more", len(warnings) - _MOST_WARNINGS)


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


def restore(saved: bytes | str | Path, *, trust: bool = False) -> Sim:
    """Return a simulation that goes on where a saved one stood; *trust* lets its programs and filters run."""
    data = saved if isinstance(saved, bytes) else Path(saved).read_bytes()
    with blamed_on("the saved run" if isinstance(saved, bytes) else str(saved)):
        return Sim.restored(saving.unpack_run(data), trust=trust)


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
