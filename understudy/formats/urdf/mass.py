"""The masses of URDF links: from ``<inertial>``, or from their shapes where that is not physically possible.

Format: the ROS wiki, "urdf/XML/inertial".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats.robot_parts import USUAL_KG, Array
from understudy.formats.urdf.files import Beside
from understudy.formats.urdf.links import UrdfLink
from understudy.formats.urdf.shapes import UrdfNotes, form_of, origin, points_of
from understudy.world import inertia
from understudy.world.inertia import Heavy

SPECK_M = 0.005  # size of a mass without a shape
_SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_THIN_M = 1e-3
_LITTLE = 0.02  # share of the robot's mass given to all joints without mass together


class Scales:
    """Computes the masses of a robot's links, and reports implausible values."""

    def __init__(self, file: str, beside: Beside, notes: UrdfNotes) -> None:
        self._file, self._beside, self._notes = file, beside, notes

    def weigh(self, link: UrdfLink) -> Heavy:
        """Return mass, centre and tensor of a link in the frame of the robot; with mass 0 if it has none."""
        own = self._own(link)
        return own.seen(link.matrix[:3, :3], link.matrix[:3, 3])

    def guess(self, link: UrdfLink, mass_kg: float) -> Heavy:
        """Return a mass spread over a link that gives none, in the frame of the robot."""
        return self._filled(link.element, mass_kg, None).seen(link.matrix[:3, :3], link.matrix[:3, 3])

    def _own(self, link: UrdfLink) -> Heavy:
        """Return the mass of a link in its own frame."""
        inertial = link.element.first("inertial")
        if inertial is None:
            return inertia.NOTHING
        mass_kg = self._mass(inertial)
        if not mass_kg:
            return inertia.NOTHING
        element = inertial.first("inertia")
        if element is None:
            return self._filled(link.element, mass_kg, inertial)
        six = tuple(self._number(element, key) for key in _SIX)
        tensor = inertia.tensor_of(six)
        if why := inertia.why_impossible(tensor):
            self._notes.lose(
                element, f"the inertia of the link {link.name!r} is invalid: {why}; it is computed from its shapes"
            )
            return self._filled(link.element, mass_kg, inertial)
        place = origin(inertial, self._file)
        turn = place[:3, :3]
        return Heavy(mass_kg, place[:3, 3], arrays.product(turn, inertia.rounded_up(tensor), turn.T))

    def _mass(self, inertial: Element) -> float:
        mass = inertial.first("mass")
        if mass is None:
            return 0.0
        (kg,) = xml_text.numbers(mass.get("value"), 1, self._file, mass.line, "a mass")
        if kg < 0.0:
            raise FormatError(f"{self._file}:{mass.line}: a mass must not be negative")
        return kg

    def _number(self, element: Element, key: str) -> float:
        return xml_text.numbers(element.get(key, "0"), 1, self._file, element.line, f"an inertia: its {key}")[0]

    def _filled(self, link: Element, mass_kg: float, inertial: Element | None) -> Heavy:
        """Return a mass spread evenly over the shapes of a link; its centre is the link's own, if given."""
        whole = self._forms(link, mass_kg)
        if inertial is None or inertial.first("origin") is None:
            return whole
        return Heavy(mass_kg, origin(inertial, self._file)[:3, 3], whole.tensor)

    def _forms(self, link: Element, mass_kg: float) -> Heavy:
        for tag in ("collision", "visual"):
            forms = [form for part in link.all(tag) if (form := self._form(part))]
            volume = math.fsum(size for size, _ in forms)
            if forms:
                return inertia.merged([_scaled(body, mass_kg * size / volume) for size, body in forms])
        return Heavy(mass_kg, np.zeros(3), inertia.ball(mass_kg, SPECK_M))

    def _form(self, part: Element) -> tuple[float, Heavy] | None:
        """Return the volume of a shape and the inertia of 1 kg of it; a mesh counts as its bounding box."""
        place, geometry = origin(part, self._file), part.first("geometry")
        for shape in geometry.children if geometry else ():
            if form := form_of(shape, self._file):
                size, tensor = _filled(form[0])
                return size, Heavy(1.0, np.zeros(3), tensor).seen(place[:3, :3], place[:3, 3])
        cloud = points_of(part, np.eye(4), self._file, self._beside, self._notes)
        if not len(cloud):
            return None
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        x, y, z = (max(float(side), _THIN_M) for side in high - low)
        body = Heavy(1.0, (low + high) / 2, inertia.box(1.0, (x, y, z)))
        return x * y * z, body.seen(place[:3, :3], place[:3, 3])


def lightened(
    links: Sequence[UrdfLink], moved: Mapping[str, str], heavy: Mapping[str, Heavy], scales: Scales, notes: UrdfNotes
) -> dict[str, Heavy]:
    """Return small masses for joints that carry none, which no engine can simulate; each is reported.

    *moved* gives for each link the one whose joint moves it.
    """
    loads = {link.name: 0.0 for link in links if moved.get(link.name) == link.name}
    for name, carrier in moved.items():
        loads[carrier] += heavy[name].mass_kg
    empty = [link for link in links if loads.get(link.name) == 0.0]
    whole = math.fsum(mass.mass_kg for mass in heavy.values()) or USUAL_KG
    little = _LITTLE * whole / max(len(empty), 1)
    for link in empty:
        notes.lose(link.element, f"what the joint of {link.name!r} carries has no mass; {little:.2g} kg is assumed")
    return {link.name: scales.guess(link, little) for link in empty}


def _scaled(body: Heavy, mass_kg: float) -> Heavy:
    return Heavy(mass_kg, body.cog, body.tensor * mass_kg)


def _filled(form: dict[str, object]) -> tuple[float, Array]:
    """Return the volume of a shape (m3), and its inertia tensor for 1 kg (m2)."""
    match form:
        case {"kind": "box", "size_m": [float(x), float(y), float(z)]}:
            return x * y * z, inertia.box(1.0, (x, y, z))
        case {"kind": "cylinder", "radius_m": float(radius), "height_m": float(height)}:
            return math.pi * radius * radius * height, inertia.cylinder(1.0, radius, height)
        case {"radius_m": float(radius)}:
            return 4 / 3 * math.pi * radius * radius * radius, inertia.ball(1.0, radius)
    raise AssertionError(form)
