"""Record, replay and compare runs. A tape holds the resolved scene and the exact inputs of each tick (the inbox).

`writer` listens to a run, `reader` reads a tape (also a truncated one), `replay` runs it again without clients or
programs, `diff` finds the first difference of two tapes and `differences` also what comes after another seed.
"""

from understudy.tape.diff import Difference, diff, differences
from understudy.tape.reader import Tape
from understudy.tape.replay import Mismatch, Replay, replay
from understudy.tape.writer import LEVELS, TapeWriter

__all__ = ["LEVELS", "Difference", "Mismatch", "Replay", "Tape", "TapeWriter", "diff", "differences", "replay"]
