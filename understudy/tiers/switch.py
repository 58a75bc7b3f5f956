"""A kernel that the interpreter runs until there is compiled code for its arguments.

It is Numba's own dispatcher, which looks for compiled code first and so costs nothing once there is some. Only what it
does when it finds none is ours: it takes the code from the disk; else it orders it and lets the kernel's twin do the
work meanwhile. No tick need wait for the change-over: both tiers give the same bits.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from understudy.errors import UnderstudyError
from understudy.tiers import memory, twins
from understudy.tiers.workshop import WORKSHOP

log = logging.getLogger(__name__)
Function = Callable[..., Any]
VARIABLE = "UNDERSTUDY_COMPILE"


class Tier(Enum):
    """When kernels are compiled."""

    NOW = "now"  # when they are first called, which then waits
    BESIDE = "beside"  # by other processes, while the interpreter does their work
    NEVER = "never"


def _chosen() -> Tier:
    """Return what the environment asks for."""
    wish = os.environ.get(VARIABLE) or Tier.BESIDE.value
    if wish not in {tier.value for tier in Tier}:
        raise UnderstudyError(f"{VARIABLE}={wish}: it must be {', '.join(tier.value for tier in Tier)}")
    return Tier(wish)


TIER = _chosen()


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is called from Python; made of Numba's dispatcher by `switched`."""

    effort: int  # about how long it takes to compile (s)
    _long: Function | None  # says of arguments whether the interpreter would take too long for them
    _what: str  # has to wait then

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Return what to call for arguments that there is no compiled code for yet."""
        if TIER is Tier.NOW or WORKSHOP.closed or named:
            return super()._compile_for_args(*arguments, **named)
        signature = tuple(self.typeof_pyval(argument) for argument in arguments)
        if TIER is Tier.BESIDE and not WORKSHOP.has(self, signature):
            found = self.take(signature)
            if found is not None:
                return found
            if self._long is not None and self._long(*arguments):
                self._say_who_waits()
                return super()._compile_for_args(*arguments)
            WORKSHOP.order(self, signature)
        return self.interpreted

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

    def _say_who_waits(self) -> None:
        log.warning("%s being prepared: the run waits until %s is compiled", self._what, self.py_func.__name__)


def switched(dispatcher: Any, effort: int, long: Function | None, what: str) -> Kernel:
    """Make a dispatcher of Numba one that need not be compiled to be called."""
    dispatcher.__class__ = Kernel
    dispatcher.effort, dispatcher._long, dispatcher._what = effort, long, what
    made: Kernel = dispatcher
    return made
