"""The runs whose results are kept: twelve scenes on both engines, their commands and their results.

The *bits* of a run are two digests over all its samples, one of the state and one of what every device read. They are
kept per platform. The *poses* at its end are kept once, and hold on every platform to a centimetre and a degree.
"""

from __future__ import annotations

import json
import math
import platform
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path

from numpy.lib.introspect import opt_func_info

import understudy as us
from understudy.tape.layout import fingerprint

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
SAMPLE_TICKS = 50

NEAR_M, NEAR_DEG = 0.01, 1.0

# what the bits of an engine's runs depend on, besides the package; planar state is the same on every processor, but
# a GPS asks NumPy for sines and arc tangents, which come from another table on processors with other vectors (simd)
DEPENDS = {"planar": ("numpy", "numba", "simd"), "rigid": ("numpy", "numba", "simd", "mujoco", "cpu", "features")}


@dataclass(frozen=True)
class Golden:
    """A scene, how long it runs, and the commands of its robots at the start: ahead, turn, left (m/s, rad/s, m/s)."""

    file: Path
    seconds: float
    engine: str = "planar"
    drives: dict[str, tuple[float, ...]] = field(default_factory=dict)
    servos: dict[tuple[str, str], float] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What came of a run: its platform, its bits, and the poses of all that can move."""

    platform: str
    bits: dict[str, str]
    poses: dict[str, list[float]]


def _example(name, *given, **more):
    return Golden(HERE.parents[1] / "examples" / f"{name}.toml", *given, **more)


def _own(name, *given, **more):
    return Golden(HERE / "scenes" / f"{name}.toml", *given, **more)


_DRIVES = {
    "differential": (0.5, 0.4), "skid": (0.4, 0.5), "omni": (0.3, 0.2, -0.3), "ackermann": (0.6, 0.5),
}  # fmt: skip
_PUSHES = {"pusher": (0.4,), "kicker": (0.5,), "held": (0.5,)}
_CROWD = {f"r{i + 1:02}": (0.2 + 0.02 * (i % 4), 0.6 if i % 2 else -0.5) for i in range(20)}

GOLDEN = {
    "skeleton": _example("skeleton", 4.0, drives={"pioneer": (0.3, 0.2), "scout": (0.2, -0.3)}),
    "office": _own("office", 4.0, drives={"pioneer": (0.4, 0.1)}),
    "gallery": _example("gallery", 2.0),
    "drives": _own("drives", 4.0, drives=_DRIVES),
    "pushing": _own("pushing", 4.0, drives=_PUSHES),
    "crowd": _own("crowd", 3.0, drives=_CROWD),
    "outdoors": _own("outdoors", 4.0, drives={"surveyor": (0.8, 0.3)}, servos={("surveyor", "pan"): 1.2}),
    "drives-rigid": _own("drives", 3.0, "rigid", drives=_DRIVES),
    "pushing-rigid": _own("pushing", 3.0, "rigid", drives=_PUSHES),
    "terrain": _own("terrain", 3.0, "rigid", drives={"rover": (0.6,), "car": (0.7,)}),
    "lego-lines": _example("lego-lines", 3.0, "rigid"),
    "fetch": _example("fetch", 5.0, "rigid"),
}


@cache
def result(name: str) -> Result:
    """Run one of the scenes and return what came of it."""
    golden = GOLDEN[name]
    with us.load(golden.file, seed=13, engine=golden.engine) as sim:
        for robot, drive in golden.drives.items():
            sim.robot(robot).drive(*drive)
        for (robot, joint), position in golden.servos.items():
            sim.robot(robot).servo(joint).to(position)
        state, readings = blake2b(digest_size=8), blake2b(digest_size=8)
        for _ in range(round(golden.seconds * 1e6 / sim.start.tick_us / SAMPLE_TICKS)):
            sim.step(SAMPLE_TICKS)
            state.update(sim.hash().encode())
            for robot in sim.robots:
                for device in robot.devices:
                    readings.update(f"{robot.name}/{device}".encode())
                    readings.update(robot.read(device).tobytes())
        bits = {"state": state.hexdigest(), "readings": readings.hexdigest()}
        return Result(_platform(golden.engine, fingerprint(sim.start)), bits, _poses(sim.scene))


def _platform(engine, known):
    """Return in one line what the bits of a run depend on."""
    vectors = opt_func_info("^arctan2$", "float64").get("arctan2", {}).get("ddd", {})
    known = known | {"simd": vectors.get("current", "none")}
    parts = [f"{name} {known[name]}" for name in (*DEPENDS[engine], "cameras") if name in known]
    return ", ".join([f"{platform.system()} {platform.machine()}", *parts])


def _poses(scene):
    """Return where robots, balls and loose objects are: x, y, z (m), roll, pitch, heading (degrees)."""
    loose = [thing for thing in (*scene.objects, *scene.balls) if thing.mass_kg > 0.0]
    return {thing.name: _rounded(thing.pose) for thing in (*scene.robots, *loose)}


def _rounded(pose):
    angles = (math.degrees(angle) for angle in (pose.roll_rad, pose.pitch_rad, pose.heading_rad))
    return [round(x, 3) + 0.0 for x in (pose.x_m, pose.y_m, pose.z_m)] + [round(angle, 1) + 0.0 for angle in angles]


def near(pose: list[float], other: list[float]) -> bool:
    """Say whether two poses are the same to a centimetre and a degree."""
    apart = [abs(a - b) for a, b in zip(pose[:3], other[:3])]
    turned = [abs(math.remainder(a - b, 360.0)) for a, b in zip(pose[3:], other[3:])]
    return max(apart) <= NEAR_M and max(turned) <= NEAR_DEG


def kept() -> dict:
    """Return the results that are kept: poses by scene, and bits by platform and scene."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {"poses": {}, "bits": {}}
