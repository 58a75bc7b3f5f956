"""`lib`: the functions by their C names and arguments, as the original module loads them from a shared library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class LibraryFunction:
    """A function as ctypes has it: programs may set its types; arguments are accepted as they come."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.__name__, self._function = name, function
        self.argtypes: Any = None
        self.restype: Any = None
        self.errcheck: Any = None

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return self._function(*args)

    def __repr__(self) -> str:
        return f"<RoBIOS function {self.__name__}>"


class Library:
    """The functions of an API as attributes and by index."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._functions = {name: LibraryFunction(name, function) for name, function in functions.items()}

    def __getattr__(self, name: str) -> LibraryFunction:
        try:
            return self.__dict__["_functions"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"RoBIOS has no function {name}") from None

    __getitem__ = __getattr__

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __dir__(self) -> list[str]:
        return sorted(self._functions)
