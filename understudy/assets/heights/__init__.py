"""Terrain from files: `elevation` is the entry; `grids` reads the files, `georeference` maps them to the Earth."""
