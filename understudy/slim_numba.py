"""Imports Numba without what it would import only to ask whether it is there: SciPy (0.4 s) and PyYAML.

Numba takes an inner product of SciPy's for `convolve` and `correlate` if there is one, which no kernel here uses, and
reads ``.numba_config.yaml`` if there is one, in which case PyYAML is let through. Only the importing thread sees them
as missing, and only for that time: ``import scipy`` works before, after, and meanwhile in other threads. Intel's vector
library is switched off: its sines have other bits than those of the C library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from threading import get_ident
from types import ModuleType

CONFIG = ".numba_config.yaml"  # Numba looks for it in the working folder


class _Hidden:
    """A finder that finds nothing, and says that some modules do not exist to whoever asks in this thread."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._thread = frozenset(names), get_ident()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return None: ask the next finder; raises ModuleNotFoundError."""
        if name.partition(".")[0] in self._names and get_ident() == self._thread:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let no module below these packages be imported by this thread; those that are there already stay."""
    finder = _Hidden(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def load() -> None:
    """Import Numba and the part of it that asks for SciPy, unless it is here already."""
    if "numba" in sys.modules:
        return
    os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")  # Numba looks at it when it is imported
    with hidden("scipy", *(() if Path(CONFIG).exists() else ("yaml",))):
        import numba
        import numba.np.arraymath  # noqa: F401 - asks when it is first used, so it is asked now


load()
