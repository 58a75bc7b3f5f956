"""User code: the three-part template and scripts, gated, and what happens if they fail."""

import pytest

from understudy.errors import FormatError, ProgramError, UnknownName
from understudy.sear import runner, user_code
from understudy.sear.runner import RunOptions, run_gated
from understudy.sear.starter import new_project

FAST = {"speed": None, "ports": False, "engine": "planar"}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = new_project(tmp_path_factory.mktemp("sear") / "demo")
    made.remove("tree")  # a mesh, which the planar engine does not take
    return made


def ran(project, code, seconds=None, file="code.py", **more):
    loaded = user_code.compiled(code, str(project.folder / file))
    return run_gated(project, RunOptions(seconds=seconds, **FAST, **more), loaded)


TEMPLATE = """
def userVariables():
    calls = 0
    far = None

def init():
    addBox(0, 0.5, 3, 0)
    addWall(-1, -2, 1, -2)

def mainLoop():
    calls += 1
    far = sear.getDistanceResult("Ping1")
    if calls == 30:
        print(calls, far < 3, sear.getTime() > 0.4)
"""


def test_the_three_parts_share_variables_and_init_adds_obstacles(project, capsys):
    sim = ran(project, TEMPLATE, 1.0)
    assert capsys.readouterr().out == "30 True True\n"
    names = {thing.name for thing in sim.scene.things()}
    assert {"box", "wall"} <= names
    assert sim.time_s == pytest.approx(1.0)


def test_add_tree_adds_the_tree_that_ships(project):
    loaded = user_code.compiled("addTree(2, 0, 2)\nsear.sleep(0.01)", "code.py")
    sim = run_gated(project, RunOptions(speed=None, ports=False), loaded)
    tree = next(thing for thing in sim.scene.objects if thing.name == "tree")
    assert (tree.shape.kind, tree.pose.x_m, tree.pose.y_m) == ("mesh", 2, 2)


def test_a_plain_script_may_have_loops(project, capsys):
    code = """
from time import sleep
sear.drive(0.2)
while sear.getOdometerResult("odo") < 0.3:
    pass
sear.stop()
sleep(0.5)
print(round(sear.getOdometerResult("odo"), 1), sear.getTime() < 5)
"""
    sim = ran(project, code)
    assert capsys.readouterr().out == "0.3 True\n"
    assert sim.time_s < 5


def test_gated_runs_repeat_to_the_bit(project):
    first, second = (ran(project, TEMPLATE, 1.0).hash() for _ in range(2))
    assert first == second


def test_time_passes_only_while_code_sleeps_or_reads_a_sensor_again(project, capsys):
    code = """
before = sear.getTime()
sear.getDistanceResult("Ping1"), sear.getCompassResult("comp1"), sear.getAccelResult("accel")
print(sear.getTime() - before)
sear.getDistanceResult("Ping1")
print(round(sear.getTime() - before, 6))
"""
    ran(project, code)
    assert capsys.readouterr().out == "0.0\n0.005\n"


def test_code_ends_with_the_run_whatever_it_catches(project):
    code = "while True:\n    try:\n        sear.sleep(0.1)\n    except Exception:\n        pass\n"
    assert ran(project, code, 0.5).time_s == pytest.approx(0.5)


def test_a_run_goes_on_after_the_code_if_it_has_an_end(project):
    assert ran(project, "x = 1", 0.5).time_s == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("x = 1\ny = x / 0\n", r"code\.py:2: ZeroDivisionError"),
        ("def f():\n    return missing\n\nf()\n", r"code\.py:2: NameError"),
        ("x = (1\n", r"code\.py:1: "),
        ("\n\nif x\n", r"code\.py:3: "),
        ("\0", r"code\.py:1: "),
        ("x = " + "(" * 5000 + ")" * 5000, r"code\.py:1: "),
        ("import sys\nsys.exit(3)\n", r"code\.py:2: ended with exit\(3\)"),
        ("sear.getDistanceResult('Pong')", r"code\.py:1: .*no sensor is named 'Pong'.*Ping1"),
        ("sear.sleep(float('nan'))", r"code\.py:1: ValueError"),
        ("sear.drive(float('inf'))", r"code\.py:1: ValueError"),
        ("addBox(0, float('nan'), 0)", r"code\.py:1: .*want a number"),
        ("def mainLoop():\n    pass\n    boom()\n", r"code\.py:3: NameError"),
        ("class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n", r"code\.py:4: "),
    ],
)  # fmt: skip
def test_errors_begin_with_file_and_line(project, code, wanted):
    with pytest.raises(ProgramError, match=wanted) as problem:
        ran(project, code, 0.2)
    assert str(problem.value).startswith(str(project.folder))


def test_a_plain_exit_ends_the_code(project):
    ran(project, "raise SystemExit")


def test_errors_in_a_module_beside_the_code_name_that_module(project):
    (project.folder / "my_helper.py").write_text("def go():\n    return 1 / 0\n")
    with pytest.raises(ProgramError, match=r"my_helper\.py:2: ZeroDivisionError"):
        ran(project, "import my_helper\nmy_helper.go()\n")


def test_time_sleep_is_the_real_one_again_afterwards(project):
    import time

    before = time.sleep
    ran(project, "import time\ntime.sleep(0.1)\n")
    assert time.sleep is before


def test_getters_have_the_forms_of_sear(project, capsys):
    code = """
sear.sleep(0.1)
print(type(sear.getDistanceResult("Ping1")).__name__, type(sear.getCompassResult("comp1")).__name__)
print([float(word) for word in sear.getAccelResult("accel").split(",")] == [0.0, 0.0, 0.0])
"""
    ran(project, code)
    assert capsys.readouterr().out == "float float\nTrue\n"


def test_the_getter_of_another_sensor_says_what_it_is(project):
    with pytest.raises(ProgramError, match=r"'Ping1' is not a compass but a distance") as problem:
        ran(project, "sear.getCompassResult('Ping1')")
    assert isinstance(problem.value.__cause__, UnknownName)


def test_consent_is_needed_for_the_projects_own_code(project):
    assert runner.code_of(project, None, trusted=False) is None
    assert runner.code_of(project, None, trusted=True) == project.folder / "userCode.py"
    assert str(runner.code_of(project, "mine.py", trusted=False)) == "mine.py"


# ---- the log


def test_chosen_sensors_are_logged_with_their_time(project, tmp_path):
    ran(project, "sear.drive(0.2)", 1.0, csv=str(tmp_path / "log.csv"), sensors=("odo", "accel"), every_s=0.25)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0] == "time_s,odo.distance_m,odo.path_m,accel.x_m_s2,accel.y_m_s2,accel.z_m_s2"
    assert [line.split(",")[0] for line in lines[1:]] == ["0.000000", "0.250000", "0.500000", "0.750000", "1.000000"]
    assert float(lines[-1].split(",")[1]) == pytest.approx(0.2, abs=0.02)


def test_an_unknown_sensor_cannot_be_logged(project, tmp_path):
    with pytest.raises(UnknownName, match="Ping2"):
        ran(project, "", 0.1, csv=str(tmp_path / "log.csv"), sensors=("Ping2",))


def test_a_log_overwrites_only_logs(project, tmp_path):
    (tmp_path / "letter.csv").write_text("dear all")
    with pytest.raises(FormatError, match="not overwritten"):
        ran(project, "", 0.1, csv=str(tmp_path / "letter.csv"))
    assert (tmp_path / "letter.csv").read_text() == "dear all"


def test_without_a_choice_all_sensors_are_logged(project, tmp_path):
    ran(project, "", 0.1, csv=str(tmp_path / "log.csv"))
    head = (tmp_path / "log.csv").read_text().splitlines()[0]
    assert {column.split(".")[0] for column in head.split(",")} == {"time_s", "Ping1", "comp1", "accel", "odo"}


LOOPS = {
    "plain": "while True:\n    pass\n",
    "catches everything": "while True:\n    try:\n        sear.drive\n    except BaseException:\n        pass\n",
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_code_that_never_sleeps_is_interrupted_at_its_line(project, monkeypatch, loop):
    monkeypatch.setattr("understudy.sear.gated.PATIENCE_S", 0.2)
    with pytest.raises(ProgramError, match=r"loop\.py:\d+: the code did not yield for 0\.2 s"):
        run_gated(project, RunOptions(seconds=1.0, **FAST), user_code.compiled(loop, "loop.py"))
