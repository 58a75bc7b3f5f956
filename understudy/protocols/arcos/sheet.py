"""Settings of an ARCOS port: MobileSim's options for the conversation with a client."""

from __future__ import annotations

from typing import ClassVar

from understudy.frozen import frozen
from understudy.world.records import rule


@frozen
class ArcosSheet:
    """Simulator settings of the port; what it reports about the robot belongs to the firmware."""

    kind: ClassVar[str] = "arcos"
    units: ClassVar[tuple[str, ...]] = ("pioneer",)

    srisim_laser_compat: bool = rule(True, doc="commands 35 to 38 set the laser, as in ARIA")
    srisim_compat: bool = rule(False, doc="commands 62 and 66 to 69 are those of SRISim")
    ignore_commands: tuple[int, ...] = rule((), least=0, most=255, doc="command numbers to ignore")
    less_verbose: bool = rule(False, doc="true: no warnings about unsupported commands")
    interval_ms: int = rule(100, least=1, most=65_535, doc="real time of a step, as SIMSTAT reports it")
    sim_interval_ms: int = rule(0, least=0, most=65_535, doc="simulated time of a step; 0: the same")
    interactive: bool = rule(False, doc="SIMINFO reports an interactive simulator (with a GUI)")
    restarted: bool = rule(False, doc="SIMINFO reports that the simulator crashed and was restarted")
