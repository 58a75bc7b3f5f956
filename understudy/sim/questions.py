"""Orders whose reply a program or a caller waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from understudy.sim.inbox import Item, Order


class Questions:
    """Open questions by order; posted from any thread, settled by the run loop."""

    def __init__(self) -> None:
        self._open: dict[int, Order] = {}
        self._replies: dict[int, Any] = {}

    def ask(self, order: Order) -> None:
        """Keep the reply to this order until it is taken."""
        self._open[id(order)] = order

    def settle(self, items: Iterable[Item], replies: Iterable[tuple[Any, Any]]) -> None:
        """Note that *items* were processed, and the replies that came back."""
        if not self._open:
            return
        settled = {id(item.body): None for item in items if id(item.body) in self._open}
        given = {id(order): reply for order, reply in replies if id(order) in self._open}
        self._replies.update({**settled, **given})

    def is_settled(self, order: Order) -> bool:
        """Return whether the order was processed."""
        return id(order) in self._replies

    def reply(self, order: Order) -> Any:
        """Return the reply to an order and forget it; None if the unit returned none, or has not seen it."""
        self._open.pop(id(order), None)
        return self._replies.pop(id(order), None)

    def clear(self) -> None:
        """Forget everything, for a new run."""
        self._open.clear()
        self._replies.clear()
