"""RoBIOS-7: all functions and constants, as `from eye import *` gives them."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

from . import (
    camera,
    constants,
    distance,
    driving,
    early_tasks,
    images,
    inputs,
    keys,
    lcd,
    motors,
    radio,
    serial_port,
    simulation,
    sound,
    system,
)
from .library import Library

# in the order of the manual: title of the group, module
GROUPS: tuple[tuple[str, ModuleType], ...] = (
    ("LCD output", lcd),
    ("Keys", keys),
    ("Camera", camera),
    ("Image processing", images),
    ("System and timers", system),
    ("Serial ports", serial_port),
    ("Audio", sound),
    ("Distance sensors", distance),
    ("Servos, motors, encoders", motors),
    ("V-omega driving", driving),
    ("Digital and analog inputs and outputs, remote control", inputs),
    ("Radio", radio),
    ("Simulation only", simulation),
    ("Tasks of the first header", early_tasks),
)
FUNCTIONS: dict[str, Any] = {name: getattr(module, name) for _, module in GROUPS for name in module.__all__}
CONSTANTS: dict[str, Any] = {name: getattr(constants, name) for name in constants.EXPORTED}
lib = Library(FUNCTIONS)
globals().update(FUNCTIONS)
globals().update({name: value for name, value in CONSTANTS.items() if not name.startswith("LIDAR_")})
# what changes while a program runs
VARIABLES = {
    "CAMWIDTH": lambda: camera.camera.width,
    "CAMHEIGHT": lambda: camera.camera.height,
    "CAMPIXELS": lambda: camera.camera.pixels,
    "CAMSIZE": lambda: 3 * camera.camera.pixels,
    "LIDAR_POINTS": lambda: distance.scan.points,
    "LIDAR_RESOLUTION": lambda: distance.scan.points,
    "LIDAR_RANGE": lambda: distance.scan.range_deg,
}
__all__ = ["ctypes", "lib", *FUNCTIONS, *CONSTANTS, *[name for name in VARIABLES if name not in CONSTANTS]]


def __getattr__(name: str) -> Any:
    """Return a variable of the library, such as CAMWIDTH, as it is now."""
    if name in VARIABLES:
        return VARIABLES[name]()
    raise AttributeError(f"RoBIOS-7 has no {name}")
