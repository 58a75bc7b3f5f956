"""The verb ``with-serial``: run any program with answers to the modem-line calls on our serial ports."""

from __future__ import annotations

import argparse
import os
import sys

from understudy.clients.preload import environment

WRONG_USAGE, NOT_EXECUTABLE, NOT_FOUND = 2, 126, 127  # as in a shell


def with_serial(args: argparse.Namespace) -> int:
    """Become the program: its exit code, signals and terminal are its own. Returns only if it cannot be started."""
    words = args.program[1:] if args.program[:1] == ["--"] else args.program
    if not words:
        print("understudy: no program: write understudy with-serial -- PROGRAM ARGUMENT ...", file=sys.stderr)
        return WRONG_USAGE
    env = environment(os.environ)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execvpe(words[0], words, env)
    except OSError as problem:
        print(f"understudy: {words[0]}: {problem.strerror}", file=sys.stderr)
        return NOT_FOUND if isinstance(problem, FileNotFoundError) else NOT_EXECUTABLE
