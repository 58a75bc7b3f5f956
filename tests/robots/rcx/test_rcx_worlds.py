"""The robots and worlds of LURobotSim, and what else can be connected to the ports of a brick, on both engines."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import understudy as us
from understudy.robots.rcx.orders import LoadProgram

EXAMPLES = Path(us.__file__).parent.parent / "examples"
BOTH = ["planar", "rigid"]
LINES = f'ground = {{size_m = [3, 3], picture = "{EXAMPLES / "lego-lines.png"}"}}'
OWN = """
[[robot]]
name = "own"
noise = "perfect"
body = {shape = "circle", radius_m = 0.1}
drive = {kind = "differential", track_m = 0.15, wheel_radius_m = 0.03, max_m_s = 0.6, accel_m_s2 = 10.0}
"""


def scene(engine, *parts):
    return us.load_text("\n".join((f'schema = 1\nengine = "{engine}"', *parts)))


def load(sim, name, program):
    sim.robot(name).order(LoadProgram("x.lasm", f"task 0\n{program}\nendt".encode()), "rcx")


def brick(sim, name):
    return sim.robot(name).panel("rcx")


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("model", ["M1", "M2", "M3", "M4", "M5"])
@pytest.mark.parametrize("world", ["lego-plane.toml", "lego-walls.toml", "lego-lines.toml"])
def test_every_model_drives_ahead_in_every_world(world, model, engine):
    with us.load(EXAMPLES / world, engine=engine, robots=[f"rcx-{model.lower()}:extra"]) as sim:
        start = sim.robot("extra").pose
        load(sim, "extra", "dir 2,7\nout 2,7\nwait 2,30\nout 1,7")
        sim.run(0.35)
        assert abs(sim.robot("extra").pose.x_m - start.x_m) + abs(sim.robot("extra").pose.y_m - start.y_m) > 0.02


# ---- light


def light_at(engine, scale, x_m):
    """Return what model M5 reads with its sensor over a point of E3; a line is at 0.975 to 1 m."""
    robot = f'[[robot]]\nname = "r"\nmodel = "rcx-m5"\nnoise = "perfect"\nx_m = {x_m - 0.05}\n'
    with scene(engine, LINES, robot + f'unit.rcx.port1.light = "{scale}"') as sim:
        load(sim, "r", "wait 2,5\nsetv 0,9,0")
        sim.run(0.1)
        return brick(sim, "r").variables[0]


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize(("scale", "black", "white"), [("bright", 0, 100), ("grey", 0, 255), ("brick", 30, 55)])
def test_every_light_scale_reads_black_and_white_of_e3(scale, black, white, engine):
    assert (light_at(engine, scale, 0.987), light_at(engine, scale, 0.5)) == (black, white)


def test_a_light_sensor_is_bright_by_default():
    with scene("planar", LINES, '[[robot]]\nname = "r"\nmodel = "rcx-m5"\nnoise = "perfect"') as sim:
        sim.run(0.1)
        assert brick(sim, "r").sensors[0] == 100


SHADY = """
device.eye = {kind = "light", mount = {z_m = 0.03, pitch_deg = 90}, full = 1.0}
unit.rcx = {kind = "rcx", drives = {A = "wheel:right", C = "wheel:left"}, uses = {port1 = "eye"}}
"""


def test_ambient_light_adds_to_a_light_sensor():
    dark, bright = (
        _lit(f'ground = {{size_m = [4, 4], colour = "#ffffff"}}\nambient = {ambient}', SHADY) for ambient in (0.1, 0.6)
    )
    assert dark + 20 < bright


def _lit(world, more, program="wait 2,1"):
    with scene("planar", world, OWN + more) as sim:
        load(sim, "own", program)
        sim.run(0.2)
        return brick(sim, "own").sensors[0]


# ---- rotation, temperature, lamp


@pytest.mark.parametrize("engine", BOTH)
def test_a_rotation_sensor_counts_the_turns_of_its_wheel(engine):
    with scene(engine, "ground = {size_m = [6, 6]}", '[[robot]]\nname = "r"\nmodel = "rcx-m4"\nnoise = "perfect"\n'
               'unit.rcx.uses = {port2 = "wheels"}\nunit.rcx.port2 = {side = "right", gear = 3}') as sim:  # fmt: skip
        load(sim, "r", "out 2,5\nwait 2,100\nout 1,5")
        sim.run(1.3)
        turns = sim.robot("r").pose.x_m / (2 * 3.14159265 * 0.021)
        assert brick(sim, "r").sensors[1] == pytest.approx(16 * 3 * turns, rel=0.06)  # its tyres slip


@pytest.mark.parametrize("engine", BOTH)
def test_a_thermometer_reads_the_air_in_tenths_of_a_degree(engine):
    more = 'device.air = {kind = "thermometer"}\nunit.rcx = {kind = "rcx", uses = {port3 = "air"}}'
    with scene(engine, "air = {temperature_c = 30}", OWN + more) as sim:
        load(sim, "own", "sent 2,2\nwait 2,5\nsetv 0,9,2\nsenm 2,6,0\nwait 2,5\nsetv 1,9,2")
        sim.run(0.3)
        celsius, fahrenheit = brick(sim, "own").variables[:2]
    assert celsius == pytest.approx(300, abs=3)
    assert fahrenheit == pytest.approx(860, abs=6)


def test_an_output_lights_a_lamp_that_another_brick_sees():
    lamp = (
        'device.lamp = {kind = "lamp", mount = {x_m = 0.1, z_m = 0.1}, brightness = 0.5, on = true}\n'
        'unit.rcx = {kind = "rcx", drives = {B = "device:lamp"}}\n'
    )
    eye = OWN.replace('"own"', '"eye"') + (
        'x_m = 1.0\nheading_deg = 180\ndevice.eye = {kind = "light", mount = {x_m = 0.1, z_m = 0.1}}\n'
        'unit.rcx = {kind = "rcx", uses = {port1 = "eye"}}\n'
    )
    with scene("planar", "ground = {size_m = [4, 4]}", OWN + lamp, eye) as sim:
        load(sim, "own", "out 1,2\nwait 2,20\ndir 2,2\nout 2,2\nwait 2,20\nout 0,2")
        seen = []
        for _ in range(3):
            sim.run(0.19)
            seen.append(brick(sim, "eye").sensors[0])
    assert seen[1] > seen[0] + 10
    assert seen[2] == seen[0]


# ---- battery

BATTERY = (
    'device.battery = {kind = "battery", cells = 4, capacity_ah = 0.002, noise = "perfect"}\n'
    'unit.rcx = {kind = "rcx", drives = {A = "wheel:right", C = "wheel:left"}, sags = true, '
    'uses = {battery = "battery"}}\n'
)


def travelled_m(more):
    with scene("planar", "ground = {size_m = [20, 20]}", OWN + more) as sim:
        load(sim, "own", "out 2,5\nL: jmpl L")
        sim.run(1.0)
        return sim.robot("own").pose.x_m


def test_a_weak_battery_slows_a_robot_only_if_wanted():
    rcx = 'unit.rcx = {kind = "rcx", drives = {A = "wheel:right", C = "wheel:left"}, battery_mv = 6000, sags = SAGS}'
    full, weak = (travelled_m(rcx.replace("SAGS", sags)) for sags in ("false", "true"))
    assert weak == pytest.approx(full * 2 / 3, rel=0.02)


def test_motors_slow_down_while_the_battery_runs_down():
    with scene("planar", "ground = {size_m = [20, 20]}", OWN + BATTERY) as sim:
        load(sim, "own", "out 2,5\nL: jmpl L")
        marks = []
        for _ in range(5):
            sim.run(1.0)
            marks.append((sim.robot("own").pose.x_m, brick(sim, "own").battery_mv))
    steps = [after[0] - before[0] for before, after in pairwise(marks)]
    assert marks[-1][1] < marks[0][1] - 100, "the battery must run down for this test"
    assert steps[-1] < 0.99 * steps[0]


# ---- several bricks

PAIR = """
ground = {size_m = [6, 4]}
[[robot]]
name = "one"
model = "rcx-m2"
[[robot]]
name = "two"
model = "rcx-m3"
x_m = X
"""
WAITS = "L: chkl 15,0,2,2,0,E\njmpl L\nE: setv 0,15,0"


@pytest.mark.parametrize(("range_", "x_m", "heard"), [(0, 0.7, 7), (0, 2.0, 0), (1, 2.0, 7)])
def test_a_message_reaches_a_brick_in_range(range_, x_m, heard):
    with scene("planar", PAIR.replace("X", str(x_m))) as sim:
        load(sim, "one", f"txs {range_}\nwait 2,5\nmsg 2,7")
        load(sim, "two", WAITS)
        sim.run(0.3)
        assert brick(sim, "two").variables[0] == heard


@pytest.mark.parametrize("engine", BOTH)
def test_a_brick_that_touches_another_one_tells_it_to_go(engine):
    with scene(engine, PAIR.replace("X", "0.6")) as sim:
        load(sim, "one", "out 2,1\nL: chkl 2,1,0,9,0,E\njmpl L\nE: out 1,1\nmsg 2,3\nsetv 0,26,0")
        load(sim, "two", WAITS + "\nout 2,5\nwait 2,50\nout 1,5")
        sim.run(2.0)
        assert brick(sim, "one").variables[0] > 0
        assert brick(sim, "two").variables[0] == 3
        assert sim.robot("two").pose.x_m > 0.8


@pytest.mark.parametrize("engine", BOTH)
def test_three_bricks_pass_a_message_on_in_a_ring(engine):
    places = enumerate(((0, 0), (1, 0), (0.5, 0.9)))
    robots = "".join(f'[[robot]]\nname = "r{n}"\nmodel = "rcx-m3"\nx_m = {x}\ny_m = {y}\n' for n, (x, y) in places)
    with scene(engine, "ground = {size_m = [6, 6]}", robots) as sim:
        load(sim, "r0", "wait 2,5\nmsg 2,1\nL: chkl 15,0,3,2,3,E\njmpl L\nE: setv 0,15,0")
        for n in (1, 2):
            load(sim, f"r{n}", f"L: chkl 15,0,3,2,{n},E\njmpl L\nE: wait 2,2\nmsg 2,{n + 1}\nsetv 0,2,{n}")
        sim.run(0.5)
        assert [brick(sim, f"r{n}").variables[0] for n in range(3)] == [3, 1, 2]
