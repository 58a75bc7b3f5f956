"""Ports of the scene in scene files: read, checked with file and line, written."""

from dataclasses import replace

import pytest
from contracts.toy import toys_in_the_tables
from contracts.toy_scene import SceneTalkSheet

from understudy.errors import SceneError
from understudy.formats.native import scene_file
from understudy.formats.native.json_schema import scene_schema
from understudy.sim.scene_codec import scene_from, scene_plain
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import ScenePort

HEAD = "schema = 1\n"
DESK = '[port.desk]\nprotocol = "toy_scene"\nlink = "tcp://127.0.0.1:9000"\n'
P3DX = '[[robot]]\nname = "scout"\nmodel = "p3dx"\n'


@pytest.fixture(autouse=True)
def toys():
    with toys_in_the_tables():
        yield


def parsed(text, folder=None):
    return scene_file.parse(text, "room.toml", vocabulary(), folder)


def flat(text, folder=None):
    return scene_file.resolve(parsed(text, folder), vocabulary())


def problems(text, folder=None):
    with pytest.raises(SceneError) as caught:
        flat(text, folder)
    return str(caught.value)


def test_a_scene_has_ports():
    scene = flat(HEAD + DESK + 'gate = "hold"\nforbid = ["time"]\n')
    port = ScenePort(
        name="desk", sheet=SceneTalkSheet(), link="tcp://127.0.0.1:9000", gate="hold", forbid=("time",)
    )  # fmt: skip
    assert scene.ports == (port,)


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        (DESK.replace("toy_scene", "arcos"), "room.toml:3: port.desk.protocol", "'arcos' is for a unit"),
        (DESK.replace("toy_scene", "toy_sene"), "room.toml:3: port.desk.protocol", "toy_scene"),
        (DESK.replace("tcp:", "tpc:"), "room.toml:4: port.desk.link", "tcp"),
        (DESK + 'unit = "arcos"\n', "room.toml:5: port.desk.unit", "unknown key"),
        (DESK + 'gate = "helt"\n', "room.toml:5: port.desk.gate", "hold"),
        (DESK + P3DX.replace("scout", "desk"), "room.toml:2: port.desk", "is already the name of a robot"),
        (
            P3DX + 'port.host.protocol = "toy_scene"\n',
            "room.toml:5: robot[0].port.host.protocol",
            "is for the whole scene; write [port.host] outside the robot",
        ),
        (
            DESK + P3DX + 'port.host.link = "tcp://127.0.0.1:9000"\n',
            "room.toml:4: port.desk.link",
            "TCP port 9000 of desk is already used by scout/host",
        ),
    ],
)  # fmt: skip
def test_errors_have_their_line(text, where, words):
    found = problems(HEAD + text)
    assert where in found
    assert words in found


def test_an_included_port_belongs_to_the_scene_and_its_errors_to_its_file(tmp_path):
    (tmp_path / "desk.toml").write_text(HEAD + DESK)
    text = HEAD + 'include = ["desk.toml"]\n'
    assert [port.name for port in flat(text, tmp_path).ports] == ["desk"]
    (tmp_path / "desk.toml").write_text(HEAD + DESK.replace("toy_scene", "arcos"))
    assert "desk.toml:3: port.desk.protocol" in problems(text, tmp_path)


def test_the_including_scene_decides_what_a_port_is(tmp_path):
    (tmp_path / "desk.toml").write_text(HEAD + DESK)
    text = HEAD + 'include = ["desk.toml"]\n' + DESK.replace("9000", "9001")
    assert [port.link for port in flat(text, tmp_path).ports] == ["tcp://127.0.0.1:9001"]


def test_a_scene_with_ports_is_written_and_reads_back():
    scene = flat(HEAD + DESK + 'gate = "hold"\n')
    text = scene_file.write(scene)
    assert "[port.desk]\n" in text
    assert flat(text).ports == scene.ports


def test_an_edit_leaves_the_rest_of_the_text_as_it_is():
    document = parsed(HEAD + "# the desk\n" + DESK + "# end\n")
    (port,) = document.scene.ports

    def written(*ports):
        return scene_file.write(replace(document.scene, ports=ports), document)

    assert written(replace(port, gate="reply")) == HEAD + "# the desk\n" + DESK + 'gate = "reply"\n# end\n'
    two = written(port, replace(port, name="door"))
    assert two.startswith(document.text)
    assert "[port.door]\n" in two
    assert written() == HEAD


def test_a_tape_and_a_saved_run_keep_the_ports():
    scene = flat(HEAD + DESK)
    assert scene_from(scene_plain(scene)) == scene


def test_editors_know_the_keys_of_ports():
    schema = scene_schema(vocabulary())
    assert "port" in schema["properties"]
    assert any("hold" in str(table) for table in schema["$defs"].values())
