"""Every request of the JSON lines, byte for byte, on a real run."""

import json
import random

import pytest
from limbs import panning
from scenes import PERFECT, model, robot, room

from understudy.protocols.json_lines.protocol import JsonLinesSheet
from understudy.protocols.json_lines.requests import REQUESTS
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Fault
from understudy.world.robot import ScenePort

PORT = "json"


@pytest.fixture
def start():
    sims = []

    def make(**port):
        desk = ScenePort(name=PORT, sheet=JsonLinesSheet(), link="loop:", **port)
        scout = robot("scout", parts=model(noise=PERFECT))
        sim = Sim(room(scout, robot("arm", 1.0, 1.0, parts=panning()), ports=(desk,)), seed=1)
        sim.open_ports()
        sims.append(sim)
        client = sim.ports.link(PORT).client()
        sim.exchange()
        return sim, client

    yield make
    for sim in sims:
        sim.close()


def ask(sim, client, line, ticks=0):
    client.send(line.encode() + b"\n")
    sim.step(ticks) if ticks else sim.exchange()
    return client.receive().decode()


NAMES = ", ".join(f'"{name}"' for name in REQUESTS)
SENSORS = ["scout/front", "scout/sonar", "scout/gps", "scout/wheels"]
LISTED = ", ".join(f'"{name}"' for name in SENSORS)
OK = '{"ok": true}\n'
# request and reply at time zero
SAID = {
    "hello": ("", f'{{"protocol": "json_lines", "version": 1, "requests": [{NAMES}]}}\n'),
    "time": ("", '{"t_s": 0.0, "paused": false}\n'),
    "robots": (
        "",
        f'{{"robots": [{{"name": "scout", "model": "", "sensors": [{LISTED}], "joints": []}}, '
        '{"name": "arm", "model": "", "sensors": [], "joints": ["arm/pan"]}]}\n',
    ),
    "sensors": (
        ', "robot": "scout"',
        '{"sensors": [{"name": "scout/front", "kind": "laser", "values": {"range_m": 31}}, '
        '{"name": "scout/sonar", "kind": "sonar", "values": {"range_m": 4}}, '
        '{"name": "scout/gps", "kind": "gps", "values": {"latitude_deg": 1, "longitude_deg": 1, "altitude_m": 1, '
        '"speed_m_s": 1, "course_deg": 1, "fix": 1, "satellites": 1, "hdop": 1}}, '
        '{"name": "scout/wheels", "kind": "encoders", '
        '"values": {"left_m": 1, "right_m": 1, "lateral_m": 1, "stalled": 1}}]}\n',
    ),
    "read": (
        ', "sensor": "scout/wheels"',
        '{"sensor": "scout/wheels", "t_s": 0.0, '
        '"values": {"left_m": 0.0, "right_m": 0.0, "lateral_m": 0.0, "stalled": 0.0}}\n',
    ),
    "pose": (
        ', "robot": "arm"',
        '{"robot": "arm", "x_m": 1.0, "y_m": 1.0, "z_m": 0.0, "heading_deg": 0.0, "stalled": false}\n',
    ),
    "joints": (
        ', "robot": "arm"',
        '{"joints": {"arm/pan": {"position": 0.0, "speed": 0.0, "effort": 0.0}}}\n',
    ),
    "drive": (', "robot": "scout", "m_s": 0.5, "deg_s": 90', OK),
    "stop": (', "robot": "scout"', OK),
    "servo": (', "joint": "arm/pan", "position": 0.5', OK),
    "switch": (', "sensor": "scout/front", "on": false', OK),
    "move": (', "robot": "scout", "x_m": 1, "y_m": -1, "heading_deg": 90', OK),
    "reset": ("", OK),
    "pause": ("", OK),
    "resume": ("", OK),
    "speed": (', "factor": 2', OK),
    "step": (', "ticks": 1', ""),
    "wait": (', "s": 0', '{"t_s": 0.0, "paused": false}\n'),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_answered_byte_for_byte(start, name):
    more, reply = SAID[name]
    assert ask(*start(), f'{{"do": "{name}"{more}}}') == reply


@pytest.mark.parametrize("found", ["7", '"a"', "1.5", "null"])
def test_an_id_is_returned_with_the_answer(start, found):
    assert ask(*start(), f'{{"do": "stop", "robot": "scout", "id": {found}}}') == f'{{"ok": true, "id": {found}}}\n'


WRONG = {
    '{"do": "tme", "id": 3}': "{\"error\": \"no request is named 'tme' (did you mean 'time'?)\", \"id\": 3}",
    "nonsense": '{"error": "not JSON: Expecting value at character 1", "id": null}',
    "[1]": '{"error": "a request is a table {...}, not a list", "id": null}',
    '{"do": "time", "id": NaN}': '{"error": "not JSON: NaN", "id": null}',
    '{"do": "drive", "robot": "scout", "m_s": 1e999}': '{"error": "m_s: want a number, got inf", "id": null}',
    '{"do": "drive", "robot": "scout", "m_s": true}': '{"error": "m_s: want a number, got True", "id": null}',
    '{"do": "read", "id": 4}': '{"error": "read needs sensor: a text", "id": 4}',
    '{"do": "stop", "robot": "scout", "x": 1}': "{\"error\": \"stop takes no 'x' (it takes: robot)\", \"id\": null}",
    '{"do": "read", "sensor": "scout/frnt"}':
        "{\"error\": \"there is no device 'scout/frnt' (did you mean 'scout/front'?)\", \"id\": null}",
    '{"do": "drive", "robot": "scot"}': "{\"error\": \"no unit 'scot' (did you mean 'scout'?)\", \"id\": null}",
    '{"do": "servo", "joint": "arm/pn", "speed": 1}':
        "{\"error\": \"no joint with a servo is named 'arm/pn' (did you mean 'arm/pan'?)\", \"id\": null}",
    '{"do": "servo", "joint": "arm/pan"}': '{"error": "servo takes either position or speed", "id": null}',
    '{"do": "wait"}': '{"error": "wait takes either s or until_s", "id": null}',
    '{"do": "step", "ticks": 0}': '{"error": "ticks: want 1 to 100000, got 0", "id": null}',
    "[" * 9 + "]" * 9: '{"error": "lists and tables are nested more than 8 deep", "id": null}',
    '{"do": "time", "id": [1]}':
        '{"error": "id: want a number or a text of at most 200 characters, got a list", "id": null}',
}  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_request_is_answered_with_one_line_that_says_why(start, line):
    assert ask(*start(), line) == WRONG[line] + "\n"


def test_bytes_that_are_not_utf8_are_named(start):
    sim, client = start()
    client.send(b'{"do": "\xff"}\n')
    sim.exchange()
    assert client.receive() == b'{"error": "byte 9 is not UTF-8", "id": null}\n'


def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_answered(start):
    sim, client = start()
    for _ in range(3):
        client.send(b"x" * 30_000)
        sim.exchange()
    client.send(b'\n{"do": "time"}\n')
    sim.exchange()
    refused = b'{"error": "the line is longer than 65536 bytes", "id": null}\n'
    assert client.receive() == refused + b'{"t_s": 0.0, "paused": false}\n'


def test_a_line_of_quotes_takes_no_longer_than_others(start):
    reply = ask(*start(), '"' + '\\"' * 32_000)
    assert reply.startswith('{"error": "not JSON: ')


def test_a_reading_without_a_value_is_null(start):
    sim, client = start()
    sim.change(Fault("scout/gps", "dead"))
    sim.step(100)
    values = json.loads(ask(sim, client, '{"do": "read", "sensor": "scout/gps"}'))["values"]
    assert values["latitude_deg"] is None


def test_a_web_page_is_hung_up_on_and_not_obeyed(start):
    sim, client = start()
    client.send(b'POST / HTTP/1.1\r\nHost: x\r\n\r\n{"do": "drive", "robot": "scout", "m_s": 1}\n')
    sim.step(20)
    assert client.receive() == b""
    assert sim.robot("scout").pose.x_m == 0.0


# ---- what requests do


def test_a_robot_drives_and_turns(start):
    sim, client = start()
    ask(sim, client, '{"do": "drive", "robot": "scout", "m_s": 0.5}', ticks=200)
    assert sim.robot("scout").pose.x_m == pytest.approx(0.5, abs=0.05)


def test_a_robot_stops_when_its_client_leaves(start):
    sim, client = start()
    ask(sim, client, '{"do": "drive", "robot": "scout", "m_s": 0.5}', ticks=50)
    client.close()
    sim.step(50)
    there = sim.robot("scout").pose
    sim.step(50)
    assert sim.robot("scout").pose == there


def test_a_joint_moves_to_a_position(start):
    sim, client = start()
    ask(sim, client, '{"do": "servo", "joint": "arm/pan", "position": 0.5}', ticks=200)
    joints = json.loads(ask(sim, client, '{"do": "joints"}'))["joints"]
    assert joints["arm/pan"]["position"] == pytest.approx(0.5, abs=0.02)


def test_a_robot_is_put_somewhere_and_back(start):
    sim, client = start()
    ask(sim, client, '{"do": "move", "robot": "scout", "x_m": 1, "y_m": -1}')
    assert sim.robot("scout").pose.y_m == -1.0
    ask(sim, client, '{"do": "reset", "robot": "scout"}')
    assert sim.robot("scout").pose.y_m == 0.0


# ---- time


def test_a_wait_is_answered_at_the_tick_that_reaches_it(start):
    sim, client = start()
    assert ask(sim, client, '{"do": "wait", "s": 0.1, "id": 5}', ticks=19) == ""
    sim.step()
    assert client.receive() == b'{"t_s": 0.1, "paused": false, "id": 5}\n'


def test_requests_behind_a_wait_are_answered_after_it(start):
    sim, client = start()
    lines = ['{"do": "drive", "robot": "scout", "m_s": 0.2}', '{"do": "wait", "until_s": 0.05}', '{"do": "time"}',
             '{"do": "stop", "robot": "scout"}', '{"do": "wait", "s": 0.05}']  # fmt: skip
    heard = ask(sim, client, "\n".join(lines), ticks=30).splitlines()
    at = ['{"t_s": 0.05, "paused": false}', '{"t_s": 0.1, "paused": false}']
    assert heard == ['{"ok": true}', at[0], at[0], '{"ok": true}', at[1]]


def test_a_step_of_a_paused_run_is_answered_after_its_ticks(start):
    sim, client = start()
    ask(sim, client, '{"do": "pause"}')
    assert ask(sim, client, '{"do": "step", "ticks": 7}') == '{"t_s": 0.035, "paused": true}\n'
    assert sim.tick == 7


def test_a_wait_of_a_paused_run_is_refused(start):
    sim, client = start()
    ask(sim, client, '{"do": "pause"}')
    assert "time is paused: use step, or resume first" in ask(sim, client, '{"do": "wait", "s": 1}')
    assert ask(sim, client, '{"do": "time"}') == '{"t_s": 0.0, "paused": true}\n'


def test_what_would_never_be_carried_out_in_a_paused_run_is_refused(start):
    sim, client = start()
    line = '{"do": "pause"}\n{"do": "step"}\n{"do": "step", "id": 2}'
    assert json.loads(ask(sim, client, line).splitlines()[-1])["id"] == 2


def test_a_reset_begins_at_time_zero_and_ends_the_wait_of_the_run_before(start):
    sim, client = start()
    sim.step(10)
    assert ask(sim, client, '{"do": "reset"}') == OK
    assert ask(sim, client, '{"do": "time"}') == '{"t_s": 0.0, "paused": false}\n'
    ask(sim, client, '{"do": "wait", "s": 9, "id": 1}')
    sim.reset()
    sim.step()
    assert client.receive() == b'{"error": "the run was reset", "id": 1}\n'


def test_a_port_may_forbid_orders(start):
    assert "orders are forbidden" in ask(*start(forbid=("orders",)), '{"do": "stop", "robot": "scout"}')


def held_run(start, pieces):
    sim, client = start(gate="hold")
    heard = b""
    for piece in (*pieces, b""):
        if piece:
            client.send(piece)
        while heard.count(b"\n") < piece.count(b"\n") or sim.inbox.count():
            sim.run_for(0.005)
            heard += client.receive()
    while b'"t_s": 0.2' not in heard:
        sim.run_for(0.005)
        heard += client.receive()
    sim.run_for(0.02)
    return heard, sim.tick, sim.hash()


def test_a_client_that_holds_time_gets_the_same_run_however_it_sends(start):
    talk = [b'{"do": "drive", "robot": "scout", "m_s": 0.5}\n', b'{"do": "wait", "s": 0.1}\n',
            b'{"do": "drive", "robot": "scout", "m_s": -0.2}\n', b'{"do": "wait", "s": 0.1}\n']  # fmt: skip
    one = held_run(start, talk)
    assert one == held_run(start, [b"".join(talk)])
    assert one[1] == 40


def test_a_client_that_holds_time_steps_tick_by_tick(start):
    sim, client = start(gate="hold")
    client.send(b'{"do": "step", "ticks": 3}\n')
    heard = b""
    while b"\n" not in heard:
        sim.run_for(0.005)
        heard += client.receive()
    sim.run_for(0.02)
    assert (heard, sim.tick) == (b'{"t_s": 0.015, "paused": false}\n', 3)


# ---- saving, the tape, junk


def test_a_wait_goes_on_after_saving(start):
    sim, client = start()
    ask(sim, client, '{"do": "wait", "s": 0.05, "id": 1}\n{"do": "stop", "robot": "scout"}', ticks=3)
    with Sim.restored(unpack_run(sim.save())) as copy:
        sent = []
        while len(sent) < 2:
            sent += copy.current.advance(()).sent
    assert sent == [(PORT, b'{"t_s": 0.05, "paused": false, "id": 1}\n'), (PORT, OK.encode())]


def test_a_tape_replays_the_conversation(start, tmp_path):
    sim, early = start()
    early.close()
    sim.exchange()
    sim.attach(TapeWriter(tmp_path / "a.tape", "full"))
    client = sim.ports.link(PORT).client()
    ask(sim, client, '{"do": "drive", "robot": "scout", "m_s": 0.3}\n{"do": "wait", "s": 0.1}\n{"do": "pause"}', 21)
    ask(sim, client, '{"do": "step", "ticks": 4}')
    ask(sim, client, '{"do": "resume"}\n{"do": "reset"}\n{"do": "read", "sensor": "scout/front"}')
    sim.step(5)
    sim.close()
    found = replay(tmp_path / "a.tape")
    assert found.complete
    assert found.mismatch is None


WORDS = (
    *REQUESTS,
    "do",
    "id",
    "robot",
    "sensor",
    "joint",
    "s",
    "until_s",
    "ticks",
    "on",
    "x_m",
    "y_m",
    "m_s",
    "factor",
)
VALUES = ("scout", "arm/pan", "scout/front", "", -1, 0, 1, 2.5, 1e999, 10**30, None, True, [1], {"a": 1}, "\ud800")


def test_whatever_a_client_asks_every_line_gets_one_line_of_json(start):
    source, (sim, client) = random.Random(15), start()
    for _ in range(400):
        table = {source.choice(WORDS): source.choice(VALUES) for _ in range(source.randrange(5))}
        do = source.choice([name for name in REQUESTS if name not in ("wait", "step", "pause")])
        heard = ask(sim, client, json.dumps({**table, "do": do}))
        assert heard.count("\n") == 1
        json.loads(heard, parse_constant=pytest.fail)


def test_a_flood_of_requests_is_answered_or_refused_within_bounds(start):
    sim, client = start()
    client.send(b'{"do": "time"}\n' * 4000)
    sim.step(3)
    lines = client.receive().splitlines()
    assert lines.count(b'{"t_s": 0.005, "paused": false}') >= 1000
    assert len(lines) == 4000
