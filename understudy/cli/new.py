"""The verb ``new``: a folder with a scene, a program and a README, ready to run."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path

from understudy.errors import UnderstudyError, in_one_line

SCENE = """\
# A scene of Understudy. `understudy check scene.toml` reports errors, `understudy catalog` lists robots.
schema = 1
name = {title}
seed = 1

[ground]
size_m = [8, 6]
walled = true

[[object]]
kind = "box"
name = "crate"
size_m = [0.6, 0.6, 0.5]
x_m = 1.5
y_m = 0.8
heading_deg = 20

[[object]]
kind = "cylinder"
name = "pillar"
radius_m = 0.25
height_m = 1.0
x_m = -1.0
y_m = -1.2

[[robot]]
model = "scout"
name = "scout"
x_m = -2.5
heading_deg = 10
program = "program.py"
"""

PROGRAM = '''\
"""Drive ahead; where something is near, turn towards the side with more space."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers only
    from understudy.sim.robot import Robot

NEAR_M = 0.6


def main(robot: Robot) -> None:
    while True:
        scan = robot.wait_for("front")  # distances in metres, from right to left
        right, left = scan[: len(scan) // 2], scan[len(scan) // 2 :]
        if scan.min() < NEAR_M:
            robot.drive(0.0, 0.8 if left.min() > right.min() else -0.8)  # m/s, rad/s
            robot.wait(0.5)
        else:
            robot.drive(0.3, 0.0)
'''

README = """\
# {title}

| file | is |
|---|---|
| `scene.toml` | the world: floor, obstacles, one robot |
| `program.py` | the program that drives the robot |

    understudy run scene.toml                                # live in the terminal; q ends it
    understudy studio scene.toml                             # in the browser
    understudy run scene.toml --seconds 20 --speed max --tape run.tape
    understudy replay run.tape                               # the same run again, every bit compared
    understudy check scene.toml                              # every error, with its line

Simulated time waits for the program, so every run is the same. Another robot: `understudy catalog` lists them, and
`model = "..."` in `scene.toml` names one. Its sensors may have other names: `understudy card NAME` says what it has.
"""


def new(args: argparse.Namespace) -> int:
    """Make a project; nothing that exists is overwritten."""
    folder = Path(args.name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnderstudyError(f"{folder} exists already and is not an empty folder; choose another name")
    title = in_one_line(folder.resolve().name) or "project"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "scene.toml": SCENE.format(title=json.dumps(title, ensure_ascii=False).replace("\x7f", "")),
        "program.py": PROGRAM,
        "README.md": README.format(title=title),
    }
    for name, text in texts.items():
        with (folder / name).open("x", encoding="utf-8") as file:
            file.write(text)
        print(folder / name)
    print(f"run it: understudy run {shlex.quote(str(folder / 'scene.toml'))}")
    return 0
