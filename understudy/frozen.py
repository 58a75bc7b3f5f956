"""Frozen data classes with slots that cost a third of ``@dataclass(frozen=True, slots=True)`` to create.

The standard library compiles six functions for each class. A start has 240 of these classes, and their creation took a
fifth of it. Here only ``__init__`` is compiled; the other methods are shared. The result is a data class for all of
`dataclasses` (`fields`, `replace`, `asdict`), and either kind can inherit from the other. ``InitVar`` is not supported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, is_dataclass
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")
_Methods = dict[str, Callable[..., Any]]


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(*, kw_only: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, kw_only: bool = False, eq: bool = True) -> Any:
    """Make a class a frozen data class with slots; without *eq* an object equals only itself.

    >>> @frozen
    ... class Spot:
    ...     x_m: float
    ...     y_m: float = 0.0
    >>> Spot(1.5), Spot(1.5) == Spot(1.5, 0.0)
    (Spot(x_m=1.5, y_m=0.0), True)
    """

    def made(plain: type[T]) -> type[T]:
        return _frozen(plain, kw_only, eq)

    return made if cls is None else made(cls)


def _frozen(plain: type[T], kw_only: bool, eq: bool) -> type[T]:
    given = {name for name, value in vars(plain).items() if value is not None}  # __hash__ is None beside an __eq__
    made = _collected(plain, kw_only)
    methods = {"__init__": _initializer(made), **_SHARED, **(_comparison(made) if eq else {})}
    for name, method in methods.items():
        if name not in given:
            setattr(made, name, method)
    return made


def _collected(plain: type[T], kw_only: bool) -> type[T]:
    """Return a data class with its fields, but without methods."""
    inherits = any(
        map(is_dataclass, plain.__mro__[1:])
    )  # a frozen class must say so to inherit from one; this is slower
    made = dataclass(init=False, repr=False, eq=False, kw_only=kw_only, slots=True, frozen=inherits)(plain)
    vars(made)["__dataclass_params__"].frozen = True  # for those that inherit from it
    return made


def _initializer(cls: type[Any]) -> Callable[..., None]:
    """Compile ``__init__``."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    places: list[str] = []
    names: list[str] = []
    body: list[str] = []
    for each in fields(cls):
        default = _default(each, known)
        if each.init:
            (names if each.kw_only else places).append(f"{each.name}{f' = {default}' if default else ''}")
        if each.init or default:
            body.append(f" _set(self, {each.name!r}, {_value(each)})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    parameters = ", ".join(["self", *places, *(["*"] if names else []), *names])
    exec("\n".join([f"def __init__({parameters}):", *(body or [" pass"])]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {each.name: each.type for each in fields(cls) if each.init} | {"return": None}
    return made


def _default(each: Field[Any], known: dict[str, Any]) -> str:
    """Return the default of a parameter as source text, which uses what becomes *known*; empty if there is none."""
    if each.default_factory is not MISSING:
        known[f"_make_{each.name}"] = each.default_factory
        return "_missing"
    if each.default is not MISSING:
        known[f"_default_{each.name}"] = each.default
        return f"_default_{each.name}"
    return ""


def _value(each: Field[Any]) -> str:
    """Return what a field is set to, as source text."""
    if each.default_factory is MISSING:
        return each.name if each.init else f"_default_{each.name}"
    made = f"_make_{each.name}()"
    return f"{made} if {each.name} is _missing else {each.name}" if each.init else made


def _comparison(cls: type[Any]) -> _Methods:
    """Return the methods that compare objects field by field."""
    compared = _values_of([each.name for each in fields(cls) if each.compare])
    hashed = _values_of([each.name for each in fields(cls) if (each.compare if each.hash is None else each.hash)])

    def __eq__(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(hashed(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function from an object to the tuple of its values."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple(getattr(thing, name) for name in names)


@recursive_repr()
def _text(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """Return what `pickle` and `copy` save."""
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state):
        object.__setattr__(self, each.name, value)


_SHARED: _Methods = {
    "__repr__": _text,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}
