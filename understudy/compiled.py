"""How functions are compiled: with Numba, without the interpreter's lock, and kept on disk for the next start.

Sums and products are rounded as they are written and sines are our own (`elementary`): LLVM may neither fuse nor
reorder. So the bits do not depend on the processor, and they are those of the interpreter, which runs a kernel until it
is compiled (`tiers`).

Numba looks only at the file of the function that is called from Python to tell whether its copy on disk is still good,
and its notes refer to our classes by name. So the copies lie in a folder that belongs to exactly this state of all our
sources: after an update or an edit everything is compiled anew, and nothing stale is ever run.

With UNDERSTUDY_BOUNDSCHECK=1 in the environment every index is checked, and one that is out of bounds raises IndexError
instead of reading foreign memory. Such code is slower and has a folder of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, register_jitable

import understudy.slim_numba  # noqa: F401 - before Numba is imported in full
from understudy import elementary
from understudy.elementary import pieces
from understudy.tiers import twins
from understudy.tiers.switch import switched

Function = Callable[..., Any]
_COMPILED = re.compile(rb"numba|understudy\.compiled")
CAMERA = "the camera"  # what is slow while the kernels of pictures are compiled
BOUNDS_CHECKED = os.environ.get("UNDERSTUDY_BOUNDSCHECK", "0") not in ("", "0")
_CHECKS: dict[str, Any] = {"boundscheck": True} if BOUNDS_CHECKED else {}
_KEPT = 8  # folders of earlier states that are not swept away: other checkouts may still use them


def kernel(
    *,
    inline: bool = False,
    twin: Function | None = None,
    effort: int = 1,
    cost: tuple[str, float] | None = None,
    what: str = "",
) -> Callable[[Function], Any]:
    """Compile a function that is called from Python; *inline* also copies it into kernels before they are compiled.

    The interpreter runs it until it is compiled: its source, or a *twin* that is faster. *effort* is about how long it
    takes to compile (s); those that take longest are compiled first. *cost* is an argument and about how long the
    interpreter takes for each value in it (s): if that is too long the run waits for the compiler. People are told
    *what* is slow meanwhile.
    """

    def compiled(function: Function) -> Any:
        config: Any = numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = before or _cache_folder()  # looked at only while a function is decorated
        try:
            how: Any = "always" if inline else "never"
            made = njit(cache=True, nogil=True, error_model="numpy", inline=how, **_CHECKS)(function)
        finally:
            config.CACHE_DIR = before
        if twin is not None:
            twins.stand_in(made, twin)
        return switched(made, effort, cost, what)

    return compiled


def prepare(function: Any, *arguments: Any) -> None:
    """See to it that a kernel is compiled for arguments like these, without calling it: now, or beside the run."""
    function.want(*arguments)


def inner(*, copied: bool = True, counted: bool = True, inline: bool = False) -> Callable[[Function], Any]:
    """Compile a function that only kernels call, *copied* into each of them; a third less to compile than a kernel.

    What neither makes nor returns an array need not have its arrays *counted*: counting takes 5 ns each time. *inline*
    is for functions that only pass on what they are given: they cost nothing to compile.
    """
    options: dict[str, Any] = {"forceinline": copied, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    options |= {} if counted else {"_nrt": False}
    options |= {"inline": "always"} if inline else {}
    options |= _CHECKS
    compiled: Callable[[Function], Any] = njit(nogil=True, error_model="numpy", **options)
    return compiled


def emitted(interpreted: Function) -> Callable[[Function], Any]:
    """Make an intrinsic of a function that emits LLVM code; another one stands in for it where nothing is compiled."""

    def made(generate: Function) -> Any:
        found = intrinsic(generate)
        twins.stand_in(found, interpreted)
        return found

    return made


def _adopt(*modules: ModuleType) -> None:
    """Let kernels call all functions of modules that know nothing of Numba."""
    adopt = register_jitable(nogil=True, error_model="numpy", _nrt=False)
    for function in {each for module in modules for each in vars(module).values() if isinstance(each, FunctionType)}:
        adopt(function)


_adopt(elementary, pieces)


def _same(address: int) -> int:
    return address


@emitted(_same)
def _pointer(typing, address):  # type: ignore[no-untyped-def]
    """Return a whole number as the address that it is, in compiled code."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


pointer: Any = _pointer


@cache
def _cache_folder() -> str:
    """Return the folder for compiled code of these sources; empty (Numba's own choice) if it cannot be made."""
    for parent in (_in_cache, _in_temporary):
        with suppress(OSError):
            folder = parent() / f"kernels-{_state_of_sources()}{'-checked' * BOUNDS_CHECKED}"
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                os.utime(folder)
                _sweep(folder.parent)
                return str(folder)
    return ""


def _in_cache() -> Path:
    return user_cache() / "understudy"


def _in_temporary() -> Path:
    """Return a folder for temporary files that nobody else can write to, for homes that cannot be written to."""
    if not hasattr(os, "getuid"):  # Windows has one for each user
        return Path(tempfile.gettempdir()) / "understudy-cache"
    folder = Path(tempfile.gettempdir()) / f"understudy-cache-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to somebody else")
    return folder


def _state_of_sources() -> str:
    """Return a digest of time and size of every file that holds compiled code."""
    here = Path(__file__).parent
    rooms = (
        here / "compiled.py",
        here / "rng.py",
        *(here / "engines").rglob("*.py"),
        *(here / "sensors").rglob("*.py"),
        *(here / "robots").rglob("*.py"),
    )
    files = [file for file in rooms if _COMPILED.search(file.read_bytes())]
    files += (here / "elementary").glob("*.py")
    states = [f"{file}:{file.stat().st_mtime_ns}:{file.stat().st_size}" for file in sorted(files)]
    return blake2b("\n".join(states).encode(), digest_size=6).hexdigest()


def _sweep(parent: Path) -> None:
    """Remove the folders of earlier states, all but the newest few."""
    folders = sorted(parent.glob("kernels-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for old in folders[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def user_cache() -> Path:
    """Return the folder for what can be made again, as the system has it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
