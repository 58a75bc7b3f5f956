"""Every kind of error in a scene file, in the exact words that a user sees."""

from __future__ import annotations

import pytest
from formats.fake_vocabulary import VOCABULARY

from understudy.errors import SceneError
from understudy.formats.native import scene_file

ROBOT = """schema = 1
[[robot]]
model = "rover"
"""
OWN_ROBOT = """schema = 1
[[robot]]
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
"""
BRICK = ROBOT.replace("rover", "crane")
MARK = """schema = 1
[[mark]]
type = "Sector"
"""
WALL = """schema = 1
[[wall]]
"""
POLYGON = """schema = 1
[[robot]]
drive = {kind = "differential", track_m = 0.3}
"""


def reported(text, folder=None):
    """Return the lines that a user sees about *text*."""
    try:
        scene_file.resolve(scene_file.parse(text, "room.toml", VOCABULARY, folder), VOCABULARY)
    except SceneError as error:
        return str(error).splitlines()
    return []


# what is wrong, the scene, what the user sees
CASES = [
    # ---- TOML
    ("text without quotes", "schema = 1\nname = maze\n",
     "room.toml:2: not TOML: Invalid value at column 8; "
     "write text in \"quotes\", numbers without units, true and false in lower case"),
    ("no equals sign", "schema = 1\n\nseed 7\n",
     "room.toml:3: not TOML: Expected '=' after a key in a key/value pair at column 6; want key = value"),
    ("a key twice", "schema = 1\nseed = 1\nseed = 2\n",
     "room.toml:3: not TOML: Cannot overwrite a value at column 9; this key is already defined; define it once"),
    ("an unclosed list", "schema = 1\n[[wall]]\npoints_m = [[0, 0], [1, 1]\n",
     "room.toml:3: not TOML: Unclosed array; a ] is missing"),
    ("a quote that does not end", 'schema = 1\nname = "maze\n',
     "room.toml:2: not TOML: Illegal character '\\n' at column 13; a closing quote is missing"),
    ("two on a line", "schema = 1 seed = 2\n",
     "room.toml:1: not TOML: Expected newline or end of document after a statement at column 12; "
     "want one key = value per line"),
    # ---- the top level
    ("no schema", "seed = 1\n",
     "room.toml:1: schema: missing; write schema = 1 as the first line"),
    ("another schema", "schema = 2\nunheard = 1\n",
     "room.toml:1: schema: want 1, the only supported schema, got 2"),
    ("an unknown setting", "schema = 1\nsead = 2\n",
     "room.toml:2: sead: unknown key (did you mean 'seed'?)"),
    ("an unknown list of things", "schema = 1\n[[walls]]\n",
     "room.toml:2: walls: unknown key (did you mean 'wall'?)"),
    ("single brackets", 'schema = 1\n[robot]\nmodel = "rover"\n',
     "room.toml:2: robot: want an array of tables; write [[robot]] with double brackets"),
    ("double brackets", "schema = 1\n[[ground]]\n",
     "room.toml:2: ground: want a table, got a list"),
    ("a negative seed", "schema = 1\nseed = -1\n",
     "room.toml:2: seed: must be at least 0, got -1"),
    ("a tick that is too short", "schema = 1\ntick_ms = 0.05\n",
     "room.toml:2: tick_ms: must be at least 0.1, got 0.05"),
    ("a time given twice", "schema = 1\ntick_ms = 5\ntick_us = 5000\n",
     "room.toml:2: tick_ms: the same value as tick_us; give only one of them"),
    ("an unknown engine", 'schema = 1\nengine = "planer"\n',
     "room.toml:2: engine: no such engine 'planer' (did you mean 'planar'?)"),
    ("an engine that is not installed", 'schema = 1\nengine = "rigid"\n',
     "room.toml:2: engine: no such engine 'rigid' (known: planar)"),
    ("noise that is not perfect", 'schema = 1\nnoise = "none"\n',
     "room.toml:2: noise: no such choice 'none' (known: perfect)"),
    ("include that is no list", 'schema = 1\ninclude = "walls.toml"\n',
     'room.toml:2: include: want a list of files, such as ["walls.toml"]'),
    ("include that is no file name", "schema = 1\ninclude = [3]\n",
     'room.toml:2: include[0]: want the name of a file, such as "walls.toml", got 3'),
    # ---- ground and origin
    ("a ground without size", "schema = 1\n[ground]\nsize_m = [0, 8]\n",
     "room.toml:3: ground.size_m[0]: must be above 0, got 0"),
    ("a ground of three numbers", "schema = 1\n[ground]\nsize_m = [1, 2, 3]\n",
     "room.toml:3: ground.size_m: want a list of 2 numbers, got 3 of them"),
    ("a colour of three digits", 'schema = 1\n[ground]\ncolour = "#0f0"\n',
     "room.toml:3: ground.colour: want a colour such as '#3366cc' or 'red', got '#0f0'"),
    ("an unknown colour", 'schema = 1\n[ground]\ncolour = "gren"\n',
     "room.toml:3: ground.colour: unknown colour 'gren' (did you mean 'green'?)"),
    ("a latitude beyond the pole", "schema = 1\norigin = {latitude_deg = 91}\n",
     "room.toml:2: origin.latitude_deg: must be at most 90, got 91"),
    ("a day that does not exist", 'schema = 1\n[origin]\ndate = "2026-02-30"\n',
     "room.toml:3: origin.date: want a date such as '2026-06-01' or '2026-06-01T12:00:00', got '2026-02-30'"),
    # ---- walls, objects, balls, lights
    ("a wall without points", WALL + 'name = "a"\n',
     "room.toml:2: wall[0].points_m: missing (want a list of points [x, y])"),
    ("a wall of one point", WALL + "points_m = [[1, 2]]\n",
     "room.toml:3: wall[0].points_m: a wall needs at least 2 points, got 1"),
    ("a closed wall of two points", WALL + "closed = true\npoints_m = [[1, 2], [3, 4]]\n",
     "room.toml:4: wall[0].points_m: a closed wall needs at least 3 points, got 2"),
    ("a piece of wall without length", WALL + "points_m = [\n[1, 2],\n[1, 2]]\n",
     "room.toml:5: wall[0].points_m[1]: the same point as the one before it; remove one of them"),
    ("a closed wall that is closed twice", WALL + "closed = true\npoints_m = [[0, 0], [1, 0], [1, 1], [0, 0]]\n",
     "room.toml:4: wall[0].points_m[3]: the same point as the first; closed = true joins them, so remove it"),
    ("a point that is no pair", WALL + "points_m = [[0, 0], 1]\n",
     "room.toml:3: wall[0].points_m[1]: want a list of 2 numbers, got 1"),
    ("a sensor that nobody has", WALL + 'points_m = [[0, 0], [1, 0]]\nseen_by = ["lazer"]\n',
     "room.toml:4: wall[0].seen_by[0]: no such choice 'lazer' (did you mean 'laser'?)"),
    ("an illegal name", WALL + 'points_m = [[0, 0], [1, 0]]\nname = "north wall"\n',
     "room.toml:4: wall[0].name: want a name: a letter, then letters, digits, '-' or '_', got 'north wall'"),
    ("a key without its unit", WALL + "points = [[0, 0], [1, 0]]\n",
     "room.toml:2: wall[0].points_m: missing (want a list of points [x, y])\n"
     "room.toml:3: wall[0].points: unknown key (did you mean 'points_m'? the key names the unit)"),
    ("an unknown shape", 'schema = 1\n[[object]]\nkind = "boxx"\nsize_m = [1, 1, 1]\n',
     "room.toml:3: object[0].kind: no such kind 'boxx' (did you mean 'box'?)"),
    ("an object without a shape", "schema = 1\n[[object]]\nx_m = 1\n",
     "room.toml:2: object[0].kind: missing (want one of: box, cone, cylinder, mesh, sphere)"),
    ("a key of another shape", 'schema = 1\n[[object]]\nkind = "sphere"\nradius_m = 1\nheight_m = 1\n',
     "room.toml:5: object[0].height_m: unknown key (known: colour, friction, heading_deg, heading_rad, kind, "
     "look, mass_kg, name, obstacle, "
     "picture, pitch_deg, pitch_rad, radius_m, reflectance, roll_deg, roll_rad, seen_by, tag, temperature_c, x_m, "
     "y_m, z_m)"),
    ("a mark that is an area and a line", MARK + "size_m = [1, 1]\nline_m = [0, 0, 1, 1]\n",
     "room.toml:5: mark[0].line_m: a mark is either an area or a line; remove one of them"),
    ("a mark without a type", "schema = 1\n[[mark]]\nx_m = 1\n",
     "room.toml:2: mark[0].type: missing (want a word without spaces)"),
    ("a type of two words", 'schema = 1\n[[mark]]\ntype = "my goal"\n',
     "room.toml:3: mark[0].type: want a word without spaces, got 'my goal'"),
    ("a line of three numbers", MARK + "line_m = [0, 0, 1]\n",
     "room.toml:4: mark[0].line_m: want a list of 4 numbers, got 3 of them"),
    ("a piece of three numbers", WALL + "pieces_m = [[0, 0, 1]]\n",
     "room.toml:3: wall[0].pieces_m[0]: want a list of 4 numbers, got 3 of them"),
    ("invalid pieces", WALL + "pieces_m = 3\n",
     "room.toml:3: wall[0].pieces_m: want a list of pieces [x1, y1, x2, y2], got 3"),
    ("a closed wall of pieces", WALL + "pieces_m = [[0, 0, 1, 1]]\nclosed = true\n",
     "room.toml:2: wall[0].points_m: a closed wall needs at least 3 points, got 0"),
    ("a ball that gains speed", "schema = 1\n[[ball]]\nbounce = 1.5\n",
     "room.toml:3: ball[0].bounce: must be at most 1, got 1.5"),
    ("a light that is neither lamp nor sun", 'schema = 1\n[[light]]\nstyle = "moon"\n',
     "room.toml:3: light[0].style: no such choice 'moon' (known: lamp, sun)"),
    ("a heading of a lamp that shines all around", "schema = 1\n[[light]]\nheading_deg = 30\n",
     "room.toml:3: light[0].heading_deg: a lamp without a beam shines in all directions; "
     "give it a beam_deg, or remove this key"),
    ("a heading of the sun", 'schema = 1\n[[light]]\nstyle = "sun"\npitch_deg = 30\n',
     "room.toml:4: light[0].pitch_deg: the sun shines from the direction of its position; "
     "its orientation has no effect, remove this key"),
    ("a sun with a beam", 'schema = 1\n[[light]]\nstyle = "sun"\nbeam_deg = 30\n',
     "room.toml:4: light[0].beam_deg: the sun has no beam; remove this key"),
    ("a lamp that is rolled", "schema = 1\n[[light]]\nbeam_deg = 40\nroll_deg = 30\n",
     "room.toml:4: light[0].roll_deg: a beam is round, so roll has no effect; remove this key"),
    ("one name for two things", 'schema = 1\n[[ball]]\nname = "a"\n[[light]]\nname = "a"\n',
     "room.toml:5: light[0].name: 'a' is already the name of a ball; names must be unique"),
    ("the name of the edge", 'schema = 1\n[ground]\nwalled = true\n[[ball]]\nname = "ground-edge"\n',
     "room.toml:5: ball[0].name: 'ground-edge' is already the name of a wall; names must be unique"),
    # ---- placing a robot
    ("an unknown robot", 'schema = 1\n[[robot]]\nmodel = "rovr"\n',
     "room.toml:3: robot[0].model: no such robot 'rovr' (did you mean 'rover'?)"),
    ("a robot of nothing", "schema = 1\n[[robot]]\nx_m = 1\n",
     "room.toml:2: robot[0].model: missing; name a robot (known: broken, crane, rover) or give body and drive here"),
    ("a heading without unit", ROBOT + "heading = 90\n",
     "room.toml:4: robot[0].heading: unknown key (did you mean 'heading_deg'? the key names the unit)"),
    ("an angle that is no number", ROBOT + 'heading_deg = "north"\n',
     "room.toml:4: robot[0].heading_deg: want a number, got 'north'"),
    ("two kinds of position",
     ROBOT.replace("[[", "origin = {}\n[[", 1) + "x_m = 1\nlatitude_deg = 50\nlongitude_deg = 8\n",
     "room.toml:5: robot[0].x_m: cannot be combined with latitude_deg; give only one kind of position"),
    ("half a position", ROBOT + "latitude_deg = 50\n[origin]\n",
     "room.toml:2: robot[0].longitude_deg: missing (want a number)"),
    ("a position on the Earth without an origin", ROBOT + "latitude_deg = 50\nlongitude_deg = 8\n",
     "room.toml:4: robot[0].latitude_deg: needs the scene's origin; "
     "add [origin] with latitude_deg and longitude_deg"),
    ("a program that is a number", ROBOT + "program = 3\n",
     "room.toml:4: robot[0].program: want a string or a table, got 3"),
    ("a program without a file", ROBOT + 'program = {mode = "gated"}\n',
     "room.toml:4: robot[0].program.file: missing (want a string)"),
    ("an unknown mode", ROBOT + 'program = {file = "a b", mode = "fast"}\n',
     "room.toml:4: robot[0].program.mode: no such choice 'fast' (known: gated, realtime)"),
    ("a robot in a wall", ROBOT + "[[wall]]\npoints_m = [[-1, 0.1], [1, 0.1]]\n",
     "room.toml:2: robot[0]: rover-1 starts inside wall-1; move one of them"),
    ("a robot in an object", ROBOT + '[[object]]\nkind = "cylinder"\nradius_m = 1\n',
     "room.toml:2: robot[0]: rover-1 starts inside cylinder-1; move one of them"),
    ("a robot in a robot", ROBOT + 'name = "a"\n[[robot]]\nmodel = "rover"\nx_m = 0.39\n',
     "room.toml:5: robot[1]: rover-1 starts inside a; move one of them"),
    # ---- what a robot is made of
    ("a negative range", ROBOT + "device.front.max_m = -1\n",
     "room.toml:4: robot[0].device.front.max_m: must be above 0, got -1"),
    ("an angle beyond the circle", ROBOT + "[robot.device.front]\nfield_deg = 400\n",
     "room.toml:5: robot[0].device.front.field_deg: must be at most 360, got 400"),
    ("an unknown key of a device", ROBOT + "device.front.max_mm = 8000\n",
     "room.toml:4: robot[0].device.front.max_mm: unknown key (did you mean 'max_m'?)"),
    ("an unknown kind of device", ROBOT + '[robot.device.rear]\nkind = "lidar"\n',
     "room.toml:5: robot[0].device.rear.kind: no such kind 'lidar' (did you mean 'laser'?)"),
    ("a device whose name is misspelt", ROBOT + "device.frnt.max_m = 3\n",
     "room.toml:4: robot[0].device.frnt: no such device (did you mean 'front'?)"),
    ("a device without a kind", ROBOT + "device.tail.max_m = 3\n",
     "room.toml:4: robot[0].device.tail.kind: missing (want one of: gps, laser, sonar)"),
    ("a device that lacks a key", ROBOT + '[robot.device.rear]\nkind = "sonar"\n',
     "room.toml:4: robot[0].device.rear.ring: missing (want a list of tables)"),
    ("a transducer with a wrong key", ROBOT + '[robot.device.rear]\nkind = "sonar"\nring = [{x_m = 1},\n{y = 1}]\n',
     "room.toml:7: robot[0].device.rear.ring[1].y: unknown key (did you mean 'y_m'? the key names the unit)"),
    ("a device that is a number", ROBOT + "device.front = 3\n",
     "room.toml:4: robot[0].device.front: want a table, or false to leave it out, got 3"),
    ("taking away what is not there", ROBOT + "device.frnt = false\n",
     "room.toml:4: robot[0].device.frnt: no such device to remove (did you mean 'front'?)"),
    ("a share above one", ROBOT + "device.front.noise = {lost = 2}\n",
     "room.toml:4: robot[0].device.front.noise.lost: must be at most 1, got 2"),
    ("an unknown word for noise", ROBOT + 'device.front.noise = "perfct"\n',
     "room.toml:4: robot[0].device.front.noise: no such choice 'perfct' (did you mean 'perfect'?)"),
    ("a device name with a blank", ROBOT + '[robot.device."my gps"]\nkind = "gps"\n',
     "room.toml:4: robot[0].device.\"my gps\": want a name: a letter, then letters, digits, '-' or '_', got 'my gps'"),
    ("a name in a named table", ROBOT + '[robot.device.rear]\nkind = "gps"\nname = "gps"\n',
     "room.toml:6: robot[0].device.rear.name: remove this key: the name is that of the table, rear"),
    ("a period shorter than the tick", ROBOT + "device.front.period_ms = 1\n",
     "room.toml:4: robot[0].device.front.period_ms: the period of rover-1/front, 1 ms, is shorter than the tick, 5 ms; "
     "want a period of at least 5 ms or tick_ms = 1"),
    ("a tick longer than a period of the catalogue", ROBOT.replace("[[", "tick_ms = 80\n[[", 1),
     "room.toml:2: tick_ms: the period of rover-1/ring, 40 ms, is shorter than the tick, 80 ms; "
     "want a period of at least 80 ms or tick_ms = 40"),
    ("a body without its drive", 'schema = 1\n[[robot]]\nbody = {shape = "circle", radius_m = 0.2}\n',
     "room.toml:2: robot[0].drive: missing (want a table)"),
    ("an unknown body", ROBOT + 'body = {shape = "square"}\n',
     "room.toml:4: robot[0].body.shape: no such shape 'square' (known: box, circle, polygon)"),
    ("a body of two points", POLYGON + 'body = {shape = "polygon", points_m = [[0, 0], [1, 0]]}\n',
     "room.toml:4: robot[0].body.points_m: want at least 3 points, got 2"),
    ("a clockwise body", POLYGON + 'body = {shape = "polygon", points_m = [[0, 0], [0, 1], [1, 0]]}\n',
     "room.toml:4: robot[0].body.points_m: the points run clockwise; list them counter-clockwise"),
    ("a body that is not convex",
     POLYGON + 'body = {shape = "polygon", points_m = [[0, 0], [1, 0], [0.2, 0.2], [0, 1]]}\n',
     "room.toml:4: robot[0].body.points_m: not convex: the outline must turn left at every point"),
    ("an unknown drive", OWN_ROBOT.replace("differential", "tracked"),
     "room.toml:4: robot[0].drive.kind: no such kind 'tracked' (known: ackermann, differential, none, omni, skid)"),
    ("an inertia that no body has", OWN_ROBOT + "dynamics = {inertia = {moments_kg_m2 = [1, 1, 9]}}\n",
     "room.toml:5: robot[0].dynamics.inertia.moments_kg_m2: physically impossible inertia: one of its moments, 9, is "
     "greater than the sum of the others, 2"),
    # ---- units and ports
    ("an unknown unit", ROBOT + '[robot.unit.gps]\nkind = "recever"\n',
     "room.toml:5: robot[0].unit.gps.kind: no such kind 'recever' (did you mean 'receiver'?)"),
    ("an unknown input", ROBOT + 'unit.arcos.uses.lasr1 = "front"\n',
     "room.toml:4: robot[0].unit.arcos.uses.lasr1: a pioneer has no such input (did you mean 'laser1'?)"),
    ("an input of no device", ROBOT + 'unit.arcos.uses.laser1 = "frnt"\n',
     "room.toml:4: robot[0].unit.arcos.uses.laser1: no such device 'frnt' (did you mean 'front'?)"),
    ("an input of the wrong kind", ROBOT + 'unit.arcos.uses.laser1 = "ring"\n',
     "room.toml:4: robot[0].unit.arcos.uses.laser1: needs a laser, but 'ring' is a sonar"),
    ("uses that is no table", ROBOT + 'unit.arcos.uses = "front"\n',
     'room.toml:4: robot[0].unit.arcos.uses: want a table of names, such as {sonar = "sonar"}'),
    # ---- outputs
    ("an unknown output", BRICK + 'unit.brick.drives.D = "wheel:left"\n',
     "room.toml:4: robot[0].unit.brick.drives.D: a brick has no such output (known: A, B, C)"),
    ("outputs of a unit that has none", ROBOT + 'unit.arcos.drives.A = "wheel:left"\n',
     "room.toml:4: robot[0].unit.arcos.drives.A: a pioneer has no such output (there are none)"),
    ("an output for nothing", BRICK + 'unit.brick.drives.A = "left"\n',
     "room.toml:4: robot[0].unit.brick.drives.A: want wheel:SIDE, joint:NAME or device:NAME, got 'left'"),
    ("an output of no wheel", BRICK + 'unit.brick.drives.A = "wheel:lft"\n',
     "room.toml:4: robot[0].unit.brick.drives.A: no such wheel 'lft' (did you mean 'left'?)"),
    ("an output of no joint", BRICK + 'unit.brick.drives.A = "joint:arn"\n',
     "room.toml:4: robot[0].unit.brick.drives.A: no such joint 'arn' (did you mean 'arm'?)"),
    ("an output of no device", BRICK + 'unit.brick.drives.A = "device:lamp"\n',
     "room.toml:4: robot[0].unit.brick.drives.A: no such device 'lamp' (known: front)"),
    ("an output of a gear", BRICK + 'unit.brick.drives.A = "joint:gear"\n',
     "room.toml:4: robot[0].unit.brick.drives.A: gear follows arm: drive that one"),
    ("an output of a joint without a servo", BRICK + 'unit.brick.drives.A = "joint:arm"\njoint.arm.driven = false\n',
     "room.toml:4: robot[0].unit.brick.drives.A: arm has no servo"),
    ("two outputs of one wheel", BRICK + 'unit.brick.drives = {A = "wheel:left", B = "wheel:both"}\n',
     "room.toml:4: robot[0].unit.brick.drives.B: wheel:left is driven by output A of brick already; "
     "only one output can drive it"),
    ("wheel outputs of a car", BRICK + 'unit.brick.drives.A = "wheel:left"\n'
     'drive = {kind = "ackermann", wheelbase_m = 0.3}\n',
     "room.toml:4: robot[0].unit.brick.drives.A: outputs turn wheels of differential and skid drives, "
     "or both together of an ackermann drive, and this drive is ackermann; leave it out"),
    ("wheel outputs of an omni drive", BRICK + 'unit.brick.drives.A = "wheel:both"\ndrive = {kind = "omni"}\n',
     "room.toml:4: robot[0].unit.brick.drives.A: outputs turn wheels of differential and skid drives, "
     "or both together of an ackermann drive, and this drive is omni; leave it out"),
    ("drives that is no table", BRICK + 'unit.brick.drives = "wheel:left"\n',
     'room.toml:4: robot[0].unit.brick.drives: want a table of names, such as {sonar = "sonar"}'),
    ("an unknown reversed output", BRICK + 'unit.brick.motor.reversed = ["Z"]\n',
     "room.toml:4: robot[0].unit.brick.motor.reversed[0]: a brick has no output 'Z' (known: A, B, C)"),
    ("a motor that draws more when it idles", BRICK + 'unit.brick.motor = {stall_a = 0.5, idle_a = 0.6}\n',
     "room.toml:4: robot[0].unit.brick.motor.idle_a: must not be above stall_a, 0.5"),
    ("a motor without time", BRICK + 'unit.brick.motor.coast_ms = -1\n',
     "room.toml:4: robot[0].unit.brick.motor.coast_ms: must be at least 0, got -1"),
    ("wheel outputs beside a unit that drives", ROBOT + 'unit.b = {kind = "brick", drives = {A = "wheel:left"}}\n',
     "room.toml:4: robot[0].unit.b: arcos already drives the robot, and only one unit can; "
     "remove one: unit.b = false"),
    # ---- drive stages
    ("an unknown stage", ROBOT + 'drive_stage.s = {kind = "slipp"}\n',
     "room.toml:4: robot[0].drive_stage.s.kind: no such kind 'slipp' (did you mean 'slip'?)"),
    ("a stage with an unknown key", ROBOT + 'drive_stage.s = {kind = "slip", shard = 0.1}\n',
     "room.toml:4: robot[0].drive_stage.s.shard: unknown key (did you mean 'share'?)"),
    ("too much slip", ROBOT + 'drive_stage.s = {kind = "slip", share = 1}\n',
     "room.toml:4: robot[0].drive_stage.s.share: must be at most 0.95, got 1"),
    ("one side of a drive without sides", ROBOT + 'drive = {kind = "omni"}\n'
     'drive_stage.s = {kind = "dead", side = "left"}\n',
     "room.toml:5: robot[0].drive_stage.s.side: only a differential or skid drive has a left side; leave it out"),
    ("a brown-out without a battery", ROBOT + 'drive_stage.s = {kind = "brown_out"}\n',
     "room.toml:4: robot[0].drive_stage.s: no such battery 'battery' (there are none)"),
    ("a stage of a robot without a drive", ROBOT + 'drive = {kind = "none"}\ndrive_stage.s = {kind = "weak"}\n',
     "room.toml:5: robot[0].drive_stage.s.kind: this robot has no drive; leave the stage out"),
    ("two units that drive", ROBOT + '[robot.unit.second]\nkind = "pioneer"\n',
     "room.toml:4: robot[0].unit.second: arcos already drives the robot, and only one unit can; "
     "remove one: unit.second = false"),
    ("a port of no unit", ROBOT + 'port.host.unit = "arcs"\n',
     "room.toml:4: robot[0].port.host.unit: no such unit 'arcs' (did you mean 'arcos'?)"),
    ("an unknown protocol", ROBOT + 'port.host.protocol = "arkos"\n',
     "room.toml:4: robot[0].port.host.protocol: no such protocol 'arkos' (did you mean 'arcos'?)"),
    ("a protocol that the unit does not speak",
     ROBOT + 'port.host = {unit = "arcos", protocol = "nmea", link = "loop:"}\n',
     "room.toml:4: robot[0].port.host.protocol: 'nmea' needs a receiver, but 'arcos' is a pioneer"),
    ("an unknown link", ROBOT + 'port.host.link = "tpc://127.0.0.1:8101"\n',
     "room.toml:4: robot[0].port.host.link: no such kind of link 'tpc' (did you mean 'tcp'?)"),
    ("an invalid link", ROBOT + 'port.host.link = "8101"\n',
     "room.toml:4: robot[0].port.host.link: '8101' is not a link URL; want tcp://HOST:PORT, rfc2217://HOST:PORT, "
     "pty:NAME or loop:"),
    ("a link without a port", ROBOT + 'port.host.link = "tcp://127.0.0.1"\n',
     "room.toml:4: robot[0].port.host.link: 'tcp://127.0.0.1': want tcp://HOST:PORT, such as tcp://127.0.0.1:8101, "
     "with + at the end for the next free port"),
    ("a TCP port twice", ROBOT + 'port.host.link = "tcp://:8101"\n' + ROBOT.replace("schema = 1\n", "")
     + 'x_m = 1\nport.host.link = "tcp://:8101"\n',
     "room.toml:8: robot[1].port.host.link: TCP port 8101 of rover-2/host is already used by rover-1/host; "
     "write 8101+ for the next free one, or another number"),
    ("a gate that does not exist", ROBOT + 'port.host.gate = "shut"\n',
     "room.toml:4: robot[0].port.host.gate: no such choice 'shut' (known: free, reply)"),
    ("an error in the catalogue", ROBOT.replace("rover", "broken"),
     "broken.toml:9: device.front.max_m: must be above 0, got -8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_error_is_reported_in_exactly_these_words(text, words):
    assert reported(text) == words.splitlines()


def test_there_are_many_kinds_of_errors_in_the_table():
    assert len({words for _, _, words in CASES}) >= 45


# ---- many at once


def test_all_errors_come_at_once_in_the_order_of_lines():
    text = """schema = 1
seed = -1
[[robot]]
model = "rover"
colour = "reed"
device.front.max_m = 0
unit.arcos.uses.sonar = "rang"
[[wall]]
points_m = [[0, 0]]
[[robot]]
model = "rovr"
[[ball]]
radius = 1
[ground]
size_m = [1]
"""
    assert reported(text) == [
        "room.toml:2: seed: must be at least 0, got -1",
        "room.toml:5: robot[0].colour: unknown colour 'reed' (did you mean 'red'?)",
        "room.toml:6: robot[0].device.front.max_m: must be above 0, got 0",
        "room.toml:7: robot[0].unit.arcos.uses.sonar: no such device 'rang' (did you mean 'ring'?)",
        "room.toml:9: wall[0].points_m: a wall needs at least 2 points, got 1",
        "room.toml:11: robot[1].model: no such robot 'rovr' (did you mean 'rover'?)",
        "room.toml:13: ball[0].radius: unknown key (did you mean 'radius_m'? the key names the unit)",
        "room.toml:15: ground.size_m: want a list of 2 numbers, got 1 of them",
    ]


def test_an_invalid_device_is_not_also_reported_missing_by_the_unit_that_uses_it():
    assert len(reported(ROBOT + "device.front.max_m = -1\n")) == 1


def test_an_invalid_tick_is_not_compared_with_periods():
    text = ROBOT.replace("[[", "tick_ms = 5000\n[[", 1)
    assert reported(text) == ["room.toml:2: tick_ms: must be at most 1000, got 5000"]


def test_an_invalid_place_is_not_searched_for_overlaps():
    assert len(reported(ROBOT + 'x_m = "a"\n[[wall]]\npoints_m = [[-1, 0.1], [1, 0.1]]\n')) == 1


def test_an_error_in_a_wall_does_not_shift_the_lines_of_the_next():
    got = reported("schema = 1\n[[wall]]\ncolor = 1\n[[wall]]\npoints_m = [[0, 0]]\n")
    assert got[-1] == "room.toml:5: wall[1].points_m: a wall needs at least 2 points, got 1"


def test_an_error_in_a_model_is_reported_once_however_many_robots_have_it():
    text = "schema = 1\n" + "".join(f'[[robot]]\nmodel = "broken"\nx_m = {i}\n' for i in range(3))
    assert reported(text) == ["broken.toml:9: device.front.max_m: must be above 0, got -8"]


# ---- files


def test_a_missing_include_is_named_with_its_line(tmp_path):
    assert reported('schema = 1\ninclude = [\n  "walls.toml"]\n', tmp_path) == [
        "room.toml:3: include[0]: no such file: 'walls.toml'"
    ]


def test_an_include_of_a_text_in_no_folder_is_refused():
    assert reported('schema = 1\ninclude = ["walls.toml"]\n') == [
        "room.toml:2: include[0]: cannot resolve 'walls.toml': this text was not loaded from a file"
    ]


def test_errors_of_an_included_file_carry_its_name_and_come_after_the_own_ones(tmp_path):
    (tmp_path / "walls.toml").write_text("schema = 1\n[[wall]]\npoints_m = [[0, 0]]\n")
    assert reported('schema = 1\ninclude = ["walls.toml"]\n[[ball]]\nbounce = 2\n', tmp_path) == [
        "room.toml:4: ball[0].bounce: must be at most 1, got 2",
        "walls.toml:3: wall[0].points_m: a wall needs at least 2 points, got 1",
    ]


def test_files_that_include_each_other_are_refused(tmp_path):
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["walls.toml"]\n')
    (tmp_path / "walls.toml").write_text('schema = 1\ninclude = ["room.toml"]\n')
    with pytest.raises(SceneError) as error:
        scene_file.read(tmp_path / "room.toml", VOCABULARY)
    assert [(p.line, p.path, p.text) for p in error.value.problems] == [
        (2, "include[0]", "'room.toml' is already part of this scene; include it only once, and not from itself")
    ]


def test_a_text_that_includes_its_own_file_is_refused(tmp_path):
    (tmp_path / "room.toml").write_text("schema = 1\n")
    assert reported('schema = 1\ninclude = ["room.toml"]\n', tmp_path) == [
        "room.toml:2: include[0]: 'room.toml' is already part of this scene; include it only once, and not from itself"
    ]


def test_a_syntax_error_in_an_include_has_the_line_of_the_include(tmp_path):
    (tmp_path / "walls.toml").write_text("schema = 1\n[[wall]\n")
    assert reported('schema = 1\ninclude = ["walls.toml"]\n', tmp_path) == [
        "walls.toml:2: not TOML: Expected ']]' at the end of an array declaration at column 7; ]] is missing"
    ]


@pytest.mark.parametrize(("text", "words"), [
    ('[ground]\npicture = "floor.png"\n', "room.toml:3: ground.picture: no such file 'floor.png' beside room.toml"),
    ('[ground]\nheights = "hill.png"\n', "room.toml:3: ground.heights: no such file 'hill.png' beside room.toml"),
    ('[ground.heights]\nfile = "hill.png"\n',
     "room.toml:3: ground.heights.file: no such file 'hill.png' beside room.toml"),
    ('[[object]]\nkind = "mesh"\nfile = "cow.obj"\n',
     "room.toml:4: object[0].file: no such file 'cow.obj' beside room.toml"),
    ('[[robot]]\nmodel = "rover"\nprogram = "wander.py"\n',
     "room.toml:4: robot[0].program: no such file 'wander.py' beside room.toml"),
    ('[[robot]]\nmodel = "rover"\nprogram = {file = "/no/such/wander.c"}\n',
     "room.toml:4: robot[0].program.file: no such file '/no/such/wander.c'"),
    ('[[robot]]\nmodel = "my.toml"\n',
     "room.toml:3: robot[0].model: cannot read the robot file 'my.toml': No such file or directory"),
])  # fmt: skip
def test_a_file_that_a_scene_names_must_exist(text, words, tmp_path):
    assert reported("schema = 1\n" + text, tmp_path) == [words]


@pytest.mark.parametrize("program", ["python3 wander.py", "controller", "./wander --fast"])
def test_a_command_line_is_not_looked_for(program, tmp_path):
    assert reported(ROBOT + f'program = "{program}"\n', tmp_path) == []


def test_errors_of_a_robot_file_carry_its_name_and_line(tmp_path):
    (tmp_path / "my.toml").write_text('[robot]\nbody = {shape = "circle", radius_m = 1}\n[devices.front]\n[card]\n')
    assert reported('schema = 1\n[[robot]]\nmodel = "my.toml"\n', tmp_path) == [
        "my.toml:1: robot.drive: missing (want a table)",
        "my.toml:3: devices: unknown key (did you mean 'device'?)",
    ]


def test_a_robot_file_that_is_no_toml_is_reported_with_its_line(tmp_path):
    (tmp_path / "my.toml").write_text("[robot\n")
    assert reported('schema = 1\n[[robot]]\nmodel = "my.toml"\n', tmp_path)[-1].startswith("my.toml:1: not TOML: ")


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / "room.toml").write_bytes(b"schema = 1\n\xff\xfe")
    with pytest.raises(SceneError, match=r"not UTF-8 text \(byte 11\)"):
        scene_file.read(tmp_path / "room.toml", VOCABULARY)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(SceneError, match="no such file"):
        scene_file.read(tmp_path / "room.toml", VOCABULARY)


def test_lists_that_are_nested_without_end_are_refused():
    (line,) = reported("schema = 1\na = " + "[" * 5000 + "]" * 5000)
    assert line == "room.toml:1: lists and tables are nested too deeply"
