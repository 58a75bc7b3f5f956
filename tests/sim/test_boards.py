"""Boards with a user's firmware in whole runs: tapes, saved runs, resets, trust, and SEAR's template."""

import shutil
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from scenes import model, robot, room

import understudy as us
from understudy.errors import ProgramError, TapeError
from understudy.protocols.raw.protocol import RawSheet
from understudy.robots.board.unit import BoardSheet, Byte
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.world.changes import Add, Remove
from understudy.world.robot import Port, UnitSpec
from understudy.world.scene import SceneEvent

EXAMPLE = Path(__file__).parents[2] / "examples" / "controller" / "sensor_board.toml"
FIRMWARE = b"""
def setup(board):
    board.memory["turns"] = 0

def received(board, byte):
    if byte == ord("g"):
        board.drive(0.3, 0.1)
    elif byte == ord("s"):
        board.stop()
    elif byte == ord("r"):
        board.send(b"%d\\n" % int(1000 * board.read("front")[15]))
    elif byte == ord("h"):
        while True:
            pass
    elif byte == ord("q"):
        raise SystemExit

def loop(board):
    board.memory["turns"] += 1
    if board.memory["turns"] % 40 == 0:
        board.send(b"tick\\n")
"""


def scene(firmware="mine.py"):
    unit = UnitSpec(name="board", sheet=BoardSheet(firmware=firmware))
    port = Port(name="serial", unit="board", sheet=RawSheet(), link="loop:")
    return room(robot("scout", parts=model(units=(unit,), ports=(port,))))


@pytest.fixture
def sim():
    with Sim(scene(), seed=1, files={"mine.py": FIRMWARE}) as made:
        made.open_ports()
        yield made


def client(sim):
    return sim.ports.link("scout/serial").client()


def turns(sim):
    return sim.current.units["scout/board"].state()["memory"]["turns"]


def test_a_client_drives_the_robot_through_the_firmware(sim):
    plug = client(sim)
    plug.send(b"g")
    sim.run(1.0)
    assert sim.robot("scout").pose.x_m > 0.2
    plug.send(b"s")
    sim.run(1.0)
    before = sim.robot("scout").pose
    sim.run(0.5)
    assert sim.robot("scout").pose == before


def test_a_question_is_answered_in_the_tick_in_which_it_arrives(sim):
    plug = client(sim)
    sim.run(0.1)
    plug.send(b"r")
    sim.step()
    assert plug.receive() == b"%d\n" % int(1000 * sim.robot("scout").read("front")[15])


def test_the_loop_sends_without_being_answer_of(sim):
    plug = client(sim)
    sim.run(0.6)
    assert plug.receive() == b"tick\n" * 3


def test_the_firmware_answers_while_time_is_paused_but_does_not_loop(sim, tmp_path):
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    plug = client(sim)
    sim.run(0.1)
    sim.pause()
    for _ in range(3):
        plug.send(b"r")
        sim.exchange()
        assert plug.receive().endswith(b"\n")
    sim.exchange()
    assert plug.receive() == b""
    assert turns(sim) == 20
    sim.resume()
    sim.step()
    assert (plug.receive(), turns(sim)) == (b"", 21)
    sim.close()
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_a_firmware_sets_up_before_its_first_byte_also_when_time_is_paused(sim):
    plug = client(sim)
    sim.pause()
    plug.send(b"r")
    sim.exchange()
    assert turns(sim) == 0
    sim.resume()
    sim.step()
    assert turns(sim) == 1


HELPED = b"""
import wire

def setup(board):
    board.memory["turns"] = 0

def received(board, byte):
    board.send(wire.answer(byte))
"""
WIRE = b"from tables import code\ndef answer(byte): return bytes([code.OFFSET + byte])\n"
TABLES = {"tables/__init__.py": b"", "tables/code.py": b"OFFSET = 100\n"}


@pytest.fixture
def helped(tmp_path):
    """A run whose firmware imports a module and a package that lie beside it, in a folder of their own."""
    home = tmp_path / "home"
    (home / "boards" / "tables").mkdir(parents=True)
    for name, data in {"mine.py": HELPED, "wire.py": WIRE, **TABLES}.items():
        (home / "boards" / name).write_bytes(data)
    (home / "room.toml").write_text(
        'schema = 1\n[[robot]]\nname = "scout"\nmodel = "scout"\n'
        'unit.board = {kind = "board", firmware = "boards/mine.py"}\n'
        'port.serial = {unit = "board", protocol = "raw", link = "loop:"}\n'
    )
    with us.load(home / "room.toml", ports=True) as made:
        shutil.rmtree(home)  # what belongs to the run is in the run
        yield made


def answer_of(sim):
    plug = client(sim)
    plug.send(b"\x05")
    sim.step(2)
    return plug.receive()


def test_a_firmware_imports_what_lies_beside_it(helped):
    assert answer_of(helped) == b"\x69"


def test_what_a_firmware_imports_is_part_of_the_saved_run_and_of_the_tape(helped, tmp_path):
    helped.attach(TapeWriter(tmp_path / "a.tape"))
    assert answer_of(helped) == b"\x69"
    with us.restore(helped.save(), trust=True) as again:
        again.open_ports()
        assert answer_of(again) == b"\x69"
    helped.close()
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_two_boards_do_not_share_the_globals_of_a_helper():
    firmware = b"import count\ndef setup(board): board.memory['turns'] = count.up()\n"
    helper = b"n = 0\ndef up():\n    global n\n    n += 1\n    return n\n"
    both = room(*(robot(name, x=x, parts=scene().robots[0].parts) for name, x in (("scout", 0.0), ("other", 2.0))))
    with Sim(both, seed=1, files={"mine.py": firmware, "count.py": helper}) as sim:
        sim.step()
        assert turns(sim) == 1
        sim.reset()
        sim.step()
        assert turns(sim) == 1


@pytest.mark.parametrize(
    ("helper", "message"),
    [(b"x = (\n", r"wire.py:1: SyntaxError"), (b"\xff\x00", r"wire.py")],
)
def test_a_helper_that_is_no_python_is_named_before_the_run(helper, message):
    with pytest.raises(ProgramError, match=message):
        Sim(scene(), seed=1, files={"mine.py": HELPED, "wire.py": helper})


def test_a_missing_helper_halts_the_board_and_is_named():
    with Sim(scene(), seed=1, files={"mine.py": HELPED}) as sim:
        sim.step()
        problem = sim.robot("scout").panel("board").problem
    assert problem == """mine.py:2: ModuleNotFoundError("No module named 'wire'")"""


def test_a_firmware_in_an_event_of_a_strangers_scene_needs_trust(sim):
    brought = robot("late", x=1.0, parts=scene().robots[0].parts)
    event = SceneEvent(at_us=100_000, change=Add(brought))
    with (
        pytest.raises(TapeError, match=r"the firmware mine.py"),
        Sim(replace(room(), events=(event,)), seed=1, files={"mine.py": FIRMWARE}, trust=False),
    ):
        pass


@pytest.mark.parametrize("last", [b"q", b"h"])
def test_a_firmware_that_exits_or_hangs_stops_its_robot_and_time_goes_on(sim, last):
    plug = client(sim)
    plug.send(b"g")
    sim.run(0.5)
    plug.send(last)
    sim.run(1.0)
    before, when = sim.robot("scout").pose, sim.t_us
    sim.run(0.5)
    assert (sim.robot("scout").pose, sim.t_us - when) == (before, 500_000)
    assert "mine.py:" in sim.robot("scout").panel("board").problem


def test_a_reset_starts_a_halted_firmware_again(sim):
    plug = client(sim)
    plug.send(b"q")
    sim.run(0.5)
    sim.reset()
    sim.run(0.2)
    assert turns(sim) == 40
    assert plug.receive() == b"tick\n"


def test_a_program_drives_a_robot_whose_board_only_listens(sim):
    sim.robot("scout").drive(0.3)
    sim.run(1.0)
    assert sim.robot("scout").pose.x_m > 0.2


def test_a_program_can_send_a_byte_to_the_board_and_its_tape_replays(sim, tmp_path):
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    sim.robot("scout").order(Byte(ord("g")), "board")
    sim.run(1.0)
    assert sim.robot("scout").pose.x_m > 0.2
    sim.close()
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_a_run_with_a_halted_firmware_replays_and_goes_on_from_where_it_was_saved(sim, tmp_path):
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    plug = client(sim)
    plug.send(b"gq")
    sim.run(0.3)
    with us.restore(sim.save(), trust=True) as again:
        for each in (sim, again):
            each.run(0.2)
        assert again.current.hash() == sim.current.hash()
    sim.close()
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_a_run_goes_on_from_where_it_was_saved(sim):
    plug = client(sim)
    plug.send(b"g")
    sim.run(0.73)
    with us.restore(sim.save(), trust=True) as again:
        for each in (sim, again):
            each.run(0.5)
        assert again.current.hash() == sim.current.hash()
        assert turns(again) == 246


def test_a_saved_run_executes_its_firmware_only_when_trusted(sim):
    sim.run(0.1)
    with pytest.raises(TapeError, match=r"the firmware mine.py: run it with --trust"):
        us.restore(sim.save())


def recorded(sim, path):
    sim.attach(TapeWriter(path))
    plug = client(sim)
    for data in (b"g", b"r", b"s"):
        plug.send(data)
        sim.run(0.3)
    sim.close()
    return path


def test_a_tape_is_replayed_to_the_bit_when_its_firmware_is_trusted(sim, tmp_path):
    assert us.replay(recorded(sim, tmp_path / "a.tape"), trust=True).mismatch is None


def test_a_tape_does_not_execute_its_firmware_unless_it_is_trusted(sim, tmp_path):
    with pytest.raises(TapeError, match=r"the firmware mine.py: run it with --trust"):
        us.replay(recorded(sim, tmp_path / "a.tape"))


def test_a_tape_of_a_robot_with_firmware_that_is_added_later_needs_trust(tmp_path):
    with Sim(room(), seed=1, files={"mine.py": FIRMWARE}) as made:
        made.attach(TapeWriter(tmp_path / "a.tape"))
        made.run(0.1)
        made.change(Add(robot("late", x=1.0, parts=model(units=scene().robots[0].parts.units))))
        made.run(0.1)
    with pytest.raises(TapeError, match=r"the firmware mine.py"):
        us.replay(tmp_path / "a.tape")
    assert us.replay(tmp_path / "a.tape", trust=True).mismatch is None


def test_the_firmware_goes_on_when_another_robot_comes_and_goes(sim):
    sim.run(0.1)
    sim.change(Add(robot("late", x=1.5)))
    sim.run(0.1)
    sim.change(Remove("late"))
    sim.run(0.1)
    assert turns(sim) == 60


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"firmware 'mine.py': no such file next to the scene"),
        ({"mine.py": b"x = 1\ndef loop(:\n"}, r"mine.py:2: SyntaxError"),
        ({"mine.py": b"\xff\x00"}, r"mine.py"),
    ],
)
def test_a_firmware_that_cannot_be_read_is_named_before_the_run(files, message):
    with pytest.raises(ProgramError, match=message):
        Sim(scene(), seed=1, files=files)


def test_the_check_of_a_scene_names_a_missing_firmware_with_its_line(tmp_path):
    room = tmp_path / "room.toml"
    room.write_text('schema = 1\n[[robot]]\nmodel = "scout"\nunit.board = {kind = "board", firmware = "mine.py"}\n')
    assert [str(each) for each in us.check(room)] == [
        f"{room}:4: robot[0].unit.board.firmware: no such file 'mine.py' beside room.toml"
    ]


def test_a_robot_file_in_another_folder_finds_its_firmware_beside_it(tmp_path):
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "mine.py").write_bytes(FIRMWARE)
    (tmp_path / "robots" / "cart.toml").write_text(
        '[robot]\nlike = "scout"\n[unit.board]\nkind = "board"\nfirmware = "mine.py"\n'
    )
    (tmp_path / "room.toml").write_text('schema = 1\n[[robot]]\nname = "scout"\nmodel = "robots/cart.toml"\n')
    with us.load(tmp_path / "room.toml") as loaded:
        loaded.run(0.1)
        assert turns(loaded) == 20


# ---- SEAR's template


@pytest.fixture
def template(tmp_path):
    (tmp_path / "sensor_board.py").write_bytes((EXAMPLE.parent / "sensor_board.py").read_bytes())
    text = EXAMPLE.read_text().replace('"pty:board"', '"loop:"')
    (tmp_path / EXAMPLE.name).write_text(text)
    with us.load(tmp_path / EXAMPLE.name) as loaded:
        loaded.open_ports()
        yield loaded


def asked(sim, request, seconds=0.1):
    plug = sim.ports.link("scout/board").client()
    plug.send(request)
    sim.run(seconds)
    return plug.receive()


def test_the_template_answers_distances_in_centimetres_high_byte_first(template):
    template.run(0.5)
    answers = struct.unpack(">2H", asked(template, bytes([142, 43, 142, 44])))
    metres = [template.robot("scout").read(name)[0] for name in ("left", "right")]
    assert answers == pytest.approx([100 * m for m in metres], abs=4)


def test_the_template_answers_what_the_converter_reads_at_rest(template):
    template.run(0.5)
    accel = struct.unpack(">3H", asked(template, bytes([142, 45])))
    assert accel == pytest.approx((465, 465, 372), abs=8)


def test_the_template_answers_the_turning_rate(template):
    template.robot("scout").drive(0.0, 0.5)
    template.run(2.0)
    gyro = struct.unpack(">3H", asked(template, bytes([142, 46])))
    assert gyro == pytest.approx((418, 418, 436), abs=8)


def test_the_template_answers_the_heading_in_half_degrees(template):
    (heading,) = struct.unpack(">H", asked(template, bytes([142, 47])))
    assert heading % 5 == 0
    assert heading / 10 == pytest.approx(template.robot("scout").read("compass")[0], abs=10)


@pytest.mark.parametrize("request_", [bytes([142, 142]), bytes([142, 99, 43]), bytes([43]), b""])
def test_the_template_does_not_answer_what_is_no_request(template, request_):
    assert asked(template, request_) == b""
