"""How every benchmark reports: one line per figure, ``RESULT name value``; ``--check`` fails if a goal is missed."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field

os.environ.setdefault("UNDERSTUDY_COMPILE", "now")  # measure compiled code, not the compiler


@dataclass
class Results:
    """Figures of one benchmark, with goals where there are any."""

    check: bool
    missed: list[str] = field(default_factory=list)

    def say(self, name: str, value: float, *, most: float | None = None, least: float | None = None) -> None:
        """Print one figure; record it if it misses its goal."""
        print(f"RESULT {name} {value:.6g}")
        if (most is not None and value > most) or (least is not None and value < least):
            goal = f"at most {most:g}" if most is not None else f"at least {least:g}"
            self.missed.append(f"{name}: {value:.6g}, goal {goal}")

    def finish(self) -> None:
        """Report which goals were missed; exit with 1 if asked to check."""
        for line in self.missed:
            print(f"MISSED {line}", file=sys.stderr)
        sys.exit(1 if self.missed and self.check else 0)


def parse(description: str | None) -> Results:
    """Return the results object that the command line asks for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    return Results(parser.parse_args().check)
