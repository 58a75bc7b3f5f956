"""What the links of a URDF robot are: wheels, castors, legs, or part of the body; and what holds the robot.

A robot whose root is called world is bolted down, and so are arms, which have no wheels; who has no wheels but legs, or
no joints at all, lies or stands loose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.elementary import arrays
from understudy.formats import robot_parts
from understudy.formats.robot_parts import Array
from understudy.formats.urdf_links import Link

WHEEL, CASTOR, BODY, NOTHING = "a wheel", "a castor", "part of the body", "nothing to see or touch"
LEVEL = 0.2  # how steep the axle of a wheel may be
_STANDS = 0.25  # of its height: how far above the lowest point of a robot a wheel may end
_LIFTED_M = 0.02  # castors that end higher do not stand ...
_LIFTED = 0.5  # ... if that is more than this share of their height, too
_ROUND = 0.8  # of the farthest: how near the nearest rim of a wheel without a name may be to its axle
_FOOT = 0.1  # of a robot's height: how far above its lowest point feet may end, and bodies on legs begin
_LEGS = 2  # at least
_LEG = re.compile(r"leg|foot|toe|knee|thigh|calf|shin|ankle", re.IGNORECASE)
_HAND = re.compile(r"finger|thumb|grip|claw|palm", re.IGNORECASE)
_WORLD = ("world", "fixed", "world_link", "fixed_base", "ground")
_FREE = ("floating", "planar")

Clouds = Mapping[str, Array]


@dataclass(frozen=True)
class Stance:
    """What each link is, and what holds the robot: its wheels, its bolts and why, or nothing."""

    kinds: Mapping[str, str]  # by link
    bolted: str = ""  # why
    loose: str = ""  # why
    in_world: bool = False  # the root is the world, so the file says where things are in it

    def links(self, kind: str) -> set[str]:
        """Return the links of a kind."""
        return {name for name, what in self.kinds.items() if what == kind}


def stance_of(links: Sequence[Link], clouds: Clouds, weighs: bool, file: str) -> Stance:
    """Return what links are; *clouds* are their points in the frame of the robot."""
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


def held_by_world(links: Sequence[Link]) -> bool:
    """Say whether the root is the world itself, and holds what is on it."""
    root, children = links[0], [link for link in links if link.above == links[0].name]
    return root.name.lower() in _WORLD and bool(children) and not any(link.kind in _FREE for link in children)


# ---- wheels and castors


def _kinds(links: Sequence[Link], clouds: Clouds, file: str) -> dict[str, str]:
    lowest = min((cloud[:, 2].min() for cloud in clouds.values() if len(cloud)), default=0.0)
    wholes = _with_fixed(links, clouds)
    kinds = {link.name: _kind(link, clouds[link.name], wholes[link.name], lowest, file) for link in links}
    by_name = {link.name: link for link in links}
    for link in links:  # what rolls on a castor is its wheel; what holds that is part of the body
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


def _driven_castors(links: Sequence[Link], kinds: Mapping[str, str], file: str) -> list[str]:
    """Return what must be the wheels of a robot on castors: those that are drawn without joints, or all that roll."""
    castors = [link for link in links if kinds[link.name] == CASTOR]
    drawn = [link.name for link in castors if link.kind == "fixed" and not _called_castor(link)]
    rolling = [link.name for link in castors if rolls(link, file)]  # of a robot that steers all of its wheels
    return drawn if len(drawn) > 1 else rolling if len(rolling) > 2 else []


def _kind(link: Link, cloud: Array, whole: Array, lowest: float, file: str) -> str:
    """Return what a link is by itself, with what is fixed to it as a *whole*.

    Without a name only what is round and reaches down to where the robot stands is a wheel.
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
        return CASTOR  # it stands on the ground and does not turn: it slides
    if named and rolls(link, file):
        return WHEEL
    bare = link.kind == "continuous" and above <= _STANDS * tall and rolls(link, file)
    return WHEEL if bare and len(whole) and _is_round(link, whole, file) else BODY


def _with_fixed(links: Sequence[Link], clouds: Clouds) -> dict[str, Array]:
    """Return the points of links together with those of all that is fixed to them; nothing of what bears joints."""
    found = {link.name: [clouds[link.name]] for link in links}
    bearing: set[str] = set()
    for link in reversed(links):  # from the ends down
        if link.kind != "fixed":
            bearing.add(link.above)
        elif link.above in found:
            found[link.above] += found[link.name]
            bearing |= {link.above} if link.name in bearing else set()
    return {name: np.zeros((0, 3)) if name in bearing else np.concatenate(many) for name, many in found.items()}


def _called_castor(link: Link) -> bool:
    """Say whether a link or its joint is called castor."""
    return robot_parts.is_castor(link.name) or (
        link.joint is not None and robot_parts.is_castor(link.joint.get("name"))
    )


def rolls(link: Link, file: str) -> bool:
    """Say whether a link turns about a level axis."""
    return link.kind in ("continuous", "revolute") and abs(link.axis(file)[2]) < LEVEL


def _is_round(link: Link, cloud: Array, file: str) -> bool:
    """Say whether a link reaches equally far from its axle on all sides."""
    axle = link.axis(file)
    from_axle = cloud - link.matrix[:3, 3]
    across = np.linalg.svd(np.eye(3) - np.outer(axle, axle))[0][:, :2]
    ways = np.arange(16) * (np.pi / 8)
    reach = arrays.product(from_axle, across, np.array([arrays.cos(ways), arrays.sin(ways)])).max(axis=0)
    return bool(reach.min() > _ROUND * reach.max())


def _castor_above(link: Link, kinds: Mapping[str, str], by_name: Mapping[str, Link]) -> str:
    """Return the nearest castor that holds a link, nothing if there is none."""
    above = by_name.get(link.above)
    while above is not None and kinds[above.name] != CASTOR:
        above = by_name.get(above.above)
    return above.name if above else ""


def _lifted(cloud: Array, lowest: float) -> bool:
    above = float(cloud[:, 2].min() - lowest)
    return above > _LIFTED_M and above > _LIFTED * float(np.ptp(cloud[:, 2]))


def steered(links: Sequence[Link], wheels: set[str], file: str) -> set[str]:
    """Return the wheels that hang on a joint with an upright axis which does not turn all of them together."""
    by_name = {link.name: link for link in links}
    found = {link.name: above for link in links if link.name in wheels and (above := _steering(link, by_name, file))}
    together = set(found) == wheels and len(wheels) > 1 and len(set(found.values())) == 1
    return set() if together else set(found)


def _steering(link: Link, by_name: Mapping[str, Link], file: str) -> str:
    """Return the link above a wheel that turns about an upright axis, nothing if it is held otherwise."""
    above = by_name.get(link.above)
    while above is not None and above.kind == "fixed":
        above = by_name.get(above.above)
    turns = above is not None and above.kind in ("revolute", "continuous")
    return above.name if turns and above and abs(above.axis(file)[2]) > 1.0 - LEVEL else ""


# ---- legs


def _has_legs(links: Sequence[Link], clouds: Clouds, file: str) -> bool:
    """Say whether a robot stands on limbs of its body: they are called so, or reach down with the body above them."""
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


def _pans(link: Link, file: str) -> bool:
    return link.kind == "fixed" or abs(link.axis(file)[2]) > 1.0 - LEVEL


def _limbs(links: Sequence[Link]) -> dict[str, str]:
    """Return by link on a joint the first link of its limb, which a joint holds to the body."""
    found: dict[str, str] = {}
    for link in links:  # from the root upwards
        if link.above in found:
            found[link.name] = found[link.above]
        elif link.serves:
            found[link.name] = link.name
    return found
