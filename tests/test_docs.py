"""The README and the guide are executed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w-]+\.(?:toml|py|world))\n")


def run(command, folder):
    scripts = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": scripts + os.pathsep + os.environ.get("PATH", "")}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page, tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        named = NAMED.match(text)
        if named:
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        elif language == "python":
            run([sys.executable, "-c", text], tmp_path)
        elif language == "console":
            for line in text.splitlines():
                if line.startswith("$ "):
                    run(line[2:].split(), tmp_path)


def test_the_readme_names_the_two_commands_and_make_knows_them():
    readme, makefile = (ROOT / "README.md").read_text(encoding="utf-8"), (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test"):
        assert f"make {target} " in readme
        assert f"\n{target}:" in makefile


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_to_a_file_of_ours_leads_somewhere(page):
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_path_that_the_recipes_name_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:understudy|tests)/[\w/.]+)`", text)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_every_generated_table_is_fresh(page, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from generate import rendered

    text = page.read_text(encoding="utf-8")
    assert rendered(text) == text, "run: python docs/generate.py"


def test_every_drawing_of_a_beam_is_fresh(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from beams import FOLDER, drawing

    from understudy.sensors.models import models

    drawn = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    assert drawn == {name: drawing(name) for name in models()}, "run: python docs/beams.py"
