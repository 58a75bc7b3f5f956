"""The formats of robot files, each through the contract."""

from __future__ import annotations

import pytest
from contracts.robot_format_contract import check_robot_format

from understudy.formats import robot_formats
from understudy.formats.robot_formats import ROBOT_FORMATS

URDF = """<robot name="cart">
  <link name="base"><collision><geometry><box size="0.4 0.3 0.2"/></geometry></collision></link>
</robot>
"""
GOOD = {
    "native": {"mine.toml": '[robot]\nlike = "scout"\nsummary = "mine"\n[device.front]\nmax_m = 3.0\n'},
    "aria_params": {"small.p": "Subclass small\nRobotRadius 200\n"},
    "urdf": {"cart.urdf": URDF},
    "robi": {"pip.robi": "drive DIFFERENTIAL_DRIVE\nname Pip\ndiameter 160\nwheel 50 3600 1000 45\n"},
}


@pytest.mark.parametrize("kind", ROBOT_FORMATS)
def test_every_robot_format_keeps_the_contract(kind, tmp_path):
    check_robot_format(ROBOT_FORMATS[kind], GOOD[kind], tmp_path)


def test_a_name_without_the_suffix_of_a_robot_file_is_one_of_the_catalogue():
    assert robot_formats.named("p3dx") is None
    assert robot_formats.named("robots/mine.doc") is None
