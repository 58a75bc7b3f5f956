"""RoBIOS programs in C and C++: compiled with the machine's compiler against our library, which is kept."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from understudy.errors import ProgramError
from understudy.folders import user_cache

HERE = Path(__file__).parent
C_SUFFIXES, CPP_SUFFIXES = (".c",), (".cpp", ".cc", ".cxx", ".C", ".c++")
# variable that names the compiler, its usual commands, what the system calls its package
_COMPILERS = {"C": ("CC", ("cc", "gcc", "clang"), "gcc"), "C++": ("CXX", ("c++", "g++", "clang++"), "g++")}
_LIBRARY_FLAGS = ("-std=gnu11", "-O1", "-fPIC", "-ffp-contract=off")
_LINK_FLAGS = ("-pthread", "-lm", "-ldl") if sys.platform.startswith("linux") else ("-pthread", "-lm")
# newer compilers refuse what RoBIOS programs of earlier years do
_TOLERANT = tuple(
    f"-Wno-error={name}"
    for name in ("implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types")
)
_ENTRY = "void_main"  # the object that a program with void main() needs

_CLASSIC_CALLS = re.compile(
    r"\b(?:(?:VW|PSD|BUMP|IR|MOTOR|QUAD|SERVO|COMPASS)(?:Init|Release)|VWStartControl|VWStopControl|VWDriveStraight"
    r"|VWDriveTurn|VWDriveCurve|PSDStart|PSDStop|PSDCheck|BUMPCheck|IRRead|QUAD\w+|COMPASS\w+|LCDPut\w+|LCDSetString"
    r"|LCDSetChar|LCDSetPixel|LCDInvertPixel|LCDMode|KEYGetBuf|CAMGetFrame|CAMGetColFrame|CAMSet|CAMMode|IPDither"
    r"|IPDiffer|IPColor2Grey|OSMTInit|OSSpawn|OSReady|OSSleep|OSYield|OSSem\w+|OSError|OSShowTime|AUTone|RADIORecv"
    r"|RADIOTerm|VWHandle|PSDHandle|BumpHandle|IRHandle|PositionType|SpeedType|colimage)\b"
    r"|switch\s*\(\s*OSMachineID\s*\(\s*\)\s*\)\s*\{\s*case\s*'"  # the classic OSMachineID gives a character
)
_ROBIOS7_CALLS = re.compile(
    r"\b(?:VWStraight|VWTurn|VWCurve|VWDrive|VWDone|VWWait|VWRemain|LIDARGet|LIDARSet|SIM[GS]et\w+|LCDImage\w*|LCDPixel"
    r"|LCDCircle|LCDSetColor|LCDSetFont\w*|CAMGetGray|IPCol2\w+|IPP?RGB2\w+|ENCODER\w+|QQVGA\w*|QVGA\w*|KEYReadXY)\b"
)
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_VOID_MAIN = re.compile(r"\bvoid\s+main\s*\(")


@dataclass(frozen=True, slots=True)
class CProgram:
    """What is to be compiled: sources, words for the compiler, the file to make, the API (None: by the calls)."""

    sources: tuple[Path, ...]
    options: tuple[str, ...]
    output: Path
    classic: bool | None = None


def is_classic(texts: Iterable[str]) -> bool:
    """Return whether programs use the classic API, by what they call."""
    bare = _COMMENTS.sub(" ", "\n".join(texts))
    return len(_CLASSIC_CALLS.findall(bare)) > len(_ROBIOS7_CALLS.findall(bare))


def compiler(language: str) -> list[str]:
    """Return the command of the compiler for a language, C or C++; raises ProgramError."""
    variable, names, package = _COMPILERS[language]
    chosen = os.environ.get(variable, "").split()
    for words in (chosen, *([name] for name in names)):
        if words and shutil.which(words[0]):
            return words
    raise ProgramError(
        f"no {language} compiler found ({', '.join(names)}): install one, such as apt-get install {package}"
    )


# ---- the library


def library(classic: bool) -> dict[str, Path]:
    """Return the objects of the library by name, built if need be; raises ProgramError."""
    folder = _cache() / f"robios-{_fingerprint(classic)}"
    if not folder.is_dir():
        _build(folder, classic)
    return {path.stem: path for path in sorted(folder.glob("*.o"))}


def _cache() -> Path:
    folder = user_cache() / "understudy"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ProgramError(
            f"{folder} cannot be written: {problem.strerror}; set XDG_CACHE_HOME to another folder"
        ) from None
    return folder


def _sources(classic: bool) -> list[Path]:
    return [path for part in ("core", _api(classic)) for path in sorted((HERE / part).glob("*.c"))]


def _api(classic: bool) -> str:
    return "classic" if classic else "robios7"


def include_folder(classic: bool) -> Path:
    """Return the folder of the header that programs include."""
    return HERE / ("classic" if classic else "include")


def _fingerprint(classic: bool) -> str:
    """Return what distinguishes this library from others that share the folder: sources, compiler, Python, machine."""
    words = [*compiler("C"), *_LIBRARY_FLAGS, sys.executable, os.uname().machine]
    return blake2b("\0".join([_content(classic), _identity(words[0]), *words]).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=2)
def _content(classic: bool) -> str:
    files = [*_sources(classic), *sorted(HERE.glob("*/*.h"))]
    return blake2b(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


def _identity(command: str) -> str:
    found = Path(shutil.which(command) or command).resolve()
    status = found.stat()
    return f"{found} {status.st_size} {status.st_mtime_ns}"


def _build(folder: Path, classic: bool) -> None:
    """Compile the library aside and put it in place whole: several programs may start at once."""
    python = json.dumps(sys.executable)
    with TemporaryDirectory(prefix="robios-", dir=folder.parent) as name:
        aside = Path(name) / "objects"
        aside.mkdir()
        words = [*compiler("C"), *_LIBRARY_FLAGS, f"-DROBIOS_PYTHON={python}", f"-I{HERE / 'core'}"]
        words += [f"-I{include_folder(classic)}", "-c", *map(str, _sources(classic))]
        done = subprocess.run(words, cwd=aside, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise ProgramError(f"{words[0]} cannot compile the RoBIOS library: {first_error(done.stderr)}")
        with suppress(OSError):  # another process has just done the same
            aside.rename(folder)


# ---- programs


def compile_program(order: CProgram, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the compiler; its messages go where ours go, or are captured. Raises ProgramError."""
    texts = [_text(path) for path in order.sources]
    classic = is_classic(texts) if order.classic is None else order.classic
    cpp = [path for path in order.sources if path.suffix in CPP_SUFFIXES]
    objects = library(classic)
    entry = [objects.pop(_ENTRY)]
    renamed = not cpp and any(_VOID_MAIN.search(_COMMENTS.sub(" ", text)) for text in texts)
    with TemporaryDirectory(prefix="robios-") as folder:
        common = [f"-I{include_folder(classic)}", *_psd_flags(), *order.options]
        c_words = [*compiler("C"), *_c_flags(order.options), *common, *(["-Dmain=robios_program"] if renamed else [])]
        if cpp:
            made, done = _compile_c(order.sources, c_words, Path(folder), capture)
            if done is not None:
                return done
            words = [*compiler("C++"), *common, *map(str, cpp), *made]
        else:
            words = [*c_words, *map(str, order.sources)]
        if "-c" not in order.options:
            words += [*map(str, objects.values()), *map(str, entry if renamed else []), *_LINK_FLAGS]
        return _run([*words, "-o", str(order.output)], capture)


def _compile_c(
    sources: Sequence[Path], words: list[str], folder: Path, capture: bool
) -> tuple[list[str], subprocess.CompletedProcess[str] | None]:
    """Compile the C part of a program in two languages; returns the objects, or what the compiler says against it."""
    made = []
    for number, path in enumerate(path for path in sources if path.suffix in C_SUFFIXES):
        made.append(str(folder / f"{number}.o"))
        done = _run([*words, "-c", str(path), "-o", made[-1]], capture)
        if done.returncode:
            return [], done
    return made, None


def _run(words: list[str], capture: bool) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=capture, text=True, errors="replace", check=False)


def _c_flags(options: Sequence[str]) -> list[str]:
    return [*_TOLERANT, *([] if any(word.startswith(("-std", "-ansi")) for word in options) else ["-std=gnu17"])]


def _psd_flags() -> list[str]:
    """Return the flag for the PSD numbers of EyeSim until 2018."""
    return ["-DEYESIM_PSD_2018"] if os.environ.get("EYESIM_PSD") == "2018" else []


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError as problem:
        raise ProgramError(f"{path}: {problem.strerror}") from None


def first_error(text: str) -> str:
    """Return the line of a compiler's output that says what is wrong."""
    lines = [line for line in text.splitlines() if "error" in line or "undefined reference" in line]
    return (lines or text.splitlines() or ["no error message"])[0]


# ---- programs of robots


def executable(source: Path) -> Path:
    """Return the executable of a robot's program: compiled, or kept from before if nothing has changed.

    Raises ProgramError with the compiler's first message; all of them appear on stderr.
    """
    source = source.resolve()
    words = [str(source), _fingerprint(False), _fingerprint(True), *_psd_flags()]
    key = blake2b("\0".join(words).encode(), digest_size=8).hexdigest()
    folder = _cache() / "programs" / f"{source.stem}-{key}"
    made, notes = folder / f"{source.stem}.x", folder / "made-from.json"
    if not (made.is_file() and _is_current(notes)):
        folder.mkdir(parents=True, exist_ok=True)
        _compile_aside(source, made, notes)
    return made


def _is_current(notes: Path) -> bool:
    """Return whether all that a program was made from is as it was."""
    try:
        known: dict[str, list[int]] = json.loads(notes.read_text(encoding="utf-8"))
        return all(_state(path) == state for path, state in known.items())
    except (OSError, ValueError, AttributeError):
        return False


def _state(path: str) -> list[int]:
    status = Path(path).stat()
    return [status.st_size, status.st_mtime_ns]


def _compile_aside(source: Path, made: Path, notes: Path) -> None:
    """Compile a program and put it in place whole, with notes of the files that it was made from."""
    with TemporaryDirectory(prefix="program-", dir=made.parent) as name:
        aside, needs = Path(name) / made.name, Path(name) / "needs.d"
        order = CProgram((source,), ("-O1", "-MMD", "-MF", str(needs)), aside)
        done = compile_program(order, capture=True)
        sys.stderr.write(done.stderr)
        if done.returncode:
            raise ProgramError(f"{source.name} cannot be compiled: {first_error(done.stderr)}")
        files = [str(source), *_named(needs)]
        aside.replace(made)
        notes.write_text(json.dumps({file: _state(file) for file in files}), encoding="utf-8")


def _named(needs: Path) -> list[str]:
    """Return the files that a rule of make, as the compiler writes it, depends on."""
    try:
        rule = needs.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    except OSError:
        return []
    words = re.findall(r"(?:\\ |\S)+", rule.partition(": ")[2])
    return [word.replace("\\ ", " ") for word in words if Path(word.replace("\\ ", " ")).is_file()]
