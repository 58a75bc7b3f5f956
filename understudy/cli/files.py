"""The verbs about scene files: ``check``, ``convert``, ``schema``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from understudy import api
from understudy.errors import FormatError, nearest
from understudy.formats import FORMATS, native
from understudy.formats.json_schema import robot_schema, scene_schema
from understudy.sim.vocabulary import vocabulary


def check(args: argparse.Namespace) -> int:
    """Say every mistake in scene files."""
    bad = 0
    for file in args.files:
        problems = api.check(file)
        bad += len(problems)
        for problem in problems:
            print(problem, file=sys.stderr)
        if not problems:
            print(f"{file}: good")
    if bad:
        print(f"understudy: {bad} mistake{'s' if bad != 1 else ''}", file=sys.stderr)
    return 1 if bad else 0


def convert(args: argparse.Namespace) -> int:
    """Convert a scene from one format to another, by the suffix of the target."""
    source, target = Path(args.source), Path(args.target)
    document = api.open_document(source)
    native.resolve(document, vocabulary())
    suffixes = {suffix: module for module in FORMATS.values() for suffix in module.SUFFIXES}
    if target.suffix not in suffixes:
        raise FormatError(
            f"{target}: no format writes {target.suffix or 'files without a suffix'} {nearest(target.suffix, suffixes)}"
        )
    like = document if suffixes[target.suffix] is native else None
    native.save(target, native.write(document.scene, like))
    print(f"{target}: written")
    return 0


def schema(args: argparse.Namespace) -> int:
    """Print the JSON Schema of scene or robot files."""
    print(json.dumps((robot_schema if args.robot else scene_schema)(vocabulary()), indent=2))
    return 0
