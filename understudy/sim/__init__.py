"""The run loop: the only owner of time.

`run` is the pure part (scene, seed, inbox in; motion, readings and bytes out), `sim` connects it to links, wall clock,
listeners and programs.
"""

import understudy.slim_numba  # noqa: F401 - before any module with kernels imports Numba
