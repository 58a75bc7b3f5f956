"""Detect OpenGL without a screen: EGL, or else OSMesa."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

KINDS = {"egl": "EGL", "osmesa": "OSMesa"}  # by MuJoCo's name, in the order of preference
ADVICE = "apt install libosmesa6, or libegl1 and a driver for it"
_OFF = ("disable", "disabled", "off", "false", "0")  # values that MuJoCo takes for "no rendering"
_PATIENCE_S = 60.0


class OpenGL(NamedTuple):
    """An OpenGL: its kind, empty if there is none, and the driver, or the reason why there is none."""

    kind: str
    drawer: str

    def __str__(self) -> str:
        """Return it as text, such as ``EGL (llvmpipe (LLVM 15.0.6, 256 bits))``."""
        return f"{KINDS[self.kind]} ({self.drawer})" if self.kind else "none"


def found() -> OpenGL:
    """Return the OpenGL that pictures can be drawn with; cached for the lifetime of the process."""
    return _found(os.environ.get("MUJOCO_GL", "").lower(), os.environ.get("PYOPENGL_PLATFORM", "").lower())


@cache
def _found(setting: str, platform: str) -> OpenGL:
    """Return the OpenGL for these values of MUJOCO_GL and PYOPENGL_PLATFORM."""
    if find_spec("mujoco") is None or find_spec("OpenGL") is None:
        return OpenGL("", "MuJoCo or PyOpenGL is not installed (pip install 'understudy[rigid]')")
    if setting in _OFF:
        return OpenGL("", f"MUJOCO_GL={setting} disables OpenGL")
    for kind in _candidates(setting, platform):
        drawer = _tried(kind) if find_library(KINDS[kind]) else ""
        if drawer:
            return OpenGL(kind, drawer)
    return OpenGL("", f"neither EGL nor OSMesa found ({ADVICE})")


def _candidates(setting: str, platform: str) -> list[str]:
    """Return the kinds that the user's settings allow."""
    return [kind for kind in KINDS if (setting not in KINDS or kind == setting) and platform in ("", kind)]


def _tried(kind: str) -> str:
    """Return the driver of a kind of OpenGL; empty if it does not work."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("probe.py")), kind]
    settings = {**os.environ, "MUJOCO_GL": kind, "PYOPENGL_PLATFORM": kind}
    try:
        done = subprocess.run(command, env=settings, capture_output=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
