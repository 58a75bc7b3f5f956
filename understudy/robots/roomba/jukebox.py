"""The songs of a Roomba."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy import elementary
from understudy.robots.roomba.orders import Song
from understudy.units import US_PER_S
from understudy.world.news import Sound

MOST_NOTES = 16
LOWEST_NOTE, HIGHEST_NOTE = 31, 127  # anything else is a rest
_A4, _A4_HZ, _SEMITONES, _STEPS_PER_S = 69, 440.0, 12.0, 64


@dataclass(slots=True)
class Jukebox:
    """The songs by number, and which one is played until when."""

    songs: dict[str, list[list[int]]] = field(default_factory=dict)
    number: int = 0
    until_us: int = 0
    playing: bool = False

    def define(self, song: Song, most: int) -> None:
        """Keep a song, if its number and its length are valid."""
        if 0 <= song.number < most and 1 <= len(song.notes) <= MOST_NOTES:
            self.songs[str(song.number)] = [list(note) for note in song.notes]

    def play(self, number: int, now_us: int) -> Sound | None:
        """Begin a song and return its tones; None if there is no such song, or while another one plays."""
        notes = self.songs.get(str(number))
        if notes is None or self.playing:
            return None
        self.number, self.playing = number, True
        self.until_us = now_us + sum(duration for _, duration in notes) * US_PER_S // _STEPS_PER_S
        return Sound(tuple((duration / _STEPS_PER_S, hertz(note)) for note, duration in notes))

    def go_on(self, now_us: int) -> None:
        """End the song when its time is over."""
        self.playing = self.playing and now_us < self.until_us


def hertz(note: int) -> float:
    """Return the frequency of a MIDI note; 0 for a rest.

    >>> hertz(69), hertz(30)
    (440.0, 0.0)
    """
    return _A4_HZ * elementary.power(2.0, (note - _A4) / _SEMITONES) if LOWEST_NOTE <= note <= HIGHEST_NOTE else 0.0
