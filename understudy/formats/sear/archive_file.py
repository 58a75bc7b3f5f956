"""Archives of SEAR projects from unknown sources: everything is checked before it is unpacked, in memory."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable

from understudy.assets import archive
from understudy.errors import FormatError, excerpt

ENVIRONMENT, ROBOT, ASSETS = "environment", "robot", "assets"  # folders of a project
MOST_BYTES = 256_000_000  # of all files of a project, unpacked
MOST_RATIO, FREE_BYTES = 200, 1_000_000  # unpacked to packed: more than this is a zip bomb, unless it is small
MOST_DEPTH = 20  # nested folders
_PLAIN = re.compile(r"[^/\\\0:]{1,200}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # device names on Windows


def unpacked(data: bytes, file: str) -> dict[str, bytes]:
    """Return the files of an archive from an unknown source; raises FormatError with the reason if one is hostile."""
    _check_entries(data, file)
    inside = archive.unpacked(data, file)
    plain = rooted(inside)
    return {short: inside[name] for short, name in plain.items()}


def _check_entries(data: bytes, file: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = packed.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FormatError(f"{file}: not a valid .sear archive ({error})") from None
    if len(entries) > archive.MOST_FILES:
        raise FormatError(f"{file}: too many files: {len(entries):,} (at most {archive.MOST_FILES:,})")
    seen: set[str] = set()
    for entry in entries:
        _check_entry(entry, file)
        key = entry.filename.rstrip("/").casefold()
        if key in seen:
            raise FormatError(f"{file}: {excerpt(entry.filename)} is in the archive twice")
        seen.add(key)
    total = sum(entry.file_size for entry in entries)
    if total > MOST_BYTES:
        raise FormatError(f"{file}: too large when unpacked: {total:,} bytes (at most {MOST_BYTES:,})")
    packed_bytes = max(1, sum(entry.compress_size for entry in entries))
    if total > FREE_BYTES and total / packed_bytes > MOST_RATIO:
        raise FormatError(f"{file}: unpacks to {total // packed_bytes:,} times its size: refused as a zip bomb")


def _check_entry(entry: zipfile.ZipInfo, file: str) -> None:
    """Raise FormatError if an entry has a name or type that no project has."""
    name = entry.orig_filename  # with a null byte, after which Python cuts the other one
    kind = entry.external_attr >> 28  # of Unix: 0 unknown, 4 folder, 8 file, 10 symbolic link
    if kind not in (0, 4, 8):
        raise FormatError(f"{file}: {excerpt(name)} is not a file but a link or device: refused")
    if entry.flag_bits & 1:
        raise FormatError(f"{file}: {excerpt(name)} is encrypted: unpack it and pack it without a password")
    check_name(name.rstrip("/"), file)


def check_name(name: str, file: str) -> None:
    """Raise FormatError unless a name stays inside the project on every system."""
    parts = name.split("/")
    for part in parts:
        plain = _PLAIN.fullmatch(part) and part.isprintable() and not part.endswith((" ", "."))
        if not plain or part in (".", "..") or _RESERVED.fullmatch(part):
            raise FormatError(f"{file}: {excerpt(name)} is not a name inside a project: refused")
    if len(parts) > MOST_DEPTH:
        raise FormatError(f"{file}: {excerpt(name)}: folders nested too deeply (at most {MOST_DEPTH})")


def rooted(names: Iterable[str]) -> dict[str, str]:
    """Return names as seen from the project's folder, each with its name in the archive.

    An archive may hold the files themselves, or one folder (``SEARproject``) with all of them.
    """
    files = [name for name in names if not name.endswith("/") and not name.startswith("__MACOSX/")]
    tops = {name.partition("/")[0] for name in files}
    inner = "/" in (files[0] if files else "") and len(tops) == 1 and not tops & {ENVIRONMENT, ROBOT, ASSETS}
    return {(name.partition("/")[2] if inner else name): name for name in files}
