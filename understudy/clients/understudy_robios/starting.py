"""Where the seat of a program comes from: the simulator that started it, an address, or a simulator started here."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import socket
import subprocess
import sys

SEAT = "UNDERSTUDY_SEAT"  # set by a simulator that starts a program: fd:N, or tcp://127.0.0.1:PORT
OPTIONS = "EYESIM_OPTIONS"  # of the simulator that the first call starts
COMMAND = "UNDERSTUDY"  # how to start it, if not by this Python


class NoSimulator(RuntimeError):
    """There is no simulator to talk to; the message says what to do."""


def seat() -> tuple[socket.socket, subprocess.Popen[bytes] | None]:
    """Return the socket of the seat, and the simulator if it had to be started; raises NoSimulator."""
    address = os.environ.pop(SEAT, "")  # programs that this one starts have no seat
    scheme, _, rest = address.partition(":")
    if not address:
        return _started()
    try:
        return (_inherited(int(rest)) if scheme == "fd" else _connected(rest)), None
    except (OSError, ValueError) as problem:
        raise NoSimulator(f"no seat at {SEAT}={address}: {problem}") from None


def _inherited(number: int) -> socket.socket:
    sock = socket.socket(fileno=number)
    sock.set_inheritable(False)
    return sock


def _connected(rest: str) -> socket.socket:
    host, _, port = rest.lstrip("/").rpartition(":")
    sock = socket.create_connection((host, int(port)), timeout=10.0)
    sock.settimeout(None)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def simulator_command() -> list[str]:
    """Return the command that runs understudy; raises NoSimulator."""
    given = os.environ.get(COMMAND)
    if given:
        return shlex.split(given)
    if importlib.util.find_spec("understudy") is not None:
        return [sys.executable, "-m", "understudy"]
    found = shutil.which("understudy")
    if found is None:
        raise NoSimulator(f"no simulator: install understudy for this Python, or set {COMMAND} to its command")
    return [found]


def _started() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    if not hasattr(socket, "AF_UNIX"):
        raise NoSimulator("on this system start the program by: understudy eyesim WORLD.sim")
    own, other = socket.socketpair()
    options = shlex.split(os.environ.get(OPTIONS, ""))
    command = [*simulator_command(), "eyesim", "--seat-fd", str(other.fileno()), *options, "--", *sys.argv]
    keyboard = None if "--console" in options else subprocess.DEVNULL  # the program may read it
    try:
        child = subprocess.Popen(command, pass_fds=[other.fileno()], stdin=keyboard)
    except OSError as problem:
        own.close()
        raise NoSimulator(f"the simulator cannot be started: {problem}") from None
    finally:
        other.close()
    return own, child
