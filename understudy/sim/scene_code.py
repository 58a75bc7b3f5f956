"""The user code that a scene brings into its run: filters of devices and firmware of units."""

from __future__ import annotations

from functools import partial

from understudy.assets import imports
from understudy.assets.library import Library
from understudy.errors import ProgramError
from understudy.robots.base import Code
from understudy.sensors.filters import Filter
from understudy.sim import consent
from understudy.sim.guard import Guard
from understudy.sim.imports import FirmwareScope
from understudy.sim.user_code import UserCode
from understudy.world.file_names import filters, firmware
from understudy.world.robot import UnitSpec
from understudy.world.scene import Scene


class SceneCode:
    """Finds user code among the files of a scene and runs it under a guard, if its author is trusted."""

    def __init__(self, files: Library, guard: Guard, trust: bool) -> None:
        self.guard, self.trust = guard, trust
        self._files, self._user_code = files, UserCode(guard)

    def filters(self, scene: Scene) -> dict[str, Filter]:
        """Return the user filters of a scene's devices; raises ProgramError, and TapeError if not trusted."""
        consent.require(self.trust, "the scene", consent.of_scene(scene))
        return {spec: Filter(spec, self._files, self._user_code.call) for spec in sorted(set(filters(scene)))}

    def check_firmware(self, scene: Scene) -> None:
        """Raise ProgramError if a unit's firmware, or what it imports, is missing or no Python; nothing is executed."""
        for file in sorted(set(firmware(scene))):
            if file not in self._files:
                raise ProgramError(f"firmware {file!r}: no such file next to the scene")
            for name, content in imports.beside(file, self._files.__contains__, self._files.__getitem__).items():
                self._user_code.call(name, partial(compile, content, name, "exec"), "firmware")

    def of_unit(self, robot: str, spec: UnitSpec) -> Code | None:
        """Return the firmware of a unit, if its user gives it one."""
        file = spec.sheet.firmware
        if not file:
            return None
        scope = FirmwareScope(f"{robot}/{spec.name}", file, self._files)
        return Code(file, scope.run, partial(self._user_code.call, what="firmware"))
