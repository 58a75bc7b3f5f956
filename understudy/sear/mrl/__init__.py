"""What SEAR's users program against: the services of MyRobotLab that its listings use, on real and simulated ports.

``from understudy.sear.mrl import Runtime, python``, then ``Runtime.createAndStart("myLidar", "LIDAR")``; the types are
in `runtime.TYPES`. Names are MyRobotLab's. Everything is imported on first use.
"""

from __future__ import annotations

from typing import Any

from understudy.lazy import imported

_PUBLIC = imported(
    {
        "GPS": f"{__name__}.gps_service:GpsService",
        "LIDAR": f"{__name__}.lidar_service:LidarService",
        "Roomba": f"{__name__}.roomba_service:RoombaService",
        "Runtime": f"{__name__}.runtime:Runtime",
        "Serial": f"{__name__}.serial_service:SerialService",
        "SerialDeviceFactory": f"{__name__}.virtual_ports:SerialDeviceFactory",
        "VirtualSerialPort": f"{__name__}.virtual_ports:VirtualSerialPort",
    }
)
__all__ = [
    "GPS", "LIDAR", "Roomba", "Runtime", "Serial", "SerialDeviceFactory", "VirtualSerialPort", "python",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used; ``python`` is the service that every program has."""
    if name == "python":
        return _PUBLIC["Runtime"].getService("python")
    if name in _PUBLIC:
        return _PUBLIC[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
