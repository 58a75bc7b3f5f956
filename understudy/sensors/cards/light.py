"""The validity cards of light sensors and lamps."""

from __future__ import annotations

from understudy.sensors.cards.card import Card, Number

_LEGO = "LEGO light sensor, percent mode, on paper: black 30 to 38, white 45 to 55; bright lamps 60 to 100"
_ESTIMATE = "estimate; measure the device at hand"

LIGHT = Card(
    "light",
    "A light sensor: ambient light in its direction, or light reflected by the ground.",
    sources=(_LEGO, "LURobotSim thesis 4.3 and 5.2.4: disturbance by ambient light, left as future work there"),
    modelled=(
        "lamps by the inverse square of the distance, the sun by its direction, ambient light",
        "shadows of walls, things and robots: one line of sight for each lamp",
        "sensitivity by a power of the cosine",
        "ground according to its colour, matt like paper: lit by all lamps, also those of robots, and shaded by bodies",
        "LEGO's sensor: pitch_deg = 90, dark = 30, and a lamp beside it, also pointing down",
    ),
    not_modelled=(
        "light reflected by walls and things, and its colour",
        "soft shadows: a lamp is a point",
        "the shadow of a robot's own body on its sensors, and in the light of its own lamps",
        "spectral sensitivity to the colours of lamps",
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
    "A lamp on a robot, from the red LED of a LEGO light sensor to a headlight.",
    sources=("RCX: the light sensor's LED is on while its input is powered (sensor type 3)",),
    modelled=("the inverse square of the distance, a beam with a sharp edge, instant switching, dimming by an output",),
    not_modelled=("colour, warm-up", "the robot's own body in its beam"),
    numbers=(Number("brightness", _ESTIMATE), Number("beam_rad", _ESTIMATE)),
)
