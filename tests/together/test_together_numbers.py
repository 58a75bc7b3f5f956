"""Programs get the same process numbers in each run, where that is allowed."""

import os

from understudy.together.numbers import ProcessNumbers


def test_numbers_are_taken_one_after_the_other_and_begin_again():
    numbers = ProcessNumbers()
    taken = [numbers.take() for _ in range(20)]
    assert taken == sorted(set(taken))
    assert taken[-1] - taken[0] < 100
    assert {numbers.take() for _ in range(1000)} >= set(taken)


def test_a_number_that_somebody_has_is_left_out():
    numbers = ProcessNumbers()
    numbers._first = os.getpid()
    assert numbers.take() != os.getpid()


def test_who_may_not_choose_gets_none():
    numbers = ProcessNumbers()
    numbers.refuse()
    assert numbers.take() == 0
