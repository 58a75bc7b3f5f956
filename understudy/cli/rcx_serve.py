"""The verb ``rcx serve``: a brick that waits for programs of nqc and ROBOLAB, and runs each from the start."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from understudy import api
from understudy.cli import collector, logs
from understudy.cli.rcx import STILL_M, Brick, Journey, placed, results
from understudy.cli.rcx_keys import HELP, LOOK_S, BrickKeys, Typed, typed
from understudy.cli.rcx_trace import TraceListener, icon_lines
from understudy.cli.run import quiet_ctrl_c
from understudy.cli.values import speed
from understudy.errors import UnderstudyError
from understudy.formats import targets
from understudy.robots.rcx.firmware import RcxPanel
from understudy.robots.rcx.orders import PressButton, RcxRequest
from understudy.sim.sim import Sim

SYM, SYM_NAME = "sym.txt", "LegoSim"  # LURobotSim thesis, figure 3.3
PORT = "robolab"
_ROLL_S = 5.0  # a robot that does not stand so long after its program has ended will not stop
_SELECT, _START = 0x91, 0x71  # opcodes: a slot, a task
KEYS = f"{HELP}, r run again"


def serve(args: argparse.Namespace) -> int:
    """Wait for programs, run each on the same robot in the same world, and print what the robot did."""
    sym = _sym_file(args.write_sym)
    with logs.to_stderr(args.log) as stamp, logs.compile_notice():
        document, brick = placed(args, None, trace=True, link=f"tcp://127.0.0.1:{args.port}")
        sim = api.load(document, seed=args.seed, engine=args.engine, speed=1.0)
        collector.release()
        stamp.sim = sim
        with sim:
            sim.open_ports()
            _announce(sim, brick, sym)
            with quiet_ctrl_c(sim):
                BrickServer(sim, brick, args.speed, args.seconds, args.programs, typed(sys.stdin)).run()
        return sim.exit_code or 0


def _sym_file(folder: str | None) -> Path | None:
    """Return the file to write; raises before the run if it must not be written."""
    if folder is None:
        return None
    file = Path(folder) / SYM
    targets.check(file, "a sym.txt of ROBOLAB", lambda head: b"SymName" in head)
    return file


def _announce(sim: Sim, brick: Brick, sym: Path | None) -> None:
    """Print how tools reach the brick."""
    ports = {path.partition("/"): info.url for path, info in sim.ports.info().items()}
    urls = {name: url for (robot, _, name), url in ports.items() if robot == brick.robot}
    lines = [f"SymName={SYM_NAME}", "SymAddr=localhost", f"SymPort={urls[PORT].rpartition(':')[2]}"]
    for name, url in urls.items():
        if name != PORT:
            print(f"nqc: nqc -S{url} -d PROGRAM.nqc -run")
    print(f"ROBOLAB: {SYM} in its folder needs these lines" if sym is None else f"ROBOLAB: {sym} has these lines")
    print("\n".join(lines))
    print(KEYS, flush=True)
    if sym is not None:
        try:
            sym.write_bytes("".join(f"{line}\r\n" for line in lines).encode())
        except OSError as error:
            raise UnderstudyError(f"{sym}: {error.strerror}") from None


class BrickServer:
    """Restarts the world for each program that a tool starts, and reports when it has ended."""

    def __init__(
        self, sim: Sim, brick: Brick, speed: float | None, seconds: float | None, programs: int | None, typed: Typed
    ) -> None:
        self._sim, self._brick, self._speed, self._seconds, self._programs = sim, brick, speed, seconds, programs
        self._keys = BrickKeys(sim, lambda: self._panel, typed, {"r": self.again, "x": self.hurry})
        self._trace = TraceListener(brick.path)
        sim.attach(self._trace)
        self._number = self._launches = 0
        self._title = ""  # of the program that runs
        self._runs = False  # a program whose results are not printed yet
        self._ended_s = -1.0  # below 0: it has not ended
        self._forget()

    def _forget(self) -> None:
        self._robot = self._sim.robot(self._brick.robot)
        self._start = self._robot.pose
        self._journey = Journey(self._start)
        self._ended_s = -1.0
        self._trace.clear()

    @property
    def _panel(self) -> RcxPanel:
        panel: RcxPanel = self._robot.panel(self._brick.unit)
        return panel

    def run(self) -> None:
        """Serve until the user quits, or so many programs have run."""
        self._launches = self._panel.launches
        tick_s = self._sim.scene.tick_us / 1e6
        while self._sim.exit_code is None:
            self._keys.read()
            if self._sim.paused:
                self._sim.run_for(LOOK_S)
            else:
                self._sim.run(tick_s)
            self._look()
            self._keys.look()
        if self._runs:
            self._report()

    def _look(self) -> None:
        panel = self._panel
        moved = self._journey.look(self._robot.pose)
        if panel.launches > self._launches:
            self._begin(panel)
        elif self._runs and panel.launches == self._launches and not self._sim.paused:
            self._follow(panel.running, moved)

    def _follow(self, running: bool, moved: float) -> None:
        """Stop a program whose time is over, and report one that has ended when the robot stands."""
        now_s = self._sim.time_s
        if running:
            self._ended_s = -1.0
            if self._seconds is not None and now_s >= self._seconds:
                self._robot.order(PressButton("run"), self._brick.unit)
        elif self._ended_s < 0.0:
            self._ended_s = now_s
        elif moved < STILL_M or now_s - self._ended_s > _ROLL_S:
            self._report()
            if self._number == self._programs:
                self._sim.exit_code = 0

    def _begin(self, panel: RcxPanel) -> None:
        """Run the selected program from the beginning, in a fresh world."""
        if self._runs:
            self._report()
        self._sim.reset()
        self._forget()
        self._number += 1
        self._runs = True
        self._title = f"{panel.program or 'downloaded'} in slot {panel.slot}"
        self._sim.clock.speed = self._speed
        for request in (bytes([_SELECT, panel.slot - 1]), bytes([_START, 0])):
            self._robot.ask(RcxRequest(request), self._brick.unit)  # at once: a client may go on with its next program
        self._launches = min(self._panel.launches, 1)  # more: the next program has come meanwhile
        print(f"program {self._number}: starts", flush=True)

    def _report(self) -> None:
        self._runs = False
        self._sim.clock.speed = 1.0  # nothing is gained by waiting faster
        print(f"program {self._number}: {self._title}")
        for line in results(self._sim, self._brick, self._start, self._journey):
            print(f"  {line}")
        for line in icon_lines(self._trace):
            print(f"  {line}")
        sys.stdout.flush()

    # ---- the user

    def again(self, word: str) -> None:
        """Run the selected program again; one that does not run is started by the button, if there is one."""
        if self._panel.running:
            self._begin(self._panel)
        else:
            self._robot.order(PressButton("run"), self._brick.unit)

    def hurry(self, word: str) -> None:
        """Change the speed of programs; while none runs, it is real time."""
        try:
            self._speed = speed(word)
        except argparse.ArgumentTypeError as problem:
            print(problem, flush=True)
            return
        if self._runs:
            self._sim.clock.speed = self._speed
