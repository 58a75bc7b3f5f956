"""Pictures of the studio: one, a sequence in step with simulated time, and a movie; saved as people save them."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image
from studio_browser import Page, until
from test_studio_browser import RED, like

pytestmark = [pytest.mark.browser, pytest.mark.long]

COUNT, EVERY_MS = 4, 100


@pytest.fixture
def inbox(page, tmp_path):
    """The folder that receives what the browser saves."""
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    yield tmp_path
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})


def saved(folder, suffix):
    """Return the only file of a kind, when it is whole."""
    found = until(lambda: [file for file in folder.iterdir() if file.suffix == suffix], 30, f"a {suffix} file")
    return found[0]


def decoded(data):
    picture = Image.open(io.BytesIO(data))
    assert picture.format == "PNG"
    return np.asarray(picture.convert("RGB")).astype(int)


def reds(picture):
    """Return how many pixels have the colour of the Pioneer."""
    return like(picture.reshape(-1, 3), RED)


# ---- one


def test_a_picture_is_saved_and_shows_what_is_there(page, inbox):
    page.js('__us.stage.press(0, "back")')  # its red side
    page.press("Save a picture")
    picture = decoded(saved(inbox, ".png").read_bytes())
    box = page.js("return document.querySelector('.us-stage').getBoundingClientRect()")
    assert picture.shape[:2] == (round(box["height"]), round(box["width"]))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    assert reds(picture) > 60


# ---- many


@pytest.fixture(scope="module")
def takes(chromium, eyes, tmp_path_factory):
    """Two sequences of the first moments of a run, taken as people take them, and the time after each (s)."""
    page, found = Page(chromium, eyes), []
    eyes.begin()
    page.begin()
    page.js('__us.stage.press(0, "back")')  # its red side
    for name in ("one", "other"):
        folder = tmp_path_factory.mktemp(name)
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        eyes.do("pause")
        eyes.do("reset")
        until(lambda: eyes.paused and eyes.time_s == 0.0, why="the start")
        page.drawn()
        found.append((take(page, folder), eyes.time_s))
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
    return found


def take(page, folder):
    """Take a sequence; returns the pictures."""
    until(lambda: page.js("return document.querySelector('.q-dialog') === null"), 5, "the last dialog to have gone")
    page.press("Save a sequence")
    until(lambda: page.js("return document.querySelector('.q-dialog input') !== null"), 5, "the dialog")
    for label, value in (("interval, ms", EVERY_MS), ("number of pictures", COUNT)):
        field = page.driver.find_element("css selector", f'.q-dialog input[aria-label="{label}"]')
        field.send_keys("\ue009a\ue000", str(value))
    page.js("[...document.querySelectorAll('.q-dialog button')].find((b) => b.innerText.includes('Start')).click()")
    with zipfile.ZipFile(saved(folder, ".zip")) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_sequence_has_all_its_pictures_and_they_show_the_robot(takes):
    pictures, _ = takes[0]
    assert sorted(pictures) == [f"{number:05}.png" for number in range(COUNT)]
    assert all(reds(decoded(data)) > 60 for data in pictures.values())


def test_a_sequence_takes_simulated_time_and_no_more(takes):
    assert [time_s for _, time_s in takes] == [pytest.approx(COUNT * EVERY_MS / 1000)] * 2


def test_a_sequence_that_is_taken_again_is_the_same_byte_by_byte(takes):
    (one, _), (other, _) = takes
    assert one == other
    assert len(set(one.values())) == COUNT  # beams are noisy, in the same way each time


# ---- moving


def test_a_movie_can_be_played_and_is_as_long_as_it_was_recorded(page, inbox):
    page.press("Start or stop recording")
    until(lambda: page.js("return __us.stage.recorder?.state === 'recording'"), 5, "the camera")
    start = page.watcher.time_s
    until(lambda: page.watcher.time_s > start + 1.5, why="something to record")
    page.press("Start or stop recording")
    recorded = page.watcher.time_s - start
    movie = saved(inbox, ".webm")
    frames, seconds, size = played(page, movie.read_bytes())
    box = page.js("return document.querySelector('.us-stage').getBoundingClientRect()")
    assert size == [round(box["width"]), round(box["height"])]
    assert recorded - 0.7 < seconds < recorded + 1.5
    assert frames >= 5


def played(page, data):
    """Play a movie in the browser; returns how many frames it has shown, its length (s) and its size."""
    import base64

    return page.driver.execute_async_script(
        """
        const done = arguments[1], bytes = Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0));
        const video = document.createElement("video");
        let frames = 0;
        const count = () => { frames += 1; video.requestVideoFrameCallback(count); };
        video.muted = true;
        video.requestVideoFrameCallback(count);
        video.onended = () => done([frames, video.currentTime, [video.videoWidth, video.videoHeight]]);
        video.onerror = () => done([0, 0, [0, 0]]);
        video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
        video.play();
        """,
        base64.b64encode(data).decode(),
    )
