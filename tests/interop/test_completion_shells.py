"""The completion scripts in real shells: bash and zsh at a terminal, fish by its own question."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time

import pytest

pty = pytest.importorskip("pty")
pytestmark = pytest.mark.interop
STARTS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}
SETUP = {"bash": "", "zsh": "autoload -Uz compinit && compinit -u -D; "}
LIMIT_S = 30.0


def script(shell, folder):
    """Return the file of the completion script, as the command prints it."""
    words = [sys.executable, "-m", "understudy", "completion", shell]
    text = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    file = folder / f"completion.{shell}"
    file.write_text(text, encoding="utf-8")
    return file


class Terminal:
    """A shell at a terminal of ours."""

    def __init__(self, shell, folder):
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="$ ", HISTFILE="", LC_ALL="C.UTF-8")
            os.execvp(STARTS[shell][0], STARTS[shell])
        self.type(f"{SETUP[shell]}. {script(shell, folder)}; printf '<%s>' ready\r")
        self.printed()

    def type(self, text):
        os.write(self._end, text.encode())

    def printed(self):
        """Return what the shell prints in angle brackets."""
        said, end_s = "", time.monotonic() + LIMIT_S
        while (found := re.search(r"<([a-z][^<>]*)>", said)) is None:
            left_s = end_s - time.monotonic()
            assert left_s > 0, said
            if select.select([self._end], [], [], left_s)[0]:
                said += os.read(self._end, 65_536).decode(errors="replace")
        return found[1]

    def completed(self, line):
        """Return the line after Tab; Ctrl-A and Ctrl-E put a command around it that prints it."""
        self.type(f"{line}\t")
        self.type("\x01printf '<%s>' \"\x05\"\r")
        return self.printed().rstrip()

    def close(self):
        os.close(self._end)
        os.waitpid(self.pid, 0)


@pytest.fixture(params=STARTS, scope="module")
def terminal(request, tmp_path_factory):
    assert shutil.which(request.param), f"{request.param} is not installed (apt-get install {request.param})"
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "room.toml").touch()
    made = Terminal(request.param, folder)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("understudy catal", "understudy catalog"),
        ("understudy run --prof", "understudy run --profile"),
        ("understudy run --view term", "understudy run --view terminal"),
        ("understudy run ro", "understudy run room.toml"),
        ("understudy run --tape ro", "understudy run --tape room.toml"),
        ("understudy rcx dis", "understudy rcx disasm"),
        ("understudy rcx asm --firm", "understudy rcx asm --firmware"),
    ],
)
def test_the_tab_key_completes_verbs_options_values_and_files(terminal, typed, whole):
    assert terminal.completed(typed) == whole


@pytest.mark.parametrize(
    ("typed", "offers"),
    [
        ("understudy catal", ["catalog"]),
        ("understudy run --prof", ["--profile"]),
        ("understudy run --view ", ["auto", "none", "studio", "terminal"]),
        ("understudy run ro", ["room.toml"]),
        ("understudy rcx dis", ["disasm"]),
        ("understudy completion ", ["bash", "fish", "zsh"]),
    ],
)
def test_fish_offers_verbs_options_values_and_files(tmp_path, typed, offers):
    (tmp_path / "room.toml").touch()
    words = ["fish", "--no-config", "-c", f"source {script('fish', tmp_path)}; complete -C '{typed}'"]
    env = {**os.environ, "HOME": str(tmp_path)}
    said = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=True, timeout=60).stdout
    assert sorted(line.partition("\t")[0] for line in said.splitlines()) == offers
