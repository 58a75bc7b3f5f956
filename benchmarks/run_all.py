"""Run every benchmark, each in a process of its own; arguments are passed on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
HELPERS = {"peer_irsim.py", "peer_pybullet.py", "results.py", "run_all.py", "swarm.py", "workload.py"}


def main() -> int:
    """Return 1 if any benchmark failed."""
    codes = []
    for script in sorted(HERE.glob("*.py")):
        if script.name not in HELPERS:
            print(f"== {script.name}", flush=True)
            codes.append(subprocess.run([sys.executable, str(script), *sys.argv[1:]], check=False).returncode)
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
