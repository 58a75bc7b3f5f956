"""Textures of mesh files: found next to or inside them, and checked against limits.

The mesh library opens any picture that a file names. So it gets a stub of one pixel instead, which
carries the picture's name; the actual picture is handled only here.
"""

from __future__ import annotations

import base64
import io
import json
import re
import struct
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from understudy.assets.pictures import texture
from understudy.world.face_textures import TextureFile

_CARRIED = "picture"  # the text key of a stub that holds the name
_MOST_IMAGES = 1000
_FLOAT = 5126  # glTF's number for 32-bit floats
_OTHER_MAPS = ("normalTexture", "occlusionTexture", "emissiveTexture", "metallicRoughnessTexture")
_OLD_MATERIAL = "KHR_materials_pbrSpecularGlossiness"
_JSON = 0x4E4F534A  # the type of the first chunk of a GLB file
PLAIN = "understudy-plain"  # the material of primitives with texture coordinates but no material


class Pictures:
    """The pictures of one mesh file by name; what is left out is added to *ignored*, once each."""

    def __init__(self, ignored: list[str] | None = None) -> None:
        self.ignored = [] if ignored is None else ignored
        self._found: dict[str, bytes] = {}

    def leave_out(self, words: str) -> None:
        """Record what is not shown."""
        if words not in self.ignored:
            self.ignored.append(words)

    def miss(self, name: str) -> None:
        """Record that a picture is not shown because its mesh has no texture coordinates."""
        self.leave_out(f"the picture {name}: the mesh has no texture coordinates")

    def keep(self, name: str, data: bytes | None) -> bool:
        """Keep a picture under a name if it is valid; returns whether it is."""
        wrong = f"{name}: not found next to or inside the file" if data is None else ""
        wrong = wrong or texture.problem(data or b"", name, texture.MOST_ON_A_THING)
        if wrong:
            self.leave_out(f"the picture {wrong}")
        elif data is not None:
            self._found[name] = data
        return not wrong

    def stub(self, name: str) -> bytes:
        """Return a picture of one pixel that carries a name."""
        from PIL import Image, PngImagePlugin

        note = PngImagePlugin.PngInfo()
        note.add_text(_CARRIED, name.encode("unicode_escape").decode("ascii"))
        made = io.BytesIO()
        Image.new("RGB", (1, 1)).save(made, "PNG", pnginfo=note)
        return made.getvalue()

    def texture_file(self, name: str, tint: str = "#ffffff") -> TextureFile | None:
        """Return a picture that was kept, None if it was not."""
        data = self._found.get(name)
        return None if data is None else TextureFile(name, data, tint)

    def texture_of(self, material: Any) -> TextureFile | None:
        """Return the picture of a material of the library: the one whose name its stub carries."""
        image = getattr(material, "baseColorTexture", None) or getattr(material, "image", None)
        name = getattr(image, "info", {}).get(_CARRIED)
        if not isinstance(name, str):
            return None
        return self.texture_file(name.encode("ascii", "replace").decode("unicode_escape"), _tint(material))


def _tint(material: Any) -> str:
    """Return the colour that a picture is multiplied by; only glTF defines it reliably."""
    factor = getattr(material, "baseColorFactor", None)
    return "#ffffff" if factor is None else "#" + bytes(int(value) for value in factor[:3]).hex()


def plain_name(text: str) -> str:
    """Return the normalised relative name of a file, as referenced by another file.

    >>> plain_name("./maps\\\\oak%20wood.png")
    'maps/oak wood.png'
    """
    return str(PurePosixPath(unquote(text.strip()).replace("\\", "/")))


def among(name: str, others: Mapping[str, bytes]) -> bytes | None:
    """Return the content of a file next to a mesh, by its literal or normalised name."""
    return others.get(name, others.get(plain_name(name)))


# ---- materials of OBJ files

_MAP = re.compile(rb"^[ \t]*map_kd[ \t]+(\S[^\r\n]*)", re.MULTILINE | re.IGNORECASE)
_MORE_MAPS = re.compile(rb"^[ \t]*(map_(?!kd)\w+|bump|disp|decal|refl)[ \t]", re.MULTILINE | re.IGNORECASE)
_OPTION = re.compile(r"^-(?:[a-z]+)((?: +(?:on|off|[-+.\deE]+))+) +", re.IGNORECASE)


def map_name(words: str) -> str:
    """Return the file that a line of a material names, without the options before it.

    >>> map_name("-s 2 2 1 -clamp on oak wood.png")
    'oak wood.png'
    """
    while found := _OPTION.match(words):
        words = words[found.end() :]
    return words.strip()


def maps_of(script: bytes) -> list[str]:
    """Return the pictures that the materials of an OBJ file name."""
    return [map_name(line.decode(errors="replace")) for line in _MAP.findall(script)]


def note_more_maps(script: bytes, pictures: Pictures) -> None:
    """Record what a material has besides its colour and texture."""
    more = sorted({word.decode().lower() for word in _MORE_MAPS.findall(script)})
    if more:
        pictures.leave_out(f"of materials {', '.join(more)}: only colours and colour textures are supported")


# ---- glTF


def stubbed_gltf(data: bytes, table: dict[str, Any], others: Mapping[str, bytes], pictures: Pictures) -> bytes:
    """Return a glTF or GLB file whose pictures are stubs; changes its *table*. An invalid table may raise anything."""
    tail = _after_table(data)
    images = _rows(table, "images")
    for row, image in enumerate(images[:_MOST_IMAGES]):
        uri = image.get("uri") if isinstance(image.get("uri"), str) else ""
        name = f"image {row}" if not uri or uri.startswith("data:") else plain_name(uri)
        if pictures.keep(name, _image(image, table, tail, others)):
            stub = base64.b64encode(pictures.stub(name)).decode("ascii")
            images[row] = {"uri": f"data:image/png;base64,{stub}"}
        else:
            images[row] = {"name": name}
    if images:
        table["images"] = images[:_MOST_IMAGES]
    for material in _rows(table, "materials"):
        _note_material(material, pictures)
    primitives = [p for mesh in _rows(table, "meshes") for p in _rows(mesh, "primitives")]
    for primitive in primitives:
        _drop_integer_coordinates(primitive.get("attributes"), _rows(table, "accessors"), pictures)
    _add_plain_material(table, primitives)
    return _packed(table, tail) if data[:4] == b"glTF" else json.dumps(table).encode()


def _rows(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    rows = table.get(key, [])
    return [row if isinstance(row, dict) else {} for row in rows] if isinstance(rows, list) else []


def _after_table(data: bytes) -> bytes:
    """Return what follows the table of a GLB file: its other chunks with their headers."""
    return data[20 + struct.unpack("<I", data[12:16])[0] :] if data[:4] == b"glTF" else b""


def _packed(table: dict[str, Any], tail: bytes) -> bytes:
    text = json.dumps(table).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<II", len(text), _JSON) + text
    return struct.pack("<4sII", b"glTF", 2, 12 + len(head) + len(tail)) + head + tail


def _image(image: dict[str, Any], table: dict[str, Any], tail: bytes, others: Mapping[str, bytes]) -> bytes | None:
    """Return the content of an image: from a file, a data URI or a buffer view; None if it is missing."""
    try:
        if "uri" in image:
            return _content(image["uri"], others)
        view = table["bufferViews"][image["bufferView"]]
        buffer = table["buffers"][view["buffer"]]
        whole = _content(buffer["uri"], others) if "uri" in buffer else tail[8:]
        first = view.get("byteOffset", 0)
        return None if whole is None else whole[first : first + view["byteLength"]]
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _content(uri: str, others: Mapping[str, bytes]) -> bytes | None:
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2], validate=False)
    return among(uri, others)


def _note_material(material: dict[str, Any], pictures: Pictures) -> None:
    """Record what a material has besides its colour and texture; an old-style material is converted to a new one."""
    extensions = material.get("extensions")
    old = extensions.pop(_OLD_MATERIAL, None) if isinstance(extensions, dict) else None
    base = material.setdefault("pbrMetallicRoughness", {})
    base.setdefault("baseColorFactor", [1.0, 1.0, 1.0, 1.0])
    if isinstance(old, dict):
        for new, was in (("baseColorFactor", "diffuseFactor"), ("baseColorTexture", "diffuseTexture")):
            if was in old:
                base[new] = old[was]
    more = [name for name in _OTHER_MAPS if name in material or name in base]
    if more:
        pictures.leave_out(f"of materials {', '.join(more)}: only colours and colour textures are supported")
    if material.get("alphaMode", "OPAQUE") != "OPAQUE":
        pictures.leave_out("transparency of materials: not supported, they are opaque")
    picture = base.get("baseColorTexture")
    if isinstance(picture, dict) and (picture.get("texCoord") or picture.get("extensions")):
        pictures.leave_out("second or transformed texture coordinates (texCoord, KHR_texture_transform): not used")


def _drop_integer_coordinates(attributes: Any, accessors: list[dict[str, Any]], pictures: Pictures) -> None:
    """Remove integer texture coordinates, which the library flips incorrectly."""
    if _has_places(attributes) and accessors[attributes["TEXCOORD_0"]].get("componentType") != _FLOAT:
        del attributes["TEXCOORD_0"]
        pictures.leave_out("textures with integer coordinates (KHR_mesh_quantization)")


def _add_plain_material(table: dict[str, Any], primitives: list[dict[str, Any]]) -> None:
    """Give a material to primitives with texture coordinates but none, or the library drops the coordinates."""
    bare = [
        p
        for p in primitives
        if "material" not in p and _has_places(p.get("attributes")) and "COLOR_0" not in p["attributes"]
    ]
    if bare:
        table["materials"] = [*_rows(table, "materials"), {"name": PLAIN}]
    for primitive in bare:
        primitive["material"] = len(table["materials"]) - 1


def _has_places(attributes: Any) -> bool:
    return isinstance(attributes, dict) and "TEXCOORD_0" in attributes
