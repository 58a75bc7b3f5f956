"""Ctrl-C before anything runs, with real processes: one line, no traceback."""

import subprocess
import sys

import pytest

# interrupts itself as soon as a module is looked for, then is the command
COMMAND = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from understudy.cli import main
sys.exit(main({words!r}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["mobilesim"], "understudy.cli.mobilesim"),
        (["MobileSim", "--nomap"], "numba"),
        (["run"], "numpy"),
        (["check", "a.toml"], "understudy.formats"),
        ([], "argparse"),
    ],
)
def test_ctrl_c_while_modules_are_imported_is_one_line_and_130(words, module):
    command = [sys.executable, "-c", COMMAND.format(module=module, words=words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (130, "understudy: interrupted\n")
