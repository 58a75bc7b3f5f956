"""Units hear each other: range, direction, line of sight, loss, always one tick later."""

import dataclasses
import math

import pytest
from contracts.toy import Listen, Say, ToySheet, toys_in_the_tables
from scenes import model, robot, room

from understudy.robots.beacon import BeaconSheet
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.media import Medium, Message
from understudy.world.robot import UnitSpec
from understudy.world.scene import Wall

TOY = model(units=(UnitSpec(name="meter", sheet=ToySheet()),))
SCREEN = Wall(name="screen", points_m=((0.0, -1.0), (0.0, 1.0)))


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def pair(apart_m=2.0, **extra):
    one, two = robot("one", -apart_m / 2, parts=TOY), robot("two", apart_m / 2, parts=TOY)
    return room(one, two, width=30.0, **extra)


def heard(sim, name="two"):
    return sim.robot(name).ask(Listen()).text


def say(sim, text="hello", name="one"):
    sim.robot(name).order(Say(text))
    sim.step()


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_what_one_unit_sends_another_hears_in_the_next_tick(engine):
    with Sim(pair(), engine=engine) as sim:
        say(sim)
        assert heard(sim) == ""
        sim.step()
        assert heard(sim) == "one/meter:hello:2.00"
        assert heard(sim, "one") == ""


def test_what_is_heard_has_the_bearing_of_its_sender():
    reported = []
    scene = room(robot("one", -1.0, parts=TOY), robot("two", 1.0, 2.0, math.pi / 2, parts=TOY))
    with Sim(scene) as sim:
        unit = sim.current.units["two/meter"]
        take = unit.order
        unit.order = lambda command: (reported.append(command), take(command))[1]
        say(sim)
        sim.step()
    assert reported[0].bearing_rad == pytest.approx(math.radians(135))


def test_beyond_its_reach_nothing_is_heard():
    with Sim(pair(apart_m=4.5)) as sim:
        say(sim)
        sim.step(3)
        assert heard(sim) == ""


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_wall_stops_infrared_light(engine):
    scene = pair()
    with Sim(dataclasses.replace(scene, walls=(*scene.walls, SCREEN)), engine=engine) as sim:
        say(sim)
        sim.step(3)
        assert heard(sim) == ""


def test_a_scene_may_say_that_nothing_stops_it():
    scene = pair(media=(Medium(name="infrared"),))
    with Sim(dataclasses.replace(scene, walls=(*scene.walls, SCREEN))) as sim:
        say(sim)
        sim.step(3)
        assert heard(sim) != ""


def test_a_lossy_medium_loses_about_its_share_and_the_same_ones_each_time():
    def received(seed):
        with Sim(pair(media=(Medium(name="infrared", loss=0.3),)), seed=seed) as sim:
            got = []
            for number in range(200):
                say(sim, str(number))
                sim.step()
                got.append(f":{number}:" in heard(sim))
            return got

    first = received(1)
    assert 100 <= sum(first) <= 180
    assert received(1) == first != received(2)


@pytest.mark.parametrize(("yaw_deg", "hears"), [(0, True), (25, True), (35, False), (180, False)])
def test_a_beam_is_heard_within_its_spread(yaw_deg, hears):
    sheet = BeaconSheet(code=(72, 105), yaw_rad=math.radians(yaw_deg), spread_rad=math.radians(60))
    lamp = model(units=(UnitSpec(name="lamp", sheet=sheet),))
    with Sim(room(robot("dock", -1.0, parts=lamp), robot("two", 1.0, parts=TOY))) as sim:
        sim.step(5)
        assert heard(sim) == ("dock/lamp:Hi:2.00" if hears else "")


def test_a_message_on_its_way_is_saved_with_the_run():
    with Sim(pair()) as sim:
        say(sim)
        with Sim.restored(unpack_run(sim.save())) as twin:
            twin.step()
            assert heard(twin) == "one/meter:hello:2.00"


def test_messages_are_replayed_from_the_tape(tmp_path):
    with Sim(pair(media=(Medium(name="infrared", loss=0.5),))) as sim:
        sim.attach(TapeWriter(tmp_path / "t.tape"))
        for number in range(20):
            say(sim, str(number))
        sim.step(5)
    assert replay(tmp_path / "t.tape").mismatch is None


def test_a_message_of_a_robot_that_was_removed_is_lost():
    with Sim(pair()) as sim:
        say(sim)
        from understudy.world.changes import Remove

        sim.change(Remove("one"))
        sim.step(2)
        assert heard(sim) == ""


def test_a_message_for_a_robot_reaches_no_other():
    with Sim(pair()) as sim:
        messages = sim.current._messages
        messages.send("one/meter", Message("infrared", b"for nobody here", to="three"))
        messages.send("one/meter", Message("infrared", b"for two", to="two"))
        given = []
        messages.deliver(sim.current.engine, 1, lambda path, found: given.append((path, found.data)))
        assert given == [("two/meter", b"for two")]


def test_corruption_changes_one_byte_of_about_its_share_of_messages():
    with Sim(pair(media=(Medium(name="infrared", corruption=0.25),))) as sim:
        messages, given = sim.current._messages, []
        for tick in range(400):
            messages.send("one/meter", Message("infrared", b"hello"))
            messages.deliver(sim.current.engine, tick, lambda path, found: given.append(found.data))
    changed = [data for data in given if data != b"hello"]
    assert 60 <= len(changed) <= 140
    assert all(sum(a != b for a, b in zip(data, b"hello")) == 1 for data in changed)
