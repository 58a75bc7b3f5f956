"""Make the studio's pictures in this folder, as a user sees them: pages are opened, buttons pressed, nothing else.

`studio.png` is the page that `understudy` opens. `studio-examples/*.jpg` and the page `studio-examples.md` show every
example at 1280 x 800, at 1920 x 1080 and on a tablet with two device pixels per pixel. It needs Chromium, as the
browser tests do.

    python docs/studio_pictures.py            all pictures
    python docs/studio_pictures.py office     the row of one example
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))
from studio_browser import Chromium, Page, Studio, Watcher, until  # noqa: E402 - the browser that the tests use

EXAMPLES = HERE.parent / "examples"
ROWS = HERE / "studio-examples"
SIZES = ((1280, 800, 1, False), (1920, 1080, 1, False), (1024, 768, 2, True))  # width, height, pixel ratio, touch
ROW_HEIGHT, JPEG_QUALITY = 360, 72
COURSE = ((["forward"], 1.0), (["forward", "left"], 0.8), (["forward"], 1.0), ([], 0.5))


def screenshot(chromium: Chromium) -> Image.Image:
    """Return what the browser shows."""
    return Image.open(io.BytesIO(chromium.driver.get_screenshot_as_png())).convert("RGB")


def keep(chromium: Chromium, name: str) -> None:
    """Write what the browser shows into a file of this folder."""
    screenshot(chromium).save(HERE / name, "PNG", optimize=True)
    print(name, (HERE / name).stat().st_size)  # noqa: T201


def drive(watcher: Watcher) -> None:
    """Drive the Pioneer a little, in simulated seconds."""
    for keys, seconds in COURSE:
        end_s = watcher.time_s + seconds
        while watcher.time_s < end_s:
            watcher.do("drive", robot="pioneer", keys=keys, share=0.7)
            time.sleep(0.05)


# ---- the office


def office() -> None:
    """Make the pictures of the default scene."""
    studio = Studio()
    watcher = Watcher(studio.url)
    chromium = Chromium(size=(1280, 800))
    try:
        page = Page(chromium.open(studio.url), watcher)
        time.sleep(1.0)
        keep(chromium, "studio.png")
        drive(watcher)
        watcher.do("pause")
        until(lambda: watcher.paused)
        page.panes(4)
        time.sleep(1.5)
        keep(chromium, "studio-views.png")
        page.panes(1)
        page.press("Dark or light")
        for button in ("switch to the 2D map", "centre on the selected", *["zoom in"] * 3):
            find = f"return document.querySelectorAll('[aria-label^=\"{button}\"]').length"
            until(lambda find=find: chromium.js(find), 20, button)
            page.press(button)
        time.sleep(1.5)
        keep(chromium, "studio-dark.png")
    finally:
        chromium.close()
        watcher.close()
        studio.close()


# ---- every example


def examples() -> list[Path]:
    """Return the scenes, maps and worlds among the examples."""
    kinds = ("*.toml", "*.map", "eyesim/*.sim", "eyesim/*.wld", "eyesim/*.maz", "json/*.toml", "controller/*.toml")
    return sorted(path for kind in kinds for path in EXAMPLES.glob(kind))


def shown(path: Path) -> Image.Image:
    """Return the screenshots of an example beside each other."""
    studio = Studio(str(path), "--trust")
    shots = []
    try:
        Watcher(studio.url).close()  # waits until the scene is there
        for width, height, ratio, touch in SIZES:
            chromium = Chromium(size=(width, height))
            try:
                metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
                chromium.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                chromium.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})
                chromium.open(studio.url)
                time.sleep(1.5)
                shots.append(screenshot(chromium))
            finally:
                chromium.close()
    finally:
        studio.close()
    return beside(shots)


def beside(shots: list[Image.Image]) -> Image.Image:
    """Return pictures in one row of the same height."""
    scaled = [
        shot.resize((round(shot.width * ROW_HEIGHT / shot.height), ROW_HEIGHT), Image.Resampling.LANCZOS)
        for shot in shots
    ]
    row = Image.new("RGB", (sum(shot.width for shot in scaled) + 8 * (len(scaled) - 1), ROW_HEIGHT), "white")
    left = 0
    for shot in scaled:
        row.paste(shot, (left, 0))
        left += shot.width + 8
    return row


def name_of(path: Path) -> str:
    """Return the name of an example's picture: maze.maz and maze.sim are two."""
    return path.name.replace(".", "-") if path.suffix != ".toml" else path.stem


def row(path: Path) -> None:
    """Make the picture of an example."""
    ROWS.mkdir(exist_ok=True)
    target = ROWS / f"{name_of(path)}.jpg"
    shown(path).save(target, "JPEG", quality=JPEG_QUALITY, optimize=True, progressive=True)
    print(target.name, target.stat().st_size)  # noqa: T201


def write_page() -> None:
    """Write the page with the pictures of all examples."""
    lines = [
        "# Every example in the studio",
        "",
        "The first seconds of each example at 1280 x 800, at 1920 x 1080 and on a tablet with two pixels for one,",
        "drawn without a graphics card. `python docs/studio_pictures.py` makes these pictures.",
        "",
    ]
    for path in examples():
        lines += [
            f"## {path.relative_to(EXAMPLES).as_posix()}",
            "",
            f"![{path.name}](studio-examples/{name_of(path)}.jpg)",
            "",
        ]
    (HERE / "studio-examples.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def main(names: list[str]) -> None:
    """Make all pictures, or the rows of some examples."""
    if not names:
        office()
    for path in examples():
        if not names or name_of(path) in names:
            row(path)
    write_page()


if __name__ == "__main__":
    main(sys.argv[1:])
