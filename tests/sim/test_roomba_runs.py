"""Roombas of the catalogue in a world: their packets agree with what happens to them."""

from __future__ import annotations

import math
import socket
from contextlib import suppress
from pathlib import Path

import pytest

import understudy as us
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay

SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = {walled}}}
noise = "perfect"
[[robot]]
model = "{model}"
name = "r"
x_m = {x}
heading_deg = {heading}
port.serial.link = "loop:"
"""
HILLS = Path(__file__).parent.parent / "golden" / "scenes"
ROVER = """
schema = 1
engine = "rigid"
ground = {size_m = [16, 12], heights = "hills.asc"}
[[robot]]
name = "r"
x_m = -5.0
y_m = -2.0
body = {shape = "box", length_m = 0.6, width_m = 0.5, mass_kg = 25}
drive = {kind = "skid", track_m = 0.5, wheel_radius_m = 0.12, max_m_s = 0.8}
device.wheels = {kind = "encoders"}
unit.oi = {kind = "roomba", generation = "create1", uses = {wheels = "wheels"}}
port.serial = {unit = "oi", protocol = "roomba_oi", link = "loop:"}
"""


def scene(model="create2", x=0.0, heading=0.0, walled="true", more=""):
    return SCENE.format(model=model, x=x, heading=heading, walled=walled) + more


class Client:
    """A client at the port of the robot."""

    def __init__(self, sim):
        self.sim, self.plug = sim, sim.ports.link("r/serial").client()

    def ask(self, text, ticks=9):
        self.plug.receive()
        self.plug.send(bytes.fromhex(text))
        self.sim.step(ticks)
        return self.plug.receive().hex()

    def number(self, packet, signed=True):
        return int.from_bytes(bytes.fromhex(self.ask(f"8e{packet:02x}")), "big", signed=signed)


@pytest.fixture
def start():
    sims = []

    def make(text, **how):
        sim = us.load_text(text, ports=True, **how)
        sims.append(sim)
        sim.step()
        return Client(sim)

    yield make
    for sim in sims:
        sim.close()


@pytest.mark.parametrize(("model", "begin"), [("create2", "80 83"), ("create1", "80 84"), ("roomba-400", "80 82 84")])
def test_every_model_drives_at_its_own_baud_rate(start, model, begin):
    client = start(scene(model))
    client.ask(f"{begin} 89 00c8 8000", 200)
    client.ask("89 0000 0000", 100)
    x = client.sim.robot("r").pose.x_m
    reported = client.ask("8e02")  # group 2: character, buttons, distance, angle
    assert int(reported[4:8], 16) == pytest.approx(1000 * x, abs=1.0)
    assert 0.15 < x < 0.25


@pytest.mark.parametrize("model", ["create2", "create1"])
def test_it_stays_in_safe_mode_on_flat_ground_of_the_rigid_engine(start, model):
    client = start(scene(model).replace("schema = 1", 'schema = 1\nengine = "rigid"'))
    client.ask("80 83 89 00c8 8000", 400)
    assert client.ask("95 02 07 23") == "0002"
    assert client.number(19) == pytest.approx(1000 * client.sim.robot("r").pose.x_m, rel=0.03)


IDS_2 = "07 08 09 0a 0b 0c 0d 0e 11 12 15 16 17 18 19 1a 1c 1d 1e 1f 23 2b 2c 2d 2e 2f 30 31 36 3a"
IDS_1 = "07 08 09 0a 0b 0c 0d 0e 11 12 13 14 15 16 17 18 19 1a 22 23"


@pytest.mark.parametrize(("model", "ids"), [("create2", IDS_2), ("create1", IDS_1)])
def test_a_driver_that_streams_many_packets_gets_a_good_frame_in_every_cycle(start, model, ids):
    client = start(scene(model))
    count = len(ids.split())
    heard = bytes.fromhex(client.ask(f"80 94 {count:02x} {ids}", 300))
    size = heard[1] + 3
    frames = [heard[i : i + size] for i in range(0, len(heard) - size + 1, size)]
    assert all(frame[0] == 19 and sum(frame) % 256 == 0 for frame in frames)
    assert len(frames) >= 95


def test_a_driver_for_the_serial_command_interface_polls_26_bytes(start):
    client = start(scene("roomba-400"))
    assert len(client.ask("80 8e00")) == 2 * 26
    client.ask("80 82 84")
    client.ask("89 00c8 8000", 200)
    assert int(client.ask("8e00")[24:28], 16) > 150


def test_the_client_of_sear_drives_with_control_and_radius_codes(start):
    client = start(scene("create1"))
    client.ask("80 82 8b 01 80 ff 89 00c8 8000", 200)
    client.ask("89 0064 0001", 100)
    client.ask("89 0000 0000", 100)
    pose = client.sim.robot("r").pose
    assert pose.x_m > 0.15
    assert pose.heading_rad > 0.2
    assert len(client.ask("8e 00")) == 2 * 26


def test_encoders_and_angle_agree_with_the_motion(start):
    client = start(scene())
    client.ask("80 84 91 0064 ff9c", 400)
    client.ask("91 0000 0000", 100)
    turned = client.sim.robot("r").pose.heading_rad
    left, right = client.number(43), client.number(44)
    assert client.number(20) == pytest.approx(math.degrees(turned), abs=1.0)
    assert (right - left) / 508.8 * math.pi * 0.072 / 0.235 == pytest.approx(turned, abs=0.005)


@pytest.mark.parametrize(("heading", "bits"), [(0, 3), (40, 1), (-40, 2)])
def test_bumpers_tell_the_side_and_the_motors_keep_pushing(start, heading, bits):
    client = start(scene(x=2.6, heading=heading))
    client.ask("80 83 89 00c8 8000", 500)
    assert client.number(7) == bits
    assert client.number(35) == 2


def test_light_bumpers_and_the_wall_sensor_see_what_is_near(start):
    client = start(scene(x=2.75))
    client.ask("80")
    near = client.number(45)
    assert near & 0b001100 == 0b001100
    assert client.number(48, signed=False) > 100
    beside = start(scene(x=2.8, heading=90))
    beside.ask("80")
    assert beside.number(8) == 1


def test_safe_mode_stops_at_the_edge_of_a_table(start):
    client = start(scene(x=2.5, walled="false"))
    client.ask("80 83 89 00c8 8000", 600)
    assert client.number(35) == 1
    assert client.sim.robot("r").pose.x_m < 3.0
    assert client.number(10) == client.number(11) == 1


def test_a_virtual_wall_stops_a_cleaning_robot(start):
    client = start(scene(more='[[robot]]\nmodel = "virtual-wall"\nx_m = 1\ny_m = -1.5\nheading_deg = 90\n'))
    client.ask("80 88", 200)
    farthest = max(client.sim.robot("r").pose.x_m for _ in range(600) if client.sim.step() is None)
    assert 0.5 < farthest < 1.1


def test_it_finds_its_home_base_and_charges(start):
    client = start(
        scene(more='[[robot]]\nmodel = "home-base"\nname = "base"\nx_m = 1.5\ny_m = 0.3\nheading_deg = 180\n')
    )
    client.ask("80 8f", 2500)
    assert client.number(34) == 2
    assert client.number(21) == 2
    assert client.number(23) > 0
    assert client.ask("83 8e23", 30) != ""
    assert client.number(35) == 1  # on the charger there is no safe mode


def test_a_four_wheeled_robot_on_terrain_can_have_this_interface(start):
    client = start(ROVER, folder=HILLS)
    client.ask("80 84 89 00c8 8000", 600)
    client.ask("89 0000 8000", 60)
    pose = client.sim.robot("r").pose
    way = math.hypot(pose.x_m + 5.0, pose.y_m + 2.0)
    assert client.number(19) == pytest.approx(1000 * way, rel=0.1)
    assert way > 0.4
    client.ask("89 0064 0001", 400)
    assert client.number(20) > 10


def test_a_conversation_is_replayed_from_the_tape(start, tmp_path):
    client = start(scene())
    client.sim.attach(TapeWriter(tmp_path / "t.tape"))
    client.ask("80 83 94 03 07 13 14 91 00c8 0064", 200)
    client.sim.close()
    assert replay(tmp_path / "t.tape").mismatch is None


def test_a_saved_run_goes_on_in_the_middle_of_a_stream(start):
    client = start(scene("create1"))
    client.ask("80 84 94 03 07 13 14 91 00c8 0064 9b 05 8e", 33)
    twin = Sim.restored(unpack_run(client.sim.save()))
    sent = []
    for sim in (client.sim, twin):
        outcomes = [sim.current.advance(()) for _ in range(200)]
        sent.append(b"".join(data for outcome in outcomes for _, data in outcome.sent))
    assert sent[0] == sent[1] != b""


def test_a_reset_leaves_the_client_in_its_mode_with_its_stream(start):
    client = start(scene())
    client.ask("80 83 94 01 23 8c 00 01 4510", 30)
    client.sim.reset()
    client.sim.step(6)
    assert client.ask("", 3) == "13022302c6"
    assert client.ask("94 00 8d 00 8e 25", 30).endswith("01")


def test_a_tight_loop_of_questions_is_answered_at_the_pace_of_the_line(start):
    client = start(scene())
    client.plug.send(bytes.fromhex("80") + bytes.fromhex("8e07") * 20_000)
    client.sim.step(200)  # one second
    answers = len(client.plug.receive())
    assert answers == pytest.approx(115_200 / 10 / 2, rel=0.02)


def test_a_client_that_waits_for_each_answer_gets_one_per_cycle(start):
    client = start(scene())
    client.ask("80")
    answers = 0
    client.plug.send(bytes.fromhex("8e07"))
    for _ in range(200):
        client.sim.step()
        if client.plug.receive():
            answers += 1
            client.plug.send(bytes.fromhex("8e07"))
    assert answers == pytest.approx(200 / 3, abs=1)


def test_the_baud_opcode_changes_the_rate_of_the_port(start):
    client = start(scene())
    client.ask("80 81 0a")
    assert client.sim.current.plugs["r/serial"].line.baud == 57_600


def test_the_same_robot_answers_on_tcp():
    served = us.load_text(scene().replace('"loop:"', '"tcp://127.0.0.1:0"'), ports=True)
    with served as sim, socket.create_connection(address(sim), timeout=10) as line:
        line.sendall(bytes.fromhex("80 8e 23"))
        line.settimeout(0.05)
        assert received(sim, line) == b"\x01"


def address(sim):
    host, _, port = sim.ports.info()["r/serial"].url.removeprefix("tcp://").partition(":")
    return host, int(port)


def received(sim, line):
    for _ in range(400):
        sim.step()
        with suppress(TimeoutError):
            return line.recv(10)
    return b""


DIRT = """
[[mark]]
type = "Dirt"
x_m = 1.0
size_m = [0.5, 1.0]
"""


def test_a_brush_finds_dirt_where_the_scene_has_it():
    with us.load_text(scene(x=-0.5, more=DIRT), ports=True) as sim:
        client, found = Client(sim), {}
        client.ask("80 84 8a04 91 012c 012c")
        while sim.robot("r").pose.x_m < 1.6:
            found[sim.robot("r").pose.x_m] = int(client.ask("8e0f"), 16)
    dirty = [x for x, signal in found.items() if signal]
    assert set(found.values()) <= {0, 255}
    assert (min(dirty), max(dirty)) == pytest.approx((0.75, 1.25), abs=0.03)


def test_a_wall_that_stops_the_wheels_is_an_overcurrent():
    with us.load_text(scene(x=2.5), ports=True) as sim:
        client = Client(sim)
        assert client.ask("80 84 91 00c8 00c8 8e0e") == "00"
        sim.run(3.0)
        assert client.ask("95 03 0e 36 37") == "18" + "044c" * 2
        assert client.ask("91 ff38 ff38") == ""
        sim.run(0.5)
        assert client.ask("8e0e") == "00"
