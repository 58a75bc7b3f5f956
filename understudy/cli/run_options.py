"""Options that several verbs share."""

from __future__ import annotations

import argparse

from understudy.cli.values import engine, positive, program, seed, speed


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
    add_tape_options(run)
    add_program_option(run)
    run.add_argument(
        "--program-mode", choices=("gated", "realtime"), default="gated",
        help="gated: simulated time waits for programs; realtime: it does not (default: gated)",
    )  # fmt: skip
    add_robot_option(run)
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


def add_tape_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of a recording."""
    verb.add_argument("--tape", metavar="FILE", help="record the run to FILE")
    verb.add_argument(
        "--tape-level", choices=("inbox", "state", "full"), default="state",
        help="what to record: inputs; also poses and state hashes; also bytes sent to clients (default: state)",
    )  # fmt: skip


def add_robot_option(verb: argparse.ArgumentParser) -> None:
    """Add the option for further robots."""
    verb.add_argument(
        "--robot", "-r", action="append", default=[], metavar="MODEL[:NAME]",
        help="add a robot at the map's start position; may be repeated (default for a map without robots: p3dx)",
    )  # fmt: skip


def add_program_option(verb: argparse.ArgumentParser) -> None:
    """Add the option for programs of robots."""
    verb.add_argument(
        "--program", action="append", default=[], type=program, metavar="ROBOT=FILE",
        help="control ROBOT with the Python program FILE; may be repeated",
    )  # fmt: skip
