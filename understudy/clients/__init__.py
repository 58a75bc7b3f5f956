"""What users' programs load in processes of their own; no file here imports another, but for `preload`.

``understudy_seat.py`` gives a Python process the seat of a robot's program. ``serial_lines.c`` answers the modem-line
calls that pseudo-terminals refuse; `preload` builds it on demand and says how a program gets it.
"""
