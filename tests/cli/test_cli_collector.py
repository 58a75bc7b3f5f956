"""The garbage collector is held while a command starts, and works again as soon as there is a simulation."""

import gc

import pytest

from understudy.cli import collector


@pytest.fixture(autouse=True)
def as_before():
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.parametrize("verb", ["run", "studio", "mobilesim", "examples"])
def test_it_is_held_until_it_is_released(verb):
    with collector.held([verb], for_good=False):
        assert not gc.isenabled()
        collector.release()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, 0)


def test_it_works_again_after_an_error():
    with pytest.raises(RuntimeError), collector.held(["run"], for_good=False):
        raise RuntimeError
    assert gc.isenabled()


def test_short_verbs_do_not_hold_it():
    with collector.held(["check"], for_good=False):
        assert gc.isenabled()


def test_a_process_that_ends_does_not_look_through_what_was_there():
    with collector.held(["run"], for_good=True):
        collector.release()
    assert gc.get_freeze_count() > 0


def test_releasing_what_nobody_holds_changes_nothing():
    collector.release()
    assert gc.get_freeze_count() == 0
