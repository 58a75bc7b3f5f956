import pytest

from understudy.sim.policy import MOBILESIM, refusal, without_leave
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


def test_rules_can_be_widened_and_narrowed():
    assert refusal("port:a/b", Quit(), MOBILESIM) == ""
    assert refusal("port:a/b", Quit(), without_leave("port", Quit, rules=MOBILESIM)) == "port:a/b may not quit"
    assert refusal("port:a/b", Move("a", Pose()), without_leave("port", Move)) == "port:a/b may not move"
