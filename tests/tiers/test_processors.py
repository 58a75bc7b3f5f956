"""The same bits on every processor: this one, beside what any of its family would compute.

The other one has no fused products and no vectors beyond SSE: neither compiled code, nor the C library, nor NumPy, nor
its BLAS has them.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from tier_tools import ticks

import understudy as us
from understudy.cli.examples import names

TICKS = 100
TESTS = str(Path(__file__).parents[1])
RUN = f"""
import sys
sys.path.insert(0, {TESTS!r})
from tier_tools import ticks
import understudy as us
with us.load(sys.argv[1], seed=3) as sim:
    print(*ticks(sim, {TICKS})[-1])
"""
LIBRARIES = """
import hashlib, math, numpy as np
xs = np.random.default_rng(1).uniform(-20.0, 20.0, 99999)
for values in ([math.sin(x) for x in xs.tolist()], xs.reshape(-1, 3) @ xs[:9].reshape(3, 3)):
    print(hashlib.blake2b(np.asarray(values).tobytes()).hexdigest())
"""
FEATURES = "AVX2_Usable,AVX2,FMA,FMA4,AVX512F,AVX,XSAVE,XSAVEC"


def vectors():
    """Return the names that NumPy has for what this processor can do, beyond what it takes for granted."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return [name for name in __cpu_dispatch__ if __cpu_features__[name]]


def elsewhere(script, *arguments):
    """Return the words that a script prints on a processor of the oldest kind."""
    env = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join(f"-{name}" for name in FEATURES.split(",")),
        "NPY_DISABLE_CPU_FEATURES": " ".join(vectors()),
        "OPENBLAS_CORETYPE": "Prescott",
        "UNDERSTUDY_COMPILE": "now",
    }
    found = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=env, capture_output=True, text=True, check=True
    )
    return found.stdout.split()


@pytest.mark.parametrize("name", ["skeleton", "office"])
def test_state_and_readings_are_the_same_on_the_oldest_of_processors(name):
    scene = names()[name]
    with us.load(scene, seed=3) as sim:
        assert elsewhere(RUN, str(scene)) == list(ticks(sim, TICKS)[-1])


def test_libraries_do_differ_between_these_processors_so_the_comparison_means_something():
    here = subprocess.run([sys.executable, "-c", LIBRARIES], capture_output=True, text=True, check=True).stdout.split()
    differs = [one != other for one, other in zip(here, elsewhere(LIBRARIES), strict=True)]
    fused = "X86_V3" in vectors() or "FMA3" in vectors()
    assert differs == [fused and platform.libc_ver()[0] == "glibc", fused]


def test_our_own_mathematics_is_the_same_on_the_oldest_of_processors():
    script = """
import hashlib, numpy as np
from understudy.elementary import arrays
xs = np.linspace(-20.0, 20.0, 20001)
many = [arrays.sin(xs), arrays.cos(xs), arrays.tan(xs), arrays.exp(xs), arrays.log(xs), arrays.atan2(xs, xs[::-1])]
many += [arrays.acos(xs / 20.0), arrays.product(xs[:18000].reshape(-1, 3), xs[:9].reshape(3, 3))]
print(hashlib.blake2b(b"".join(each.tobytes() for each in many)).hexdigest())
"""
    here = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert here == elsewhere(script)
