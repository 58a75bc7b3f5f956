"""User code: the three-part template for novices, or a plain Python script with loops.

The template has three functions: ``userVariables`` declares variables, which all three share; ``init`` adds obstacles
and sets up; ``mainLoop`` is called again and again. Both kinds find ``sear`` among their names, and ``addTree``,
``addBox`` and ``addWall``.
"""

from __future__ import annotations

import ast
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import understudy
from understudy.assets import fence
from understudy.errors import ProgramError, in_one_line
from understudy.frozen import frozen
from understudy.sear.calls import SearCalls
from understudy.sear.gated import SimulationOver
from understudy.sim.guard import ProgramStuck

PARTS = ("userVariables", "init", "mainLoop")
OFFERED = ("addTree", "addBox", "addWall")
MOST_BYTES = 10_000_000
LOOP_S = 1 / 60  # between two calls of mainLoop, as SEAR's frames
_OURS = str(Path(understudy.__file__).parent)
TEMPLATE = '''\
"""User code of a SEAR project: run it with `understudy sear run FOLDER --trust`."""


def userVariables():
    # variables that init and mainLoop share
    {variables}


def init():
    # runs once: add obstacles with addTree(x, y, z), addBox(x, y, z) and addWall(x1, z1, x2, z2)
    {init}


def mainLoop():
    # runs again and again, about 60 times a second: read sensors, then drive
    {loop}
'''
BLANK = TEMPLATE.format(variables="pass", init="pass", loop="pass")


@frozen
class SearCode:
    """User code that is ready to run."""

    file: str
    code: CodeType
    template: bool  # whether it has the three parts

    @property
    def folder(self) -> str:
        """Return the folder whose modules it can import."""
        return str(Path(self.file).parent)


def load(path: str | Path) -> SearCode:
    """Return the user code of a file; raises ProgramError with ``file:line:``."""
    try:
        source = fence.read_bytes(Path(path), MOST_BYTES)
    except OSError as error:
        raise ProgramError(f"{path}: cannot be read ({error.strerror})") from None
    return compiled(source, str(path))


def compiled(source: bytes | str, file: str) -> SearCode:
    """Return user code from its text; raises ProgramError with ``file:line:``."""
    try:
        tree = ast.parse(source, file)
        parts = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in PARTS]
        _share_variables(parts)
        code = compile(ast.fix_missing_locations(tree), file, "exec")
    except SyntaxError as problem:
        raise ProgramError(f"{file}:{problem.lineno or 1}: {problem.msg}") from None
    except (ValueError, RecursionError, MemoryError) as problem:  # a null byte, or nested too deeply
        raise ProgramError(
            f"{file}:1: not a Python program ({in_one_line(str(problem)) or 'nested too deeply'})"
        ) from None
    return SearCode(file, code, any(part.name == "mainLoop" for part in parts))


def _share_variables(parts: list[ast.FunctionDef]) -> None:
    """Let the three parts share what `userVariables` assigns, as SEAR copied it into one class."""
    names = sorted({name for part in parts if part.name == "userVariables" for name in _assigned(part)})
    for part in parts:
        own = {argument.arg for argument in ast.walk(part.args) if isinstance(argument, ast.arg)}
        declared = {name for node in ast.walk(part) if isinstance(node, ast.Global) for name in node.names}
        shared = [name for name in names if name not in own | declared]
        if shared:
            part.body.insert(0, ast.copy_location(ast.Global(shared), part.body[0]))


def _assigned(part: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


# ---- running


def run(user_code: SearCode, sear: SearCalls) -> None:
    """Run user code to its end; raises ProgramError with ``file:line:``, and SimulationOver if the run ends first."""
    space: dict[str, Any] = {
        "__name__": "__main__",
        "__file__": user_code.file,
        "__builtins__": __builtins__,
        "sear": sear,
    }
    space |= {name: getattr(sear, name) for name in OFFERED}
    with _importing_from(user_code.folder), _blamed(user_code.file):
        exec(user_code.code, space)
        if user_code.template:
            _run_template(space, sear)


def _run_template(space: dict[str, Any], sear: SearCalls) -> None:
    for part in PARTS[:2]:
        if callable(space.get(part)):
            space[part]()
    while True:
        space["mainLoop"]()
        sear.sleep(LOOP_S)


@contextmanager
def _importing_from(folder: str) -> Iterator[None]:
    """Let user code import the modules beside it."""
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


@contextmanager
def _blamed(file: str) -> Iterator[None]:
    try:
        yield
    except (SimulationOver, KeyboardInterrupt, ProgramStuck):
        raise
    except SystemExit as problem:
        if problem.code:
            raise ProgramError(f"{place_of(problem, file)}: ended with exit({problem.code!r})") from None
    except BaseException as problem:
        text = traceback.format_exception_only(problem)[-1].strip()
        raise ProgramError(f"{place_of(problem, file)}: {in_one_line(text)}") from problem


def place_of(problem: BaseException, file: str) -> str:
    """Return ``file:line`` of the innermost line of user code that led to an exception."""
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if not f.filename.startswith(_OURS)]
    own = [frame for frame in frames if not frame.filename.startswith("<")]
    folder = str(Path(file).parent)
    near = [frame for frame in own if frame.filename == file or str(Path(frame.filename).parent) == folder]
    chosen = (near or own or frames)[-1:]
    return f"{chosen[0].filename}:{chosen[0].lineno}" if chosen else f"{file}:1"
