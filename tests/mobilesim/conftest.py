"""A folder to run MobileSim in, without the user's own MobileSim folder."""

import os
from pathlib import Path

import pytest
from mobilesim.served import ROOM


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOBILESIM", raising=False)
    (tmp_path / "room.map").write_text(ROOM)
    return tmp_path
