"""The arrows are a test too: imports follow the way of the data and never climb."""

import ast
import tomllib
from pathlib import Path

import understudy

PACKAGE = Path(understudy.__file__).parent
LAYERS = [
    "errors", "lazy", "units", "elementary", "slim_numba", "tiers", "compiled", "rng", "links", "world", "formats",
    "engines", "sensors", "robots", "protocols", "sim", "tape", "mobilesim", "api", "compare", "examples", "studio",
    "cli",
]  # fmt: skip
POSIX_ONLY = {"fcntl", "termios", "pty", "tty", "resource", "grp", "pwd"}


def imports(file):
    """Yield (line, module, at top level) for every import of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "understudy"
                else [node.module]
            )
            yield from ((node.lineno, name, id(node) in top) for name in names)


def layer_of(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "understudy" and parts[1] in LAYERS else None


def upward_imports(package):
    """Return every import that climbs a layer, as ``file:line a -> b``."""
    found = []
    for file in sorted(package.rglob("*.py")):
        own = file.relative_to(package).parts[0].removesuffix(".py")
        if own not in LAYERS:
            continue
        for line, module, _ in imports(file):
            other = layer_of(module)
            if other and LAYERS.index(other) > LAYERS.index(own):
                found.append(f"{file.relative_to(package)}:{line} {own} -> {other}")
    return found


def test_no_import_climbs_a_layer():
    assert upward_imports(PACKAGE) == []


def test_a_climbing_import_is_found(tmp_path):
    (tmp_path / "world").mkdir()
    (tmp_path / "world" / "bad.py").write_text("from understudy.sim.sim import Sim\n")
    assert upward_imports(tmp_path) == ["world/bad.py:1 world -> sim"]


def test_the_ray_casters_know_no_engine():
    engines = ("understudy.engines.planar", "understudy.engines.rigid")
    found = [
        f"{file.name}:{line} {module}"
        for file in sorted((PACKAGE / "engines" / "rays").glob("*.py"))
        for line, module, _ in imports(file)
        if module.startswith(engines)
    ]
    assert found == []


def test_links_import_nothing_but_errors_and_lazy_tables():
    used = {layer_of(module) for file in (PACKAGE / "links").glob("*.py") for _, module, _ in imports(file)}
    assert used - {None} <= {"errors", "lazy", "links"}


def test_posix_modules_are_imported_only_by_the_pseudo_terminal_and_never_at_the_top():
    found = [
        f"{file.relative_to(PACKAGE)}:{line} {module}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line, module, top in imports(file)
        if module in POSIX_ONLY and (top or file != PACKAGE / "links" / "pty.py")
    ]
    assert found == []


def test_every_module_has_a_docstring():
    bare = [
        str(file.relative_to(PACKAGE))
        for file in sorted(PACKAGE.rglob("*.py"))
        if ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) is None
    ]
    assert bare == []


def test_every_folder_of_the_package_is_in_the_wheel():
    listed = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {file.parent for suffix in ("py", "toml") for file in PACKAGE.rglob(f"*.{suffix}")}
    names = {".".join(("understudy", *folder.relative_to(PACKAGE).parts)) for folder in folders}
    assert names - set(listed["packages"]) == set()
