"""Limits on the content of files. One table, so that time and memory stay bounded for any file.

Each limit is well above what real files contain and well below what exhausts a machine with 4 GB of memory.
"""

from __future__ import annotations

# ---- tapes and saved runs

PACKED_VALUES = 10_000_000  # numbers, texts and containers of one tree: some 100 bytes of memory each
BLOCK_BYTES = 1_000_000_000  # of one block of a tape, unpacked: a header holds all meshes and pictures of its scene
BLOCK_RATIO, BLOCK_FREE_BYTES = 200, 16_000_000  # a larger block that shrank further than this is a zip bomb
IDLE_TICKS = 1_000  # between two entries of a tape; a recorder writes an empty one after so long without input
TICKS = 10**12  # of a run: 158 years at 5 ms; times in microseconds stay within 64 bits
STATE_NUMBER = 1e12  # of an engine: positions, speeds, forces
RELIVED_TICKS = 20_000_000  # repeated to restore a run with programs: 28 hours at 5 ms

# ---- scenes, maps and robots

FILE_BYTES = 512_000_000  # of any file that is read as a whole: meshes, heights, pictures
TEXT_BYTES, TEXT_LINES = 64_000_000, 2_000_000  # of a text map or world: each line becomes a wall of some 200 bytes
TOML_BYTES = 40_000_000  # of a native scene, which needs 50 times its size while it is read
TOML_DEPTH = 64  # nested tables and lists
TOML_LETTERS, TOML_KEY_LETTERS = 100_000, 200  # of a text, of a key
INCLUDED_DEPTH = 40  # nested includes
DIGITS = 4_000  # of a number; Python refuses to read more than 4,300
LENGTH_M = 1e8  # of any length or coordinate: UTM coordinates fit, and a double resolves 15 nm there
FACE_CORNERS = 10_000  # of a mesh's face, which is cut into triangles
FINDINGS = 1_000  # reported per file at most
