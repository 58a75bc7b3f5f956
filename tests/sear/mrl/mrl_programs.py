"""Programs for the services: they run as a user's program does, with global names of their own."""

import queue
import textwrap

from understudy.sear.mrl import Runtime, python

PATIENCE_S = 30.0  # most that a test waits for anything


class Program:
    """A program that has run up to its last line; its listeners go on. `heard` collects what they note."""

    def __init__(self, text="", **names):
        self.heard = queue.Queue()
        self.names = {"Runtime": Runtime, "python": python, "note": self.heard.put, "__name__": "program", **names}
        self.run(text)

    def run(self, text):
        exec(compile(textwrap.dedent(text), "program.py", "exec"), self.names)
        return self

    def next(self, timeout_s=PATIENCE_S):
        """Return the next thing that a listener notes."""
        return self.heard.get(timeout=timeout_s)

    def __getitem__(self, name):
        return self.names[name]
