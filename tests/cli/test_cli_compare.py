import numpy as np
import pytest

from understudy.cli import main
from understudy.cli.compare import Paths, table

ROOM = """
schema = 1
noise = "perfect"
ground = {size_m = [6, 4], walled = true}
[[robot]]
model = "scout"
name = "scout"
"""


def test_compare_says_how_far_the_engines_are_apart_and_draws_it(tmp_path, capsys):
    (tmp_path / "room.toml").write_text(ROOM)
    drawing = tmp_path / "ways.svg"
    words = ["compare", str(tmp_path / "room.toml"), "--seconds", "1", "--drive", "0.3,0.5", "--svg", str(drawing)]
    assert main(words) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith("scout")
    assert said[1].endswith("never")
    assert drawing.read_text().count("<polyline") == 2


def test_a_robot_that_parts_is_said_to_from_then_on():
    times, still = np.array([0.0, 0.1, 0.2]), np.zeros((3, 1, 3))
    moving = still.copy()
    moving[2, 0, 0] = 0.2
    assert list(table(Paths(("a",), times, still, moving), 0.1))[1].endswith("from 0.2 s on")


@pytest.mark.parametrize("words", ["fast", "1,left"])
def test_a_motion_that_is_none_is_refused(words):
    with pytest.raises(SystemExit):
        main(["compare", "room.toml", "--drive", words])
