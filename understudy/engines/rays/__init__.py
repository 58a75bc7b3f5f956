"""One ray-casting package for all engines.

`table` holds the rays of a device. Horizontal rays are cast by `level`: its `caster` chooses between `scan` (fans, by
an angular z-buffer), `beams` (single rays) and `sector` (exact cones). All others are cast by `spatial`. `simd` has the
vector types that both use.
"""
