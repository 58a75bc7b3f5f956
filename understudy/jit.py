"""Compilation of functions: with Numba, without the GIL, and cached on disk for the next start.

Sums and products are rounded as written and sines are our own (`elementary`): LLVM may neither fuse nor reorder. So
results are bit-identical on every processor, and equal to those of the interpreter, which runs a kernel until it is
compiled (`tiers`).

Numba checks only the file of the function that is called from Python to decide whether its cached copy is valid, and
its index refers to our classes by name. So the cache is a folder that belongs to exactly this state of all our sources:
after an update or an edit everything is recompiled, and nothing stale is ever run.

With UNDERSTUDY_BOUNDSCHECK=1 in the environment every index is checked, and one that is out of bounds raises IndexError
instead of reading foreign memory. Such code is slower and has its own folder.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import understudy.slim_numba  # noqa: F401 - imports Numba, so it comes first

# isort: split
import numba
from numba import njit
from numba.extending import intrinsic, register_jitable

from understudy import elementary
from understudy.elementary import pieces
from understudy.folders import user_cache
from understudy.tiers import twins
from understudy.tiers.switch import switched

Function = Callable[..., Any]
_COMPILED = (b"numba", b"understudy.jit")  # files with one of these words contain kernels
CAMERA = "the camera"  # what is slow while the camera kernels are compiled
BOUNDS_CHECKED = os.environ.get("UNDERSTUDY_BOUNDSCHECK", "0") not in ("", "0")
_CHECKS: dict[str, Any] = {"boundscheck": True} if BOUNDS_CHECKED else {}
_KEPT = 8  # folders of earlier states that are kept: other checkouts may still use them


def kernel(
    *,
    inline: bool = False,
    twin: Function | None = None,
    effort: int = 1,
    cost: tuple[str, float] | None = None,
    what: str = "",
) -> Callable[[Function], Any]:
    """Compile a function that is called from Python; *inline* also copies it into kernels before they are compiled.

    The interpreter runs it until it is compiled: its source, or a *twin* that is faster. *effort* is the approximate
    compile time (s); the longest are compiled first. *cost* is an argument and the interpreter's approximate time for
    each value in it (s): if the total is too long, the run waits for the compiler. *what* is the name that messages use
    for what is slow meanwhile.
    """

    def compiled(function: Function) -> Any:
        config: Any = numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = before or _cache_folder()  # read only while a function is decorated
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
    """Make sure that a kernel is compiled for arguments like these, without calling it: now, or in the background."""
    function.want(*arguments)


def inner(*, copied: bool = True, counted: bool = True, inline: bool = False) -> Callable[[Function], Any]:
    """Compile a function that only kernels call, *copied* into each of them; a third less to compile than a kernel.

    A function that neither makes nor returns an array need not have its arrays *counted* (reference counts, 5 ns each).
    *inline* is for functions that only pass on their arguments: they cost nothing to compile.
    """
    options: dict[str, Any] = {"forceinline": copied, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    options |= {} if counted else {"_nrt": False}
    options |= {"inline": "always"} if inline else {}
    options |= _CHECKS
    compiled: Callable[[Function], Any] = njit(nogil=True, error_model="numpy", **options)
    return compiled


def shared(function: Function) -> Function:
    """Let kernels call a function that is written for the interpreter, too: objects and rows have the same fields.

    It must not divide by zero, which raises an error in the interpreter only.
    """
    made: Function = register_jitable(nogil=True, error_model="numpy", _nrt=False)(function)
    return made


def emitted(interpreted: Function) -> Callable[[Function], Any]:
    """Make an intrinsic of a function that emits LLVM code; *interpreted* replaces it where nothing is compiled."""

    def made(generate: Function) -> Any:
        found = intrinsic(generate)
        twins.stand_in(found, interpreted)
        return found

    return made


def _adopt(*modules: ModuleType) -> None:
    """Let kernels call all functions of modules that do not use Numba."""
    for function in {each for module in modules for each in vars(module).values() if isinstance(each, FunctionType)}:
        shared(function)


_adopt(elementary, pieces)


@cache
def _cache_folder() -> str:
    """Return the folder for compiled code of these sources; empty (Numba's own choice) if it cannot be created."""
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
    """Return a folder for temporary files that no other user can write to, for read-only home folders."""
    if not hasattr(os, "getuid"):  # Windows has one per user
        return Path(tempfile.gettempdir()) / "understudy-cache"
    folder = Path(tempfile.gettempdir()) / f"understudy-cache-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to another user")
    return folder


def _state_of_sources() -> str:
    """Return a digest of modification time and size of every file with compiled code."""
    here = Path(__file__).parent
    rooms = (
        here / "jit.py",
        here / "rng.py",
        *(here / "engines").rglob("*.py"),
        *(here / "sensors").rglob("*.py"),
        *(here / "robots").rglob("*.py"),
    )
    files = [file for file in rooms if _has_kernels(file.read_bytes())]
    files += [*(here / "elementary").glob("*.py"), here / "world" / "rotations.py"]
    return blake2b("\n".join(sorted(map(_state, files))).encode(), digest_size=6).hexdigest()


def _state(file: Path) -> str:
    found = file.stat()
    return f"{file}:{found.st_mtime_ns}:{found.st_size}"


def _has_kernels(source: bytes) -> bool:
    return any(word in source for word in _COMPILED)


def _sweep(parent: Path) -> None:
    """Remove the folders of earlier states except the newest few."""
    folders = sorted(parent.glob("kernels-*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for old in folders[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
