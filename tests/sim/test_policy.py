import pytest

from understudy.sim.policy import refusal
from understudy.world.changes import Fault, LoadMap, Move, Pause, Quit, Reset
from understudy.world.scene import Scene
from understudy.world.shapes import Pose


@pytest.mark.parametrize(
    ("source", "change", "allowed"),
    [
        ("api", Quit(), True),
        ("user", Pause(), True),
        ("port:scout/host", Move("scout", Pose()), True),
        ("port:scout/host", LoadMap(Scene()), True),
        ("port:scout/host", Quit(), False),
        ("port:scout/host", Pause(), False),
        ("program:scout", Move("scout", Pose()), True),
        ("program:scout", Quit(), False),
        ("program:scout", Fault("scout/front"), False),
        ("stranger", Reset("scout"), False),
    ],
)
def test_each_source_may_make_its_own_kinds_of_change(source, change, allowed):
    assert (refusal(source, change) == "") is allowed
