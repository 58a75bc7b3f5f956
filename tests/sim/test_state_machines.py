"""Whatever is done to a run, in whatever order: Hypothesis adds, removes, moves, resets, saves and restores."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from limbs import PAN
from scenes import PERFECT, box, model, robot, room

from understudy import api
from understudy.errors import ChangeRefused
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Move, Remove, Replace, apply
from understudy.world.robot import DeviceSpec, Omni, Rectangle, Skid
from understudy.world.scene import Ball
from understudy.world.shapes import Mount, Pose

ROBOTS, CRATES, BALLS = ("a", "b", "c"), ("crate", "chest"), ("ball",)

DEVICES = (
    DeviceSpec(name="front", sheet=SENSORS["laser"](rays=15, latency_us=30_000), mount=Mount(z_m=0.2)),
    DeviceSpec(name="gps", sheet=SENSORS["gps"](period_us=25_000)),
    DeviceSpec(name="true", sheet=SENSORS["gps"](period_us=25_000, noise=PERFECT)),
    DeviceSpec(name="wheels", sheet=SENSORS["odometry"]()),
    DeviceSpec(name="force", sheet=SENSORS["accelerometer"]()),
)
MODELS = (
    model(devices=DEVICES),
    model(devices=DEVICES, drive=Skid(0.3), body=Rectangle(0.4, 0.3)),
    model(devices=DEVICES[:4], drive=Omni(), joints=(PAN,)),
)

poses = st.builds(
    lambda x, y, heading: Pose(0.8 * x, 0.7 * y, heading_rad=heading),
    st.integers(-3, 3), st.integers(-2, 2), st.sampled_from((0.0, 0.5, -2.0, 3.0)),
)  # fmt: skip
sources = st.sampled_from(("api", "user"))  # what a user builds outlives a reset
speeds = st.sampled_from((-0.4, 0.0, 0.3, 0.7))


def readings(sim):
    """Return what every device reads, as bytes."""
    return {
        f"{robot.name}/{name}": (robot.read(name).tobytes(), robot.stamp_us(name))
        for robot in sim.robots
        for name in robot.devices
    }


def errors(sim, names, ticks):
    """Return by how much the GPS of robots is wrong in height after each of some ticks (m)."""
    seen = []
    for _ in range(ticks):
        sim.step()
        seen.append([sim.robot(name).read("gps")[2] - sim.robot(name).read("true")[2] for name in names])
    return np.array(seen)


class Machine(RuleBasedStateMachine):
    """A run, and what must hold of it at all times."""

    engine = "planar"

    @initialize()
    def begin(self):
        self.sim = Sim(
            room(robot("a", -1.6, parts=MODELS[0]), objects=(box("crate", 1.6, mass_kg=1.0),)), seed=5,
            engine=self.engine,
        )  # fmt: skip
        self.ticks, self.saved = 0, None

    def teardown(self):
        if hasattr(self, "sim"):
            self.sim.close()

    def names(self, *kinds):
        return [thing.name for thing in self.sim.scene.things() if not kinds or thing.name in kinds]

    def some(self, data, *kinds):
        return data.draw(st.sampled_from(self.names(*kinds)))

    def absent(self, *kinds):
        return [name for name in kinds if name not in self.names()]

    def made(self, data, name, pose):
        """Return a thing of a name: a robot, a crate or a ball."""
        if name in ROBOTS:
            return robot(
                name, parts=data.draw(st.sampled_from(MODELS)), heading=pose.heading_rad, x=pose.x_m, y=pose.y_m
            )
        if name in BALLS:
            return Ball(name, pose=pose)
        return replace(box(name, mass_kg=data.draw(st.sampled_from((0.0, 2.0)))), pose=pose)

    def do(self, change, source="api"):
        """Make a change, and see that the running scene becomes what the document would."""
        self.sim.exchange()  # what was sent before
        wanted = apply(self.sim.scene, change)
        self.sim.change(change, source)
        assert self.sim.scene == wanted

    # ---- what may happen

    @precondition(lambda self: self.absent(*ROBOTS, *CRATES, *BALLS))
    @rule(data=st.data(), pose=poses, source=sources)
    def add(self, data, pose, source):
        name = data.draw(st.sampled_from(self.absent(*ROBOTS, *CRATES, *BALLS)))
        self.do(Add(self.made(data, name, pose)), source)

    @rule(data=st.data(), pose=poses)
    def add_a_name_that_is_there(self, data, pose):
        self.sim.exchange()
        thing, before = self.made(data, self.some(data), pose), self.sim.hash()
        with pytest.raises(ChangeRefused, match="already"):
            self.sim.change(Add(thing))
        assert self.sim.hash() == before

    @precondition(lambda self: self.names(*ROBOTS, *CRATES, *BALLS))
    @rule(data=st.data(), source=sources)
    def remove(self, data, source):
        """What is taken away leaves the noise of those who stay as it would have been."""
        gone = self.some(data, *ROBOTS, *CRATES, *BALLS)
        others = [name for name in self.names(*ROBOTS) if name != gone]
        with api.restore(self.sim.save()) as untouched:
            self.do(Remove(gone), source)
            assert np.allclose(errors(self.sim, others, 6), errors(untouched, others, 6), atol=1e-6, equal_nan=True)
        self.ticks += 6

    @precondition(lambda self: self.names(*ROBOTS, *CRATES, *BALLS))
    @rule(data=st.data(), pose=poses, source=sources)
    def replace(self, data, pose, source):
        name = self.some(data, *ROBOTS, *CRATES, *BALLS)
        self.do(Replace(name, self.made(data, name, pose)), source)

    @precondition(lambda self: self.names(*ROBOTS, *CRATES, *BALLS))
    @rule(data=st.data(), pose=poses, source=sources)
    def move(self, data, pose, source):
        self.do(Move(self.some(data, *ROBOTS, *CRATES, *BALLS), pose), source)

    @precondition(lambda self: self.names(*ROBOTS))
    @rule(data=st.data(), ahead=speeds, turn=speeds)
    def drive(self, data, ahead, turn):
        self.sim.robot(self.some(data, *ROBOTS)).drive(ahead, turn)

    @precondition(lambda self: any(robot.joints for robot in self.sim.robots))
    @rule(angle=speeds)
    def turn_a_servo(self, angle):
        next(robot for robot in self.sim.robots if robot.joints).servo("pan").to(angle)

    @rule(ticks=st.integers(1, 20))
    def step(self, ticks):
        self.sim.step(ticks)
        self.ticks += ticks

    @rule()
    def pause_and_resume(self):
        self.sim.exchange()
        before, held = self.sim.hash(), self.sim.paused
        self.sim.resume() if held else self.sim.pause()
        assert (self.sim.hash(), self.sim.paused) == (before, not held)

    @rule()
    def reset(self):
        """A new run is that of its document, in every bit."""
        self.sim.reset()
        self.ticks = 0
        with Sim(self.sim.start) as fresh:
            assert (self.sim.hash(), readings(self.sim)) == (fresh.hash(), readings(fresh))
            assert self.sim.scene == fresh.scene

    @rule()
    def save(self):
        self.saved = self.sim.save(), self.sim.hash(), readings(self.sim), self.ticks

    @precondition(lambda self: self.saved)
    @rule()
    def restore(self):
        """A saved run is as it was, whatever has been done since."""
        data, digest, read, self.ticks = self.saved
        self.sim.close()
        self.sim = api.restore(data)
        assert (self.sim.hash(), readings(self.sim)) == (digest, read)

    @rule(ticks=st.integers(1, 15), change_over=st.booleans())
    def go_on_as_a_restored_run_does(self, ticks, change_over):
        other = api.restore(self.sim.save())
        assert (other.hash(), readings(other), other.scene) == (self.sim.hash(), readings(self.sim), self.sim.scene)
        for each in (self.sim, other):
            each.step(ticks)
        self.ticks += ticks
        assert (other.hash(), readings(other)) == (self.sim.hash(), readings(self.sim))
        if change_over:
            self.sim, other = other, self.sim
        other.close()

    # ---- what holds at all times

    @invariant()
    def poses_are_finite(self):
        everything = [*self.sim.scene.robots, *self.sim.scene.objects, *self.sim.scene.balls]
        assert all(
            math.isfinite(x)
            for thing in everything
            for x in (thing.pose.x_m, thing.pose.y_m, thing.pose.z_m, thing.pose.heading_rad)
        )

    @invariant()
    def names_are_unique(self):
        assert len(set(self.names())) == len(self.names())

    @invariant()
    def the_clock_counts_the_ticks(self):
        assert self.sim.tick == self.ticks
        assert self.sim.t_us == self.ticks * self.sim.start.tick_us

    @invariant()
    def every_robot_reads_its_devices(self):
        for each in self.sim.robots:
            for name in each.devices:
                assert len(each.read(name)) == len(each.sheet(name).columns())


class RigidMachine(Machine):
    engine = "rigid"


BOUNDED = settings(
    derandomize=True, max_examples=60, stateful_step_count=12, deadline=None, database=None, print_blob=False
)
TestPlanarRuns = Machine.TestCase
TestPlanarRuns.settings = BOUNDED
TestRigidRuns = RigidMachine.TestCase
TestRigidRuns.settings = settings(BOUNDED, max_examples=30)
