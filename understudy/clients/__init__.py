"""What users' programs load in processes of their own; it imports nothing of understudy, but for `preload`.

``understudy_seat.py`` gives a Python process the seat of a robot's program. ``eye.py`` and ``eye_classic.py`` are the
modules of RoBIOS programs; what they offer is in ``understudy_robios``, and the same for C in ``robios_c``.
``serial_lines.c`` answers the modem-line calls that pseudo-terminals refuse; `preload` builds it on demand and says how
a program gets it.
"""
