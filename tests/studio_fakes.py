"""A studio without a web server: stage, desk and hub in one thread, and browsers that are lists of messages."""

from __future__ import annotations

import json

from scenes import box, pioneer_model, robot, room

from understudy.sim.sim import Sim
from understudy.studio.commands import Commands
from understudy.studio.runner import Runner
from understudy.studio.stream import Stream, Viewer


class AtOnce:
    """An event loop that does everything at once."""

    def is_closed(self):
        return False

    def call_soon_threadsafe(self, call, value):
        call(value)


class Browser(Viewer):
    """Keeps what it receives; has always room for a frame."""

    def __init__(self, stream):
        super().__init__(None)
        self.texts, self.frames = [], []
        stream._viewers.append(self)

    def say(self, text):
        self.texts.append(json.loads(text))

    def offer(self, frame):
        self.frames.append(frame)

    def of(self, kind):
        return [message for message in self.texts if message["kind"] == kind]


class House:
    """A stage with a desk and as many browsers as one likes."""

    def __init__(self, scene=None, **options):
        self.sim = Sim(scene or two_robots(), seed=6, **options)
        self.stream = Stream()
        self.stream._loop = AtOnce()
        self.runner = Runner(self.sim, self.stream, "a test")
        self.commands = Commands(self.runner, self.stream)

    def browser(self):
        return Browser(self.stream)

    def hear(self, viewer, do, **words):
        """Take a message and do what it asks for."""
        self.commands.hear(viewer, {"do": do, **words})
        self.runner.turn()

    def run(self, ticks):
        self.sim.step(ticks)

    def place(self, name):
        pose = next(thing for thing in self.sim.scene.things() if thing.name == name).pose
        return pose.x_m, pose.y_m, pose.heading_rad

    def names(self):
        return [thing.name for thing in self.sim.scene.things()]

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.sim.close()


def two_robots():
    pioneer = robot("pioneer", 1.0, parts=pioneer_model())
    return room(robot("scout", -1.0), pioneer, objects=(box(y=1.5), box("crate", 0.0, -1.2, mass_kg=2.0)))
