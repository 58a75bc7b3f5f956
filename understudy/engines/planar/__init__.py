"""The planar engine: robots that move on a floor, exact rays, any number of them.

`layout` turns a scene into arrays, `motion` advances the robots, `engine` joins both behind the contract.
"""
