from pathlib import Path

import numpy as np
import pytest

from understudy.sim.sim import Sim

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FREE, NEAR = 5.0, 0.5
GOING = np.array([False])  # not stalled


@pytest.fixture
def workload(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import workload

    return workload


def scan(right=FREE, front=FREE, left=FREE):
    return np.repeat([[right, front, left]], 60, axis=1)


def test_the_floor_is_the_published_one(workload):
    floor = workload.hospital()
    assert floor.segments.shape == (1656, 4)
    assert floor.beds.shape == (224, 4, 2)
    assert floor.segments.sum() == pytest.approx(331225.428200338, abs=1e-6)


def test_the_robots_begin_where_they_always_did(workload):
    poses = workload.population(3).poses
    assert poses[0] == pytest.approx([15.14468237, 92.39289127, -2.69912712], abs=1e-8)


def test_more_robots_leave_the_first_ones_where_they_are(workload):
    assert np.array_equal(workload.population(30).poses[:10], workload.population(10).poses)


def test_robots_begin_clear_of_walls(workload):
    work = workload.population(50)
    gaps = [workload.wall_distances(work.segments, pose[:2]).min() for pose in work.poses]
    assert min(gaps) >= workload.RADIUS_M + workload.CLEAR_WALL_M


def test_robots_begin_clear_of_each_other(workload):
    places = workload.population(50).poses[:, :2]
    gaps = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + np.eye(50)
    assert gaps.min() >= 2 * workload.RADIUS_M + workload.CLEAR_ROBOT_M


def test_nobody_begins_inside_a_bed(workload):
    floor = workload.hospital()
    assert not any(workload.is_free(floor, corners.mean(axis=0)) for corners in floor.beds)


def test_floors_are_laid_out_without_touching(workload):
    work = workload.population(10, floors=5)
    assert len(work.segments) == 5 * 1656
    assert workload.tile_offsets(5).tolist() == [[0, 0], [0, 101], [0, 202], [101, 0], [101, 101]]


def test_every_floor_gets_equally_many_robots(workload):
    floors = workload.population(12, floors=4).poses[:, :2] // workload.PITCH_M
    _, counts = np.unique(floors, axis=0, return_counts=True)
    assert counts.tolist() == [3, 3, 3, 3]


def test_every_device_is_sensed_at_every_step(workload):
    with Sim(workload.population(2).scene()) as sim:
        sim.step(3)
        assert [batch.samples for batch in sim.current.batches] == [4, 4]


def test_devices_have_the_published_size(workload):
    with Sim(workload.population(2).scene()) as sim:
        assert [batch.values.shape for batch in sim.current.batches] == [(2, 180), (2, 16)]


def test_noise_can_be_switched_off(workload):
    work = workload.population(2)
    with Sim(work.scene(), seed=1) as noisy, Sim(work.scene(noisy=False), seed=1) as quiet:
        off = noisy.current.batches[0].values - quiet.current.batches[0].values
    assert 0.008 < off.std() < 0.012


def test_a_free_robot_drives_ahead(workload):
    assert workload.Wander(1)(scan(), GOING).tolist() == [[0.5, 0.0, 0.0]]


@pytest.mark.parametrize(("right", "left", "turn"), [(FREE, NEAR, -1.0), (NEAR, FREE, 1.0)])
def test_a_blocked_robot_turns_to_the_freer_side(workload, right, left, turn):
    targets = workload.Wander(1)(scan(right, NEAR, left), GOING)
    assert targets.tolist() == [[0.0, 0.0, turn]]


def test_a_turn_lasts_ten_steps_although_the_way_is_free_again(workload):
    wander = workload.Wander(1)
    wander(scan(NEAR, NEAR, FREE), GOING)
    turns = [wander(scan(), GOING)[0, 2] for _ in range(11)]
    assert turns == [1.0] * 9 + [0.0] * 2


def test_a_turn_goes_on_while_the_way_is_blocked(workload):
    wander = workload.Wander(1)
    turns = [wander(scan(NEAR, NEAR, FREE), GOING)[0, 2] for _ in range(30)]
    assert turns == [1.0] * 30


def test_a_stalled_robot_turns(workload):
    assert workload.Wander(1)(scan(), np.array([True]))[0, 0] == 0.0


def test_robots_decide_for_themselves(workload):
    scans = np.concatenate([scan(), scan(front=NEAR)])
    assert workload.Wander(2)(scans, np.array([False, False]))[:, 0].tolist() == [0.5, 0.0]
