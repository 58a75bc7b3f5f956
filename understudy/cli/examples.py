"""The verb ``examples``, and the default scene."""

from __future__ import annotations

import argparse
import tomllib
from importlib.resources import files
from pathlib import Path

from understudy.errors import UnderstudyError, UnknownName, nearest


def folder() -> Path:
    """Return the folder of the examples, wherever Understudy is installed."""
    return Path(str(files("understudy.examples")))


def default_scene() -> Path:
    """Return the scene that runs when no file is given."""
    return folder() / "office.toml"


def names() -> dict[str, Path]:
    """Return every example scene by name; those in a folder of their own are ``folder/scene``."""
    top = folder()
    own = sorted((*top.glob("*.toml"), *top.glob("*.map")))
    return {str(path.relative_to(top).with_suffix("")): path for path in (*own, *sorted(top.glob("*/*.toml")))}


def examples(args: argparse.Namespace) -> int:
    """List, copy or run the examples."""
    if args.action == "list":
        for name, path in names().items():
            print(f"{name:24} {_summary(path)}")
        return 0
    if args.action == "copy":
        return _copy(args.name, Path(args.folder))
    from understudy.cli.run import run

    args.file = str(_path(args.name or "office"))
    return run(args)


def _summary(path: Path) -> str:
    if path.suffix == ".map":
        return "a map for ARIA programs"
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("name", ""))


def _path(name: str) -> Path:
    known = names()
    if name not in known:
        raise UnknownName(f"unknown example {name!r} {nearest(name, known)}")
    return known[name]


def _copy(name: str | None, target: Path) -> int:
    """Copy one example, with the files that it needs, or all examples; never overwrites."""
    scenes = [_path(name)] if name else list(names().values())
    for source in dict.fromkeys(file for scene in scenes for file in (scene, *_beside(scene))):
        copy = target / source.relative_to(folder())
        if copy.exists():
            raise UnderstudyError(f"{copy} exists already; choose another folder")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
        print(copy)
    return 0


def _beside(scene: Path) -> list[Path]:
    """Return what belongs to a scene: its whole folder, or the programs and pictures that it names."""
    if scene.parent != folder():
        return sorted(path for path in scene.parent.iterdir() if path.is_file())
    text = scene.read_text(encoding="utf-8")
    kinds = ("py", "png", "lasm")
    files = (path for end in kinds for path in sorted(folder().glob(f"*.{end}")) if path.stem != "__init__")
    return [path for path in files if path.name in text]
