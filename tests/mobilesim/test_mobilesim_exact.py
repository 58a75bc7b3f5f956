"""What ``--exact`` gives a client: MobileSim's own sonar and laser."""

import math

import pytest
from mobilesim.served import ROOM, leave, serve

WALL_MM = 5000
WORDS = ("--no-error", "-r", "p3dx-sh", "--start", "0,0,0")
DISC_X_MM, DISC_Y_MM, DISC_DEG = 166, 27, 10  # disc 3 of a p3dx-sh
LASER_X_MM = 21


def sonar_mm(here, disc, *words):
    """Return ten readings of a disc."""

    def script(client):
        client.cycle(2)
        for _ in range(10):
            client.cycle()
            found.append(client.sonars[disc])
        leave(client)

    found = []
    serve(here, script, *WORDS, *words)
    return found


def scans(here, count, *words):
    """Return ranges and reflectances of so many scans over 180 degrees."""

    def script(client):
        for code, value in ((36, -90), (37, 90), (38, 100), (35, 2)):
            client.send(code, value)
        client.until(lambda client: len(client.scan) == 181)
        while len(found) < count:
            client.cycle()
            found.append((client.scan, client.reflectances))
        leave(client)

    found = []
    serve(here, script, *WORDS, *words)
    return found


def test_a_sonar_is_one_ray_along_the_axis_of_its_disc(here):
    """A post of 20 mm, 1 m away and 12 degrees beside the axis: a beam of 30 degrees hears it, one ray does not."""
    bearing = math.radians(DISC_DEG + 12)
    x, y = round(DISC_X_MM + 1000 * math.cos(bearing)), round(DISC_Y_MM + 1000 * math.sin(bearing))
    (here / "room.map").write_text(ROOM.replace("DATA\n", f"{x} {y} {x + 20} {y}\n{x} {y} {x} {y + 20}\nDATA\n"))
    wall = (WALL_MM - DISC_X_MM) / math.cos(math.radians(DISC_DEG))
    assert sonar_mm(here, 3, "--exact") == pytest.approx([wall] * 10, abs=1.0)


def test_a_sonar_errs_by_a_quarter_of_a_millimetre_at_most(here):
    truth = 2000 - math.hypot(DISC_X_MM, DISC_Y_MM) * math.cos(math.atan2(DISC_Y_MM, DISC_X_MM) - math.radians(10))
    readings = sonar_mm(here, 3, "--exact", "--start", f"{WALL_MM - 2000},0,{-DISC_DEG}")
    assert max(abs(reading - truth) for reading in readings) <= 0.75, "half a millimetre is rounding"


def wall_mm(bearing_deg):
    """Return how far the walls of the room are from the laser (mm)."""
    along, across = math.cos(math.radians(bearing_deg)), abs(math.sin(math.radians(bearing_deg)))
    return min((WALL_MM - LASER_X_MM) / max(along, 1e-9), WALL_MM / max(across, 1e-9))


def test_a_laser_errs_by_two_and_a_half_millimetres_at_most_and_loses_nothing(here):
    truths = [wall_mm(bearing) for bearing in range(-90, 91)]
    errors = [reading - truth for scan, _ in scans(here, 40, "--exact") for reading, truth in zip(scan, truths)]
    assert max(map(abs, errors)) <= 3.0, "half a millimetre is rounding"
    assert sum(abs(error) > 1.5 for error in errors) / len(errors) == pytest.approx(0.4, abs=0.05), "evenly spread"


@pytest.mark.parametrize("words", [(), ("--exact",)])
def test_a_reflector_reads_32(here, words):
    reflector = 'Cairn: Reflector 0 0 0 "" ICON "" 3000 -500 3000 500\n'
    (here / "room.map").write_text(ROOM.replace("LINES\n", f"{reflector}LINES\n"))
    _, reflectances = scans(here, 3, *words)[-1]
    assert (reflectances[90], reflectances[0]) == (32, 0)
