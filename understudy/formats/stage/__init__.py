"""Stage's world files: `world_file` is the entry."""
