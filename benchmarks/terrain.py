"""Terrain, meshes and cameras: time to load a tile, cost of rays over it, frames per second.

The tile is generated, with 3601 x 3601 heights as in SRTM. The rays are those of a scanner 0.15 m above the ground: 361
rays of 8 m, as in the study of the rigid engine. All figures are processor time on one core, except the comparison of
the two renderers, which uses wall time.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))

import io
import time
from collections.abc import Callable

import numpy as np
from PIL import Image
from results import Results, parse

from understudy.assets.heights import elevation
from understudy.engines.gl.opengl import found
from understudy.engines.rays.spatial.terrain import cast_terrain, relief_of
from understudy.engines.rays.spatial.triangles import Placed, cast_meshes, meshes_of, tree_of
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, RobotModel
from understudy.world.scene import Ground, Heights, Light, Scene, Solid, Wall
from understudy.world.shapes import Box, Mount, Pose
from understudy.world.terrain import Terrain

RAYS, ROUNDS, FRAMES = 361, 40, 40
LOOKS = ("desk", "chair", "plant", "shelf", "tree")  # of objects
NO_ROWS = np.empty((0, 0), np.int64)


def best_s(call: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the shortest time of several rounds (s)."""
    times = []
    for _ in range(rounds):
        begin = clock()
        call()
        times.append(clock() - begin)
    return min(times)


def tile() -> bytes:
    """Return a tile of one degree."""
    rows, columns = np.mgrid[0:3601, 0:3601]
    return (1000 + 300 * np.sin(columns / 90) * np.cos(rows / 70)).astype(">i2").tobytes()


def rays_us(as_mesh: bool) -> float:
    """Return what one scan costs over 200 x 200 heights, as a height field or as 79,202 triangles (us)."""
    rows, columns = np.mgrid[0:200, 0:200]
    land = Terrain((0.3 * np.sin(columns / 9) * np.cos(rows / 7)).astype(np.float32), -10.0, -10.0, 0.1, 0.1)
    turns = np.linspace(-np.pi / 2, np.pi / 2, RAYS)
    ways = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(RAYS)])
    origins = np.tile([0.0, 0.0, land.height_m(0.0, 0.0) + 0.15], (RAYS, 1))
    here, out = np.zeros((1, 6)), np.empty((1, RAYS))
    relief, nobody = relief_of(land, 1), np.array([-2])
    meshes = meshes_of([Placed(tree_of(land.triangles()), (0.0,) * 6, 1, -1, 1.0)]) if as_mesh else None

    def scan() -> None:
        out[:] = 8.0
        if as_mesh:
            cast_meshes(here, nobody, origins, ways, 1, meshes, 0, out, NO_ROWS)
        else:
            cast_terrain(here, origins, ways, relief, 0, out, NO_ROWS)

    scan()
    return best_s(scan, ROUNDS) * 1e6


def checkers() -> bytes:
    """Return a picture of 1024 x 1024 pixels."""
    made = io.BytesIO()
    Image.fromarray((255 * (np.indices((1024, 1024)) // 64 % 2).sum(axis=0) % 256).astype(np.uint8)).save(made, "PNG")
    return made.getvalue()


def frames_s(
    lights: tuple[Light, ...],
    picture: str = "",
    width: int = 160,
    renderer: str = "rays",
    clock: Callable[[], float] = time.process_time,
    looks: tuple[str, ...] = ("",),
) -> float:
    """Return the frames per second of a 4:3 camera in a room of ten boxes, plain or with ready *looks*."""
    sheet = SENSORS["camera"](width=width, height=width * 3 // 4, period_us=50_000, renderer=renderer)
    camera = DeviceSpec(name="eye", sheet=sheet, mount=Mount(z_m=0.4))
    parts = RobotModel(body=Circle(0.2), drive=Differential(track_m=0.3), devices=(camera,))
    boxes = tuple(
        Solid(
            name=f"b{i}",
            shape=Box((0.3, 0.3, 0.6)),
            pose=Pose(1.0 + 0.4 * i, i % 3 - 1.0),
            picture=picture,
            look=looks[i % len(looks)],
        )
        for i in range(10)
    )
    wall = Wall(name="wall", points_m=((6.0, -4.0), (6.0, 4.0)), height_m=3.0, picture=picture)
    scene = Scene(
        tick_us=50_000, ground=Ground((14.0, 8.0)), objects=boxes, lights=lights,
        robots=(PlacedRobot("a", parts=parts),), walls=(wall,) if picture else (),
    )  # fmt: skip
    with Sim(scene, threads=1, files={picture: checkers()} if picture else {}) as sim:
        _watch(sim, 2)
        return FRAMES / best_s(lambda: _watch(sim, FRAMES), 3, clock)


def _watch(sim: Sim, frames: int) -> None:
    """Read every image: one that nobody reads is not made."""
    for _ in range(frames):
        sim.step()
        sim.robot("a").read("eye")


def compare_renderers(results: Results) -> None:
    """Report frames per second by rays and by MuJoCo's renderer in wall time, as a driver may use all cores."""
    if not (here := found()).kind:
        print(f"no OpenGL, no drawn pictures: {here.drawer}")
        return
    for width in (160, 320, 640):
        cast, drawn = (frames_s((), "", width, renderer, time.perf_counter) for renderer in ("rays", "gl"))
        results.say(f"camera.frames_s_{width}_rays", cast)
        results.say(f"camera.frames_s_{width}_{here.kind}", drawn)
        results.say(f"camera.drawn_over_cast_{width}", drawn / cast)


def main() -> None:
    """Report all figures."""
    results = parse(__doc__)
    data = tile()
    whole, window = Heights("N46E007.hgt"), Heights("N46E007.hgt", middle_deg=(46.3, 7.2), size_m=(3000.0, 3000.0))
    for name, heights, goal in (("tile", whole, 10.0), ("window", window, 2.0)):
        ground = Ground(heights=heights)
        took = best_s(lambda ground=ground: elevation.terrain(data, ground), 2)  # type: ignore[misc]
        results.say(f"terrain.load_{name}_s", took, most=goal)
    results.say("terrain.us_361_rays", rays_us(False))
    results.say("terrain.us_361_rays_79202_triangles", rays_us(True))
    results.say("camera.frames_s", frames_s(()), least=20.0)
    results.say("camera.frames_s_with_pictures", frames_s((), "checkers.png"), least=20.0)
    results.say("camera.frames_s_lamp_with_shadows", frames_s((Light(name="lamp", brightness=4.0),)), least=20.0)
    results.say("camera.frames_s_with_looks", frames_s((), looks=LOOKS), least=20.0)
    compare_renderers(results)
    results.finish()


if __name__ == "__main__":
    main()
