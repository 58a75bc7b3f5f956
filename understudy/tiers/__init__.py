"""Tiered execution: the interpreter runs kernels until other processes have compiled them; results are bit-identical.

`twins` makes the interpreted function from a kernel's own source; `switch` is the kernel that changes from one to the
other; `workshop` lets other processes (`worker`) compile kernels into the cache on disk.
"""
