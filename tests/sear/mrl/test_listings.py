"""Every listing of appendix A of the SEAR dissertation does what its text says, on one simulated project."""

import math
import os
import queue
import threading
from pathlib import Path

import pytest
from listings import LISTINGS
from mrl_programs import PATIENCE_S, Program
from PIL import Image

from understudy.errors import LinkError
from understudy.sear import Project
from understudy.sear.mrl import Runtime

SENSORS = """
from understudy.sear import Accelerometer, Compass, Distance, Gyroscope
front, side = Distance("testPing1"), Distance("MyNewestSONAR")
side.rotate(0, 90, 0)
for part in (front, side):
    part.move(0, 0.1, 0)
for part in (front, side, Accelerometer("accel"), Gyroscope("gyro1"), Compass("comp1")):
    robot.addComponent(part)
"""  # of listing 10, which no listing creates
MOST_ASKS = 4000  # of the simulation, one per tick


def quick(number):
    return LISTINGS[number].replace("from time import sleep", "from listing_clock import sleep")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Make the project of listings 1, 2, 4 and 7 in a folder of its own."""
    folder, before = tmp_path_factory.mktemp("lab"), Path.cwd()
    os.chdir(folder)
    (folder / "textures").mkdir()
    Image.new("RGB", (8, 8), "red").save(folder / "textures" / "roomba.jpg")
    Program(LISTINGS[1])
    Program(LISTINGS[2] + LISTINGS[4] + LISTINGS[7] + SENSORS)
    yield Project(folder / "SEARproject")
    os.chdir(before)


@pytest.fixture(scope="module")
def sear(project):
    """Start the simulation once; the listings find it running."""
    service = Runtime.createAndStart("SEAR", "SEAR")
    service.startSimulation()
    yield service
    Runtime.releaseAll()


@pytest.fixture
def lab(sear):
    """Give the simulation, and take away the services of a listing afterwards."""
    yield sear
    for name in ("robot_Dynamics1", "myLidar", "gpsUnit1", "serial", "serialController"):
        Runtime.release(name)


class Background(threading.Thread):
    """A listing that never ends by itself: it ends when its service is gone."""

    def __init__(self, text, **names):
        super().__init__(daemon=True)
        self.said = queue.Queue()
        self._text, self.names = text, {"__name__": "listing", "print": self.said.put, **names}
        self.problem = None

    def run(self):
        try:
            exec(compile(self._text, "listing.py", "exec"), self.names)
        except BaseException as problem:
            self.problem = problem

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        Runtime.release("myLidar")
        self.join(PATIENCE_S)
        assert isinstance(self.problem, LinkError), self.problem

    def next(self, begins):
        """Return the next thing printed that begins like this."""
        while True:
            line = self.said.get(timeout=PATIENCE_S)
            if line.startswith(begins):
                return line


# ---- A.1, A.2: the project


def test_listing_1_makes_an_environment_with_every_kind_of_object(project):
    kinds = {entry.name: entry.kind for entry in project.read().environment}
    assert kinds == {
        "floor": "floor", "Box1_name": "box", "trash Can": "cylinder", "Traffic Cone": "cone", "Tree1_name": "model",
    }  # fmt: skip


def test_listing_2_makes_a_robot_with_four_wheels_two_of_them_driven(project):
    (robot,) = (entry for entry in project.read().robot if entry.kind == "robot")
    assert {wheel.name: bool(wheel["driven"]) for wheel in robot.wheels} == {
        "frontWheel": False, "rightWheel": True, "leftWheel": True, "backWheel": False,
    }  # fmt: skip


def test_listings_4_and_7_add_a_scanner_and_a_receiver_with_ports(project):
    ports = {entry.name: entry["user"] for entry in project.read().robot if entry.kind in ("lidar", "gps")}
    assert ports == {"myLidar": "/dev/SEAR_LIDAR_01", "gpsUnit1": "/dev/SEAR_GPS_01"}


# ---- A.4: the scanner


def test_listing_5_scans_a_hundred_degrees_again_and_again(lab):
    scans = queue.Queue()
    with Background(quick(5), input=lambda scan: scans.put(len(scan))):
        assert [scans.get(timeout=PATIENCE_S) for _ in range(3)] == [101, 101, 101]


def test_listing_6_prints_where_the_echoes_are(lab):
    with Background(quick(6)) as listing:
        assert listing.next("received") == "received 101readings:"
        points = [tuple(map(float, listing.said.get(timeout=PATIENCE_S).split("\t"))) for _ in range(101)]
    seen_m = lab.getLIDARResult("myLidar")
    assert len(seen_m) == 101
    for (x, y), range_m in zip(points, seen_m):
        assert math.hypot(x, y) / 1000 == pytest.approx(range_m, abs=0.02)
    assert min(seen_m) < 3.0


# ---- A.5: the receiver


def test_listing_8_prints_latitude_longitude_and_altitude(lab):
    listing = Background(quick(8))
    listing.run()
    assert listing.problem is None
    said = [listing.next("Lat"), listing.next("Long"), listing.next("Alt")]
    assert [said[0], said[1]] == ["Lat: 3336.6000", "Long: 08051.9000"]
    assert float(said[2].removeprefix("Alt: ")) == pytest.approx(182.6, abs=0.2)


# ---- A.7: the custom controller


def test_listings_9_and_10_ask_a_custom_controller_for_every_sensor(lab, project):
    Path("controllerTest.py").write_text(LISTINGS[10], encoding="utf-8")
    listing = Background(quick(9))
    listing.start()
    listing.join(PATIENCE_S)
    in_time = not listing.is_alive()
    listing.names["messageLength"] = 0  # ends its loop in any case
    assert in_time
    assert listing.problem is None

    def numbers(begins):
        words = listing.next(begins).replace("=", " ").split()
        return [float(word) for word in words if word.replace(".", "").isdecimal()]

    assert numbers("\nBack in Main, Sonar 1")[-1] == pytest.approx(100 * lab.getDistanceResult("testPing1"), abs=2)
    assert numbers("\nBack in Main, Sonar 2")[-1] == pytest.approx(100 * lab.getDistanceResult("MyNewestSONAR"), abs=2)
    assert numbers("Back in Main, AccelX") == pytest.approx([465, 465, 465], abs=3)  # at rest
    assert numbers("Back in Main, GyroX") == pytest.approx([418, 418, 418], abs=2)
    heading = lab.getCompassResult("comp1") % 360
    assert numbers("Back in Main, Compass")[-1] == pytest.approx(heading, abs=0.6)


def test_the_ports_of_the_controller_are_in_the_projects_folder(lab, project):
    assert (project.port_folder / "user_CONTROLLER_01").exists()


# ---- A.3: driving; last, for the robot moves


def forward_m(sear, start):
    """Return how far the robot is ahead of where it was (m)."""
    pose = sear.ask(lambda sim: sim.robots[0].pose)
    dx, dy = pose.x_m - start.x_m, pose.y_m - start.y_m
    return dx * math.cos(start.heading_rad) + dy * math.sin(start.heading_rad)


def test_listing_3_drives_forward_and_then_backward(lab):
    start = lab.ask(lambda sim: sim.robots[0].pose)
    listing = Background(quick(3))
    listing.run()
    assert listing.problem is None
    ahead = forward_m(lab, start)
    assert 0.02 < ahead < 1.0
    assert any(forward_m(lab, start) < ahead - 0.05 for _ in range(MOST_ASKS))
