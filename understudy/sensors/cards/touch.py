"""The validity cards of touch sensors."""

from __future__ import annotations

from understudy.sensors.cards.card import Card, Number

_SWITCH = "debounce and hold times, in simulated time"
_NOT_FORCE = "contact force: any touch closes the switch"
_NOT_BOUNCE = "contact bounce: a switch closes and opens cleanly"
_OI = "iRobot Create Open Interface: packet 7, bump right and left, wheel drop right, left and caster"
_TICK = "estimate: hardware switches are polled much more often than once per tick"

BUMPER = Card(
    "bumper",
    "Bumpers as sectors around the robot's body.",
    sources=(
        "EyeSim paper, section 2: contact within a sector around the robot; several bumpers may overlap",
        _OI,
        "MobileSim manual: what is hidden from sonar and laser still triggers bumpers",
    ),
    modelled=(
        "every contact of the body in the engine, also at rest and with edges along their whole length",
        "things that are hidden from the layer 'touch' stop the robot but press no bumper",
        _SWITCH,
    ),
    not_modelled=(
        _NOT_FORCE,
        _NOT_BOUNCE,
        "bumpers that stick out from the body, and their travel: include the bumpers in the body's outline",
        "the height at which a bumper is hit",
    ),
    numbers=(Number("period_us", _TICK), Number("sectors", "Roomba: right and left half of the front")),
)
TOUCH = Card(
    "touch",
    "A single touch sensor with a plate, such as a LEGO touch sensor with a bumper.",
    sources=(
        "LURobotSim thesis 3.6.3.1: pressed while the sensor's body collides with a wall",
        "LEGO touch sensor: pressed reads 1; the RCX derives its raw value from that",
    ),
    modelled=(
        "a level plate of given width and reach: any solid on the layer 'touch' within it presses it",
        "it triggers before the robot is stopped, and also on things that do not stop robots",
        _SWITCH,
    ),
    not_modelled=(
        _NOT_FORCE,
        _NOT_BOUNCE,
        "the plate's own body: it penetrates things until the robot's body stops",
        "things thinner than a quarter of the plate's width that are entirely inside it",
    ),
    numbers=(
        Number("period_us", _TICK),
        Number("width_m", "estimate: a bumper beam of four studs, 8 mm each"),
        Number("reach_m", "estimate: the travel of a lever in front of the sensor"),
    ),
)
STALL = Card(
    "stall",
    "The motor controller's stall flag.",
    sources=("ARCOS standard information packet: stall bits of both motors", "MobileSim: stalled while it collides"),
    modelled=("the stall state of the engine", _SWITCH),
    not_modelled=("motor currents", "a single stalled wheel: always both or none"),
    numbers=(Number("period_us", _TICK), Number("debounce_us", "estimate: as MobileSim, at once")),
)
WHEEL_DROP = Card(
    "wheel_drop",
    "Switches that open when a wheel drops.",
    sources=(_OI,),
    modelled=(
        "the edge of the ground, a lifted robot, and ground darker than a threshold as a hole",
        _SWITCH,
    ),
    not_modelled=("falling: on the planar engine a robot keeps driving beyond the edge", _NOT_BOUNCE),
    numbers=(
        Number("period_us", _TICK),
        Number("wheels", "Create 2: wheels 235 mm apart; left, right"),
        Number("travel_m", "estimate; measure the robot at hand"),
    ),
)
