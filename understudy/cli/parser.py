"""The verbs and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeVar

from understudy import __version__
from understudy.cli.helpful_parser import HelpfulParser
from understudy.cli.importing import importing

Call = Callable[[argparse.Namespace], int]
Number = TypeVar("Number", int, float)
_SCENE = "scene file or map (default: the office example)"


def lazy(module: str, verb: str) -> Call:
    """Return a function that imports a verb's module only when the verb is called."""

    def call(args: argparse.Namespace) -> int:
        with importing():
            found = import_module(f"understudy.cli.{module}")
        return int(getattr(found, verb)(args))

    return call


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
    _add_sear(verbs)
    _add_eyesim(verbs)
    _add_new(verbs)
    _add_files(verbs)
    _add_tapes(verbs)
    _add_lists(verbs)
    _add_serial(verbs)
    _add_rcx(verbs)
    completion = _add(verbs, "completion", lazy("completion", "completion"), "Print the completion script of a shell.")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    return parser


def _add(verbs: Any, name: str, call: Call, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    parser.set_defaults(call=call)
    return parser


def _add_studio(verbs: Any) -> None:
    studio = _add(verbs, "studio", lazy("run", "run"), "Run a scene in the browser (default without a verb).")
    studio.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    studio.set_defaults(view="studio")
    add_run_options(studio)


def _add_run(verbs: Any) -> None:
    run = _add(verbs, "run", lazy("run", "run"), "Run a scene.")
    run.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    add_run_options(run)


def add_run_options(run: argparse.ArgumentParser) -> None:
    """Add the options of every verb that runs a scene."""
    run.add_argument(
        "--engine",
        type=engine,
        metavar="NAME",
        help="physics engine: planar, rigid or one of another package (default: the scene's)",
    )
    run.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds to run (default: until Ctrl-C)")
    run.add_argument(
        "--speed", type=speed, default=1.0, metavar="max|FACTOR", help="speed as a multiple of real time (default: 1)"
    )
    run.add_argument(
        "--insist", action="store_true", help="with --speed max: keep that speed while clients are connected"
    )
    run.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    run.add_argument("--tape", metavar="FILE", help="record the run to FILE")
    run.add_argument(
        "--tape-level", choices=("inbox", "state", "full"), default="state",
        help="what to record: inputs; also poses and state hashes; also bytes sent to clients (default: state)",
    )  # fmt: skip
    run.add_argument(
        "--program", action="append", default=[], type=program, metavar="ROBOT=FILE",
        help="control ROBOT with the Python program FILE; may be repeated",
    )  # fmt: skip
    run.add_argument(
        "--program-mode", choices=("gated", "realtime"), default="gated",
        help="gated: simulated time waits for programs; realtime: it does not (default: gated)",
    )  # fmt: skip
    run.add_argument(
        "--robot", "-r", action="append", default=[], metavar="MODEL[:NAME]",
        help="add a robot at the map's start position; may be repeated (default for a map without robots: p3dx)",
    )  # fmt: skip
    run.add_argument("--save", metavar="FILE", help="save the run to FILE when it ends; continue it with --restore")
    run.add_argument("--restore", metavar="FILE", help="continue a saved run instead of loading a scene")
    run.add_argument(
        "--trust", action="store_true",
        help="let commands in the scene start processes, and with --restore the saved run's programs, filters and "
        "firmware: they are their author's code",
    )  # fmt: skip
    run.add_argument(
        "--seat", action="append", default=[], metavar="ROBOT",
        help="let a program of another process drive ROBOT; time waits for it",
    )  # fmt: skip
    run.add_argument(
        "--seats-at",
        default="tcp://127.0.0.1:0",
        metavar="URL",
        help="address at which programs of --seat connect (default: any free port)",
    )
    run.add_argument("--no-ports", action="store_true", help="open no ports to other programs")
    run.add_argument(
        "--view", choices=("auto", "terminal", "studio", "none"),
        help="terminal: a live map in the terminal; studio: in the browser; auto: terminal if interactive",
    )  # fmt: skip
    run.add_argument("--armed", action="store_true", help="load programs, but wait for a start command to run them")
    add_studio_options(run)
    run.add_argument("--profile", action="store_true", help="print the time spent in each phase at the end")
    run.add_argument("--log", choices=("text", "json"), default="text", help="format of log messages (default: text)")


def add_studio_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of the web studio."""
    own = verb.add_argument_group("web studio")
    own.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)")
    own.add_argument("--port", type=int, metavar="N", help="TCP port (default: the first free one from 8080 up)")
    own.add_argument(
        "--name", action="append", default=[], metavar="HOST",
        help="accept requests for this host name too; may be repeated",
    )  # fmt: skip
    own.add_argument("--no-browser", action="store_true", help="do not open a browser window")


def _add_together(verbs: Any) -> None:
    together = _add(
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
    together.add_argument("--tape", metavar="FILE", help="record the run to FILE")
    together.add_argument(
        "--tape-level", choices=("inbox", "state", "full"), default="state",
        help="what to record: inputs; also poses and state hashes; also bytes sent to clients (default: state)",
    )  # fmt: skip
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
    together.add_argument(
        "--robot", "-r", action="append", default=[], metavar="MODEL[:NAME]",
        help="add a robot at the map's start position; may be repeated (default for a map without robots: p3dx)",
    )  # fmt: skip
    together.add_argument("--trust", action="store_true", help="let commands in the scene start processes")
    together.add_argument(
        "--view", choices=("studio", "none"), default="none", help="studio: watch, pause and step in the browser"
    )
    add_studio_options(together)
    together.add_argument("--log", choices=("text", "json"), default="text", help="format of log messages")
    together.set_defaults(commands=[])


def _add_new(verbs: Any) -> None:
    new = _add(verbs, "new", lazy("new", "new"), "Make a folder with a scene, a program and a README, ready to run.")
    new.add_argument("name", metavar="NAME", help="a folder that does not exist or is empty")


def _add_files(verbs: Any) -> None:
    check = _add(verbs, "check", lazy("files", "check"), "Report every error in scene files.")
    check.add_argument("files", nargs="+", metavar="FILE", help="scene, map or world file")
    convert = _add(verbs, "convert", lazy("files", "convert"), "Convert a scene from one format to another.")
    convert.add_argument("source", metavar="IN", help="file to read")
    convert.add_argument("target", nargs="?", metavar="OUT", help="file to write; its suffix selects the format")
    convert.add_argument("--into", metavar="MAP", help="add the lines of IN to this map; with OUT, to a copy of it")
    schema = _add(verbs, "schema", lazy("files", "schema"), "Print the JSON Schema of scene files, for editors.")
    schema.add_argument("--robot", action="store_true", help="print the schema of robot files instead")


def _add_tapes(verbs: Any) -> None:
    replay = _add(verbs, "replay", lazy("tapes", "replay"), "Re-run a tape and compare every hash on it.")
    replay.add_argument("tape", metavar="TAPE", help="file recorded with --tape")
    replay.add_argument(
        "--trust",
        action="store_true",
        help="allow the tape to execute its filters and firmware (arbitrary code of its author)",
    )
    replay.add_argument("--view", choices=("none", "studio"), default="none", help="studio: watch it in the browser")
    add_studio_options(replay)
    diff = _add(
        verbs,
        "diff",
        lazy("tapes", "diff"),
        "Find the first differences of two tapes; exit code 0 when they are equal.",
    )
    diff.add_argument("first", metavar="A", help="a tape")
    diff.add_argument("second", metavar="B", help="another tape")


def _add_lists(verbs: Any) -> None:
    card = _add(
        verbs, "card", lazy("lists", "card"), "Show the validity card of a robot, a device or a kind of sensor."
    )
    card.add_argument("name", metavar="NAME", help="a robot (p3dx), a device (lms200) or a kind of sensor (sonar)")
    catalog = _add(verbs, "catalog", lazy("catalog", "catalog"), "List the robots that come with Understudy, by kind.")
    catalog.add_argument("kind", nargs="?", metavar="KIND", help="only these: pioneer, roomba, lego, eyebot or other")
    catalog.add_argument("--all", action="store_true", help="list the variants without odometry error too")
    catalog.add_argument("--devices", action="store_true", help="list the devices instead, such as ping and lms200")
    kinds = _add(
        verbs,
        "kinds",
        lazy("lists", "kinds"),
        "List what scenes can name, plug-ins too: sensors, units, engines ...",
    )
    kinds.add_argument("part", nargs="?", metavar="PART", help="only these, such as sensors (default: all)")
    beam = _add(verbs, "beam", lazy("beam", "beam"), "Plot the region in which a device detects a pole.")
    beam.add_argument("sensor", metavar="SENSOR", help="a device (ping), a kind (sonar), ROBOT/DEVICE or a CSV file")
    beam.add_argument("--target", type=positive, default=0.1, metavar="M", help="width of the pole (default: 0.1 m)")
    beam.add_argument("--scene", metavar="FILE", help="scene that contains ROBOT (default: a robot of the catalogue)")
    beam.add_argument("--number", type=seed, metavar="N", help="only this value of the reading, counted from 0")
    beam.add_argument("--svg", metavar="FILE", help="write an SVG drawing instead")
    compare = _add(
        verbs, "compare", lazy("compare", "compare_engines"), "Run a scene on both engines and report the differences."
    )
    compare.add_argument("file", nargs="?", metavar="FILE", help=_SCENE)
    compare.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds (default: a short tour)")
    compare.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the scene's)")
    compare.add_argument(
        "--program", action="append", default=[], type=program, metavar="ROBOT=FILE",
        help="control ROBOT with the Python program FILE; may be repeated",
    )  # fmt: skip
    compare.add_argument(
        "--drive", type=motion, metavar="M_S,RAD_S", help="constant motion of robots without a program, such as 0.3,0.2"
    )
    compare.add_argument("--svg", metavar="FILE", help="draw the paths on both engines as SVG")
    examples = _add(verbs, "examples", lazy("examples", "examples"), "List, copy or run the examples.")
    examples.add_argument("action", nargs="?", choices=("list", "copy", "run"), default="list", help="default: list")
    examples.add_argument("name", nargs="?", metavar="NAME", help="an example; copy without a name copies all")
    examples.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="folder to copy to (default: .)")
    add_run_options(examples)
    _add(verbs, "doctor", lazy("doctor", "doctor"), "Report what is installed, what is missing and how to install it.")


def _add_serial(verbs: Any) -> None:
    ports = _add(verbs, "ports", lazy("ports", "ports"), "List the open ports of all simulations on this machine.")
    ports.add_argument("--watch", action="store_true", help="print the list again every second until Ctrl-C")
    actions = ports.add_subparsers(metavar="pair|find")
    find = _add(actions, "find", lazy("ports", "find"), "Print what to open for a port that a program calls by a name.")
    find.add_argument("name", metavar="NAME", help="as in the program, such as /dev/SEAR_LIDAR_01")
    pair = _add(actions, "pair", lazy("ports", "pair"), "Join two new serial ports by a null modem until Ctrl-C.")
    pair.add_argument("first", metavar="A", help="name of a port in the runtime folder, or an absolute path")
    pair.add_argument("second", metavar="B", help="the other one")
    wrap = _add(
        verbs, "with-serial", lazy("with_serial", "with_serial"),
        "Run a program that uses RTS, DTR or other modem-line calls on a simulated serial port.",
    )  # fmt: skip
    wrap.usage = "understudy with-serial -- PROGRAM ..."
    wrap.add_argument(
        "program", nargs=argparse.REMAINDER, metavar="-- PROGRAM ...", help="the program and its arguments"
    )


def _add_sear(verbs: Any) -> None:
    sear = verbs.add_parser("sear", help="Make, open, run and import projects of SEAR.")
    actions = sear.add_subparsers(metavar="new|open|save|run|import", required=True)
    new = _add(actions, "new", lazy("sear", "new"), "Make a project with a robot, obstacles and user code.")
    new.add_argument("folder", metavar="FOLDER", help="a folder that does not exist or is empty")
    new.add_argument("--empty", action="store_true", help="no objects, and blank user code")
    new.add_argument("--terrain", metavar="FILE", help="a rover on this terrain: .hgt, .asc or GeoTIFF")
    new.add_argument("--middle", type=pair_of, metavar="LAT,LON", help="centre of the part of the file to use")
    new.add_argument("--size", type=pair_of, metavar="EAST,NORTH", help="size of that part (m)")
    unpack = _add(actions, "open", lazy("sear", "open_file"), "Unpack a .sear file; its code is not run.")
    unpack.add_argument("file", metavar="FILE.sear", help="a project")
    unpack.add_argument("folder", nargs="?", metavar="FOLDER", help="where to (default: the file's name)")
    save = _add(actions, "save", lazy("sear", "save"), "Pack a project into a .sear file.")
    save.add_argument("folder", metavar="FOLDER", help="a project")
    save.add_argument("file", nargs="?", metavar="FILE.sear", help="default: the folder's name")
    run = _add(actions, "run", lazy("sear", "run"), "Run a project, and user code that you consent to.")
    _add_sear_run(run)
    take = _add(
        actions, "import", lazy("sear", "take"), "Take a part of another project, or a .prj, .ucf, Sensors.xml."
    )
    take.add_argument("source", metavar="SOURCE", help="a .sear file, a project's folder, or a .prj, .ucf, Sensors.xml")
    take.add_argument("--into", default=".", metavar="FOLDER", help="the project that gets it (default: this folder)")
    part = take.add_mutually_exclusive_group()
    for name in ("robot", "environment", "code"):
        part.add_argument(f"--{name}", action="store_const", const=name, dest="part", help=f"take the {name}")


def _add_sear_run(run: argparse.ArgumentParser) -> None:
    run.add_argument("project", metavar="PROJECT", help="a project's folder, or a .sear file")
    run.add_argument("--code", metavar="FILE", help="run this user code: a three-part template or a Python script")
    run.add_argument("--trust", action="store_true", help="run the project's own userCode.py: it is its author's code")
    run.add_argument(
        "--mode", choices=("gated", "realtime"), default="gated",
        help="gated: simulated time waits for the code; realtime: it does not (default: gated)",
    )  # fmt: skip
    run.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds (default: until the code ends)")
    run.add_argument("--speed", type=speed, default=1.0, metavar="max|FACTOR", help="times real time (default: 1)")
    run.add_argument("--seed", type=seed, metavar="N", help="seed of all noise")
    run.add_argument("--engine", type=engine, metavar="NAME", help="physics engine (default: rigid)")
    run.add_argument("--tape", metavar="FILE", help="record the run to FILE")
    run.add_argument("--csv", metavar="FILE", help="log sensors to a CSV file")
    run.add_argument("--sensors", metavar="A,B", help="the sensors to log (default: all but cameras)")
    run.add_argument("--every", type=positive, default=0.1, metavar="S", help="seconds between two rows (default: 0.1)")
    run.add_argument("--no-ports", action="store_true", help="open no serial ports")
    run.add_argument("--dev", action="store_true", help="serial ports under /dev, as printed; needs the right to do so")


def _add_eyesim(verbs: Any) -> None:
    verb = _add(
        verbs, "eyesim", lazy("eyesim", "eyesim"),
        "Run an EyeSim world and its RoBIOS programs, or a program in a world; `eyesim cc` compiles C and C++.",
    )  # fmt: skip
    verb.add_argument(
        "file", nargs="?", metavar="FILE",
        help="a world (.sim .wld .maz .p .toml), or a program (.py .c .cpp .x); default: eyesim.p, or a box",
    )  # fmt: skip
    verb.add_argument("arguments", nargs="*", metavar="ARG", help="arguments of the program")
    verb.add_argument("--world", metavar="FILE", help="the world of a program")
    verb.add_argument(
        "--program", action="append", default=[], metavar="[ROBOT=]FILE",
        help="a program for robots that have none, or for one of them; may be repeated",
    )  # fmt: skip
    verb.add_argument(
        "--robot",
        default="",
        metavar="MODEL",
        help="the robot at the start of a world or maze: S4, LabBot, Omni, Ackermann, or another model"
        " (default: S4; soccerbot for classic programs)",
    )
    verb.add_argument(
        "--fast", action="store_true",
        help="simulated time waits for programs and passes as fast as it can; runs repeat to the bit",
    )  # fmt: skip
    verb.add_argument("--seconds", type=positive, metavar="S", help="simulated seconds (default: until programs end)")
    verb.add_argument("--stay", action="store_true", help="go on when all programs have ended, until Ctrl-C")
    verb.add_argument("--keys", metavar="SCRIPT", help='press keys, such as "KEY1@2s, bob:KEY4@20s"')
    verb.add_argument("--console", action="store_true", help="show LCD and keys of the robots in the terminal")
    verb.add_argument("--dump", metavar="FOLDER", help="write each LCD as a picture and as text when the run ends")
    verb.add_argument(
        "--error", action="append", default=[], metavar="WHAT=PERCENT",
        help="an error margin: psd, ir, lidar, encoder, drive, turn, camera, camera_gauss, radio, radio_corrupt; "
        "may be repeated",
    )  # fmt: skip
    verb.add_argument(
        "--speed", type=speed, metavar="max|FACTOR", help="times real time (default: 1; with --fast: max)"
    )
    verb.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the world's)")
    verb.add_argument("--engine", type=engine, metavar="NAME", help="physics engine (default: that of the world)")
    verb.add_argument("--tape", metavar="FILE", help="record the run to FILE")
    verb.add_argument(
        "--view", choices=("none", "terminal", "studio"),
        help="studio: in the browser; terminal: a map in the terminal (default: studio if there is a display, else "
        "terminal if interactive; with --fast or --console: none)",
    )  # fmt: skip
    add_studio_options(verb)
    verb.add_argument("--log", choices=("text", "json"), default="text", help="format of log messages (default: text)")
    verb.add_argument("--seat-fd", type=int, help=argparse.SUPPRESS)  # of the program that has started this one


def _add_rcx(verbs: Any) -> None:
    rcx = verbs.add_parser("rcx", help="Assemble, disassemble, run, trace and receive programs of a LEGO RCX.")
    actions = rcx.add_subparsers(metavar="ACTION", required=True)
    asm = _add(actions, "asm", lazy("rcx", "asm"), "Assemble LASM or icon text into an image (.rcx).")
    asm.add_argument("source", metavar="FILE", help="LASM text, or icon text (.icons)")
    asm.add_argument("-o", "--output", metavar="FILE", help="image to write (default: the same name with .rcx)")
    asm.add_argument(
        "--firmware", choices=("fw1", "fw2", "swan"), default="swan",
        help="target of a text that does not name one (default: swan, that of ROBOLAB 2.9)",
    )  # fmt: skip
    disasm = _add(actions, "disasm", lazy("rcx", "disasm"), "Print the LASM text of a program, or its icons.")
    disasm.add_argument("source", metavar="FILE", help="image, such as nqc -O writes; or .lasm, .icons")
    disasm.add_argument("--icons", action="store_true", help="as icon text (.icons)")
    disasm.add_argument("-o", "--output", metavar="FILE", help="text to write (default: print it)")
    for verb in (asm, disasm):
        verb.add_argument(
            "--dialect", choices=("lego", "nqc"), default="lego", help="nqc: out and gout have the motors first"
        )
    run = _add(actions, "run", lazy("rcx", "run"), "Run a program and print how far the robot travelled and turned.")
    trace = _add(actions, "trace", lazy("rcx", "trace"), "Run a program and print which icon ran when, or draw it.")
    trace.add_argument("--svg", metavar="FILE", help="draw the icons, with the time of each, into FILE")
    trace.set_defaults(ports=False)
    run.add_argument("--ports", action="store_true", help="open the port for downloads; no times of icons")
    for verb in (run, trace):
        verb.add_argument("program", metavar="PROGRAM", help="LASM text (.lasm), icon text (.icons) or image (.rcx)")
        verb.add_argument("--seconds", type=positive, metavar="S", help="default: until the program ends, at most 60")
        verb.add_argument("--speed", type=speed, metavar="max|FACTOR", help="times real time (default: max)")
        verb.add_argument("--step", action="store_true", help="begin paused, with ticks of 1 ms; keys: see docs/rcx.md")
        verb.add_argument(
            "--break", dest="breaks", action="append", type=count, default=[], metavar="LINE",
            help="pause where a task reaches this line; again for more",
        )  # fmt: skip
    serve = _add(actions, "serve", lazy("rcx_serve", "serve"), "Wait for programs of nqc and ROBOLAB, and run each.")
    serve.add_argument("--port", type=tcp_port, default=4266, metavar="N", help="ROBOLAB's TCP port (default: 4266)")
    serve.add_argument("--write-sym", metavar="FOLDER", help="write sym.txt into ROBOLAB's folder")
    serve.add_argument(
        "--seconds", type=positive, metavar="S", help="stop each program after this time (default: never)"
    )
    serve.add_argument("--programs", type=count, metavar="N", help="exit after so many programs (default: never)")
    serve.add_argument("--speed", type=speed, default=1.0, metavar="max|FACTOR", help="times real time (default: 1)")
    for verb in (run, trace, serve):
        _add_brick_options(verb)


def _add_brick_options(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--robot", metavar="MODEL", help="M1 to M5, another model, or a robot of the world (default: its first, or M5)"
    )
    verb.add_argument("--world", default="E3", metavar="WORLD", help="E1 plane, E2 walls, E3 lines, or a scene file")
    verb.add_argument("--engine", type=engine, metavar="NAME", help="physics engine (default: that of the world)")
    verb.add_argument("--seed", type=seed, metavar="N", help="seed of all noise (default: the world's)")
    verb.add_argument("--log", choices=("text", "json"), default="text", help="format of log messages (default: text)")


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


def motion(text: str) -> tuple[float, float]:
    """Return a forward speed (m/s) and a turn rate (rad/s)."""
    ahead, comma, turn = text.partition(",")
    try:
        return float(ahead), float(turn) if comma else 0.0
    except ValueError:
        raise argparse.ArgumentTypeError(f"want m/s and rad/s, such as 0.3,0.2, got {text!r}") from None


def pair_of(text: str) -> tuple[float, float]:
    """Return two numbers."""
    first, comma, second = text.partition(",")
    try:
        return float(first), float(second if comma else first)
    except ValueError:
        raise argparse.ArgumentTypeError(f"want two numbers, such as 46.5,6.6, got {text!r}") from None


def _parsed(kind: Callable[[str], Number], text: str, otherwise: Number) -> Number:
    """Return a number; *otherwise*, which the caller refuses, for text that is not one."""
    try:
        return kind(text)
    except ValueError:
        return otherwise


def positive(text: str) -> float:
    """Return a number above zero."""
    value = _parsed(float, text, 0.0)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"want a number above 0, got {text!r}")
    return value


def speed(text: str) -> float | None:
    """Return a multiple of real time, None for "max"."""
    if text == "max":
        return None
    try:
        return positive(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"want max or a number above 0, got {text!r}") from None


def engine(text: str) -> str:
    """Return the name of an engine; other packages are looked through only for a name that is not ours."""
    if text not in ("planar", "rigid"):
        from understudy.engines import ENGINES
        from understudy.errors import nearest

        if text not in ENGINES:
            raise argparse.ArgumentTypeError(f"there is no engine {text!r} {nearest(text, ENGINES)}")
    return text


def seed(text: str) -> int:
    """Return an integer from 0 up."""
    value = _parsed(int, text, -1)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError(f"want an integer from 0 to 2^63 - 1, got {text}")
    return value


def tcp_port(text: str) -> int:
    """Return the number of a TCP port; 0: any free one."""
    value = _parsed(int, text, -1)
    if not 0 <= value <= 65_535:
        raise argparse.ArgumentTypeError(f"want a port from 0 to 65535, got {text}")
    return value


def count(text: str) -> int:
    """Return an integer from 1 up."""
    value = _parsed(int, text, 0)
    if value < 1:
        raise argparse.ArgumentTypeError(f"want an integer from 1 up, got {text}")
    return value


def program(text: str) -> tuple[str, str]:
    """Return robot and file from ROBOT=FILE."""
    robot, equals, file = text.partition("=")
    if not (robot and equals and file):
        raise argparse.ArgumentTypeError(f"want ROBOT=FILE, such as scout=wander.py, got {text!r}")
    return robot, file
