"""The verbs and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from understudy import __version__
from understudy.cli.front_ends import add_eyesim, add_rcx, add_sear
from understudy.cli.helpful_parser import HelpfulParser
from understudy.cli.run_options import (
    add_program_option,
    add_robot_option,
    add_run_options,
    add_studio_options,
    add_tape_options,
)
from understudy.cli.values import engine, motion, positive, seed, speed
from understudy.cli.verbs import add, lazy

_SCENE = "scene file or map (default: the office example)"


def build_parser() -> HelpfulParser:
    """Return the parser of the command line."""
    parser = HelpfulParser(
        prog="understudy",
        description="A mobile-robot simulator that speaks the protocols of real robots.",
    )
    parser.add_argument("--version", action="version", version=f"understudy {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_studio(verbs)
    _add_run(verbs)
    _add_together(verbs)
    verbs.add_parser("mobilesim", help="Run as a replacement of MobileSim, with its options.", add_help=False)
    add_sear(verbs)
    add_eyesim(verbs)
    _add_new(verbs)
    _add_files(verbs)
    _add_tapes(verbs)
    _add_lists(verbs)
    _add_serial(verbs)
    add_rcx(verbs)
    completion = add(verbs, "completion", lazy("completion", "completion"), "Print the completion script of a shell.")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    return parser


def _add_studio(verbs: Any) -> None:
    studio = add(verbs, "studio", lazy("run", "run"), "Run a scene in the browser (default without a verb).")
    studio.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    studio.set_defaults(view="studio")
    add_run_options(studio)


def _add_run(verbs: Any) -> None:
    run = add(verbs, "run", lazy("run", "run"), "Run a scene.")
    run.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    add_run_options(run)


def _add_together(verbs: Any) -> None:
    together = add(
        verbs, "together", lazy("together", "together"),
        "Run a scene with unmodified programs on one clock: faster than real time, and the same each time.",
    )  # fmt: skip
    together.usage = "understudy together [options] SCENE -- PROGRAM ARGUMENT ... [-- PROGRAM ARGUMENT ...]"
    together.add_argument("file", metavar="SCENE", help="scene file or map")
    together.add_argument("--seconds", type=positive, metavar="S", help="stop after so many simulated seconds")
    together.add_argument(
        "--timeout", type=positive, metavar="S",
        help="fail with exit code 124 if the programs have not ended after so many simulated seconds",
    )  # fmt: skip
    together.add_argument(
        "--until", choices=("all", "first"), default="all",
        help="end when all programs have ended, or with the first one (default: all)",
    )  # fmt: skip
    together.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    add_tape_options(together)
    together.add_argument("--save", metavar="FILE", help="save the run to FILE when it ends; see run --restore")
    together.add_argument(
        "--speed", type=speed, default=0.0, metavar="max|FACTOR",
        help="speed as a multiple of real time (default: max; 1 with --view studio)",
    )  # fmt: skip
    together.add_argument(
        "--compute", type=positive, default=0.0, metavar="FACTOR",
        help="charge computing: so many simulated seconds for each second; such a run does not repeat",
    )  # fmt: skip
    together.add_argument("--engine", type=engine, metavar="NAME", help="physics engine (default: the scene's)")
    add_robot_option(together)
    together.add_argument("--trust", action="store_true", help="let commands in the scene start processes")
    together.add_argument(
        "--view", choices=("studio", "none"), default="none", help="studio: watch, pause and step in the browser"
    )
    add_studio_options(together)
    together.add_argument("--log", choices=("text", "json"), default="text", help="format of log messages")
    together.set_defaults(commands=[])


def _add_new(verbs: Any) -> None:
    new = add(verbs, "new", lazy("new", "new"), "Make a folder with a scene, a program and a README, ready to run.")
    new.add_argument("name", metavar="NAME", help="a folder that does not exist or is empty")


def _add_files(verbs: Any) -> None:
    check = add(verbs, "check", lazy("files", "check"), "Report every error in scene files.")
    check.add_argument("files", nargs="+", metavar="FILE", help="scene, map or world file")
    convert = add(verbs, "convert", lazy("files", "convert"), "Convert a scene from one format to another.")
    convert.add_argument("source", metavar="IN", help="file to read")
    convert.add_argument("target", nargs="?", metavar="OUT", help="file to write; its suffix selects the format")
    convert.add_argument("--into", metavar="MAP", help="add the lines of IN to this map; with OUT, to a copy of it")
    schema = add(verbs, "schema", lazy("files", "schema"), "Print the JSON Schema of scene files, for editors.")
    schema.add_argument("--robot", action="store_true", help="print the schema of robot files instead")


def _add_tapes(verbs: Any) -> None:
    replay = add(verbs, "replay", lazy("tapes", "replay"), "Re-run a tape and compare every hash on it.")
    replay.add_argument("tape", metavar="TAPE", help="file recorded with --tape")
    replay.add_argument(
        "--trust",
        action="store_true",
        help="allow the tape to execute its filters and firmware (arbitrary code of its author)",
    )
    replay.add_argument("--view", choices=("none", "studio"), default="none", help="studio: watch it in the browser")
    add_studio_options(replay)
    diff = add(
        verbs,
        "diff",
        lazy("tapes", "diff"),
        "Find the first differences of two tapes; exit code 0 when they are equal.",
    )
    diff.add_argument("first", metavar="A", help="a tape")
    diff.add_argument("second", metavar="B", help="another tape")


def _add_lists(verbs: Any) -> None:
    card = add(verbs, "card", lazy("lists", "card"), "Show the validity card of a robot, a device or a kind of sensor.")
    card.add_argument("name", metavar="NAME", help="a robot (p3dx), a device (lms200) or a kind of sensor (sonar)")
    catalog = add(verbs, "catalog", lazy("catalog", "catalog"), "List the robots that come with Understudy, by kind.")
    catalog.add_argument("kind", nargs="?", metavar="KIND", help="only these: pioneer, roomba, lego, eyebot or other")
    catalog.add_argument("--all", action="store_true", help="list the variants without odometry error too")
    catalog.add_argument("--devices", action="store_true", help="list the devices instead, such as ping and lms200")
    kinds = add(
        verbs,
        "kinds",
        lazy("lists", "kinds"),
        "List what scenes can name, plug-ins too: sensors, units, engines ...",
    )
    kinds.add_argument("part", nargs="?", metavar="PART", help="only these, such as sensors (default: all)")
    beam = add(verbs, "beam", lazy("beam", "beam"), "Plot the region in which a device detects a pole.")
    beam.add_argument("sensor", metavar="SENSOR", help="a device (ping), a kind (sonar), ROBOT/DEVICE or a CSV file")
    beam.add_argument("--target", type=positive, default=0.1, metavar="M", help="width of the pole (default: 0.1 m)")
    beam.add_argument("--scene", metavar="FILE", help="scene that contains ROBOT (default: a robot of the catalogue)")
    beam.add_argument("--number", type=seed, metavar="N", help="only this value of the reading, counted from 0")
    beam.add_argument("--svg", metavar="FILE", help="write an SVG drawing instead")
    compare = add(
        verbs, "compare", lazy("compare", "compare_engines"), "Run a scene on both engines and report the differences."
    )
    compare.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    compare.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds (default: a short tour)")
    compare.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    add_program_option(compare)
    compare.add_argument(
        "--drive", type=motion, metavar="M_S,RAD_S", help="constant motion of robots without a program, such as 0.3,0.2"
    )
    compare.add_argument("--svg", metavar="FILE", help="draw the paths on both engines as SVG")
    examples = add(verbs, "examples", lazy("examples", "examples"), "List, copy or run the examples.")
    examples.add_argument("action", nargs="?", choices=("list", "copy", "run"), default="list", help="default: list")
    examples.add_argument("name", nargs="?", metavar="NAME", help="an example; copy without a name copies all")
    examples.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="folder to copy to (default: .)")
    add_run_options(examples)
    add(verbs, "doctor", lazy("doctor", "doctor"), "Report what is installed, what is missing and how to install it.")


def _add_serial(verbs: Any) -> None:
    ports = add(verbs, "ports", lazy("ports", "ports"), "List the open ports of all simulations on this machine.")
    ports.add_argument("--watch", action="store_true", help="print the list again every second until Ctrl-C")
    actions = ports.add_subparsers(metavar="pair|find")
    find = add(actions, "find", lazy("ports", "find"), "Print what to open for a port that a program calls by a name.")
    find.add_argument("name", metavar="NAME", help="as in the program, such as /dev/SEAR_LIDAR_01")
    pair = add(actions, "pair", lazy("ports", "pair"), "Join two new serial ports by a null modem until Ctrl-C.")
    pair.add_argument("first", metavar="A", help="name of a port in the runtime folder, or an absolute path")
    pair.add_argument("second", metavar="B", help="the other one")
    wrap = add(
        verbs, "with-serial", lazy("with_serial", "with_serial"),
        "Run a program that uses RTS, DTR or other modem-line calls on a simulated serial port.",
    )  # fmt: skip
    wrap.usage = "understudy with-serial -- PROGRAM ..."
    wrap.add_argument(
        "program", nargs=argparse.REMAINDER, metavar="-- PROGRAM ...", help="the program and its arguments"
    )


def split_commands(words: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the words before the first ``--`` and the commands after it, which further ones separate.

    >>> split_commands(["together", "room.toml", "--", "a", "1", "--", "b"])
    (['together', 'room.toml'], [['a', '1'], ['b']])
    """
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "--":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts[0], [part for part in parts[1:] if part]
