"""The links of a URDF robot, from the root of their tree down, and the joints that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from understudy import elementary
from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats.robot_parts import Array
from understudy.formats.urdf.shapes import origin

SERVED = ("revolute", "prismatic", "continuous")
MOVING = (*SERVED, "floating", "planar", "spherical")  # the last is Bullet's
_JOINTS = ("fixed", *MOVING)
_MOST_LINKS = 2_000


@dataclass(frozen=True, eq=False)
class UrdfLink:
    """A link, its pose with all joints at 0, and its parent joint."""

    element: Element
    name: str
    matrix: Array
    joint: Element | None

    @property
    def kind(self) -> str:
        """Return the kind of its joint."""
        return self.joint.get("type") if self.joint else "fixed"

    @property
    def serves(self) -> bool:
        """Return whether its joint can be moved by a servo."""
        return self.kind in SERVED

    @property
    def above(self) -> str:
        """Return the name of its parent link, empty for the root."""
        parent = self.joint.first("parent") if self.joint else None
        return parent.get("link") if parent else ""

    def axis(self, file: str) -> Array:
        """Return the axis of its joint in the frame of the robot."""
        element = self.joint.first("axis") if self.joint else None
        own = xml_text.numbers(element.get("xyz", "1 0 0"), 3, file, element.line, "an axis") if element else (1, 0, 0)
        length = elementary.hypot(*own)
        if not length > 0.0:
            raise FormatError(f"{file}:{element.line if element else 0}: invalid axis: all its numbers are 0")
        return np.asarray(arrays.product(self.matrix[:3, :3], np.array(own)) / length)


def links_of(root: Element, file: str) -> list[UrdfLink]:
    """Return the links from the root of the tree down; raises FormatError if they are not a tree."""
    elements = {link.get("name"): link for link in root.all("link")}
    if not elements or "" in elements:
        raise FormatError(f"{file}:{root.line}: want at least one link, each with a name")
    if len(elements) > _MOST_LINKS:
        raise FormatError(f"{file}: too many links: {len(elements):,} (at most {_MOST_LINKS:,})")
    held: dict[str, tuple[str, Element]] = {}
    for joint in root.all("joint"):
        parent, child = _ends(joint, elements, file)
        if child in held:
            raise FormatError(f"{file}:{joint.line}: the link {child!r} has two parent joints; want a tree")
        held[child] = (parent, joint)
    roots = [name for name in elements if name not in held]
    if len(roots) != 1:
        raise FormatError(f"{file}: {len(roots)} links have no parent joint (want one, the root: {roots[:5]})")
    return list(_walk(roots[0], elements, held, file))


def _ends(joint: Element, elements: Mapping[str, Element], file: str) -> tuple[str, str]:
    parent, child = (element.get("link") if (element := joint.first(tag)) else "" for tag in ("parent", "child"))
    for end in (parent, child):
        if end not in elements:
            raise FormatError(f"{file}:{joint.line}: the joint {joint.get('name')!r} names an unknown link {end!r}")
    if joint.get("type") not in _JOINTS:
        raise FormatError(
            f"{file}:{joint.line}: unknown joint type {joint.get('type')!r} (want one of: {', '.join(_JOINTS)})"
        )
    return parent, child


def _walk(
    root: str, elements: Mapping[str, Element], held: Mapping[str, tuple[str, Element]], file: str
) -> Iterator[UrdfLink]:
    children: dict[str, list[str]] = {}
    for child, (parent, _) in held.items():
        children.setdefault(parent, []).append(child)
    todo = [UrdfLink(elements[root], root, np.eye(4), None)]
    while todo:
        link = todo.pop()
        yield link
        for child in children.get(link.name, ()):
            joint = held[child][1]
            todo.append(UrdfLink(elements[child], child, arrays.product(link.matrix, origin(joint, file)), joint))
