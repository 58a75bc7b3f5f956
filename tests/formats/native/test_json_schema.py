from __future__ import annotations

import dataclasses
import json
import tomllib

import pytest
from formats.fake_vocabulary import BROKEN, ROVER, VOCABULARY
from formats.some_scenes import SCENES
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from understudy.errors import SceneError
from understudy.formats.native import scene_file
from understudy.formats.native.json_schema import robot_schema, scene_schema

SCENE = Draft202012Validator(scene_schema(VOCABULARY))
ROBOT_FILE = Draft202012Validator(robot_schema(VOCABULARY))


ROBOT = 'schema = 1\n[[robot]]\nmodel = "rover"\n'
OWN_ROBOT = """schema = 1
[[robot]]
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
"""


def accepts(text):
    return SCENE.is_valid(tomllib.loads(text))


@pytest.mark.parametrize("validator", [SCENE, ROBOT_FILE])
def test_the_schema_is_a_schema(validator):
    Draft202012Validator.check_schema(validator.schema)


def test_the_schema_is_plain_json():
    assert json.loads(json.dumps(SCENE.schema)) == SCENE.schema


GOOD = [
    "schema = 1\n",
    'schema = 1\ninclude = ["a.toml"]\ntick_ms = 2.5\nengine = "planar"\nnoise = "perfect"\n',
    'schema = 1\n[ground]\nsize_m = [3, 4]\nheights = "hill.png"\n',
    'schema = 1\n[ground]\nheights = {file = "hill.png", high_m = 3}\n',
    'schema = 1\n[[wall]]\npoints_m = [[0, 0], [1, 1]]\nseen_by = ["laser"]\nname = "a"\n',
    'schema = 1\n[[wall]]\npieces_m = [[0, 0, 1, 1]]\ntag = {type = "Reflector"}\n',
    'schema = 1\n[[mark]]\ntype = "Goal"\nlabel = "By the door"\nx_m = 1\nheading_deg = 90\n',
    'schema = 1\n[[mark]]\ntype = "ForbiddenLine"\nline_m = [0, 0, 1, 1]\nstatus = "inactive"\n',
    'schema = 1\n[map]\nheader = ["Resolution: 20"]\nsources = [{name = "Rear", dots_m = [[0, 0]]}]\n',
    'schema = 1\n[[object]]\nkind = "box"\nsize_m = [1, 1, 1]\nheading_deg = 3\n',
    'schema = 1\n[[object]]\nkind = "sphere"\nradius_m = 1\n',
    "schema = 1\n[[ball]]\n[[light]]\nz_m = 3\n[origin]\nnorth_rad = 1\n",
    ROBOT,
    ROBOT + 'x_m = 1\ndevice.front.max_m = 30\ndevice.ring = false\nprogram = "a.py"\n',
    ROBOT + 'latitude_deg = 1\nlongitude_deg = 2\nprogram = {file = "a.py", args = ["x"]}\n',
    ROBOT + 'device.front.noise = "perfect"\nbody.mass_kg = 3\n',
    ROBOT + 'unit.arcos.watchdog_ms = 500\nport.host.link = "loop:"\n',
    'schema = 1\n[[ball]]\nname = "b"\n[[event]]\nat_s = 5\nmove = "b"\nto = {x_m = 1, heading_deg = 90}\n',
    "schema = 1\n[[event]]\nat_s = 5\nreset = true\n[[event]]\nat_ms = 5\nspeed = 'max'\n",
    'schema = 1\n[[event]]\nat_s = 1\nadd = {what = "object", name = "a", kind = "box", size_m = [1, 1, 1]}\n',
    'schema = 1\n[[event]]\nat_s = 1\nadd = {what = "robot", name = "a", model = "rover", device.ring = false}\n',
    ROBOT + 'name = "a"\n[[event]]\nat_s = 1\nfault = "a/front"\neffect = "delay"\ndelay_ms = 300\n',
    ROBOT + 'name = "a"\n[[event]]\nat_s = 1\nfault = "a/front"\nactive = false\n',
    ROBOT + 'name = "a"\n[[event]]\nat_s = 1\ntune = "a/front"\nset = {max_m = 3}\n',
    OWN_ROBOT,
    OWN_ROBOT + '[robot.device.gps]\nkind = "gps"\nperiod_s = 1\n',
    OWN_ROBOT + '[robot.port.a]\nunit = "b"\nprotocol = "nmea"\nlink = "loop:"\n',
]


@pytest.mark.parametrize("text", GOOD)
def test_a_good_scene_is_accepted_by_the_schema(text):
    assert [error.message for error in SCENE.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize("text", [text for text in GOOD if "include" not in text])
def test_a_good_scene_is_accepted_by_the_reader_too(text):
    scene_file.parse(text, "room.toml", VOCABULARY)


BAD = {
    "no schema": "seed = 1\n",
    "another schema": "schema = 2\n",
    "an unknown key": "schema = 1\nsead = 1\n",
    "an event without a time": "schema = 1\n[[event]]\npause = true\n",
    "an event without a change": "schema = 1\n[[event]]\nat_s = 1\n",
    "an effect that is not known": 'schema = 1\n[[event]]\nat_s = 1\nfault = "a"\neffect = "odd"\n',
    "a value out of range": "schema = 1\nseed = -1\n",
    "a value out of range in its own unit": "schema = 1\ntick_ms = 5000\n",
    "two spellings of one key": "schema = 1\ntick_ms = 5\ntick_us = 5000\n",
    "a word that is no choice": 'schema = 1\nengine = "planer"\n',
    "single brackets": "schema = 1\n[wall]\n",
    "a wall without points": "schema = 1\n[[wall]]\n",
    "a point of one number": "schema = 1\n[[wall]]\npoints_m = [[0, 0], [1]]\n",
    "an illegal name": 'schema = 1\n[[ball]]\nname = "a b"\n',
    "a colour of three digits": 'schema = 1\n[ground]\ncolour = "#f00"\n',
    "an object without a kind": "schema = 1\n[[object]]\nradius_m = 1\n",
    "a key of another kind": 'schema = 1\n[[object]]\nkind = "sphere"\nradius_m = 1\nheight_m = 1\n',
    "two kinds of position": ROBOT + "x_m = 1\nlatitude_deg = 1\nlongitude_deg = 2\n",
    "half a position": ROBOT + "latitude_deg = 1\n",
    "a robot of nothing": "schema = 1\n[[robot]]\nx_m = 1\n",
    "an invalid override": ROBOT + "device.front.max_m = -1\n",
    "an unknown key of a device": ROBOT + "device.front.max_mm = 1\n",
    "a device that is true": ROBOT + "device.front = true\n",
    "a body without a radius": OWN_ROBOT.replace(", radius_m = 0.2", ""),
    "a device of its own without a kind": OWN_ROBOT + "[robot.device.gps]\nperiod_s = 1\n",
    "noise that is no preset": ROBOT + 'device.front.noise = "good"\n',
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_bad_scene_is_refused_by_the_schema(text):
    assert not accepts(text)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_bad_scene_is_refused_by_the_reader_too(text):
    with pytest.raises(SceneError):
        scene_file.resolve(scene_file.parse(text, "room.toml", VOCABULARY), VOCABULARY)


def test_a_robot_file_has_a_schema_of_its_own():
    assert ROBOT_FILE.is_valid(tomllib.loads(ROVER))


def test_an_error_in_a_robot_file_is_refused():
    assert not ROBOT_FILE.is_valid(tomllib.loads(BROKEN))


def test_fields_carry_their_documentation():
    laser = SCENE.schema["$defs"]["DeviceSpec"]["anyOf"][0]["properties"]
    assert laser["max_m"]["description"] == "range"
    assert SCENE.schema["$defs"]["Wall"]["description"].startswith("Straight wall pieces")


@settings(max_examples=30)
@given(SCENES)
def test_what_we_write_is_accepted_by_our_schema(scene):
    robots = tuple(dataclasses.replace(robot, model="rover", overrides=None) for robot in scene.robots)
    assert accepts(scene_file.write(dataclasses.replace(scene, robots=robots)))


def test_a_robot_file_that_is_like_another_may_leave_out_body_and_drive():
    assert ROBOT_FILE.is_valid(tomllib.loads('[robot]\nlike = "rover"\n[device.front]\nmax_m = 3\n'))
    assert ROBOT_FILE.is_valid(tomllib.loads('[robot]\nlike = "rover"\n[device]\nfront = false\n'))
    assert not ROBOT_FILE.is_valid(tomllib.loads('[robot]\nsummary = "nothing"\n'))
    assert not ROBOT_FILE.is_valid(tomllib.loads("[robot]\nlike = 3\n"))
