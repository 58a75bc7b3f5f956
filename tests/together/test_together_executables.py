"""Which programs can share the clock is reported before they start, with what to do instead."""

import struct
import sys

import pytest

from understudy.errors import LinkError
from understudy.together import build
from understudy.together.executables import why_not


def elf(machine=62, kinds=(1, 3)):
    """Return the head of a program file with program headers of these kinds."""
    head = (
        b"\x7fELF\x02\x01\x01"
        + bytes(9)
        + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, len(kinds), 0, 0, 0)
    )
    return head + b"".join(struct.pack("<I", kind).ljust(56, b"\0") for kind in kinds)


@pytest.fixture
def program(tmp_path):
    def make(content, mode=0o755, name="program"):
        file = tmp_path / name
        file.write_bytes(content)
        file.chmod(mode)
        return str(file)

    return make


def test_a_dynamically_linked_program_can_take_part(program):
    assert why_not(program(elf())) == ""


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (elf(kinds=(1, 2)), 0o755, "is linked statically"),
        (elf(machine=183), 0o755, "is not a program for x86-64"),
        (elf(), 0o4755, "runs with the rights of another user"),
        (elf(), 0o644, "is not executable"),
        (elf()[:40], 0o755, "is not a program for x86-64"),
    ],
)
def test_a_program_that_cannot_is_told_why(program, content, mode, words):
    assert words in why_not(program(content, mode))


def test_a_script_is_judged_by_its_interpreter(program):
    interpreter = program(elf(kinds=(1,)), name="interpreter")
    script = program(f"#! {interpreter} -x\n".encode())
    assert why_not(script).startswith(f"{script}: its interpreter {interpreter} is linked statically")


def test_a_directory_is_no_program(tmp_path):
    assert why_not(str(tmp_path)) == f"{tmp_path}: is a directory"


def test_a_script_that_is_its_own_interpreter_is_not_followed_for_ever(program, tmp_path):
    assert why_not(program(f"#!{tmp_path}/program\n".encode())) == ""


def test_a_missing_program_is_told():
    assert why_not("no-such-program-here") == "no-such-program-here: not found"


class System:
    def __init__(self, sysname="Linux", machine="x86_64", release="6.1.0"):
        self.sysname, self.machine, self.release = sysname, machine, release


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (
            System("Darwin", "arm64"),
            "needs Linux 5.11 or newer on x86-64, and this is Darwin on arm64; run in real time",
        ),
        (System(machine="aarch64"), "this is Linux on aarch64"),
        (System(release="5.10.0-28-amd64"), "this is 5.10.0-28-amd64"),
    ],
)
def test_another_system_is_told(monkeypatch, system, words):
    monkeypatch.setattr(build.os, "uname", lambda: system, raising=False)
    with pytest.raises(LinkError, match=words):
        build.check_system()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the message of Linux")
def test_without_a_compiler_the_message_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "check_system", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(LinkError, match=r"no C compiler found .*: install one.* or run in real time"):
        build.library_path()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the message of Linux")
@pytest.mark.parametrize("said", ["/usr/bin/ld: final link failed: No space left on device", "cc1: error: odd"])
def test_a_full_disk_is_told_from_an_error_of_the_compiler(monkeypatch, tmp_path, said):
    compiler = tmp_path / "compiler"
    compiler.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setattr(build, "check_system", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", str(compiler))
    full = "No space" in said
    words = r"no space left in .* set XDG_CACHE_HOME" if full else r"cannot compile .*: cc1: error: odd; run in real"
    with pytest.raises(LinkError, match=words):
        build.library_path()
