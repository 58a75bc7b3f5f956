"""What a run computes comes from functions of ours: those of libraries have their last bits from the processor."""

import ast
from pathlib import Path

import numpy as np
import pytest

import understudy
from understudy import rng

PACKAGE = Path(understudy.__file__).parent
LAYERS = ("jit.py", "rng.py", "units.py", "world", "formats", "engines", "sensors", "robots", "protocols", "sim")
FUNCTIONS = {
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1", "log", "log2", "log10",
    "log1p", "logaddexp", "pow", "power", "float_power", "cbrt", "hypot", "dist", "erf", "erfc", "gamma", "lgamma",
    "sinc", "dot", "matmul", "inner", "vdot", "tensordot", "polyfit",
}  # fmt: skip
LINEAR = {"norm", "inv", "det", "svd", "eigh", "eigvalsh", "eig", "solve", "lstsq", "pinv", "qr", "cholesky"}
ALLOWED = {  # file, and what it may take from a library
    ("rng.py", "math.erfc"): "its table is rounded to 2**-24 (tested below)",
    ("assets/meshes/mesh.py", "np.linalg.svd"): "the rotation that is made of it is rounded to 2**-40",
    ("assets/meshes/mesh.py", "np.linalg.det"): "only its sign is taken, of a rotation",
    ("world/triangles.py", "np.linalg.det"): "only its sign is taken",
    ("world/triangles.py", "@"): "of whole numbers",
    ("formats/urdf/kinds.py", "np.linalg.svd"): "says whether a wheel is round to within a tenth",
    ("world/inertia.py", "np.linalg.eigvalsh"): "says whether a body can have such moments, with some slack",
    ("world/inertia.py", "np.linalg.eigh"): "moments about all axes are MuJoCo's alone",
    ("world/geo.py", "**"): "the square of a whole number, which is exact",
}
MUJOCO = ("engines/rigid", "engines/gl")  # which has linear algebra of its own, and pictures that OpenGL draws


def borrowed(tree):
    """Yield (line, name) of everything that takes its last bits from a library."""
    for node in ast.walk(tree):
        name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        module, _, function = name.rpartition(".")
        if (module in ("math", "np", "numba") and function in FUNCTIONS) or (
            module == "np.linalg" and function in LINEAR
        ):
            yield node.lineno, name
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "@"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not isinstance(node.left, ast.Constant):
            yield node.lineno, "**"
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            yield from ((node.lineno, f"{node.module}.{each.name}") for each in node.names if each.name in FUNCTIONS)


def files():
    for layer in LAYERS:
        yield from [PACKAGE / layer] if layer.endswith(".py") else sorted((PACKAGE / layer).rglob("*.py"))


def test_nothing_that_a_run_computes_comes_from_a_library():
    found = []
    for file in files():
        place = file.relative_to(PACKAGE).as_posix()
        for line, name in borrowed(ast.parse(file.read_text(encoding="utf-8"))):
            linear = name in ("@", "**") or name.startswith("np.linalg")
            if (place, name) not in ALLOWED and not (linear and place.startswith(MUJOCO)):
                found.append(f"{place}:{line} {name}: use understudy.elementary, or write the product out")
    assert found == []


@pytest.mark.parametrize("text", ["math.sin(x)", "f = np.exp", "a @ b", "x**2", "x**y", "np.linalg.norm(x)"])
def test_what_comes_from_a_library_is_found(text):
    assert list(borrowed(ast.parse(text)))


@pytest.mark.parametrize("text", ["math.sqrt(x)", "elementary.sin(x)", "2.0**k", "np.floor(x)", "math.remainder(a, b)"])
def test_what_every_processor_rounds_alike_is_not(text):
    assert not list(borrowed(ast.parse(text)))


def test_the_table_of_normal_numbers_does_not_depend_on_the_last_bits_of_a_library():
    x = np.ldexp(np.arange(64, 129) / 64, np.arange(-1, 31)[:, None]).ravel()
    scaled = rng._quantiles(x / 2.0**32) * 2.0**24
    assert np.abs(scaled - np.floor(scaled) - 0.5).min() > 1e-5  # the last bits are worth 1e-7 at most


def test_every_argsort_says_that_it_is_stable():
    loose = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file in files()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("argsort", "argpartition")
        and not any(word.arg == "kind" for word in node.keywords)
    ]
    assert loose == []
