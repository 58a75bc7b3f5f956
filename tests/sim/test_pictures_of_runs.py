import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from scenes import box, robot, room

from understudy.errors import UnderstudyError
from understudy.sim import map_svg
from understudy.sim.sim import Sim
from understudy.world.changes import Remove

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sim():
    with Sim(room(robot("scout", -1.0, model="scout"), robot("other", 1.0, 1.0), objects=(box(),)), seed=3) as it:
        yield it


def picture(html):
    """Return the parsed picture of a figure."""
    return ET.fromstring(html[: html.index("</figure>") + 9]).find(f"{SVG}svg")


def test_a_simulation_tells_its_time_engine_and_robots(sim):
    sim.run(0.5)
    assert repr(sim) == "<Sim room at 0.5 s, planar engine, seed 3, 2 robots: scout, other>"


def test_a_closed_simulation_says_so(sim):
    sim.close()
    assert "at 0 s closed" in repr(sim)


def test_a_robot_tells_its_model_pose_and_motion(sim):
    sim.robot("scout").drive(0.2)
    sim.run(0.5)
    words = repr(sim.robot("scout"))
    assert words.startswith("<Robot scout (scout) at -0.9")
    assert words.endswith("0.000 rad, moving 0.20 m/s, 0.00 rad/s>")


def test_a_robot_that_was_removed_still_has_a_repr(sim):
    scout = sim.robot("scout")
    sim.change(Remove("scout"))
    assert repr(scout) == "<Robot scout: removed from the scene>"
    assert "removed" in scout._repr_html_()


def test_a_fleet_tells_its_size(sim):
    assert repr(sim.fleet) == "<Fleet of 2 at 0 s: scout, other>"


def test_the_picture_of_a_simulation_has_walls_things_robots_and_names(sim):
    svg = picture(sim._repr_html_())
    assert len(svg.findall(f"{SVG}circle")) == 2
    assert [text.text for text in svg.findall(f"{SVG}text")] == ["scout", "other"]
    assert len(svg.findall(f"{SVG}path")) == 1 + 4 + 1 + 2  # ground, walls, box, noses


def test_the_picture_of_a_robot_names_only_this_one_and_lists_its_devices(sim):
    html = sim.robot("scout")._repr_html_()
    assert [text.text for text in picture(html).findall(f"{SVG}text")] == ["scout"]
    assert "devices: front, sonar, gps, wheels" in html


def test_the_picture_of_a_fleet_has_a_table_of_poses(sim):
    assert "<td>scout</td><td>-1.000</td><td>0.000</td><td>0.000</td>" in sim.fleet._repr_html_()


def test_text_of_a_scene_cannot_become_markup():
    with Sim(room(name="<script>alert(1)</script>"), seed=3) as sim:
        assert "<script>" not in sim._repr_html_()


def test_trails_are_drawn_and_a_long_one_is_thinned(sim):
    path = np.column_stack([np.linspace(-1, 1, 100_000), np.zeros(100_000)])
    assert len(map_svg.draw(sim.scene, {"scout": path})) < 60_000


def test_an_empty_scene_and_a_far_robot_can_be_drawn(sim):
    sim.robot("scout").move_to(1e8, 0.0)
    assert "<svg" in sim._repr_html_()
    with Sim(room(robots=(), walls=()), seed=3) as empty:
        assert "no robots" in repr(empty)
        assert "<svg" in empty._repr_html_()


def test_a_plot_has_the_trail_of_a_recording(sim):
    import matplotlib as mpl

    mpl.use("Agg")
    sim.robot("scout").drive(0.3)
    with sim.record(["*/pose"], every_s=0.1) as recording:
        sim.run(1.0)
    ax = sim.plot(recording)
    trail = next(line for line in ax.lines if line.get_label() == "scout")
    assert trail.get_xdata()[-1] == sim.robot("scout").pose.x_m
    assert {text.get_text() for text in ax.texts} == {"scout", "other"}
    assert sim.plot(ax=ax) is ax
    mpl.pyplot.close(ax.figure)


def test_a_missing_matplotlib_is_named_with_its_extra(sim, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UnderstudyError, match=r"needs matplotlib, .* pip install 'understudy\[plot\]'"):
        sim.plot()
