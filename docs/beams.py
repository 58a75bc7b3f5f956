"""Draws docs/beams/*.svg: where each device of the catalogue detects a pole. A test fails when one is stale."""

from __future__ import annotations

from pathlib import Path

from understudy.cli.beam import svg
from understudy.sensors.models import models
from understudy.sensors.pattern import pattern

FOLDER = Path(__file__).parent / "beams"
TARGET_M = 0.1
FINE = 48  # places across


def names() -> list[str]:
    """Return the devices that have a beam to draw: all but cameras."""
    return [name for name, model in models().items() if model.kind != "camera"]


def drawing(name: str) -> str:
    """Return the drawing of a model's beam."""
    return svg(pattern(models()[name].sheet, TARGET_M, fine=FINE))


def main() -> None:
    """Write a drawing for every device of the catalogue that has a beam, and remove those of devices that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name in names():
        (FOLDER / f"{name}.svg").write_text(drawing(name), encoding="utf-8")


if __name__ == "__main__":
    main()
