import subprocess
import sys

import pytest

from understudy.cli import main

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has the library")


def with_serial(*words):
    command = [sys.executable, "-m", "understudy", "with-serial", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_exit_code_of_the_program_passes_through():
    assert with_serial("--", "sh", "-c", "exit 7").returncode == 7


def test_the_options_of_the_program_are_its_own():
    assert with_serial("--", "printf", "%s ", "--help", "--", "-x").stdout == "--help -- -x "


def test_the_two_dashes_may_be_left_out():
    assert with_serial("echo", "here", "--help").stdout == "here --help\n"


def test_a_program_that_does_not_exist_is_named():
    done = with_serial("--", "no-such-program")
    assert (done.returncode, done.stderr) == (127, "understudy: no-such-program: No such file or directory\n")


def test_no_program_is_wrong_usage(capsys):
    assert main(["with-serial", "--"]) == 2
    assert "no program: write understudy with-serial -- PROGRAM" in capsys.readouterr().err


def test_without_a_compiler_the_error_names_the_way_out(monkeypatch, tmp_path, capsys):
    for variable in ("PATH", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert main(["with-serial", "--", "true"]) == 1
    assert "no C compiler found" in capsys.readouterr().err
