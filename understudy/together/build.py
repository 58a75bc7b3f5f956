"""The library that programs run with: built with the machine's C compiler on first use, then kept."""

from __future__ import annotations

import os
from pathlib import Path

from understudy.clients.shared_library import SharedLibrary
from understudy.errors import LinkError

NATIVE = Path(__file__).with_name("native")
OTHER_WAY = "run in real time instead (understudy run SCENE, and start the program yourself)"
LIBRARY = SharedLibrary(
    "together",
    tuple(sorted(NATIVE.glob("*.c"))),
    needs="together works",
    other_way=OTHER_WAY,
    headers=tuple(sorted(NATIVE.glob("*.h"))),
    # it uses the C library of the program that it is loaded into, which may be musl
    flags=("-fvisibility=hidden", "-fno-stack-protector", "-std=gnu11", "-nostdlib"),
    libraries=("-lgcc",),
)
LEAST_KERNEL = (5, 11)


def library_path() -> Path:
    """Return the path of the library, built if need be; raises LinkError if this system cannot have it."""
    check_system()
    return LIBRARY.path()


def available() -> str:
    """Return the compiler that builds the library; raises LinkError with the reason if there cannot be one."""
    check_system()
    return LIBRARY.available()


def check_system() -> None:
    """Raise LinkError unless this is Linux on x86-64 with a kernel that can trap system calls."""
    system = os.uname() if hasattr(os, "uname") else None
    if system is None or system.sysname != "Linux" or system.machine not in ("x86_64", "amd64"):
        here = f"{system.sysname} on {system.machine}" if system else "another system"
        raise LinkError(f"together needs Linux 5.11 or newer on x86-64, and this is {here}; {OTHER_WAY}")
    if _kernel(system.release) < LEAST_KERNEL:
        raise LinkError(f"together needs Linux 5.11 or newer, and this is {system.release}; {OTHER_WAY}")


def _kernel(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a kernel's version.

    >>> _kernel("6.1.0-13-amd64"), _kernel("strange")
    ((6, 1), (99,))
    """
    numbers = [part for part in release.replace("-", ".").split(".")[:2] if part.isdigit()]
    return tuple(map(int, numbers)) if len(numbers) == 2 else (99,)
