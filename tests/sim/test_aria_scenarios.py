"""What ARIA programs do with a Pioneer, end to end: a client on TCP, whose every cycle time waits for."""

from __future__ import annotations

import math
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from aria_client import AriaClient, Lost

import understudy as us
from understudy.sim import policy
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Quit
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Pose

ROOM = """
schema = 1
tick_ms = 20
noise = "perfect"
ground = {size_m = [10, 8], walled = true}
"""
PLAN = """
wall = [
    {name = "a", points_m = [[-5, 1], [-1.5, 1]]}, {name = "b", points_m = [[0, 1], [2, 1], [2, 4]]},
    {name = "c", points_m = [[2, -4], [2, -1]]}, {name = "d", points_m = [[-2, -4], [-2, -2]]},
]
object = [
    {kind = "box", name = "desk", size_m = [1.2, 0.6, 0.7], x_m = -3.5, y_m = 2.6},
    {kind = "cylinder", name = "post", radius_m = 0.2, height_m = 1.0, x_m = 0.5, y_m = -2},
]
"""
ROBOT = """
[[robot]]
model = "{model}"
name = "{name}"
x_m = {x}
y_m = {y}
port.host = {{link = "tcp://127.0.0.1:0", gate = "{gate}"}}
{more}
"""
NO_GPS = "port.gps = false\nunit.gps = false"


def scene(*robots: tuple[str, float, float], model: str = "p3dx-sh", plan: str = "", gate: str = "reply") -> str:
    more = NO_GPS if model.startswith(("p3dx", "p3at")) else ""
    return (
        ROOM + plan + "".join(ROBOT.format(model=model, name=n, x=x, y=y, gate=gate, more=more) for n, x, y in robots)
    )


@contextmanager
def running(text: str, **settings: object) -> Iterator[Sim]:
    """Run a scene in the background until the block ends."""
    with us.load_text(text, seed=5, ports=True) as sim:
        thread = threading.Thread(target=sim.run)
        thread.start()
        try:
            yield sim
        finally:
            sim.post(Quit())
            thread.join(30)
            assert not thread.is_alive()


def dial(sim: Sim, name: str = "pioneer") -> AriaClient:
    host, port = sim.ports.info()[f"{name}/host"].url.removeprefix("tcp://").split(":")
    return AriaClient(host, int(port))


def wander(client: AriaClient, cycles: int) -> tuple[float, bool]:
    """Go about by sonar and laser; returns the way (mm) and whether anything was ever touched."""
    way, touched, turning = 0.0, False, 0
    for _ in range(cycles):
        x, y = client.x, client.y
        status = client.cycle()
        touched = touched or status.stalled
        way += math.hypot(client.x - x, client.y - y)
        ahead = min([*client.scan[45:136], *(client.sonars.get(n, 5000) for n in range(1, 7))], default=5000)
        if ahead < 650:
            left, right = min(client.scan[90:150]), min(client.scan[30:90])
            turning = turning or (40 if left > right else -40)
            client.velocity(0, turning)
        else:
            turning = 0
            client.velocity(400 if ahead > 1200 else 200, 0)
    return way, touched


def test_wandering_for_ten_minutes_touches_nothing() -> None:
    with running(scene(("pioneer", -3, -2), plan=PLAN)) as sim:
        client = dial(sim).connect(laser=True)
        client.cycle(3)
        way, touched = wander(client, 6000)
        client.close()
        assert not touched
        assert way > 50_000


def test_a_client_gets_the_robot_it_expects() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        client = dial(sim).connect()
        status = client.cycle(3)
        assert (client.name, client.subtype) == ("MobileSim", "p3dx-sh")
        assert (status.motors_on, status.sonar_on, len(status.sonars), status.volts) == (True, True, 16, 13.0)
        client.close()


@pytest.mark.parametrize("model", ["p3dx-no-error", "p3dx-sh-no-error", "p3at-sh-no-error"])
def test_move_and_head_end_where_aria_expects(model: str) -> None:
    with running(scene(("pioneer", 0, 0), model=model)) as sim:
        client = dial(sim).connect()
        client.cycle(2)
        client.move(1000)
        client.until(lambda c: c.x >= 960)
        client.cycle(10)
        client.head(90)
        client.move(500)
        client.until(lambda c: c.y >= 460)
        client.cycle(15)
        assert (client.x, client.y) == (pytest.approx(1000, abs=12), pytest.approx(500, abs=12))
        assert client.heading == pytest.approx(90, abs=1)
        pose = sim.robot("pioneer").pose
        assert (pose.x_m, pose.y_m) == (pytest.approx(1.0, abs=0.012), pytest.approx(0.5, abs=0.012))
        client.close()


def test_driving_into_a_wall_stalls_and_backing_away_clears_it() -> None:
    with running(scene(("pioneer", 3.5, 0), model="p3dx-sh-no-error")) as sim:
        client = dial(sim).connect()
        client.velocity(500, 0)
        client.until(lambda c: c.status is not None and c.status.stalled)
        at = client.x
        client.cycle(5)
        assert client.x == pytest.approx(at, abs=2), "odometry stands while stalled"
        assert sim.robot("pioneer").pose.x_m == pytest.approx(5.0 - 0.21, abs=0.01)
        client.velocity(-200, 0)
        client.until(lambda c: c.status is not None and not c.status.stalled)
        client.until(lambda c: c.x < at - 100)
        client.close()


def test_bumpers_tell_which_side_was_hit() -> None:
    with running(scene(("pioneer", 3.5, 0), model="peoplebot-no-error")) as sim:
        client = dial(sim)
        client.connect()
        client.velocity(400, 0)
        client.until(lambda c: c.status is not None and c.status.stalled)
        status = client.cycle(2)
        assert status.bumpers == (0b01110, 0), "the three in the middle of five, in front"
        client.close()


def test_odometry_drifts_as_its_error_model_says() -> None:
    text = scene(("pioneer", -4.5, 0)) + "unit.arcos.odometry_error = [0.05, 0.05, 0.05]\n"
    text = text.replace('noise = "perfect"', "")
    with running(text) as sim:
        client = dial(sim).connect()
        client.send(237, 1)
        client.velocity(400, 0)
        drifts = []
        for metres in (2, 4, 6):
            client.until(lambda c, m=metres: sim.robot("pioneer").pose.x_m > -4.5 + m)  # type: ignore[misc]
            true_mm = (sim.robot("pioneer").pose.x_m + 4.5) * 1000
            drifts.append((client.x - true_mm) / true_mm)
        (stat,) = [packet for packet in client.packets if packet[0] == 0x62]
        share = struct.unpack_from("<i", stat, len(stat) - 12)[0] / 1e7
        client.close()
        assert 0.001 < abs(share) <= 0.05
        assert drifts == pytest.approx([share] * 3, abs=0.012)


def test_the_true_pose_is_reported_and_can_be_set() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        client = dial(sim).connect(laser=True)
        client.cycle(4)
        client.place(2000, -1500, 90)
        client.until(lambda c: c.moved)
        assert (client.x, client.y) == (0, 0), "odometry does not notice"
        client.send(237, 1)
        client.until(lambda c: any(packet[0] == 0x62 for packet in c.packets))
        stat = next(packet for packet in client.packets if packet[0] == 0x62)
        assert struct.unpack_from("<iiii", stat, 13) == (2000, -1500, 0, 90)
        client.send(225)
        client.cycle(3)
        assert sim.robot("pioneer").pose.x_m == pytest.approx(0.0, abs=1e-6)
        client.close()


@pytest.mark.parametrize(("seen_by", "seen"), [(("laser", "sonar"), True), (("sonar",), False)])
def test_the_laser_sees_a_box_but_not_one_that_lasers_do_not_see(seen_by: tuple[str, ...], seen: bool) -> None:
    box = f'\n[[object]]\nkind = "box"\nsize_m = [0.5, 0.5, 1.0]\nx_m = 2.0\nmass_kg = 10\nseen_by = {list(seen_by)}\n'
    with running(scene(("pioneer", 0, 0)) + box) as sim:
        client = dial(sim).connect(laser=True)
        client.until(lambda c: bool(c.scan))
        expected = 2000 - 250 - 21 if seen else 5000 - 21
        assert client.scan[90] == pytest.approx(expected, abs=2)
        assert client.sonars[3] < 2000
        client.close()


def test_a_laser_gets_the_field_that_the_client_asks_for() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        client = dial(sim).connect()
        for code, value in ((36, -45), (37, 30), (38, 50), (35, 2)):
            client.send(code, value)
        client.until(lambda c: len(c.scan) == 151)  # a number that no setting on the way there has
        assert client.scan[90] == pytest.approx(4979, abs=2)
        # half a degree per ray: ray 0 looks 45 degrees to the right, where the wall at y = -4 is nearest
        assert client.scan[0] == pytest.approx(4000 * math.sqrt(2), abs=3)
        assert client.scan[60] == pytest.approx(4979 / math.cos(math.radians(15)), abs=3)
        client.close()


def test_clients_come_and_go_without_end() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        for n in range(30):
            client = dial(sim).connect(laser=n % 3 == 0)
            status = client.cycle(2)
            assert status.motors_on is (n == 0), "only the first session begins with motors on"
            if n % 2:
                client.close()
            else:
                client.vanish()


def test_a_second_client_is_refused_while_one_is_there() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        first = dial(sim).connect()
        first.cycle(2)
        with pytest.raises(Lost):
            dial(sim).connect()
        first.cycle(5)
        first.close()
        for _ in range(20):
            try:
                again = dial(sim).connect()
            except Lost:
                continue
            again.cycle(2)
            again.close()
            return
        raise AssertionError("the port was not free again")


def test_a_client_that_does_not_read_never_stalls_another() -> None:
    with running(scene(("one", -2, 0), ("two", 2, 0), gate="free")) as sim:
        sim.clock.speed = 20.0
        slow = dial(sim, "one").connect(laser=True)
        quick = dial(sim, "two").connect(laser=True)
        quick.cycle(400)
        assert sim.ports.info()["two/host"].dropped == 0
        quick.close()
        slow.vanish()


def test_a_client_that_says_exit_ends_the_simulation_if_the_rules_let_it() -> None:
    text = scene(("pioneer", 0, 0))
    flat = us.load_text(text).start
    for rules, code in ((policy.MOBILESIM, 7), (policy.DEFAULT, None)):
        with Sim(flat, rules=rules) as sim:
            sim.open_ports()
            thread = threading.Thread(target=sim.run)
            thread.start()
            client = dial(sim).connect()
            client.cycle(2)
            client.send(239, 7)
            for _ in range(14):
                client.cycle()
            sim.post(Quit(0)) if code is None else client.vanish()
            thread.join(30)
            client.vanish()
            assert sim.exit_code == (code or 0)


def test_a_thing_that_is_added_is_seen_by_the_next_scan() -> None:
    with running(scene(("pioneer", 0, 0))) as sim:
        client = dial(sim).connect(laser=True)
        client.until(lambda c: bool(c.scan))
        sim.post(Add(Solid(name="new", shape=Box((0.5, 0.5, 1.0)), pose=Pose(1.5), mass_kg=3.0)))
        client.until(lambda c: c.scan[90] == pytest.approx(1229, abs=2))
        client.close()
