"""Unmodified programs in simulated time: they share the simulator's clock, which advances only while all of them wait.

It knows links and processes, and nothing of robots. `build` makes the library that programs run with (``native/``),
`launch` starts them, `wire` is what they say, `programs` decides who runs, `connections` makes sure that bytes arrive.
"""
