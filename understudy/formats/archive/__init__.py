"""Packed scenes: one file that holds a scene and all that it names."""
