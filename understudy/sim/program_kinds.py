"""Which kinds of programs there are and what runs each: the registry that ``check`` and ``run`` both ask.

A kind says which programs are its own, why one of them cannot drive a robot, which of its files belong to the run, and
what sits in its seat. To add one: a class here and one line in KINDS. A file that a firmware takes as a program is one
line in that unit's own table, ``programs``: suffix -> function from content and name to the order that downloads it.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Protocol

from understudy.errors import Problem, ProgramError
from understudy.robots import UNITS
from understudy.sim.program_files import ProgramFiles
from understudy.world.robot import PlacedRobot, Program

if TYPE_CHECKING:
    from understudy.sim.programs import Assignment, Seat

_PLACE = re.compile(r"(\d{1,9}):(\d{1,9}): (.*)")
Download = Callable[[bytes, str], Any]  # content and name of a file -> the order for the unit


class ProgramKind(Protocol):
    """One kind of program."""

    relived: bool  # whether a saved run needs it to run again, up to the saved tick

    def owns(self, program: Program) -> bool:
        """Say whether a program is of this kind."""
        ...

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return why it cannot drive this robot; empty if it can."""
        ...

    def errors(self, robot: PlacedRobot, program: Program, files: ProgramFiles) -> str:
        """Return what is wrong in its file, one error on a line; empty if nothing is, or if only a run shows it."""
        ...

    def gather(self, program: Program, files: ProgramFiles) -> None:
        """Keep its files with the run; raises ProgramError."""
        ...

    def seat(self, made: Assignment) -> Seat:
        """Return its seat, before its first turn; raises ProgramError."""
        ...


class PythonKind:
    """A Python file with ``main(robot)``: a greenlet that time waits for, or a thread beside the clock."""

    relived = True

    def owns(self, program: Program) -> bool:
        """Say whether it is a Python file."""
        return PurePosixPath(program.file).suffix == ".py"

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return nothing: it can drive any robot."""
        return ""

    def errors(self, robot: PlacedRobot, program: Program, files: ProgramFiles) -> str:
        """Return nothing: Python reports its errors when it starts."""
        return ""

    def gather(self, program: Program, files: ProgramFiles) -> None:
        """Keep the program and what it imports from beside it."""
        files.gather(program.file)

    def seat(self, made: Assignment) -> Seat:
        """Return a greenlet's seat or a thread's."""
        from understudy.sim.programs import GatedProgram
        from understudy.sim.realtime import RealtimeProgram

        return RealtimeProgram(made) if made.program.mode == "realtime" else GatedProgram(made)


class ProcessKind:
    """A command that is started as a process and sits at a socket; time waits for it."""

    relived = True

    def owns(self, program: Program) -> bool:
        """Say whether it is a command."""
        return bool(program.command)

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return why it could not be started here."""
        if program.file:
            return "a program is a file or a command; leave one of them out"
        if program.mode == "realtime":
            return "time always waits for a program that is a command; remove mode, or start the process yourself"
        if os.name != "posix":
            return "processes as programs need a POSIX system; use a Python file"
        word = program.command[0]
        if os.sep not in word and shutil.which(word) is None:
            return f"no such command {word!r} on this machine"
        return ""

    def errors(self, robot: PlacedRobot, program: Program, files: ProgramFiles) -> str:
        """Return nothing: a command is not read."""
        return ""

    def gather(self, program: Program, files: ProgramFiles) -> None:
        """Keep the files among its words."""
        for word in program.command:
            name = str(PurePosixPath(program.folder) / word)
            if files.has(name) and not Path(word).is_absolute():
                files.check_same(name)
                files.read(name)

    def seat(self, made: Assignment) -> Seat:
        """Return the seat of a process."""
        from understudy.sim.process import ProcessProgram

        return ProcessProgram(made)


class SharedClockKind(ProcessKind):
    """A command that knows nothing of the simulator: it talks to ports, and shares the simulation's clock."""

    def owns(self, program: Program) -> bool:
        """Say whether it shares the clock."""
        return program.clock == "shared"

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return why it could not be started here."""
        if not program.command:
            return 'clock = "shared" needs a command, such as command = ["python3", "wander.py"]'
        return super().problem(robot, program)

    def seat(self, made: Assignment) -> Seat:
        """Return the seat of a program that runs before each tick."""
        from understudy.sim.shared_seat import SharedSeat

        return SharedSeat(made)


class RobiosKind(ProcessKind):
    """A RoBIOS program: Python that imports ``eye``, C or C++ source, or an executable; a process at a socket."""

    def owns(self, program: Program) -> bool:
        """Say whether its interface is RoBIOS."""
        return program.interface == "robios"

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return why it could not be started here, or cannot drive this robot."""
        if not program.file:
            return "a RoBIOS program is a file; give its arguments as args"
        if os.name != "posix":
            return "RoBIOS programs need a POSIX system"
        if not any(spec.sheet.kind == "eyebot" for spec in robot.built.units):
            return "a RoBIOS program needs a robot with a unit of kind eyebot, such as the model s4"
        return ""

    def gather(self, program: Program, files: ProgramFiles) -> None:
        """Keep its file, if it is next to the scene."""
        if not Path(program.file).is_absolute():
            files.read(program.file)

    def seat(self, made: Assignment) -> Seat:
        """Return the seat of a process that speaks RoBIOS."""
        from understudy.sim.robios_process import RobiosProcess

        return RobiosProcess(made)


class ImageKind:
    """A file that a unit of the robot takes, firmware or a program for it: an order at the robot's first tick."""

    relived = False

    def owns(self, program: Program) -> bool:
        """Say whether it is a file; other kinds have been asked before."""
        return bool(program.file)

    def problem(self, robot: PlacedRobot, program: Program) -> str:
        """Return which programs the robot takes, if this is none of them."""
        takers = takers_of(robot)
        suffix = PurePosixPath(program.file).suffix
        if suffix in takers:
            return ""
        known = ", ".join(sorted({".py", *takers}))
        return f"this robot cannot run a program {suffix or program.file!r} (supported: {known}; or a command)"

    def errors(self, robot: PlacedRobot, program: Program, files: ProgramFiles) -> str:
        """Return what the unit's reader says about the file."""
        unit, _ = takers_of(robot)[PurePosixPath(program.file).suffix]
        sheet = next(spec.sheet for spec in robot.built.units if spec.name == unit)
        try:
            data = files.read(program.file)
            UNITS[sheet.kind].check_program(sheet, data, str(files.path(program.file)))
        except (ProgramError, ValueError) as problem:
            return str(problem)
        return ""

    def gather(self, program: Program, files: ProgramFiles) -> None:
        """Keep the image."""
        files.read(program.file)

    def seat(self, made: Assignment) -> Seat:
        """Return a seat that downloads the image and is empty from then on."""
        from understudy.sim.images import ImageDownload

        return ImageDownload(made)


KINDS: tuple[ProgramKind, ...] = (
    RobiosKind(),
    SharedClockKind(),
    ProcessKind(),
    PythonKind(),
    ImageKind(),
)  # the first that owns a program has it


def kind_of(program: Program) -> ProgramKind:
    """Return the kind of a program; raises ProgramError for an empty one."""
    for kind in KINDS:
        if kind.owns(program):
            return kind
    raise ProgramError("a program needs a file or a command")


def program_problem(robot: PlacedRobot) -> str:
    """Return why nothing here can run the program of a resolved robot; empty if it can or has none."""
    return problem_of(robot, robot.program) if robot.program else ""


def problem_of(robot: PlacedRobot, program: Program) -> str:
    """Return why nothing here can run a program on a resolved robot; empty if it can."""
    try:
        return kind_of(program).problem(robot, program)
    except ProgramError as problem:
        return str(problem)


def errors_in(robot: PlacedRobot, program: Program, files: ProgramFiles) -> tuple[Problem, ...]:
    """Return the errors in the file of a program that can drive the robot, as far as they show without a run."""
    text = "" if problem_of(robot, program) else kind_of(program).errors(robot, program, files)
    file = str(files.path(program.file))
    return tuple(_error(line.removeprefix(f"{file}:").strip(), file) for line in text.splitlines())


def _error(text: str, file: str) -> Problem:
    """Return an error with its line, if the text begins with line and column."""
    found = _PLACE.match(text)
    return Problem(file, int(found[1]), "", f"column {found[2]}: {found[3]}") if found else Problem(file, 0, "", text)


def takers_of(robot: PlacedRobot) -> Mapping[str, tuple[str, Download]]:
    """Return the suffixes of the files that a robot's units take as programs: unit, and how to make the order."""
    return {
        suffix: (spec.name, make)
        for spec in reversed(robot.built.units)  # of two that take the same, the first
        for suffix, make in UNITS[spec.sheet.kind].programs.items()
    }
