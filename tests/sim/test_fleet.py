import numpy as np
import pytest
from scenes import PERFECT, model, pioneer_model, robot, room

from understudy.errors import UnknownName
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Remove


def crowd(count=5, **extra):
    robots = [robot(f"r{i}", -2.0 + i, -1.0 + 0.4 * i, parts=model(PERFECT)) for i in range(count)]
    return room(*robots, width=12.0, depth=8.0, **extra)


@pytest.fixture
def sim():
    with Sim(crowd(), seed=1) as it:
        yield it


def test_every_robot_has_a_row_in_the_scenes_order(sim):
    assert sim.fleet.names == ("r0", "r1", "r2", "r3", "r4")
    assert len(sim.fleet) == 5
    assert sim.fleet.poses[:, 0].tolist() == [-2.0, -1.0, 0.0, 1.0, 2.0]


def test_one_call_drives_everybody(sim):
    sim.fleet.drive(0.2, np.linspace(-0.5, 0.5, 5))
    sim.run(1.0)
    assert np.all(np.diff(sim.fleet.poses[:, 5]) > 0.1)


def test_a_fleet_order_does_what_single_orders_do(sim):
    sim.fleet.drive(np.arange(5) * 0.05, 0.1)
    with Sim(crowd(), seed=1) as other:
        for i, each in enumerate(other.robots):
            each.drive(i * 0.05, 0.1)
        for one in (sim, other):
            one.run(2.0)
        assert sim.hash() == other.hash()


def test_nan_leaves_a_robot_as_it_is(sim):
    sim.fleet.drive(0.2)
    sim.step()
    sim.fleet.drive(np.array([np.nan, 0.0, 0.0, 0.0, 0.0]))
    sim.run(2.0)
    moved = sim.fleet.poses[:, 0] - np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert moved[0] > 0.3
    assert np.all(moved[1:] < 0.05)


def test_firmware_obeys_its_row_with_its_own_ramps():
    with Sim(room(robot("a", -1.0), robot("p", 1.0, parts=pioneer_model())), seed=1) as sim:
        sim.fleet.drive(0.5, 0.0)
        sim.run(0.5)
        fast, ramped = sim.fleet.poses[:, 0] - [-1.0, 1.0]
        assert 0.0 < ramped < 0.5 * fast


def test_readings_come_as_rows_and_cannot_be_written(sim):
    ranges = sim.fleet.read("front")
    assert ranges.shape == (5, 31)
    assert ranges[2].tobytes() == sim.robot("r2").read("front").tobytes()
    with pytest.raises(ValueError, match="read-only"):
        ranges[0] = 0.0


def test_robots_with_and_without_a_device_are_distinguished():
    bare = model(devices=())
    with Sim(room(robot("a", -1.0, parts=bare), robot("b", 1.0))) as sim:
        assert sim.fleet.rows("front").tolist() == [1]
        assert sim.fleet.read("front").shape == (1, 31)


def test_an_unknown_device_is_named(sim):
    with pytest.raises(UnknownName, match=r"no robot has a device 'frnt' \(did you mean 'front'\?\)"):
        sim.fleet.read("frnt")


def test_an_order_for_another_number_of_robots_is_dropped(sim):
    fleet = sim.fleet
    fleet.drive(0.5)
    sim.inbox.post("api", Remove("r4"))
    fleet.drive(0.5)
    sim.step(10)
    assert len(sim.fleet) == 4


def test_fleet_orders_are_on_the_tape(sim, tmp_path):
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    sim.fleet.drive(0.2, np.linspace(-1, 1, 5))
    sim.run(1.0)
    final = sim.hash()
    sim.close()
    found = replay(tmp_path / "a.tape")
    assert (found.hash, found.mismatch) == (final, None)


def test_the_number_of_threads_never_changes_a_result(monkeypatch):
    from understudy.sensors import level_rays

    monkeypatch.setattr(level_rays, "FEW", 2)

    def end(threads):
        with Sim(crowd(), seed=3, threads=threads) as sim:
            sim.fleet.drive(0.3, np.linspace(-1, 1, 5))
            sim.run(1.0)
            return sim.hash(), sim.fleet.read("front").tobytes()

    assert end(1) == end(2) == end(3)
