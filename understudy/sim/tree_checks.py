"""Validation of trees from tapes and saved runs: a checksum shows that they are complete, not that they are valid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from understudy.errors import TapeError, UnderstudyError, cut, excerpt, in_one_line
from understudy.world.limits import STATE_NUMBER, TICKS

Schema = Any  # a type, COUNT, TICK, a table of schemas, [schema] for lists, (schema, ...) for lists of known length
COUNT = "a whole number from 0 up"
TICK = f"a tick from 0 to {TICKS:,}"
ANY = "anything"
MOST_KEY = 40  # characters of a key in a message
_MOST: Mapping[str, int] = {COUNT: 2**63 - 1, TICK: TICKS}
_WORDS = {int: "a whole number", str: "text", bytes: "bytes", dict: "a table", list: "a list", bool: "true or false"}


def check(tree: Any, schema: Schema, place: str) -> None:
    """Raise a TapeError that names the first place where *tree* does not match *schema*."""
    if isinstance(schema, Mapping):
        _check_table(tree, schema, place)
    elif isinstance(schema, list):
        for i, item in enumerate(_need(tree, list, place)):
            check(item, schema[0], f"{place}[{i}]")
    elif isinstance(schema, tuple):
        if len(_need(tree, list, place)) != len(schema):
            raise TapeError(f"{place}: want {len(schema)} values, got {len(tree)}")
        for i, (item, inner) in enumerate(zip(tree, schema)):
            check(item, inner, f"{place}[{i}]")
    elif schema in _MOST:
        if not 0 <= _need(tree, int, place) <= _MOST[schema]:
            raise TapeError(f"{place}: want {schema}, got {excerpt(tree)}")
    elif schema is not ANY:
        _need(tree, schema, place)


def _check_table(tree: Any, schema: Mapping[Any, Schema], place: str) -> None:
    """Check a table of known keys or, with a type as the only key, of any keys of this type."""
    _need(tree, dict, place)
    kind = next(iter(schema))
    if isinstance(kind, type):
        for key, value in tree.items():
            _need(key, kind, f"a key of {place}")
            check(value, schema[kind], f"{place}.{cut(str(key), MOST_KEY)}")
        return
    if missing := [key for key in schema if key not in tree]:
        raise TapeError(f"{place}: {missing[0]} is missing")
    if unknown := [key for key in tree if key not in schema]:
        raise TapeError(f"{place}: unknown part {excerpt(unknown[0])}")
    for key, inner in schema.items():
        check(tree[key], inner, f"{place}.{key}")


def _need(value: Any, kind: type, place: str) -> Any:
    """Return *value* if it is of a type; a boolean does not count as a number."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TapeError(f"{place}: want {_WORDS.get(kind, kind.__name__)}, got {excerpt(value)}")
    return value


def check_like(tree: Any, model: Any, place: str) -> None:
    """Raise TapeError unless *tree* has the parts of *model*, each of the same type, arrays also of the same shape.

    A state may contain more than that of a new run: waiting readings, streams that a client requested.
    """
    if isinstance(model, np.ndarray):
        _check_array(tree, model, place)
    elif isinstance(model, Mapping):
        for key, value in _need(tree, dict, place).items():
            if key in model:
                check_like(value, model[key], f"{place}.{cut(str(key), MOST_KEY)}")
        if missing := [key for key in model if key not in tree]:
            raise TapeError(f"{place}: {missing[0]} is missing")
    elif isinstance(model, list):
        for i, (item, inner) in enumerate(zip(_need(tree, list, place), model)):
            check_like(item, inner, f"{place}[{i}]")
    elif isinstance(model, float) and not isinstance(tree, bool) and isinstance(tree, int | float):
        if math.isfinite(model) and not math.isfinite(tree):
            raise TapeError(f"{place}: want a finite number, got {tree}")
    elif isinstance(model, int) and not isinstance(model, bool):
        if not -(2**63) <= _need(tree, int, place) < 2**63:
            raise TapeError(f"{place}: want a 64-bit integer, got {excerpt(tree)}")
    elif model is not None:
        _need(tree, type(model), place)


def _check_array(tree: Any, model: np.ndarray[Any, Any], place: str) -> None:
    _need(tree, np.ndarray, place)
    if (tree.dtype, tree.shape) != (model.dtype, model.shape):
        raise TapeError(f"{place}: want numbers {model.dtype} {model.shape}, got {tree.dtype} {tree.shape}")


def check_bounded(tree: Any, place: str) -> None:
    """Raise TapeError if an array in a tree contains NaN, infinity or an absurdly large number."""
    for key, value in tree.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and not (np.abs(value) <= STATE_NUMBER).all():
            raise TapeError(f"{place}.{key}: contains NaN, infinity or a number above {STATE_NUMBER:g}")


@contextmanager
def blamed_on(place: str) -> Iterator[None]:
    """Turn any exception inside into one TapeError that begins with *place*: invalid content fails in many ways."""
    try:
        yield
    except UnderstudyError as problem:
        if isinstance(problem, TapeError) and str(problem).startswith(place):
            raise
        raise TapeError(in_one_line(f"{place}: {problem}")) from problem
    except Exception as problem:
        raise TapeError(in_one_line(f"{place}: cannot be used ({type(problem).__name__}: {problem})")) from problem
