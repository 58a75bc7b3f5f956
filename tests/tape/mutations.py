"""Wrong but well-formed tapes and saved runs: values of real ones are exchanged, and their checksums made again."""

from __future__ import annotations

import copy
import random
import zlib

import numpy as np

from understudy.sim import saving
from understudy.sim.packing import pack, unpack
from understudy.tape import layout

STRANGE = (
    None, True, False, 0, 1, -1, 7, 255, 2**31, 2**53, 10**15, 10**18, -(10**18), 2**64 - 1, 0.0, -0.5, 1e-300, 1e300,
    float("nan"), float("inf"), "", "x", "scout", "Reset", "change", "planar", "rigid", "\0", "a" * 5000, b"",
    b"\xfa\xfb", [], [[]], [1, 2, 3], [None] * 50, {}, {"a": 1}, {1: 2}, {"tick": 10**15}, np.zeros(3),
    np.zeros((0, 12)), np.full((2, 3), np.nan), np.arange(4, dtype=np.int32),
)  # fmt: skip


def mutated(tree, dice):
    """Return a tree with one to three of its values exchanged, taken away or doubled."""
    tree = copy.deepcopy(tree)
    for _ in range(dice.randint(1, 3)):
        tree = _one(tree, dice)
    return tree


def _one(tree, dice):
    node, depth = tree, dice.randint(1, 9)
    for _ in range(depth):
        inner = _some_inner(node, dice)
        if inner is None:
            break
        node = inner
    if isinstance(node, dict) and node:
        _spoil_table(node, dice)
    elif isinstance(node, list) and node:
        _spoil_list(node, dice)
    elif isinstance(node, np.ndarray) and node.size and node.dtype.kind in "fiu":
        node.flat[dice.randrange(node.size)] = dice.choice([0, 1, 77, 120] + [1e300, np.nan] * (node.dtype.kind == "f"))
    else:
        return dice.choice(STRANGE) if node is tree else tree
    return tree


def _some_inner(node, dice):
    values = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    inner = [value for value in values if isinstance(value, dict | list | np.ndarray) and len(value)]
    return dice.choice(inner) if inner else None


def _spoil_table(node, dice):
    key = dice.choice(list(node))
    way = dice.random()
    if way < 0.15:
        del node[key]
    elif way < 0.25:
        node[dice.choice(["strange", 5, "tick"])] = node[key]
    else:
        node[key] = _strange_like(node[key], dice)


def _spoil_list(node, dice):
    row = dice.randrange(len(node))
    way = dice.random()
    if way < 0.15:
        del node[row]
    elif way < 0.3:
        node.append(copy.deepcopy(node[row]))
    else:
        node[row] = _strange_like(node[row], dice)


def _strange_like(value, dice):
    """Return another value; every other time one of the same type, which goes further before it is noticed."""
    alike = [other for other in STRANGE if type(other) is type(value)]
    return copy.deepcopy(dice.choice(alike if alike and dice.random() < 0.5 else STRANGE))


def blocks_of(path):
    """Return the blocks of a tape as (kind, tree)."""
    data, at, found = path.read_bytes(), len(layout.MAGIC), []
    while at < len(data):
        kind, length, _ = layout._HEAD.unpack_from(data, at)
        at += layout._HEAD.size
        found.append((kind, unpack(zlib.decompress(data[at : at + length]))))
        at += length
    return found


def mutated_tape(blocks, seed):
    """Return the bytes of a tape of which one block has been spoiled."""
    dice = random.Random(seed)
    row = dice.randrange(len(blocks))
    kinds = [layout.HEADER, layout.ENTRIES, layout.KEYFRAME, layout.END]
    spoiled = [
        (dice.choice(kinds) if i == row and dice.random() < 0.05 else kind, mutated(tree, dice) if i == row else tree)
        for i, (kind, tree) in enumerate(blocks)
    ]
    return layout.MAGIC + b"".join(layout.block(kind, tree) for kind, tree in spoiled)


def mutated_state(data, seed):
    """Return the bytes of a saved run whose state, but for the engine's, has been spoiled in two parts."""
    dice, tree = random.Random(seed), saving.unpack_run(data)
    for _ in range(2):
        key = dice.choice(["units", "plugs", "batches", "faults", "held", "starts", "tick", "targets"])
        tree["run"][key] = mutated(tree["run"][key], dice)
    packed = pack(tree)
    return saving.MAGIC + saving._checksum(packed) + packed


def mutated_run(data, seed):
    """Return the bytes of a saved run of which something has been spoiled."""
    tree = mutated(saving.unpack_run(data), random.Random(seed))
    packed = pack(tree)
    return saving.MAGIC + saving._checksum(packed) + packed
