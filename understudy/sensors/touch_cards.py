"""The validity cards of the devices that feel."""

from __future__ import annotations

from understudy.sensors.card import Card, Number

_SWITCH = "changes that must last before they count, and presses that are held, in simulated time"
_NOT_FORCE = "how hard something is pressed: any touch closes the switch"
_NOT_BOUNCE = "bouncing of the contacts: a switch closes and opens at once"
_OI = "iRobot Create Open Interface: packet 7, bump right and left, wheel drop right, left and caster"
_TICK = "estimate: hardware switches are polled far oftener than a tick"

BUMPER = Card(
    "bumper",
    "Bumpers as sectors around the robot's body.",
    sources=(
        "EyeSim paper, section 2: contact within a sector around the robot; several bumpers may overlap",
        _OI,
        "MobileSim manual: what is hidden from sonar and laser still triggers bumpers",
    ),
    modelled=(
        "every contact of the body as the engine has it, also at rest and with edges along their whole length",
        "things that are hidden from the layer 'touch' stop the robot but press no bumper",
        _SWITCH,
    ),
    not_modelled=(
        _NOT_FORCE,
        _NOT_BOUNCE,
        "bumpers that stand out from the body, and their travel: give the body the outline of its bumpers",
        "the height at which a bumper is hit",
    ),
    numbers=(Number("period_us", _TICK), Number("sectors", "Roomba: right and left half of the front")),
)
TOUCH = Card(
    "touch",
    "One feeler, such as a LEGO touch sensor with a plate in front.",
    sources=(
        "LURobotSim thesis 3.6.3.1: pressed while the sensor's body collides with a wall",
        "LEGO touch sensor: pressed reads 1; the RCX takes its raw value from that",
    ),
    modelled=(
        "a level plate of given width and reach: whatever solid the layer 'touch' shows within it presses it",
        "it works before the robot is stopped, and also on things that do not stop robots",
        _SWITCH,
    ),
    not_modelled=(
        _NOT_FORCE,
        _NOT_BOUNCE,
        "the plate's own body: it goes into things up to where the robot's body stops",
        "things thinner than a quarter of the plate's width that are wholly within it",
    ),
    numbers=(
        Number("period_us", _TICK),
        Number("width_m", "estimate: a bumper beam of four studs, 8 mm each"),
        Number("reach_m", "estimate: the travel of a lever in front of the sensor"),
    ),
)
STALL = Card(
    "stall",
    "The motor controller's word that the robot is held back.",
    sources=("ARCOS standard information packet: stall bits of both motors", "MobileSim: stalled while it collides"),
    modelled=("the engine's own knowledge of who is stopped by something", _SWITCH),
    not_modelled=("currents of the motors", "one wheel stalled and the other not: both are, or none"),
    numbers=(Number("period_us", _TICK), Number("debounce_us", "estimate: as MobileSim, at once")),
)
WHEEL_DROP = Card(
    "wheel_drop",
    "Switches that open when a wheel hangs down.",
    sources=(_OI,),
    modelled=(
        "the edge of the ground, a robot that is lifted, and ground that is darker than a threshold as a hole",
        _SWITCH,
    ),
    not_modelled=("the fall: on the planar engine a robot drives on beyond the edge", _NOT_BOUNCE),
    numbers=(
        Number("period_us", _TICK),
        Number("wheels", "Create 2: wheels 235 mm apart; left, right"),
        Number("travel_m", "estimate; measure the robot at hand"),
    ),
)
