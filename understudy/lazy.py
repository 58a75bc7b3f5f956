"""Tables whose entries are created on first lookup, so that a run imports only what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Lazy(Mapping[str, T], Generic[T]):
    """A mapping that knows its names; *get* creates the value of one, once."""

    def __init__(self, names: Iterable[str], get: Callable[[str], T]) -> None:
        self._names, self._get = dict.fromkeys(names), get
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        """Return the value of a name; raises KeyError."""
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._get(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a name, without creating anything."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Mapped(Mapping[str, Any]):
    """A table whose values are made of those of another one, when they are looked up."""

    def __init__(self, table: Mapping[str, Any], of: Callable[[Any], Any]) -> None:
        self._table, self._of = table, of

    def __getitem__(self, name: str) -> Any:
        """Return what is made of the thing of this name; raises KeyError."""
        return self._of(self._table[name])

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


def imported(homes: Mapping[str, str]) -> Lazy[Any]:
    """Return a table of lazy imports: names of modules, or of objects in them (``module:Thing``).

    >>> imported({"root": "math:sqrt"})["root"](9.0)
    3.0
    """
    return Lazy(homes, lambda name: _fetched(homes[name]))


def _fetched(home: str) -> Any:
    module, _, thing = home.partition(":")
    return getattr(import_module(module), thing) if thing else import_module(module)
