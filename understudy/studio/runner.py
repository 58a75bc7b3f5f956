"""Runs the simulation that a studio shows, in its own thread, and serves requests of users in between.

Requests wait in the simulation's queue and are executed between two time slices, in the simulation's thread, so no
other thread touches an engine. Their changes go through the inbox and are recorded on the tape.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import TypeGuard

from understudy.errors import UnderstudyError
from understudy.sim.sim import Sim
from understudy.studio import frames
from understudy.studio.frames import Flag
from understudy.studio.gallery import Gallery
from understudy.studio.lookout import BeamRequest, Lookout
from understudy.studio.stream import Message, Stream, Viewer
from understudy.studio.trails import TrailRecorder
from understudy.tape.playback import TapeSim

log = logging.getLogger(__name__)
SLICE_S = 1 / 120  # wall time that the simulation runs between two checks for requests
FRAME_S = 1 / 30
HEARTBEAT_S = 1.0  # while nothing changes
STATUS_S = 0.5
TRAIL_S = 0.1

Request = Callable[[Sim], None]


class Runner:
    """Runs a simulation, serves requests, and publishes frames to browsers."""

    def __init__(self, sim: Sim, stream: Stream, title: str = "") -> None:
        self.sim, self.title = sim, title
        self._stream = stream
        self.gallery = Gallery()
        self._lookout = Lookout(self.gallery)
        self._shown: tuple[object, ...] = ()
        self._frame_due_s = self._status_due_s = self._heartbeat_due_s = 0.0
        self.factor = 0.0  # simulated seconds per second, as last shown
        self.trails = TrailRecorder()
        self._trailed: dict[Viewer, tuple[tuple[int, int], dict[str, int]]] = {}  # what each browser knows of them
        self._trail_due_s = 0.0
        sim.attach(self.trails)
        self.winding: int | None = None  # position of a tape that is being approached
        self.leave = False  # another simulation is shown next
        self.dirty: Callable[[Sim], bool] = lambda sim: False  # whether there are changes that are not saved
        self.history: Callable[[], tuple[str, str]] = lambda: ("", "")  # what would be undone and redone
        self.between: list[Request] = []  # executed in every slice, such as holding dragged things

    def warm_up(self) -> None:
        """Make a frame that is not shown, so that its kernels are compiled before a browser connects."""
        self.sim.prepare()
        lookout, view = Lookout(), self.sim.view()
        lookout.describe(view)
        frames.pack(lookout.frame(view, BeamRequest(all_robots=True), Flag(0)))

    def ask(self, request: Request) -> None:
        """Execute a request in the simulation's thread soon; may be called from any thread."""
        self.sim.requests.ask(lambda sim: self._do(request))

    def run(self, seconds: float | None = None) -> None:
        """Run until the simulation ends, or for *seconds* of simulated time."""
        end_s = math.inf if seconds is None else self.sim.time_s + seconds
        while self.sim.exit_code is None and self.sim.time_s < end_s and not self.leave:
            self.turn(end_s)

    def turn(self, end_s: float = math.inf) -> None:
        """Serve requests, publish, and run for one slice."""
        self.sim.requests.serve(self.sim)
        for request in self.between:
            self._do(request)
        self._show()
        if self.winding is None:
            self.sim.run_for(SLICE_S, end_s)

    def _do(self, request: Request) -> None:
        try:
            request(self.sim)
        except UnderstudyError as problem:
            log.warning("%s", problem)
            self._stream.say({"kind": "refused", "reason": str(problem)})
        except Exception:  # a bug in a request must not end the run
            log.exception("internal error in a studio request")

    # ---- showing

    def _show(self) -> None:
        """Publish a description if the structure has changed, and a frame and the status if they are due."""
        if not self._stream.viewers:
            self._shown = ()
            return
        now_s = time.perf_counter()
        view = self.sim.view()
        if self._lookout.new_structure(view):
            self._stream.describe(self._lookout.describe(view))
            self._shown = ()
        if now_s >= self._frame_due_s and self._stream.watched() and self._is_news(now_s):
            self._frame_due_s = max(self._frame_due_s + FRAME_S, now_s)
            flags = Flag.PAUSED if self.sim.paused else Flag(0)
            flags |= Flag.REPLAY if self.is_tape(self.sim) else Flag(0)
            frame = self._lookout.frame(view, self._stream.request(), flags)
            self.factor = frame.factor
            self._stream.publish(frames.pack(frame))
        if now_s >= self._status_due_s:
            self._status_due_s = now_s + STATUS_S
            self._show_status()
        if now_s >= self._trail_due_s:
            self._trail_due_s = now_s + TRAIL_S
            self._show_trails()

    def _show_status(self) -> None:
        """Send the status to every browser that has received the last one."""
        status = self.status()
        for viewer in self._stream.viewers:
            if not viewer.is_behind:
                self._stream.say(status, viewer)

    def _show_trails(self) -> None:
        """Send each browser the points of trails that it does not have."""
        viewers = self._stream.viewers
        self._trailed = {viewer: known for viewer, known in self._trailed.items() if viewer in viewers}
        for viewer in viewers:
            known, dropped = self._trailed.get(viewer, ((-1, 0), {}))
            if known != self.trails.mark and not viewer.is_behind:
                self._stream.say(self.trails.news(known, dropped), viewer)
                self._trailed[viewer] = self.trails.mark, dropped

    def _is_news(self, now_s: float) -> bool:
        """Return whether a frame would show something new, or a heartbeat is due."""
        state = (self.sim.tick, self.sim.sub, self.sim.paused, self._stream.request(), len(self._stream.viewers))
        if state == self._shown and now_s < self._heartbeat_due_s:
            return False
        self._shown, self._heartbeat_due_s = state, now_s + HEARTBEAT_S
        return True

    def status(self) -> Message:
        """Return the status of the run, for status bars."""
        sim = self.sim
        ports = sim.ports.info()
        return {
            "kind": "status", "t": sim.time_s, "factor": 0.0 if sim.paused else self.factor, "paused": sim.paused,
            "speed": sim.clock.speed, "viewers": [viewer.name for viewer in self._stream.viewers],
            "clients": [path for path, info in ports.items() if info.connected], "ports": len(ports),
            "devices": len(sim.current.readings), "robots": len(sim.current.robots), "seed": sim.start.seed,
            "armed": sim.armed, "title": self.title, "dirty": self.dirty(sim), "history": self.history(),
            "winding": self.winding,
            "tape": [sim.deck.first, sim.deck.length, sim.tick] if self.is_tape(sim) else None,
        }  # fmt: skip

    @staticmethod
    def is_tape(sim: Sim) -> TypeGuard[TapeSim]:
        """Return whether a tape is shown."""
        return isinstance(sim, TapeSim)
