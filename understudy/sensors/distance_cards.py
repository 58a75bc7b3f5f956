"""The validity cards of the devices that measure distances."""

from __future__ import annotations

from understudy.sensors.card import Card, Number

_SEAR = "SEAR dissertation 5.6.2.1: nested cones of rays, the closest hit counts, none gives the maximum"
_WIZARD = "SEAR, first thesis 5.1.5 and appendix D: beam width, range or switching distance, resolution"
_NEAREST = "the nearest point of anything in the beam, exactly if the device is level"
_LAYER = "which things are seen at all: their layers (seen_by)"
_NOT_SURFACE = "colour and gloss of what is seen"
_NOT_LIGHT = "sunlight and lamps that blind it"
_NOT_SOUND = "speed of sound: distances are true at any temperature of the air"

SONAR = Card(
    "sonar",
    "Sonar and ultrasonic rangers, singly or in rings; with other numbers also RADAR.",
    sources=(
        _SEAR,
        _WIZARD,
        "MobileSim manual: range from each disc of the ring; no reflection model",
        "Pioneer sonar: see the card of the robot",
    ),
    modelled=(
        _NEAREST,
        "main and side lobes, each with its own axis, width and reach, or a file of measured points",
        "what is nearer than the least range reads as the least range; no echo reads as the greatest, without noise",
        _LAYER,
        "on wish: no echo from smooth things that stand aslant, sound that comes back over two surfaces, cross-talk",
    ),
    not_modelled=(
        "strength of the echo: thin poles and soft cloth answer as walls do; give lobes measured with such a thing",
        "level beams are flat: what is higher or lower than the device is not heard, nor the floor",
        _NOT_SOUND,
        "transducers of a ring that fire one after the other: all of a sample are taken at once",
        "with cross-talk: echoes of other robots' sound (only what comes straight over), and other kinds of sonar",
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
    "Rangers by triangulation such as Sharp's GP2D family: metres, volts or counts.",
    sources=(
        _WIZARD,
        "Sharp GP2D12 data sheet: 10 to 80 cm; 2.4 V falling to 0.4 V; a new value every 38.3 ms",
    ),
    modelled=(
        _NEAREST,
        "volts out by a curve of points, straight between them; also below the least range, where they fall again and"
        " cannot be told from those of something farther",
        "the steps of the converter that reads the volts",
        _LAYER,
    ),
    not_modelled=(
        _NOT_SURFACE,
        _NOT_LIGHT,
        "noise in volts: it is in the distance here, as a share of it; that of the real part grows faster far away",
        "edges: half a spot on an edge reads a little wrong",
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
    "Switches that tell whether something is near, such as Sharp's GP2D15.",
    sources=(
        "SEAR, first thesis 5.2.2.1: GP2D15, high when something is within 24 cm; a switching distance that users set",
        "EyeSim paper, section 2: the binary sensor is on below a threshold",
        _WIZARD,
    ),
    modelled=(_NEAREST, "a switching distance, with noise in the distance: near it the switch flickers", _LAYER),
    not_modelled=(
        "a distance at which it opens again that differs from the one at which it closes",
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
    "EyeBot's position-sensitive devices: the distance in whole millimetres, through a table as RoBIOS has it.",
    sources=(
        "EyeSim paper, section 2: the distance to the nearest obstacle, freely placed",
        "RoBIOS: PSDGet in millimetres, PSD_OUT_OF_RANGE 9999",
        "EyeSim-VR: one ray per sensor; normal noise of 10 mm; at most 9999",
    ),
    modelled=(
        "the distance along one ray, or in a beam",
        "out of range, below and above, with a value for each",
        _LAYER,
    ),
    not_modelled=("the steps of the part's own 8 bits, which are coarse far away", _NOT_SURFACE, _NOT_LIGHT),
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
    "A laser range finder that looks along one line.",
    sources=("SEAR dissertation 5.6.2: simple laser reflectors belong to the distance sensors",),
    modelled=("the distance along one ray", "no echo reads as the greatest range, without noise", _LAYER),
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
        "SEAR dissertation 5.6.2.2: one ray per step of the field, none gives the maximum",
        "MobileSim manual: 181 readings over 180 degrees; things that lasers do not see, or see as reflectors",
    ),
    modelled=(
        "the distance along each ray, exactly, at one instant",
        "any mount: also tilted scanners, which see the floor",
        "what is nearer than the least range reads as the least range; no echo reads as the greatest, without noise",
        "reflectance of what is met, as its surface says, if wanted",
        "on wish: dark and slanting things that are seen less far, or now and then; surfaces met too flatly",
        "on wish: the width of a ray, which at edges reads between near and far, or the stronger of both",
        _LAYER,
    ),
    not_modelled=(
        "the turn of the mirror: all rays of a scan are taken at once",
        "glass and mirrors, which let through or throw elsewhere; hide them from the layer 'laser' instead",
        _NOT_LIGHT,
    ),
    numbers=(
        Number("period_us", "MobileSim: one scan for each status packet, 100 ms"),
        Number("field_rad", "SICK LMS-200: 180 deg"),
        Number("rays", "SICK LMS-200: steps of 1 deg"),
        Number("max_m", "SICK LMS-200: 8 m in millimetre mode"),
        Number("noise.sigma_m", "SICK LMS-200: 5 mm statistical, 15 mm systematic; taken between them"),
        Number("noise.lost", "estimate"),
        Number("pulse_m", "estimate; two echoes of a pulse of 5 ns run together below 0.75 m"),
    ),
)
