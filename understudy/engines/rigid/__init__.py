"""The rigid engine: bodies in three dimensions on MuJoCo, vehicles on wheels of our own.

`engine` fulfils the contract; `bodies` makes MuJoCo's model from a scene, `vehicle` the rows of wheels that `driving`
works on, `beneath` tells what a wheel stands on, `readout` where everything is, `touching` what robots touch.
"""
