"""The run loop: the only owner of time.

`run` is the pure part (scene, seed, inbox in; motion, readings and bytes out), `sim` joins it to links, clock,
listeners and programs.
"""

import understudy.slim_numba  # noqa: F401 - before anything that has kernels imports Numba
