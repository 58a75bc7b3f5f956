"""Ports of the whole scene, with a toy protocol that speaks of all robots."""

import pytest
from contracts.toy import Read, ToySheet, toys_in_the_tables
from contracts.toy_scene import SceneTalkSheet
from scenes import model, robot, room

from understudy.sim import policy
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Add, Fault, Quit
from understudy.world.robot import ScenePort, UnitSpec

PORT = "desk"


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def scene(**port):
    meter = UnitSpec(name="meter", sheet=ToySheet())
    desk = ScenePort(name=PORT, sheet=SceneTalkSheet(), link="loop:", **port)
    return room(robot("scout", parts=model(units=(meter,))), robot("other", 1.0, 1.0), ports=(desk,))


@pytest.fixture
def start():
    sims = []

    def make(rules=policy.DEFAULT, **port):
        sim = Sim(scene(**port), seed=1, rules=rules)
        sim.open_ports()
        sims.append(sim)
        return sim, sim.ports.link(PORT).client()

    yield make
    for sim in sims:
        sim.close()


def ask(sim, client, text, ticks=1):
    client.send(text.encode() + b"\n")
    sim.step(ticks) if ticks else sim.exchange()
    return client.receive().decode()


# ---- what clients see


def test_a_client_lists_the_robots(start):
    assert ask(*start(), "ROBOTS") == "scout other\n"


def test_a_client_reads_a_sensor_of_any_robot_with_its_units(start):
    sim, client = start()
    sim.step(20)
    wheels = sim.robot("other").read("front")
    answer = ask(sim, client, "READ other/front", ticks=0)
    assert answer == "100000 " + " ".join(f"range_m[{i}]={wheels[i]:.2f}" for i in range(3)) + "\n"


def test_what_does_not_exist_is_named_with_what_does(start):
    assert "scout/front" in ask(*start(), "READ scout/frnt")


def test_questions_are_answered_while_time_is_paused(start):
    sim, client = start()
    sim.step(2)
    assert ask(sim, client, "PAUSE", ticks=0) == "ok\n"
    assert sim.paused
    assert ask(sim, client, "TIME", ticks=0) == "10000 paused\n"
    assert ask(sim, client, "GO", ticks=0) == "ok\n"
    assert ask(sim, client, "TIME", ticks=0) == "10000 running\n"


def test_a_client_steps_a_paused_simulation(start):
    sim, client = start()
    ask(sim, client, "PAUSE", ticks=0)
    ask(sim, client, "STEP 7", ticks=0)
    assert sim.tick == 7


def test_a_client_waits_for_simulated_time(start):
    sim, client = start()
    assert ask(sim, client, "WAIT 100", ticks=19) == ""
    sim.step()
    assert client.receive() == b"at 100000\n"


def test_a_question_is_answered_by_the_unit_that_was_asked(start):
    sim, client = start(policy.with_leave("scene:toy_scene", Read))
    sim.step(5)
    assert ask(sim, client, "ASK scout/meter", ticks=0) == "n 5\n"


# ---- what they do


def test_a_client_drives_any_robot_by_its_name(start):
    sim, client = start()
    before = sim.robot("other").pose.x_m
    assert ask(sim, client, "DRIVE other 0.5", ticks=40) == "ok\n"
    assert sim.robot("other").pose.x_m > before + 0.05
    assert sim.robot("scout").pose.x_m == 0.0


@pytest.mark.parametrize("unit", ["nobody", "scout/wheels"])
def test_an_order_for_a_unit_that_does_not_exist_is_refused_by_name(start, unit):
    answer = ask(*start(), f"DRIVE {unit} 0.5")
    assert answer.startswith(f"no: no unit {unit!r}")
    assert "scout" in answer


def test_an_order_that_the_unit_does_not_take_is_refused(start):
    rules = policy.with_leave("scene", object)
    assert "other/controller does not take Read" in ask(*start(rules), "ASK other/controller")


def test_the_policy_of_the_protocol_also_covers_orders(start):
    rules = policy.without_leave("scene:toy_scene", policy.Drive)
    assert ask(*start(rules), "DRIVE scout 0.5") == "no: clients of port desk may not give the order Drive\n"


def test_orders_of_unknown_kinds_are_not_allowed_by_default(start):
    assert "may not give the order Read" in ask(*start(), "ASK scout/meter")


def test_changes_are_under_the_policy_of_the_protocol(start):
    assert "may not quit" in ask(*start(), "QUIT")
    sim, client = start(policy.with_leave("scene:toy_scene", Quit))
    assert ask(sim, client, "QUIT") == "ok\n"
    assert sim.exit_code == 0


@pytest.mark.parametrize(
    ("word", "line"), [("orders", "DRIVE scout 1"), ("time", "PAUSE"), ("reset", "RESET"), ("move", "MOVE scout 1 0")]
)
def test_a_port_may_forbid(start, word, line):
    assert f"{word} is forbidden" in ask(*start(forbid=(word,)), line).replace("are", "is")


def test_a_port_that_is_cut_off_hears_nothing(start):
    sim, client = start()
    sim.change(Fault(PORT, "dead"))
    assert ask(sim, client, "ROBOTS") == ""


# ---- time


def test_a_client_that_holds_time_gets_exactly_the_time_it_asks_for(start):
    sim, client = start(gate="hold")
    sim.exchange()
    client.send(b"DRIVE scout 0.5\n")
    sim.run_for(0.02)
    assert (sim.tick, client.receive()) == (0, b"ok\n")
    client.send(b"WAIT 100\n")
    while b"at" not in client.receive():
        sim.run_for(0.01)
    sim.run_for(0.02)
    assert sim.tick == 20


def held_run(start, *pieces):
    """Return the hash after a conversation whose client holds time, its bytes sent in these pieces."""
    sim, client = start(gate="hold")
    sim.exchange()
    heard = b""
    for piece in pieces:
        client.send(piece)
        sim.run_for(0.005)
        heard += client.receive()
    while b"at 150000" not in heard:
        sim.run_for(0.005)
        heard += client.receive()
    return heard, sim.tick, sim.hash()


def test_runs_with_a_client_that_holds_time_repeat_however_it_sends(start):
    talk = b"DRIVE scout 0.3\nREAD scout/front\nDRIVE other -0.2\nWAIT 150\n"
    once = held_run(start, talk)
    assert once == held_run(start, talk[:5], talk[5:21], talk[21:])
    assert once[1] == 30


def test_time_passes_again_when_the_client_that_holds_it_leaves(start):
    sim, client = start(gate="hold")
    sim.exchange()
    client.close()
    while sim.tick < 3:
        sim.run_for(0.01)


# ---- a new run, saving, the tape


class Hasty:
    """A client that asks for the time as soon as it hears something."""

    def __init__(self, client):
        self._client = client

    def begin(self, sim):
        pass

    def tick(self, snapshot):
        if (PORT, b"ok\n") in snapshot.sent:
            self._client.send(b"TIME\n")

    def end(self, reason):
        pass


def test_a_client_stays_connected_over_a_reset(start):
    sim, client = start()
    sim.step(10)
    assert ask(sim, client, "RESET") == "ok\n"
    assert ask(sim, client, "TIME") == "5000 running\n"


def test_what_a_client_sends_while_the_run_is_reset_is_not_lost(start):
    sim, client = start()
    sim.step(10)
    sim.attach(Hasty(client))  # it hears of a tick before the reset is carried out
    assert ask(sim, client, "RESET", ticks=2) == "ok\n5000 running\n"


def test_a_port_of_the_scene_survives_changes_of_structure(start):
    sim, client = start()
    sim.change(Add(robot("third", -1.0, 1.0)))
    assert ask(sim, client, "ROBOTS") == "scout other third\n"


def test_nothing_may_take_the_name_of_a_port(start):
    sim, _ = start()
    with pytest.raises(Exception, match="'desk' already exists"):
        sim.change(Add(robot(PORT, -1.0, 1.0)))


def test_a_wait_goes_on_after_saving(start):
    sim, client = start()
    ask(sim, client, "WAIT 50")
    with Sim.restored(saved_tree(sim)) as copy:
        sent = []
        while not sent:
            sent = copy.current.advance(()).sent
        assert (copy.tick, sent) == (10, [(PORT, b"at 50000\n")])


def saved_tree(sim):
    from understudy.sim.saving import unpack_run

    return unpack_run(sim.save())


def test_a_tape_replays_a_client_of_the_scene(start, tmp_path):
    sim, client = start()
    sim.attach(TapeWriter(tmp_path / "a.tape", "full"))
    for line in ("DRIVE scout 0.4", "PAUSE", "TIME", "GO", "WAIT 200", "READ scout/front"):
        ask(sim, client, line, ticks=0 if line in ("PAUSE", "TIME") else 8)
    ask(sim, client, "RESET")
    ask(sim, client, "TIME", ticks=3)
    sim.close()
    found = replay(tmp_path / "a.tape")
    assert found.complete
    assert found.mismatch is None


def test_the_list_of_ports_has_those_of_the_scene(start):
    from understudy.links import directory

    start()
    mine = [port for instance in directory.running() for port in instance.ports]
    assert (PORT, "toy_scene") in [(port.path, port.protocol) for port in mine]
