"""What every listener must do: watch, and change nothing."""

from scenes import robot, room

from understudy.sim.sim import Sim
from understudy.world.changes import Move
from understudy.world.shapes import Pose


def _drive(listener):
    with Sim(room(robot("scout", -1.0)), seed=5) as sim:
        if listener is not None:
            sim.attach(listener)
        sim.robot("scout").drive(0.3, 0.4)
        sim.run(1.0)
        sim.pause()
        sim.change(Move("scout", Pose(0.5, 0.5)))
        sim.resume()
        sim.run(1.0)
        sim.reset()
        sim.robot("scout").drive(0.2)
        sim.run(0.5)
        return sim.hash()


def check_listener(make):
    """Check a listener (made by *make()*): runs, pauses and resets must come out as without it."""
    assert _drive(make()) == _drive(None)
