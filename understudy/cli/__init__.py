"""The command ``understudy``: one function per verb; its docstring is its help line.

`parser` names the verbs and their options; nothing else parses arguments.
Exit codes: 0 done, 1 refused, 2 misused; `mobilesim` has those of MobileSim.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from understudy.cli import collector
from understudy.cli.importing import importing
from understudy.errors import SceneError, UnderstudyError, cut

MOST_LINE = 600  # letters of what an error prints


def _open_streams() -> None:
    """Have streams even where whoever started us has closed them (``2>&-``)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 done, 1 refused, 2 misused, 130 interrupted."""
    _open_streams()
    words = (sys.argv[1:] if argv is None else argv) or ["studio"]
    with collector.held(words, for_good=argv is None):
        return _main(words)


def _main(words: list[str]) -> int:
    try:
        return _call(words)
    except SceneError as problem:
        count = len(problem.problems)
        print(problem, file=sys.stderr)
        print(f"understudy: {count} mistake{'s' if count != 1 else ''}; nothing was run", file=sys.stderr)
        return 1
    except UnderstudyError as problem:
        print(f"understudy: {cut(str(problem), MOST_LINE)}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has seen enough
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


def _call(words: list[str]) -> int:
    """Do what *words* say; returns the exit code of the verb."""
    if words[0].lower() == "mobilesim":  # it has options and exit codes of its own
        with importing():
            from understudy.cli.mobilesim import mobilesim
        return mobilesim(words[1:])
    with importing():
        from understudy.cli.parser import build_parser
    args = build_parser().parse_args(words)
    return int(args.call(args))
