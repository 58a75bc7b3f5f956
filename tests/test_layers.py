"""The arrows are a test too: imports follow the way of the data and never climb."""

import ast
import tomllib
from pathlib import Path

import understudy

PACKAGE = Path(understudy.__file__).parent
LAYERS = [
    "frozen", "errors", "lazy", "plugins", "folders", "units", "elementary", "slim_numba", "tiers", "jit", "rng",
    "links", "clients", "together", "world", "assets", "formats", "engines", "sensors", "robots", "protocols", "sim",
    "tape", "mobilesim", "api", "compare", "sear", "eyesim", "examples", "studio", "cli",
]  # fmt: skip
ENTRANCES = {"__init__", "__main__"}  # import from any layer
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


def unlisted(package):
    """Return the modules and folders of a package, with code in them, that are in no layer."""
    tops = {file.relative_to(package).parts[0].removesuffix(".py") for file in package.rglob("*.py")}
    return sorted(tops - set(LAYERS) - ENTRANCES)


def shared_names(package):
    """Return the names of public classes that stand in more than one layer, each with its layers."""
    layers = {}
    for file in sorted(package.rglob("*.py")):
        top = file.relative_to(package).parts[0].removesuffix(".py")
        if top == "clients":  # they run in users' programs, without the rest
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                layers.setdefault(node.name, set()).add(top)
    return {name: sorted(tops) for name, tops in layers.items() if len(tops) > 1}


def test_every_module_and_folder_is_in_a_layer():
    assert unlisted(PACKAGE) == []


def test_a_folder_that_is_in_no_layer_is_found(tmp_path):
    (tmp_path / "attic" / "boxes").mkdir(parents=True)
    (tmp_path / "attic" / "boxes" / "old.py").write_text("")
    (tmp_path / "__init__.py").write_text("")
    assert unlisted(tmp_path) == ["attic"]


def test_a_public_class_has_a_name_that_no_other_layer_uses():
    assert shared_names(PACKAGE) == {}


def test_a_class_name_in_two_layers_is_found(tmp_path):
    for folder in ("world", "sim"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "it.py").write_text("class Thing:\n    pass\n\n\nclass _Own:\n    pass\n")
    assert shared_names(tmp_path) == {"Thing": ["sim", "world"]}


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


def test_links_import_nothing_but_errors_data_classes_and_tables_of_contents():
    used = {layer_of(module) for file in (PACKAGE / "links").glob("*.py") for _, module, _ in imports(file)}
    assert used - {None} <= {"errors", "frozen", "links", "plugins"}


TERMINALS = tuple(PACKAGE / "links" / f"{name}.py" for name in ("pty", "terminal", "speed", "names"))


def test_posix_modules_are_imported_only_by_the_pseudo_terminal_and_never_at_the_top():
    found = [
        f"{file.relative_to(PACKAGE)}:{line} {module}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line, module, top in imports(file)
        if module in POSIX_ONLY and (top or file not in TERMINALS)
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


def test_the_folders_of_the_tests_are_those_of_the_package():
    own = {"contracts", "golden", "interop", "physics", "soak"}  # beside them
    tests = Path(__file__).parent
    folders = {file.parent.relative_to(tests) for file in tests.rglob("test_*.py")}
    assert [str(f) for f in sorted(folders) if f.parts and f.parts[0] not in own and not (PACKAGE / f).is_dir()] == []


def reaches_into_engines(package):
    """Return every place above the simulation that takes hold of an engine, as ``file:line``."""
    found = []
    for top in ("tape", "mobilesim", "studio", "cli", "compare.py"):
        for file in sorted((package / top).rglob("*.py") if (package / top).is_dir() else [package / top]):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Attribute)
                    and node.value.attr == "engine"
                ):
                    found.append(f"{file.relative_to(package)}:{node.lineno}")
    return found


def test_nothing_above_the_simulation_reaches_into_an_engine():
    assert reaches_into_engines(PACKAGE) == []
