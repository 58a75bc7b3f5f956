"""A kernel that the interpreter runs until there is compiled code for its arguments.

It is Numba's own dispatcher, which looks for compiled code first and so costs nothing once there is some. Only the
case without compiled code is ours: it loads the code from disk; otherwise it orders it, and the kernel's twin does the
work meanwhile. No tick waits for the change: both tiers are bit-identical.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
from numba.core import registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime.nrt import rtsys

from understudy import slim_numba
from understudy.errors import UnderstudyError
from understudy.tiers import locks, memory, twins
from understudy.tiers.workshop import WORKSHOP

log = logging.getLogger(__name__)
_Dispatcher: Any = registry.CPUDispatcher
VARIABLE = "UNDERSTUDY_COMPILE"
MOST_S = 1.5  # longest interpreted call; above, waiting for the compiler is better
NOTED_S = 0.1  # interpreted calls longer than this are reported


class Tier(Enum):
    """When kernels are compiled."""

    NOW = "now"  # at the first call, which waits for it
    BESIDE = "beside"  # in the background by other processes, while the interpreter runs them
    NEVER = "never"


@cache
def tier() -> Tier:
    """Return the mode set in the environment; read when a kernel is first called."""
    mode = os.environ.get(VARIABLE) or Tier.BESIDE.value
    if mode not in {tier.value for tier in Tier}:
        raise UnderstudyError(f"{VARIABLE}={mode}: invalid; use one of: {', '.join(tier.value for tier in Tier)}")
    return Tier(mode)


class Kernel(_Dispatcher):
    """A function that is called from Python; made of Numba's dispatcher by `switched`."""

    effort: int  # approximate compile time (s)
    _cost: tuple[str, float] | None  # an argument, and the interpreter's time per value in it (s)
    _what: str  # what is slow until it is compiled

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Return the function to call for arguments without compiled code yet."""
        if named:
            return super()._compile_for_args(*arguments, **named)
        signature = tuple(self.typeof_pyval(argument) for argument in arguments)
        if tier() is Tier.NEVER:
            return self.interpreted
        known = WORKSHOP.has(self, signature)
        found = None if known else self.take(signature)
        if found is not None:
            return found
        if tier() is Tier.NOW or WORKSHOP.closed:
            return super()._compile_for_args(*arguments)
        cost_s = self._cost_of(arguments)
        if cost_s > MOST_S:
            _report(f"{self._what or self.py_func.__name__} is being compiled: the run waits for it")
            return super()._compile_for_args(*arguments)
        if not known and not WORKSHOP.order(self, signature):
            return super()._compile_for_args(*arguments)
        if self._what and cost_s > NOTED_S:
            _report(f"{self._what} is being compiled: it is slow until then")
        return self.interpreted

    def compile(self, signature: Any) -> Any:
        """Compile it for arguments of these types; if another process is doing that, wait for its result."""
        slim_numba.load_compiler()
        with global_compiler_lock, locks.held(self):  # in this order, as for kernels that this one calls
            made = super().compile(signature)
        WORKSHOP.note()
        return made

    def _cost_of(self, arguments: Sequence[Any]) -> float:
        """Return the approximate time that the interpreter would take (s)."""
        if self._cost is None:
            return 0.0
        name, each_s = self._cost
        return each_s * float(arguments[self.py_func.__code__.co_varnames.index(name)].size)

    def interpreted(self, *arguments: Any) -> Any:
        """Run it in the interpreter."""
        with np.errstate(all="ignore"):
            return twins.twin_of(self)(*[memory.as_compiled(argument) for argument in arguments])

    def want(self, *arguments: Any) -> None:
        """Make sure that there will be compiled code for arguments like these: now or later."""
        self._compile_for_args(*arguments)

    @property
    def compiled(self) -> bool:
        """Return whether there is compiled code for some arguments."""
        return bool(self.overloads)

    def take(self, signature: Any) -> Any:
        """Load from disk what has been compiled for these types; return it, or None."""
        with global_compiler_lock:
            known = self.overloads.get(signature)
            if known is not None:
                return known.entry_point
            code = _loaded(self._cache, signature, self.targetctx)
            if code is None:
                return None
            self.targetctx.insert_user_function(code.entry_point, code.fndesc, [code.library])
            self.add_overload(code)
            return code.entry_point


def _loaded(store: Any, signature: Any, context: Any) -> Any:
    """Return compiled code from disk, or None.

    Numba's own method first prepares its compiler (0.1 s). Code that is compiled needs only its runtime library.
    """
    rtsys.initialize(context)
    with store._guard_against_spurious_io_errors():
        return store._load_overload(signature, context)


@cache
def _report(text: str) -> None:
    """Log a message once."""
    log.warning("%s", text)


def switched(dispatcher: Any, effort: int, cost: tuple[str, float] | None, what: str) -> Kernel:
    """Turn a Numba dispatcher into one that can be called before it is compiled."""
    dispatcher.__class__ = Kernel
    dispatcher.effort, dispatcher._cost, dispatcher._what = effort, cost, what
    made: Kernel = dispatcher
    return made
