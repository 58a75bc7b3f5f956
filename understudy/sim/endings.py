"""Messages about the end of user code: what failed and where, without the simulator's own traceback lines."""

from __future__ import annotations

import signal
import traceback
from opcode import opmap
from pathlib import Path
from types import TracebackType
from typing import Any

from understudy.errors import ProgramError
from understudy.sim.guard import shown

_OURS = str(Path(__file__).parent)
_RAISE = {opmap[name] for name in ("RAISE_VARARGS", "RERAISE")}


def failure(who: str, problem: BaseException) -> str:
    """Return the message for a program that ended with an exception; empty for a plain exit()."""
    if isinstance(problem, SystemExit):
        return _exit(who, problem)
    if isinstance(problem, ProgramError):
        return f"{who} failed: {problem}"
    text = "".join(traceback.format_list(_frames(problem)) + traceback.format_exception_only(problem)).rstrip()
    return f"{who} failed{_at(problem)}:\n{text}"


def _exit(who: str, problem: SystemExit) -> str:
    return f"{who} ended with exit({problem.code!r}){_at(problem)}" if problem.code else ""


def _at(problem: BaseException) -> str:
    frames = _frames(problem)
    return f" at {shown(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""


def _frames(problem: BaseException) -> list[traceback.FrameSummary]:
    """Return the traceback lines outside this package folder."""
    return [f for f in traceback.extract_tb(problem.__traceback__) if not f.filename.startswith(_OURS)]


def is_ctrl_c(problem: BaseException) -> bool:
    """Return whether the user pressed Ctrl-C: a KeyboardInterrupt that no raise statement has raised.

    One raised by a signal handler counts too.
    """
    if not isinstance(problem, KeyboardInterrupt):
        return False
    frames = list(_walk(problem.__traceback__))
    if not frames:
        return True
    last = frames[-1]
    handlers = _code_of(signal.getsignal(signal.SIGINT))
    raised = last.tb_frame.f_code.co_code[last.tb_lasti] in _RAISE
    return not raised or any(each.tb_frame.f_code is handlers for each in frames)


def _walk(at: TracebackType | None) -> list[TracebackType]:
    found = []
    while at is not None:
        found.append(at)
        at = at.tb_next
    return found


def _code_of(handler: Any) -> Any:
    """Return the code of a function, a method or a partial call of one."""
    return getattr(getattr(handler, "func", handler), "__code__", None)
