"""The planar engine: robots that move on a floor, exact rays, any number of them.

`layout` and `tables` turn a scene into arrays; `motion`, `near`, `contact`, `push` and `ball` advance what moves;
`engine` joins it all behind the contract.
"""
