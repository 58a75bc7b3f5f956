"""Two tiers: the interpreter runs kernels until other processes have compiled them, and both give the same bits.

`twins` makes the function that the interpreter runs out of a kernel's own source; `switch` is the kernel that changes
over; `workshop` has kernels compiled by other processes (`worker`), which fill the cache on disk.
"""
