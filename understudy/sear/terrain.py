"""A project on real terrain: a part of an elevation file becomes the ground, and a rover reports its position."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy.assets import fence
from understudy.assets.heights import elevation
from understudy.errors import FormatError
from understudy.frozen import frozen
from understudy.sear.components import (
    SearAccelerometer,
    SearCompass,
    SearDistance,
    SearDynamics,
    SearGPS,
    SearGyroscope,
    SearOdometer,
    SEARrobot,
    SearWheel,
)
from understudy.sear.objects import SearBox, SearModel
from understudy.world.limits import LENGTH_M
from understudy.world.scene import Ground, Heights, Origin
from understudy.world.terrain import Terrain

TERRAIN = "terrain.asc"  # in assets
MOST_HEIGHTS = 4_000_000


@frozen
class ElevationPart:
    """An elevation file, and the part of it that is wanted: its centre (latitude, longitude) and its size (m)."""

    file: str
    middle_deg: tuple[float, float] | None = None
    size_m: tuple[float, float] | None = None


def surveyed(land: ElevationPart) -> tuple[bytes, Origin]:
    """Return the wanted part as an ASCII grid in metres about its centre, and where that is; raises FormatError."""
    try:
        data = fence.read_bytes(Path(land.file))
    except OSError as error:
        raise FormatError(f"{land.file}: cannot be read ({error.strerror})") from None
    if (land.middle_deg is None) != (land.size_m is None):
        raise FormatError(f"{land.file}: a part of it needs both, --middle and --size")
    middle, size = land.middle_deg or (0.0, 0.0), land.size_m or (1.0, 1.0)
    if not (all(abs(angle) <= 180.0 for angle in middle) and all(0.0 < length <= LENGTH_M for length in size)):
        raise FormatError(f"{land.file}: not a part of it: middle {land.middle_deg}, size {land.size_m}")
    heights = Heights(Path(land.file).name, middle_deg=land.middle_deg, size_m=land.size_m)
    terrain, origin = elevation.survey(data, Ground(heights=heights))
    if terrain.heights.size > MOST_HEIGHTS:
        raise FormatError(
            f"{land.file}: {terrain.heights.size:,} heights are too many (at most {MOST_HEIGHTS:,}): "
            "give a part with --middle LAT,LON and --size EAST,NORTH"
        )
    return ascii_grid(terrain), origin or Origin()


def ascii_grid(terrain: Terrain) -> bytes:
    """Return a terrain as an ESRI ASCII grid, the north first, in metres."""
    rows, columns = terrain.heights.shape
    head = (
        f"ncols {columns}\nnrows {rows}\nxllcenter {terrain.x0_m!r}\nyllcenter {terrain.y0_m!r}\n"
        f"dx {terrain.step_x_m!r}\ndy {terrain.step_y_m!r}\nNODATA_value -9999\n"
    )
    lines = (" ".join(f"{height:.3f}" for height in row) for row in np.asarray(terrain.heights[::-1], float).tolist())
    return (head + "\n".join(lines) + "\n").encode()


def build_on_terrain(origin: Origin) -> None:
    """Make the objects of a project on a terrain: the ground and a rover with suspension and sensors."""
    SearModel("terrain", TERRAIN).setTerrain()
    robot = SEARrobot("rover")
    dynamics = SearDynamics("dynamics", 30, 120, 0.3, 0.4, 2000, 0.08)
    dynamics.setMaxSpeed(1.0)
    dynamics.setPorts("/dev/rover_uart", "/dev/rover")
    robot.addComponent(dynamics)
    robot.addComponent(SearBox("body", 0.6, 0.4, 0.2, 30, 0, 0.1, 0))
    for name, side, ahead in (("front left", 0.26, 0.22), ("front right", -0.26, 0.22), ("rear left", 0.26, -0.22),
                              ("rear right", -0.26, -0.22)):  # fmt: skip
        wheel = SearWheel(name, 0.12, 0.08, 1)
        wheel.move(side, 0, ahead)
        robot.addWheel(wheel)
    receiver = SearGPS("gps", origin.latitude_deg, origin.altitude_m, origin.longitude_deg)
    receiver.setPorts("/dev/rover_gps_uart", "/dev/rover_gps")
    ping = SearDistance("Ping1")
    ping.move(0, 0.15, 0.32)
    sensors = (SearCompass("comp1"), SearAccelerometer("accel"), SearGyroscope("gyro1"), SearOdometer("odo"))
    for sensor in (receiver, ping, *sensors):
        robot.addComponent(sensor)
