"""What was said and sent."""

import logging

import pytest
from contracts.listener_contract import check_listener
from contracts.toy import toys_in_the_tables
from contracts.toy_scene import SceneTalkSheet
from scenes import pioneer_model, robot, room

from understudy.links.base import Event
from understudy.sim.inbox import Bytes
from understudy.sim.sim import Sim
from understudy.studio.journal import KEPT_CHUNKS, KEPT_LINES, Journal
from understudy.world.robot import ScenePort

SYNC0 = bytes.fromhex("FAFB03000000")


@pytest.fixture
def journal():
    made = Journal()
    logger = logging.getLogger("understudy")
    level = logger.level
    logger.addHandler(made)
    logger.setLevel(logging.DEBUG)
    yield made
    logger.removeHandler(made)
    logger.setLevel(level)


def say(text, level=logging.INFO):
    logging.getLogger("understudy.test").log(level, text)


def test_a_message_has_its_simulated_time_and_level(journal):
    with Sim(room()) as sim:
        sim.attach(journal)
        sim.step(40)
        say("ouch", logging.WARNING)
    line = journal.lines()[0]
    assert (line.t_us, line.level, line.text) == (200_000, "warning", "ouch")
    assert str(line).split() == ["0.200", "warning", "ouch"]


def test_messages_are_filtered_by_level_and_words(journal):
    say("Scout hit wall", logging.WARNING)
    say("rover hit wall", logging.ERROR)
    say("scout is well")
    assert [line.text for line in journal.lines(levels=("warning", "error"))] == ["Scout hit wall", "rover hit wall"]
    assert [line.text for line in journal.lines(words="SCOUT")] == ["Scout hit wall", "scout is well"]
    assert [line.text for line in journal.lines(levels=("error",), words="scout")] == []


def test_only_newer_messages_are_given(journal):
    say("one")
    last = journal.lines()[-1].number
    say("two")
    assert [line.text for line in journal.lines(after=last)] == ["two"]


def test_whispers_are_not_kept(journal):
    say("details", logging.DEBUG)
    assert journal.lines() == []


def test_old_messages_are_forgotten(journal):
    for number in range(KEPT_LINES + 10):
        say(f"line {number}")
    assert len(journal.lines()) == KEPT_LINES
    assert journal.lines()[0].text == "line 10"


def test_the_bytes_of_a_port_are_kept_both_ways(journal):
    with Sim(room(robot("pioneer", parts=pioneer_model()))) as sim:
        sim.attach(journal)
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.OPENED))
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.DATA, SYNC0))
        sim.step(10)
        assert journal.ports() == ("pioneer/host",)
        assert [(c.way, c.data) for c in journal.chunks("pioneer/host")][:2] == [("in", SYNC0), ("out", SYNC0)]
        assert list(journal.chunks("pioneer/gps")) == []


def test_only_newer_bytes_are_given_and_old_ones_are_forgotten(journal):
    with Sim(room(robot("pioneer", parts=pioneer_model()))) as sim:
        sim.attach(journal)
        sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.OPENED))
        for _ in range(KEPT_CHUNKS + 50):
            sim.inbox.post("port:pioneer/host", Bytes("pioneer/host", Event.DATA, SYNC0))
            sim.step()
        chunks = list(journal.chunks("pioneer/host"))
        assert len(chunks) == KEPT_CHUNKS
        assert [c.number for c in journal.chunks("pioneer/host", chunks[-3].number)] == [c.number for c in chunks[-2:]]


def test_a_journal_changes_no_run():
    check_listener(Journal)


def test_the_bytes_of_a_port_of_the_scene_are_kept(journal):
    with toys_in_the_tables():
        port = ScenePort(name="desk", sheet=SceneTalkSheet(), link="loop:")
        with Sim(room(ports=(port,))) as sim:
            sim.open_ports()
            sim.attach(journal)
            sim.ports.link("desk").client().send(b"ROBOTS\n")
            sim.step()
    assert journal.ports() == ("desk",)
    assert [(chunk.way, chunk.data) for chunk in journal.chunks("desk")] == [("in", b"ROBOTS\n"), ("out", b"scout\n")]
