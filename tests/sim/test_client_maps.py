"""Maps that clients ask for: where they may come from, who hears of them, and what a tape makes of it."""

from __future__ import annotations

import os
import struct
import threading
from pathlib import Path
from typing import Any

import pytest
from aria_client import AriaClient

import understudy as us
from understudy.errors import FormatError
from understudy.protocols.arcos.frames import Decoder, encode
from understudy.sim.map_files import find
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.tape import replay as replay_tape

HALL = """\
2D-Map
LINES
-5000 -5000 5000 -5000
5000 -5000 5000 5000
DATA
"""
SYNC = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002 FAFB06013B0100023B")
SCENE = """
schema = 1
ground.walled = true
[[robot]]
model = "p3dx-nolaser"
name = "one"
port.host.link = "loop:"
port.gps.link = "loop:"
[[robot]]
model = "p3dx-nolaser"
name = "two"
y_m = 2
port.host.link = "loop:"
port.gps.link = "loop:"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "Hall.map").write_text(HALL)
    (tmp_path / "outside.map").write_text(HALL)
    return tmp_path / "maps"


@pytest.fixture
def sim(folder: Path) -> Any:
    with us.load_text(SCENE, folder=folder, ports=True) as made:
        yield made


class Client:
    """A client in this process."""

    def __init__(self, sim: Sim, name: str) -> None:
        self._sim, self._client, self._decoder = sim, sim.ports.link(f"{name}/host").client(), Decoder()
        self._client.send(SYNC)
        self.news: list[bytes] = []
        settle(sim)

    def load(self, name: bytes, operation: int = 1) -> None:
        """Ask for a map."""
        self._client.send(encode(b"\xec\x2b" + struct.pack("<hH", operation, len(name)) + name))
        settle(self._sim)

    def control(self, operation: int) -> None:
        """Ask for something else."""
        self._client.send(encode(b"\xec\x3b" + struct.pack("<h", operation)))
        settle(self._sim)

    def maps(self) -> list[bytes]:
        """Return the bodies of MAP_CHANGED since the last call."""
        self._sim.step(3)
        return [body for body in self._decoder.feed(self._client.receive()) if body[0] == 0x66]


def settle(sim: Sim) -> None:
    """Run until what a client has sent has come in, and what it asked for has been read."""
    for _ in range(200):
        sim.inbox.wait(0.002)
        sim.step()
        if sim.maps.idle():
            sim.step(3)
            return
    raise AssertionError("the map was not read")


# ---- where they may come from


@pytest.mark.parametrize(
    "name", ["Hall.map", "hall.MAP", "HALL.map", "./hall.map", "sub/../hall.map", "sub\\deep.map", "Sub/Deep.map"]
)
def test_names_are_found_whatever_their_case(folder: Path, name: str) -> None:
    (folder / "Sub").mkdir()
    (folder / "Sub" / "Deep.map").write_text(HALL)
    if ".." in name:
        with pytest.raises(FormatError):
            find(name, [folder])
    else:
        assert find(name, [folder]).name.lower() in ("hall.map", "deep.map")


def test_a_whole_path_is_fine_if_it_lies_in_an_allowed_folder(folder: Path) -> None:
    assert find(str(folder / "hall.map"), [folder]) == folder / "Hall.map"


@pytest.mark.parametrize(
    "name", ["../outside.map", "/etc/passwd", "C:\\maps\\x.map", "", "/", "..", "nothing.map", "maps"]
)
def test_what_lies_elsewhere_is_refused_with_the_way_out(folder: Path, name: str) -> None:
    with pytest.raises(FormatError, match="--map-dir"):
        find(name, [folder])


def test_a_whole_path_elsewhere_is_refused(folder: Path) -> None:
    with pytest.raises(FormatError, match="--map-dir"):
        find(str(folder.parent / "outside.map"), [folder])


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_does_not_lead_out(folder: Path) -> None:
    (folder / "link.map").symlink_to(folder.parent / "outside.map")
    with pytest.raises(FormatError, match="--map-dir"):
        find("link.map", [folder])


def test_another_folder_can_be_allowed(folder: Path) -> None:
    assert find("OUTSIDE.map", [folder, folder.parent]).name == "outside.map"


# ---- who hears of them


def test_every_client_of_every_robot_hears_of_a_new_map(sim: Sim) -> None:
    one, two = Client(sim, "one"), Client(sim, "two")
    one.load(b"hall.map")
    news = b"\x66\x00\x01hall.map\0"
    assert (one.maps(), two.maps()) == ([news], [news])
    assert len(sim.scene.walls[0].pieces_m) == 2
    assert sim.robot("two").pose.y_m == 2.0, "robots are not moved"


def test_a_map_that_is_there_already_is_reported_to_the_asker_alone(sim: Sim, folder: Path) -> None:
    one, two = Client(sim, "one"), Client(sim, "two")
    one.load(b"hall.map")
    one.maps(), two.maps()
    two.load(b"HALL.map\0")
    assert (one.maps(), two.maps()) == ([], [b"\x66\x00\x00HALL.map\0"])
    (folder / "Hall.map").write_text(HALL + "0 0\n")
    two.load(b"hall.map")
    assert one.maps() == [b"\x66\x00\x01hall.map\0"]


def test_a_map_that_a_user_loads_is_reported_as_the_users(sim: Sim, folder: Path) -> None:
    one = Client(sim, "one")
    sim.load_map(folder / "Hall.map")
    assert one.maps() == [b"\x66\x01\x01" + str(folder / "Hall.map").encode()[-194:] + b"\0"]


@pytest.mark.parametrize("name", [b"gone.map", b"../outside.map", b"bad.map"])
def test_a_map_that_cannot_be_read_is_logged_and_nothing_is_sent(
    sim: Sim, folder: Path, name: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "bad.map").write_text("2D-Map\n")
    before, one = sim.scene, Client(sim, "one")
    one.load(name)
    assert one.maps() == []
    assert sim.scene == before
    assert any(name.decode().split("/")[-1] in message for message in caplog.messages)


def test_a_master_of_maps_keeps_others_out_until_it_frees_them(sim: Sim, caplog: pytest.LogCaptureFixture) -> None:
    one, two = Client(sim, "one"), Client(sim, "two")
    one.load(b"hall.map", 2)
    one.maps(), two.maps()
    two.load(b"gone.map")
    assert any("another client is the map master" in message for message in caplog.messages)
    two.control(3)
    two.load(b"hall.map")
    assert two.maps() == [b"\x66\x00\x00hall.map\0"]


def test_a_map_that_a_client_loaded_is_on_the_tape(folder: Path, tmp_path: Path) -> None:
    with us.load_text(SCENE, folder=folder, ports=True) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        one = Client(sim, "one")
        one.load(b"hall.map")
        sim.step(100)
        digest = sim.hash()
        pieces = len(sim.scene.walls[0].pieces_m)
    (folder / "Hall.map").unlink()
    replayed = replay_tape(tmp_path / "a.tape")
    assert (replayed.hash, replayed.mismatch, pieces) == (digest, None, 2)


def test_the_aria_like_client_waits_for_its_map(folder: Path) -> None:
    text = SCENE.replace('"loop:"', '"tcp://127.0.0.1:0"', 1)
    with us.load_text(text, folder=folder, ports=True) as sim:
        sim.clock.speed = 5.0
        thread = threading.Thread(target=sim.run)
        thread.start()
        host, port = sim.ports.info()["one/host"].url.removeprefix("tcp://").split(":")
        client = AriaClient(host, int(port), gated=False).connect()
        client.send_body(b"\xec\x2b" + struct.pack("<hH", 1, 8) + b"hall.map")
        client.until(lambda c: any(packet[0] == 0x66 for packet in c.packets), 100)
        client.close()
        sim.exit_code = 0
        thread.join(30)
