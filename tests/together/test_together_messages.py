"""What the command says when programs cannot run, or when its surroundings are odd; nothing hangs, nothing is left."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from together_runs import needs_together

pytestmark = needs_together
SCENE = """
schema = 1
[[robot]]
model = "p3dx"
port.host.link = "loop:"
port.gps.link = "loop:"
"""
SLEEPS = [sys.executable, "-c", "import time; time.sleep(0.2); print('awake')"]
PATIENCE_S = 120


@pytest.fixture
def verb(tmp_path):
    """Return the words before a program."""
    (tmp_path / "scene.toml").write_text(SCENE)
    return [sys.executable, "-m", "understudy", "together", str(tmp_path / "scene.toml"), "--seconds", "2", "--"]


@pytest.fixture
def said(verb):
    """Run a program; returns the exit code of the command and all that was said."""

    def run(*command, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
        done = subprocess.run([*verb, *command], text=True, timeout=PATIENCE_S, check=False, **options)
        return done.returncode, done.stdout

    return run


def test_a_directory_is_refused(said, tmp_path):
    assert said(str(tmp_path)) == (1, f"understudy: {tmp_path}: is a directory\n")


def test_a_script_without_a_first_line_is_refused_with_what_it_needs(said, tmp_path):
    script = tmp_path / "script"
    script.write_text("echo hello\n")
    script.chmod(0o755)
    code, text = said(str(script))
    assert code == 1
    assert f"{script} is not a program that the system can run; a script needs a first line such as #!/bin/sh" in text


def test_a_program_that_is_stopped_ends_the_run(said):
    code, text = said("sh", "-c", "kill -STOP $$")
    assert code == 1
    assert "sh was stopped by a signal or a debugger" in text


def test_a_program_that_becomes_a_static_one_is_named_with_it(said, tmp_path):
    (tmp_path / "static.c").write_text("#include <unistd.h>\nint main(void) { return sleep(100); }\n")
    program = str(tmp_path / "static")
    subprocess.run(["cc", "-static", "-o", program, str(tmp_path / "static.c")], check=True)
    code, text = said("sh", "-c", f"exec {program}")
    assert code == 1
    assert f"sh does not take part: {program} is linked statically" in text


def test_libraries_that_are_preloaded_already_stay_so(said):
    code, text = said("sh", "-c", "echo $LD_PRELOAD", env={**os.environ, "LD_PRELOAD": "libm.so.6"})
    assert code == 0
    assert any(line.endswith(":libm.so.6") for line in text.splitlines())


def test_a_closed_standard_input_is_closed_for_the_program_too(said):
    code, text = said("sh", "-c", "read line; echo $?", stdin=None, preexec_fn=lambda: os.close(0))
    assert code == 0
    assert "\n1\n" in text


def test_a_working_folder_that_is_gone_does_no_harm(said, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    code, text = said(*SLEEPS, cwd=folder, preexec_fn=folder.rmdir)
    assert (code, "awake" in text) == (0, True)


def test_output_into_a_pipe_that_nobody_reads_ends_the_program(verb):
    words = [*verb, "sh", "-c", "while echo line; do sleep 0.1; done"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "line\n"
        run.stdout.close()
        assert run.wait(PATIENCE_S) == 128 + 13  # as in a shell: SIGPIPE
        assert "sh ended with exit code 141" in run.stderr.read()
