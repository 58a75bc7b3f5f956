"""A RoBIOS program as a process of its own: Python, C and C++ source, or an executable."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from understudy.errors import ProgramError
from understudy.sim.process import ProcessProgram
from understudy.sim.programs import Assignment

_SOURCES = (".c", ".cpp", ".cc", ".cxx")


class RobiosProcess(ProcessProgram):
    """The seat of a RoBIOS program that belongs to the run."""

    def _words(self, made: Assignment) -> Sequence[str]:
        """Return the command that runs the program's file; C and C++ source is compiled first."""
        path = made.files.path(made.program.file).resolve()
        if not path.is_file():
            raise ProgramError(f"{made.program.file}: no such file")
        if path.suffix == ".py":
            return (sys.executable, str(path), *made.program.args)
        if path.suffix in _SOURCES:
            from understudy.clients.robios_c.build import executable

            path = executable(path)
        return (str(path), *made.program.args)
