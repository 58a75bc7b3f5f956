"""The moving joints of a URDF robot and what they carry: servos here, with parts on them.

A joint below which there are wheels or castors stays where it is at 0: what a robot stands on is held by its body.
Format: the ROS wiki, "urdf/XML/joint".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats import xml_text
from understudy.formats.robot_parts import Array, JointBody, PartBody, Table, free_name
from understudy.formats.urdf_files import Beside
from understudy.formats.urdf_links import Link
from understudy.formats.urdf_mass import SPECK_M
from understudy.formats.urdf_shapes import Notes, form_of, origin, points_of
from understudy.formats.xml_text import Element
from understudy.world.inertia import Heavy

_UPRIGHT = 1e-9  # an axis that leans less than this is upright


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
        if link.serves and link.name not in stuck:
            found[link.name] = link.name
        elif above[link.name] in found:
            found[link.name] = found[above[link.name]]
    return found


def joint_names(links: Sequence[Link], moved: Mapping[str, str]) -> dict[str, str]:
    """Return what the joints that move are called here, by the link that each holds."""
    taken: set[str] = set()
    return {
        link.name: free_name(link.joint.get("name") or link.name, "joint", taken)
        for link in links
        if link.joint is not None and moved.get(link.name) == link.name
    }


def joints_of(
    links: Sequence[Link], moved: Mapping[str, str], names: Mapping[str, str], file: str, notes: Notes
) -> Iterator[JointBody]:
    """Yield the joints that move."""
    kept = {link.joint.get("name"): link for link in links if link.joint and link.name in names}
    level = {"": True}
    for link in (link for link in links if link.name in names):
        assert link.joint is not None
        below = names.get(moved.get(link.above, ""), "")
        name, motion = names[link.name], _motion(link.joint, file)
        pans = motion["kind"] == "revolute" and 1.0 - abs(link.axis(file)[2]) < _UPRIGHT
        level[name] = pans and level[below]
        matrix = link.matrix
        if level[name] and 1.0 - matrix[2, 2] > _UPRIGHT:  # floor plans take only what is seen from an upright frame
            matrix, motion["axis"] = np.eye(4), [0.0, 0.0, float(np.sign(link.axis(file)[2]))]
            matrix[:3, 3] = link.matrix[:3, 3]
        yield JointBody(name, motion | _mimic(link.joint, kept, names, file, notes), matrix, below, level[name])


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


def _mimic(
    joint: Element, kept: Mapping[str, Link], names: Mapping[str, str], file: str, notes: Notes
) -> Table:  # fmt: skip
    """Return to which other joint one is geared, if it is; by way of others, if those mimic too."""
    mimic = joint.first("mimic")
    if mimic is None:
        return {}
    ratio, leader, way = 1.0, joint.get("name"), mimic
    for _ in kept:
        ratio *= xml_text.numbers(way.get("multiplier", "1"), 1, file, way.line, "a ratio")[0]
        leader = way.get("joint")
        onward = held.joint.first("mimic") if (held := kept.get(leader)) and held.joint else None
        if onward is None:
            break
        way = onward
    if leader not in kept or leader == joint.get("name") or way.get("joint") != leader or not ratio:
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics none that moves; it has a servo of its own")
        return {}
    if any(xml_text.numbers(mimic.get("offset", "0"), 1, file, mimic.line, "an offset")):
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics with an offset, which is left out")
    return {"follows": names[kept[leader].name], "ratio": ratio}


def parts_of(
    link: Link, joint: str, heavy: Heavy, friction: float, file: str, beside: Beside, notes: Notes
) -> Iterator[PartBody]:
    """Yield what a link that moves is made of: its collision bodies, or else its looks; the first has its mass."""
    given = heavy if heavy.mass_kg else None
    for tag in ("collision", "visual"):
        forms = [form for part in link.element.all(tag) if (form := _form(part, link, file, beside, notes))]
        for table, matrix in forms:
            yield PartBody(link.name, table, matrix, joint, given, friction)
            given = None
        if forms:
            return
    if given:
        speck = np.eye(4)
        speck[:3, 3] = heavy.cog
        yield PartBody(link.name, {"kind": "sphere", "radius_m": SPECK_M}, speck, joint, given, friction, felt=False)


def _form(part: Element, link: Link, file: str, beside: Beside, notes: Notes) -> tuple[Table, Array] | None:
    """Return a form as a table, and where its foot is; of a mesh the box that holds it; None if it is none."""
    geometry = part.first("geometry")
    for shape in geometry.children if geometry else ():
        if form := form_of(shape, file):
            table, lift = form
            return table, arrays.product(link.matrix, origin(part, file), lift)
    cloud = points_of(part, origin(part, file), file, beside, notes)
    if not len(cloud):
        return None
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    foot = np.eye(4)
    foot[:3, 3] = (*((low + high) / 2)[:2], low[2])
    notes.say(part, f"link {link.name!r} is met as the box that holds its mesh")
    return {"kind": "box", "size_m": [max(float(size), 1e-3) for size in high - low]}, arrays.product(link.matrix, foot)
