"""A program that is a process: started with a socket as its seat, stopped with the run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from understudy import clients
from understudy.clients.understudy_seat import VARIABLE
from understudy.errors import ProgramError
from understudy.sim.outside import OutsideProgram
from understudy.sim.programs import Assignment, source_of

_END_S = 1.0  # how long a process may take to end by itself


class ProcessProgram(OutsideProgram):
    """The seat of a process that belongs to the run."""

    def __init__(self, made: Assignment) -> None:
        ours, theirs = socket.socketpair()
        realtime = made.program.mode == "realtime"
        super().__init__(made.sim, made.robot, ours, source_of(made.robot.name), realtime=realtime)
        self._command = made.program.title
        with theirs:
            command = self._words(made)
            try:
                self._process = _started(command, made, theirs)
            except OSError as problem:
                ours.close()
                raise ProgramError(f"{command[0]}: {problem.strerror or problem}") from problem

    def _words(self, made: Assignment) -> Sequence[str]:
        """Return the command and its arguments; raises ProgramError."""
        return made.program.command

    def _title(self) -> str:
        return f"{self.name}'s program ({self._command}, pid {self._process.pid})"

    def _gone(self) -> None:
        """End the seat of a process that has ended or hung up; an exit code of 0 is its own wish."""
        code = self._stopped()
        how = f"was terminated by signal {-code}" if code < 0 else f"ended with exit code {code}"
        self._leave(f"{self._title()} {how}" if code else "")

    def _bye(self) -> None:
        """End the seat of a process that is about to end; libraries say BYE after a failure, too."""
        self._gone()

    def _close(self) -> None:
        super()._close()
        self._stopped()

    def _stopped(self) -> int:
        """Wait a little for the process to end, then end it and all that it has started; returns its exit code."""
        try:
            return self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait()


def _started(command: Sequence[str], made: Assignment, sock: socket.socket) -> subprocess.Popen[bytes]:
    """Start the process in a session of its own, so that a Ctrl-C reaches it only through us."""
    paths = [os.environ.get("PYTHONPATH", ""), str(Path(clients.__file__).parent)]
    return subprocess.Popen(
        command,
        cwd=made.files.path(made.program.folder),
        stdin=subprocess.DEVNULL,
        env={**os.environ, VARIABLE: f"fd:{sock.fileno()}", "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        pass_fds=(sock.fileno(),),
        start_new_session=True,
    )
