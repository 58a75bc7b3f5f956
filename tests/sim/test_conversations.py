"""Questions, answers and serial lines in a run, with a toy device that uses every ability of the contracts."""

import dataclasses
import json
import sys

import pytest
from contracts.toy import Read, Reply, Store, ToySheet, ToyTalkSheet, toys_in_the_tables
from scenes import model, robot, room

from understudy.links.base import Event, LineState
from understudy.sim.inbox import Bytes
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import Tape, TapeWriter, replay
from understudy.world.robot import Port, Program, UnitSpec

HOST = "scout/host"


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def toy_scene(*more, **serial):
    port = Port(name="host", unit="meter", sheet=ToyTalkSheet(), link="loop:", **serial)
    second = [dataclasses.replace(port, name=name) for name in more]
    unit = UnitSpec(name="meter", sheet=ToySheet())
    return room(robot("scout", parts=model(units=(unit,), ports=(port, *second))))


@pytest.fixture
def start():
    sims = []

    def make(*more, **serial):
        sim = Sim(toy_scene(*more, **serial), seed=1)
        sim.open_ports()
        sims.append(sim)
        return sim

    yield make
    for sim in sims:
        sim.close()


def client(sim, port=HOST):
    return sim.ports.link(port).client()


def set_line(sim, line, port=HOST):
    sim.inbox.post(f"port:{port}", Bytes(port, Event.LINE, line.encode()))


def ask(sim, plug, text, ticks=1):
    plug.send(text)
    sim.step(ticks)
    return plug.receive()


# ---- answers


def test_a_question_is_answered_in_the_same_tick(start):
    sim = start()
    plug = client(sim)
    sim.step(9)
    assert ask(sim, plug, b"READ\n") == b"n 9\n"


def test_reading_resets_the_value_once_whoever_reads(start):
    sim = start("other")
    one, two = client(sim), client(sim, "scout/other")
    sim.step(7)
    one.send(b"READ\n")
    two.send(b"READ\n")
    sim.step()
    assert (one.receive(), two.receive()) == (b"n 7\n", b"n 0\n")


def test_questions_are_answered_while_the_clock_is_held(start):
    sim = start()
    plug = client(sim)
    sim.step(3)
    sim.pause()
    plug.send(b"READ\nREAD\n")
    sim.exchange()
    assert plug.receive() == b"n 3\nn 0\n"


def test_the_caller_gets_the_reply_between_ticks(start):
    sim = start()
    sim.step(4)
    assert sim.robot("scout").ask(Read()) == Reply("n 4")
    assert sim.robot("scout").ask(Read()) == Reply("n 0")
    assert sim.robot("scout").ask(Store("x")) is None


@pytest.mark.parametrize("mode", ["gated", "realtime"])
def test_a_program_gets_the_reply_to_its_question(tmp_path, mode):
    (tmp_path / "p.py").write_text(
        "from contracts.toy import Read, Store\n"
        "def main(robot):\n"
        "    robot.wait(0.1)\n"
        "    robot.order(Store(robot.ask(Read()).text.replace(' ', '_')))\n"
        "    robot.wait(10)\n"
    )
    with Sim(toy_scene(), folder=tmp_path, user_programs={"scout": Program("p.py", mode)}) as sim:
        for _ in range(2000):
            sim.step()
            if mode == "realtime":
                sim.clock.pace(sim.tick + 1, 50.0)
            if sim.current.units["scout/meter"].keep():
                break
        assert sim.current.units["scout/meter"].keep()["text"].startswith("n_")


def test_a_program_in_another_process_gets_the_reply_to_its_question(tmp_path):
    (tmp_path / "p.py").write_text(
        "import json\n"
        "from understudy_seat import connect\n"
        "robot = connect()\n"
        "robot.wait(0.1)\n"
        "heard = [robot.ask('Read'), robot.ask('Read', 'meter'), robot.ask('Store', text='x'), robot.ask('Nonsense')]\n"
        "robot.drive(0.1)\n"
        "heard.append(robot.ask('Recite'))\n"
        "open('heard.json', 'w').write(json.dumps(heard))\n"
    )
    with Sim(toy_scene(), folder=tmp_path, user_programs={"scout": Program(command=(sys.executable, "p.py"))}) as sim:
        sim.step(100)
        assert sim.questions._open == {} == sim.questions._replies
    heard = json.loads((tmp_path / "heard.json").read_text())
    assert heard == [{"text": "n 20"}, {"text": "n 1"}, None, None, {"text": "x"}]


def test_an_answer_survives_saving_in_the_middle(start):
    sim = start(baud=9600, pace=True)
    plug = client(sim)
    plug.send(b"READ\n" * 10)
    sim.step(8)
    twin = Sim.restored(unpack_run(sim.save()))
    sent = []
    for one in (sim, twin):
        outcomes = [one.current.advance(()) for _ in range(60)]
        sent.append(b"".join(data for outcome in outcomes for _, data in outcome.sent))
    assert sent[0] == sent[1] != b""


def test_a_conversation_on_a_line_is_replayed_from_the_tape(start, tmp_path):
    sim = start(baud=9600, pace=True)
    sim.attach(TapeWriter(tmp_path / "t.tape"))
    plug = client(sim)
    set_line(sim, LineState(9600))
    for _ in range(20):
        ask(sim, plug, b"READ\nDRIVE 0.3\nSTOP IN 30\n", 7)
    sim.close()
    assert replay(tmp_path / "t.tape").mismatch is None


def line_events(sim, one, two):
    """Do everything that two clients can do to their lines, at odd moments; returns what they heard."""
    heard = []

    def then(ticks, *lines):
        for port, line in lines:
            set_line(sim, line, port)
        sim.step(ticks)
        heard.append((one.receive(), two.receive()))

    other = "scout/other"
    then(3, (HOST, LineState(9600)), (other, LineState(9600)))
    one.send(b"READ\nSTORE abc\nDRIVE 0.2\n")
    two.send(b"READ\nTEXT\n")
    then(2)
    then(5, (HOST, LineState(9600, rts=False)), (other, LineState(9600, dtr=False)))
    then(9, (HOST, LineState(9600, breaking=True)), (HOST, LineState(9600)))
    one.send(b"BAUD 19200\nREAD\n")  # the second is heard at a wrong rate
    then(1)
    then(30)
    two.send(b"READ\n")
    then(30, (HOST, LineState(19200)), (other, LineState(2400)))
    one.send(b"\nREAD\n")
    sim.pause()
    one.send(b"TEXT\n")
    sim.exchange()
    sim.resume()
    then(30, (other, LineState(9600)))
    return heard


@pytest.mark.parametrize("pace", [False, True])
@pytest.mark.parametrize("wrong_baud", ["garbage", "silence"])
def test_everything_that_happens_to_two_lines_of_a_unit_is_replayed_byte_by_byte(start, tmp_path, pace, wrong_baud):
    sim = start("other", baud=9600, pace=pace, wrong_baud=wrong_baud)
    sim.attach(TapeWriter(tmp_path / "t.tape", "full"))
    heard = line_events(sim, client(sim), client(sim, "scout/other"))
    sim.close()
    words = b"".join(first + second for first, second in heard)
    for said in (b"n ", b"rts 0 dtr 1", b"rts 1 dtr 0", b"break", b"ok", b"abc"):
        assert said in words
    assert any(entry.sent for entry in Tape(tmp_path / "t.tape").entries())
    assert replay(tmp_path / "t.tape").mismatch is None


def test_a_conversation_goes_on_from_every_tick_at_which_it_is_saved(start):
    sim = start("other", baud=9600, pace=True)
    one, two = client(sim), client(sim, "scout/other")
    for port in (HOST, "scout/other"):
        set_line(sim, LineState(9600), port)
    one.send(b"READ\nBAUD 19200\n\xff\xffREAD\nSTOP IN 30\n")
    two.send(b"READ\nTEXT\nREAD\n")
    saved, heard = [], [b""]
    for _ in range(60):
        sim.step()
        saved.append(sim.save())
        heard.append(heard[-1] + one.receive())
    assert heard[-1].startswith(b"n 1\nok\n")
    assert sim.current.plugs[HOST].line.baud == 19200
    for tick, state in enumerate(saved[:20], 1):
        with Sim.restored(unpack_run(state)) as twin:
            outcomes = [twin.current.advance(()) for _ in range(60 - tick)]
            assert (
                heard[tick] + b"".join(sent for each in outcomes for port, sent in each.sent if port == HOST)
                == heard[-1]
            )
            assert twin.hash() == sim.hash()


def test_rts_and_dtr_reach_the_protocol_when_they_change(start):
    sim = start(baud=9600)
    plug = client(sim)
    for line in (LineState(9600), LineState(9600, rts=False), LineState(9600, rts=False), LineState(9600, dtr=False)):
        set_line(sim, line)
    sim.step()
    assert plug.receive() == b"rts 0 dtr 1\nrts 1 dtr 0\n"


def test_bytes_that_are_under_way_when_the_client_changes_its_rate_arrive_as_they_were_sent(start):
    sim = start(baud=300, pace=True)
    plug = client(sim)
    set_line(sim, LineState(300))
    plug.send(b"READ\n")
    sim.step()
    set_line(sim, LineState(9600))
    sim.step(40)
    assert sim.current.plugs[HOST].protocol.counters()["lines"] == 1


# ---- acting in time, sessions, what a reset leaves


def test_a_protocol_acts_later_without_new_bytes(start):
    sim = start()
    plug = client(sim)
    ask(sim, plug, b"DRIVE 0.5\nSTOP IN 50\n", 5)
    assert sim.current.targets[0, 0] == 0.5
    sim.step(10)
    assert sim.current.targets[0, 0] == 0.0


def test_half_a_line_is_forgotten_after_a_second(start):
    sim = start()
    plug = client(sim)
    ask(sim, plug, b"RE", 300)
    assert ask(sim, plug, b"AD\n") == b""
    assert sim.current.plugs[HOST].protocol.counters()["forgotten"] == 2


def test_a_second_client_does_not_stop_the_motors_when_it_leaves(start):
    sim = start("other")
    one, two = client(sim), client(sim, "scout/other")
    ask(sim, one, b"DRIVE 0.5\n")
    two.close()
    sim.step()
    assert sim.current.targets[0, 0] == 0.5
    one.close()
    sim.step()
    assert sim.current.targets[0, 0] == 0.0


def test_a_unit_keeps_what_it_wants_over_a_reset(start):
    sim = start()
    plug = client(sim)
    ask(sim, plug, b"STORE tune\n")
    sim.reset()
    assert ask(sim, plug, b"TEXT\nREAD\n") == b"tune\nn 0\n"


# ---- the line


def test_a_paced_line_carries_as_many_bytes_as_its_baud_rate_lets_through(start):
    sim = start(baud=9600, pace=True)
    plug = client(sim)
    plug.send(b"READ\n" * 2000)
    sim.step(200)  # one second
    assert sim.current.plugs[HOST].protocol.counters()["lines"] == 960 // 5


def test_the_device_speaks_no_faster_than_its_baud_rate(start):
    sim = start(baud=300, pace=True)
    plug = client(sim)
    set_line(sim, LineState(300))
    sim.step()
    sim.current.plugs[HOST].protocol._out += b"x" * 100
    sim.step(200)
    assert len(plug.receive()) == 30


def test_without_pacing_bytes_pass_at_once(start):
    sim = start(baud=300)
    plug = client(sim)
    assert ask(sim, plug, b"READ\n" * 100).count(b"\n") == 100


def test_a_wrong_baud_rate_gives_garbage_both_ways(start):
    sim = start(baud=9600)
    plug = client(sim)
    set_line(sim, LineState(19200))
    assert b"n " not in ask(sim, plug, b"READ\n", 5)
    assert sim.current.plugs[HOST].line.spoilt == 5
    sim.current.plugs[HOST].protocol._out += b"hello\n"
    sim.step()
    assert plug.receive() not in (b"", b"hello\n")


def test_a_wrong_baud_rate_may_give_silence(start):
    sim = start(baud=9600, wrong_baud="silence")
    plug = client(sim)
    set_line(sim, LineState(19200))
    assert ask(sim, plug, b"READ\n", 5) == b""
    set_line(sim, LineState(9600))
    assert ask(sim, plug, b"READ\n") != b""


def test_a_client_without_a_baud_rate_is_always_understood(start):
    sim = start(baud=9600)
    assert ask(sim, client(sim), b"READ\n") == b"n 0\n"


def test_the_device_changes_its_baud_rate_after_its_answer(start):
    sim = start(baud=9600)
    plug = client(sim)
    set_line(sim, LineState(9600))
    assert ask(sim, plug, b"BAUD 38400\n") == b"ok\n"
    assert b"n " not in ask(sim, plug, b"READ\n", 3)
    set_line(sim, LineState(38400))
    assert ask(sim, plug, b"\nREAD\n").endswith(b"n 4\n")


def test_break_reaches_the_protocol(start):
    sim = start(baud=9600)
    plug = client(sim)
    set_line(sim, LineState(9600, breaking=True))
    sim.step()
    assert plug.receive() == b"break\n"


def test_absurd_line_events_are_ignored(start):
    sim = start(baud=9600)
    plug = client(sim)
    for data in (b"", b"x", b"\xff" * 7, b"\xff" * 40):
        sim.inbox.post(f"port:{HOST}", Bytes(HOST, Event.LINE, data))
    sim.step()
    set_line(sim, LineState(9600))
    assert ask(sim, plug, b"READ\n") != b""


def test_a_new_client_begins_with_an_empty_line(start):
    sim = start(baud=300, pace=True)
    plug = client(sim)
    ask(sim, plug, b"READ\n" * 50, 3)
    plug.close()
    sim.step()
    assert sim.current.plugs[HOST].line.waiting > 0
    plug = client(sim)
    sim.step()
    assert sim.current.plugs[HOST].line.waiting == 0
