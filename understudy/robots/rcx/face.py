"""What a user hears and sees of an RCX: sounds and the display."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.world.news import Sound

VIEWS = ("clock", "sensor 1", "sensor 2", "sensor 3", "motor A", "motor B", "motor C", "user")
MOST_SOUNDS = 16
SYSTEM_SOUNDS = 6
# (seconds, hertz) of the six sounds: click, beep beep, falling, rising, low buzz, fast rising
_TONES: tuple[tuple[tuple[float, float], ...], ...] = (
    ((0.02, 1000.0),),
    ((0.1, 1000.0), (0.05, 0.0), (0.1, 1000.0)),
    tuple((0.08, hertz) for hertz in (1000.0, 850.0, 700.0, 550.0)),
    tuple((0.08, hertz) for hertz in (550.0, 700.0, 850.0, 1000.0)),
    ((0.4, 120.0),),
    tuple((0.04, hertz) for hertz in (550.0, 700.0, 850.0, 1000.0)),
)


@dataclass(slots=True)
class RcxFace:
    """Sounds in a queue, and what the display is set to."""

    view: int = 0
    decimals: int = 0
    source: int = 2  # of the user's display
    value: int = 0
    muted: bool = False
    until_ms: int = 0  # when the last waiting sound ends
    waiting: int = 0  # sounds that were queued
    new: list[Sound] = field(default_factory=list)  # not yet reported

    def system_sound(self, number: int, now_ms: int) -> None:
        """Play one of the six sounds; others are ignored."""
        if 0 <= number < SYSTEM_SOUNDS:
            self._queue(Sound(_TONES[number], number), now_ms)

    def tone(self, hertz: int, hundredths: int, now_ms: int) -> None:
        """Play a tone."""
        if hertz > 0 and hundredths > 0:
            self._queue(Sound(((hundredths / 100, float(hertz)),)), now_ms)

    def _queue(self, sound: Sound, now_ms: int) -> None:
        if self.muted:
            return
        self.waiting = self.waiting + 1 if self.playing(now_ms) else 0
        if self.waiting < MOST_SOUNDS:
            length_ms = round(1000 * sum(seconds for seconds, _ in sound.tones))
            self.until_ms = max(self.until_ms, now_ms) + length_ms
            self.new.append(sound)

    def clear(self, now_ms: int) -> None:
        """Drop waiting sounds."""
        self.until_ms, self.waiting = now_ms, 0

    def playing(self, now_ms: int) -> bool:
        """Return whether a sound is heard."""
        return now_ms < self.until_ms
