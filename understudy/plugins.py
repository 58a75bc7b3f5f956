"""Registries that other packages extend with entry points.

Built-in entries are imported on first lookup. Entry points are read when a name is not built in, or when all names are
listed; a plug-in that cannot be used is skipped, with one warning that names its package.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from understudy.lazy import imported

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
Check = Callable[[str, Any], str]  # name and object -> why it cannot be used; empty if it can
log = logging.getLogger(__name__)


def _all_right(name: str, thing: Any) -> str:
    return ""


class Registry(Mapping[str, T], Generic[T]):
    """Built-in objects by name (``module:Thing``), then those of installed packages in the entry point group."""

    def __init__(self, group: str, noun: str, homes: Mapping[str, str], wrong: Check = _all_right) -> None:
        self.group, self.noun, self._wrong = group, noun, wrong
        self._ours = imported(homes)
        self._others: dict[str, T] | None = None
        self._packages: dict[str, str] = {}

    def __getitem__(self, name: str) -> T:
        """Return the object of a name; raises KeyError."""
        found: T = self._ours[name] if name in self._ours else self._plugins()[name]
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._plugins()

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from self._plugins()

    def __len__(self) -> int:
        return len(self._ours) + len(self._plugins())

    def package_of(self, name: str) -> str:
        """Return name and version of the package of a plug-in; empty for a built-in name."""
        return self._packages.get(name, "")

    def _plugins(self) -> dict[str, T]:
        if self._others is None:
            from importlib.metadata import entry_points  # slow to import

            self._others = {}  # a plug-in may look names up while it is loaded
            for entry in sorted(entry_points(group=self.group), key=lambda entry: entry.name):
                self._take(entry, self._others)
        return self._others

    def _take(self, entry: EntryPoint, others: dict[str, T]) -> None:
        """Add one plug-in, or log why it is skipped."""
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"
        try:
            thing = entry.load()
            wrong = self._wrong(entry.name, thing)
        except Exception as problem:
            wrong = f"it cannot be loaded: {problem!r}"
        if entry.name in self._ours:
            wrong = f"a built-in {self.noun} has this name"
        elif entry.name in others:
            wrong = f"a {self.noun} of {self._packages[entry.name]} has this name"
        if wrong:
            log.warning("%s %r (%s) of %s is skipped: %s", self.noun, entry.name, entry.value, package, wrong)
            return
        others[entry.name] = thing
        self._packages[entry.name] = package


def of_kind(name: str, thing: Any) -> str:
    """Return why a data sheet, or a class with one, cannot have this name: its kind must be the name."""
    kind = getattr(getattr(thing, "Sheet", thing), "kind", None)
    return "" if kind == name else f"its kind is {kind!r}"


def having(*names: str) -> Check:
    """Return a check that a plug-in has these attributes."""

    def wrong(name: str, thing: Any) -> str:
        missing = [needed for needed in names if not hasattr(thing, needed)]
        return f"it has no {', '.join(missing)}" if missing else ""

    return wrong


def callable_only(name: str, thing: Any) -> str:
    """Return why a plug-in cannot be used that must be a class or a function."""
    return "" if callable(thing) else "it is neither a class nor a function"
