"""A virtual RCX without a robot: run some text for some milliseconds and look at the machine."""

from __future__ import annotations

from understudy.formats.rcx.isa import RcxFirmware
from understudy.formats.rcx.lasm import assemble
from understudy.robots.rcx.machine import Machine


def draw(number: int, seed: int) -> float:
    """Return numbers that look random: the golden ratio's multiples."""
    return (number * 0.6180339887 + seed * 0.37) % 1.0


def loaded(text: str, firmware: RcxFirmware = "fw2", brick_pace: bool = False) -> Machine:
    """Return a machine with a program that is started; text without a task is that of task 0."""
    whole = text if text.lstrip().startswith(("task", "sub")) else f"task 0\n{text}\nendt"
    machine = Machine(firmware, brick_pace, draw)
    for fragment in assemble(whole, "x.lasm", firmware):
        machine.store(fragment)
    machine.start(0)
    return machine


def after(machine: Machine, ms: int) -> Machine:
    """Let time pass."""
    for _ in range(ms):
        machine.pass_ms()
    return machine


def ran(text: str, ms: int = 50, firmware: RcxFirmware = "fw2") -> Machine:
    """Return the machine after a program has run."""
    return after(loaded(text, firmware), ms)
