import numpy as np
import pytest
from scenes import robot, room

from understudy.errors import TapeError
from understudy.sim.sim import Sim
from understudy.tape import Tape, TapeWriter
from understudy.world.changes import Remove


def taped(path, act=lambda sim: None, level="state"):
    """Return the tape of a run and what was recorded beside it."""
    with Sim(room(robot("scout", -1.0), robot("other", 1.0, 1.0)), seed=3) as sim:
        sim.attach(TapeWriter(path, level))
        recording = sim.record(["scout/pose", "scout/velocity", "other/pose", "other/velocity"])
        sim.robot("scout").drive(0.3, 0.5)
        sim.run(0.5)
        act(sim)
        sim.run(0.1)
        return Tape(path), recording.to_arrays()


def test_a_tape_has_the_columns_of_a_recording_with_the_same_numbers(tmp_path):
    tape, recorded = taped(tmp_path / "a.tape")
    columns = tape.to_arrays()
    assert list(columns) == list(recorded)
    assert all(np.array_equal(columns[name], recorded[name][1:]) for name in columns)


def test_exchanges_while_time_is_paused_are_no_rows(tmp_path):
    def act(sim):
        sim.pause()
        sim.robot("scout").move_to(0.0, -1.0)
        sim.resume()

    assert len(taped(tmp_path / "a.tape", act)[0].to_arrays()["time_s"]) == 120


def test_a_tape_without_states_says_so(tmp_path):
    with pytest.raises(TapeError, match="level inbox, so it has no poses; record with level state"):
        taped(tmp_path / "a.tape", level="inbox")[0].to_arrays()


def test_a_tape_on_which_robots_go_says_so(tmp_path):
    with pytest.raises(TapeError, match="tick 101: robots were added or removed"):
        taped(tmp_path / "a.tape", lambda sim: sim.post(Remove("other")))[0].to_arrays()


def test_a_tape_tells_what_it_is(tmp_path):
    tape, _ = taped(tmp_path / "a.tape")
    assert repr(tape) == f"<Tape {tmp_path / 'a.tape'}: level state, planar engine, seed 3, 2 robots>"
    assert "<svg" in tape._repr_html_()
