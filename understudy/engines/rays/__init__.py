"""One ray-casting package for all engines.

`table` says which rays a device casts. For level ones `sight` chooses between `scan` (fans, by an angular z-buffer),
`beams` (single rays) and `sector` (exact cones), over `lists` of visible walls or the `grid`. All others are cast in
three dimensions: `tilted`, `solids`.
"""
