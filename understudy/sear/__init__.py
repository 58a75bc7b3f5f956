"""SEAR's object grammar, projects and user code, on the public API.

``from understudy.sear import Box, SEARrobot, Wheel, LIDAR`` makes objects; `SearService` simulates the project.
Heavy modules are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "objects": {
        "Box": "SearBox", "Cone": "SearCone", "Cylinder": "SearCylinder", "Floor": "SearFloor", "Model": "SearModel",
        "Wall": "SearWall",
    },
    "components": {
        "SEARrobot": "SEARrobot", "Wheel": "SearWheel", "Dynamics": "SearDynamics", "GPS": "SearGPS",
        "Compass": "SearCompass", "Gyroscope": "SearGyroscope", "Accelerometer": "SearAccelerometer",
        "Odometer": "SearOdometer", "Distance": "SearDistance", "LIDAR": "SearLIDAR", "Camera": "SearCamera",
    },
    "projects": {"Project": "Project", "choose": "choose", "current": "current", "open_project": "open_project",
                 "using": "using"},
    "service": {"SearService": "SearService"},
}  # fmt: skip
_PLACES = {name: (home, real) for home, names in _HOMES.items() for name, real in names.items()}
__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module 'understudy.sear' has no attribute {name!r}")
    home, real = _PLACES[name]
    return getattr(import_module(f"{__name__}.{home}"), real)


def __dir__() -> list[str]:
    return list(__all__)
