"""The toy device keeps the contracts, so their checkers are known to pass on something that uses all of them."""

import pytest
from contracts.protocol_contract import check_protocol
from contracts.scene_bench import SceneBench
from contracts.toy import ToyTalk, ToyTalkSheet, toys_in_the_tables
from contracts.toy_motors import Ramp, ToyMotors
from contracts.toy_scene import SceneTalk, SceneTalkSheet
from contracts.unit_contract import check_unit
from robots.robots_fakes import Bench

TALK = b"READ\nDRIVE 0.2\nSTORE abc\n\xff\x00what?\nTEXT\nSTOP IN 20\nREAD\nBAUD 19200\nREAD\nRE"
SCENE_TALK = (
    b"ROBOTS\nREAD scout/front\nDRIVE scout 0.2\n\xff\x00what?\nDRIVE nobody 1\nTIME\nWHERE scout\nPAUSE\nWAIT 20\nRO"
)


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def test_the_toy_unit_keeps_the_contract():
    check_unit(lambda: Bench("toy"))


def test_the_toy_unit_with_outputs_keeps_the_contract():
    check_unit(lambda: Bench("toy_motors"), (Ramp("A", 1.0), Ramp("C", -0.5)))


def test_the_checker_finds_a_unit_that_holds_on_to_old_outputs(monkeypatch):
    monkeypatch.setattr(ToyMotors, "rewire", lambda self, wiring: None)
    with pytest.raises(AssertionError):
        check_unit(lambda: Bench("toy_motors"), (Ramp("A", 1.0),))


def test_the_checker_finds_a_unit_that_forgets_its_ramp_when_it_is_saved(monkeypatch):
    whole = ToyMotors.restore
    monkeypatch.setattr(ToyMotors, "restore", lambda self, state: whole(self, {**state, "wanted": {}}))
    with pytest.raises(AssertionError):
        check_unit(lambda: Bench("toy_motors"), (Ramp("A", 1.0),))


def test_the_toy_protocol_keeps_the_contract():
    check_protocol(lambda: ToyTalk(ToyTalkSheet(), "robot"), lambda: Bench("toy").unit, TALK)


def test_the_toy_protocol_of_scenes_keeps_the_contract():
    check_protocol(lambda: SceneTalk(SceneTalkSheet(), ""), SceneBench, SCENE_TALK)


def test_the_checker_finds_a_protocol_that_forgets_an_answer_when_it_is_saved():
    class Forgetful(ToyTalk):
        def restore(self, state):
            super().restore({**state, "out": ""})

    with pytest.raises(AssertionError):
        check_protocol(lambda: Forgetful(ToyTalkSheet(), "robot"), lambda: Bench("toy").unit, TALK)
