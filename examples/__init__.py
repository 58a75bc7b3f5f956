"""Example scenes and programs, shipped with the package.

``understudy examples list`` lists them, ``understudy examples copy`` copies them so that you can change them.
"""
