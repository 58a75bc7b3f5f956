"""Untrusted archives: the unpacked size is limited before unpacking, and nothing is written to disk."""

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
    """Return the files of an archive by name; raises FormatError if it is damaged, encrypted or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES:
                raise FormatError(f"{file}: the archive has too many files: {len(entries):,} (at most {MOST_FILES:,})")
            return _read(archive, entries, file)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file}: not a valid zip archive ({error})") from None


def gunzipped(data: bytes, file: str) -> bytes:
    """Return the content of a gzip file; raises FormatError if it is damaged or too large."""
    try:
        content = zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise FormatError(f"{file}: not a valid gzip file ({error})") from None
    if len(content) > MOST_BYTES:
        raise FormatError(f"{file}: too large when unpacked (at most {MOST_BYTES:,} bytes)")
    return content


def _read(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], file: str) -> dict[str, bytes]:
    """Return the contents of entries; their declared sizes are not trusted."""
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        with archive.open(entry) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        if left < 0:
            raise FormatError(f"{file}: too large when unpacked (at most {MOST_BYTES:,} bytes)")
        found[str(PurePosixPath(entry.filename.replace("\\", "/")))] = content
    return found
