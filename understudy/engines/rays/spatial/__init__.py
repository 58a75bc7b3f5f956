"""Rays in any direction among solids, meshes and terrain: `caster` is the entry point."""
