"""Projects: folders, archives, parts of other projects."""

import pytest

from understudy import api
from understudy.errors import FormatError, UnderstudyError
from understudy.sear import Box, Compass, Cone, Project, SEARrobot, choose, current, open_project, using
from understudy.sear.parts import take
from understudy.sear.projects import file_name
from understudy.sear.starter import new_project


@pytest.fixture
def mine(tmp_path):
    return new_project(tmp_path / "mine")


@pytest.fixture
def other(tmp_path):
    project = new_project(tmp_path / "other", empty=True)
    with using(project):
        Cone("their cone", 0.2, 0.5, 0, 3, 0.25, 3, "skins/stripes.png")
        SEARrobot("theirs").addComponent(Compass("their compass"))
    (project.folder / "assets" / "skins").mkdir(parents=True)
    (project.folder / "assets" / "skins" / "stripes.png").write_bytes(b"not really a picture")
    (project.folder / "assets" / "unused.png").write_bytes(b"x")
    (project.folder / "helper.py").write_text("x = 1\n")
    return project


def test_a_new_project_has_its_folders_and_runs(mine):
    assert sorted(path.name for path in mine.folder.iterdir()) == ["assets", "environment", "robot", "userCode.py"]
    with api.load(mine.document()) as sim:
        sim.robot("rover").drive(0.2)
        sim.run(1.0)
        assert sim.robot("rover").pose.x_m > 0.1


def test_a_new_project_does_not_overwrite_a_folder(mine):
    with pytest.raises(UnderstudyError, match="not empty"):
        new_project(mine.folder)


def test_save_and_open_give_the_same_project(mine, tmp_path):
    packed = mine.save(tmp_path / "packed")
    assert packed.name == "packed.sear"
    again = open_project(packed, tmp_path / "again")
    assert again.files() == mine.files()
    assert again.pack() == mine.pack()


def test_ports_and_hidden_files_are_not_packed(mine):
    before = mine.pack()
    (mine.folder / "ports").mkdir()
    (mine.folder / "ports" / "x").write_text("")
    (mine.folder / ".git").mkdir()
    (mine.folder / ".git" / "config").write_text("")
    assert mine.pack() == before


def test_a_project_that_is_not_there_names_the_command_that_makes_one(tmp_path):
    with pytest.raises(FormatError, match="understudy sear new"):
        Project(tmp_path / "nowhere").read()


def test_the_usual_project_is_in_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Box("b", 1, 1, 1, 0)
    assert (tmp_path / "SEARproject" / "environment" / "b.xml").exists()
    choose(tmp_path / "chosen")
    try:
        Box("c", 1, 1, 1, 0)
        assert current().folder == tmp_path / "chosen"
    finally:
        choose(None)
    assert (tmp_path / "chosen" / "environment" / "c.xml").exists()


@pytest.mark.parametrize("name", ["trash Can", "a/b", "..", "CON", "x" * 400, "ümlaut", "a%2Fb", "end."])
def test_any_name_of_an_object_is_a_safe_file_name(tmp_path, name):
    with using(tmp_path / "p") as project:
        Box(name, 1, 1, 1, 0)
    assert [path.parent.name for path in tmp_path.rglob("*.xml")] == ["environment"]
    assert project.read().environment[0].name == name
    assert open_project(project.save(tmp_path / "p.sear"), tmp_path / "q").read().environment[0].name == name


def test_names_that_differ_have_files_that_differ():
    assert len({file_name(name) for name in ("a/b", "a%2Fb", "a b", "a_b", "x" * 400, "x" * 399)}) == 6


def test_only_projects_are_overwritten(mine, tmp_path):
    (tmp_path / "letter.sear").write_text("dear all")
    with pytest.raises(FormatError, match="not a project"):
        mine.save(tmp_path / "letter.sear")
    assert mine.save(tmp_path / "x.sear") == mine.save(tmp_path / "x.sear")


# ---- parts


def test_taking_a_robot_replaces_the_robot_only(mine, other):
    before = mine.read().environment
    take(mine, other.folder, "robot")
    after = mine.read()
    assert [entry.name for entry in after.robots] == ["theirs"]
    assert [entry.name for entry in after.environment] == [entry.name for entry in before]


def test_taking_an_environment_brings_the_assets_that_it_names(mine, other, tmp_path):
    take(mine, other.save(tmp_path / "other.sear"), "environment")
    after = mine.read()
    assert [entry.name for entry in after.environment] == ["their cone"]
    assert [entry.name for entry in after.robots] == ["rover"]
    assert sorted(after.assets) == ["skins/stripes.png"]


def test_taking_code_writes_code_only(mine, other):
    assert take(mine, other.folder, "code") == ["helper.py", "userCode.py"]
    assert (mine.folder / "helper.py").read_text() == "x = 1\n"


def test_an_asset_of_the_same_name_and_another_content_is_not_overwritten(mine, other):
    (mine.folder / "assets" / "skins").mkdir(parents=True)
    (mine.folder / "assets" / "skins" / "stripes.png").write_bytes(b"mine")
    with pytest.raises(UnderstudyError, match="differs"):
        take(mine, other.folder, "environment")
    assert "crate" in [entry.name for entry in mine.read().environment]


def test_a_part_that_would_give_a_name_twice_is_refused_before_anything_changes(mine, other):
    with using(other):
        Box("Ping1", 1, 1, 1, 0)
    before = mine.files()
    with pytest.raises(FormatError, match="another object"):
        take(mine, other.folder, "environment")
    assert mine.files() == before


def test_a_part_that_is_not_there_is_reported(mine, tmp_path):
    empty = new_project(tmp_path / "empty", empty=True)
    with pytest.raises(UnderstudyError, match="no robot in it"):
        take(mine, empty.folder, "robot")
