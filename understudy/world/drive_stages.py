"""What lies between the motion that a unit commands and the one that the engine is given: stages, one after another.

A stage is a small record with parameters. A robot has them in ``[drive_stage.NAME]``, in the order of the file; a fault
of a robot's drive adds one for as long as it lasts. `sim.drive_stages` carries each of them out.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from understudy.frozen import frozen
from understudy.world.records import rule

Side = Literal["both", "left", "right"]
_SIDE = "the wheels that it affects; one side only of a differential or skid drive"


@frozen
class Errors:
    """Error margins: the robot moves faster or slower than commanded, by fixed, drawn and changing shares."""

    kind: ClassVar[str] = "errors"
    speed: float = rule(0.0, least=-1.0, most=1.0, doc="0.02: 2 % faster than commanded")
    turn: float = rule(0.0, least=-1.0, most=1.0, doc="the same for turning")
    speed_margin: float = rule(0.0, least=0.0, most=1.0, doc="drawn once for each robot from -margin to +margin")
    turn_margin: float = rule(0.0, least=0.0, most=1.0, doc="the same for turning")
    speed_noise: float = rule(0.0, least=0.0, most=1.0, doc="standard deviation of a share that is drawn at every tick")
    turn_noise: float = rule(0.0, least=0.0, most=1.0, doc="the same for turning")
    veer_rad_m: float = rule(0.0, least=-100.0, most=100.0, doc="turn for each metre ahead; positive: to the left")


@frozen
class Slip:
    """Wheels that slip: the robot moves less than they roll, so encoders count more than the true path."""

    kind: ClassVar[str] = "slip"
    share: float = rule(0.3, least=0.0, most=0.95, doc="share of the motion that is lost")
    side: Side = rule("both", doc=_SIDE)


@frozen
class Weak:
    """A drive that does not reach its full speed."""

    kind: ClassVar[str] = "weak"
    share: float = rule(0.5, least=0.0, most=1.0, doc="share of the full speed that it still reaches")


@frozen
class BrownOut:
    """A drive that becomes slower as the voltage of a battery falls, and stops below a minimum voltage."""

    kind: ClassVar[str] = "brown_out"
    battery: str = rule("battery", doc="the device that measures the voltage")
    full_v: float = rule(12.0, above=0.0, doc="full speed at this voltage and above")
    stop_v: float = rule(11.0, least=0.0, doc="no drive power at this voltage and below")


@frozen
class Dead:
    """A drive gives no torque; as a fault also: a sensor has no readings, a port transmits nothing."""

    kind: ClassVar[str] = "dead"
    side: Side = rule("both", doc=_SIDE)


@frozen
class Stuck:
    """A drive keeps its motion; as a fault also: a sensor repeats its last reading, a port transmits nothing."""

    kind: ClassVar[str] = "stuck"


DriveStage = Errors | Slip | Weak | BrownOut | Dead | Stuck
STAGES: dict[str, type[DriveStage]] = {cls.kind: cls for cls in get_args(DriveStage)}


@frozen(kw_only=True)
class DriveStageSpec:
    """A stage of a robot's drive, and its name."""

    name: str = rule(form="name")
    sheet: DriveStage = rule(inline=True)
