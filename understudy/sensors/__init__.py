"""Sensor models: the ideal measurement, then what a real device reports.

A kind of sensor is a frozen data sheet with a few pure functions. Identical devices are measured as one batch.
Adding one means a new file and a line in this table; other packages add theirs with an entry point.
"""

from __future__ import annotations

from collections.abc import Mapping

from understudy.plugins import Registry, of_kind

SENSORS: Mapping[str, type] = Registry(
    "understudy.sensors",
    "sensor",
    {
        "laser": f"{__name__}.laser:Laser",
        "beam": f"{__name__}.beam:Beam",
        "sonar": f"{__name__}.cone:Sonar",
        "infrared": f"{__name__}.infrared:Infrared",
        "proximity": f"{__name__}.infrared:Proximity",
        "psd": f"{__name__}.infrared:Psd",
        "encoders": f"{__name__}.wheels:Encoders",
        "odometer": f"{__name__}.wheels:Odometer",
        "odometry": f"{__name__}.wheels:Odometry",
        "gps": f"{__name__}.gps:Gps",
        "accelerometer": f"{__name__}.inertial:Accelerometer",
        "gyro": f"{__name__}.inertial:Gyro",
        "compass": f"{__name__}.compass:Compass",
        "line": f"{__name__}.ground:Line",
        "colour": f"{__name__}.ground:Colour",
        "cliff": f"{__name__}.ground:Cliff",
        "reflective": f"{__name__}.ground:Reflective",
        "bumper": f"{__name__}.touch:Bumper",
        "touch": f"{__name__}.touch:Touch",
        "stall": f"{__name__}.touch:Stall",
        "wheel_drop": f"{__name__}.touch:WheelDrop",
        "battery": f"{__name__}.battery:Battery",
        "thermometer": f"{__name__}.temperature:Thermometer",
        "light": f"{__name__}.light:LightSensor",
        "lamp": f"{__name__}.light:Lamp",
        "gripper": f"{__name__}.gripper:Gripper",
        "camera": f"{__name__}.camera.camera:Camera",
        "feedback": f"{__name__}.feedback:Feedback",
    },
    of_kind,
)
