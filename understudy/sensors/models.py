"""Commercial devices as data: the numbers of their data sheets, and the source of each number.

A device of a robot names one with ``model = "ping"``; its own keys override those of the model.
To add one: a file in ``catalog/``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from understudy.lazy import Lazy
from understudy.sensors import SENSORS
from understudy.world.records import from_plain
from understudy.world.robot import DeviceSpec


@dataclass(frozen=True)
class DeviceModel:
    """A device of the catalogue: its table, as in a robot file, and its sources."""

    name: str
    summary: str
    device: Mapping[str, Any]
    sources: tuple[str, ...]
    numbers: Mapping[str, str]  # key of the table -> source of the value
    also: tuple[str, ...] = ()  # other names

    @property
    def kind(self) -> str:
        """Return its kind of sensor."""
        return str(self.device["kind"])

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        return from_plain(DeviceSpec, {"name": "it", **self.device}, {"devices": SENSORS}).sheet


@cache
def models() -> Mapping[str, DeviceModel]:
    """Return every device of the catalogue, by its name."""
    folder = files(__package__).joinpath("catalog")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    files_of = {file.name.removesuffix(".toml"): file for file in found}
    return Lazy(files_of, lambda name: _model(name, files_of[name].read_text("utf-8")))


def _model(name: str, text: str) -> DeviceModel:
    table = tomllib.loads(text)
    lists = {key: tuple(table.get(key, ())) for key in ("sources", "also")}
    return DeviceModel(name, table["summary"], table["device"], numbers=table.get("numbers", {}), **lists)


def find(word: str) -> DeviceModel | None:
    """Return the device that another program's file may mean by *word*, by any of its names, in any spelling.

    >>> find("Parallax PING)))").name, find("sick lms 200").name, find("abacus")
    ('ping', 'lms200', None)
    """
    wanted = _letters(word)
    known = {_letters(name): model for model in models().values() for name in (*model.also, model.name)}
    return known.get(wanted)


def _letters(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())
