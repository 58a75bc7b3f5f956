"""MobileSim's command line on top of the simulator: its options, folders, exit codes and start rules.

`options` is the table of options, `setup` makes a scene and robot factories of them, `codes` says how the process ends.
"""
