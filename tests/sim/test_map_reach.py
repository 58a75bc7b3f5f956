"""What a map may reach that a client, a browser or a program loads into a run."""

import logging
import time

import pytest

import understudy as us
from understudy.errors import SceneError, UnderstudyError

SCENE = """
schema = 1
ground.walled = true
[[robot]]
model = "p3dx-nolaser"
name = "one"
port.host.link = "loop:"
"""
SECRET = "root:x:0:0"
WORLDS = {"spy.world": 'include "../secret.inc"\n', "spy.toml": 'schema = 1\ninclude = ["../secret.inc"]\n'}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "secret.inc").write_text(f"{SECRET}\n")
    for name, text in WORLDS.items():
        (tmp_path / "maps" / name).write_text(text)
    return tmp_path / "maps"


@pytest.fixture
def sim(folder):
    with us.load_text(SCENE, folder=folder, ports=False) as made:
        yield made


def read(sim):
    """Wait until the map has been read that was asked for."""
    while not sim.maps.idle():
        time.sleep(0.01)


@pytest.mark.parametrize("name", WORLDS)
def test_a_map_that_a_client_names_reads_nothing_outside_the_folders_of_maps(sim, name, caplog):
    with caplog.at_level(logging.WARNING):
        sim.maps.fetch(name, "one.host")
        read(sim)
    assert "secret.inc" in caplog.text
    assert SECRET not in caplog.text


def test_a_client_may_name_maps_that_include_others_of_an_allowed_folder(sim, folder):
    (folder / "more").mkdir()
    (folder / "walls.toml").write_text('schema = 1\n[[wall]]\nname = "w"\npoints_m = [[0, 0], [1, 0]]\n')
    (folder / "more" / "hall.toml").write_text('schema = 1\nground.walled = true\ninclude = ["../walls.toml"]\n')
    sim.maps.fetch("more/hall.toml", "user")
    read(sim)
    sim.step()
    assert "w" in {wall.name for wall in sim.scene.walls}


@pytest.mark.parametrize("name", WORLDS)
def test_an_uploaded_map_reads_nothing_outside_its_folder(sim, folder, name):
    with pytest.raises(UnderstudyError) as refusal:
        sim.load_map(folder / name, within=[folder])
    assert SECRET not in str(refusal.value)


def test_a_program_may_load_a_map_that_includes_any_file(sim, folder):
    with pytest.raises(SceneError, match=r"secret\.inc:1: not TOML"):
        sim.load_map(folder / "spy.toml")


def test_a_map_that_is_read_again_reaches_no_further_than_at_first(sim, folder):
    (folder / "hall.toml").write_text("schema = 1\nground.walled = true\n")
    sim.load_map(folder / "hall.toml", within=[folder])
    assert sim.maps.within == [folder]
