"""What a Python file imports from beside it, as far as that can be seen without running it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath


def beside(name: str, has: Callable[[str], bool], read: Callable[[str], bytes]) -> dict[str, bytes]:
    """Return a file and all that it imports from its folder, by name; *has* and *read* look files up.

    >>> files = {"a/main.py": b"import math, helper", "a/helper.py": b""}
    >>> sorted(beside("a/main.py", files.__contains__, files.__getitem__))
    ['a/helper.py', 'a/main.py']
    """
    found: dict[str, bytes] = {}
    waiting = [name]
    while waiting:
        file = waiting.pop()
        if file not in found and has(file):
            found[file] = read(file)
            waiting += _imported(found[file], PurePosixPath(name).parent, PurePosixPath(file).parent)
    return found


def _imported(source: bytes, root: PurePosixPath, here: PurePosixPath) -> list[str]:
    """Return the files that the modules which a source imports would be: from *root*, or relative to *here*."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # it is reported when it runs
        return [file for name, base in _modules(ast.parse(source), root, here) for file in _candidates(name, base)]
    return []


def _modules(tree: ast.AST, root: PurePosixPath, here: PurePosixPath) -> Iterator[tuple[str, PurePosixPath]]:
    """Yield the dotted names that a source imports, each with the folder that it begins in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, root) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here.joinpath(*[".."] * (node.level - 1)) if node.level else root
            prefix = f"{node.module}." if node.module else ""
            yield from ((prefix + alias.name, base) for alias in node.names)


def _candidates(name: str, base: PurePosixPath) -> Iterator[str]:
    """Yield the files that ``a.b.c`` and the packages around it may be."""
    for part in name.split("."):
        base = base / part
        yield f"{base}.py"
        yield str(base / "__init__.py")
