"""Maps for tests: one with everything in it, and any that can be thought of."""

from __future__ import annotations

from hypothesis import strategies as st

EVERYTHING = """\
2D-Map-Ex2
Sources: Laser Rear
MinPos: 0 0
MaxPos: 40 20
NumPoints: 3
PointsAreSorted: true
Resolution: 20
LineMinPos: 0 0
LineMaxPos: 6000 4000
NumLines: 4
RearMinPos: 1 1
RearMaxPos: 1 1
RearNumPoints: 1
RearResolution: 50
OriginLatLongAlt: 42.807191 -71.578661 72.0
CustomInfo: Task 7 "keep me"
MapInfo: SectorType Name=BoxObstacle Label=Box Sim.Obstacle=yes
MapInfo: SectorType Name=Mirror Label=Mirror Sim.Obstacle=yes Sim.LaserReflect=32
MapInfo: SectorType Name=Ghost "Desc=only there to bump into" Sim.Obstacle=yes Sim.LaserReflect=0 Sim.SonarReflect=no
MapInfo: SectorType Name=Marker Sim.Obstacle=no Sim.LaserReflect=0 Sim.SonarReflect=no Color0=0x00FF7f
MapInfo: BoundaryType Name=Measure "Label=Measuring stick" Shape=Measure
Cairn: RobotHome 1000 1498 90 "" ICON "Home"
Cairn: Dock 2000 3500 -90.5 "" ICON "Dock 1"
Cairn: Goal 3000 1000 0 "" ICON "By the window" "a note"
Cairn: GoalWithHeading 5000 3000 45 "file.txt" ID=3 "Exit"
Cairn: ForbiddenLine 0 0 0 "" ICON "" 0 2000 1000 2000
Cairn: ForbiddenArea 0 0 30 "" ICON "Stairs" 4000 -500 5000 500 "do not enter"
Cairn: BadGPSSector 0 0 0 "" ICON "" 0 0 1000 1000
Cairn: Measure 0 0 0 "" ICON "m" 10 20 30 40
_Cairn: Goal 1 2 3 "" ICON "was here"
ChildCairn: Dock 4 5 6 "" ICON "of the annex"
Cairn: BoxObstacle 0 0 45 "" ICON "crate" 3000 -200 3500 300
Cairn: Mirror 0 0 0 "" ICON "" 5000 1000 5200 1200
Cairn: Ghost 0 0 0 "" ICON "" 5000 1500 5200 1700
Cairn: Marker 0 0 0 "" ICON "here" 5000 2000 5200 2200
Cairn: Reflector 0 0 0 "" ICON "" 5990 1000 5990 1500
LINES
0 0 6000 0
6000 0 6000 4000
6000 4000 0 4000
0 4000 0 0
DATA
0 0
20 0
40 20
Rear_LINES
-5 0 5 0
Rear_DATA
1 1
"""

SMALL = """\
2D-Map
Cairn: RobotHome 5090 3580 54 "" ICON "Home"
LINES
0 0 1000 0
DATA
"""

_LETTERS = st.characters(codec="utf-8", exclude_characters='"', exclude_categories=["Cc", "Cs"])
TEXTS = st.text(_LETTERS, max_size=8)
NAMES = st.text("abcXYZ019._-", min_size=1, max_size=6)
MM = st.integers(-50_000, 50_000)
PLACES = st.one_of(MM.map(str), st.decimals(-900, 900, places=3).map(str))
HEADINGS = st.one_of(st.integers(-360, 360).map(str), st.decimals(-180, 180, places=6).map(str))
TYPES = st.one_of(
    st.sampled_from(["RobotHome", "Dock", "Goal", "ForbiddenLine", "ForbiddenArea", "Reflector", "Sim.BoxObstacle"]),
    st.sampled_from(["Crate", "Glass", "Stick", "SimBadGPSSector"]), NAMES,
)  # fmt: skip
INFO = [
    "MapInfo: SectorType Name=Crate Sim.Obstacle=yes Sim.LaserReflect=7 Color0=0x102030",
    "MapInfo: SectorType Name=Glass Sim.Obstacle=no Sim.LaserReflect=0",
    "MapInfo: BoundaryType Name=Stick",
    'MapInfo: GoalType Name=Shelf "Label=A shelf"',
]


@st.composite
def cairns(draw):
    """Return a line of a map object."""
    place = f"{draw(PLACES)} {draw(PLACES)} {draw(HEADINGS)}"
    line = f'{draw(TYPES)} {place} "{draw(TEXTS)}" ICON "{draw(TEXTS)}"'
    if draw(st.booleans()):
        line += "".join(f" {draw(PLACES)}" for _ in range(4))
    if draw(st.booleans()):
        line += f' "{draw(TEXTS)}"'
    return f"{draw(st.sampled_from(['Cairn:', '_Cairn:', 'ChildCairn:', 'cairn:']))} {line}"


@st.composite
def maps(draw):
    """Return the text of a map."""
    head = draw(st.lists(st.one_of(
        cairns(),
        st.sampled_from([*INFO, "Resolution: 50", "OriginLatLongAlt: 10.25 -20.5 3", "Sources: Main Rear"]),
        NAMES.map(lambda name: f"My{name}: 1 2"),
    ), max_size=8))  # fmt: skip
    lines = [f"{a} {b} {c} {d}" for a, b, c, d in draw(st.lists(st.tuples(MM, MM, MM, MM), max_size=5))]
    dots = [f"{x} {y}" for x, y in draw(st.lists(st.tuples(MM, MM), max_size=5))]
    form = draw(st.sampled_from(["2D-Map", "2D-Map-Ex", "2d-map-ex4"]))
    more = draw(st.sampled_from([[], ["Rear_DATA", "1 2"], ["Rear_LINES", "1 2 3 4", "Rear_DATA"]]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join([form, *head, "LINES", *lines, "DATA", *dots, *more, ""])
