"""The clock of the listings in tests: their pauses are five times shorter, for nobody reads along."""

import time


def sleep(seconds):
    time.sleep(seconds / 5)
