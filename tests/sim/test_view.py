"""What listeners and protocols of the scene see of a run: everything, and never the engine."""

import math

import numpy as np
import pytest
from contracts.toy import ICONS, Press, ToySheet, toys_in_the_tables
from limbs import panning
from scenes import box, model, robot, room

from understudy.errors import UnderstudyError, UnknownName
from understudy.robots.base import Offer
from understudy.sim.sim import Sim
from understudy.tape import Tape, TapeWriter, replay
from understudy.tape.playback import TapeSim
from understudy.world.news import At
from understudy.world.robot import Program, UnitSpec


class Watcher:
    """Keeps what it makes of every snapshot."""

    def __init__(self, look):
        self._look, self.seen = look, []

    def begin(self, sim):
        pass

    def tick(self, snapshot):
        self.seen.append(self._look(snapshot))

    def end(self, reason):
        pass


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def toy_scene():
    return room(robot("scout", parts=model(units=(UnitSpec(name="meter", sheet=ToySheet()),))))


def watched(look, scene=None, ticks=3, before=lambda sim: None):
    with Sim(scene or room(), seed=1) as sim:
        watcher = Watcher(look)
        sim.attach(watcher)
        before(sim)
        sim.step(ticks)
    return watcher.seen


# ---- values


def test_a_snapshot_has_every_reading_with_stamp_and_columns():
    seen = watched(
        lambda s: {path: (s.stamp_us(path), len(s.columns(path)), s.reading(path).shape) for path in s.devices()}
    )
    assert set(seen[-1]) == {"scout/front", "scout/sonar", "scout/gps", "scout/wheels"}
    assert seen[-1]["scout/front"] == (0, 31, (31,))


def test_a_snapshot_has_panels_and_the_orders_that_they_offer():
    (seen,) = watched(lambda s: (s.panel("scout/meter").ticks, s.offers("scout/meter")), toy_scene(), 1)
    assert seen == (1, (Offer("run", Press()),))


def test_an_order_that_a_panel_offers_can_be_given():
    with Sim(toy_scene(), seed=1) as sim:
        sim.robot("scout").order(sim.view().offers("scout/meter")[0].order)
        sim.step()
        assert sim.view().offers("scout/meter")[0].label == "stop"


def test_a_unit_offers_nothing_unless_it_says_so():
    with Sim(room(), seed=1) as sim:
        assert [sim.view().offers(unit) for unit in sim.view().units()] == [()]


def test_a_snapshot_has_contacts():
    scene = room(robot("scout"), objects=(box("crate", 0.45, 0.0),))
    seen = watched(lambda s: (s.contacts()[:, 0].tolist(), s.stalled("scout"), s.blocked()), scene, 200,
                   lambda sim: sim.robot("scout").drive(0.5))  # fmt: skip
    assert seen[-1] == ([0.0], True, (True,))


def test_a_snapshot_has_joints_by_path():
    scene = room(robot("arm", parts=panning()))
    with Sim(scene, seed=1) as sim:
        view = sim.view()
        joints = view.joints()
        assert list(joints) == [f"arm/{joint.name}" for joint in sim.current.robots[0].built.joints]
        assert len(view.limbs()) == len(joints)
        with pytest.raises(TypeError):
            joints["arm/pan"] = None


def test_values_are_copies():
    with Sim(room(), seed=1) as sim:
        before = sim.hash()
        view = sim.view()
        for values in (view.poses(), view.twists(), view.travel(), view.contacts(), view.reading("scout/front")):
            values[:] = math.pi
        assert sim.hash() == before
        assert not np.array_equal(view.poses(), np.full_like(view.poses(), math.pi))


def test_a_view_of_a_past_tick_says_so_instead_of_showing_another():
    with Sim(room(), seed=1) as sim:
        view = sim.view()
        sim.step()
        with pytest.raises(UnderstudyError, match="this view of tick 0 is used at tick 1"):
            view.poses()


def test_unknown_paths_are_named_with_the_nearest():
    with Sim(room(), seed=1) as sim:
        for ask in (sim.view().reading, sim.view().panel, sim.view().pose):
            with pytest.raises(UnknownName, match="scout"):
                ask("scot")


# ---- where programs are


def test_a_snapshot_has_the_positions_of_programs_in_units():
    seen = watched(lambda s: dict(s.positions()), toy_scene(), 2, lambda sim: sim.robot("scout").order(Press()))
    assert seen[0] == {"scout/meter": (At("icons", line=3, words="drive"),)}


def test_a_snapshot_has_the_lines_of_python_programs(tmp_path):
    (tmp_path / "p.py").write_text("def main(robot):\n    robot.drive(0.1)\n    robot.wait(9)  # long\n")
    with Sim(room(), folder=tmp_path, user_programs={"scout": Program("p.py")}) as sim:
        watcher = Watcher(lambda s: s.positions().get("scout"))
        sim.attach(watcher)
        sim.step(2)
    assert watcher.seen[1] == (At("p.py", line=3, words="robot.wait(9)  # long", t_us=10_000),)


def test_a_snapshot_has_the_lines_of_programs_in_real_time(tmp_path):
    (tmp_path / "p.py").write_text("def main(robot):\n    robot.drive(0.1)\n    robot.wait(9)  # long\n")
    with Sim(room(), folder=tmp_path, user_programs={"scout": Program("p.py", "realtime")}) as sim:
        for _ in range(2000):
            sim.step()
            sim.clock.pace(sim.tick + 1, 10.0)
            if sim.program_positions() and sim.program_positions()["scout"][0].line == 3:
                break
        assert sim.program_positions()["scout"][0].words == "robot.wait(9)  # long"


def steps(news):
    return [(each.t_us, each.line, each.words) for _, each in news if isinstance(each, At)]


def test_steps_finer_than_a_tick_have_their_own_times():
    seen = watched(lambda s: steps(s.news), toy_scene(), 2, lambda sim: sim.robot("scout").order(Press()))
    assert seen == [
        [(2_000, 2, "wait"), (4_000, 3, "drive")],
        [(6_000, 4, "stop"), (8_000, 1, "beep"), (10_000, 2, "wait")],
    ]


@pytest.mark.parametrize("level", ["inbox", "state", "full"])
def test_a_tape_keeps_steps_finer_than_a_tick(tmp_path, level):
    with Sim(toy_scene(), seed=1) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape", level))
        sim.robot("scout").order(Press())
        sim.step(20)
    kept = [news for _, path, news in Tape(tmp_path / "a.tape").news() if path == "scout/meter"]
    assert [step.t_us for step in kept] == ([] if level == "inbox" else list(range(2_000, 100_001, 2_000)))
    assert replay(tmp_path / "a.tape").mismatch is None


def test_a_replay_yields_the_steps_again(tmp_path):
    with Sim(toy_scene(), seed=1) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.robot("scout").order(Press())
        sim.step(4)
    with TapeSim(tmp_path / "a.tape") as tape:
        watcher = Watcher(lambda s: steps(s.news))
        tape.attach(watcher)
        tape.step(4)
    assert [t_us for seen in watcher.seen for t_us, *_ in seen] == list(range(2_000, 20_001, 2_000))


def test_a_replay_with_other_steps_is_found(tmp_path, monkeypatch):
    with Sim(toy_scene(), seed=1) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.robot("scout").order(Press())
        sim.step(4)
    monkeypatch.setattr("contracts.toy.ICONS", ICONS[::-1])
    found = replay(tmp_path / "a.tape").mismatch
    assert (found.tick, found.what) == (1, "steps of programs")
