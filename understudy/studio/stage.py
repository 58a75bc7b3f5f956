"""The stage: the simulation that a studio shows, run in its own thread between requests of the people who watch.

Requests wait in a queue and are carried out between two slices of running, in the simulation's thread; so nothing
else ever touches an engine. What they change goes through the inbox and is on the tape like everything else.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeGuard

from understudy.errors import UnderstudyError
from understudy.sim.sim import Sim
from understudy.studio import frames
from understudy.studio.frames import Flag
from understudy.studio.gallery import Gallery
from understudy.studio.hub import Hub, Message
from understudy.studio.lookout import Lookout, Wish
from understudy.tape.playback import TapeSim

log = logging.getLogger(__name__)
SLICE_S = 1 / 120  # how long the simulation runs between two looks at requests
FRAME_S = 1 / 30
HEARTBEAT_S = 1.0  # while nothing changes
STATUS_S = 0.5

Request = Callable[[Sim], None]


class Stage:
    """Runs a simulation, serves requests, and shows frames to whoever watches."""

    def __init__(self, sim: Sim, hub: Hub, title: str = "") -> None:
        self.sim, self.title = sim, title
        self._hub = hub
        self.gallery = Gallery()
        self._lookout = Lookout(self.gallery)
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._shown: tuple[object, ...] = ()
        self._frame_due_s = self._status_due_s = self._heartbeat_due_s = 0.0
        self.factor = 0.0  # simulated seconds per second, as last shown
        self.between: list[Request] = []  # done in every slice, such as holding what somebody drags

    def warm_up(self) -> None:
        """Make a frame that nobody sees, so that what must be compiled for it is before anybody waits."""
        self.sim.current.engine.prepare()
        lookout = Lookout()
        lookout.describe(self.sim.current)
        frames.pack(lookout.frame(self.sim.current, Wish(everybody=True), Flag(0)))

    def ask(self, request: Request) -> None:
        """Do this in the simulation's thread, soon; may be called from any thread."""
        self._requests.put(request)

    def run(self, seconds: float | None = None) -> None:
        """Run until the simulation ends or its seconds are over."""
        end_s = math.inf if seconds is None else self.sim.time_s + seconds
        while self.sim.exit_code is None and self.sim.time_s < end_s:
            self.turn(end_s)

    def turn(self, end_s: float = math.inf) -> None:
        """Serve, show, and run for a moment."""
        self._serve()
        for request in self.between:
            self._do(request)
        self._show()
        self.sim.run_for(SLICE_S, end_s)

    def _serve(self) -> None:
        while True:
            try:
                request = self._requests.get_nowait()
            except Empty:
                return
            self._do(request)

    def _do(self, request: Request) -> None:
        try:
            request(self.sim)
        except UnderstudyError as problem:
            log.warning("%s", problem)
            self._hub.say({"kind": "refused", "reason": str(problem)})
        except Exception:  # a mistake of ours must not end somebody's run
            log.exception("a request has failed")

    # ---- showing

    def _show(self) -> None:
        """Publish a description if the structure has changed, a frame if one is due, and how things stand."""
        if not self._hub.viewers:
            self._shown = ()
            return
        now_s = time.perf_counter()
        run = self.sim.current
        if self._lookout.new_structure(run):
            self._hub.describe(self._lookout.describe(run))
            self._shown = ()
        if now_s >= self._frame_due_s and self._hub.watched() and self._is_news(now_s):
            self._frame_due_s = max(self._frame_due_s + FRAME_S, now_s)
            flags = Flag.PAUSED if self.sim.paused else Flag(0)
            flags |= Flag.REPLAY if self.is_tape(self.sim) else Flag(0)
            frame = self._lookout.frame(run, self._hub.wish(), flags)
            self.factor = frame.factor
            self._hub.publish(frames.pack(frame))
        if now_s >= self._status_due_s:
            self._status_due_s = now_s + STATUS_S
            self._hub.say(self.status())

    def _is_news(self, now_s: float) -> bool:
        """Say whether a frame would show something new; once in a while any frame does."""
        state = (self.sim.tick, self.sim.sub, self.sim.paused, self._hub.wish(), len(self._hub.viewers))
        if state == self._shown and now_s < self._heartbeat_due_s:
            return False
        self._shown, self._heartbeat_due_s = state, now_s + HEARTBEAT_S
        return True

    def status(self) -> Message:
        """Return how the run stands, for status bars."""
        sim = self.sim
        ports = sim.ports.info()
        return {
            "kind": "status", "t": sim.time_s, "factor": 0.0 if sim.paused else self.factor, "paused": sim.paused,
            "speed": sim.clock.speed, "viewers": [viewer.name for viewer in self._hub.viewers],
            "clients": [path for path, info in ports.items() if info.connected], "ports": len(ports),
            "devices": len(sim.current.readings), "robots": len(sim.current.robots), "seed": sim.start.seed,
            "armed": sim.armed, "tape": [sim.deck.first, sim.deck.length, sim.tick] if self.is_tape(sim) else None,
        }  # fmt: skip

    @staticmethod
    def is_tape(sim: Sim) -> TypeGuard[TapeSim]:
        """Say whether a tape is shown."""
        return isinstance(sim, TapeSim)
