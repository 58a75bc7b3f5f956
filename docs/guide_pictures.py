"""Make the pictures of the guides, in docs/guides/pictures: runs what each guide runs, and draws what came of it.

Maps and traces are SVG text, LCDs are small PNG files. Runs are deterministic, so a picture changes only when its
program or the simulation does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import understudy as us
from understudy.cli import main as understudy
from understudy.sensors.base import Array
from understudy.sim import map_svg
from understudy.sim.recording import trails

HERE, ROOT = Path(__file__).parent / "guides" / "pictures", Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
ROOM = """
schema = 1
ground = {size_m = [6, 4], walled = true}
robot = [{model = "scout", name = "scout"}]
"""
FOLLOW = """
forever
  motor A forward power 5
  wait for dark 40 on port 1
  stop A
  motor C forward power 5
  wait for light 55 on port 1
  stop C
end
"""


def drawn_after(sim: us.Sim, seconds: float) -> str:
    """Return the map after some time, with the trails of all robots."""
    found = paths(sim, seconds)
    return map_svg.draw(sim.scene, found)


def paths(sim: us.Sim, seconds: float) -> dict[str, Array]:
    """Run a simulation and return where its robots went."""
    with sim.record("*/pose", every_s=0.1) as recording:
        sim.run(seconds)
    return trails(recording.to_arrays())


def aria_map() -> str:
    """Return a Pioneer that wanders on an ARIA map."""
    with us.load(EXAMPLES / "floor.map", robots=["p3dx:pioneer"], programs={"pioneer": EXAMPLES / "wander.py"}) as sim:
        return drawn_after(sim, 60)


def maze_path() -> str:
    """Return the maze with the trail of a robot that follows the wall."""
    with us.load(EXAMPLES / "maze.toml", seed=7, programs={"scout": EXAMPLES / "wall_follow.py"}) as sim:
        return drawn_after(sim, 60)


def five_seeds() -> str:
    """Return the trails of one program with five seeds, in one room."""
    found = {}
    for seed in range(5):
        with us.load_text(ROOM, seed=seed, programs={"scout": EXAMPLES / "wander.py"}) as sim:
            found[f"seed {seed}"] = paths(sim, 30)["scout"]
            scene = sim.scene
    return map_svg.draw(scene, found)


def lego_trace() -> str:
    """Return the program of the LEGO guide with the time that each icon ran."""
    with tempfile.TemporaryDirectory() as folder:
        program, drawn = Path(folder) / "follow.icons", Path(folder) / "follow.svg"
        program.write_text(FOLLOW, encoding="utf-8")
        options = ["--robot", "M5", "--world", "E3", "--engine", "planar", "--seconds", "2"]
        understudy(["rcx", "trace", str(program), *options, "--svg", str(drawn)])
        return drawn.read_text(encoding="utf-8")


def eyebot_lcd() -> bytes:
    """Return the LCD of the maze example after it has found its way."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--fast", "--view", "none", "--seconds", "200", "--dump", folder]
        understudy(["eyesim", str(EXAMPLES / "eyesim" / "maze.sim"), *options])
        return sorted(Path(folder).glob("*.png"))[0].read_bytes()


def sear_project() -> str:
    """Return the project that `understudy sear new` makes, with the trail of its user code."""
    with tempfile.TemporaryDirectory() as folder:
        project, tape = Path(folder) / "demo", Path(folder) / "demo.tape"
        understudy(["sear", "new", str(project)])
        understudy(["sear", "run", str(project), "--trust", "--seconds", "20", "--speed", "max", "--tape", str(tape)])
        recorded = us.Tape(tape)
        return map_svg.draw(recorded.scene, trails(recorded.to_arrays()))


PICTURES: dict[str, Callable[[], str | bytes]] = {
    "from-aria.svg": aria_map,
    "from-python.svg": maze_path,
    "from-robios.png": eyebot_lcd,
    "from-sear.svg": sear_project,
    "in-ci.svg": five_seeds,
    "teaching-with-lego.svg": lego_trace,
}


def main() -> None:
    """Make all pictures."""
    HERE.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        picture = draw()
        (HERE / name).write_bytes(picture.encode() if isinstance(picture, str) else picture)
        print(name, len(picture))  # noqa: T201


if __name__ == "__main__":
    main()
