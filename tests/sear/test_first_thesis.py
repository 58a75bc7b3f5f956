"""Files of SEAR's first version: what is stated is imported, everything else is reported."""

import time
from contextlib import suppress

import pytest

from understudy.errors import FormatError
from understudy.sear import Project, first_thesis
from understudy.sear.first_thesis import java_parts, python_of, take
from understudy.sear.starter import new_project
from understudy.sear.user_code import compiled

UCF = """userVariables(){  /* Do NOT EDIT THIS LINE */
   int state = 0; // a } in a comment
   String text = "}";
 };
init(){   /* Do NOT EDIT THIS LINE */
   addTree(1, 0, 2);
};
mainLoop(){  /* Do NOT EDIT THIS LINE */
   if (state == 0) { drive(); }
};
"""
PRJ = """Terrain Model: C:\\models\\track\\track.mesh.xml
Latitude: 35.31
Longitude = -80.74
Altitude: 200
Robot Body Model: /home/me/robot.mesh.xml
Mass: 400
Stiffness: 120
Damping = 0.4
0.37
User Code File: /home/me/mine.ucf
"""
SENSORS = """<SensorContainer>
  <Ultrasonic><sensorName>front</sensorName><sensorModel>PING)))</sensorModel>
    <maximumDistance>2.5</maximumDistance><beamWidth>30</beamWidth><colour>red</colour></Ultrasonic>
  <object class="org.sear.Accelerometer">
    <void property="sensorName"><string>accel</string></void><void property="bandwidth"><int>50</int></void>
  </object>
  <LIDAR sensorName="scan" angleBetweenReadings="0.5" maximumSensingDistance="8"/>
  <IRsensor><name>left</name><model>unheard of</model></IRsensor>
</SensorContainer>
"""


@pytest.fixture
def project(tmp_path):
    return Project(new_project(tmp_path / "p", empty=True).folder)


def written(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    return file


def test_the_three_parts_of_java_code_are_found_by_their_brackets():
    parts = java_parts(UCF, "a.ucf")
    assert 'String text = "}";' in parts["userVariables"]
    assert parts["mainLoop"].strip().endswith("{ drive(); }")


def test_java_code_becomes_comments_in_the_three_parts_of_the_template():
    text = python_of(UCF, "a.ucf")
    assert compiled(text, "a.py").template
    order = [
        text.index(word)
        for word in ("def userVariables", "# ", "int state", "def init", "addTree(1", "def mainLoop", "drive()")
    ]
    assert order == sorted(order)
    assert "\n       int" not in text


def test_a_ucf_file_replaces_blank_user_code_only(project, tmp_path):
    take(project, written(tmp_path, "mine.ucf", UCF))
    assert "int state" in (project.folder / "userCode.py").read_text()
    take(project, written(tmp_path, "other.ucf", UCF.replace("state", "other")))
    assert "int state" in (project.folder / "userCode.py").read_text()
    assert "int other" in (project.folder / "other_code.py").read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a user code file"),
        ("init(){ if (x) {", r"a\.ucf:1: init"),
        ("\n\nmainLoop(){ /* ", r"a\.ucf:3: mainLoop"),
    ],
)
def test_a_damaged_ucf_file_is_refused_with_its_line(text, reason):
    with pytest.raises(FormatError, match=reason):
        java_parts(text, "a.ucf")


@pytest.mark.parametrize(
    "text", ["init(){" * 50_000, 'init(){"' + '\\"' * 500_000, "init(){" + "/*" * 500_000, "init(){}" * 100_000]
)
def test_hostile_java_takes_little_time(text):
    started = time.process_time()
    with suppress(FormatError):
        java_parts(text, "a.ucf")
    assert time.process_time() - started < 5.0


def test_settings_with_a_label_are_imported_and_other_lines_are_reported(project, tmp_path):
    notes = take(project, written(tmp_path, "old.prj", PRJ))
    found = {entry.name: entry for entry in (*project.read().environment, *project.read().robot)}
    assert (found["terrain"]["file"], found["terrain"]["terrain"]) == ("track.mesh.xml", True)
    assert (found["gps"]["latitude"], found["gps"]["altitude"], found["gps"]["longitude"]) == (35.31, 200, -80.74)
    assert (found["dynamics"]["mass"], found["dynamics"]["stiffness"], found["dynamics"]["damping"]) == (400, 120, 0.4)
    assert found["robot body"]["file"] == "robot.mesh.xml"
    assert any("old.prj:9: not imported, its meaning is not stated: '0.37'" in note for note in notes)
    assert any("mine.ucf" in note for note in notes)


def test_lines_without_labels_are_taken_only_if_they_say_what_they_are(project, tmp_path):
    notes = take(project, written(tmp_path, "old.prj", "land/land.mesh.xml\nrobot.mesh.xml\n400\n60\n"))
    assert [entry["file"] for entry in project.read().environment] == ["land.mesh.xml"]
    assert sum("not stated" in note for note in notes) == 2


def test_settings_without_any_meaning_are_refused(project, tmp_path):
    with pytest.raises(FormatError, match="no known setting"):
        take(project, written(tmp_path, "old.prj", "1\n2\n3\n"))


def test_sensors_of_the_wizard_are_imported(project, tmp_path):
    notes = take(project, written(tmp_path, "Sensors.XML", SENSORS))
    found = {entry.name: entry for entry in project.read().robot}
    assert (found["front"]["model"], found["front"]["range"], found["front"]["spread"]) == ("ping", 2.5, 30)
    assert (found["accel"].kind, found["accel"]["rate"]) == ("accelerometer", 50)
    assert (found["scan"]["resolution"], found["scan"]["range"]) == (0.5, 8)
    assert found["left"]["model"] == "gp2d12"
    assert any("front: not imported: colour" in note for note in notes)
    assert any("unheard of" in note for note in notes)
    assert found["front"].robot == "robot"


@pytest.mark.parametrize(
    "text",
    ["", "<a/>", "<Ultrasonic/>", "<Ultrasonic><name>\n</name></Ultrasonic>",
     "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
     "<GPS><name>g</name><updateSpeed>-1</updateSpeed></GPS>", "<s>" + "<GPS name='g'/>" * 300 + "</s>"],
)  # fmt: skip
def test_a_damaged_file_of_sensors_is_refused(project, tmp_path, text):
    before = project.files()
    with pytest.raises(FormatError):
        take(project, written(tmp_path, "Sensors.xml", text))
    assert project.files() == before


def test_deeply_nested_sensors_take_little_time(project, tmp_path):
    text = "<GPS>" * 190 + "<a><b/></a>" * 30_000 + "</GPS>" * 190
    started = time.process_time()
    with pytest.raises(FormatError):
        take(project, written(tmp_path, "Sensors.xml", text))
    assert time.process_time() - started < 10.0


def test_a_long_line_of_settings_takes_little_time():
    started = time.process_time()
    first_thesis.settings_of("a" + " " * 1_000_000 + "\nmass: 4", "a.prj")
    assert time.process_time() - started < 5.0


@pytest.mark.parametrize(
    ("name", "known"), [("a.prj", True), ("A.UCF", True), ("Sensors.XML", True), ("box.xml", False), ("a.sear", False)]
)
def test_files_of_the_first_version_are_known_by_name(name, known):
    assert first_thesis.is_known(name) == known
