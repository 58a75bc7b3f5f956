"""The commands of studio users: one method per command, from a button, a key or the stream.

Called in the web server's thread; work on the simulation is queued with `Runner.ask`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from understudy.errors import ChangeRefused, UnderstudyError
from understudy.robots.base import Drive, Offer
from understudy.robots.pioneer.orders import SetOdometry
from understudy.robots.servos import Aim
from understudy.sim.inbox import Order
from understudy.sim.run import Run
from understudy.sim.sim import Sim
from understudy.sim.wiring import SERVOS, driver, unit_specs
from understudy.studio.driving import STILL, Driver, KeyMotion
from understudy.studio.editing import Editing, dragged, placed, pose_in
from understudy.studio.frame_memory import KEPT_S
from understudy.studio.history import Edit
from understudy.studio.runner import FRAME_S, Runner
from understudy.studio.stream import Message, Stream, Viewer
from understudy.tape.playback import TapeSim
from understudy.world.changes import Change, Move, Pause, Quit, Replace, Reset, Speed, Step, Switch, find
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Wall
from understudy.world.shapes import Pose

HELD_M = 1e-4  # a held thing that has moved by more is put back
SETTLE_US = 2_000_000  # maximum time for a robot that was sent home to come to rest
MOST_TICKS = 100_000  # of one step command, which is executed at once
WIND_S = 0.05  # time for which a tape is wound between two frames


@dataclass(slots=True)
class Drag:
    """A thing that a user drags with the mouse."""

    owner: int  # number of the viewer
    run: Run  # a reset begins another one, in which nobody holds anything
    start: Pose
    pose: Pose


class Commands(Editing):
    """Executes the commands of all users on one simulation."""

    def __init__(self, runner: Runner, stream: Stream) -> None:
        super().__init__(runner, stream)
        self._drivers: dict[int, Driver] = {}
        self._grips: dict[str, Drag] = {}
        self._homing: dict[str, int] = {}  # robots sent home -> end of holding them there (us)
        stream.on_message, stream.on_leave = self.hear, self.leave
        runner.between += [self._hold, self._settle, self._wind]
        self._verbs: dict[str, Callable[[Viewer, Message], None]] = {
            "select": self._select, "beams": self._beams, "drive": self._drive,
            "grab": self._grab, "drag": self._drag, "reshape": self._reshape, "drop": self._drop,
            "run": lambda v, m: self.run(), "pause": lambda v, m: self.pause(), "toggle": lambda v, m: self.toggle(),
            "step": lambda v, m: self.step(int(_number(m, "ticks", 1.0))), "reset": lambda v, m: self.reset(),
            "speed": lambda v, m: self.speed(m.get("factor", 1.0)), "start": lambda v, m: self.start_programs(),
            "home": lambda v, m: self.home(str(m["robot"])), "halt": lambda v, m: self._steer(str(m["robot"]), STILL),
            "add": lambda v, m: self.add(str(m["what"]), _number(m, "x"), _number(m, "y"), v),
            "wall": lambda v, m: self.add_wall(_point(m["from"]), _point(m["to"]), v),
            "remove": lambda v, m: self.remove(str(m["name"])),
            "duplicate": lambda v, m: self.duplicate(str(m["name"]), v),
            "seek": lambda v, m: self.seek(int(_number(m, "position"))),
            "again": lambda v, m: v.see_again(self._stream.memory.last(min(_number(m, "seconds", 15.0), KEPT_S))),
            "undo": lambda v, m: self.undo(), "redo": lambda v, m: self.redo(),
            "clear_trails": lambda v, m: self.clear_trails(),
            "switch": lambda v, m: self.switch(str(m["path"]), bool(m["on"])),
        }  # fmt: skip

    # ---- the stream

    def hear(self, viewer: Viewer, message: Message) -> None:
        """Handle a browser's message; errors are sent back, never raised."""
        verb = self._verbs.get(str(message.get("do")))
        try:
            if verb is None:
                raise UnderstudyError("unknown command")
            verb(viewer, message)
        except (UnderstudyError, KeyError, TypeError, ValueError, OverflowError) as problem:
            self._stream.say({"kind": "refused", "reason": f"{message.get('do')}: {problem}"}, viewer)

    def leave(self, viewer: Viewer) -> None:
        """Release everything that a disconnected browser held."""
        driver = self._drivers.pop(viewer.number, None)
        if driver is not None:
            driver.let_go()
        for name in [name for name, grip in self._grips.items() if grip.owner == viewer.number]:
            self._drop(viewer, {"name": name})

    def _select(self, viewer: Viewer, message: Message) -> None:
        viewer.selected = str(message.get("robot") or "")

    def _beams(self, viewer: Viewer, message: Message) -> None:
        which = message.get("which")
        if which not in ("none", "selected", "all"):
            raise ValueError(f"want none, selected or all, got {which!r}")
        viewer.beams = which

    # ---- time

    def run(self) -> None:
        """Resume the clock."""
        self._post(Pause(False))

    def pause(self) -> None:
        """Pause the clock."""
        self._post(Pause(True))

    def toggle(self) -> None:
        """Pause or resume the clock."""
        self._ask(lambda sim: sim.change(Pause(not sim.paused), "user"))

    def step(self, ticks: int = 1) -> None:
        """Advance by *ticks*; a running clock is paused first."""
        if not 1 <= ticks <= MOST_TICKS:
            raise ValueError(f"want 1 to {MOST_TICKS} ticks, got {ticks}")
        self._post(Pause(True))
        self._post(Step(ticks))

    def speed(self, factor: float | str | None) -> None:
        """Run at this multiple of real time; None: as fast as possible; "step": slow enough to draw every tick."""
        if factor == "step":
            factor = self._runner.sim.start.tick_us / 1e6 / FRAME_S
        wanted = None if factor is None else float(factor)
        if wanted is not None and not 0.0 < wanted < math.inf:
            raise ValueError(f"want a speed above 0, got {factor!r}")
        self._post(Speed(wanted))

    def reset(self) -> None:
        """Reset the simulation to the scene's start."""
        self._post(Reset())

    def seek(self, position: int) -> None:
        """Go to a position of the tape, while it is shown; refused for a live simulation."""
        self._ask(partial(self._seek, position=position))

    def _seek(self, sim: Sim, position: int) -> None:
        if not isinstance(sim, TapeSim):
            raise ChangeRefused("a live simulation has no timeline; only tapes can be scrubbed")
        self._runner.winding = position

    def _wind(self, sim: Sim) -> None:
        """Go towards a position of the tape for a moment."""
        wanted = self._runner.winding
        if wanted is not None and isinstance(sim, TapeSim) and sim.approach(wanted, WIND_S):
            self._runner.winding = None

    def start_programs(self) -> None:
        """Start armed programs."""
        self._ask(lambda sim: sim.start_programs())

    def clear_trails(self) -> None:
        """Forget the paths that robots have driven."""
        self._ask(lambda sim: self._runner.trails.clear())

    def quit(self) -> None:
        """End the run."""
        self._post(Quit(0))

    # ---- robots

    def _drive(self, viewer: Viewer, message: Message) -> None:
        driver = self._drivers.setdefault(viewer.number, Driver(self._steer))
        share = min(max(_number(message, "share", 0.5), 0.05), 1.0)
        driver.hold(str(message.get("robot") or ""), [str(key) for key in message.get("keys", ())], share)

    def _steer(self, name: str, motion: KeyMotion) -> None:
        """Post the motion of pressed keys directly: the inbox is thread-safe."""
        robot = next((r for r in self._runner.sim.current.robots if r.name == name), None)
        if robot is None:
            return
        drive, unit = robot.built.drive, driver(robot).name
        aside = motion.aside * drive.max_lateral_m_s
        order = Drive(motion.ahead * drive.max_m_s, motion.turn * drive.max_rad_s, aside)
        self._runner.sim.inbox.post("user", Order(f"{name}/{unit}", order))

    def home(self, name: str) -> None:
        """Put a robot back to its start pose, at rest, with odometry zero."""
        self._ask(partial(self._send_home, name=name))

    def _send_home(self, sim: Sim, name: str) -> None:
        robot = next((r for r in sim.current.robots if r.name == name), None)
        if robot is None:
            raise ChangeRefused(f"there is no robot {name!r}")
        sim.inbox.post("user", Order(f"{name}/{driver(robot).name}", Drive()))
        sim.change(Reset(name), "user")
        self._homing[name] = sim.t_us + SETTLE_US

    def _settle(self, sim: Sim) -> None:
        """Hold robots that were sent home until their speed ramps have ended; then set their odometry to zero."""
        for name, end_us in list(self._homing.items()):
            row = next((row for row, r in enumerate(sim.current.robots) if r.name == name), None)
            if row is None or sim.t_us < end_us - SETTLE_US:  # removed, or the simulation was reset
                del self._homing[name]
                continue
            sim.change(Reset(name), "user")
            if sim.t_us >= end_us or (not sim.paused and not sim.current.targets[row].any()):
                _zero_odometers(sim, sim.current.robots[row])
                del self._homing[name]

    def aim(self, robot: str, joint: str, position: float) -> None:
        """Move a servo of a robot to a position (rad or m)."""
        self._runner.sim.inbox.post("user", Order(f"{robot}/{SERVOS}", Aim(joint, position)))

    def press(self, unit: str, offer: Offer) -> None:
        """Give the order that a unit offers at its face."""
        self._runner.sim.inbox.post("user", Order(unit, offer.order))

    def switch(self, path: str, on: bool) -> None:
        """Turn a device on or off."""
        self._post(Switch(path, on))

    # ---- dragging

    def _grab(self, viewer: Viewer, message: Message) -> None:
        self._ask(partial(self._take, viewer=viewer, name=str(message["name"])))

    def _take(self, sim: Sim, viewer: Viewer, name: str) -> None:
        self._release_after_reset(sim)
        grip = self._grips.get(name)
        if grip is not None and grip.owner != viewer.number:
            owner = next((v.name for v in self._stream.viewers if v.number == grip.owner), "another user")
            raise ChangeRefused(f"{name} is held by {owner}")
        pose = pose_in(sim, name)
        self._grips[name] = Drag(viewer.number, sim.current, pose, pose)
        self._stream.say({"kind": "held", "names": list(self._grips)})

    def _drag(self, viewer: Viewer, message: Message) -> None:
        x, y = placed(_number(message, "x"), _number(message, "y"))
        heading = None if message.get("heading") is None else _number(message, "heading")
        self._ask(partial(self._move_held, viewer=viewer, name=str(message["name"]), x=x, y=y, heading=heading))

    def _grip(self, sim: Sim, viewer: Viewer, name: str) -> Drag | None:
        """Return how a user holds a thing; None if they do not."""
        self._release_after_reset(sim)
        grip = self._grips.get(name)
        return grip if grip is not None and grip.owner == viewer.number else None

    def _release_after_reset(self, sim: Sim) -> None:
        """Let go of what was held before a reset: at time zero a move would change where things begin."""
        kept = {name: grip for name, grip in self._grips.items() if grip.run is sim.current}
        if len(kept) < len(self._grips):
            self._grips = kept
            self._stream.say({"kind": "held", "names": list(kept)})

    def _move_held(self, sim: Sim, viewer: Viewer, name: str, x: float, y: float, heading: float | None) -> None:
        grip = self._grip(sim, viewer, name)
        if grip is None:
            return
        if isinstance(find(sim.scene, name), Wall):
            raise ChangeRefused(f"{name} is a wall: it is moved by reshape, not by drag")
        turned = grip.pose.heading_rad if heading is None else heading
        lift = self._land.height_m(sim, x, y) - self._land.height_m(sim, grip.pose.x_m, grip.pose.y_m)
        grip.pose = dataclasses.replace(grip.pose, x_m=x, y_m=y, z_m=grip.pose.z_m + lift, heading_rad=turned)
        sim.change(Move(name, grip.pose), "user")

    def _reshape(self, viewer: Viewer, message: Message) -> None:
        """Shift the wall that a user holds, or one of its corners; once, when the drag ends."""
        by = placed(*_point(message["by"]))
        corner = None if message.get("corner") is None else int(_number(message, "corner"))
        self._ask(partial(self._reshape_held, viewer=viewer, name=str(message["name"]), by=by, corner=corner))

    def _reshape_held(self, sim: Sim, viewer: Viewer, name: str, by: tuple[float, float], corner: int | None) -> None:
        if self._grip(sim, viewer, name) is not None:
            self.reshape(sim, name, by, corner)

    def _drop(self, viewer: Viewer, message: Message) -> None:
        cancel = bool(message.get("cancel"))
        self._ask(partial(self._let_go, viewer=viewer, name=str(message["name"]), cancel=cancel))

    def _let_go(self, sim: Sim, viewer: Viewer, name: str, cancel: bool) -> None:
        grip = self._grip(sim, viewer, name)
        if grip is None:
            return
        del self._grips[name]
        if grip.pose != grip.start and cancel:
            sim.change(Move(name, grip.start), "user")
        elif grip.pose != grip.start:
            self._settle_drag(sim, dragged(sim, name, grip.start, grip.pose))
        self._stream.say({"kind": "held", "names": list(self._grips)})

    def _settle_drag(self, sim: Sim, edit: Edit) -> None:
        """Note a drag that has ended; one of a fixed thing also changes where it stands after a reset."""
        if isinstance(edit.change, Replace):
            sim.change(edit.change, "user")
        self._note(edit)

    def _hold(self, sim: Sim) -> None:
        """Keep held things in place, whatever their wheels do."""
        self._release_after_reset(sim)
        for name, grip in list(self._grips.items()):
            try:
                now = pose_in(sim, name)
            except ChangeRefused:
                del self._grips[name]
                continue
            moved = math.hypot(now.x_m - grip.pose.x_m, now.y_m - grip.pose.y_m)
            if moved > HELD_M or abs(math.remainder(now.heading_rad - grip.pose.heading_rad, math.tau)) > HELD_M:
                sim.change(Move(name, grip.pose), "user")

    # ---- maps

    def load_map(self, path: Path, within: Sequence[Path]) -> None:
        """Replace the world by the map in a file, which may name other files below the folders *within* only.

        Robots stay where they are; clients are notified.
        """
        self._ask(partial(self._load_map, path=path, within=within))

    def _load_map(self, sim: Sim, path: Path, within: Sequence[Path] | None) -> None:
        sim.load_map(path, within)
        self._history.forget()
        self._send_history()

    def reload_map(self) -> None:
        """Reload the current map from its file."""
        self._ask(self._reload_map)

    def _reload_map(self, sim: Sim) -> None:
        if sim.maps.path is None:
            raise ChangeRefused("the current world has no map file; load a map first")
        self._load_map(sim, sim.maps.path, sim.maps.within)

    # ----

    def _post(self, change: Change) -> None:
        self._runner.sim.post(change, "user")


def _number(message: Message, key: str, default: float | None = None) -> float:
    """Return a number from a browser's message; raises KeyError, TypeError or ValueError."""
    value = float(message[key] if default is None else message.get(key, default))
    if not math.isfinite(value):
        raise ValueError(f"{key}: want a finite number, got {value}")
    return value


def _point(pair: Any) -> tuple[float, float]:
    """Return a point from a browser's message; raises TypeError or ValueError."""
    x, y = pair
    return _number({"x": x}, "x"), _number({"y": y}, "y")


def _zero_odometers(sim: Sim, robot: PlacedRobot) -> None:
    for spec in unit_specs(robot):
        path = f"{robot.name}/{spec.name}"
        if SetOdometry in sim.current.units[path].commands:
            sim.inbox.post("user", Order(path, SetOdometry()))
