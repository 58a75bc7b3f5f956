"""Which icon each task runs: in the panel, in positions, and as steps at every change."""

from __future__ import annotations

import json

from robots.robots_fakes import Bench

import understudy as us
from understudy.robots.rcx.orders import LoadProgram
from understudy.tape.reader import Tape
from understudy.tape.replay import replay
from understudy.world.news import At

DRIVE = b"""task 0
  start task 1
  motor A forward power 5
  wait 0.1 s
  stop A
end
task 1
  wait for dark 40 on port 1
end
"""


def bench(text=DRIVE, **settings):
    made = Bench("rcx", **settings)
    made.unit.order(LoadProgram("x.icons", text))
    return made


def steps(made):
    return [each for each in made.unit.asks() if isinstance(each, At)]


def test_the_panel_says_which_icon_every_task_runs_with_its_parameters():
    made = bench()
    made.step(4)
    first, second = made.unit.panel().tasks
    assert (first.icon, first.says, first.settings, first.wait_s) == (3, "wait 0.1 s", (("seconds", 0.1),), 0.086)
    assert (second.icon, second.says, second.line) == (5, "wait for dark 40 on port 1", 8)
    assert second.settings == (("port", 1), ("threshold", 40))


def test_positions_have_the_icon_and_the_seconds_left():
    made = bench()
    made.step(4)
    place = made.unit.positions()[0]
    assert (place.line, place.words, place.icon, place.says, place.left_s) == (4, "wait 2,10", 3, "wait 0.1 s", 0.086)


def test_steps_are_reported_at_their_millisecond_only_while_traced():
    quiet, made = bench(), bench(trace=True)
    quiet.step(40)
    made.step(40)
    assert steps(quiet) == []
    found = [(at.t_us // 1000, at.task, at.icon, at.says, at.left_s) for at in steps(made)]
    assert found == [
        (1, "0", 1, "start task 1", 0.0), (1, "1", 5, "wait for dark 40 on port 1", 0.0),
        (2, "0", 2, "motor A forward power 5", 0.0), (6, "0", 3, "wait 0.1 s", 0.1), (106, "0", 4, "stop A", 0.0),
        (107, "0", 0, "", 0.0),
    ]  # fmt: skip


def test_a_trace_changes_nothing_of_the_run():
    quiet, made = bench(), bench(trace=True)
    quiet.step(40)
    made.step(40)
    assert quiet.unit.digest() == made.unit.digest()


def test_a_saved_trace_goes_on_without_repeating_itself():
    made = bench(trace=True)
    made.step(4)
    steps(made)
    saved = json.loads(json.dumps(made.unit.state()))
    fresh = made.renew()
    fresh.restore(saved)
    made.step(2)
    assert [each for each in fresh.asks() if isinstance(each, At)] == []


def test_icons_follow_a_new_program():
    made = bench()
    made.step(4)
    made.unit.order(LoadProgram("y.lasm", b"task 0\nview 2,7\nwait 2,50\nendt"))
    made.step(4)
    (task,) = made.unit.panel().tasks
    assert (task.icon, task.says) == (2, "wait 0.5 s")


def test_the_tape_keeps_the_steps_and_a_replay_has_the_same(tmp_path):
    (tmp_path / "x.icons").write_bytes(DRIVE)
    scene = tmp_path / "x.toml"
    scene.write_text(
        'schema = 1\nengine = "planar"\nground = {size_m = [4, 4]}\n[[robot]]\nname = "r"\nmodel = "rcx-m5"\n'
        'program = "x.icons"\nunit.rcx.trace = true\n'
    )
    with us.load(scene, tape=tmp_path / "x.tape") as sim:
        sim.run(0.3)
    icons = [news.icon for _, _, news in Tape(tmp_path / "x.tape").news() if isinstance(news, At)]
    assert icons == [1, 5, 2, 3, 4, 0]
    assert replay(tmp_path / "x.tape").mismatch is None
