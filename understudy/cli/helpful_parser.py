"""An argument parser that suggests what was meant: misspelt verbs, choices and options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from understudy.errors import excerpt, nearest


class HelpfulParser(argparse.ArgumentParser):
    """The parser of the standard library, with suggestions in its messages."""

    def parsed(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the parsed arguments; unknown options end the process with a suggestion and exit code 2."""
        found, unknown = self.parse_known_args(words)
        if unknown and not _appended(getattr(found, "arguments", None), unknown):
            self._refuse(words, unknown)
        return found

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices; the standard library calls this for verbs too."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if not isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(action, f"no such choice {excerpt(value)} {nearest(str(value), known)}")
        if Path(str(value)).suffix and Path(str(value)).is_file():
            raise argparse.ArgumentError(None, f"to run {value}: {self.prog} run {value}")
        raise argparse.ArgumentError(None, f"no such verb {excerpt(value)} {nearest(str(value), known)}")

    def _refuse(self, words: Sequence[str], unknown: Sequence[str]) -> NoReturn:
        verb = deepest(self, words)
        known = [option for parser in (self, verb) for option in options_of(parser)]
        verb.error("; ".join(_said(word, known) for word in unknown))


def _appended(arguments: list[str] | None, late: Sequence[str]) -> bool:
    """Append words that came after options to the arguments of a user's program; False if one is an option."""
    if arguments is None or any(word.startswith("-") and not _is_number(word) for word in late):
        return False
    arguments += late
    return True


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _said(word: str, known: Iterable[str]) -> str:
    """Return what is wrong with a word that no parser takes."""
    if not word.startswith("-"):
        return f"unexpected argument {excerpt(word)}"
    option = word.partition("=")[0]
    hint = nearest(option, known)
    return f"no such option {option}" + (f" {hint}" if hint.startswith("(did you mean") else " (see --help)")


def deepest(parser: argparse.ArgumentParser, words: Iterable[str]) -> argparse.ArgumentParser:
    """Return the parser of the verb that *words* lead to."""
    for word in words:
        parser = verbs_of(parser).get(word, parser)
    return parser


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the verbs of a parser, by name."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return next((dict(action.choices) for action in actions), {})


def verb_helps(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return what each verb of a parser does."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {row.dest: row.help or "" for action in actions for row in action._choices_actions}


def options_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options of a parser by their words, without hidden ones."""
    actions = (action for action in parser._actions if action.help != argparse.SUPPRESS)
    return {word: action for action in actions for word in action.option_strings}


def positionals_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments of a parser that are not options, without its verbs."""
    return [a for a in parser._actions if not a.option_strings and not isinstance(a, argparse._SubParsersAction)]
