"""Settings of an ARCOS port: MobileSim's options that concern what a client may say and gets to hear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.world.plain import rule


@dataclass(frozen=True, slots=True)
class ArcosSheet:
    """How the port behaves as a simulator; what it says about the robot is the firmware's."""

    kind: ClassVar[str] = "arcos"
    units: ClassVar[tuple[str, ...]] = ("pioneer",)

    srisim_laser_compat: bool = rule(True, doc="commands 35 to 38 set the laser, as ARIA has it; false: not")
    srisim_compat: bool = rule(False, doc="commands 62 and 66 to 69 are those of the simulator SRISim")
    ignore_commands: tuple[int, ...] = rule((), least=0, most=255, doc="numbers that do nothing")
    less_verbose: bool = rule(False, doc="true: no warnings of commands that are not supported")
    interval_ms: int = rule(100, least=1, most=65_535, doc="real time of a step, as SIMSTAT tells it")
    sim_interval_ms: int = rule(0, least=0, most=65_535, doc="simulated time of a step; 0: the same")
    interactive: bool = rule(False, doc="SIMINFO tells that somebody is watching")
    restarted: bool = rule(False, doc="SIMINFO tells that the simulator has crashed and begun again")
