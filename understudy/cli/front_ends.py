"""The verbs of SEAR, EyeSim and the LEGO RCX."""

from __future__ import annotations

import argparse
from typing import Any

from understudy.cli.run_options import add_studio_options
from understudy.cli.values import count, engine, pair_of, positive, seed, speed, tcp_port
from understudy.cli.verbs import add, lazy


def add_sear(verbs: Any) -> None:
    """Add the verb for SEAR's projects."""
    sear = verbs.add_parser("sear", help="Make, open, run and import projects of SEAR.")
    actions = sear.add_subparsers(metavar="new|open|save|run|import", required=True)
    new = add(actions, "new", lazy("sear", "new"), "Make a project with a robot, obstacles and user code.")
    new.add_argument("folder", metavar="FOLDER", help="a folder that does not exist or is empty")
    new.add_argument("--empty", action="store_true", help="no objects, and blank user code")
    new.add_argument("--terrain", metavar="FILE", help="a rover on this terrain: .hgt, .asc or GeoTIFF")
    new.add_argument("--middle", type=pair_of, metavar="LAT,LON", help="centre of the part of the file to use")
    new.add_argument("--size", type=pair_of, metavar="EAST,NORTH", help="size of that part (m)")
    unpack = add(actions, "open", lazy("sear", "open_file"), "Unpack a .sear file; its code is not run.")
    unpack.add_argument("file", metavar="FILE.sear", help="a project")
    unpack.add_argument("folder", nargs="?", metavar="FOLDER", help="where to (default: the file's name)")
    save = add(actions, "save", lazy("sear", "save"), "Pack a project into a .sear file.")
    save.add_argument("folder", metavar="FOLDER", help="a project")
    save.add_argument("file", nargs="?", metavar="FILE.sear", help="default: the folder's name")
    run = add(actions, "run", lazy("sear", "run"), "Run a project, and user code that you consent to.")
    _add_sear_run(run)
    take = add(actions, "import", lazy("sear", "take"), "Take a part of another project, or a .prj, .ucf, Sensors.xml.")
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


def add_eyesim(verbs: Any) -> None:
    """Add the verb for EyeSim's worlds and programs."""
    verb = add(
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


def add_rcx(verbs: Any) -> None:
    """Add the verb for the LEGO brick."""
    rcx = verbs.add_parser("rcx", help="Assemble, disassemble, run, trace and receive programs of a LEGO RCX.")
    actions = rcx.add_subparsers(metavar="ACTION", required=True)
    asm = add(actions, "asm", lazy("rcx", "asm"), "Assemble LASM or icon text into an image (.rcx).")
    asm.add_argument("source", metavar="FILE", help="LASM text, or icon text (.icons)")
    asm.add_argument("-o", "--output", metavar="FILE", help="image to write (default: the same name with .rcx)")
    asm.add_argument(
        "--firmware", choices=("fw1", "fw2", "swan"), default="swan",
        help="target of a text that does not name one (default: swan, that of ROBOLAB 2.9)",
    )  # fmt: skip
    disasm = add(actions, "disasm", lazy("rcx", "disasm"), "Print the LASM text of a program, or its icons.")
    disasm.add_argument("source", metavar="FILE", help="image, such as nqc -O writes; or .lasm, .icons")
    disasm.add_argument("--icons", action="store_true", help="as icon text (.icons)")
    disasm.add_argument("-o", "--output", metavar="FILE", help="text to write (default: print it)")
    for verb in (asm, disasm):
        verb.add_argument(
            "--dialect", choices=("lego", "nqc"), default="lego", help="nqc: out and gout have the motors first"
        )
    run = add(actions, "run", lazy("rcx", "run"), "Run a program and print how far the robot travelled and turned.")
    trace = add(actions, "trace", lazy("rcx", "trace"), "Run a program and print which icon ran when, or draw it.")
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
    serve = add(actions, "serve", lazy("rcx_serve", "serve"), "Wait for programs of nqc and ROBOLAB, and run each.")
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
