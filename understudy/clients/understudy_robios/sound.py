"""Sound: beeps, files, the microphone."""

from __future__ import annotations

import struct
import wave
from typing import Any

from .calls import current, robios
from .frame import SOUNDING
from .values import encoded, text

__all__ = ["AUBeep", "AUDone", "AUMicrophone", "AUPlay"]
BEEP_HZ, BEEP_US = 880, 200_000
UNKNOWN_US = 1_000_000  # how long a file sounds whose length we cannot read


def length_us(file: str) -> int:
    """Return how long a sound file plays."""
    try:
        with wave.open(file) as sound:
            return int(sound.getnframes()) * 1_000_000 // max(int(sound.getframerate()), 1)
    except (OSError, EOFError, wave.Error):
        return UNKNOWN_US


@robios()
def AUBeep() -> int:
    """Beep."""
    current().order("Tone", BEEP_HZ, BEEP_US)
    return 0


@robios()
def AUPlay(filename: Any) -> int:
    """Play a sound file in the background."""
    current().order("PlayFile", length_us(text(filename)), rest=encoded(filename))
    return 0


@robios()
def AUDone() -> int:
    """Return 1 if nothing sounds, 0 while something does."""
    return 0 if current().settle().flags & SOUNDING else 1


@robios()
def AUMicrophone() -> int:
    """Return a sample of the microphone."""
    answer = current().query("MICROPHONE")
    return int(struct.unpack("<i", answer)[0]) if len(answer) == 4 else 0
