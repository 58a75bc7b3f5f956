"""Which OpenGL there is that needs no screen: EGL, or else OSMesa."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

KINDS = {"egl": "EGL", "osmesa": "OSMesa"}  # by the name that MuJoCo has for it, in the order in which they are tried
ADVICE = "apt install libosmesa6, or libegl1 and a driver for it"
_OFF = ("disable", "disabled", "off", "false", "0")  # what MuJoCo takes for "no pictures"
_PATIENCE_S = 60.0


class Found(NamedTuple):
    """An OpenGL that draws: its kind, empty if there is none, and who draws, or why nobody does."""

    kind: str
    drawer: str

    def __str__(self) -> str:
        """Return it for people, such as ``EGL (llvmpipe (LLVM 15.0.6, 256 bits))``."""
        return f"{KINDS[self.kind]} ({self.drawer})" if self.kind else "none"


def found() -> Found:
    """Return the OpenGL that pictures can be drawn with; what was found is remembered while the process lasts."""
    return _found(os.environ.get("MUJOCO_GL", "").lower(), os.environ.get("PYOPENGL_PLATFORM", "").lower())


@cache
def _found(wish: str, platform: str) -> Found:
    """Return what draws if the user has set MUJOCO_GL and PYOPENGL_PLATFORM so."""
    if find_spec("mujoco") is None or find_spec("OpenGL") is None:
        return Found("", "MuJoCo is missing (pip install 'understudy[rigid]')")
    if wish in _OFF:
        return Found("", f"MUJOCO_GL={wish} forbids it")
    for kind in _candidates(wish, platform):
        drawer = _tried(kind) if find_library(KINDS[kind]) else ""
        if drawer:
            return Found(kind, drawer)
    return Found("", f"neither EGL nor OSMesa found ({ADVICE})")


def _candidates(wish: str, platform: str) -> list[str]:
    """Return the kinds that the user's own settings leave."""
    return [kind for kind in KINDS if (wish not in KINDS or kind == wish) and platform in ("", kind)]


def _tried(kind: str) -> str:
    """Return who draws with a kind of OpenGL; empty if it does not work."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("probe.py")), kind]
    settings = {**os.environ, "MUJOCO_GL": kind, "PYOPENGL_PLATFORM": kind}
    try:
        done = subprocess.run(command, env=settings, capture_output=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
