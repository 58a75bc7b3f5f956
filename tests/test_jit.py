import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy import jit

FOLDER = "from understudy import jit; print(jit._cache_folder())"


def folder(**environment):
    env = {**os.environ, "NUMBA_CACHE_DIR": "", **environment}
    return Path(
        subprocess.run(
            [sys.executable, "-c", FOLDER], env=env, capture_output=True, text=True, check=True
        ).stdout.strip()
    )


def test_what_is_compiled_is_kept_in_the_cache_of_the_user(tmp_path):
    assert folder(XDG_CACHE_HOME=str(tmp_path)).parent == tmp_path / "understudy"


def test_a_home_that_cannot_be_written_to_is_replaced_by_a_private_folder_that_stays_the_same(tmp_path):
    taken = tmp_path / "file"
    taken.touch()
    wishes = {"XDG_CACHE_HOME": str(taken), "TMPDIR": str(tmp_path)}
    first, second = folder(**wishes), folder(**wishes)
    assert first == second
    assert first.parent.parent == tmp_path
    assert not first.parent.stat().st_mode & 0o077


def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    jit._in_temporary().chmod(0o777)
    with pytest.raises(PermissionError, match="belongs to another user"):
        jit._in_temporary()


def test_an_edit_of_how_things_are_compiled_begins_a_new_folder(monkeypatch):
    before = jit._state_of_sources()
    real = Path.stat

    class Later:
        st_mtime_ns, st_size = 1, 1

    monkeypatch.setattr(Path, "stat", lambda self, **how: Later if self.name == "jit.py" else real(self, **how))
    assert jit._state_of_sources() != before
