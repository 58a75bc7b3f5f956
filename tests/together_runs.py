"""Runs of programs that share the clock: each gives an outcome that must be the same the next time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import understudy as us
from understudy.errors import LinkError
from understudy.links.listen import listen
from understudy.links.url import parse
from understudy.together import build

SUBJECTS = Path(__file__).parent / "together" / "subjects"
SCENE = """
schema = 1
ground = {{size_m = [8, 6], walled = true}}
origin = {{latitude_deg = 46.5, longitude_deg = 6.6}}
[[robot]]
model = "p3dx"
name = "pioneer"
x_m = -1.5
port.host.link = "tcp://127.0.0.1:{port}"
port.gps.link = "pty:{folder}/gps"
"""


def possible() -> bool:
    """Return whether programs can share the clock on this machine."""
    try:
        return bool(build.available())
    except LinkError:
        return False


needs_together = pytest.mark.skipif(not possible(), reason="together needs Linux on x86-64 and a C compiler")


def free_port() -> int:
    """Return a TCP port that nothing listens on."""
    with listen(parse("tcp://127.0.0.1:0")) as probe:
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Outcome:
    """What came of a run: all that must be equal."""

    hash: str
    tick: int
    codes: tuple[int | None, ...]
    tape: bytes
    printed: str


def outcome(
    scene: str, commands: Sequence[Sequence[str]], folder: Path, seconds: float | None = None, seed: int = 1
) -> Outcome:
    """Run programs on a scene until they end; what they print goes to a file."""
    tape, printed = folder / "run.tape", folder / "printed.txt"
    tape.unlink(missing_ok=True)
    (folder / "scene.toml").write_text(scene)
    with redirected(printed), us.load(folder / "scene.toml", seed=seed, tape=tape, level="full") as sim:
        codes = sim.together(commands, seconds)
        found = sim.hash(), sim.tick, tuple(codes)
    return Outcome(*found, tape.read_bytes(), printed.read_text())


@contextmanager
def redirected(file: Path) -> Iterator[None]:
    """Let the standard output and errors of this process, and of those that it starts, go to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = os.dup(1), os.dup(2)
    target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    try:
        os.dup2(target, 1)
        os.dup2(target, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, old in zip((1, 2), before):
            os.dup2(old, number)
            os.close(old)
        os.close(target)


def compiled(name: str, folder: Path, *flags: str) -> str:
    """Return a program made of a C subject."""
    made = folder / name
    compiler = next(word for word in ("cc", "gcc", "clang") if shutil.which(word))
    words = [compiler, "-O1", "-pthread", *flags, "-o", str(made), str(SUBJECTS / f"{name}.c")]
    subprocess.run(words, check=True)
    return str(made)


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep a processor busy meanwhile."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        other.kill()
        other.wait()
