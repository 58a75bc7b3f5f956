"""Classic RoBIOS (versions 1 to 6): all functions and constants, as `from eye_classic import *` gives them.

Results that C writes through pointers are returned; what C code passes (ctypes values, structs) is accepted too.
`OSMachineID()` returns the number of the robot.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from . import (
    classic_camera,
    classic_constants,
    classic_driving,
    classic_lcd,
    classic_sensors,
    classic_system,
    classic_tasks,
)

# title of the group, module
GROUPS: tuple[tuple[str, ModuleType], ...] = (
    ("Driving, motors, encoders, servos", classic_driving),
    ("Sensors", classic_sensors),
    ("LCD and keys", classic_lcd),
    ("Camera and images", classic_camera),
    ("System, time, sound, radio, inputs and outputs", classic_system),
    ("Threads", classic_tasks),
)
CONTENT: dict[str, Any] = {name: getattr(module, name) for _, module in GROUPS for name in module.__all__}
FUNCTIONS = {name: value for name, value in CONTENT.items() if not isinstance(value, type)}
CONSTANTS: dict[str, Any] = {name: getattr(classic_constants, name) for name in classic_constants.EXPORTED}
globals().update(CONTENT)
globals().update(CONSTANTS)
__all__ = [*CONTENT, *CONSTANTS]
