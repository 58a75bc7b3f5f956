"""The library that answers modem-line calls: built with the machine's C compiler on first use, then kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from understudy.clients.shared_library import SharedLibrary, preloaded
from understudy.links.directory import runtime_folder

SOURCE = Path(__file__).with_name("serial_lines.c")
LIBRARY = SharedLibrary(
    "serial-lines",
    (SOURCE,),
    needs="modem lines of pseudo-terminals are answered",
    other_way="give the port a link rfc2217://127.0.0.1:0 instead",
    libraries=("-ldl", "-lpthread"),
)


def environment(before: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a program whose modem-line calls are answered; builds the library if need be."""
    return {
        **before,
        "LD_PRELOAD": preloaded(library_path(), before),
        "UNDERSTUDY_LINES": str(runtime_folder()),
    }


def library_path() -> Path:
    """Return the path of the library; raises LinkError with the reason if there cannot be one."""
    return LIBRARY.path()


def available() -> str:
    """Return the compiler that builds the library; raises LinkError with the reason if there cannot be one."""
    return LIBRARY.available()
