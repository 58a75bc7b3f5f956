"""Whole scenes and robots from mesh files (glTF, COLLADA, Ogre, Blender): `node_tree` is the entry."""
