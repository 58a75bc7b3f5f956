"""Decoded contents of files: meshes, pictures, heights, convex pieces.

Formats, engines and the studio all import it; it does not depend on scene file formats.
"""
