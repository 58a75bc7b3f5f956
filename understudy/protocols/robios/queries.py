"""The queries of a RoBIOS program: what it asks for that is not in its frames."""

from __future__ import annotations

import struct
from typing import Any

from understudy.frozen import frozen


class Query:
    """The queries, by name."""

    @frozen
    class Lidar:
        """Distances over a field centred ahead, tilted down (degrees); i32 mm each, from left to right."""

        points: int
        range_deg: int
        tilt_deg: int

    @frozen
    class Camera:
        """A picture of this size; red, green and blue of each pixel."""

        width: int
        height: int

    @frozen
    class RobotPose:
        """True pose of a robot, 0 is the caller; f64 x, y, z (m) and heading (rad), or nothing."""

        number: int

    @frozen
    class ObjectPose:
        """True pose of an object; as of a robot."""

        number: int

    @frozen
    class Counts:
        """How many robots and objects there are; u32, u32."""

    @frozen
    class RadioRobots:
        """Numbers of the robots whose radio is on; u32 each."""

    @frozen
    class LcdPixel:
        """Colour of a pixel; i32."""

        x: int
        y: int

    @frozen
    class LcdCursor:
        """Row and column of the text cursor; i32, i32."""

    @frozen
    class Microphone:
        """A sample of the microphone; i32."""

    @frozen
    class Servo:
        """Position of a servo, 0 to 255; i32."""

        servo: int

    @frozen
    class Sensors:
        """Have these sensors in all frames from now on: 16 PSDs, 32 infra-red, 64 compass; the frame of now."""

        sensors: int


# number -> query, form of its arguments
QUERIES: dict[int, tuple[type, str]] = {
    1: (Query.Lidar, "Iii"),
    2: (Query.Camera, "II"),
    3: (Query.RobotPose, "i"),
    4: (Query.ObjectPose, "i"),
    5: (Query.Counts, ""),
    6: (Query.RadioRobots, ""),
    7: (Query.LcdPixel, "ii"),
    8: (Query.LcdCursor, ""),
    9: (Query.Microphone, ""),
    10: (Query.Servo, "i"),
    11: (Query.Sensors, "i"),
}


def decode(content: bytes) -> Any:
    """Return the query in a record; raises ValueError."""
    if not content or content[0] not in QUERIES:
        raise ValueError(f"no RoBIOS query has the number {content[0] if content else 'of an empty record'}")
    query, form = QUERIES[content[0]]
    if len(content) - 1 != struct.calcsize("<" + form):
        raise ValueError(f"query {content[0]} has {len(content) - 1} bytes of arguments")
    return query(*struct.unpack_from("<" + form, content, 1))
