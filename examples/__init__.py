"""Scenes and programs to begin with, shipped with the package.

``understudy examples list`` names them, ``understudy examples copy`` puts them where they can be changed.
"""
