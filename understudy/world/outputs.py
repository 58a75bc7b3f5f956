"""Checks of what the outputs of units are bound to, and of the stages of a robot's drive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from understudy.errors import nearest
from understudy.world.drive_stages import BrownOut, DriveStage
from understudy.world.motors import DEVICE, JOINT, SIDES, WHEEL, Driven, driven
from understudy.world.records import KeyPath
from understudy.world.robot import Ackermann, Differential, RobotModel, Undriven, UnitSpec
from understudy.world.rules import kind_of

Found = tuple[str, KeyPath, str, tuple[KeyPath, ...]]  # unit, key in its table, words, what makes this meaningless


def findings(model: RobotModel) -> Iterator[Found]:
    """Yield what is wrong with the outputs of a robot's units."""
    taken: dict[str, str] = {}
    for unit in model.units:
        yield from _motor(unit)
        for output, text in unit.drives:
            yield from _binding(unit, output, text, model)
            for wheel in _occupied(text):
                if wheel in taken:
                    words = f"{wheel} is driven by {taken[wheel]} already; only one output can drive it"
                    yield unit.name, ("drives", output), words, ()
                taken.setdefault(wheel, f"output {output} of {unit.name}")


def _occupied(text: str) -> tuple[str, ...]:
    """Return what an output occupies: a motor for both sides occupies both wheels."""
    return (f"{WHEEL}:left", f"{WHEEL}:right") if text == f"{WHEEL}:both" else (text,)


def _motor(unit: UnitSpec) -> Iterator[Found]:
    if unit.motor.idle_a > unit.motor.stall_a:
        yield unit.name, ("motor", "idle_a"), f"must not be above stall_a, {unit.motor.stall_a:g}", ()
    for n, name in enumerate(unit.motor.reversed):
        if name not in unit.sheet.outputs:
            words = f"a {kind_of(type(unit.sheet))} has no output {name!r} {nearest(name, unit.sheet.outputs)}"
            yield unit.name, ("motor", "reversed", n), words, ()


def _binding(unit: UnitSpec, output: str, text: str, model: RobotModel) -> Iterator[Found]:
    target = driven(text)
    known = _known(model)
    if output not in unit.sheet.outputs:
        words = f"a {kind_of(type(unit.sheet))} has no such output {nearest(output, unit.sheet.outputs)}"
    elif target.sort not in known:
        words = f"want wheel:SIDE, joint:NAME or device:NAME, got {text!r}"
    elif target.name not in known[target.sort]:
        words = f"no such {target.sort} {target.name!r} {nearest(target.name, known[target.sort])}"
    elif target.sort == WHEEL and not _turns(target.name, model):
        words = f"{_WHEELS}, and this drive is {kind_of(type(model.drive))}; leave it out"
    else:
        words = _passive(target, model)
    if words:
        yield unit.name, ("drives", output), words, ((target.sort, target.name),)


_WHEELS = "outputs turn wheels of differential and skid drives, or both together of an ackermann drive"


def _turns(side: str, model: RobotModel) -> bool:
    """Return whether a motor can turn the wheels of a side; one motor drives a car, with its wheels straight ahead."""
    return isinstance(model.drive, Differential) or (isinstance(model.drive, Ackermann) and side == "both")


def _known(model: RobotModel) -> Mapping[str, tuple[str, ...]]:
    return {
        WHEEL: SIDES,
        JOINT: tuple(joint.name for joint in model.joints),
        DEVICE: tuple(device.name for device in model.devices),
    }


def _passive(target: Driven, model: RobotModel) -> str:
    """Return why a joint cannot be driven; empty if it can, or is not a joint."""
    joint = next((joint for joint in model.joints if target == (JOINT, joint.name)), None)
    if joint is None or (joint.driven and not joint.follows):
        return ""
    return f"{joint.name} follows {joint.follows}: drive that one" if joint.follows else f"{joint.name} has no servo"


def misfits(stage: DriveStage, model: RobotModel) -> Iterator[tuple[str, str]]:
    """Yield key and words for what of a drive stage does not fit the robot."""
    side = getattr(stage, "side", "both")
    if isinstance(model.drive, Undriven):
        yield "kind", "this robot has no drive; leave the stage out"
    elif side != "both" and not isinstance(model.drive, Differential):
        yield "side", f"only a differential or skid drive has a {side} side; leave it out"
    if isinstance(stage, BrownOut):
        if stage.stop_v >= stage.full_v:
            yield "stop_v", f"must be below full_v, {stage.full_v:g}"
        batteries = [device.name for device in model.devices if kind_of(type(device.sheet)) == "battery"]
        if stage.battery not in batteries:
            yield "battery", f"no such battery {stage.battery!r} {nearest(stage.battery, batteries)}"
