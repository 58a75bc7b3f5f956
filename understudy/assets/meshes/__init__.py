"""Meshes from files: OBJ, STL, PLY, glTF, COLLADA, Ogre and Blender.

`mesh` is the entry; the other modules read one family of files each.
"""
