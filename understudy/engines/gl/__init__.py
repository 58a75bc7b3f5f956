"""Pictures by MuJoCo's renderer: which OpenGL there is, the thread that owns it, and what rays can meet as a drawing.

A drawing is made from the very rows that rays are cast at, so it needs no MuJoCo model of the physics and serves any
engine. OpenGL without a screen is EGL or OSMesa.
"""
