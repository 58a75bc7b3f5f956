"""URDF robots: `robot_file` is the entry; `xacro_text` expands xacro files."""
