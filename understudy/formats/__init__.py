"""One file per file format: a file's bytes in, world out, and back where the format allows.

To add a format: write a module with SUFFIXES, ``sniff``, ``parse`` (and optionally ``write``), and add it to FORMATS.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import pathlib
import shlex
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from understudy.assets import fence
from understudy.errors import FormatError
from understudy.formats.document import Document
from understudy.plugins import Registry, having
from understudy.world.limits import TEXT_BYTES, TEXT_LINES, TOML_BYTES
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

log = logging.getLogger(__name__)


class Format(Protocol):
    """What every format module provides."""

    SUFFIXES: tuple[str, ...]

    def sniff(self, data: bytes, name: str) -> bool:
        """Return whether a file of this content and name is of this format."""
        ...

    def parse(self, data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
        """Return the document that a file's bytes describe; raises SceneError or FormatError that names file and line.

        A text format begins with ``text = as_text(data, file)`` and so accepts text as well as bytes.
        """
        ...


@runtime_checkable
class Writer(Protocol):
    """Optional: a format that can be written."""

    def write(self, scene: Scene) -> str | bytes:
        """Return the file that describes *scene* (a document's scene), without its includes; text is UTF-8."""
        ...


@runtime_checkable
class Saver(Protocol):
    """Optional: a format that consists of several files (a picture and its yaml)."""

    def save(self, scene: Scene, path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
        """Write the files that describe *scene*, including *path*; returns the paths of all of them."""
        ...

    def files_of(self, path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
        """Return the files that `save` may write."""
        ...


@runtime_checkable
class ReportsLosses(Protocol):
    """Optional: a format that reports what it cannot store."""

    def left_out(self, scene: Scene) -> list[str]:
        """Return descriptions of what a file of this format drops or changes of *scene*."""
        ...


FORMATS: Mapping[str, Format] = Registry(
    "understudy.formats",
    "format",
    {
        "native": f"{__name__}.native.scene_file",
        "sim": f"{__name__}.eyesim.sim_file",
        "map": f"{__name__}.aria.map_file",
        "wld": f"{__name__}.aria.saphira_wld",
        "maze": f"{__name__}.eyesim.maze_file",
        "elevation": f"{__name__}.elevation.height_file",
        "bitmap": f"{__name__}.pictures.bitmap",
        "aria_params": f"{__name__}.aria.param_file",
        "eyesim_params": f"{__name__}.eyesim.param_file",
        "robi": f"{__name__}.eyesim.robi_file",
        "esobj": f"{__name__}.eyesim.esobj_file",
        "stage_world": f"{__name__}.stage.world_file",
        "urdf": f"{__name__}.urdf.robot_file",
        "sear": f"{__name__}.sear.project_file",
        "zip": f"{__name__}.archive.zip_file",
        "nodes": f"{__name__}.mesh.node_tree",
    },
    having("SUFFIXES", "sniff", "parse"),
)
# what users give as a scene and what it is used with
_OF_RCX = "a program of an RCX is run with: understudy rcx run {}"
_NOT_SCENES = {
    ".lasm": _OF_RCX, ".icons": _OF_RCX, ".rcx": _OF_RCX,
    ".nqc": "compile it with nqc -O, then run the image with: understudy rcx run",
    ".py": "a program belongs to a robot: understudy run SCENE --program ROBOT={}",
    ".tape": "a tape is run again with: understudy replay {}",
    ".prj": "a file of SEAR's first version is imported with: understudy sear import {}",
    ".ucf": "a file of SEAR's first version is imported with: understudy sear import {}",
}  # fmt: skip
_BINARY = ("elevation", "bitmap", "sear", "zip", "nodes")  # their readers check the size themselves


def detect(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file, detected from its content; raises FormatError that lists the known formats."""
    return FORMATS[_kind(content(path), path)]


def read(path: str | os.PathLike[str], vocabulary: Vocabulary) -> Document:
    """Return the document in a file of any format; raises FormatError or SceneError that names the file."""
    return parse(content(path), str(path), vocabulary, pathlib.Path(path).parent)


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the document that the bytes of a file of any format describe; raises FormatError or SceneError."""
    kind = _kind(data, file)
    if kind not in _BINARY:
        _check_text(data, file, TOML_BYTES if kind == "native" else TEXT_BYTES)
    document = FORMATS[kind].parse(data, file, vocabulary, folder)
    return dataclasses.replace(document, format=kind)


def _check_text(data: bytes, path: str | os.PathLike[str], most: int) -> None:
    """Raise FormatError if a text is too long to be read in reasonable time."""
    if len(data) > most:
        raise FormatError(f"{path}: the file is too large: {len(data):,} bytes (at most {most:,})")
    if (lines := data.count(b"\n")) > TEXT_LINES:
        raise FormatError(f"{path}: the file is too long: {lines:,} lines (at most {TEXT_LINES:,})")


def content(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file; raises FormatError with the reason if it cannot be read."""
    try:
        return fence.read_bytes(pathlib.Path(path))
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror}){_inside(pathlib.Path(path))}") from None


def _inside(path: pathlib.Path) -> str:
    """Return what to open of a folder that was given as a file."""
    if fence.is_up() or not path.is_dir():
        return ""
    if (path / "environment").is_dir() or (path / "robot").is_dir():
        return f"; a project of SEAR is run with: understudy sear run {shlex.quote(str(path))}"
    scenes = sorted(path.glob("*.toml"))
    return f"; did you mean {scenes[0]}?" if scenes else ""


def _kind(data: bytes, path: str | os.PathLike[str]) -> str:
    """Return the name of a file's format; raises FormatError that lists the known formats."""
    for name, known in FORMATS.items():
        try:
            if known.sniff(data, pathlib.Path(path).name):
                return name
        except Exception as problem:  # in a plug-in
            log.warning("the format %r fails on %s: %r", name, path, problem)
    if usage := _NOT_SCENES.get(pathlib.Path(path).suffix.lower()):
        raise FormatError(f"{path}: not a scene; {usage.format(path)}")
    kinds = ", ".join(f"{name} ({' '.join(known.SUFFIXES)})" for name, known in FORMATS.items())
    raise FormatError(f"{path}: unknown file format; supported formats: {kinds}")
