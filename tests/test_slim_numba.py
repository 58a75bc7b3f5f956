"""Numba is imported without asking SciPy and PyYAML whether they are there; whoever wants them still gets them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import understudy

FAKE = "__version__ = '1.17.0'\nhello = 'it is here'\n"


@pytest.fixture
def python(tmp_path):
    """Run a program where a SciPy is installed."""
    (tmp_path / "scipy").mkdir()
    (tmp_path / "scipy" / "__init__.py").write_text(FAKE)
    path = os.pathsep.join((str(Path(understudy.__file__).parents[1]), str(tmp_path)))

    def run(code):
        env = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, env=env, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return run


LOADED = "; import sys; print('numba' in sys.modules, 'scipy' in sys.modules, 'yaml' in sys.modules)"


def test_numba_is_there_and_scipy_is_not(python):
    assert python("import understudy.sim" + LOADED) == ["True", "False", "False"]


COMPILED = """
import sys, numpy, understudy.jit
from understudy.rng import philox
seen = lambda: print("numba.np.arraymath" in sys.modules, "scipy" in sys.modules)
seen()
philox(*(numpy.uint64(n) for n in range(6)))
seen()
"""


def test_the_compiler_is_loaded_when_a_kernel_is_compiled_and_scipy_is_not(python, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert python(COMPILED) == ["False", "False", "True", "False"]


def test_scipy_can_be_imported_afterwards(python):
    assert python("import understudy.sim, scipy; print(scipy.hello.split()[-1])") == ["here"]


def test_a_scipy_that_is_here_already_stays(python):
    assert python("import scipy, understudy.sim" + LOADED) == ["True", "True", "False"]


def test_numbas_own_configuration_file_is_still_read(python, tmp_path):
    (tmp_path / ".numba_config.yaml").write_text("loop_vectorize: 0\n")
    assert python("import understudy.sim, numba; print(numba.config.LOOP_VECTORIZE == 0)") == ["True"]


def test_only_the_thread_that_imports_sees_the_module_as_missing():
    from concurrent.futures import ThreadPoolExecutor

    from understudy.slim_numba import hidden

    sys.modules.pop("colorsys", None)
    with hidden("colorsys"), ThreadPoolExecutor(1) as pool:
        with pytest.raises(ModuleNotFoundError, match="colorsys"):
            import colorsys
        assert pool.submit(__import__, "colorsys").result().__name__ == "colorsys"
    import colorsys

    assert colorsys


def test_the_finders_are_left_as_they_were():
    from understudy.slim_numba import hidden

    before = list(sys.meta_path)
    with pytest.raises(RuntimeError), hidden("colorsys"):
        raise RuntimeError
    assert sys.meta_path == before
