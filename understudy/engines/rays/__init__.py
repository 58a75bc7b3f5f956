"""One ray-casting package for all engines.

`table` says which rays a device casts; `grid` casts them through a uniform grid, cell by cell.
"""
