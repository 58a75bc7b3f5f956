"""The planar engine: robots that move on a flat floor, with exact ray casting, in any number.

`layout` and `tables` turn a scene into arrays; `motion`, `near`, `contact`, `push` and `ball` advance what moves;
`engine` joins it all behind the contract; `worlds` does so for many copies of a scene, whose rows are `world_columns`.
"""
