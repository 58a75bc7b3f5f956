"""The camera: pictures of the simulator, or of files and folders (`EYESIM_CAMERA`), such as a real camera writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import images, lcd
from .calls import current, robios
from .constants import SIZES
from .pictures import read_picture
from .session import Session
from .values import signed_bytes, whole, write_image

__all__ = ["CAMGet", "CAMGetGray", "CAMInit", "CAMRelease"]
SUFFIXES = {".pnm", ".ppm", ".pgm", ".pbm", ".png"}


class Camera:
    """What CAMInit has set, and which picture of a folder is next."""

    width, height = SIZES[0]
    on = False
    next_file = 0

    @property
    def pixels(self) -> int:
        """Return the number of pixels."""
        return self.width * self.height

    def choose(self, resolution: int) -> bool:
        """Set the resolution; returns whether there is such a one."""
        if resolution not in SIZES:
            return False
        self.width, self.height = images.size.width, images.size.height = SIZES[resolution]
        self.on = True
        return True


camera = Camera()


def picture(session: Session, width: int, height: int) -> bytes:
    """Return a picture: red, green, blue, row by row from the top left; black without a camera."""
    source = os.environ.get("EYESIM_CAMERA", "")
    data = _from_file(session, Path(source), width, height) if source else session.query("CAMERA", width, height)
    return data if len(data) == 3 * width * height else bytes(3 * width * height)


def _from_file(session: Session, source: Path, width: int, height: int) -> bytes:
    """Return the picture of a file, read anew each time; of a folder one after the other, from the first again."""
    try:
        file = source
        if source.is_dir():
            files = sorted(path for path in source.iterdir() if path.suffix.lower() in SUFFIXES)
            if not files:
                raise ValueError(f"{source} has no pictures (PNM or PNG)")
            file = files[camera.next_file % len(files)]
            camera.next_file += 1
        return read_picture(file).coloured().scaled(width, height)
    except (OSError, ValueError) as problem:
        session.complain(f"EYESIM_CAMERA: {problem}")
        return b""


@robios(starts=True)
def CAMInit(resolution: Any) -> int:
    """Set the resolution of the camera and of image processing: QQVGA, QVGA, VGA ...; 1 for others."""
    if not camera.choose(whole(resolution)):
        return 1
    lcd.area.follow((camera.width, camera.height))
    return 0


@robios()
def CAMRelease() -> int:
    """Stop the camera."""
    camera.on = False
    return 0


def _taken(function: str) -> bytes:
    session = current()
    if not camera.on:
        session.complain(f"{function} before CAMInit: the resolution is QQVGA")
        camera.choose(0)
    return picture(session, camera.width, camera.height)


def _given(data: bytes, target: Any) -> Any:
    if target is None:
        return signed_bytes(data)
    write_image(target, data)
    return 0


@robios(starts=True)
def CAMGet(buf: Any = None) -> Any:
    """Return a colour image: signed bytes, 3 for each pixel; with a buffer, store it there."""
    return _given(_taken("CAMGet"), buf)


@robios(starts=True)
def CAMGetGray(buf: Any = None) -> Any:
    """Return a gray image: signed bytes, 1 for each pixel; with a buffer, store it there."""
    return _given(images.gray_of(_taken("CAMGetGray")), buf)
