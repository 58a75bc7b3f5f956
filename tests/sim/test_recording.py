import csv
import sys

import numpy as np
import pytest
from contracts.listener_contract import check_listener
from scenes import robot, room

from understudy.errors import FormatError, UnderstudyError, UnknownName
from understudy.sim.record_files import MemoryRows
from understudy.sim.recording import Recording, channels
from understudy.sim.sim import Sim
from understudy.world.changes import Remove


@pytest.fixture
def sim():
    with Sim(room(robot("scout", -1.0), robot("other", 1.0, 1.0)), seed=3) as it:
        it.robot("scout").drive(0.4, 0.2)
        yield it


def test_a_recording_is_a_listener_that_changes_nothing():
    check_listener(lambda: Recording(lambda view: channels(view, ["*"]), MemoryRows()))


def test_the_columns_are_named_with_their_units_and_time_comes_first(sim):
    with sim.record(["scout/pose", "scout/velocity", "scout/front"]) as recording:
        sim.step()
    assert recording.columns[:2] == ("time_s", "scout/pose.x_m")
    assert recording.columns[7:11] == (
        "scout/velocity.ahead_m_s", "scout/velocity.left_m_s", "scout/velocity.turn_rad_s", "scout/front.range_m[0]",
    )  # fmt: skip


def test_every_tick_is_a_row_after_the_first_moment(sim):
    with sim.record(["scout/pose"]) as recording:
        sim.run(0.05)
    assert recording["time_s"] == pytest.approx(np.arange(11) * 0.005)
    assert recording["scout/pose.x_m"][-1] == sim.robot("scout").pose.x_m


def test_rows_are_as_far_apart_as_asked_for(sim):
    with sim.record(["scout/pose"], every_s=0.1) as recording:
        sim.run(0.42)
    assert recording["time_s"].tolist() == [0.0, 0.1, 0.2, 0.3, 0.4]


def test_a_channel_is_read_as_one_array(sim):
    with sim.record(["scout/front"]) as recording:
        sim.run(0.5)
    assert (recording["scout/front"][-1] == sim.robot("scout").read("front")).all()


def test_a_star_stands_for_all_robots(sim):
    with sim.record("*/pose") as recording:
        sim.step()
    assert {column.split(".")[0] for column in recording.columns} == {"time_s", "scout/pose", "other/pose"}


def test_recording_ends_when_it_is_closed_and_can_be_read_afterwards(sim):
    recording = sim.record(["scout/pose"])
    sim.step()
    recording.close()
    recording.close()
    sim.step()
    assert len(recording) == len(recording["time_s"]) == 2


def test_a_reset_begins_the_recording_again(sim):
    with sim.record(["scout/pose"], every_s=0.1) as recording:
        sim.run(0.5)
        sim.reset()
        sim.run(0.2)
    assert recording["time_s"].tolist() == [0.0, 0.1, 0.2]


def test_a_robot_that_is_removed_leaves_nan(sim):
    with sim.record(["other/pose", "other/front", "scout/pose"]) as recording:
        sim.change(Remove("other"))
        sim.step()
    assert np.isnan(recording["other/pose"][-1]).all()
    assert np.isnan(recording["other/front"][-1]).all()
    assert np.isfinite(recording["scout/pose"][-1]).all()


def test_a_csv_file_has_the_recorded_numbers(sim, tmp_path):
    with sim.record(["scout/pose"], tmp_path / "run.csv", every_s=0.1) as recording:
        sim.run(0.2)
    with (tmp_path / "run.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == list(recording.columns)
    assert float(rows[-1][1]) == pytest.approx(sim.robot("scout").pose.x_m, abs=1e-9)
    assert len(rows) == 4


def test_a_csv_file_is_finished_when_the_simulation_is_closed(tmp_path):
    with Sim(room(robot("scout")), seed=3) as sim:
        sim.record(["scout/stalled"], tmp_path / "run.csv")
        sim.step(3)
    assert (tmp_path / "run.csv").read_text().splitlines()[-1] == "0.015000,0"


def test_a_csv_file_can_be_read_back_while_it_is_written(sim, tmp_path):
    recording = sim.record(["scout/pose"], tmp_path / "run.csv")
    sim.step(2)
    assert recording["time_s"].tolist() == [0.0, 0.005, 0.01]


def test_a_parquet_file_has_the_recorded_numbers(sim, tmp_path):
    import pyarrow.parquet

    with sim.record(["scout/pose", "scout/front"], tmp_path / "run.parquet") as recording:
        sim.run(0.1)
    table = pyarrow.parquet.read_table(str(tmp_path / "run.parquet"))
    assert table.column_names == list(recording.columns)
    assert table["scout/pose.x_m"].to_numpy()[-1] == sim.robot("scout").pose.x_m
    assert recording["scout/front"].shape == (21, 31)


def test_a_parquet_file_cannot_be_read_before_it_is_closed(sim, tmp_path):
    recording = sim.record(["scout/pose"], tmp_path / "run.parquet")
    with pytest.raises(UnderstudyError, match=r"still being written: close\(\) the recording first"):
        recording.to_arrays()


def test_a_data_frame_has_the_time_as_its_index(sim):
    with sim.record(["scout/pose"], every_s=0.1) as recording:
        sim.run(0.2)
    frame = recording.to_dataframe()
    assert (frame.index.name, list(frame.index)) == ("time_s", [0.0, 0.1, 0.2])
    assert frame["scout/pose.x_m"].iloc[-1] == sim.robot("scout").pose.x_m


@pytest.mark.parametrize(("module", "act"), [
    ("pandas", lambda sim, folder: sim.record(["scout/pose"]).to_dataframe()),
    ("pyarrow", lambda sim, folder: sim.record(["scout/pose"], folder / "run.parquet")),
])  # fmt: skip
def test_a_missing_library_is_named_with_its_extra(sim, tmp_path, monkeypatch, module, act):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnderstudyError, match=rf"needs {module}, .* pip install 'understudy\[data\]'"):
        act(sim, tmp_path)


def test_an_unknown_name_is_refused_with_a_suggestion_and_no_file_is_made(sim, tmp_path):
    with pytest.raises(UnknownName, match=r"named 'scout/fronnt' \(did you mean 'scout/front'\?\)"):
        sim.record(["scout/fronnt"], tmp_path / "run.csv")
    assert not (tmp_path / "run.csv").exists()


def test_other_files_are_refused(sim, tmp_path):
    (tmp_path / "letter.csv").write_text("dear all")
    with pytest.raises(FormatError, match="not overwritten"):
        sim.record(["scout/pose"], tmp_path / "letter.csv")
    with pytest.raises(FormatError, match=r"a \.csv or a \.parquet file"):
        sim.record(["scout/pose"], tmp_path / "run.xlsx")


@pytest.mark.parametrize("every_s", [0.0, -1.0, float("nan"), float("inf"), 1e-9])
def test_a_time_between_rows_that_makes_no_sense_is_refused(sim, every_s):
    with pytest.raises(UnderstudyError, match="above 0"):
        sim.record(["scout/pose"], every_s=every_s)


def test_a_recording_tells_what_it_holds(sim):
    with sim.record(["scout/pose"]) as recording:
        sim.step()
    assert repr(recording) == "<Recording: 2 rows of scout/pose (6)>"


def test_what_was_not_recorded_is_named(sim):
    with pytest.raises(UnknownName, match=r"'scout/pos' was not recorded \(did you mean 'scout/pose'\?\)"):
        sim.record(["scout/pose"])["scout/pos"]
