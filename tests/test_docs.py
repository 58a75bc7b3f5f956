"""The README and the guide are executed."""

import os
import pkgutil
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.cli import main
from understudy.sim.vocabulary import registries

ROOT = Path(__file__).parent.parent
README, GUIDE = ROOT / "README.md", sorted((ROOT / "docs").rglob("*.md"))
PAGES = [README, *GUIDE]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
ALL_PAGES = [*PAGES, CONTRIBUTING, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w-]+\.(?:toml|py|world))\n")


def blocks(page):
    """Return language and text of every block of a page."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def commands(text):
    """Return the commands of a console block, each as its words."""
    return [line[2:].split() for line in text.splitlines() if line.startswith("$ ")]


def as_process(words, folder):
    """Run a command as a reader would."""
    scripts = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": scripts + os.pathsep + os.environ.get("PATH", "")}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"


def in_this_process(words, folder):
    """Run a command of ours without the second that a new process takes, and the reader's own tests in one."""
    if words[0] == "pytest":
        return as_process([sys.executable, "-m", *words], folder)
    assert words[0] == "understudy", "a page shows only commands of ours"
    assert main(words[1:]) == 0, words


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Sit down in a folder with the examples; what is imported from it is forgotten afterwards."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def test_every_block_of_the_readme_runs_as_a_reader_runs_it(desk):
    for language, text in blocks(README):
        named = NAMED.match(text)
        if named:
            (desk / named[1]).write_text(text, encoding="utf-8")
        elif language == "python":
            as_process([sys.executable, "-c", text], desk)
        elif language == "console":
            for words in commands(text):
                as_process(words, desk)


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page, desk):
    for language, text in blocks(page):
        named = NAMED.match(text)
        if named:
            (desk / named[1]).write_text(text, encoding="utf-8")
        elif language == "python":
            exec(compile(text, page.name, "exec"), {"__name__": "__main__"})
        elif language == "console":
            for words in commands(text):
                in_this_process(words, desk)


def test_the_readme_names_the_two_commands_and_make_knows_them():
    readme, makefile = README.read_text(encoding="utf-8"), (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test"):
        assert f"make {target} " in readme
        assert f"\n{target}:" in makefile


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_of_ours_leads_somewhere(page):
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def anchors(page):
    """Return the anchors of a page's headings, as code hosts make them."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_every_link_to_a_heading_leads_to_one(page):
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    targets = [(page.parent / file if file else page, anchor) for file, anchor in links]
    assert [anchor for target, anchor in targets if anchor not in anchors(target)] == []


def unknown_paths(text):
    """Return the files and folders of ours that a text names and that do not exist."""
    paths = re.findall(r"(?<![\w/.-])((?:understudy|tests|docs|benchmarks|examples)/[\w/.-]*\w)(?![\w<])", text)
    return [path for path in paths if not (ROOT / path).exists()]


def unknown_names(text):
    """Return the modules, classes and functions of ours that a text names and that do not exist."""
    return [name for name in re.findall(r"\bunderstudy(?:\.[A-Za-z_]\w*)+", text) if not is_known(name)]


def is_known(name):
    """Return whether a dotted name is a module or something in one, or a group of entry points."""
    if name in {registry.group for registry in registries()}:
        return True
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_every_path_of_ours_that_a_page_names_exists(page):
    text = page.read_text(encoding="utf-8")
    assert unknown_paths(text) == []


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_every_module_and_class_of_ours_that_a_page_names_exists(page):
    text = page.read_text(encoding="utf-8")
    assert unknown_names(text) == []


def test_a_path_or_a_name_that_does_not_exist_is_found():
    text = "`understudy/formats/<name>.py`, `understudy/robots/base.py`, `tests/gone.py`, `understudy/links/nowhere`"
    assert unknown_paths(text) == ["tests/gone.py", "understudy/links/nowhere"]
    text = "`understudy.sensors.laser.Laser`, `understudy.gone`, `understudy.sensors.laser.Maser`."
    assert unknown_names(text) == ["understudy.gone", "understudy.sensors.laser.Maser"]


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.name)
def test_every_generated_table_is_fresh(page, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from generate import rendered

    text = page.read_text(encoding="utf-8")
    assert rendered(text) == text, "run: python docs/generate.py"


def test_every_drawing_of_a_beam_is_fresh(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from beams import FOLDER, drawing, names

    drawn = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    assert drawn == {name: drawing(name) for name in names()}, "run: python docs/beams.py"


def navigation():
    """Return the pages of the site in the order of its navigation."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r"^ +- (?:.*: )?([\w/-]+\.md)$", text.partition("\nnav:\n")[2], re.MULTILINE)


def test_every_page_is_in_the_navigation_of_the_site_once():
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in GUIDE]
    assert sorted(page for page in navigation() if not page.startswith("repository/")) == sorted(pages)


def test_pages_of_the_repository_in_the_navigation_exist():
    copies = [page.removeprefix("repository/") for page in navigation() if page.startswith("repository/")]
    assert copies
    assert [page for page in copies if not (ROOT / page).is_file()] == []


def test_the_reference_hides_only_members_that_exist(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from api_reference import FOR_OTHER_LAYERS

    import understudy

    hidden = [(name, member) for name, members in FOR_OTHER_LAYERS.items() for member in sorted(members)]
    assert [(name, member) for name, member in hidden if not hasattr(getattr(understudy, name), member)] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "guides").glob("*.md")), ids=lambda page: page.name)
def test_every_guide_shows_a_picture_that_a_script_makes(page):
    made = runpy.run_path(str(ROOT / "docs" / "guide_pictures.py"))["PICTURES"]
    shown = re.findall(r"!\[[^\]]{20,}\]\(pictures/([^)]+)\)", page.read_text(encoding="utf-8"))
    assert shown
    assert [name for name in shown if name not in made or not (page.parent / "pictures" / name).is_file()] == []
