"""A page that is watched for an hour: what the browser holds does not grow, and the simulation keeps its pace."""

import time

import pytest
from studio_browser import Studio, browsing, until

pytestmark = pytest.mark.soak

MINUTES, WARM_MINUTES = 60.0, 3.0  # first everything is compiled, the log fills up and trails grow to their full length
PACE = 0.9  # of real time
SCENE = """
schema = 1
name = "a room for an hour"
ground = {size_m = [12, 9], walled = true}
robot = [
    {model = "p3dx", name = "pioneer", x_m = -4.0},
    {model = "scout", name = "scout", y_m = 2.0},
]
"""


@pytest.fixture
def watched():
    with browsing(Studio(scene=SCENE)) as page:
        page.driver.execute_cdp_cmd("Performance.enable", {})
        page.js('__us.stage.set("panes", 4); __us.stage.set("beams", "all")')
        yield page.watcher, page.chromium


def held(chromium):
    """Return what the page holds after a clean-up: bytes of its heap, nodes and listeners."""
    for _ in range(3):
        chromium.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    rows = {
        row["name"]: row["value"] for row in chromium.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    }
    return rows["JSHeapUsedSize"], rows["Nodes"], rows["JSEventListeners"]


def drive(watcher, minutes):
    """Let both robots circle, and things come and go."""
    end = time.monotonic() + 60.0 * minutes
    laps = 0
    while time.monotonic() < end:
        name = ("pioneer", "scout")[laps % 2]
        stop = time.monotonic() + 5.0
        while time.monotonic() < stop:
            watcher.do("drive", robot=name, keys=["forward", "left"], share=0.5)
            time.sleep(0.1)
        watcher.do("add", what="cone", x=3.0, y=-2.0)
        until(lambda: "cone-1" in watcher.names(), 20, "a cone")
        watcher.do("remove", name="cone-1")
        until(lambda: "cone-1" not in watcher.names(), 20, "the cone to go")
        laps += 1


def test_an_hour_before_the_studio_leaves_heap_nodes_and_pace_as_they_were(watched):
    watcher, chromium = watched
    drive(watcher, WARM_MINUTES)
    heap, nodes, listeners = held(chromium)
    begun, start = time.monotonic(), watcher.time_s
    drive(watcher, MINUTES)
    pace = (watcher.time_s - start) / (time.monotonic() - begun)
    more = held(chromium)
    assert pace > PACE
    assert more[0] < 1.3 * heap + 5e6
    assert more[1] < 1.2 * nodes + 200
    assert more[2] < 1.2 * listeners + 50
