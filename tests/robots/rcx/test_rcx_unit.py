"""The RCX as a unit of a robot: programs, buttons, downloads, messages, what survives a reset."""

from __future__ import annotations

import json

import numpy as np
import pytest
from contracts.unit_contract import check_unit
from robots.robots_fakes import Bench, FakeDevice

import understudy as us
from understudy.formats.rcx.image import write_image
from understudy.formats.rcx.lasm import assemble
from understudy.robots.rcx.firmware import load_order
from understudy.robots.rcx.orders import LoadProgram, PressButton, RcxReply, RcxRequest
from understudy.robots.rcx.packets import packet, unpacked
from understudy.robots.rcx.sheet import RcxPort
from understudy.sensors.ground import Line
from understudy.sensors.light import LightSensor
from understudy.sensors.temperature import Thermometer
from understudy.sensors.touch import Touch
from understudy.sensors.wheels import Encoders
from understudy.world.media import Heard, Message
from understudy.world.news import Note, Sound

SQUARE = b"""task 0
dir 2,5
out 2,5
wait 2,10
dir 0,1
wait 2,10
start 1
out 1,5
endt
task 1
out 0,2
L: sumv 3,2,1
jmp L
endt
"""


def bench(text: str = "", ticks: int = 20, **settings) -> Bench:
    made = Bench("rcx", **settings)
    if text:
        made.unit.order(LoadProgram("x.lasm", f"task 0\n{text}\nendt".encode()))
    made.step(ticks)
    return made


def test_a_unit_with_a_program_keeps_the_contract():
    check_unit(lambda: Bench("rcx"), [LoadProgram("x.lasm", SQUARE)])


def test_outputs_are_powered_braked_and_floated():
    made = Bench("rcx")
    made.unit.order(LoadProgram("x.lasm", SQUARE))
    made.step(100)
    assert made.commanded() == {"A": [1.0, -1.0, "brake"], "B": ["coast"], "C": [1.0, "brake"]}


def test_power_follows_the_curve():
    assert bench("pwr 1,2,3\nout 2,1", curve=(0.0, 0.5, 1.0)).commanded()["A"] == [0.5]


def test_a_weak_battery_makes_motors_slower_only_if_wanted():
    assert bench("out 2,1", battery_mv=4500, sags=True).commanded()["A"] == [0.5]
    assert bench("out 2,1", battery_mv=4500).commanded()["A"] == [1.0]


@pytest.mark.parametrize("tick_us", [1_000, 2_500, 5_000, 20_000, 333])
def test_the_pace_of_a_program_does_not_depend_on_the_tick(tick_us):
    made = Bench("rcx")
    made.unit.order(LoadProgram("x.lasm", b"task 0\nL: sumv 0,2,1\njmp L\nendt"))
    for n in range(1, 1_000_000 // tick_us + 1):
        made.unit.tick(n * tick_us, tick_us)
    assert made.unit.machine.memory[0] == pytest.approx(500, abs=1)


def test_text_and_image_of_a_program_give_the_same_run():
    image = write_image(assemble(SQUARE.decode()))
    digests = []
    for name, data in (("x.lasm", SQUARE), ("x.rcx", image)):
        made = Bench("rcx")
        made.unit.order(LoadProgram(name, data))
        made.step(80)
        digests.append((made.unit.digest(), made.commanded()))
    assert digests[0] == digests[1]


def test_a_program_with_errors_is_refused_with_its_line():
    with pytest.raises(ValueError, match=r"x\.lasm:2:1: unknown instruction"):
        load_order(b"task 0\nfoo\xc3\xa9 1\nendt", "x.lasm")
    with pytest.raises(ValueError, match="not a text in UTF-8"):
        load_order(b"\xff\xfe", "x.lasm")
    with pytest.raises(ValueError, match="not an RCX image"):
        load_order(b"task 0", "x.rcx")


def test_illegal_code_is_reported_by_a_note():
    made = bench(".byte 0x11")
    assert [note.text for note in made.unit.asks() if isinstance(note, Note)] == [
        "task 0 stopped: instruction 0x11 is not supported by swan at address 0 of task 0 (x.lasm:2)"
    ]


def test_a_program_for_another_firmware_is_reported():
    made = bench("sumgb 1,2", version="fw1")
    assert any("program not loaded: x.lasm:2:1" in note.text for note in made.unit.asks())


def test_a_program_that_does_not_fit_is_reported():
    made = bench("setv 1,2,3\n" * 2000)
    assert any("does not fit" in note.text for note in made.unit.asks())


def test_sounds_and_messages_leave_the_brick():
    asked = bench("plays 1\nmsg 2,42").unit.asks()
    assert any(isinstance(each, Sound) and each.number == 1 for each in asked)
    assert Message("infrared", packet(b"\xf7\x2a"), 10.0) in asked


def test_a_brick_hears_packets_and_ignores_other_light():
    made = bench("L: jmp L")
    for data in (b"\xa2", b"", packet(b"\xf7\x2a")[:-1]):
        made.unit.order(Heard("infrared", data, "x/y", 1.0))
        assert made.unit.machine.message == 0
    made.unit.order(Heard("infrared", packet(b"\xf7\x2a"), "x/y", 1.0))
    assert made.unit.machine.message == 42


def test_the_run_button_starts_and_stops():
    made = bench("out 2,1\nL: jmp L")
    made.unit.order(PressButton("run"))
    made.step(2)
    assert not made.unit.machine.running
    assert made.commanded()["A"] == [1.0, "brake"]
    made.unit.order(PressButton("run"))
    made.step(2)
    assert made.commanded()["A"] == [1.0, "brake", 1.0]


def test_the_other_buttons_select_and_switch():
    made = bench()
    for button in ("prgm", "prgm", "view", "view"):
        made.unit.order(PressButton(button))
    panel = made.unit.panel()
    assert (panel.slot, panel.view, panel.display) == (3, "sensor 2", "1023")
    made.unit.order(PressButton("on-off"))
    assert made.unit.panel().display == ""
    assert made.unit.order(RcxRequest(b"\x10")) is None
    made.unit.order(PressButton("on-off"))
    assert made.unit.order(RcxRequest(b"\x10")) == RcxReply(b"\xef")


def test_the_users_display_is_read_again_and_again():
    made = bench("disp 2,0,0\nview 2,7\nL: sumv 0,2,1\njmp L", 1)
    first = made.unit.panel().display
    made.step(2)
    assert (first, made.unit.panel().display) == ("0.02", "0.07")


def test_the_panel_says_what_every_task_runs():
    made = Bench("rcx")
    made.unit.order(LoadProgram("x.lasm", SQUARE))
    made.step(3)
    assert [(task.number, task.line, task.text) for task in made.unit.panel().tasks] == [(0, 4, "wait 2,10")]
    place = made.unit.positions()[0]
    assert (place.program, place.task, place.line, place.t_us) == ("x.lasm", "0", 4, 15_000)


def test_programs_survive_a_reset_and_nothing_else_does():
    made = bench("setv 0,2,5\nL: jmp L")
    kept = json.loads(json.dumps(made.unit.keep()))
    fresh = made.renew()
    fresh.recall(kept)
    assert (fresh.machine.memory[0], fresh.machine.running) == (0, False)
    fresh.order(PressButton("run"))
    made.step(2)
    assert fresh.machine.memory[0] == 5


def test_a_download_in_progress_is_saved():
    made = bench()
    made.unit.order(RcxRequest(bytes.fromhex("25 00 00 00 02 00")))
    saved = json.loads(json.dumps(made.unit.state()))
    fresh = made.renew()
    fresh.restore(saved)
    assert fresh.order(RcxRequest(bytes.fromhex("45 00 00 02 00 51 01 52"))) == RcxReply(b"\xba\x00")
    assert fresh.machine.program.tasks[0].code == b"\x51\x01"


def test_an_interrupted_download_does_not_hinder_the_next_one():
    made = bench()
    for data in ("25 00 00 00 28 00", "45 01 00 01 00 51 51", "25 00 00 00 02 00", "45 00 00 02 00 51 01 52"):
        reply = made.unit.order(RcxRequest(bytes.fromhex(data)))
        assert reply.data[1] == 0
    assert made.unit.machine.program.tasks[0].code == b"\x51\x01"


def test_a_block_that_arrives_twice_is_taken_once():
    made = bench()
    blocks = ("25 00 00 00 03 00", "45 01 00 02 00 51 01 52", "4d 01 00 02 00 51 01 52", "45 00 00 01 00 50 50")
    for data in blocks:
        made.unit.order(RcxRequest(bytes.fromhex(data)))
    assert made.unit.machine.program.tasks[0].code == b"\x51\x01\x50"


def test_a_wrong_checksum_is_refused_and_the_block_can_be_sent_again():
    made = bench()
    made.unit.order(RcxRequest(bytes.fromhex("25 00 00 00 02 00")))
    assert made.unit.order(RcxRequest(bytes.fromhex("45 00 00 02 00 51 01 99"))).data == b"\xba\x03"
    assert made.unit.order(RcxRequest(bytes.fromhex("4d 00 00 02 00 51 01 52"))).data == b"\xb2\x00"


# ---- devices on ports


def read(device, values, port=None, **settings):
    """Return what a program reads of a device at port 1, by the type that the device gives the port."""
    fake = FakeDevice("robot/x", values, device)
    made = Bench("rcx", plugged={"port1": fake}, **({"port1": port} if port else {}), **settings)
    made.step(3)
    return made.unit.machine.inputs[0].value


def test_a_touch_sensor_is_a_switch():
    assert [read(Touch(), (value,)) for value in (0.0, 1.0)] == [0, 1]


@pytest.mark.parametrize(
    ("scale", "values"), [("bright", [0, 50, 100]), ("grey", [0, 128, 255]), ("brick", [30, 42, 55])]
)
def test_light_has_three_scales(scale, values):
    sheet = Line(measures="brightness")
    assert [read(sheet, (value,), RcxPort(light=scale)) for value in (0.0, 50.0, 100.0)] == values


def test_a_light_sensor_is_scaled_from_dark_to_bright():
    assert read(LightSensor(dark=20.0, bright=60.0), (30.0,)) == 25


def test_a_rotation_sensor_counts_sixteenths_of_a_turn():
    radius_m = Bench("rcx").wiring.model.drive.wheel_radius_m
    one_turn = 2 * np.pi * radius_m * 1.0001
    assert read(Encoders(), (one_turn, -one_turn, 0.0, 0.0)) == 16
    assert read(Encoders(), (0.0, one_turn, 0.0, 0.0), RcxPort(side="right", gear=3.0)) == 48


def test_a_thermometer_reads_tenths_of_a_degree():
    assert abs(read(Thermometer(), (21.0,)) - 210) <= 1
    assert abs(read(Thermometer(unit="f"), (69.8,)) - 210) <= 1


def test_a_dead_device_is_an_open_port():
    assert read(Line(), (float("nan"),)) == 0
    assert read(Touch(), (float("nan"),)) == 0


def test_packets_have_complements_and_a_sum():
    wire = packet(bytes.fromhex("250000001a00"))
    assert wire.hex(" ") == "55 ff 00 25 da 00 ff 00 ff 00 ff 1a e5 00 ff 3f c0"
    assert unpacked(wire) == bytes.fromhex("250000001a00")
    assert unpacked(wire[:-1]) is None


# ---- in a scene

PAIR = """
schema = 1
ground = {size_m = [6, 4]}
[[robot]]
name = "one"
model = "rcx-m3"
program = "one.lasm"
[[robot]]
name = "two"
model = "rcx-m3"
x_m = 1.5
program = "two.lasm"
"""


def test_two_bricks_send_each_other_messages(tmp_path):
    (tmp_path / "one.lasm").write_text("task 0\nwait 2,10\nmsg 2,7\nL: chkl 15,0,2,2,0,E\njmpl L\nE: setv 0,15,0\nendt")
    (tmp_path / "two.lasm").write_text(
        "task 0\nL: chkl 15,0,2,2,0,E\njmpl L\nE: setv 0,15,0\nsumv 0,2,1\nmsg 0,0\nout 2,5\nendt"
    )
    (tmp_path / "pair.toml").write_text(PAIR)
    with us.load(tmp_path / "pair.toml") as sim:
        sim.run(0.5)
        assert sim.robot("one").panel("rcx").variables[0] == 8
        assert sim.robot("two").pose.x_m > 1.55


def test_a_downloaded_program_survives_a_reset_of_the_run(tmp_path):
    (tmp_path / "x.toml").write_text('schema = 1\n[[robot]]\nname = "r"\nmodel = "rcx-m3"\n')
    with us.load(tmp_path / "x.toml") as sim:
        robot = sim.robot("r")
        robot.order(LoadProgram("x.lasm", b"task 0\nout 2,5\nendt"))
        sim.run(0.5)
        sim.reset()
        sim.run(0.1)
        assert (sim.robot("r").pose.x_m, sim.robot("r").panel("rcx").program) == (0.0, "x.lasm")
        sim.robot("r").order(PressButton("run"))
        sim.run(0.5)
        assert sim.robot("r").pose.x_m > 0.1


def test_a_scene_takes_a_binding_of_the_model_away():
    text = (
        'schema = 1\n[[robot]]\nname = "r"\nmodel = "rcx-m5"\nunit.rcx.drives.C = false\nunit.rcx.uses.port1 = false\n'
    )
    with us.load_text(text) as sim:
        unit = sim.data("r").built.units[0]
        assert (unit.drives, unit.uses) == ((("A", "wheel:right"),), ())


def test_a_saved_run_continues_with_the_same_hash(tmp_path):
    text = 'schema = 1\n[[robot]]\nname = "r"\nmodel = "rcx-m3"\n'
    program = LoadProgram("x.lasm", b"task 0\nL: out 2,5\nwait 4,20\nout 1,1\nwait 4,20\njmpl L\nendt")
    with us.load_text(text) as sim:
        sim.robot("r").order(program)
        sim.run(1.0)
        (tmp_path / "run").write_bytes(sim.save())
        sim.run(2.0)
        with us.restore(tmp_path / "run") as other:
            other.run(2.0)
            assert other.hash() == sim.hash()


def test_the_tape_of_a_download_replays(tmp_path):
    (tmp_path / "x.toml").write_text('schema = 1\n[[robot]]\nname = "r"\nmodel = "rcx-m3"\n')
    with us.load(tmp_path / "x.toml", tape=tmp_path / "x.tape") as sim:
        sim.robot("r").order(LoadProgram("x.lasm", SQUARE))
        sim.run(1.0)
    assert us.replay(tmp_path / "x.tape").mismatch is None
