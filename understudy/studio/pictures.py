"""Pictures that browsers upload during a sequence: numbered files, downloaded as one zip archive."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import zipfile
from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"
MOST_BYTES, MOST_PICTURES = 20_000_000, 20_000


class Album:
    """The open sequences (takes); a browser can only add pictures to a take that was opened here."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._takes: set[str] = set()

    def open(self) -> str:
        """Start a take; returns its name."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="understudy-pictures-"))
        take = secrets.token_hex(8)
        (self._folder / take).mkdir()
        self._takes.add(take)
        return take

    def keep(self, take: str, number: int, data: bytes) -> bool:
        """Store a picture; returns False if it is not a PNG file, too large, or of no open take."""
        known = take in self._takes and self._folder is not None
        if not known or not data.startswith(PNG) or len(data) > MOST_BYTES or not 0 <= number < MOST_PICTURES:
            return False
        assert self._folder is not None
        (self._folder / take / f"{number:05}.png").write_bytes(data)
        return True

    def archive(self, take: str) -> bytes:
        """Return the pictures of a take, in order, as a zip file, and close the take."""
        assert self._folder is not None
        self._takes.discard(take)
        target = self._folder / f"{take}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as made:
            for file in sorted((self._folder / take).glob("*.png")):
                made.write(file, file.name)
        data = target.read_bytes()
        target.unlink()
        shutil.rmtree(self._folder / take)
        return data

    def close(self) -> None:
        """Delete pictures that were not downloaded."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
