"""``understudy together``: options, exit codes and messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from together_runs import SCENE, compiled, free_port, needs_together

from understudy.cli import main
from understudy.cli.parser import split_commands
from understudy.tape import differences

pytestmark = needs_together


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "room.toml"
    file.write_text(SCENE.format(port=free_port(), folder=tmp_path))
    return str(file)


def test_the_exit_code_is_that_of_the_first_program(scene):
    assert main(["together", scene, "--", "sh", "-c", "exit 7", "--", "sleep", "0.1"]) == 7


def test_a_program_that_a_signal_ends_has_the_exit_code_of_a_shell(scene):
    assert main(["together", scene, "--", "sh", "-c", "kill -9 $$"]) == 137


def test_seconds_end_a_run_without_a_failure(scene, capfd):
    assert main(["together", scene, "--seconds", "0.5", "--", "sleep", "1000"]) == 0
    assert "sleep was stopped with the run" in capfd.readouterr().err


def test_a_timeout_is_a_failure(scene, capfd):
    assert main(["together", scene, "--timeout", "0.5", "--", "sleep", "1000"]) == 124
    assert "sleep has not ended within 0.5 simulated seconds" in capfd.readouterr().err


def test_until_first_ends_the_others_with_the_first(scene):
    assert main(["together", scene, "--until", "first", "--", "sleep", "0.2", "--", "sleep", "1000"]) == 0


def test_a_program_that_is_asked_to_end_may_say_goodbye(scene, capfd):
    words = ["sh", "-c", "trap 'sleep 0.2; echo goodbye; exit 0' TERM; sleep 1000 & wait"]
    assert main(["together", scene, "--seconds", "0.5", "--", *words]) == 0
    assert "goodbye" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "no program: write understudy together SCENE -- PROGRAM"),
        (["--", "no-such-program"], 1, "no-such-program: not found"),
        (["--", "/etc/passwd"], 1, "/etc/passwd: is not executable"),
    ],
)
def test_what_cannot_run_is_told_in_one_line(scene, capfd, words, code, message):
    assert main(["together", scene, *words]) == code
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    assert message in lines[0]


def test_tapes_of_two_runs_are_equal(scene, tmp_path):
    port = next(word for word in Path(scene).read_text().split('"') if word.startswith("tcp")).rpartition(":")[2]
    program = compiled("pioneer", tmp_path)
    for name in ("a", "b"):
        assert main(["together", scene, "--tape", str(tmp_path / name), "--", program, port, "1", "laser"]) == 0
    assert list(differences(tmp_path / "a", tmp_path / "b")) == []
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_commands_are_separated_by_two_dashes():
    assert split_commands(["together", "s", "--seed", "1", "--", "a", "-x", "--", "b", "--"]) == (
        ["together", "s", "--seed", "1"],
        [["a", "-x"], ["b"]],
    )
