"""The verbs about scene files: ``check``, ``convert``, ``schema``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from understudy import api
from understudy.errors import FormatError, Problem, SceneError
from understudy.formats import convert as conversion
from understudy.formats.native import scene_file
from understudy.formats.native.doubts import doubts
from understudy.formats.native.json_schema import robot_schema, scene_schema
from understudy.formats.texture_report import not_shown
from understudy.sim import consent
from understudy.sim.vocabulary import vocabulary

_MOST_WARNINGS = 20


def check(args: argparse.Namespace) -> int:
    """Report every error in scene files."""
    bad = 0
    for file in args.files:
        try:
            document = api.open_document(file)
            scene = scene_file.resolve(document, vocabulary())
            if wrong := api.program_errors(document, scene):
                raise SceneError(wrong)
        except SceneError as error:
            bad += len(error.problems)
            print(error, file=sys.stderr)
            continue
        warnings = (*document.warnings, *not_shown(document), *doubts(document, scene))
        _report(document.became)
        _print_warnings(warnings)
        for words in consent.of_commands(scene.robots):
            print(f"{file}: {words} starts a process; run needs --trust")
        for words in sorted({*api.code_in(document, scene)} - {*consent.of_commands(scene.robots)}):
            print(f"{file}: {words} is code in an archive; run needs --trust")
        count = f", {len(warnings)} warning{'s' if len(warnings) != 1 else ''}" if warnings else ""
        print(f"{file}: good{count}")
    if bad:
        print(f"understudy: {bad} error{'s' if bad != 1 else ''}", file=sys.stderr)
    return 1 if bad else 0


def convert(args: argparse.Namespace) -> int:
    """Convert a scene to the format that the target's suffix names, or add its lines to a map."""
    source = Path(args.source)
    if args.into:
        target = Path(args.target or args.into)
        count = conversion.into_map(source, Path(args.into), target, vocabulary())
        print(f"{target}: written, with {count} line{'s' if count != 1 else ''} of {source}")
        return 0
    if not args.target:
        raise FormatError("no output file: give OUT, or --into MAP to add the lines to a map")
    done = conversion.convert(source, Path(args.target), vocabulary())
    _report(done.became)
    _print_warnings(done.warnings)
    for file in done.files:
        print(f"{file}: written")
    if done.left_out:
        print("not converted, or converted to another form:")
    for words in done.left_out:
        print(f"  {words}")
    return 0


def _report(became: Sequence[Problem]) -> None:
    """Print what each part of a file was converted to."""
    for note in became:
        print(note)


def _print_warnings(warnings: Sequence[Problem]) -> None:
    """Print the first warnings, and the number of those left out."""
    for warning in warnings[:_MOST_WARNINGS]:
        print(f"{warning}", file=sys.stderr)
    if len(warnings) > _MOST_WARNINGS:
        print(f"... and {len(warnings) - _MOST_WARNINGS} more warnings", file=sys.stderr)


def schema(args: argparse.Namespace) -> int:
    """Print the JSON Schema of scene or robot files."""
    print(json.dumps((robot_schema if args.robot else scene_schema)(vocabulary()), indent=2))
    return 0
