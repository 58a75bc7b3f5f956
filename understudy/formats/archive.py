"""Packed files from strangers: how much comes out is bounded before it comes out, and nothing is written to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from understudy.errors import FormatError

MOST_FILES = 5_000
MOST_BYTES = 512_000_000  # of all files together, unpacked
SIGNATURE = b"PK\x03\x04"
GZIP = b"\x1f\x8b"


def unpacked(data: bytes, file: str) -> dict[str, bytes]:
    """Return the files of an archive by name; raises FormatError if it is damaged, locked or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES:
                raise FormatError(f"{file}: {len(entries):,} files in it are too many (at most {MOST_FILES:,})")
            return _read(archive, entries, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file}: not a zip archive that can be read ({error})") from None


def gunzipped(data: bytes, file: str) -> bytes:
    """Return what a gzip file holds; raises FormatError if it is damaged or too large."""
    try:
        content = zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise FormatError(f"{file}: not a gzip file that can be read ({error})") from None
    if len(content) > MOST_BYTES:
        raise FormatError(f"{file}: more than {MOST_BYTES:,} bytes come out of it")
    return content


def _read(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], file: str) -> dict[str, bytes]:
    """Return what entries hold; what they claim to hold is not believed."""
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        with archive.open(entry) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise FormatError(f"{file}: more than {MOST_BYTES:,} bytes come out of it")
        found[str(PurePosixPath(entry.filename.replace("\\", "/")))] = content
    return found
