"""How a verb is added to the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

from understudy.cli.importing import importing

Call = Callable[[argparse.Namespace], int]


def lazy(module: str, verb: str) -> Call:
    """Return a function that imports a verb's module only when the verb is called."""

    def call(args: argparse.Namespace) -> int:
        with importing():
            found = import_module(f"understudy.cli.{module}")
        return int(getattr(found, verb)(args))

    return call


def add(verbs: Any, name: str, call: Call, text: str) -> argparse.ArgumentParser:
    """Add a verb, or an action of one, and what it calls."""
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    parser.set_defaults(call=call)
    return parser
