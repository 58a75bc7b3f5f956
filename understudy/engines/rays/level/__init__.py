"""Horizontal rays over a floor plan: `caster` is the entry point; `scan` is the exact angular z-buffer."""
