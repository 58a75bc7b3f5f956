"""The verbs and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

from understudy import __version__
from understudy.cli.importing import importing

Call = Callable[[argparse.Namespace], int]


def lazy(module: str, verb: str) -> Call:
    """Return a function that imports a verb's module only when the verb is called."""

    def call(args: argparse.Namespace) -> int:
        with importing():
            found = import_module(f"understudy.cli.{module}")
        return int(getattr(found, verb)(args))

    return call


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="understudy", description="A mobile-robot simulator that speaks the robot's own interface."
    )
    parser.add_argument("--version", action="version", version=f"understudy {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_studio(verbs)
    _add_run(verbs)
    verbs.add_parser("mobilesim", help="Be MobileSim: its options, its ports, its exit codes.", add_help=False)
    _add_files(verbs)
    _add_tapes(verbs)
    _add_lists(verbs)
    return parser


def _add(verbs: Any, name: str, call: Call, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    parser.set_defaults(call=call)
    return parser


def _add_studio(verbs: Any) -> None:
    studio = _add(verbs, "studio", lazy("run", "run"), "Run a scene in the browser; what understudy alone does, too.")
    studio.add_argument(
        "file", nargs="?", metavar="FILE", help="a scene; left out: the office floor that comes with it"
    )
    studio.set_defaults(view="studio")
    add_run_options(studio)


def _add_run(verbs: Any) -> None:
    run = _add(verbs, "run", lazy("run", "run"), "Run a scene; without a file, the default one.")
    run.add_argument("file", nargs="?", metavar="FILE", help="a scene; left out: the office floor that comes with it")
    add_run_options(run)


def add_run_options(run: argparse.ArgumentParser) -> None:
    """Add the options that every verb which runs a scene has."""
    run.add_argument(
        "--engine", choices=("planar", "rigid"), help="which engine moves the world (default: the scene's)"
    )
    run.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds to run (default: until Ctrl-C)")
    run.add_argument("--speed", type=speed, default=1.0, metavar="max|FACTOR", help="multiple of real time (default 1)")
    run.add_argument(
        "--insist", action="store_true", help="with --speed max: do not slow down to real time for clients"
    )
    run.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    run.add_argument("--tape", metavar="FILE", help="record the run")
    run.add_argument(
        "--tape-level", choices=("inbox", "state", "full"), default="state", help="how much the tape holds"
    )
    run.add_argument(
        "--program", action="append", default=[], type=program, metavar="ROBOT=FILE", help="let FILE drive ROBOT"
    )
    run.add_argument(
        "--program-mode", choices=("gated", "realtime"), default="gated", help="realtime: time does not wait"
    )
    run.add_argument(
        "--robot", "-r", action="append", default=[], metavar="MODEL[:NAME]",
        help="put this robot where the map says that robots start (default for a map without robots: p3dx)",
    )  # fmt: skip
    run.add_argument("--save", metavar="FILE", help="save the run at its end, to go on with --restore")
    run.add_argument("--restore", metavar="FILE", help="go on with a saved run instead of a scene")
    run.add_argument(
        "--trust", action="store_true",
        help="with --restore: let the programs and filters of the saved run run: they are their author's code",
    )  # fmt: skip
    run.add_argument("--no-ports", action="store_true", help="open no ports to other programs")
    run.add_argument(
        "--view", choices=("auto", "terminal", "studio", "none"), help="terminal: a live map; studio: in the browser"
    )
    run.add_argument("--armed", action="store_true", help="load programs, but let them wait until somebody says start")
    add_studio_options(run)
    run.add_argument("--profile", action="store_true", help="say at the end where the time went")
    run.add_argument("--log", choices=("text", "json"), default="text", help="form of the messages")


def add_studio_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of everything that can be shown in the browser."""
    own = verb.add_argument_group("the studio")
    own.add_argument("--host", default="127.0.0.1", help="from where it can be reached (default: only this machine)")
    own.add_argument("--port", type=int, metavar="N", help="its port (default: the first free one from 8080 up)")
    own.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="another name of this machine that browsers may use"
    )
    own.add_argument("--no-browser", action="store_true", help="do not open a window")


def _add_files(verbs: Any) -> None:
    check = _add(verbs, "check", lazy("files", "check"), "Say every mistake in scene files.")
    check.add_argument("files", nargs="+", metavar="FILE")
    convert = _add(verbs, "convert", lazy("files", "convert"), "Convert a scene from one format to another.")
    convert.add_argument("source", metavar="IN")
    convert.add_argument("target", nargs="?", metavar="OUT", help="the suffix names the format")
    convert.add_argument("--into", metavar="MAP", help="add the lines of IN to this map; with OUT, in a copy of it")
    schema = _add(verbs, "schema", lazy("files", "schema"), "Print the JSON Schema of scene files, for editors.")
    schema.add_argument("--robot", action="store_true", help="the schema of robot files instead")


def _add_tapes(verbs: Any) -> None:
    replay = _add(verbs, "replay", lazy("tapes", "replay"), "Run a tape again and compare every hash on it.")
    replay.add_argument("tape", metavar="TAPE")
    replay.add_argument(
        "--trust", action="store_true", help="let the filters on the tape run: it is their author's code"
    )
    replay.add_argument("--view", choices=("none", "studio"), default="none", help="studio: watch it in the browser")
    add_studio_options(replay)
    diff = _add(verbs, "diff", lazy("tapes", "diff"), "Find where two tapes part; exit code 0 when they are equal.")
    diff.add_argument("first", metavar="A")
    diff.add_argument("second", metavar="B")


def _add_lists(verbs: Any) -> None:
    _add(verbs, "ports", lazy("lists", "ports"), "List the ports of every simulation that runs on this machine.")
    card = _add(
        verbs, "card", lazy("lists", "card"), "Show the validity card of a robot, a device or a kind of sensor."
    )
    card.add_argument("name", metavar="NAME")
    catalog = _add(verbs, "catalog", lazy("lists", "catalog"), "List the robots that come with Understudy.")
    catalog.add_argument("--devices", action="store_true", help="list the devices instead, such as ping and lms200")
    beam = _add(verbs, "beam", lazy("beam", "beam"), "Plot where a device notices a pole.")
    beam.add_argument("sensor", metavar="SENSOR", help="a device (ping), a kind (sonar), ROBOT/DEVICE or a CSV file")
    beam.add_argument("--target", type=positive, default=0.1, metavar="M", help="width of the pole (default 0.1 m)")
    beam.add_argument("--scene", metavar="FILE", help="where ROBOT is; left out: in the catalogue")
    beam.add_argument("--number", type=seed, metavar="N", help="only this value of the reading, counted from 0")
    beam.add_argument("--svg", metavar="FILE", help="write a drawing instead")
    compare = _add(
        verbs, "compare", lazy("compare", "compare_engines"), "Run a scene on both engines; say where they part."
    )
    compare.add_argument("file", nargs="?", metavar="FILE", help="a scene; left out: the default one")
    compare.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds (default: a short tour)")
    compare.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    compare.add_argument(
        "--program", action="append", default=[], type=program, metavar="ROBOT=FILE", help="let FILE drive ROBOT"
    )
    compare.add_argument(
        "--drive", type=motion, metavar="M_S,RAD_S", help="let robots without a program drive so, such as 0.3,0.2"
    )
    compare.add_argument("--svg", metavar="FILE", help="draw both ways")
    examples = _add(verbs, "examples", lazy("examples", "examples"), "List, copy or run the examples.")
    examples.add_argument("action", nargs="?", choices=("list", "copy", "run"), default="list")
    examples.add_argument("name", nargs="?", metavar="NAME", help="an example; copy without a name copies all")
    examples.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to copy to")
    add_run_options(examples)
    _add(verbs, "doctor", lazy("doctor", "doctor"), "Say what is installed, what is missing and how to get it.")


def motion(text: str) -> tuple[float, float]:
    """Return a speed ahead (m/s) and a rate of turn (rad/s)."""
    ahead, comma, turn = text.partition(",")
    try:
        return float(ahead), float(turn) if comma else 0.0
    except ValueError:
        raise argparse.ArgumentTypeError(f"want m/s and rad/s such as 0.3,0.2, got {text!r}") from None


def positive(text: str) -> float:
    """Return a number above zero."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"want a number above 0, got {text}")
    return value


def speed(text: str) -> float | None:
    """Return a multiple of real time, None for "max"."""
    if text == "max":
        return None
    try:
        return positive(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"want max or a number above 0, got {text!r}") from None


def seed(text: str) -> int:
    """Return a whole number from 0 up."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError(f"want a whole number from 0 to 2^63 - 1, got {text}")
    return value


def program(text: str) -> tuple[str, str]:
    """Return robot and file of ROBOT=FILE."""
    robot, equals, file = text.partition("=")
    if not (robot and equals and file):
        raise argparse.ArgumentTypeError(f"want ROBOT=FILE, such as scout=wander.py, got {text!r}")
    return robot, file
