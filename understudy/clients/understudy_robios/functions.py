"""All functions of both APIs as a table: name, group, API, how it is supported, what it does."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

from . import classic, robios7
from .calls import FULL


class ApiFunction(NamedTuple):
    """One function of an API."""

    api: str  # 7 or classic
    group: str
    name: str
    arguments: tuple[str, ...]  # those of Python; what stands in brackets may be left out
    support: str  # full, no effect, refused; after a semicolon what differs
    meaning: str


def functions() -> list[ApiFunction]:
    """Return all functions, in the order of the manuals."""
    return [*_of("7", robios7.GROUPS), *_of("classic", classic.GROUPS)]


def _of(api: str, groups: tuple[tuple[str, ModuleType], ...]) -> Iterator[ApiFunction]:
    for title, module in groups:
        for name in sorted(module.__all__):
            function = getattr(module, name)
            if not isinstance(function, type):
                support = getattr(function, "support", FULL)
                yield ApiFunction(api, title, name, _arguments(function), support, _sentence(function))


def _arguments(function: Any) -> tuple[str, ...]:
    return tuple(map(_argument, inspect.signature(function).parameters.values()))


def _argument(parameter: inspect.Parameter) -> str:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return "..."
    return parameter.name if parameter.default is inspect.Parameter.empty else f"[{parameter.name}]"


def _sentence(function: Any) -> str:
    return (function.__doc__ or "").strip().splitlines()[0]
