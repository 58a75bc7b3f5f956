"""MobileSim's options as a table: every name, its argument, and its effect here.

From the MobileSim manual ("Command-line Arguments"); later options and undocumented spellings are from MobileSim 0.9.8
and AMRISim. A long name may begin with one dash or two. Rows of kind `ArgumentKind.IGNORED` are accepted but have no
effect here; their text explains why.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any, get_args

from understudy.formats.aria.param_file import model_and_name
from understudy.frozen import frozen
from understudy.world.robot import Forbidden
from understudy.world.shapes import Pose

FIRST_PORT = 8101
LOOPBACK = "127.0.0.1"
INTERVAL_MS = 100.0
LOG_SIZE = 5_000_000  # bytes; default maximum of a log file with --noninteractive
ERROR_MODES = ("random_init", "random_each_update", "constant", "none")
WATCHDOGS = ("warn", "stop")
FORBIDDEN: tuple[Forbidden, ...] = get_args(Forbidden)


@frozen
class Wanted:
    """A robot, box or robot factory that the command line requests."""

    model: str
    name: str = ""
    factory: bool = False


@frozen(kw_only=True)
class Options:
    """The command line as values; the names follow the long options."""

    map: str | None = None
    nomap: bool = False
    robots: tuple[Wanted, ...] = ()
    port: int = FIRST_PORT
    stageworld: str = ""
    start: Pose | str | None = None  # a pose, "outside", "random"
    cwd: str = ""
    map_dir: tuple[str, ...] = ()
    forbid: tuple[Forbidden, ...] = ()
    ignore_command: tuple[int, ...] = ()
    srisim_compat: bool = False
    no_srisim_laser_compat: bool = False
    odom_error_mode: str = ""
    no_error: bool = False
    watchdog: str = ""
    exact: bool = False
    bind_to_address: str = LOOPBACK
    update_interval: float = INTERVAL_MS  # ms
    update_sim_time: float = 0.0  # ms; 0: as update_interval
    noninteractive: bool = False
    daemonize: bool = False
    disable_crash_handler: bool = False
    no_crash_restart: bool = False
    html: bool = False
    log_file: str = ""
    log_file_max_size: int | None = None  # bytes; 0: no limit; None: no limit, or 5 MB if noninteractive
    less_verbose: bool = False
    verbose: bool = False
    log_timing_stats: float = 0.0  # s between two reports; 0: never
    log_packets_received: bool = False
    log_movement_sent: bool = False
    warn_unsupported_commands: bool = False
    no_gui: bool = False
    minimize_gui: bool = False
    studio: bool = False
    seed: int = 0
    tape: str = ""
    speed: str = ""
    seconds: float = 0.0  # 0: until the end
    supervised: bool = False  # a supervisor process restarts this one
    restarted: bool = False  # and has done so after a crash
    ignored: tuple[str, ...] = ()  # explanations of given options that have no effect here

    @property
    def log_size(self) -> int:
        """Return the size at which the log file is rotated; 0 is never (bytes)."""
        if self.log_file_max_size is not None:
            return self.log_file_max_size
        return LOG_SIZE if self.noninteractive else 0

    @property
    def factor(self) -> float | None:
        """Return the multiple of real time; None is as fast as possible."""
        if self.speed:
            return None if self.speed == "max" else float(self.speed)
        return (self.update_sim_time or self.update_interval) / self.update_interval


class ArgumentKind(Enum):
    """What an option does with its argument."""

    SET = "stores its argument"
    ADD = "may be repeated"
    FLAG = "has no argument"
    IGNORED = "is accepted without effect, and explained"


@frozen
class Option:
    """One row: names without dashes, the field that it sets, and its effect here."""

    names: tuple[str, ...]
    kind: ArgumentKind
    field: str
    text: str
    argument: str = ""
    convert: Callable[[str], Any] = str
    default: str = ""  # of an optional argument

    @property
    def flags(self) -> tuple[str, ...]:
        """Return every form of the option: short names with one dash, long ones with one or two."""
        short = [f"-{name}" for name in self.names if len(name) == 1]
        long = [f"{dashes}{name}" for name in self.names if len(name) > 1 for dashes in ("--", "-")]
        return (*short, *long)

    @property
    def takes(self) -> bool:
        """Return whether an argument follows."""
        return bool(self.argument)


# ---- arguments; each raises ValueError with the accepted form


def _robot(text: str) -> Wanted:
    return _wanted(text, False)


def _factory(text: str) -> Wanted:
    return _wanted(text, True)


def _wanted(text: str, factory: bool) -> Wanted:
    model, name = model_and_name(text)
    if not model:
        raise ValueError(f"want MODEL or MODEL:NAME, such as p3dx or p3dx:scout, got {text!r}")
    return Wanted(model, name, factory)


def start(text: str) -> Pose | str:
    """Return where robots start: x,y,th in mm and degrees, or "outside" or "random".

    >>> start("1000,-500,90").y_m
    -0.5
    """
    if text in ("outside", "random"):
        return text
    try:
        x, y, turn = map(float, text.split(","))
        if not math.isfinite(x + y + turn):
            raise ValueError
    except ValueError:
        wanted = "want X,Y,TH in mm and degrees, such as 1000,2500,90, or outside or random"
        raise ValueError(f"{wanted}, got {text!r}") from None
    return Pose(x / 1000, y / 1000, heading_rad=math.radians(turn))


def _number(low: float, high: float, what: str, whole: bool = True) -> Callable[[str], Any]:
    def convert(text: str) -> Any:
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise ValueError(f"want {what}, got {text!r}")
        return value

    return convert


def _choice(*words: str) -> Callable[[str], str]:
    def convert(text: str) -> str:
        if text not in words:
            raise ValueError(f"want one of {', '.join(words)}, got {text!r}")
        return text

    return convert


def _speed(text: str) -> str:
    if text != "max":
        _number(1e-6, 1e6, "max or a number above 0", whole=False)(text)
    return text


_PORT = _number(0, 65_535, "a TCP port from 1 to 65535, or 0 for any free port")
_TIME = _number(0.1, 1000.0, "a time from 0.1 to 1000 ms", whole=False)
_COMMAND = _number(0, 255, "the number of a command, 0 to 255")
_SIZE = _number(0, 2**50, "a size in bytes, or 0 for no limit")
_SEED = _number(0, 2**63 - 1, "an integer from 0 up")
_COUNT = _number(1, 2**31, "an integer from 1 up")
_SECONDS = _number(1e-3, math.inf, "a number of seconds above 0", whole=False)
_LENGTH = _number(1e-3, 1e6, "a length above 0 mm", whole=False)

_WINDOW = "no effect: the view is in your browser or terminal; enlarge its window"
SET, ADD, FLAG, IGNORED = ArgumentKind.SET, ArgumentKind.ADD, ArgumentKind.FLAG, ArgumentKind.IGNORED

OPTIONS: tuple[Option, ...] = (
    Option(("m", "map"), SET, "map", "load this map; \"\" for an empty world", "MAP"),
    Option(("nomap",), FLAG, "nomap", "start in an empty world of 200 m x 200 m, unless -m is given"),
    Option(("r", "robot"), ADD, "robots", "create a robot or a box; may be repeated", "MODEL[:NAME]", _robot),
    Option(("R", "robot-factory"), ADD, "robots", "create a robot for each client, and remove it with the client",
           "MODEL", _factory),
    Option(("p", "port"), SET, "port", "first TCP port (default: 8101)", "PORT", _PORT),
    Option(("W", "stageworld"), SET, "stageworld", "run a Stage world; ignores the user's include folder", "FILE"),
    Option(("start",), SET, "start", "where robots start (mm, degrees)", "X,Y,TH|outside|random", start),
    Option(("cwd", "cd"), SET, "cwd", "change to this folder first; clients can load maps from it", "DIR"),
    Option(("map-dir",), ADD, "map_dir", "another folder from which clients can load maps; may be repeated", "DIR"),
    Option(("forbid",), ADD, "forbid", "refuse clients' requests: exit, reset, map or move; may be repeated",
           "WHAT", _choice(*FORBIDDEN)),
    Option(("ignore-command",), ADD, "ignore_command", "ignore this command; may be repeated", "NUMBER", _COMMAND),
    Option(("srisim-compat",), FLAG, "srisim_compat", "accept SRISim's commands 62, 66, 67, 68, 69"),
    Option(("no-srisim-laser-compat", "disable-srisim-laser-compat"), FLAG, "no_srisim_laser_compat",
           "do not interpret commands 35 to 38 as laser commands"),
    Option(("odom-error-mode",), SET, "odom_error_mode", "odometry error: random_init, random_each_update, "
           "constant, none", "MODE", _choice(*ERROR_MODES)),
    Option(("watchdog",), SET, "watchdog", "when a client is silent for 2 s: warn (as MobileSim) or stop "
           "(as the real robot)", "WHAT", _choice(*WATCHDOGS)),
    Option(("exact",), FLAG, "exact", "robots have only MobileSim's devices: no bumpers, gripper, I/O etc."),
    Option(("no-error",), FLAG, "no_error", "same as --odom-error-mode none"),
    Option(("bind-to-address",), SET, "bind_to_address", "address to listen on (default: 127.0.0.1; 0.0.0.0: all)",
           "ADDRESS"),
    Option(("update-interval",), SET, "update_interval", "real time between updates (default: 100)", "MS", _TIME),
    Option(("update-sim-time",), SET, "update_sim_time", "simulated time per update; sets the speed", "MS", _TIME),
    Option(("noninteractive", "non-interactive"), FLAG, "noninteractive", "never ask the user; restart after a crash"),
    Option(("daemonize",), FLAG, "daemonize", "run in the background"),
    Option(("disable-crash-handler", "no-crash-handler"), FLAG, "disable_crash_handler",
           "do not handle crashes: no log, no restart"),
    Option(("no-crash-restart", "disable-crash-restart"), FLAG, "no_crash_restart",
           "log a crash, but do not restart"),
    Option(("html",), FLAG, "html", "write messages as HTML"),
    Option(("l", "log-file"), SET, "log_file", "write messages to a file", "FILE"),
    Option(("log-file-max-size",), SET, "log_file_max_size", "rotate the log file at this size, keeping 5; 0: never "
           "(default: never, 5 MB with --noninteractive)", "BYTES", _SIZE),
    Option(("less-verbose",), FLAG, "less_verbose", "log the same message at most once a minute"),
    Option(("verbose",), FLAG, "verbose", "also log each robot's details, connections, disconnections and every "
           "unsupported command"),
    Option(("log-timing-stats",), SET, "log_timing_stats", "log timing statistics this often (default: 30)", "SECONDS",
           _SECONDS, "30"),
    Option(("log-packets-received",), FLAG, "log_packets_received", "log every packet of every client"),
    Option(("log-movement-sent",), FLAG, "log_movement_sent",
           "log a robot's true pose whenever something is sent to its client"),
    Option(("warn-unsupported-commands",), FLAG, "warn_unsupported_commands",
           "warn once about each unsupported command, even with --less-verbose"),
    Option(("no-gui", "nogui", "disable-gui"), FLAG, "no_gui", "open no window: no studio, and no map in the terminal"),
    Option(("no-graphics", "nographics", "disable-graphics"), FLAG, "no_gui", "same as --no-gui"),
    Option(("minimize-gui", "minimize"), FLAG, "minimize_gui", "start the studio, but open no browser window"),
    Option(("fullscreen-gui", "fullscreen"), IGNORED, "ignored", _WINDOW),
    Option(("maximize-gui", "maximize"), IGNORED, "ignored", _WINDOW),
    Option(("no-menu", "no-messages"), IGNORED, "ignored", "no effect: there is no MobileSim window"),
    Option(("lite-graphics", "litegraphics"), IGNORED, "ignored",
           "no effect: drawing never slows down the simulation"),
    Option(("resolution",), IGNORED, "ignored", "no effect: collisions and ray casting are exact", "MM", _LENGTH),
    Option(("no-network-discovery",), IGNORED, "ignored", "no effect: network discovery is not supported"),
    Option(("no-crash-debug", "disable-crash-debug"), IGNORED, "ignored",
           "no effect: a crash is logged with its traceback, without a debugger"),
    Option(("echo-stage-worldfile",), IGNORED, "ignored", "no effect: no Stage world file is generated"),
    Option(("lines-chunksize",), IGNORED, "ignored", "no effect: maps are read in one pass", "N", _COUNT),
    Option(("points-chunksize",), IGNORED, "ignored", "no effect: maps are read in one pass", "N", _COUNT),
    Option(("restarting-after-crash",), FLAG, "restarted", "tell clients that the simulator restarted after a crash"),
    Option(("studio",), FLAG, "studio", "start the studio and print its address even without a display"),
    Option(("seed",), SET, "seed", "seed of all noise (default: 0)", "N", _SEED),
    Option(("tape",), SET, "tape", "record the run to a file", "FILE"),
    Option(("speed",), SET, "speed", "speed as a multiple of real time", "max|FACTOR", _speed),
    Option(("seconds",), SET, "seconds", "simulated seconds to run (default: no limit)", "S", _SECONDS),
)  # fmt: skip
