"""The verb ``ports``: a list of open ports with counters, and a null modem between two of them."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType

from understudy.links import directory
from understudy.links.directory import Instance, PortEntry
from understudy.sear.ports import resolve
from understudy.sim.null_modem import NullModem

WATCH_S = 1.0
PUBLISH_S = 1.0
HEAD = ("port", "protocol", "unit", "devices", "client", "received", "sent", "lost", "address", "pid")
NUMBERS = {"received", "sent", "lost", "pid"}  # columns that are aligned on the right
CLEAR = "\x1b[H\x1b[J"


def ports(args: argparse.Namespace) -> int:
    """List the open ports of all simulations on this machine; with --watch again and again."""
    if not args.watch:
        print(table(directory.running()))
        return 0
    with _ending() as ended:
        while not ended.is_set():
            screen = CLEAR if sys.stdout.isatty() else ""
            print(f"{screen}{table(directory.running())}", flush=True)
            ended.wait(WATCH_S)
    return 0


def find(args: argparse.Namespace) -> int:
    """Print the address of a port by the name that a user's program prints or opens."""
    print(resolve(args.name))
    return 0


def pair(args: argparse.Namespace) -> int:
    """Join two serial ports by a null modem until the program is interrupted."""
    with ExitStack() as stack:
        ended = stack.enter_context(_ending())
        modem = NullModem(args.first, args.second)
        stack.callback(modem.close)
        modem.open()
        stack.callback(directory.withdraw)
        for notice in modem.notices():
            print(notice, file=sys.stderr)
        first, second = (info.url for info in modem.infos())
        print(f"null modem between {first} and {second}; Ctrl-C ends it", flush=True)
        rounds = round(PUBLISH_S / NullModem.LOOK_S)
        while not ended.is_set():
            directory.publish(modem.entries())
            for _ in range(rounds):
                modem.relieve()
                if ended.wait(NullModem.LOOK_S):
                    break
    return 0


def table(instances: Sequence[Instance]) -> str:
    """Return the ports of running instances as lines of text."""
    rows = [_row(port, instance.pid) for instance in instances for port in instance.ports]
    if not rows:
        return "no simulation with open ports is running on this machine"
    widths = [max(map(len, column)) for column in zip(*rows, HEAD)]
    return "\n".join(_line(row, widths) for row in (HEAD, *rows))


def _row(port: PortEntry, pid: int) -> tuple[str, ...]:
    unit = f"{port.unit} ({port.kind})" if port.kind not in ("", port.unit) else port.unit
    counts = (f"{count:,}" for count in (port.received, port.sent, port.dropped))
    client = "yes" if port.connected else "no"
    return (port.path, port.protocol, unit or "-", ", ".join(port.devices) or "-", client, *counts, port.url, str(pid))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        f"{cell:>{width}}" if name in NUMBERS else f"{cell:{width}}" for name, cell, width in zip(HEAD, row, widths)
    )
    return "  ".join(cells).rstrip()


@contextmanager
def _ending() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C and a request to terminate set."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    before = [(number, signal.signal(number, end)) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield ended
    finally:
        for number, handler in before:
            signal.signal(number, handler)
