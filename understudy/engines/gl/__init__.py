"""Pictures by MuJoCo's renderer: OpenGL detection, the thread that owns it, and the drawable form of what rays can hit.

A drawing is made from the same rows that rays are cast at, so it needs no MuJoCo model of the physics and works with
any engine. OpenGL without a screen is EGL or OSMesa.
"""
