"""The same bits on every processor: code for this one beside code for any of its family, without fused products."""

import os
import subprocess
import sys
from pathlib import Path

from tier_tools import ticks

import understudy as us
from understudy.cli.examples import names

TICKS = 100
SCRIPT = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from tier_tools import ticks
import understudy as us
with us.load(sys.argv[1], seed=3) as sim:
    print(*ticks(sim, {TICKS})[-1])
"""


def test_state_and_readings_are_the_same_on_a_processor_without_fused_products():
    scene = names()["skeleton"]
    env = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "UNDERSTUDY_COMPILE": "now"}
    other = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(scene)], env=env, capture_output=True, text=True, check=True
    )
    with us.load(scene, seed=3) as sim:
        assert other.stdout.split() == list(ticks(sim, TICKS)[-1])
