"""The command ``understudy``: one function per verb.

`parser` defines the verbs, their options and help texts; nothing else parses arguments.
Exit codes: 0 success, 1 error, 2 wrong usage, 130 interrupted; `mobilesim` uses MobileSim's exit codes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from understudy.cli import collector
from understudy.cli.importing import importing
from understudy.errors import SceneError, UnderstudyError, cut

_OWN_OPTIONS = ("-h", "--help", "--version")
MOST_LINE, MOST_LINES = 600, 30  # of a printed error message; characters of a line


def _open_streams() -> None:
    """Replace standard streams that the parent process has closed (``2>&-``) by the null device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open until exit


def main(argv: list[str] | None = None) -> int:
    """Run the command; return its exit code: 0 success, 1 error, 2 wrong usage, 130 interrupted."""
    _open_streams()
    words = sys.argv[1:] if argv is None else argv
    if not words or (words[0].startswith("-") and words[0] not in _OWN_OPTIONS):
        words = ["studio", *words]
    with collector.held(words, for_good=argv is None):
        return _main(words)


def _main(words: list[str]) -> int:
    try:
        return _call(words)
    except SceneError as problem:
        count = len(problem.problems)
        print(problem, file=sys.stderr)
        print(f"understudy: {count} error{'s' if count != 1 else ''}; nothing was run", file=sys.stderr)
        return 1
    except UnderstudyError as problem:
        print(f"understudy: {_bounded(str(problem))}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has closed the pipe
        sys.stderr.close()
        return 0
    except OSError as problem:
        print(
            f"understudy: {problem.filename or ''}: {problem.strerror or problem}".replace(" : ", " "), file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        print("understudy: interrupted", file=sys.stderr)
        return 130


def _bounded(text: str) -> str:
    """Return a message with a limited number of lines of limited length; whole lines, as editors jump to them."""
    lines = text.splitlines()
    more = [f"... and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return "\n".join([cut(line, MOST_LINE) for line in lines[:MOST_LINES]] + more)


def _call(words: list[str]) -> int:
    """Run the verb that *words* name; returns its exit code."""
    if words[0].lower() == "mobilesim":  # it has its own options and exit codes
        with importing():
            from understudy.cli.mobilesim import mobilesim
        return mobilesim(words[1:])
    if words[:2] == ["eyesim", "cc"]:  # options of the compiler
        with importing():
            from understudy.eyesim.compiler import main_cc
        return main_cc(words[2:])
    with importing():
        from understudy.cli.parser import build_parser, split_commands
    words, commands = split_commands(words) if words[0] == "together" else (words, [])
    args = build_parser().parsed(words)
    if commands:
        args.commands = commands
    return int(args.call(args))
