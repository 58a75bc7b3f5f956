"""Events of a scene file: how they read, what is wrong with them, and how they are written back."""

from __future__ import annotations

import dataclasses

import pytest

from understudy import api
from understudy.errors import SceneError
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import Add, LoadMap, Move, OpenMap, Pause, Quit, Remove, Replace, Reset, Speed, Tune
from understudy.world.events import Retune
from understudy.world.faults import Delay, Fault
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Scene, SceneEvent
from understudy.world.shapes import Pose

HEAD = """schema = 1

[[robot]]
name = "scout"
model = "scout"
x_m = 1.0

[[ball]]
name = "ball"
x_m = 3.0
"""
EVENTS = {
    'move = "ball"\nto = {x_m = 1.0, y_m = 2.0}': Move("ball", Pose(1.0, 2.0)),
    'add = {what = "ball", name = "other"}': Add(Ball("other")),
    'remove = "ball"': Remove("ball"),
    'replace = "ball"\nwith = {what = "ball", name = "big", radius_m = 0.3}': Replace("ball", Ball("big", 0.3)),
    'load_map = "other.toml"': OpenMap("other.toml"),
    'reset = "scout"': Reset("scout"),
    "reset = true": Reset(),
    "pause = true": Pause(True),
    "speed = 2.0": Speed(2.0),
    'speed = "max"': Speed(None),
    "quit = 3": Quit(3),
    'fault = "scout/front"\neffect = "delay"\ndelay_ms = 300': Fault("scout/front", Delay(300_000)),
    'tune = "scout/front"\nset = {max_m = 3.0}': Retune("scout/front", {"max_m": 3.0}),
    'add = {what = "robot", name = "late", model = "scout", device = {front = {max_m = 3.0}}}': Add(
        PlacedRobot("late", "scout", overrides={"device": {"front": {"max_m": 3.0}}})
    ),
}


def parsed(body):
    return scene_file.parse(f"{HEAD}\n[[event]]\nat_s = 5\n{body}\n", "room.toml", vocabulary())


@pytest.mark.parametrize("body", EVENTS)
def test_an_event_says_by_one_key_what_happens(body):
    assert parsed(body).scene.events == (SceneEvent(5_000_000, EVENTS[body]),)


@pytest.mark.parametrize("body", EVENTS)
def test_an_event_is_written_as_it_is_read(body):
    document = parsed(body)
    fresh = scene_file.write(document.scene)
    assert f"[[event]]\nat_s = 5\n{body}\n" in fresh


def test_editing_another_event_keeps_the_comments_and_the_unit_of_a_time():
    text = f'{HEAD}\n[[event]]  # soon\nat_ms = 20\nremove = "ball"\n\n[[event]]\nat_s = 1\npause = true\n'
    document = scene_file.parse(text, "room.toml", vocabulary())
    events = (document.scene.events[0], SceneEvent(2_000_000, Pause()))
    edited = scene_file.write(dataclasses.replace(document.scene, events=events), document)
    assert edited == text.replace("at_s = 1", "at_s = 2")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("", "room.toml:12: event[0]: names no change (want one of: add, fault,"),
        ('move = "ball"', "room.toml:12: event[0].to: missing"),
        ('move = "ball"\nremove = "ball"', "room.toml:15: event[0].remove: does not go together with move"),
        ('remove = "bal"', "room.toml:14: event[0].remove: no such thing 'bal' (did you mean 'ball'?)"),
        ('fault = "scout/fron"', "room.toml:14: event[0].fault: no such part 'scout/fron'"),
        (
            'fault = "scout/front"\neffect = "slip"',
            "event[0].effect: scout/front is a device, which cannot have 'slip'",
        ),
        ('fault = "scout"\neffect = "offset"', "room.toml:12: event[0].by: missing (want a number)"),
        ('add = {what = "ball"}', "event[0].add.name: missing: what comes into a run needs a name"),
        ('add = {what = "robot", name = "a", model = "scuot"}', "event[0].add.model: no such robot 'scuot'"),
        (
            'add = {what = "wall", name = "a", points_m = [[0, 0]]}',
            "event[0].add.points_m: a wall needs at least 2 points",
        ),
        ('tune = "scout/front"\nset = {max_n = 3.0}', "event[0].set.max_n: unknown key (did you mean 'max_m'?)"),
        ('tune = "scout/nose"\nset = {max_m = 3.0}', "room.toml:14: event[0].tune: no such device 'scout/nose'"),
        ('load_map = "nowhere.map"', "room.toml:14: event[0].load_map: the map cannot be read: nowhere.map"),
        ('fault = "scout"\neffect = "brown_out"', "event[0]: no such battery 'battery'"),
        ('switch = "scout/nose"', "event[0].switch: no such device 'scout/nose'"),
    ],
)
def test_an_invalid_event_is_refused_with_its_line(body, problem):
    with pytest.raises(SceneError) as caught:
        scene_file.resolve(parsed(body), vocabulary())
    assert problem in str(caught.value)


def test_a_resolved_event_holds_what_the_run_needs(tmp_path):
    (tmp_path / "other.toml").write_text('schema = 1\n[[ball]]\nname = "there"\n[[event]]\nat_s = 1\npause = true\n')
    body = 'load_map = "other.toml"\n[[event]]\nat_s = 6\ntune = "scout/front"\nset = {max_m = 3.0}\n'
    (tmp_path / "room.toml").write_text(f"{HEAD}\n[[event]]\nat_s = 5\n{body}")
    flat = scene_file.resolve(api.open_document(tmp_path / "room.toml"), vocabulary())
    loaded, tuned = (event.change for event in flat.events)
    assert isinstance(loaded, LoadMap)
    assert ([thing.name for thing in loaded.scene.things()], loaded.scene.events) == (["there"], ())
    assert isinstance(tuned, Tune)
    assert tuned.sheet.max_m == 3.0
    assert "[[event]]\nat_s = 5\nload_map" in scene_file.write(flat)


def test_events_of_an_included_scene_come_along_with_their_own_lines(tmp_path):
    (tmp_path / "hall").mkdir()
    (tmp_path / "hall" / "hall.toml").write_text('schema = 1\n[[event]]\nat_s = 1\nremove = "bull"\n')
    (tmp_path / "room.toml").write_text(HEAD.replace("schema = 1", 'schema = 1\ninclude = ["hall/hall.toml"]'))
    (problem,) = api.check(tmp_path / "room.toml")
    assert str(problem).endswith("hall.toml:4: event[0].remove: no such thing 'bull' (did you mean 'ball'?)")


def test_a_scene_of_objects_with_events_is_the_same_after_writing_and_reading():
    events = tuple(SceneEvent(1_000 * row, change) for row, change in enumerate(EVENTS.values()))
    scene = Scene(events=events)
    table = scene_file.write(scene)
    assert scene_file.Loader(vocabulary().kinds).load(table, "x.toml", None).scene.events == events
