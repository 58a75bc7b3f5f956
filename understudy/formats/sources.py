"""Map key paths of the flat scene back to the user's files and lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from understudy.errors import Problem
from understudy.formats.document import Document, Source
from understudy.world.records import Finding, KeyPath
from understudy.world.scene import LISTS


@dataclass(frozen=True)
class RobotSource:
    """A robot file, whose ``[robot]`` is a scene's ``[[robot]]``; *base* is the robot it is derived from."""

    source: Source
    base: RobotSource | None = None

    def depth(self, path: KeyPath) -> int:
        """Return how many steps of a path in a scene's robot are given in the robot file or its base."""
        return max(self._own_depth(path), self.base.depth(path) if self.base else 0)

    def problem(self, path: KeyPath, text: str) -> Problem:
        """Return an error at a path in a scene's robot, in the file that gives most of the path."""
        if self.base and self.base.depth(path) > self._own_depth(path):
            return self.base.problem(path, text)
        return self.source.problem(max((path, ("robot", *path)), key=self.source.depth), text)

    def _own_depth(self, path: KeyPath) -> int:
        return max(self.source.depth(path), self.source.depth(("robot", *path)) - 1)


class SourceMap:
    """Maps each thing of the flat scene to its document, and each robot to its robot file."""

    def __init__(self, document: Document) -> None:
        self.main = document
        self.robot_sources: dict[KeyPath, RobotSource] = {}  # by the path of the robot
        parts = list(document.merged())
        self._owners = {
            key: [(part, row) for part in parts for row in _rows(part, key, collection)]
            for key, collection in LISTS.items()
        }
        self._port_owners = {port.name: part for part in parts for port in part.scene.ports}
        self._files = [document.file, *(part.file for part in parts)]

    def owner(self, path: KeyPath) -> tuple[Document, KeyPath]:
        """Return the document that a path of the flat scene comes from, and the path in it."""
        if len(path) >= 2 and path[0] == "port":
            return self._port_owners.get(str(path[1]), self.main), path
        if len(path) < 2 or path[0] not in LISTS or not isinstance(path[1], int):
            return self.main, path
        owners = self._owners[str(path[0])]
        if path[1] >= len(owners):  # the generated wall at the edge of the ground
            return self.main, ("ground", "walled")
        document, row = owners[path[1]]
        return document, (path[0], row, *path[2:])

    def flat(self, file: str, path: KeyPath) -> KeyPath:
        """Return the path in the flat scene of a path in a file."""
        for index, (document, row) in enumerate(self._owners.get(str(path[0]), ()) if len(path) > 1 else ()):
            if document.file == file and row == path[1]:
                return (path[0], index, *path[2:])
        return path

    def problem(self, finding: Finding) -> Problem:
        """Return an error of the flat scene with its line: the scene's own line if the scene gives the key."""
        for home, path in map(self.owner, (finding.path, *finding.elsewhere)):
            if home.source.spelled(path):
                return home.source.problem(path, finding.text)
        document, path = self.owner(finding.path)
        place = next((finding.path[:n] for n in (2, 3) if finding.path[:n] in self.robot_sources), None)
        if place is not None and document.lines and place != finding.path:
            robot, inside = self.robot_sources[place], path[len(place) :]
            in_scene = document.source.depth(path) - len(place)
            if in_scene <= 0 or robot.depth(inside) > in_scene:
                return robot.problem(inside, finding.text)
        return document.source.problem(path, finding.text)

    def ordered(self, problems: Iterable[Problem]) -> Sequence[Problem]:
        """Return each problem once, the main file's first, in the order of lines."""
        rank = {file: number for number, file in reversed(list(enumerate(self._files)))}
        return sorted(dict.fromkeys(problems), key=lambda p: (rank.get(p.file, len(rank)), p.file, p.line))


def _rows(document: Document, key: str, collection: str) -> Iterable[int]:
    return document.rows.get(key, range(len(getattr(document.scene, collection))))
