from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from understudy.errors import LinkError
from understudy.links.directory import Instance, PortEntry, publish, running, runtime_folder, withdraw

HOST = PortEntry("scout/host", "arcos", "tcp://127.0.0.1:8101")
GPS = PortEntry("scout/gps", "nmea", "/run/user/1000/understudy/gps", "gps", "nmea_gps", ("sky",), True, 10, 2000, 3)

OTHER = """
import sys
from understudy.links.directory import PortEntry, publish
publish([PortEntry("rover/host", "arcos", "tcp://127.0.0.1:8102")])
print(flush=True)
sys.stdin.read()
"""


def note(runtime: Path, pid: int, **changes: object) -> Path:
    """Write what a process *pid* would have published, with changes."""
    table = {"pid": pid, "started": psutil.Process().create_time(), "ports": []}
    path = runtime_folder() / f"{pid}.json"
    path.write_text(json.dumps(table | changes))
    return path


def test_what_is_published_is_found() -> None:
    publish([HOST, GPS])
    assert running() == [Instance(os.getpid(), (HOST, GPS))]


def test_publishing_again_replaces_what_was_there() -> None:
    publish([HOST])
    publish([GPS])
    assert running() == [Instance(os.getpid(), (GPS,))]


def test_what_is_withdrawn_is_gone_without_a_trace(runtime: Path) -> None:
    publish([HOST])
    withdraw()
    withdraw()
    assert list(runtime.iterdir()) == []


def test_another_process_is_found_while_it_runs_and_tidied_away_after_its_death(runtime: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        alive = running()
        other.communicate()
    assert alive == [Instance(other.pid, (PortEntry("rover/host", "arcos", "tcp://127.0.0.1:8102"),))]
    assert running() == []
    assert list(runtime.iterdir()) == []


def test_a_later_process_with_the_same_pid_is_not_taken_for_the_dead_one() -> None:
    left = note(Path(), os.getpid(), started=1.0)
    assert running() == []
    assert not left.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"pid": 1}',
        '{"pid": "x", "started": 0, "ports": [1]}',
        '{"pid": 1, "started": 0, "ports": ["x"]}',
    ],
)
def test_a_damaged_note_is_skipped(text: str) -> None:
    (runtime_folder() / f"{os.getpid()}.json").write_text(text)
    assert running() == []


def test_other_files_in_the_folder_are_left_alone() -> None:
    other = runtime_folder() / "notes.json"
    other.write_text("mine")
    assert running() == []
    assert other.exists()


def test_without_a_runtime_folder_of_the_system_a_temporary_one_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "gone"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert runtime_folder().parent == tmp_path
    assert runtime_folder().name.startswith("understudy-")


@pytest.mark.skipif(sys.platform == "win32", reason="folders there have no modes")
def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "understudy").mkdir()
    (tmp_path / "understudy").chmod(0o777)
    with pytest.raises(
        LinkError, match="is not a folder that only this user can write to; remove it, or set XDG_RUNTIME_DIR"
    ):
        runtime_folder()


def test_a_folder_that_is_a_link_elsewhere_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "understudy").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LinkError, match="is not a folder that only this user can write to"):
        runtime_folder()


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "understudy").write_text("")
    with pytest.raises(LinkError, match=r"cannot create the folder .*understudy: "):
        runtime_folder()
