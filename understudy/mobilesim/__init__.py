"""MobileSim's command line on top of the simulator: its options, folders, exit codes and start rules.

`options` is the table of options, `setup` turns them into a scene and robot factories, `codes` has the exit codes.
"""
