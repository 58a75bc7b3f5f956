"""The results of twelve scenes are what they were: to the bit where they are known, coarsely everywhere."""

import json

import pytest
from golden_runs import GOLDEN, RESULTS, kept, near, result
from record import differences, renewed, text

UNKNOWN = "no golden bits of {}: only poses were compared; python tests/golden/record.py adds them"


@pytest.mark.parametrize("name", GOLDEN)
def test_everything_ends_within_a_centimetre_and_a_degree_of_where_it_did(name):
    poses, now = kept()["poses"][name], result(name).poses
    assert poses.keys() == now.keys()
    assert {who: now[who] for who in poses if not near(poses[who], now[who])} == {}


@pytest.mark.parametrize("name", GOLDEN)
def test_state_and_readings_are_the_same_to_the_bit_on_a_platform_that_is_known(name, record_property):
    """On another platform the note at the end of the tests says so, and the poses above are what is compared."""
    now = result(name)
    known = kept()["bits"].get(now.platform)
    if known is None:
        record_property("note", UNKNOWN.format(now.platform))
    assert now.bits == (known or {name: now.bits})[name], f"run python tests/golden/record.py if {name} was to change"


def test_there_are_results_of_all_scenes_and_of_no_other():
    assert set(kept()["poses"]) == set(GOLDEN)
    assert {name for scenes in kept()["bits"].values() for name in scenes} == set(GOLDEN)


def test_the_file_is_as_record_writes_it():
    assert text(json.loads(RESULTS.read_text())) == RESULTS.read_text()


def test_a_pose_more_than_a_centimetre_or_a_degree_away_is_not_near():
    pose = [1.0, 2.0, 0.0, 0.0, 0.0, 179.9]
    assert near(pose, [1.009, 2.0, 0.0, 0.0, 0.0, -179.9])
    assert not near(pose, [1.012, 2.0, 0.0, 0.0, 0.0, 179.9])
    assert not near(pose, [1.0, 2.0, 0.0, 0.0, 0.0, -178.9])


def test_recording_again_changes_nothing_and_a_changed_bit_is_reported():
    now = {"drives": result("drives")}
    old = renewed({"poses": {}, "bits": {"elsewhere": {"drives": {"state": "0", "readings": "0"}}}}, now)
    assert list(differences(old, renewed(old, now))) == []
    other = json.loads(json.dumps(old))
    other["bits"][now["drives"].platform]["drives"]["state"] = "f" * 16
    assert [line.split(",")[0] for line in differences(old, other)] == ["drives: state ffffffffffffffff"]
