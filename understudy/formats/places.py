"""From paths of the flat scene back to the files and lines that a user wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from understudy.errors import Problem
from understudy.formats.document import Document, Source
from understudy.world.plain import Mistake, Path
from understudy.world.scene import COLLECTIONS, THING_KEYS


@dataclass(frozen=True)
class RobotSource:
    """A robot file, whose ``[robot]`` holds what a scene has in ``[[robot]]``; *base* is the one that it is like."""

    source: Source
    base: RobotSource | None = None

    def depth(self, path: Path) -> int:
        """Return how many steps of a path in a scene's robot are written in the robot file or its base."""
        return max(self._own_depth(path), self.base.depth(path) if self.base else 0)

    def problem(self, path: Path, text: str) -> Problem:
        """Return a mistake at a path in a scene's robot, in the file that says most of it."""
        if self.base and self.base.depth(path) > self._own_depth(path):
            return self.base.problem(path, text)
        return self.source.problem(max((path, ("robot", *path)), key=self.source.depth), text)

    def _own_depth(self, path: Path) -> int:
        return max(self.source.depth(path), self.source.depth(("robot", *path)) - 1)


class Places:
    """Knows which document each thing of the flat scene comes from, and which robot file each robot."""

    def __init__(self, document: Document) -> None:
        self.main = document
        self.robot_sources: dict[int, RobotSource] = {}
        parts = list(document.merged())
        self._owners = {
            key: [(part, row) for part in parts for row in _rows(part, key, COLLECTIONS[cls])]
            for cls, key in THING_KEYS.items()
        }
        self._files = [document.file, *(part.file for part in parts)]

    def owner(self, path: Path) -> tuple[Document, Path]:
        """Return the document that a path of the flat scene comes from, and the path in it."""
        if len(path) < 2 or path[0] not in THING_KEYS.values() or not isinstance(path[1], int):
            return self.main, path
        owners = self._owners[str(path[0])]
        if path[1] >= len(owners):  # the wall that was made for the edge of the ground
            return self.main, ("ground", "walled")
        document, row = owners[path[1]]
        return document, (path[0], row, *path[2:])

    def flat(self, file: str, path: Path) -> Path:
        """Return the path in the flat scene of a path in a file."""
        for index, (document, row) in enumerate(self._owners.get(str(path[0]), ()) if len(path) > 1 else ()):
            if document.file == file and row == path[1]:
                return (path[0], index, *path[2:])
        return path

    def problem(self, mistake: Mistake) -> Problem:
        """Return a mistake of the flat scene with its line: the scene's own if it is written there."""
        for home, path in map(self.owner, (mistake.path, *mistake.elsewhere)):
            if home.source.spelled(path):
                return home.source.problem(path, mistake.text)
        document, path = self.owner(mistake.path)
        robot = self._robot_source(mistake.path)
        in_scene = document.source.depth(path) - 2
        if robot and document.lines and (in_scene <= 0 or robot.depth(path[2:]) > in_scene):
            return robot.problem(path[2:], mistake.text)
        return document.source.problem(path, mistake.text)

    def _robot_source(self, path: Path) -> RobotSource | None:
        index = path[1] if len(path) > 2 and path[0] == "robot" else None
        return self.robot_sources.get(index) if isinstance(index, int) else None

    def ordered(self, problems: Iterable[Problem]) -> Sequence[Problem]:
        """Return each problem once, the main file's first, in the order of lines."""
        rank = {file: number for number, file in reversed(list(enumerate(self._files)))}
        return sorted(dict.fromkeys(problems), key=lambda p: (rank.get(p.file, len(rank)), p.file, p.line))


def _rows(document: Document, key: str, collection: str) -> Iterable[int]:
    return document.rows.get(key, range(len(getattr(document.scene, collection))))
