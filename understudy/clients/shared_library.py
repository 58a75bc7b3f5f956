"""Libraries that programs preload: built with the machine's C compiler on first use, then kept."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from understudy.errors import LinkError
from understudy.folders import user_cache
from understudy.frozen import frozen
from understudy.links.directory import runtime_folder

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O2", "-shared", "-fPIC")
ELSEWHERE = "set XDG_CACHE_HOME to another folder"
SEPARATORS = " :"  # between the entries of LD_PRELOAD; a path cannot contain them


@frozen
class SharedLibrary:
    """What a library is made of; *needs* says what it is for, *other_way* what to do without it."""

    name: str
    sources: tuple[Path, ...]
    needs: str
    other_way: str
    headers: tuple[Path, ...] = ()
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    def path(self) -> Path:
        """Return where the library is, built if need be; raises LinkError with the reason if there cannot be one."""
        self._check_system()
        path = _folder() / f"{self.name}-{self._fingerprint()}.so"
        if not path.exists():
            self._build(path)
        return path

    def available(self) -> str:
        """Return the compiler that builds the library; raises LinkError with the reason if there cannot be one."""
        self._check_system()
        return " ".join(self.compiler())

    def compiler(self) -> list[str]:
        """Return the command of the C compiler; raises LinkError."""
        chosen = os.environ.get("CC", "").split()
        for words in (chosen, *([name] for name in COMPILERS)):
            if words and shutil.which(words[0]):
                return words
        raise LinkError(
            f"no C compiler found (cc, gcc or clang): install one, such as apt-get install gcc, or {self.other_way}"
        )

    def _check_system(self) -> None:
        if not sys.platform.startswith("linux"):
            raise LinkError(f"{self.needs} on Linux only; {self.other_way}")

    def _fingerprint(self) -> str:
        """Return what distinguishes this source on this kind of machine from others that share the folder."""
        texts = [path.read_bytes() for path in (*self.sources, *self.headers)]
        return blake2b(b"".join(texts) + os.uname().machine.encode(), digest_size=8).hexdigest()

    def _build(self, path: Path) -> None:
        """Compile the library aside and put it in place whole: several programs may start at once."""
        command = self.compiler()
        try:
            self._build_aside(command, path)
        except LinkError:
            raise
        except OSError as problem:
            raise LinkError(f"{path}: {problem.strerror}; {ELSEWHERE}") from problem

    def _build_aside(self, command: Sequence[str], path: Path) -> None:
        with TemporaryDirectory(prefix=f"{self.name}-", dir=path.parent) as folder:
            aside = Path(folder) / path.name
            sources = [str(source) for source in self.sources]
            words = [*command, *FLAGS, *self.flags, "-o", str(aside), *sources, *self.libraries]
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
            if done.returncode and os.strerror(errno.ENOSPC) in done.stderr:
                raise LinkError(f"no space left in {path.parent}, or for temporary files of {command[0]}; {ELSEWHERE}")
            if done.returncode:
                what = self.sources[0] if len(self.sources) == 1 else self.sources[0].parent
                raise LinkError(f"{command[0]} cannot compile {what}: {_first_error(done.stderr)}; {self.other_way}")
            try:
                ctypes.CDLL(str(aside))
            except OSError as problem:  # such as a folder from which nothing may be executed
                raise LinkError(f"the system cannot load {path}: {problem}; {ELSEWHERE}") from None
            aside.replace(path)


def preloaded(library: Path, before: Mapping[str, str]) -> str:
    """Return the value of LD_PRELOAD with a library before those that are in it."""
    others = before.get("LD_PRELOAD", "")
    return f"{library}:{others}" if others else str(library)


def _folder() -> Path:
    """Return a folder for the library whose path LD_PRELOAD can hold."""
    for folder in (user_cache() / "understudy", runtime_folder()):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if not set(SEPARATORS) & set(str(folder)) and os.access(folder, os.W_OK):
                return folder
    raise LinkError(f"{user_cache()} has a space or a colon in its path, or cannot be written; set XDG_CACHE_HOME")


def _first_error(text: str) -> str:
    lines: Sequence[str] = [line for line in text.splitlines() if "error" in line]
    return (lines or text.splitlines() or ["no error message"])[0]
