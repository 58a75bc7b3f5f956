"""The modules that RoBIOS programs import: where they are found, and what they need."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from understudy.clients import understudy_robios
from understudy.clients.understudy_robios.functions import functions

PACKAGE = Path(understudy_robios.__file__).parent
CLIENTS = PACKAGE.parent
FILES = sorted([*PACKAGE.glob("*.py"), CLIENTS / "eye.py", CLIENTS / "eye_classic.py"])
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_the_wheel_installs_the_two_modules_at_the_top():
    setuptools = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"]["setuptools"]
    folder = PYPROJECT.parent / setuptools["package-dir"][""]
    assert setuptools["py-modules"] == ["eye", "eye_classic"]
    assert all((folder / f"{module}.py").is_file() for module in setuptools["py-modules"])
    assert "understudy.clients.understudy_robios" in setuptools["packages"]


@pytest.mark.parametrize("module", ["eye", "eye_classic"])
def test_a_module_at_the_top_finds_its_library_in_the_package(tmp_path, module):
    (tmp_path / "understudy").mkdir()
    (tmp_path / "understudy" / "clients").symlink_to(CLIENTS)
    (tmp_path / f"{module}.py").write_bytes((CLIENTS / f"{module}.py").read_bytes())
    loaded = "'understudy' in sys.modules, 'numpy' in sys.modules"
    code = f"from {module} import *\nimport sys\nprint(callable(OSWait), {loaded})"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True,
        text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["True", "False", "False"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_for_python_3_8_and_the_standard_library(file):
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_table_has_every_function_once():
    rows = functions()
    keys = [(row.api, row.name) for row in rows]
    assert len(keys) == len(set(keys)) > 280
    assert {row.support.partition(";")[0] for row in rows} == {"full", "no effect", "refused"}


HEADERS = {"7": "include/eyebot.h", "classic": "classic/eyebot.h"}
PYTHON_ONLY: dict[str, set[str]] = {"7": set(), "classic": set()}


@pytest.mark.parametrize("api", HEADERS)
def test_the_header_for_c_has_the_same_functions(api):
    header = CLIENTS / "robios_c" / HEADERS[api]
    text = header.read_text(encoding="utf-8")
    missing = {row.name for row in functions() if row.api == api and f"{row.name}(" not in text}
    assert missing == PYTHON_ONLY[api]
