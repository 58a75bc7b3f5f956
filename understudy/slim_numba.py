"""Import Numba without what a run does not need: its compiler's library, and modules that it only looks for.

A run whose kernels are all in the cache never compiles, so the library (0.04 s) is imported only before the first
function is compiled. The modules that Numba only looks for are SciPy (0.4 s) and PyYAML.

Numba uses SciPy's inner product for `convolve` and `correlate` if it is available, which no kernel here uses, and reads
``.numba_config.yaml`` if there is one, in which case PyYAML is not hidden. Only the importing thread sees them as
missing, and only during that time: ``import scipy`` works before, after, and meanwhile in other threads. Intel's vector
library is switched off: its sines differ in bits from those of the C library.
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
    """A finder that finds nothing, and reports some modules as missing to imports in this thread."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._thread = frozenset(names), get_ident()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return None: the next finder is used; raises ModuleNotFoundError for hidden modules."""
        if name.partition(".")[0] in self._names and get_ident() == self._thread:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Hide all modules of these packages from imports in this thread; those already imported stay."""
    finder = _Hidden(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def load() -> None:
    """Import Numba, unless it is already imported."""
    if "numba" in sys.modules:
        return
    os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")  # Numba reads it on import
    with hidden("scipy", *(() if Path(CONFIG).exists() else ("yaml",))):
        import numba  # noqa: F401


def load_compiler() -> None:
    """Import the part of Numba's library that looks for SciPy; before a function is compiled."""
    if "numba.np.arraymath" not in sys.modules:
        with hidden("scipy"):
            import numba.np.arraymath  # noqa: F401


load()
