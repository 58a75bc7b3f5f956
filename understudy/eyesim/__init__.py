"""EyeSim's front end: consoles of EyeBots in a terminal and in files, and keys that a script presses.

`terminal` shows consoles, `dump` writes them as PNG and text, `keys` reads scripts such as ``KEY1@2s,KEY4@20s``.
"""
