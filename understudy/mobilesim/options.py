"""MobileSim's options as a table: every name it has, what it takes, and what becomes of it here.

From the MobileSim manual ("Command-line Arguments") and, for what came later and for spellings that only the program
itself knew, from MobileSim 0.9.8 and AMRISim. A long name may begin with one dash or two. Rows of kind `Kind.TOLD`
change nothing here and say why.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, get_args

from understudy.formats.aria_params import model_and_name
from understudy.world.robot import Forbidden
from understudy.world.shapes import Pose

FIRST_PORT = 8101
LOOPBACK = "127.0.0.1"
INTERVAL_MS = 100.0
LOG_SIZE = 5_000_000  # bytes, of a log file without anybody to look after it
ERROR_MODES = ("random_init", "random_each_update", "constant", "none")
WATCHDOGS = ("warn", "stop")
FORBIDDEN: tuple[Forbidden, ...] = get_args(Forbidden)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A robot, box or robot factory that was asked for."""

    model: str
    name: str = ""
    factory: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
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
    log_file_max_size: int | None = None  # bytes; 0: no bound; None: none, or 5 MB if noninteractive
    less_verbose: bool = False
    verbose: bool = False
    log_timing_stats: float = 0.0  # s between two of them; 0: never
    log_packets_received: bool = False
    log_movement_sent: bool = False
    warn_unsupported_commands: bool = False
    no_gui: bool = False
    seed: int = 0
    tape: str = ""
    speed: str = ""
    seconds: float = 0.0  # 0: until the end
    supervised: bool = False  # another process starts this one again
    restarted: bool = False  # and has done so after a crash
    told: tuple[str, ...] = ()  # options given that change nothing here

    @property
    def log_size(self) -> int:
        """Return the size at which the log file is changed for a new one; 0 is never (bytes)."""
        if self.log_file_max_size is not None:
            return self.log_file_max_size
        return LOG_SIZE if self.noninteractive else 0

    @property
    def factor(self) -> float | None:
        """Return the multiple of real time; None is as fast as the machine can."""
        if self.speed:
            return None if self.speed == "max" else float(self.speed)
        return (self.update_sim_time or self.update_interval) / self.update_interval


class Kind(Enum):
    """What an option does with its argument."""

    SET = "keeps its argument"
    ADD = "may be repeated"
    FLAG = "has no argument"
    TOLD = "is accepted, and explained"


@dataclass(frozen=True, slots=True)
class Option:
    """One row: names without their dashes, the field that it sets, and what it does here."""

    names: tuple[str, ...]
    kind: Kind
    field: str
    text: str
    argument: str = ""
    convert: Callable[[str], Any] = str
    default: str = ""  # of an argument that may be left out

    @property
    def flags(self) -> tuple[str, ...]:
        """Return every form of the option: short names with one dash, long ones with one or two."""
        short = [f"-{name}" for name in self.names if len(name) == 1]
        long = [f"{dashes}{name}" for name in self.names if len(name) > 1 for dashes in ("--", "-")]
        return (*short, *long)

    @property
    def takes(self) -> bool:
        """Say whether an argument follows."""
        return bool(self.argument)


# ---- arguments; each raises ValueError that says what would do


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
    """Return where robots start: x,y,th in mm and degrees, or one of the words.

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


_PORT = _number(0, 65_535, "a TCP port from 1 to 65535, or 0 for any that is free")
_TIME = _number(0.1, 1000.0, "a time from 0.1 to 1000 ms", whole=False)
_COMMAND = _number(0, 255, "the number of a command, 0 to 255")
_SIZE = _number(0, 2**50, "a size in bytes, or 0 for no bound")
_SEED = _number(0, 2**63 - 1, "a whole number from 0 up")
_COUNT = _number(1, 2**31, "a whole number from 1 up")
_SECONDS = _number(1e-3, math.inf, "a number of seconds above 0", whole=False)
_LENGTH = _number(1e-3, 1e6, "a length above 0 mm", whole=False)

_WINDOW = "the window is that of your terminal or browser: make that one larger"
SET, ADD, FLAG, TOLD = Kind.SET, Kind.ADD, Kind.FLAG, Kind.TOLD

OPTIONS: tuple[Option, ...] = (
    Option(("m", "map"), SET, "map", "load this map; \"\" is an empty world", "MAP"),
    Option(("nomap",), FLAG, "nomap", "start in an empty world of 200 m x 200 m, unless there is -m"),
    Option(("r", "robot"), ADD, "robots", "create a robot or a box; may be repeated", "MODEL[:NAME]", _robot),
    Option(("R", "robot-factory"), ADD, "robots", "create a robot for each client, gone with it", "MODEL", _factory),
    Option(("p", "port"), SET, "port", "first TCP port (default 8101)", "PORT", _PORT),
    Option(("W", "stageworld"), SET, "stageworld", "run a Stage world, without the user's include folder", "FILE"),
    Option(("start",), SET, "start", "where robots start", "X,Y,TH|outside|random", start),
    Option(("cwd", "cd"), SET, "cwd", "change to this folder first; clients may load maps from it", "DIR"),
    Option(("map-dir",), ADD, "map_dir", "clients may load maps from this folder, too; may be repeated", "DIR"),
    Option(("forbid",), ADD, "forbid", "what clients may not do: exit, reset, map, move", "WHAT", _choice(*FORBIDDEN)),
    Option(("ignore-command",), ADD, "ignore_command", "ignore a command; may be repeated", "NUMBER", _COMMAND),
    Option(("srisim-compat",), FLAG, "srisim_compat", "obey SRISim's commands 62, 66, 67, 68, 69"),
    Option(("no-srisim-laser-compat", "disable-srisim-laser-compat"), FLAG, "no_srisim_laser_compat",
           "do not take commands 35 to 38 for laser commands"),
    Option(("odom-error-mode",), SET, "odom_error_mode", "how odometry errs: random_init, random_each_update, "
           "constant, none", "MODE", _choice(*ERROR_MODES)),
    Option(("watchdog",), SET, "watchdog", "what a robot does whose client says nothing for 2 s: warn, as "
           "MobileSim; stop, as the robot", "WHAT", _choice(*WATCHDOGS)),
    Option(("exact",), FLAG, "exact", "robots have only what MobileSim's have: no bumpers, gripper, I/O and the like"),
    Option(("no-error",), FLAG, "no_error", "as --odom-error-mode none"),
    Option(("bind-to-address",), SET, "bind_to_address", "listen there (default 127.0.0.1; 0.0.0.0: every network)",
           "ADDRESS"),
    Option(("update-interval",), SET, "update_interval", "real time between updates (default 100)", "MS", _TIME),
    Option(("update-sim-time",), SET, "update_sim_time", "simulated time of an update; sets the speed", "MS", _TIME),
    Option(("noninteractive", "non-interactive"), FLAG, "noninteractive", "ask nobody; start again after a crash"),
    Option(("daemonize",), FLAG, "daemonize", "go on in the background"),
    Option(("disable-crash-handler", "no-crash-handler"), FLAG, "disable_crash_handler",
           "leave a crash alone: no log, no new start"),
    Option(("no-crash-restart", "disable-crash-restart"), FLAG, "no_crash_restart",
           "log a crash, but do not start again"),
    Option(("html",), FLAG, "html", "write messages as HTML"),
    Option(("l", "log-file"), SET, "log_file", "write messages to a file", "FILE"),
    Option(("log-file-max-size",), SET, "log_file_max_size", "begin a new log file at this size, and keep 5; 0: never "
           "(default: never, 5 MB with --noninteractive)", "BYTES", _SIZE),
    Option(("less-verbose",), FLAG, "less_verbose", "say the same thing once a minute at most"),
    Option(("verbose",), FLAG, "verbose", "say also what each robot is, who connects and leaves, and each time that a "
           "command does nothing"),
    Option(("log-timing-stats",), SET, "log_timing_stats", "log so often how well time is kept (default 30)", "SECONDS",
           _SECONDS, "30"),
    Option(("log-packets-received",), FLAG, "log_packets_received", "log every packet of every client"),
    Option(("log-movement-sent",), FLAG, "log_movement_sent", "log where a robot is whenever its client hears of it"),
    Option(("warn-unsupported-commands",), FLAG, "warn_unsupported_commands",
           "warn once of each command that does nothing, although --less-verbose is given"),
    Option(("no-gui", "nogui", "disable-gui"), FLAG, "no_gui", "draw no map in the terminal"),
    Option(("no-graphics", "nographics", "disable-graphics"), FLAG, "no_gui", "draw no map in the terminal"),
    Option(("minimize-gui", "minimize"), FLAG, "no_gui", "draw no map in the terminal"),
    Option(("fullscreen-gui", "fullscreen"), TOLD, "told", _WINDOW),
    Option(("maximize-gui", "maximize"), TOLD, "told", _WINDOW),
    Option(("no-menu", "no-messages"), TOLD, "told", "your terminal or browser shows what it always shows"),
    Option(("lite-graphics", "litegraphics"), TOLD, "told",
           "your terminal or browser draws; the simulation never waits for it"),
    Option(("resolution",), TOLD, "told", "collisions and sensors are exact here at any resolution", "MM", _LENGTH),
    Option(("no-network-discovery",), TOLD, "told", "nothing is ever announced on the network here"),
    Option(("no-crash-debug", "disable-crash-debug"), TOLD, "told",
           "there is no debugger; a crash is logged with its place"),
    Option(("echo-stage-worldfile",), TOLD, "told", "no world file is made: maps are read as they are"),
    Option(("lines-chunksize",), TOLD, "told", "maps are read in one go here", "N", _COUNT),
    Option(("points-chunksize",), TOLD, "told", "maps are read in one go here", "N", _COUNT),
    Option(("restarting-after-crash",), FLAG, "restarted", "tell clients that the simulator has crashed before"),
    Option(("seed",), SET, "seed", "seed of all noise (default 0)", "N", _SEED),
    Option(("tape",), SET, "tape", "record the run", "FILE"),
    Option(("speed",), SET, "speed", "multiple of real time", "max|FACTOR", _speed),
    Option(("seconds",), SET, "seconds", "simulated seconds to run (default: until the end)", "S", _SECONDS),
)  # fmt: skip
