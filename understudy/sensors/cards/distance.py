"""The validity cards of range sensors."""

from __future__ import annotations

from understudy.sensors.cards.card import Card, Number

_SEAR = "SEAR dissertation 5.6.2.1: nested cones of rays, the closest hit counts, no hit gives the maximum"
_WIZARD = "SEAR, first thesis 5.1.5 and appendix D: beam width, range or switching distance, resolution"
_NEAREST = "the nearest point of anything in the beam, exact if the device is level"
_LAYER = "collision layers: which things are detected at all (seen_by)"
_NOT_SURFACE = "colour and gloss of the target"
_NOT_LIGHT = "sunlight and lamps that dazzle it"
_NOT_SOUND = "speed of sound: distances are correct at any air temperature"

SONAR = Card(
    "sonar",
    "Sonar and ultrasonic rangers, single or in rings; with other parameters also radar.",
    sources=(
        _SEAR,
        _WIZARD,
        "MobileSim manual: range from each disc of the ring; no reflection model",
        "Pioneer sonar: see the card of the robot",
    ),
    modelled=(
        _NEAREST,
        "main and side lobes, each with its own axis, width and range, or a file of measured points",
        "anything nearer than min_m reads as min_m; no echo reads as max_m, without noise",
        _LAYER,
        "optional: no echo from smooth surfaces at an angle, echoes over two surfaces, cross-talk",
    ),
    not_modelled=(
        "echo strength: thin poles and soft cloth reflect like walls; use lobes measured with such a target",
        "level beams are flat: anything above or below the device, and the floor, gives no echo",
        _NOT_SOUND,
        "transducers of a ring that fire in sequence: all fire at the same time",
        "with cross-talk: echoes of other robots' sound (only direct sound is modelled), and other kinds of sonar",
    ),
    numbers=(
        Number("period_us", "MobileSim: one set of ranges for each status packet, 100 ms"),
        Number("cone_rad", "Polaroid and Pioneer sonar: about 30 deg"),
        Number("min_m", "Pioneer 3 manual: sensitivity from 10 cm"),
        Number("max_m", "MobileSim: 5 m"),
        Number("noise.sigma_m", "estimate: half a wavelength of 40 kHz"),
    ),
)
INFRARED = Card(
    "infrared",
    "Triangulation rangers such as Sharp's GP2D family: metres, volts or counts.",
    sources=(
        _WIZARD,
        "Sharp GP2D12 data sheet: 10 to 80 cm; 2.4 V falling to 0.4 V; a new value every 38.3 ms",
    ),
    modelled=(
        _NEAREST,
        "output volts by a piecewise linear curve; also below the minimum range, where they fall again and"
        " are ambiguous with those of a farther target",
        "the resolution of the A/D converter",
        _LAYER,
    ),
    not_modelled=(
        _NOT_SURFACE,
        _NOT_LIGHT,
        "noise in volts: here it is relative to the distance; noise of the real part grows faster far away",
        "edges: a spot that is half on an edge reads slightly wrong",
    ),
    numbers=(
        Number("period_us", "Sharp GP2D12 data sheet: 38.3 ms +- 9.6 ms"),
        Number("min_m", "Sharp GP2D12 data sheet"),
        Number("max_m", "Sharp GP2D12 data sheet"),
        Number("cone_rad", "estimate: a spot of about 6 cm at 80 cm"),
        Number("full_v", "estimate: converters of hobby controllers reach 5 V"),
        Number("noise.relative", "estimate"),
    ),
)
PROXIMITY = Card(
    "proximity",
    "Proximity switches, such as Sharp's GP2D15.",
    sources=(
        "SEAR, first thesis 5.2.2.1: GP2D15, high when something is within 24 cm; a switching distance that users set",
        "EyeSim paper, section 2: the binary sensor is on below a threshold",
        _WIZARD,
    ),
    modelled=(_NEAREST, "a switching distance, with noise in the distance: near it the switch flickers", _LAYER),
    not_modelled=(
        "hysteresis: it opens at the same distance at which it closes",
        _NOT_SURFACE,
        _NOT_LIGHT,
    ),
    numbers=(
        Number("cone_rad", "estimate: a spot of about 6 cm at 80 cm"),
        Number("switch_m", "Sharp GP2D15 data sheet: 24 cm, +- 3 cm from part to part"),
        Number("period_us", "Sharp GP2D15 data sheet: 38.3 ms +- 9.6 ms"),
        Number("noise.sigma_m", "estimate"),
    ),
)
PSD = Card(
    "psd",
    "EyeBot's position-sensitive devices: the distance in whole millimetres, through a table as in RoBIOS.",
    sources=(
        "EyeSim paper, section 2: the distance to the nearest obstacle, freely placed",
        "RoBIOS: PSDGet in millimetres, PSD_OUT_OF_RANGE 9999",
        "EyeSim-VR: one ray per sensor; normal noise of 10 mm; at most 9999",
    ),
    modelled=(
        "the distance along one ray, or in a beam",
        "out of range, with separate values for below and above",
        _LAYER,
    ),
    not_modelled=("the 8-bit resolution of the part, which is coarse far away", _NOT_SURFACE, _NOT_LIGHT),
    numbers=(
        Number("min_m", "Sharp GP2D02 data sheet: 10 cm"),
        Number("max_m", "Sharp GP2D02 data sheet: 80 cm"),
        Number("period_us", "Sharp GP2D02 data sheet: 70 ms for a measurement"),
        Number("below_mm", "RoBIOS: PSD_OUT_OF_RANGE"),
        Number("above_mm", "RoBIOS: PSD_OUT_OF_RANGE"),
        Number("noise.sigma_m", "EyeSim-VR: 10 mm, where noise is switched on"),
    ),
)
BEAM = Card(
    "beam",
    "A laser range finder with a single fixed beam.",
    sources=("SEAR dissertation 5.6.2: simple laser reflectors belong to the distance sensors",),
    modelled=("the distance along one ray", "no echo reads as max_m, without noise", _LAYER),
    not_modelled=("the size of the spot", _NOT_SURFACE, _NOT_LIGHT),
    numbers=(
        Number("period_us", "estimate: read 50 times a second; a LIDAR-Lite v3 can do more"),
        Number("min_m", "estimate"),
        Number("max_m", "Garmin LIDAR-Lite v3: 40 m"),
        Number("noise.sigma_m", "estimate: LIDAR-Lite v3 is given as +- 2.5 cm below 5 m"),
    ),
)
LASER = Card(
    "laser",
    "Scanning laser range finders, such as the SICK LMS-200.",
    sources=(
        "SICK LMS 2xx technical description and telegram listing; beam of a few mrad, about 8 cm at 10 m",
        "SEAR dissertation 5.6.2.2: one ray per step of the field, no hit gives the maximum",
        "MobileSim manual: 181 readings over 180 degrees; things that lasers do not see, or see as reflectors",
    ),
    modelled=(
        "the exact distance along each ray, at one instant",
        "any mount: also tilted scanners, which see the floor",
        "anything nearer than min_m reads as min_m; no echo reads as max_m, without noise",
        "optional: reflectance of the surface hit",
        "optional: shorter range for dark surfaces and surfaces at an angle; no echo at grazing angles",
        "optional: beam width; at edges it reads between near and far, or the stronger of both",
        _LAYER,
    ),
    not_modelled=(
        "the rotation of the mirror: all rays of a scan are measured at one instant",
        "glass and mirrors (transmission, mirror reflection); hide them from the layer 'laser' instead",
        _NOT_LIGHT,
    ),
    numbers=(
        Number("period_us", "MobileSim: one scan for each status packet, 100 ms"),
        Number("field_rad", "SICK LMS-200: 180 deg"),
        Number("rays", "SICK LMS-200: steps of 1 deg"),
        Number("max_m", "SICK LMS-200: 8 m in millimetre mode"),
        Number("noise.sigma_m", "SICK LMS-200: 5 mm statistical, 15 mm systematic; a value between them"),
        Number("noise.lost", "estimate"),
        Number("pulse_m", "estimate; two echoes of a pulse of 5 ns merge below 0.75 m"),
    ),
)
