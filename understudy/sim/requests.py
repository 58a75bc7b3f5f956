"""A queue of things to do in the simulation's thread, asked for by other threads: the studio, bridges, callers.

Requests are carried out between two ticks, in the order in which they were made. What they change goes through the
inbox, like everything else, and is on the tape.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
T = TypeVar("T")


class Requests:
    """Filled from any thread, emptied by the one that owns the simulation."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.waiting: deque[tuple[Callable[[Sim], Any], Future[Any]]] = deque()
        self._wake = wake  # ends the wait of a simulation that is paused
        self._closed = False

    def ask(self, request: Callable[[Sim], T]) -> Future[T]:
        """Do this in the simulation's thread, soon; the future has its result or what it raised.

        Never wait for the future in the simulation's own thread. Once the simulation is closed it is cancelled.
        """
        future: Future[T] = Future()
        self.waiting.append((request, future))
        if self._closed:
            self.close()
        self._wake()
        return future

    def serve(self, sim: Sim) -> None:
        """Carry out what waits; called between two ticks. What is asked meanwhile waits for the next time."""
        for _ in range(len(self.waiting)):
            if not self.waiting:  # a request has run the simulation, which has served the rest
                return
            request, future = self.waiting.popleft()
            if future.set_running_or_notify_cancel():
                _carry_out(request, future, sim)

    def close(self) -> None:
        """Cancel what waits, and all that comes."""
        self._closed = True
        while self.waiting:
            self.waiting.popleft()[1].cancel()


def _carry_out(request: Callable[[Sim], T], future: Future[T], sim: Sim) -> None:
    try:
        future.set_result(request(sim))
    except UnderstudyError as problem:
        future.set_exception(problem)
    except Exception as problem:  # an internal error must not end the run
        log.exception("a request has failed")
        future.set_exception(problem)
