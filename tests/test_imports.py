"""What importing costs, and that it works where POSIX modules do not exist."""

import subprocess
import sys
from pathlib import Path

HEAVY = ("numba", "numpy", "greenlet", "msgpack", "psutil", "blessed", "PIL")
WITHOUT_POSIX = """
import importlib, pkgutil, sys
import blessed, greenlet, msgpack, numba, psutil  # they have their own ways on other systems

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "termios", "pty", "tty", "resource", "pwd", "grp"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
for name in ("fcntl", "termios", "pty", "tty", "resource", "pwd", "grp"):
    sys.modules.pop(name, None)

import understudy
for module in pkgutil.walk_packages(understudy.__path__, "understudy."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

import understudy as us
from understudy.cli.examples import folder
with us.load(folder() / "skeleton.toml", ports=True) as sim:
    sim.run(0.1)
    print(sim.ports.info()["pioneer/gps"].url)
"""


def python(code, *options):
    return subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=True)


def test_importing_the_package_imports_nothing_heavy():
    done = python(f"import understudy, sys; print([m for m in {HEAVY!r} if m in sys.modules])")
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_all_there():
    import understudy as us

    assert [name for name in us.__all__ if getattr(us, name, None) is None] == []


def test_an_unknown_public_name_is_an_attribute_error():
    import understudy as us

    assert not hasattr(us, "nonsense")


def test_everything_imports_and_runs_without_posix_modules_and_serial_ports_become_tcp():
    assert python(WITHOUT_POSIX, "-W", "ignore").stdout.startswith("tcp://127.0.0.1:")


SKELETON = """
import sys
from understudy.cli import main
main(["examples", "run", "skeleton", "--seconds", "0.005", "--speed", "max", "--no-ports"])
print(*sys.modules)
"""
NOT_NEEDED = (  # by a planar run of a scene of ours without files, cameras or ports
    "asyncio",
    "psutil",
    "yaml",
    "scipy",
    "PIL",
    "mujoco",
    "nicegui",
    "understudy.formats.aria.map_file",
    "understudy.formats.pictures.bitmap",
    "understudy.assets.meshes.mesh",
    "understudy.formats.urdf.robot_file",
    "understudy.formats.stage.world_file",
    "understudy.assets.heights.elevation",
    "understudy.formats.native.scene_write",
    "understudy.assets.convex",
    "understudy.engines.rays.spatial.solids",
    "understudy.sensors.camera.camera",
    "understudy.sensors.ground",
    "understudy.sensors.touch",
    "understudy.links.tcp",
    "understudy.links.pty",
)


def test_a_plain_run_imports_nothing_that_it_does_not_need():
    loaded = set(python(SKELETON).stdout.split())
    assert [name for name in NOT_NEEDED if name in loaded] == []


def test_a_run_whose_kernels_are_on_disk_does_not_prepare_the_compiler():
    python(SKELETON)  # compiles what is missing
    assert "numba.np.arraymath" not in python(SKELETON).stdout.split()


def test_the_package_says_that_it_is_typed():
    import understudy

    assert (Path(understudy.__file__).parent / "py.typed").exists()
