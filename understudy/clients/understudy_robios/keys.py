"""The four keys under the LCD, and touches of the screen. A press is kept until it is read once."""

from __future__ import annotations

from typing import Any

from .calls import current, robios
from .constants import ANYKEY, KEY1, KEY2, KEY3, KEY4, NOKEY
from .frame import KEYS
from .session import Session
from .values import store, whole

__all__ = ["KEYGet", "KEYGetXY", "KEYRead", "KEYReadXY", "KEYWait"]
_KEYS = (KEY1, KEY2, KEY3, KEY4)


class Pressed:
    """What the program has read of the counters of presses."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.taken = [0, 0, 0, 0]
        self.touches = 0
        self.waited_for = 0  # keys that ended a wait: still down, they are not read again

    def of(self, session: Session) -> Pressed:
        """Return this; a new session begins with what was pressed before it."""
        if self.session is not session:
            self.session, self.taken, self.touches = session, [0, 0, 0, 0], 0
        return self

    def latched(self, session: Session) -> int:
        """Return the key of a press that has not been read, and take it; 0 if there is none."""
        self.waited_for &= session.frame.keys
        for at, count in enumerate(session.frame.presses):
            if count != self.taken[at]:
                self.taken[at] = count
                return _KEYS[at]
        return NOKEY

    def touched(self, session: Session) -> bool:
        """Return whether the screen was touched since the last look."""
        before, self.touches = self.touches, session.frame.touches
        return self.touches != before


pressed = Pressed()


@robios()
def KEYRead() -> int:
    """Return a key that is pressed, or was since the last look; 0 if none."""
    session = current()
    known = pressed.of(session)
    return known.latched(session) or _lowest(session.frame.keys & ~known.waited_for)


def _lowest(keys: int) -> int:
    return next((key for key in _KEYS if keys & key), NOKEY)


def wait_for_key(wanted: int) -> int:
    """Return the next key of *wanted* that is pressed; other presses are dropped."""
    session = current()
    known = pressed.of(session)
    while True:
        key = 0

        def is_pressed() -> int:
            nonlocal key
            key = known.latched(session)
            return key

        session.wait_for(is_pressed, KEYS)
        if key & wanted:
            known.waited_for |= key
            return key


@robios()
def KEYGet() -> int:
    """Wait for a key and return it."""
    return wait_for_key(ANYKEY)


@robios()
def KEYWait(key: Any) -> int:
    """Wait for this key, or for any with ANYKEY, and return it."""
    wanted = int(getattr(key, "value", key)) & ANYKEY  # ANYKEY does not fit into a C int
    return wait_for_key(wanted or ANYKEY)


@robios()
def KEYGetXY(x: Any = None, y: Any = None) -> Any:
    """Wait for a touch and return its place [x, y]; with two ctypes ints, store it there."""
    session = current()
    known = pressed.of(session)
    session.wait_for(lambda: known.touched(session), KEYS)
    return _place(session, x, y)


@robios()
def KEYReadXY(x: Any = None, y: Any = None) -> Any:
    """Return the place of a touch since the last look, or [-1, -1]; with two ctypes ints: 0 and the place, or 1."""
    session = current()
    if pressed.of(session).touched(session):
        return _place(session, x, y)
    return [-1, -1] if x is None else 1


def _place(session: Session, x: Any, y: Any) -> Any:
    place = list(session.frame.touch)
    if x is None:
        return place
    store(x, whole(place[0]))
    store(y, whole(place[1]))
    return 0
