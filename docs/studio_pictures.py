"""Make the studio's pictures in this folder: starts the studio on the office floor, drives a little, looks.

It needs Chromium, as the browser tests do. Pictures are reduced to 160 colours, so that each stays below 150 kB.
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from studio_browser import Chromium, Page, Studio, Watcher, until  # the browser that the tests use

HERE = Path(__file__).parent
MOST_BYTES = 150_000
NEAR = """
    const eye = __us.stage.list[0].eye;
    eye.camera.position.set(-5.5, -5.0, 12.5);
    eye.controls.target.set(-2.6, 0.4, 0);
    eye.controls.update();
"""
COURSE = ((["forward"], 2.2), (["forward", "left"], 1.0), (["forward"], 1.2), (["forward", "right"], 1.6), ([], 1.0))


def keep(chromium: Chromium, name: str) -> None:
    """Write what the browser shows into a file of this folder."""
    picture = Image.open(io.BytesIO(chromium.driver.get_screenshot_as_png())).convert("RGB")
    for colours in (160, 96, 48):
        data = io.BytesIO()
        picture.quantize(colours, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
        if len(data.getvalue()) <= MOST_BYTES:
            break
    (HERE / name).write_bytes(data.getvalue())
    print(name, len(data.getvalue()))  # noqa: T201


def drive(watcher: Watcher) -> None:
    """Drive the Pioneer along the corridor, in simulated seconds."""
    for keys, seconds in COURSE:
        end_s = watcher.time_s + seconds
        while watcher.time_s < end_s:
            watcher.do("drive", robot="pioneer", keys=keys, share=0.7)
            time.sleep(0.05)


def main() -> None:
    """Make all pictures."""
    studio = Studio()
    watcher = Watcher(studio.url)
    chromium = Chromium(size=(1280, 800))
    chromium.open(f"{studio.url}?smooth=1")
    page = Page(chromium, watcher)
    try:
        page.select("pioneer")
        drive(watcher)
        watcher.do("pause")
        until(lambda: watcher.paused)
        page.js(NEAR)
        time.sleep(1.5)
        keep(chromium, "studio.png")
        page.panes(4)
        time.sleep(1.5)
        keep(chromium, "studio-views.png")
        page.panes(1)
        page.press("Dark or light")
        page.js('__us.stage.press(0, "swap"); __us.stage.set("odometry", true)')
        page.js('__us.stage.press(0, "follow"); for (let i = 0; i < 4; i++) __us.stage.press(0, "in")')
        page.js("document.activeElement.blur()")
        time.sleep(1.5)
        keep(chromium, "studio-dark.png")
    finally:
        chromium.close()
        watcher.close()
        studio.close()


if __name__ == "__main__":
    main()
