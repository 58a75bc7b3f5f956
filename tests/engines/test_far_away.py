"""Wherever things are put, nothing crashes: it is done, or refused in words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("far_away.py")


def far_away(*arguments):
    """Run the program that puts things far away; a crash is a failed test that says what was being done."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, env=os.environ, check=False
    )
    last = "\n".join(done.stderr.splitlines()[-12:])
    assert done.returncode == 0, f"ended with {done.returncode} after:\n{last}"
    assert "all is well" in done.stdout


@pytest.mark.parametrize(("engine", "world"), [("planar", "floor"), ("rigid", "floor"), ("rigid", "hills")])
def test_no_place_speed_or_file_crashes(engine, world):
    far_away(engine, world)
