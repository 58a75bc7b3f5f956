"""Classifies the links of a URDF robot (wheels, castors, legs, body) and how the robot is held.

A robot whose root is called world is bolted down, and so are arms, which have no wheels. A robot without wheels that
has legs, or no joints at all, is free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.elementary import arrays
from understudy.formats import robot_parts
from understudy.formats.robot_parts import Array
from understudy.formats.urdf.links import UrdfLink

WHEEL, CASTOR, BODY, NOTHING = "a wheel", "a castor", "part of the body", "nothing (no geometry)"
LEVEL = 0.2  # maximum slope of a wheel's axle
_STANDS = 0.25  # of its height: maximum distance of a wheel above the robot's lowest point
_LIFTED_M = 0.02  # castors that end higher do not touch the ground ...
_LIFTED = 0.5  # ... if that is more than this share of their height, too
_ROUND = 0.8  # least ratio of the smallest to the largest radius of a wheel without a name
_FOOT = 0.1  # of a robot's height: feet end below this, and bodies on legs begin above it
_LEGS = 2  # at least
_LEG = re.compile(r"leg|foot|toe|knee|thigh|calf|shin|ankle", re.IGNORECASE)
_HAND = re.compile(r"finger|thumb|grip|claw|palm", re.IGNORECASE)
_WORLD = ("world", "fixed", "world_link", "fixed_base", "ground")
_FREE = ("floating", "planar")

Clouds = Mapping[str, Array]


@dataclass(frozen=True)
class Stance:
    """The kind of each link, and how the robot is held: by wheels, bolted down (and why), or free."""

    kinds: Mapping[str, str]  # by link
    bolted: str = ""  # reason
    loose: str = ""  # reason
    in_world: bool = False  # the root is the world, so the file gives world poses

    def links(self, kind: str) -> set[str]:
        """Return the links of a kind."""
        return {name for name, what in self.kinds.items() if what == kind}


def stance_of(links: Sequence[UrdfLink], clouds: Clouds, weighs: bool, file: str) -> Stance:
    """Return the kinds of links; *clouds* are their points in the frame of the robot."""
    plain = {link.name: BODY if len(clouds[link.name]) else NOTHING for link in links}
    if held_by_world(links):
        return Stance(plain, f"its root is called {links[0].name!r}", in_world=True)
    kinds = _kinds(links, clouds, file)
    if WHEEL in kinds.values() or CASTOR in kinds.values():
        return Stance(kinds)
    moving = any(link.serves for link in links)
    if moving and _has_legs(links, clouds, file):
        return Stance(kinds, loose="it has legs and no wheels")
    if moving or not weighs:
        return Stance(kinds, "it has no wheels" if moving else "it has neither wheels nor a mass")
    return Stance(kinds, loose="it has neither wheels nor joints")


def held_by_world(links: Sequence[UrdfLink]) -> bool:
    """Return whether the root is the world itself and something is fixed to it."""
    root, children = links[0], [link for link in links if link.above == links[0].name]
    return root.name.lower() in _WORLD and bool(children) and not any(link.kind in _FREE for link in children)


# ---- wheels and castors


def _kinds(links: Sequence[UrdfLink], clouds: Clouds, file: str) -> dict[str, str]:
    lowest = min((cloud[:, 2].min() for cloud in clouds.values() if len(cloud)), default=0.0)
    wholes = _with_fixed(links, clouds)
    kinds = {link.name: _kind(link, clouds[link.name], wholes[link.name], lowest, file) for link in links}
    by_name = {link.name: link for link in links}
    for link in links:  # a rolling link on a castor is its wheel; its holder is part of the body
        above = _castor_above(link, kinds, by_name)
        if above and (kinds[link.name] == CASTOR or robot_parts.is_wheel(link.name)) and len(clouds[link.name]):
            kinds[link.name], kinds[above] = CASTOR, BODY
    wheels = [clouds[name][:, 2].min() for name, kind in kinds.items() if kind == WHEEL]
    for link in links:
        if kinds[link.name] == CASTOR and _lifted(clouds[link.name], min(wheels, default=lowest)):
            kinds[link.name] = BODY
    if WHEEL not in kinds.values():
        kinds.update(dict.fromkeys(_driven_castors(links, kinds, file), WHEEL))
    return kinds


def _driven_castors(links: Sequence[UrdfLink], kinds: Mapping[str, str], file: str) -> list[str]:
    """Return the driven wheels of a robot on castors: those without joints, or all that roll."""
    castors = [link for link in links if kinds[link.name] == CASTOR]
    drawn = [link.name for link in castors if link.kind == "fixed" and not _called_castor(link)]
    rolling = [link.name for link in castors if rolls(link, file)]  # for a robot that steers all its wheels
    return drawn if len(drawn) > 1 else rolling if len(rolling) > 2 else []


def _kind(link: UrdfLink, cloud: Array, whole: Array, lowest: float, file: str) -> str:
    """Return the kind of a single link; *whole* includes what is fixed to it.

    A link not named as a wheel is one only if it is round and reaches the ground.
    """
    if not len(cloud):
        return NOTHING
    if _called_castor(link):
        return CASTOR
    joint = link.joint.get("name") if link.joint else ""
    tall = float(np.ptp(cloud[:, 2]))
    above = float(cloud[:, 2].min() - lowest)
    named = robot_parts.is_wheel(link.name) or (robot_parts.is_wheel(joint) and _is_round(link, cloud, file))
    if named and link.kind == "fixed" and link.joint is not None and above <= _STANDS * tall:
        return CASTOR  # it touches the ground and does not turn: it slides
    if named and rolls(link, file):
        return WHEEL
    bare = link.kind == "continuous" and above <= _STANDS * tall and rolls(link, file)
    return WHEEL if bare and len(whole) and _is_round(link, whole, file) else BODY


def _with_fixed(links: Sequence[UrdfLink], clouds: Clouds) -> dict[str, Array]:
    """Return the points of links and everything fixed to them; empty for links with moving joints."""
    found = {link.name: [clouds[link.name]] for link in links}
    bearing: set[str] = set()
    for link in reversed(links):  # from the leaves to the root
        if link.kind != "fixed":
            bearing.add(link.above)
        elif link.above in found:
            found[link.above] += found[link.name]
            bearing |= {link.above} if link.name in bearing else set()
    return {name: np.zeros((0, 3)) if name in bearing else np.concatenate(many) for name, many in found.items()}


def _called_castor(link: UrdfLink) -> bool:
    """Return whether a link or its joint is named as a castor."""
    return robot_parts.is_castor(link.name) or (
        link.joint is not None and robot_parts.is_castor(link.joint.get("name"))
    )


def rolls(link: UrdfLink, file: str) -> bool:
    """Return whether a link turns about a horizontal axis."""
    return link.kind in ("continuous", "revolute") and abs(link.axis(file)[2]) < LEVEL


def _is_round(link: UrdfLink, cloud: Array, file: str) -> bool:
    """Return whether a link reaches equally far from its axle on all sides."""
    axle = link.axis(file)
    from_axle = cloud - link.matrix[:3, 3]
    across = np.linalg.svd(np.eye(3) - np.outer(axle, axle))[0][:, :2]
    ways = np.arange(16) * (np.pi / 8)
    reach = arrays.product(from_axle, across, np.array([arrays.cos(ways), arrays.sin(ways)])).max(axis=0)
    return bool(reach.min() > _ROUND * reach.max())


def _castor_above(link: UrdfLink, kinds: Mapping[str, str], by_name: Mapping[str, UrdfLink]) -> str:
    """Return the nearest castor that holds a link, empty if there is none."""
    above = by_name.get(link.above)
    while above is not None and kinds[above.name] != CASTOR:
        above = by_name.get(above.above)
    return above.name if above else ""


def _lifted(cloud: Array, lowest: float) -> bool:
    above = float(cloud[:, 2].min() - lowest)
    return above > _LIFTED_M and above > _LIFTED * float(np.ptp(cloud[:, 2]))


def steered(links: Sequence[UrdfLink], wheels: set[str], file: str) -> set[str]:
    """Return the wheels on a joint with a vertical axis that does not turn all of them together."""
    by_name = {link.name: link for link in links}
    found = {link.name: above for link in links if link.name in wheels and (above := _steering(link, by_name, file))}
    together = set(found) == wheels and len(wheels) > 1 and len(set(found.values())) == 1
    return set() if together else set(found)


def _steering(link: UrdfLink, by_name: Mapping[str, UrdfLink], file: str) -> str:
    """Return the link above a wheel that turns about a vertical axis, empty if there is none."""
    above = by_name.get(link.above)
    while above is not None and above.kind == "fixed":
        above = by_name.get(above.above)
    turns = above is not None and above.kind in ("revolute", "continuous")
    return above.name if turns and above and abs(above.axis(file)[2]) > 1.0 - LEVEL else ""


# ---- legs


def _has_legs(links: Sequence[UrdfLink], clouds: Clouds, file: str) -> bool:
    """Return whether a robot stands on legs: limbs named so, or limbs that reach the ground below the body."""
    limb = _limbs(links)
    bends = {limb[link.name] for link in links if link.name in limb and not _pans(link, file)}
    named = {limb[link.name] for link in links if link.name in limb and _LEG.search(link.name)} & bends
    if len(named) >= _LEGS:
        return True
    points = [(limb.get(link.name, ""), clouds[link.name][:, 2]) for link in links if len(clouds[link.name])]
    if not points or any(_HAND.search(link.name) for link in links):
        return False
    low, high = min(z.min() for _, z in points), max(z.max() for _, z in points)
    foot = low + _FOOT * (high - low)
    feet = {name for name, z in points if z.min() <= foot}
    return "" not in feet and len(feet & bends) >= _LEGS


def _pans(link: UrdfLink, file: str) -> bool:
    return link.kind == "fixed" or abs(link.axis(file)[2]) > 1.0 - LEVEL


def _limbs(links: Sequence[UrdfLink]) -> dict[str, str]:
    """Return for each link on a joint the first link of its limb, which a joint attaches to the body."""
    found: dict[str, str] = {}
    for link in links:  # from the root outwards
        if link.above in found:
            found[link.name] = found[link.above]
        elif link.serves:
            found[link.name] = link.name
    return found
