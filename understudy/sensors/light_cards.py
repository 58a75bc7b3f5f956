"""The validity cards of light sensors and lamps."""

from __future__ import annotations

from understudy.sensors.card import Card, Number

_LEGO = "LEGO light sensor, percent mode, on paper: black 30 to 38, white 45 to 55; bright lamps 60 to 100"
_ESTIMATE = "estimate; measure the device at hand"

LIGHT = Card(
    "light",
    "A light sensor: ambient light where it looks, or the ground that lamps shine on.",
    sources=(_LEGO, "LURobotSim thesis 4.3 and 5.2.4: light that the surroundings disturb, left for later there"),
    modelled=(
        "lamps by the inverse square of the distance, the sun by its direction, light that is everywhere",
        "shadows of walls, things and robots: one line of sight for each lamp",
        "sensitivity by a power of the cosine",
        "ground by its colour, as matt as paper: lit by all lamps, also those of robots, and shaded by bodies",
        "LEGO's sensor: pitch_deg = 90, dark = 30, and a lamp beside it, also looking down",
    ),
    not_modelled=(
        "light that walls and things throw back, and its colour",
        "soft shadows: a lamp is a point",
        "the shadow of a robot's own body on its sensors, and on what its own lamps shine at",
        "the eye's or the device's sensitivity to colours of lamps",
    ),
    numbers=(
        Number("period_us", "estimate: 50 Hz, as hobby controllers poll"),
        Number("exponent", "a bare photodiode follows the cosine"),
        Number("field_rad", _ESTIMATE),
        Number("full", _ESTIMATE),
        Number("bright", _ESTIMATE),
        Number("reach_m", _ESTIMATE),
        Number("noise.sigma", _ESTIMATE),
    ),
)
LAMP = Card(
    "lamp",
    "A lamp on a robot, from the red diode of a LEGO light sensor to a head-light.",
    sources=("RCX: the light sensor's diode shines while its input is powered, as for type 3",),
    modelled=("the inverse square of the distance, a beam with a sharp edge, switching at once",),
    not_modelled=("its colour, its warming up, dimming", "the robot's own body in its beam"),
    numbers=(Number("brightness", _ESTIMATE), Number("beam_rad", _ESTIMATE)),
)
