"""Robot factories: each client gets a fresh robot, gone with it; the tape knows."""

import socket
from itertools import pairwise

import pytest
from scenes import pioneer_model, robot, room

from understudy.sim.factory import Factory, name_of
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Add
from understudy.world.outlines import of_robot, overlaps
from understudy.world.scene import Scene

SYNC = bytes.fromhex("FAFB03000000 FAFB03010001 FAFB03020002")
OPEN, CLOSE = bytes.fromhex("FAFB06013B0100023B"), bytes.fromhex("FAFB06023B0100033B")
VEL = bytes.fromhex("FAFB060B3BC800D33B")


def factory(**settings):
    template = robot("client", parts=pioneer_model())
    return Factory("makers", template, "tcp://127.0.0.1:0", **settings)


@pytest.fixture
def sim():
    with Sim(Scene(), seed=1) as it:
        it.open_ports([factory()])
        yield it


def dial(sim):
    port = int(sim.ports.doors()["makers"].rpartition(":")[2])
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    run_until(sim, lambda: f"{mine(client)}/host" in sim.ports.info())
    return client


def mine(client):
    host, port = client.getsockname()
    return name_of(f"tcp://{host}:{port}")


def run_until(sim, what):
    for _ in range(4000):
        if what():
            return
        sim.inbox.wait(0.005)
        sim.step()
    raise AssertionError("it never came true")


def names(sim):
    return [robot.name for robot in sim.scene.robots]


def talk(sim, client, data, count=1):
    client.sendall(data)
    link = sim.ports.link(f"{mine(client)}/host")
    run_until(sim, lambda: link.info().sent >= count)
    return client.recv(4096)


def test_before_anybody_comes_there_is_no_robot(sim):
    sim.step(10)
    assert names(sim) == []


def test_each_client_gets_a_robot_named_after_its_address(sim):
    clients = [dial(sim) for _ in range(3)]
    assert names(sim) == [mine(client) for client in clients]
    for client in clients:
        client.close()


def test_the_robot_answers_and_drives(sim):
    client = dial(sim)
    assert talk(sim, client, SYNC + OPEN + VEL).startswith(bytes.fromhex("FAFB03000000"))
    sim.step(200)
    assert sim.robot(mine(client)).pose.x_m > 0.05
    client.close()


def test_the_robot_goes_with_its_client_and_the_others_go_on(sim):
    first, second = dial(sim), dial(sim)
    for client in (first, second):
        talk(sim, client, SYNC + OPEN + VEL)
    first.close()
    run_until(sim, lambda: len(names(sim)) == 1)
    assert names(sim) == [mine(second)]
    before = sim.robot(mine(second)).pose.x_m
    sim.step(200)
    assert sim.robot(mine(second)).pose.x_m > before
    second.close()


def test_a_client_that_says_close_loses_its_robot(sim):
    client = dial(sim)
    talk(sim, client, SYNC + OPEN + CLOSE)
    run_until(sim, lambda: names(sim) == [])
    client.close()


def test_who_comes_while_another_stands_at_the_start_stands_beside_it(sim):
    clients = [dial(sim) for _ in range(6)]
    assert not list(overlaps([of_robot(one) for one in sim.scene.robots], []))
    assert (sim.scene.robots[0].pose.x_m, sim.scene.robots[0].pose.y_m) == (0.0, 0.0)
    for client in clients:
        client.close()


def test_clients_may_come_while_the_clock_is_held(sim):
    sim.pause()
    port = int(sim.ports.doors()["makers"].rpartition(":")[2])
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    for _ in range(200):
        sim._next(0.01)
        if names(sim):
            break
    assert names(sim) == [mine(client)]
    client.close()


def test_a_hundred_come_and_go_and_nothing_is_left(sim):
    for _ in range(100):
        dial(sim).close()
        run_until(sim, lambda: names(sim) == [])
    assert sim.ports.info() == {}
    assert not sim.ports._workshops[0]._guests


def test_a_tape_replays_a_factory_without_clients(sim, tmp_path):
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    first, second = dial(sim), dial(sim)
    talk(sim, first, SYNC + OPEN + VEL)
    sim.step(100)
    first.close()
    run_until(sim, lambda: len(names(sim)) == 1)
    sim.step(20)
    sim.close()
    second.close()
    found = replay(tmp_path / "a.tape")
    assert found.complete
    assert found.mismatch is None


def test_a_client_whose_robot_cannot_be_made_is_disconnected(sim):
    port = int(sim.ports.doors()["makers"].rpartition(":")[2])
    client = socket.socket()
    client.settimeout(10)
    client.bind(("127.0.0.1", 0))
    sim.change(Add(robot(name_of(f"tcp://127.0.0.1:{client.getsockname()[1]}"))))
    client.connect(("127.0.0.1", port))
    run_until(sim, lambda: sim.ports._workshops[0]._made == 1)
    sim.step()
    assert client.recv(1) == b""
    assert len(names(sim)) == 1
    client.close()


def test_after_a_reset_the_clients_of_a_factory_are_disconnected_and_may_come_back(sim):
    client = dial(sim)
    sim.reset()
    assert client.recv(1) == b""
    again = dial(sim)
    assert names(sim) == [mine(again)]
    client.close()
    again.close()


def test_a_factory_stands_beside_robots_of_the_scene():
    with Sim(room(robot("pioneer", parts=pioneer_model())), seed=1) as sim:
        sim.open_ports([factory()])
        client = dial(sim)
        assert names(sim) == ["pioneer", mine(client)]
        client.close()
        run_until(sim, lambda: names(sim) == ["pioneer"])


def test_the_status_packets_of_every_client_come_every_100_ms(sim):
    clients = [dial(sim) for _ in range(3)]
    ticks = {mine(client): [] for client in clients}

    class Ear:
        def begin(self, sim): ...

        def tick(self, snapshot):
            for path, data in snapshot.sent:
                if data[3:4] in b"\x32\x33":
                    ticks[path.partition("/")[0]].append(snapshot.tick)

        def end(self, reason): ...

    sim.attach(Ear())
    for client in clients:
        talk(sim, client, SYNC + OPEN)
    clients[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)  # it reads nothing from now on
    sim.step(400)
    assert {later - sooner for each in ticks.values() for sooner, later in pairwise(each)} == {20}
    for client in clients:
        client.close()
