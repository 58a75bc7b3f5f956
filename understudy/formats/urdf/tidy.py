"""Common errors in public URDF files that other programs accept: corrected, and reported.

The XML declaration after a comment or blank lines, text after the end, unexpanded defaults of xacro's
``$(optenv ...)``, a fourth number where three are required, shapes of zero size.
"""

from __future__ import annotations

import re

from understudy.assets.xml_text import Element
from understudy.formats.urdf.shapes import UrdfNotes

_DECLARATION = re.compile(r"<\?xml[^>]*\?>")
_OPTENV = re.compile(r"\$\(optenv \w+ ?([^()]*)\)")
_END = "</robot>"
_THREE = ("xyz", "rpy", "scale")
_SIZES = ("size", "radius", "length")
_FORMS = ("box", "cylinder", "sphere", "capsule")


def tidy_text(text: str) -> str:
    """Return the text as well-formed XML with the same line numbers."""
    declared = _DECLARATION.search(text)
    if declared and declared.start():
        gap = "\n" * declared[0].count("\n")
        text = text[: declared.start()] + gap + text[declared.end() :]
    body, end, after = text.rpartition(_END)
    if end and not after.isspace() and "<" not in after:
        text = body + end
    return _OPTENV.sub(r"\1", text)


def tidy(element: Element, notes: UrdfNotes) -> None:
    """Correct the contents of an element."""
    for key in _THREE:
        words = element.get(key).split()
        if len(words) > 3:
            notes.lose(element, f"{key} {' '.join(words)[:60]!r}: want three numbers; the first three are used")
            element.attributes = {**element.attributes, key: " ".join(words[:3])}
    if element.tag == "geometry":
        flat = [shape for shape in element.children if shape.tag in _FORMS and _has_none(shape)]
        for shape in flat:
            notes.lose(shape, f"a {shape.tag} of zero size; it is left out")
        element.children = [shape for shape in element.children if shape not in flat]
    for child in element.children:
        tidy(child, notes)


def _has_none(shape: Element) -> bool:
    """Return whether a dimension of a shape is 0."""
    words = [word for key in _SIZES for word in shape.get(key).split()]
    return any(word.strip("0.") == "" for word in words)
