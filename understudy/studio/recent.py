"""Scenes that were opened before, the latest first: a small file in the user's own folder."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from understudy.folders import user_state

MOST = 10
MOST_BYTES = 100_000


def _file() -> Path:
    return user_state() / "understudy" / "recent.json"


def recent() -> list[Path]:
    """Return the scenes that are still there; nothing if the list cannot be read."""
    try:
        if _file().stat().st_size > MOST_BYTES:
            return []
        known = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    names = [name for name in known if isinstance(name, str) and "\0" not in name] if isinstance(known, list) else []
    return [path for path in map(Path, names[:MOST]) if path.is_file()]


def remember(path: Path) -> None:
    """Put a scene first; a list that cannot be written is no reason to stop."""
    first = path.resolve()
    others = [other for other in recent() if other != first]
    with contextlib.suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text(json.dumps([str(each) for each in (first, *others)][:MOST]), encoding="utf-8")
