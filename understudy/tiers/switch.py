"""A kernel that the interpreter runs until there is compiled code for its arguments.

It is Numba's own dispatcher, which looks for compiled code first and so costs nothing once there is some. Only what it
does when it finds none is ours: it takes the code from the disk; else it orders it and lets the kernel's twin do the
work meanwhile. No tick need wait for the change-over: both tiers give the same bits.
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

from understudy.errors import UnderstudyError
from understudy.tiers import memory, twins
from understudy.tiers.workshop import WORKSHOP

log = logging.getLogger(__name__)
_Dispatcher: Any = registry.CPUDispatcher
VARIABLE = "UNDERSTUDY_COMPILE"
MOST_S = 1.5  # what the interpreter may take for one call; it is better to wait for the compiler then
NOTED_S = 0.1  # what is told


class Tier(Enum):
    """When kernels are compiled."""

    NOW = "now"  # when they are first called, which then waits
    BESIDE = "beside"  # by other processes, while the interpreter does their work
    NEVER = "never"


@cache
def tier() -> Tier:
    """Return what the environment asks for; it is asked when a kernel is first called."""
    wish = os.environ.get(VARIABLE) or Tier.BESIDE.value
    if wish not in {tier.value for tier in Tier}:
        raise UnderstudyError(f"{VARIABLE}={wish}: it must be {', '.join(tier.value for tier in Tier)}")
    return Tier(wish)


class Kernel(_Dispatcher):
    """A function that is called from Python; made of Numba's dispatcher by `switched`."""

    effort: int  # about how long it takes to compile (s)
    _cost: tuple[str, float] | None  # an argument, and how long the interpreter takes for each value in it (s)
    _what: str  # is slow until it is compiled

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Return what to call for arguments that there is no compiled code for yet."""
        if tier() is Tier.NOW or WORKSHOP.closed or named:
            return super()._compile_for_args(*arguments, **named)
        signature = tuple(self.typeof_pyval(argument) for argument in arguments)
        if tier() is Tier.NEVER:
            return self.interpreted
        known = WORKSHOP.has(self, signature)
        found = None if known else self.take(signature)
        if found is not None:
            return found
        cost_s = self._cost_of(arguments)
        if cost_s > MOST_S:
            _tell(f"{self._what or self.py_func.__name__} is being prepared: the run waits until it is compiled")
            return super()._compile_for_args(*arguments)
        if not known and not WORKSHOP.order(self, signature):
            return super()._compile_for_args(*arguments)
        if self._what and cost_s > NOTED_S:
            _tell(f"{self._what} is being prepared: it is slow until it is compiled")
        return self.interpreted

    def _cost_of(self, arguments: Sequence[Any]) -> float:
        """Return about how long the interpreter would take (s)."""
        if self._cost is None:
            return 0.0
        name, each_s = self._cost
        return each_s * float(arguments[self.py_func.__code__.co_varnames.index(name)].size)

    def interpreted(self, *arguments: Any) -> Any:
        """Let the interpreter do it."""
        with np.errstate(all="ignore"):
            return twins.twin_of(self)(*[memory.as_compiled(argument) for argument in arguments])

    def want(self, *arguments: Any) -> None:
        """See to it that there is compiled code for arguments like these: at once, or some time."""
        self._compile_for_args(*arguments)

    def take(self, signature: Any) -> Any:
        """Fetch from disk what has been compiled for these types; return it, or None."""
        with global_compiler_lock:
            known = self.overloads.get(signature)
            if known is not None:
                return known.entry_point
            code = self._cache.load_overload(signature, self.targetctx)
            if code is None:
                return None
            self.targetctx.insert_user_function(code.entry_point, code.fndesc, [code.library])
            self.add_overload(code)
            return code.entry_point


@cache
def _tell(text: str) -> None:
    """Say something, once."""
    log.warning("%s", text)


def switched(dispatcher: Any, effort: int, cost: tuple[str, float] | None, what: str) -> Kernel:
    """Make a dispatcher of Numba one that need not be compiled to be called."""
    dispatcher.__class__ = Kernel
    dispatcher.effort, dispatcher._cost, dispatcher._what = effort, cost, what
    made: Kernel = dispatcher
    return made
