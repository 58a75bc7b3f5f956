"""The validity cards of ground sensors."""

from __future__ import annotations

from understudy.sensors.cards.card import Card, Number

_PICTURE = "the mean of the ground's picture over a round spot, limited by the resolution of the picture"
_EDGE = "the edge of the ground, beyond which nothing is reflected"
_LIFT = "a lifted robot: the signal falls with the square of the additional height"
_NOT_LIT = "lamps and shadows: only the device's own light counts (unlike the light sensor)"
_NOT_GLOSS = "gloss, and how surfaces differ between infra-red and visible light"
_DOWN = "other directions than straight down from the robot"
_OI = "iRobot Create Open Interface and Create 2 Open Interface Specification: packets 8 to 12, 27 to 31"
_ESTIMATE = "estimate; measure the device at hand"

LINE = Card(
    "line",
    "One or more sensors that look down at the ground and measure brightness.",
    sources=(
        "LURobotSim thesis 3.6.3.2: the grey value of the pixel under the sensor, 0 to 255",
        "LURobotSim thesis 5.2.4: brightness as the value of the HSV model, scaled to 100",
        "LEGO light sensor, percent mode, on paper: black 30 to 38, white 45 to 55",
    ),
    modelled=(_PICTURE, _EDGE, _LIFT, "LEGO's percent: measures = 'brightness', black = 33, white = 50"),
    not_modelled=(_NOT_LIT, _NOT_GLOSS, _DOWN, "a spot that is brighter at its centre than at its edge"),
    numbers=(
        Number("period_us", "estimate: 50 Hz, as hobby controllers poll"),
        Number("field_rad", _ESTIMATE),
        Number("noise.sigma", _ESTIMATE),
    ),
)
COLOUR = Card(
    "colour",
    "A colour sensor that looks down: red, green, blue and the nearest colour of a palette.",
    sources=("LEGO colour sensors: 1 black, 2 blue, 3 green, 4 yellow, 5 red, 6 white, 7 brown, 0 no colour",),
    modelled=(_PICTURE, _EDGE, _LIFT, "the name follows from the values that are reported, noise included"),
    not_modelled=(
        _NOT_LIT,
        _DOWN,
        "the spectra of lamps and filters: the values are those of the picture",
        "LEGO's own colour decision: here it is the nearest palette colour (least squares of red, green, blue)",
    ),
    numbers=(
        Number("period_us", "estimate: 50 Hz, as hobby controllers poll"),
        Number("field_rad", _ESTIMATE),
        Number("least", _ESTIMATE),
        Number("noise.sigma", _ESTIMATE),
    ),
)
CLIFF = Card(
    "cliff",
    "Cliff sensors as on a Roomba: left, front left, front right, right.",
    sources=(_OI, "a signal is 0 to 4095, an answer every 15 ms"),
    modelled=(
        _EDGE,
        _LIFT,
        "dark ground reflects less: with a threshold above full * dark, black ground is detected as a cliff",
    ),
    not_modelled=(_NOT_LIT, _NOT_GLOSS, _DOWN, "how deep a cliff is: beyond the edge there is nothing"),
    numbers=(
        Number("full", _OI),
        Number("period_us", _OI),
        Number("spots", "estimate: the documents do not say where the sensors sit"),
        Number("spot_m", _ESTIMATE),
        Number("field_rad", _ESTIMATE),
        Number("dark", "estimate: black print reflects a twentieth"),
        Number("threshold", _ESTIMATE),
        Number("noise.sigma", _ESTIMATE),
    ),
)
REFLECTIVE = Card(
    "reflective",
    "Infra-red sensors that measure reflected light along their mount: wall, table edge, light bumper.",
    sources=(_OI, "wall signal and light bump signals: 0 to 4095"),
    modelled=(
        "the nearest thing straight ahead on the infra-red layer, by the inverse square of its distance",
        "the ground according to its colour, up to its edge",
    ),
    not_modelled=(
        "the colour of things (all count as white), and the angle of incidence",
        "the width of the beam: it is one ray",
        "sunlight and other robots' beams",
    ),
    numbers=(
        Number("full", _OI),
        Number("period_us", _OI),
        Number("best_m", _ESTIMATE),
        Number("max_m", _ESTIMATE),
        Number("spot_m", _ESTIMATE),
        Number("dark", "estimate: black print reflects a twentieth"),
        Number("threshold", _ESTIMATE),
        Number("noise.sigma", _ESTIMATE),
    ),
)
