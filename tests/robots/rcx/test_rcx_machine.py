"""Tasks, time, events, resources and sensors of the virtual machine."""

from __future__ import annotations

import pytest
from robots.rcx.rcx_bench import after, loaded, ran

from understudy.robots.rcx.inputs import RcxInput, Signal, celsius, raw_of_celsius, raw_of_percent
from understudy.robots.rcx.registers import ON
from understudy.robots.rcx.sheet import RcxSheet

TWO_TASKS = """
task 0
start 1
setv 47,2,1
wait 2,1
setv 0,0,47
endt
task 1
setv 47,2,2
setv 1,0,47
endt
"""


def test_the_first_program_of_the_thesis_takes_a_millisecond_per_instruction():
    """LURobotSim thesis, table 3.1: motor A runs for two seconds from the sixth instruction on."""
    text = "tmrz 3\nset 24,9,2,1\nset 0,47,2,5\nmulv 47,2,20\nset 5,0,0,47\nout 2,1\nwait 2,200\nout 1,1"
    machine = loaded(text, "swan")
    on = [ms for ms in range(1, 2100) if after(machine, 1).bank.drives()[0].mode == ON]
    assert (on[0], on[-1], machine.variable(0, 47)) == (6, 2006, 100)


def test_variables_from_32_on_belong_to_their_task():
    assert ran(TWO_TASKS).memory[:2] == [1, 2]


def test_a_subroutine_uses_the_variables_of_its_caller():
    machine = ran("sub 0\nsumv 40,2,1\nends\ntask 0\nsetv 40,2,6\ncalls 0\nsetv 0,0,40\nendt")
    assert machine.memory[0] == 7


def test_every_task_runs_one_instruction_per_millisecond():
    machine = loaded("task 0\nstart 1\nL: sumv 0,2,1\njmp L\nendt\ntask 1\nL: sumv 1,2,1\njmp L\nendt")
    after(machine, 101)
    assert machine.memory[:2] == [50, 51]


def test_at_the_pace_of_a_brick_all_tasks_share_its_time():
    text = "task 0\nstart 1\nL: sumv 0,2,1\njmp L\nendt\ntask 1\nL: sumv 1,2,1\njmp L\nendt"
    machine = after(loaded(text, brick_pace=True), 3000)
    assert abs(machine.memory[0] - 250) <= 1
    assert abs(machine.memory[1] - 250) <= 1


def test_a_task_that_is_started_again_begins_again():
    machine = loaded(
        "task 0\nstart 1\nwait 2,1\nstart 1\nwait 2,5\nendt\ntask 1\nsumv 0,2,1\nwait 2,100\nsetv 1,2,1\nendt"
    )
    assert after(machine, 200).memory[:2] == [2, 0]


def test_a_program_that_selects_another_starts_it():
    machine = loaded("L: jmp L")
    machine.select(3)
    for fragment in loaded("setv 5,2,5").slots[0]:
        machine.store(fragment)
    machine.select(0)
    for fragment in loaded("prgm 3").slots[0]:
        machine.store(fragment)
    machine.start(0)
    assert after(machine, 10).memory[5] == 5


def test_a_state_continues_with_the_same_steps():
    one = after(loaded(TWO_TASKS), 3)
    other = loaded("stop")
    other.recall(one.programs())
    other.restore(one.state())
    assert after(one, 40).state() == after(other, 40).state()


# ---- resources


def test_a_task_of_higher_priority_takes_resources_away():
    text = """
task 0
setp 5
monal 1,Lost
start 1
wait 2,50
stop 0
Lost: setv 0,2,1
L: jmp L
endt
task 1
setp 2
monal 1,Lost
setv 1,2,1
L: jmp L
Lost: setv 2,2,1
endt
"""
    machine = ran(text)
    assert machine.memory[:3] == [1, 1, 0]


def test_a_task_of_lower_priority_goes_to_its_handler_at_once():
    high = "task 0\nsetp 2\nmonal 9,L\nstart 1\nL: jmp L\nendt\n"
    text = f"{high}task 1\nsetp 5\nmonal 8,Lost\nsetv 0,2,1\nstop 1\nLost: setv 1,2,1\nendt"
    assert ran(text).memory[:2] == [0, 1]


def test_a_task_that_is_stopped_gives_its_resources_back():
    machine = ran("task 0\nmonal 1,L\nL: start 1\nendt\ntask 1\nsetp 9\nmonal 1,L\nsetv 0,2,1\nL: wait 2,9\nendt")
    assert machine.memory[0] == 1


# ---- events

WAITS = "mone 2,1,H\nL: jmp L\nH: setv 0,2,1"


def watched(source, kind, extra=""):
    return after(loaded(f"{extra}\nsete 0,{source},{kind}\n{WAITS}"), 12)


def feel(machine, raw, ms=9):
    machine.inputs[0].feel(Signal(raw))
    return after(machine, ms)


@pytest.mark.parametrize(
    ("kind", "extra", "raws"),
    [
        (0, "sent 0,1", (180,)),
        (1, "sent 0,1", (180, 1023)),
        (2, "sent 0,1\nsenm 0,3,0", (180, 1023)),
        (3, "sent 0,1\nsenm 0,2,0", (180,)),
        (7, "senm 0,0,5", (1000,)),
        (8, "set 28,0,2,800\nset 29,0,2,300", (100,)),
        (9, "set 28,0,2,800\nset 29,0,2,300", (500,)),
        (10, "set 28,0,2,800\nset 29,0,2,300", (500, 900)),
        (11, "set 28,0,2,800\nset 29,0,2,300", (100, 900, 100)),
        (12, "set 28,0,2,800\nset 29,0,2,300", (100, 900, 100, 900, 100)),
        (11, "sent 0,1\nset 28,0,2,0\nset 29,0,2,1", (180, 1023)),
    ],
)
def test_an_event_happens_with_the_last_of_its_readings_and_not_before(kind, extra, raws):
    machine = watched(0, kind, extra)
    for raw in raws[:-1]:
        feel(machine, raw, 400 if kind == 2 else 9)
        assert machine.memory[0] == 0
    assert feel(machine, raws[-1]).memory[0] == 1


def test_a_message_is_an_event_also_if_it_is_an_equal_one():
    machine = watched(7, 14)
    machine.receive(0)
    assert after(machine, 5).memory[0] == 1


def test_timers_and_counters_are_sources_of_events():
    timer = watched(3, 10, "set 28,0,2,2\ntmrz 0")
    assert after(timer, 250).memory[0] == 0
    assert after(timer, 60).memory[0] == 1
    count = "task 1\nwait 2,1\ncnti 1\ncnti 1\ncnti 1\nendt"
    counter = loaded(f"task 0\nsete 0,9,10\nset 28,0,2,2\nwait 2,1\nstart 1\n{WAITS}\nendt\n{count}")
    assert after(counter, 40).memory[0] == 1


def test_hysteresis_makes_it_harder_to_leave_a_range():
    machine = watched(0, 9, "set 28,0,2,800\nset 29,0,2,300\nset 30,0,2,100")
    feel(machine, 250)
    assert feel(machine, 390).memory[0] == 0
    assert feel(machine, 410).memory[0] == 1


def test_an_event_aborts_a_wait():
    machine = loaded("sete 0,7,14\nmone 2,1,H\nwait 2,1000\nstop 0\nH: setv 0,2,1")
    after(machine, 5)
    machine.receive(1)
    assert after(machine, 3).memory[0] == 1


# ---- sensors


def test_booleans_have_hysteresis():
    port = RcxInput(type=1, mode=1)
    seen = []
    for raw in (1023, 500, 400, 500, 600):
        port.feel(Signal(raw))
        port.sample()
        seen.append(port.value)
    assert seen == [0, 0, 1, 1, 0]


def test_with_a_slope_fast_changes_count():
    port = RcxInput(mode=1, slope=10)
    seen = []
    for raw in (1023, 1018, 1000, 995, 1010):
        port.feel(Signal(raw))
        port.sample()
        seen.append(port.value)
    assert seen == [0, 0, 1, 1, 0]


@pytest.mark.parametrize(("mode", "count"), [(2, 4), (3, 2)])
def test_changes_are_counted_with_a_pause_between_them(mode, count):
    port = RcxInput(mode=mode)
    for raw in (180, 1023, 180, 1023):
        port.feel(Signal(raw))
        for _ in range(101):
            port.sample()
    assert port.value == count
    port.clear()
    assert port.value == 0


def test_changes_within_the_pause_do_not_count():
    port = RcxInput(mode=2)
    for raw in (180, 1023, 180, 1023):
        port.feel(Signal(raw))
        port.sample()
    assert port.value == 1


@pytest.mark.parametrize(("raw", "tenths"), [(290, 695), (289, 32767), (927, -196), (928, 32767), (600, 210)])
def test_temperatures_follow_the_table_of_the_rom(raw, tenths):
    assert celsius(raw) == tenths


def test_fahrenheit_follows_from_celsius():
    assert RcxInput(mode=6, raw=290).value == 1571


def test_raw_values_come_back_as_percent_and_degrees():
    assert [RcxInput(type=3, mode=4, raw=raw_of_percent(value)).value for value in range(101)] == list(range(101))
    assert abs(celsius(raw_of_celsius(21.0)) - 210) <= 1


def test_the_angle_counts_from_where_it_was_cleared():
    port = RcxInput(type=4, mode=7)
    port.feel(Signal(angle=37))
    port.clear()
    port.feel(Signal(angle=21))
    assert port.value == -16


def test_setting_a_type_sets_its_mode_and_clears_the_count():
    port = RcxInput(mode=2, edges=5)
    port.plug(3)
    assert (port.mode, port.edges) == (4, 0)


def test_the_curve_of_the_motors_is_that_of_the_thesis():
    shares = [round(25.1 * RcxSheet().share(20.0 * level), 1) for level in range(1, 6)]
    assert shares == [19.4, 20.4, 22.3, 24.3, 25.1]
