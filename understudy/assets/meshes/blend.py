"""Blender's own files, as glTF: an installed Blender converts them; scripts in them are not run."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tempfile

from understudy.assets import fence
from understudy.errors import FormatError

SIGNATURES = (b"BLENDER", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")  # plain, and compressed with zstd or gzip
_ADVICE = "open it in Blender, export it (File > Export > glTF 2.0), and use that file instead"
_PATIENCE_S = 120
_EXPORT = "import bpy; bpy.ops.export_scene.gltf(filepath={target!r}, export_format='GLB')"


def is_blend(data: bytes, file: str) -> bool:
    """Return whether a file is a Blender file."""
    return data.startswith(b"BLENDER") or (file.lower().endswith(".blend") and data.startswith(SIGNATURES))


def _installed() -> str | None:
    """Return the path of the installed Blender; a file of that name in the current folder is not trusted."""
    found = shutil.which("blender")
    return found if found and pathlib.Path(found).resolve().parent != pathlib.Path.cwd().resolve() else None


def to_glb(data: bytes, file: str) -> bytes:
    """Return a Blender file as GLB; raises FormatError with advice if Blender is not installed."""
    if fence.is_up():  # Blender would read any file that it names
        raise FormatError(f"{file}: Blender files can name any file, so this one is not converted here; {_ADVICE}")
    blender = _installed()
    if blender is None:
        raise FormatError(f"{file}: Blender is not installed, so this file cannot be converted; {_ADVICE}")
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "scene.blend"), pathlib.Path(folder, "scene.glb")
        source.write_bytes(data)
        script = _EXPORT.format(target=str(target))
        command = [
            blender,
            "--background",
            "--factory-startup",
            "--disable-autoexec",
            str(source),
            "--python-expr",
            script,
        ]
        try:
            subprocess.run(command, capture_output=True, timeout=_PATIENCE_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FormatError(f"{file}: Blender could not convert it ({error}); {_ADVICE}") from None
        if not target.is_file():
            raise FormatError(f"{file}: Blender could not convert it; {_ADVICE}")
        return target.read_bytes()
