"""The verb ``doctor``: what is installed, what is missing, and how to install it."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec

from packaging.requirements import Requirement

from understudy import __version__

NOT_FOR_USERS = ("dev", "bench", "docs", "all")  # extras of our own targets


def doctor(args: argparse.Namespace) -> int:
    """Report what is installed, what is missing and how to install it."""
    print(f"understudy {__version__}, Python {platform.python_version()}, {platform.platform()}")
    missing = _packages()
    _ports()
    _modem_lines()
    _shared_clock()
    _compiler()
    _cameras()
    return 1 if missing else 0


def _packages() -> list[str]:
    """Print every package that we use; return the required ones that are missing."""
    missing = []
    for text in requires("understudy") or []:
        need = Requirement(text)
        extra = _extra(need)
        if extra in NOT_FOR_USERS:
            continue
        try:
            print(f"  ok       {need.name} {version(need.name)}")
        except PackageNotFoundError:
            where = f"understudy[{extra}]" if extra else "understudy"
            print(f"  {'missing ' if not extra else 'optional'} {need.name}: pip install '{where}'")
            missing += [] if extra else [need.name]
    return missing


def _extra(need: Requirement) -> str:
    """Return the extra that a requirement belongs to; empty if it is always needed."""
    extras: list[str] = metadata("understudy").get_all("Provides-Extra") or []
    for name in extras:
        if (
            need.marker is not None
            and need.marker.evaluate({"extra": name})
            and not need.marker.evaluate({"extra": ""})
        ):
            return name
    return ""


def _ports() -> None:
    if find_spec("termios") is not None and sys.platform != "win32":
        print("  ok       serial ports as pseudo-terminals")
    else:
        print("  note     no pseudo-terminals on this system; serial ports are replaced by TCP ports")


def _modem_lines() -> None:
    from understudy.clients import preload
    from understudy.errors import LinkError

    try:
        print(f"  ok       modem lines of serial ports (understudy with-serial): {preload.available()}")
    except LinkError as problem:
        print(f"  note     modem lines of serial ports: {problem}")


def _shared_clock() -> None:
    from understudy.errors import LinkError
    from understudy.together import build

    try:
        print(f"  ok       unmodified programs in simulated time (understudy together): {build.available()}")
    except LinkError as problem:
        print(f"  note     {problem}")


def _compiler() -> None:
    import llvmlite.binding as llvm

    print(f"  ok       compiled kernels for {llvm.get_host_cpu_name()}")


def _cameras() -> None:
    from understudy.engines.gl.thread import drawer

    here = drawer()
    if here.kind:
        print(f"  ok       camera images: MuJoCo on {here}")
    else:
        print(f"  note     camera images: built-in ray casting ({here.drawer})")
