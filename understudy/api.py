"""The public functions: load a scene, restore a saved run, replay a tape, check a file."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from understudy import formats
from understudy.assets.files import Contents
from understudy.errors import Problem, ProgramError, SceneError
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.native.doubts import doubts
from understudy.sim import consent, saving
from understudy.sim.factory import robot_at
from understudy.sim.program_files import ProgramFiles
from understudy.sim.program_kinds import errors_in
from understudy.sim.sim import Sim
from understudy.sim.tree_checks import blamed_on
from understudy.sim.vocabulary import vocabulary
from understudy.tape import Replay, TapeWriter
from understudy.tape import replay as replay_tape
from understudy.world.clearance import Clearance
from understudy.world.events import brought_robots
from understudy.world.marks import start_pose
from understudy.world.outlines import of_robot
from understudy.world.resolve import merged
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Scene
from understudy.world.validate import overlaps

if TYPE_CHECKING:
    from understudy.sim.worlds import Worlds

log = logging.getLogger(__name__)
_MOST_WARNINGS = 20
Programs = Mapping[str, str | Program]


def load(
    scene: str | Path | Document,
    *,
    seed: int | None = None,
    engine: str | None = None,
    speed: float | None = None,
    tape: str | Path | None = None,
    level: Literal["inbox", "state", "full"] = "state",
    programs: Programs | None = None,
    robots: Sequence[str] = (),
    ports: bool = False,
    insist: bool = False,
    armed: bool = False,
    trust: bool = False,
) -> Sim:
    """Return a simulation of a scene file, or of a world in any other supported format, or of a document that was read.

    *speed* is a multiple of real time, None is as fast as possible. *programs* maps robots to program files.
    *robots* adds robots of the catalogue (``p3dx``, or ``p3dx:scout`` with a name) at the start pose of a map.
    *ports* opens the robots' ports to other programs. *tape* records the run. *armed* makes programs wait until
    `sim.start_programs()`. *trust* allows commands in the scene to start processes, and the code in an archive to run.
    """
    document = scene if isinstance(scene, Document) else open_document(scene)
    path = Path(document.file)
    _tell(document.warnings)
    if document.folder is None:
        document = dataclasses.replace(document, folder=path.parent)
    sim = _made(
        document, robots, programs, trust, seed=seed, engine=engine, speed=speed, insist=insist, armed=armed
    )  # fmt: skip
    sim.maps.note(next((file for file in (path, *path.parents) if file.is_file()), None))  # maybe an archive
    return _started(sim, tape, level, ports)


def build(
    scene: Scene,
    *,
    seed: int | None = None,
    engine: str | None = None,
    speed: float | None = None,
    tape: str | Path | None = None,
    level: Literal["inbox", "state", "full"] = "state",
    programs: Programs | None = None,
    robots: Sequence[str] = (),
    folder: str | Path | None = None,
    files: Contents | None = None,
    ports: bool = False,
    insist: bool = False,
    armed: bool = False,
    trust: bool = False,
) -> Sim:
    """Return a simulation of a scene made of objects (`understudy.world`), as `load` does of a file.

    Robots may name a model of the catalogue or have their parts. Files that the scene names, such as pictures, are in
    *files* by name, or in *folder*.
    """
    place = Path("<scene>") if files and folder is None else folder  # a name for where the files are
    document = Document(scene, folder=None if place is None else Path(place), files=files or {})
    sim = _made(
        document, robots, programs, trust, seed=seed, engine=engine, speed=speed, insist=insist, armed=armed
    )  # fmt: skip
    return _started(sim, tape, level, ports)


def _made(document: Document, robots: Sequence[str], programs: Programs | None, trust: bool, **options: Any) -> Sim:
    """Return a simulation of a document, with more robots of the catalogue."""
    whole = with_robots(document, robots)
    flat = scene_file.resolve(whole, vocabulary(), overlaps_too=not robots)
    _tell(doubts(whole, flat))
    flat = _apart(flat, len(robots))
    consent.require(trust, document.file, code_in(document, flat, programs or {}), ProgramError)
    for finding in overlaps(flat) if robots else ():  # a map may have its home on a scanned obstacle
        log.warning("%s", finding.text)
    user_programs = _programs(programs, document, flat)
    return Sim(flat, folder=document.folder, source=document, user_programs=user_programs, **options)


def worlds(
    scene: str | Path | Scene,
    count: int | None = None,
    *,
    seeds: Sequence[int] | None = None,
    threads: int | None = None,
) -> Worlds:
    """Return many copies of a scene that step together; give their number or their seeds.

    World *w* does what the scene alone does with the seed ``seeds[w]``; without seeds they follow the scene's own.
    """
    if (count is None) == (seeds is None):
        raise ValueError("want either how many worlds or their seeds")
    from understudy.sim.worlds import Worlds  # for those who have many

    document = Document(scene) if isinstance(scene, Scene) else open_document(scene)
    flat = scene_file.resolve(document, vocabulary())
    _tell((*document.warnings, *doubts(document, flat)))
    if seeds is None:
        seeds = range(flat.seed, flat.seed + (count or 0))
    return Worlds(flat, seeds, threads=threads, files=document.contents(flat))


def code_in(document: Document, flat: Scene, programs: Programs | None = None) -> list[str]:
    """Return the code of a document that runs only with its user's consent, in words; *programs* are the user's own.

    These are commands, which start processes, and all Python code of an archive.
    """
    everyone = (*flat.robots, *brought_robots(flat))
    robots = [robot for robot in everyone if robot.name not in (programs or {})]
    commands = consent.of_commands(robots)
    if not (document.files and document.format):  # files of a document without a format are those of the caller
        return commands
    return commands + consent.of_archive(
        dataclasses.replace(flat, robots=(*flat.robots, *brought_robots(flat))), robots
    )


def open_document(path: str | Path) -> Document:
    """Return the scene in a file of any supported format, as a document: includes and catalogue references kept."""
    return formats.read(path, vocabulary())


def with_robots(document: Document, robots: Sequence[str]) -> Document:
    """Return a document with more robots, all of them at its start."""
    start = start_pose(merged(document.scene).marks)
    placed = []
    for robot in robots:
        model, _, name = robot.partition(":")
        placed.append(PlacedRobot(name, model, place=start))
    old = document.scene.robots
    rows = {
        **document.rows,
        "robot": (*document.rows.get("robot", range(len(old))), *range(len(old), len(old) + len(placed))),
    }
    return dataclasses.replace(document, scene=dataclasses.replace(document.scene, robots=(*old, *placed)), rows=rows)


def _apart(flat: Scene, count: int) -> Scene:
    """Return the scene with the last *count* robots in a line from the first of them, as in MobileSim."""
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


def load_text(
    text: str,
    *,
    folder: str | Path = ".",
    seed: int | None = None,
    engine: str | None = None,
    speed: float | None = None,
    tape: str | Path | None = None,
    level: Literal["inbox", "state", "full"] = "state",
    programs: Programs | None = None,
    robots: Sequence[str] = (),
    ports: bool = False,
    insist: bool = False,
    armed: bool = False,
    trust: bool = False,
) -> Sim:
    """Return a simulation of a scene given as text, as `load` does of a file; *folder* has the files that it names."""
    document = dataclasses.replace(scene_file.parse(text, "<text>", vocabulary(), Path(folder)), folder=Path(folder))
    return load(
        document, seed=seed, engine=engine, speed=speed, tape=tape, level=level, programs=programs, robots=robots,
        ports=ports, insist=insist, armed=armed, trust=trust,
    )  # fmt: skip


def _started(sim: Sim, tape: str | Path | None, level: Literal["inbox", "state", "full"], ports: bool) -> Sim:
    if tape is not None:
        sim.attach(TapeWriter(tape, level))
    if ports:
        sim.open_ports()
    return sim


def _programs(programs: Programs | None, document: Document, flat: Scene) -> dict[str, Program]:
    """Return programs by robot; a plain file name is relative to the current folder, not to the document's."""
    folder = document.folder or Path()
    found: dict[str, Program] = {}
    robots = {robot.name for robot in flat.robots}
    for name, program in (programs or {}).items():
        found[name] = program if isinstance(program, Program) else Program(str(Path(program).resolve()))
        file = found[name].file
        if name in robots and file and file not in document.files and not (folder / file).is_file():
            raise ProgramError(f"{name}'s program {file}: no such file")
    return found


def restore(saved: bytes | str | Path, *, trust: bool = False) -> Sim:
    """Return a simulation that continues a saved one; *trust* allows its programs, filters and firmware to run."""
    data = saved if isinstance(saved, bytes) else Path(saved).read_bytes()
    with blamed_on("the saved run" if isinstance(saved, bytes) else str(saved)):
        return Sim.restored(saving.unpack_run(data), trust=trust)


def replay(tape: str | Path, *, trust: bool = False) -> Replay:
    """Run a tape again and check that the result is bit-identical; *trust* allows its code to run."""
    return replay_tape(tape, trust)


def check(scene: str | Path) -> tuple[Problem, ...]:
    """Return every error in a scene file, and in the programs that its robots' units run."""
    try:
        document = open_document(scene)
        return program_errors(document, scene_file.resolve(document, vocabulary()))
    except SceneError as problem:
        return problem.problems


def program_errors(document: Document, flat: Scene) -> tuple[Problem, ...]:
    """Return the errors in the files of programs, as far as they show without a run."""
    files = ProgramFiles(document.folder or Path(document.file).parent, packed=document.files)
    found = dict.fromkeys(
        error
        for robot in (*flat.robots, *brought_robots(flat)) if robot.program
        for error in errors_in(robot, robot.program, files)
    )  # fmt: skip
    return tuple(found)
