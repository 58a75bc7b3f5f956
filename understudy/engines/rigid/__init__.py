"""The rigid engine: rigid bodies in three dimensions on MuJoCo, with our own wheel model.

`engine` implements the contract; `bodies` makes MuJoCo's model from a scene, `vehicle` the rows of wheels that
`driving` works on; `wheel_contact_flat` finds what a wheel stands on, `readout` the poses, `touching` the contacts of
robots.
"""
