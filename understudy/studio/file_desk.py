"""Opens and saves scenes for the users of a studio; works in the simulation's thread, like every command.

A browser names a file by the row of a list that was made here, or by a plain name in the folder of the scene: no path
from a browser is ever used.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from understudy.errors import FormatError
from understudy.formats.document import Document
from understudy.sim.sim import Sim
from understudy.studio import recent
from understudy.studio.runner import Runner
from understudy.studio.stream import Stream
from understudy.studio.workspace import Workspace, new_scene, scenes_in

SUFFIXES = (".toml", ".map", ".wld", ".world", ".maz", ".sim", ".sear")
Opener = Callable[[Path | Document], Sim]


class FileDesk:
    """The file of the simulation that is shown, and those that can be opened instead."""

    def __init__(
        self, runner: Runner, stream: Stream, workspace: Workspace, opener: Opener | None, examples: Path | None = None
    ) -> None:
        self._runner, self._stream, self.workspace = runner, stream, workspace
        self._opener, self._examples = opener, examples
        self.following: tuple[Sim, Path | None] | None = None  # what is shown next
        if workspace.path is not None:
            recent.remember(workspace.path)

    @property
    def can_open(self) -> bool:
        """Return whether another scene can be opened: not for a tape or in MobileSim's place."""
        return self._opener is not None

    def choices(self) -> dict[str, dict[str, str]]:
        """Return the scenes that can be opened, by heading: path -> name."""
        here = list(dict.fromkeys((self.workspace.folder, Path.cwd().resolve())))
        groups = {
            "Recent": {str(path): f"{path.name}   ({path.parent})" for path in recent.recent()},
            **{f"In {folder}": scenes_in([folder], SUFFIXES) for folder in here},
            "Examples": scenes_in([self._examples], SUFFIXES) if self._examples else {},
        }
        return {heading: found for heading, found in groups.items() if found}

    def open(self, name: str) -> None:
        """Show another scene, one of the *choices*; an invalid one is refused, and this one goes on."""
        if not any(name in found for found in self.choices().values()):
            raise FormatError(f"{name!r} is not among the scenes that can be opened here")
        self._runner.ask(lambda sim: self._follow(Path(name)))

    def new(self) -> None:
        """Show an empty room."""
        self._runner.ask(lambda sim: self._follow(new_scene()))

    def _follow(self, what: Path | Document) -> None:
        assert self._opener is not None
        self._stream.say({"kind": "opening", "name": what.name if isinstance(what, Path) else "a new scene"})
        self.following = self._opener(what), what if isinstance(what, Path) else None
        self._runner.leave = True

    def save(self, name: str = "", *, present_poses: bool = False) -> None:
        """Save the scene, under its own name or another."""
        self._runner.ask(lambda sim: self._save(sim, name, present_poses))

    def _save(self, sim: Sim, name: str, present_poses: bool) -> None:
        path = self.workspace.save(sim, name, present_poses=present_poses)
        self._runner.title = path.stem
        recent.remember(path)
        self._stream.say({"kind": "saved", "name": path.name, "folder": str(path.parent)})
