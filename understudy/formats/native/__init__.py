"""Our own scene and robot files, TOML with ``schema = 1``: `scene_file` is the entry."""
