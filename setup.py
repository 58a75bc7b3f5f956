"""What pyproject.toml cannot say: an editable install that type checkers find.

Setuptools installs an editable package of our layout by an import hook. Python runs the hook, type checkers do not.
So the editable wheel gets one file more: a ``.pth`` file that puts this folder on the path.
"""

import base64
import hashlib
import zipfile
from pathlib import Path

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

PTH = "__editable__.understudy_types.pth"


class TypedEditableWheel(editable_wheel):
    """The editable wheel of setuptools, and a path for type checkers."""

    def run(self) -> None:
        """Make the wheel, then add the path to it."""
        super().run()
        for wheel in Path(self.dist_dir).glob("understudy-*.whl"):
            _add(wheel, PTH, f"{Path(__file__).resolve().parent}\n".encode())


def _add(wheel: Path, name: str, content: bytes) -> None:
    """Add a file to a wheel and to its RECORD."""
    with zipfile.ZipFile(wheel) as old:
        files = {entry.filename: old.read(entry) for entry in old.infolist()}
    record = next(path for path in files if path.endswith(".dist-info/RECORD"))
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    files[record] += f"{name},sha256={digest},{len(content)}\n".encode()
    files = {name: content, **files}  # RECORD stays last, as the format asks
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for path, data in files.items():
            new.writestr(path, data)


setup(cmdclass={"editable_wheel": TypedEditableWheel})
