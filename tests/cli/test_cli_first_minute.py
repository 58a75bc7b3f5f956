"""What a newcomer types first: ``new``, ``catalog``, misspelt words, completion scripts."""

from __future__ import annotations

import argparse
import tomllib

import pytest

from understudy.cli import completion, main
from understudy.cli.catalog import GROUPS
from understudy.cli.helpful_parser import verbs_of
from understudy.cli.parser import build_parser
from understudy.robots import catalog


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(argv, capsys):
    """Return the last line of what is said about words that exit with 2."""
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_a_new_project_runs_at_once(desk, capsys):
    assert main(["new", "mine"]) == 0
    assert sorted(file.name for file in (desk / "mine").iterdir()) == ["README.md", "program.py", "scene.toml"]
    assert "run it: understudy run" in capsys.readouterr().out
    assert main(["check", "mine/scene.toml"]) == 0
    assert capsys.readouterr().out == "mine/scene.toml: good\n"
    assert main(["run", "mine/scene.toml", "--seconds", "3", "--speed", "max", "--no-ports"]) == 0
    said = capsys.readouterr().err
    assert "3.000 s simulated" in said
    assert "Traceback" not in said


def test_the_program_of_a_new_project_keeps_clear_of_everything(desk):
    import understudy as us

    main(["new", "mine"])
    with us.load("mine/scene.toml") as sim:
        start, scout = sim.robot("scout").pose, sim.robot("scout")
        for _ in range(30):
            sim.run(1.0)
            assert not scout.stalled
        assert (scout.pose.x_m, scout.pose.y_m) != (start.x_m, start.y_m)


def test_a_new_project_overwrites_nothing(desk, capsys):
    (desk / "mine").mkdir()
    (desk / "mine" / "notes.txt").write_text("precious")
    assert main(["new", "mine"]) == 1
    assert capsys.readouterr().err.endswith("mine exists already and is not an empty folder; choose another name\n")
    assert [file.name for file in (desk / "mine").iterdir()] == ["notes.txt"]
    assert main(["new", "mine/notes.txt"]) == 1


@pytest.mark.parametrize("name", ["deep/er", 'a "b" \\ {c}', "Zürich", "line\nbreak"])
def test_a_new_project_may_have_any_name(desk, name):
    assert main(["new", name]) == 0
    scene = tomllib.loads((desk / name / "scene.toml").read_text(encoding="utf-8"))
    assert scene["name"] == " ".join(name.split("/")[-1].split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chekc", "x"], "understudy: error: no such verb 'chekc' (did you mean 'check'?)"),
        (["rcx", "dissam"], "understudy rcx: error: no such verb 'dissam' (did you mean 'disasm'?)"),
        (["run", "--sped", "2"], "understudy run: error: no such option --sped (did you mean '--speed'?)"),
        (["run", "--sed=2"], "understudy run: error: no such option --sed (did you mean '--seed'?)"),
        (["run", "--qqq"], "understudy run: error: no such option --qqq (see --help)"),
        (["run", "--view", "termnal"], "understudy run: error: argument --view: no such choice 'termnal' (did you"),
        (["diff", "a", "b", "c"], "understudy diff: error: unexpected argument 'c'"),
        (["--no-browsr"], "understudy studio: error: no such option --no-browsr (did you mean '--no-browser'?)"),
    ],
)  # fmt: skip
def test_a_misspelt_word_is_answered_with_what_was_meant(desk, capsys, words, said):
    assert refused(words, capsys).startswith(said)


def test_a_file_instead_of_a_verb_is_answered_with_how_to_run_it(desk, capsys):
    (desk / "room.toml").touch()
    assert refused(["room.toml"], capsys) == "understudy: error: to run room.toml: understudy run room.toml"


def test_an_absurd_word_is_cut_short(desk, capsys):
    assert len(refused(["x" * 100_000], capsys)) < 1000


def test_the_catalogue_has_every_robot_once_under_a_heading(desk, capsys):
    assert main(["catalog", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == sorted(catalog())
    assert [line for line in lines if line and not line.startswith(" ")] == [
        f"{group.heading} [{group.name}]" for group in GROUPS
    ]


def test_the_catalogue_without_variants_says_that_there_are_some(desk, capsys):
    assert main(["catalog"]) == 0
    said = capsys.readouterr().out
    assert not [line for line in said.splitlines() if line.startswith("  ") and line.split()[0].endswith("-no-error")]
    assert "NAME-no-error: understudy catalog --all" in said


@pytest.mark.parametrize(
    ("kind", "robot"),
    [("pioneer", "p3dx"), ("roomba", "create2"), ("lego", "rcx-m5"), ("eyebot", "s4"), ("other", "scout")],
)
def test_the_catalogue_lists_one_kind_of_robot(desk, capsys, kind, robot):
    assert main(["catalog", kind]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert robot in names
    assert len({"p3dx", "create2", "rcx-m5", "s4", "scout"} & {*names}) == 1


def test_an_unknown_kind_of_robot_is_answered_with_the_nearest(desk, capsys):
    assert main(["catalog", "rooomba"]) == 1
    assert capsys.readouterr().err == "understudy: there is no kind of robot 'rooomba' (did you mean 'roomba'?)\n"


def paths(parser, path=""):
    """Yield every verb with its parser."""
    for name, inner in verbs_of(parser).items():
        yield f"{path}/{name}", inner
        yield from paths(inner, f"{path}/{name}")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_has_every_verb_and_option(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for path, parser in paths(build_parser()):
        assert path in script
        for action in parser._actions:
            for word in () if action.help == argparse.SUPPRESS else action.option_strings:
                assert in_script(shell, word) in script


def in_script(shell, word):
    """Return an option as a script has it."""
    if shell != "fish":
        return word
    return f" -l {word[2:]} " if word.startswith("--") else f" -s {word[1:]} "


def test_hidden_options_are_not_completed():
    words = [option.word for place in completion.places(build_parser()) for option in place.options]
    assert "--view" in words
    assert "--seat-fd" not in words
