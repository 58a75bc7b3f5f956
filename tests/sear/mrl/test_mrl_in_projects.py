"""Scripts with services as user code of a project, which `understudy sear run` runs."""

import os

import pytest

from understudy.errors import ProgramError
from understudy.sear import runner, user_code
from understudy.sear.mrl import Runtime
from understudy.sear.starter import new_project

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs pseudo-terminals")
DRIVES = """
from understudy.sear.mrl import Runtime
simulator = Runtime.createAndStart("SEAR", "SEAR")
simulator.startSimulation()
roomba = Runtime.createAndStart("it", "Roomba")
roomba.connect("/dev/rover")
roomba.startup()
roomba.control()
roomba.goForward()
roomba.sleep(400)
print(roomba.updateSensors(), roomba.distance() > 0, simulator.getOdometerResult("odo") > 0, sear.getTime() > 0)
"""
LISTENS = """
from understudy.sear.mrl import Runtime, python
serial = Runtime.createAndStart("serial", "Serial")
def heard(byte):
    print("heard", byte)
serial.addListener("publishByte", python.name, "heard")
serial.publish("publishByte", 4)
"""


@pytest.fixture
def project(tmp_path):
    made = new_project(tmp_path / "demo")
    made.remove("tree")
    return made


def test_a_script_uses_the_simulation_that_runs_already(project, capsys):
    runner.run_realtime(project, runner.RunOptions(engine="planar"), user_code.compiled(DRIVES, "drive.py"))
    assert capsys.readouterr().out == "True True True True\n"
    assert not Runtime.busy


def test_a_script_whose_functions_listen_goes_on_until_the_end_of_the_run(project, capsys):
    options = runner.RunOptions(engine="planar", seconds=0.5)
    runner.run_realtime(project, options, user_code.compiled(LISTENS, "listen.py"))
    assert capsys.readouterr().out == "heard 4\n"
    assert not Runtime.busy


def test_services_are_refused_while_time_waits_for_the_script(project):
    options = runner.RunOptions(engine="planar", ports=False, speed=None)
    with pytest.raises(ProgramError, match=r"drive\.py:3: .*--mode realtime"):
        runner.run_gated(project, options, user_code.compiled(DRIVES, "drive.py"))
