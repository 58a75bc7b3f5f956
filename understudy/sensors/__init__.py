"""What a perfect device sees, then what a real one reports.

A kind of sensor is a frozen data sheet with a few pure functions; equal devices are measured as one batch.
Adding one means a new file and a line in this table.
"""

from __future__ import annotations

from understudy.sensors.battery import Battery
from understudy.sensors.beam import Beam
from understudy.sensors.camera import Camera
from understudy.sensors.compass import Compass
from understudy.sensors.cone import Sonar
from understudy.sensors.feedback import Feedback
from understudy.sensors.gps import Gps
from understudy.sensors.gripper import Gripper
from understudy.sensors.ground import Cliff, Colour, Line, Reflective
from understudy.sensors.inertial import Accelerometer, Gyro
from understudy.sensors.infrared import Infrared, Proximity, Psd
from understudy.sensors.laser import Laser
from understudy.sensors.light import Lamp, LightSensor
from understudy.sensors.temperature import Thermometer
from understudy.sensors.touch import Bumper, Stall, Touch, WheelDrop
from understudy.sensors.wheels import Encoders, Odometer, Odometry

SENSORS: dict[str, type] = {
    "laser": Laser,
    "beam": Beam,
    "sonar": Sonar,
    "infrared": Infrared,
    "proximity": Proximity,
    "psd": Psd,
    "encoders": Encoders,
    "odometer": Odometer,
    "odometry": Odometry,
    "gps": Gps,
    "accelerometer": Accelerometer,
    "gyro": Gyro,
    "compass": Compass,
    "line": Line,
    "colour": Colour,
    "cliff": Cliff,
    "reflective": Reflective,
    "bumper": Bumper,
    "touch": Touch,
    "stall": Stall,
    "wheel_drop": WheelDrop,
    "battery": Battery,
    "thermometer": Thermometer,
    "light": LightSensor,
    "lamp": Lamp,
    "gripper": Gripper,
    "camera": Camera,
    "feedback": Feedback,
}
