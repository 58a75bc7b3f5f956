"""The library that answers modem-line calls: built with the machine's C compiler on first use, then kept."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from understudy.errors import LinkError
from understudy.folders import user_cache
from understudy.links.directory import runtime_folder

SOURCE = Path(__file__).with_name("serial_lines.c")
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O2", "-shared", "-fPIC")
LIBRARIES = ("-ldl", "-lpthread")
SEPARATORS = " :"  # between the entries of LD_PRELOAD; a path cannot contain them
OTHER_WAY = "give the port a link rfc2217://127.0.0.1:0 instead"


def environment(before: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a program whose modem-line calls are answered; builds the library if need be."""
    others = before.get("LD_PRELOAD", "")
    library = str(library_path())
    return {
        **before,
        "LD_PRELOAD": f"{library}:{others}" if others else library,
        "UNDERSTUDY_LINES": str(runtime_folder()),
    }


def library_path() -> Path:
    """Return the path of the library; raises LinkError with the reason if there cannot be one."""
    _check_system()
    path = _folder() / f"serial-lines-{_fingerprint()}.so"
    if not path.exists():
        _build(path)
    return path


def available() -> str:
    """Return the compiler that builds the library; raises LinkError with the reason if there cannot be one."""
    _check_system()
    return " ".join(compiler())


def _check_system() -> None:
    if not sys.platform.startswith("linux"):
        raise LinkError(f"modem lines of pseudo-terminals are answered on Linux only; {OTHER_WAY}")


def _folder() -> Path:
    """Return a folder for the library whose path LD_PRELOAD can hold."""
    for folder in (user_cache() / "understudy", runtime_folder()):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if not set(SEPARATORS) & set(str(folder)) and os.access(folder, os.W_OK):
                return folder
    raise LinkError(f"{user_cache()} has a space or a colon in its path, or cannot be written; set XDG_CACHE_HOME")


def _fingerprint() -> str:
    """Return what distinguishes this source on this kind of machine from others that share the folder."""
    machine = os.uname().machine.encode()
    return blake2b(SOURCE.read_bytes() + machine, digest_size=8).hexdigest()


def _build(path: Path) -> None:
    """Compile the library aside and put it in place whole: several programs may start at once."""
    command = compiler()
    with TemporaryDirectory(prefix="serial-", dir=path.parent) as folder:
        aside = Path(folder) / path.name
        words = [*command, *FLAGS, "-o", str(aside), str(SOURCE), *LIBRARIES]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise LinkError(f"{command[0]} cannot compile {SOURCE}: {_first_error(done.stderr)}; {OTHER_WAY}")
        try:
            ctypes.CDLL(str(aside))
        except OSError as problem:  # such as a folder from which nothing may be executed
            raise LinkError(f"the system cannot load {path}: {problem}; set XDG_CACHE_HOME to another folder") from None
        aside.replace(path)


def compiler() -> list[str]:
    """Return the command of the C compiler."""
    chosen = os.environ.get("CC", "").split()
    for words in (chosen, *([name] for name in COMPILERS)):
        if words and shutil.which(words[0]):
            return words
    raise LinkError(f"no C compiler found (cc, gcc or clang): install one, such as apt-get install gcc, or {OTHER_WAY}")


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line]
    return (lines or text.splitlines() or ["no error message"])[0]
