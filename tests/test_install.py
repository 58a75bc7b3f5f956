"""What `make run` installs: enough to run, and within its ranges; and what type checkers see of the install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIST = ROOT / "requirements-run.txt"


def listed():
    """Return what requirements-run.txt pins, by name, as far as this platform needs it."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(pin.name): pin for pin in pins if pin.marker is None or pin.marker.evaluate()}


def with_needs(names):
    """Return packages and all that they need, without extras."""
    found, todo = set(), [canonicalize_name(name) for name in names]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [canonicalize_name(need.name) for need in needs(name) if applies(need)]
    return found


def needs(name):
    try:
        return [Requirement(text) for text in distribution(name).requires or ()]
    except PackageNotFoundError:
        return []


def applies(need):
    return need.marker is None or need.marker.evaluate({"extra": ""})


def own():
    """Return the packages that `make run` installs."""
    return {"understudy"} | with_needs(Requirement(text).name for text in PROJECT["dependencies"]) | set(listed())


@pytest.mark.parametrize("extra", ["studio", "rigid"])
def test_the_pins_of_make_run_are_within_the_ranges_of_the_project(extra):
    pins = listed()
    both = [need for text in PROJECT["optional-dependencies"][extra] if (need := Requirement(text)).name in pins]
    assert both
    for need in both:
        (pin,) = pins[need.name].specifier
        assert need.specifier.contains(pin.version)


def test_the_pins_of_make_run_fit_each_other():
    pins = listed()
    for name in pins:
        for need in needs(name):
            pin = pins.get(canonicalize_name(need.name))
            if pin is not None and applies(need):
                (only,) = pin.specifier
                assert need.specifier.contains(only.version), f"{name} needs {need}"


def test_make_run_installs_at_most_45_packages():
    assert len(own() | {"pip", "setuptools"}) <= 45


STUDIO = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
import understudy as us
from understudy.cli.examples import folder
from understudy.studio import app, map_choice, page, robot_panel, start_page, view
import nicegui.ui
nicegui.ui.upload
from nicegui.elements import upload_files

with us.load(folder() / "maze.toml", engine="rigid") as sim:
    sim.run(0.01)
from understudy.cli import main
sys.exit(main(["studio", str(folder() / "maze.toml"), "--no-browser", "--no-ports", "--port", "0", "--seconds", "0.1"]))
"""


@pytest.mark.interop
def test_the_studio_and_the_rigid_engine_start_with_what_make_run_installs():
    if find_spec("nicegui") is None or find_spec("mujoco") is None:
        pytest.skip("the studio or the rigid engine is not installed")
    modules = packages_distributions()
    blocked = [m for m, names in modules.items() if not {canonicalize_name(n) for n in names} & (own() | {"pip"})]
    assert {"aiohttp", "httpx", "docutils"} <= set(blocked)
    code = f"BLOCKED = {blocked!r}\n{STUDIO}"
    env = {**os.environ, "UNDERSTUDY_COMPILE": "never"}  # it is to start, not to be fast
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "the studio is at http://" in done.stderr


def test_an_editable_install_tells_type_checkers_where_the_package_is(tmp_path):
    source = tmp_path / "source"  # a copy: builds leave things behind
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    code = f"import setuptools.build_meta as b; print(b.build_editable({str(tmp_path)!r}))"
    words = [sys.executable, "-c", code]
    subprocess.run(words, cwd=source, capture_output=True, text=True, timeout=120, check=True)
    (wheel,) = tmp_path.glob("understudy-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (path,) = [name for name in names if name.endswith("understudy_types.pth")]
        assert archive.read(path).decode().strip() == str(source)
        record = next(name for name in names if name.endswith("RECORD"))
        recorded = [line.split(",")[0] for line in archive.read(record).decode().splitlines()]
    assert sorted(recorded) == sorted(names)
    assert (source / "understudy" / "py.typed").is_file()


MINE = """\
import understudy as us

sim = us.load("room.toml", seed=7)
sim.robot("scout").drive("fast", 0.5)
"""


@pytest.mark.interop
def test_a_users_script_is_checked_against_our_types(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    (tmp_path / "mine.py").write_text(MINE)
    cache = ["--cache-dir", str(tmp_path / "cache"), "--follow-imports", "silent"]
    words = [sys.executable, "-m", mypy.__name__.partition(".")[0], *cache, "mine.py"]
    env = {**os.environ, "MYPYPATH": str(ROOT)}  # what the path of an editable install does
    said = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False).stdout
    assert said.startswith('mine.py:4: error: Argument 1 to "drive" of "Robot" has incompatible type "str"')
    assert "Found 1 error" in said


def test_the_python_that_runs_these_tests_is_classified():
    version = f"Programming Language :: Python :: {sys.version_info.major}.{sys.version_info.minor}"
    assert version in PROJECT["classifiers"]
