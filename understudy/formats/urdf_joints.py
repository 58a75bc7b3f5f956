"""The moving joints of a URDF robot and what they carry: servos here, with parts on them.

A joint below which there are wheels or castors stays where it is at 0: what a robot stands on is held by its body.
Format: the ROS wiki, "urdf/XML/joint".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from understudy.errors import FormatError
from understudy.formats import xml_text
from understudy.formats.robot_parts import Array, JointBody, PartBody, Table
from understudy.formats.urdf_links import Link
from understudy.formats.urdf_shapes import Beside, Notes, form_of, origin, points_of
from understudy.formats.xml_text import Element
from understudy.world.resolve import legal

_SERVED = ("revolute", "prismatic", "continuous")
_SPECK_M = 0.005  # of a mass that has no form


def carriers(links: Sequence[Link], standing: set[str]) -> dict[str, str]:
    """Return by link the one that moves it, itself or one below; of those that the body carries nothing is told.

    *standing* are the links that the robot stands on.
    """
    above = {link.name: link.above for link in links}
    stuck: set[str] = set()
    for name in standing:
        while name and name not in stuck:
            stuck.add(name)
            name = above.get(name, "")
    found: dict[str, str] = {}
    for link in links:  # from the root upwards
        if link.kind in _SERVED and link.name not in stuck:
            found[link.name] = link.name
        elif above[link.name] in found:
            found[link.name] = found[above[link.name]]
    return found


def joint_name(link: Link) -> str:
    """Return what the joint of a link is called here."""
    assert link.joint is not None
    return legal(link.joint.get("name") or link.name, "joint")


def joints_of(links: Sequence[Link], moved: Mapping[str, str], file: str, notes: Notes) -> Iterator[JointBody]:
    """Yield the joints that move."""
    by_name = {link.name: link for link in links}
    kept = {link.joint.get("name"): link for link in links if link.joint and moved.get(link.name) == link.name}
    for link in kept.values():
        assert link.joint is not None
        below = by_name.get(moved.get(link.above, ""))
        table = _motion(link.joint, file) | _mimic(link.joint, kept, file, notes)
        yield JointBody(joint_name(link), table, link.matrix, joint_name(below) if below else "")


def _motion(joint: Element, file: str) -> Table:
    """Return kind, axis and limits of a joint as a table."""
    axis = joint.first("axis")
    way = xml_text.numbers(axis.get("xyz", "1 0 0"), 3, file, axis.line, "an axis") if axis else (1.0, 0.0, 0.0)
    if not any(way):
        raise FormatError(f"{file}:{axis.line if axis else joint.line}: not an axis: all its numbers are 0")
    slides = joint.get("type") == "prismatic"
    unit, strength = ("m", "motor_n") if slides else ("rad", "motor_n_m")
    table: Table = {"kind": "prismatic" if slides else "revolute", "axis": list(way)}
    limit = joint.first("limit")

    def number(key: str) -> float:
        return xml_text.numbers(limit.get(key, "0"), 1, file, limit.line, f"a limit: its {key}")[0] if limit else 0.0

    low, high = number("lower"), number("upper")
    if joint.get("type") == "continuous":
        table["endless"] = True
    elif low < high:
        table |= {f"low_{unit}": low, f"high_{unit}": high, f"start_{unit}": min(max(0.0, low), high)}
    for key, value in ((f"max_{unit}_s", number("velocity")), (strength, number("effort"))):
        if value > 0.0:
            table[key] = value
    return table


def _mimic(joint: Element, kept: Mapping[str, Link], file: str, notes: Notes) -> Table:
    """Return to which other joint one is geared, if it is."""
    mimic = joint.first("mimic")
    if mimic is None:
        return {}
    leader, (ratio,) = (
        mimic.get("joint"),
        xml_text.numbers(mimic.get("multiplier", "1"), 1, file, mimic.line, "a ratio"),
    )
    if leader not in kept or not ratio:
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics none that moves; it has a servo of its own")
        return {}
    if any(xml_text.numbers(mimic.get("offset", "0"), 1, file, mimic.line, "an offset")):
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics with an offset, which is left out")
    return {"follows": joint_name(kept[leader]), "ratio": ratio}


def parts_of(link: Link, joint: str, file: str, beside: Beside, notes: Notes) -> Iterator[PartBody]:
    """Yield what a link that moves is made of: its collision bodies, or else its looks, and its mass."""
    mass = _mass(link.element, file)
    for tag in ("collision", "visual"):
        forms = [form for part in link.element.all(tag) if (form := _form(part, link, file, beside, notes))]
        for n, (table, matrix) in enumerate(forms):
            yield PartBody(legal(link.name, "part"), table, matrix, joint, mass / len(forms), n)
        if forms:
            return
    if mass:
        speck = link.matrix @ _centre(link.element, file)
        table = {"kind": "sphere", "radius_m": _SPECK_M}
        yield PartBody(legal(link.name, "part"), table, speck, joint, mass, felt=False)


def _form(part: Element, link: Link, file: str, beside: Beside, notes: Notes) -> tuple[Table, Array] | None:
    """Return a form as a table, and where its foot is; of a mesh the box that holds it; None if it is none."""
    geometry = part.first("geometry")
    for shape in geometry.children if geometry else ():
        if form := form_of(shape, file):
            table, lift = form
            return table, link.matrix @ origin(part, file) @ lift
    cloud = points_of(part, origin(part, file), file, beside, notes)
    if not len(cloud):
        return None
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    foot = np.eye(4)
    foot[:3, 3] = (*((low + high) / 2)[:2], low[2])
    notes.say(part, f"link {link.name!r} is met as the box that holds its mesh")
    return {"kind": "box", "size_m": [max(float(size), 1e-3) for size in high - low]}, link.matrix @ foot


def _mass(link: Element, file: str) -> float:
    inertial = link.first("inertial")
    mass = inertial.first("mass") if inertial else None
    return max(xml_text.numbers(mass.get("value"), 1, file, mass.line, "a mass")[0], 0.0) if mass else 0.0


def _centre(link: Element, file: str) -> Array:
    inertial = link.first("inertial")
    return origin(inertial, file) if inertial else np.eye(4)
