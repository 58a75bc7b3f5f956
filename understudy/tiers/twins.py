"""Twins: functions that the interpreter runs instead of compiled ones, made from the same source.

A twin is the function's own code with other globals: those of its module, in which every compiled function is replaced
by its twin, and everything that emits LLVM code by a stand-in in Python and NumPy. Divisions are rewritten, because
division by zero must give infinity. A kernel may provide its own twin that is faster than its source.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from numba.core.dispatcher import Dispatcher

from understudy.tiers import arithmetic

Function = Callable[..., Any]
_OVER = "__over__"  # what divisions call
_STAND_INS: dict[int, Any] = {}  # by the identity of the replaced object; these live as long as their modules
_TWINS: dict[int, Function] = {}
_SCOPES: dict[str, dict[str, Any]] = {}  # by module


def stand_in(thing: Any, other: Any) -> None:
    """Register a stand-in for something that only compiled code can use."""
    _STAND_INS[id(thing)] = other


def twin_of(dispatcher: Any) -> Function:
    """Return the function that the interpreter runs instead of a compiled one.

    It takes arguments as `memory.as_compiled` returns them, and requires that NumPy's warnings are off.
    """
    known: Function | None = _STAND_INS.get(id(dispatcher)) or _TWINS.get(id(dispatcher))
    if known is not None:
        return known
    function = dispatcher.py_func
    scope = _scope_of(function)  # makes the twins of the whole module, this one too if the module has it
    if id(dispatcher) not in _TWINS:
        _TWINS[id(dispatcher)] = FunctionType(
            _divided(function.__code__), scope, function.__name__, function.__defaults__, function.__closure__
        )
    return _TWINS[id(dispatcher)]


def _scope_of(function: Function) -> dict[str, Any]:
    """Return the globals of the twins of a module; they may be incomplete, because twins refer to them."""
    module = function.__module__
    if module not in _SCOPES:
        scope = _SCOPES[module] = {**function.__globals__, "int": arithmetic.whole, _OVER: arithmetic.over}
        for name, value in list(scope.items()):
            scope[name] = _interpreted(value)
    return _SCOPES[module]


def _interpreted(value: Any) -> Any:
    """Return the interpreter's replacement of a global."""
    if isinstance(value, Dispatcher):
        return twin_of(value)
    return _STAND_INS.get(id(value), value)


stand_in(math, arithmetic.math)


# ---- divisions


@cache
def _divided(code: CodeType) -> CodeType:
    """Return the code of a function with its divisions rewritten; unchanged if there is no source."""
    found = _functions(code.co_filename).get(code.co_firstlineno)
    if found is None or not any(isinstance(node, ast.Div) for node in ast.walk(found)):
        return code
    found.decorator_list = []
    module = ast.Module([_Divisions().visit(found)], [])
    compiled = compile(module, code.co_filename, "exec", dont_inherit=True)
    return next(each for each in compiled.co_consts if isinstance(each, CodeType))


@cache
def _functions(file: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a source file by the first line of them or their decorators."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError):
        return {}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {min([node.lineno, *(each.lineno for each in node.decorator_list)]): node for node in functions}


class _Divisions(ast.NodeTransformer):
    """Replaces divisions by calls."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Rewrite ``a / b``."""
        self.generic_visit(node)
        return _call(node, node.left, node.right) if isinstance(node.op, ast.Div) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Rewrite ``a /= b``."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        now = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        return ast.copy_location(ast.Assign([node.target], _call(node, now, node.value)), node)


def _call(node: ast.AST, a: ast.expr, b: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(_OVER, ast.Load()), node), [a, b], []), node)
