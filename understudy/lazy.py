"""Tables of contents whose entries are made when they are looked up, so that a run imports only what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Lazy(Mapping[str, T], Generic[T]):
    """A mapping that knows its names; *get* makes the value of one, once."""

    def __init__(self, names: Iterable[str], get: Callable[[str], T]) -> None:
        self._names, self._get = dict.fromkeys(names), get
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        """Return what belongs to a name; raises KeyError."""
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._get(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        """Say whether there is such a name, without making anything."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def imported(homes: Mapping[str, str]) -> Lazy[Any]:
    """Return a table of what is to be imported: names of modules, or of things in them (``module:Thing``).

    >>> imported({"root": "math:sqrt"})["root"](9.0)
    3.0
    """
    return Lazy(homes, lambda name: _fetched(homes[name]))


def _fetched(home: str) -> Any:
    module, _, thing = home.partition(":")
    return getattr(import_module(module), thing) if thing else import_module(module)
