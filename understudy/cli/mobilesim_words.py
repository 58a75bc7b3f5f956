"""MobileSim's command line: an argparse parser made from the table of options; returns `Options`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from understudy import __version__
from understudy.mobilesim import codes
from understudy.mobilesim.options import OPTIONS, ArgumentKind, Option, Options

SUPERVISED, RESTARTED = "--supervised", "--restarted"  # internal: started by the supervisor; restarted after a crash


def parse(words: Sequence[str]) -> Options:
    """Return the options in *words*; raises StartError."""
    found: dict[str, Any] = vars(build_parser().parse_args(joined(words)))
    last = found.pop("last", None)
    if last is not None:  # the map may be a positional argument at the end
        found["map"] = last
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    values: dict[str, Any] = {**found, **lists}
    return Options(**values)


def joined(words: Sequence[str]) -> list[str]:
    """Return *words* with each option and its argument as one word, because an argument may begin with a dash.

    An optional argument gets its default here unless a number follows, because the next word may be a map.

    >>> joined(["-start", "-1000,0,90", "--log-timing-stats", "office.map"])
    ['-start=-1000,0,90', '--log-timing-stats=30', 'office.map']
    """
    takes = {flag: option for option in OPTIONS if option.takes for flag in option.flags}
    made, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        option = takes.get(word)
        if option is not None and option.default and not (rest and rest[0][:1].isdigit()):
            made.append(f"{word}={option.default}")
        else:
            made.append(f"{word}={rest.pop(0)}" if option is not None and rest else word)
    return made


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of MobileSim's options."""
    parser = _Parser(
        prog="understudy mobilesim", allow_abbrev=False, argument_default=argparse.SUPPRESS,
        description="Replace MobileSim: serve simulated Pioneer robots to ARIA programs, on TCP ports from 8101 up.",
        epilog="Exit codes: " + "; ".join(f"{code} {text}" for code, text in codes.MEANINGS.items()) + ".",
    )  # fmt: skip
    for option in OPTIONS:
        _add(parser, option)
    parser.add_argument("-help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--version", "-version", "-v", action="version", version=f"understudy {__version__}")
    parser.add_argument("last", nargs="?", metavar="MAP", help="the map, same as -m MAP")
    for word in (SUPERVISED, RESTARTED):
        parser.add_argument(word, action="store_true", help=argparse.SUPPRESS)
    return parser


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    settings: dict[str, Any] = {"dest": option.field, "help": option.text}
    if option.kind is ArgumentKind.IGNORED:
        text = f"{option.flags[0]}: {option.text}"
        settings |= {"action": _Explained, "const": text, "nargs": None if option.takes else 0}
    else:
        settings["action"] = {ArgumentKind.SET: "store", ArgumentKind.ADD: "append", ArgumentKind.FLAG: "store_true"}[
            option.kind
        ]
    if option.takes:
        settings |= {"metavar": option.argument.replace("%", "%%"), "type": _typed(option.convert)}
    parser.add_argument(*option.flags, **settings)


def _typed(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return *convert* with its ValueError as argparse's error."""

    def call(text: str) -> Any:
        try:
            return convert(text)
        except ValueError as problem:
            raise argparse.ArgumentTypeError(str(problem)) from None

    return call


class _Explained(argparse.Action):
    """Stores the explanation of an option that has no effect here."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, flag: str | None = None) -> None:
        setattr(namespace, self.dest, [*getattr(namespace, self.dest, []), self.const])


class _Parser(argparse.ArgumentParser):
    """Reports errors with MobileSim's exit code."""

    def error(self, message: str) -> NoReturn:
        """Raise StartError."""
        raise codes.StartError(codes.ARGUMENTS, f"{message} (see understudy mobilesim --help)")
