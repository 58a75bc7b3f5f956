"""The moving joints of a URDF robot and what they carry: they become servos with parts.

A joint that carries wheels or castors is fixed at 0, since the ground contacts belong to the body.
Format: the ROS wiki, "urdf/XML/joint".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats.robot_parts import Array, JointBody, PartBody, Table, free_name
from understudy.formats.urdf.files import Beside
from understudy.formats.urdf.links import UrdfLink
from understudy.formats.urdf.mass import SPECK_M
from understudy.formats.urdf.shapes import UrdfNotes, form_of, origin, points_of
from understudy.world.inertia import Heavy

_UPRIGHT = 1e-9  # an axis that tilts less than this is vertical


def carriers(links: Sequence[UrdfLink], standing: set[str]) -> dict[str, str]:
    """Return for each moved link the link whose joint moves it; links fixed to the body are absent.

    *standing* are the links that the robot stands on.
    """
    above = {link.name: link.above for link in links}
    stuck: set[str] = set()
    for name in standing:
        while name and name not in stuck:
            stuck.add(name)
            name = above.get(name, "")
    found: dict[str, str] = {}
    for link in links:  # from the root outwards
        if link.serves and link.name not in stuck:
            found[link.name] = link.name
        elif above[link.name] in found:
            found[link.name] = found[above[link.name]]
    return found


def joint_names(links: Sequence[UrdfLink], moved: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the moving joints, by the link that each holds."""
    taken: set[str] = set()
    return {
        link.name: free_name(link.joint.get("name") or link.name, "joint", taken)
        for link in links
        if link.joint is not None and moved.get(link.name) == link.name
    }


def joints_of(
    links: Sequence[UrdfLink], moved: Mapping[str, str], names: Mapping[str, str], file: str, notes: UrdfNotes
) -> Iterator[JointBody]:
    """Yield the moving joints."""
    kept = {link.joint.get("name"): link for link in links if link.joint and link.name in names}
    level = {"": True}
    for link in (link for link in links if link.name in names):
        assert link.joint is not None
        below = names.get(moved.get(link.above, ""), "")
        name, motion = names[link.name], _motion(link.joint, file)
        pans = motion["kind"] == "revolute" and 1.0 - abs(link.axis(file)[2]) < _UPRIGHT
        level[name] = pans and level[below]
        matrix = link.matrix
        if level[name] and 1.0 - matrix[2, 2] > _UPRIGHT:  # the planar engine needs vertical axes
            matrix, motion["axis"] = np.eye(4), [0.0, 0.0, float(np.sign(link.axis(file)[2]))]
            matrix[:3, 3] = link.matrix[:3, 3]
        yield JointBody(name, motion | _mimic(link.joint, kept, names, file, notes), matrix, below, level[name])


def _motion(joint: Element, file: str) -> Table:
    """Return kind, axis and limits of a joint as a table."""
    axis = joint.first("axis")
    way = xml_text.numbers(axis.get("xyz", "1 0 0"), 3, file, axis.line, "an axis") if axis else (1.0, 0.0, 0.0)
    if not any(way):
        raise FormatError(f"{file}:{axis.line if axis else joint.line}: invalid axis: all its numbers are 0")
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
    joint: Element, kept: Mapping[str, UrdfLink], names: Mapping[str, str], file: str, notes: UrdfNotes
) -> Table:  # fmt: skip
    """Return the joint that this one mimics, if any, resolved through chains of mimics."""
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
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics a joint that does not move; it gets its own servo")
        return {}
    if any(xml_text.numbers(mimic.get("offset", "0"), 1, file, mimic.line, "an offset")):
        notes.lose(mimic, f"the joint {joint.get('name')!r} mimics with an offset, which is not supported and ignored")
    return {"follows": names[kept[leader].name], "ratio": ratio}


def parts_of(
    link: UrdfLink, joint: str, heavy: Heavy, friction: float, file: str, beside: Beside, notes: UrdfNotes
) -> Iterator[PartBody]:
    """Yield the parts of a moving link: its collision bodies, or else its visuals; the first has its mass."""
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


def _form(part: Element, link: UrdfLink, file: str, beside: Beside, notes: UrdfNotes) -> tuple[Table, Array] | None:
    """Return a shape as a table and the pose of its base; a mesh gives its bounding box; None if there is no shape."""
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
    notes.say(part, f"link {link.name!r} collides as the bounding box of its mesh")
    return {"kind": "box", "size_m": [max(float(size), 1e-3) for size in high - low]}, arrays.product(link.matrix, foot)
