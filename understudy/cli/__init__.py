"""The command ``understudy``: one function per verb; its docstring is its help line.

`parser` names the verbs and their options; nothing else parses arguments.
Exit codes: 0 done, 1 refused, 2 misused; `mobilesim` has those of MobileSim.
"""

from __future__ import annotations

import sys

from understudy.errors import SceneError, UnderstudyError, cut

MOST_LINE = 600  # letters of what an error prints


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 done, 1 refused, 2 misused."""
    from understudy.cli.parser import build_parser

    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["mobilesim"]:  # it has options and exit codes of its own
        from understudy.cli.mobilesim import mobilesim

        return mobilesim(words[1:])
    args = build_parser().parse_args(words or ["studio"])
    try:
        return int(args.call(args))
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
