"""A real studio in a process of its own, a real Chromium before it, and a watcher who reads the simulation's state."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import understudy
from understudy.studio.frames import BlockKind, unpack

FLAGS = (  # software drawing for WebGL only: with --use-gl=angle the whole page would be drawn so, at 3 frames a second
    "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
    "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--force-device-scale-factor=1",
)  # fmt: skip
NEEDED = "these tests need Chromium: apt-get install chromium chromium-driver (or leave them out: -m 'not browser')"
PATIENCE_S = 15.0


def until(true, seconds=PATIENCE_S, why=""):
    """Return the first value that counts as true; fails after so long."""
    end = time.monotonic() + seconds
    while True:
        value = true()
        if value:
            return value
        assert time.monotonic() < end, f"waited {seconds} s for {why or true}"
        time.sleep(0.02)


class Command:
    """A verb that opens a studio, as people start it."""

    def __init__(self, *words, folder=None):
        quiet = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        path = os.pathsep.join((str(Path(understudy.__file__).parents[1]), quiet.get("PYTHONPATH", "")))
        self._state = tempfile.mkdtemp(prefix="understudy-state-")  # recent files are not those of whoever tests
        self._process = subprocess.Popen(
            [sys.executable, "-m", "understudy", *words], stderr=subprocess.PIPE, text=True, cwd=folder,
            env={**quiet, "PYTHONPATH": path, "XDG_STATE_HOME": self._state},
        )  # fmt: skip
        self.pid = self._process.pid
        self.said = []
        self.url = self._address()
        threading.Thread(target=self._listen, daemon=True).start()

    def _address(self):
        for line in self._process.stderr:
            self.said.append(line)
            found = re.search(r"the studio is at (http://\S+)", line)
            if found:
                return found[1]
        raise AssertionError("the studio did not start:\n" + "".join(self.said))

    def _listen(self):
        with contextlib.suppress(ValueError, OSError):
            self.said.extend(self._process.stderr)

    def close(self):
        self._process.terminate()
        self._process.wait(20)
        self._process.stderr.close()
        shutil.rmtree(self._state, ignore_errors=True)


class Studio(Command):
    """The studio on a scene, without ports."""

    def __init__(self, *words, scene="", port=0):
        self.folder = Path(tempfile.mkdtemp(prefix="understudy-studio-"))
        self.scene = self.folder / "room.toml"
        if scene:
            self.scene.write_text(scene, encoding="utf-8")
            words = (str(self.scene), *words)
        super().__init__("studio", *words, "--no-browser", "--no-ports", "--port", str(port))

    def close(self):
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Watcher:
    """A viewer without a screen: knows where everything is, and can say what a browser can."""

    def __init__(self, url):
        self.host = url.split("/")[2]
        self._stack = contextlib.ExitStack()
        address = f"ws://{self.host}/stream"
        self._socket = self._stack.enter_context(connect(address, origin=f"http://{self.host}", max_size=None))
        self.scene, self.frame, self.status = {}, None, {}
        self.texts, self.frames, self.times = [], 0, []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        until(lambda: self.frame is not None, 120, "a frame")  # on a new machine everything is compiled first

    def _listen(self):
        with contextlib.suppress(ConnectionClosed, OSError):
            for data in self._socket:
                self._take(data)

    def _take(self, data):
        if isinstance(data, str):
            message = json.loads(data)
            self.texts.append(message)
            if message["kind"] == "scene":
                self.scene = message
            elif message["kind"] == "status":
                self.status = message
            return
        frame = unpack(data)
        if frame.epoch == self.scene.get("epoch"):
            self.frame = frame
        self.frames += 1
        self.times.append(time.monotonic())
        self._socket.send(bytes(4))

    def do(self, verb, **words):
        self._socket.send(json.dumps({"do": verb, **words}))

    def names(self):
        return [thing["name"] for thing in (*self.scene["bodies"], *self.scene["fixed"])]

    @property
    def time_s(self):
        return self.frame.time_s

    @property
    def paused(self):
        return bool(self.frame.flags & 1)

    def place(self, name):
        """Return x, y and heading of a thing (m, rad)."""
        frame, scene = self.frame, self.scene
        names = [body["name"] for body in scene["bodies"]]
        if name not in names:
            pose = next(thing for thing in scene["fixed"] if thing["name"] == name)["pose"]
            return pose[0], pose[1], pose[5]
        rows = np.frombuffer(next(frame.of(BlockKind.POSE3)).payload, "<f4").reshape(-1, 7)
        x, y, _, qx, qy, qz, qw = rows[names.index(name)].tolist()
        return x, y, float(np.arctan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))

    def believed(self, name):
        """Return where a robot thinks it is (m, rad)."""
        bodies = [body["name"] for body in self.scene["bodies"]]
        row = self.scene["odometry"].index(bodies.index(name))
        return tuple(np.frombuffer(next(self.frame.of(BlockKind.POSE2)).payload, "<f4").reshape(-1, 3)[row].tolist())

    def moves(self, name):
        """Say whether a robot is at another place a moment later."""
        at, before = self.place(name), self.time_s
        until(lambda: self.time_s > before + 0.1, why="time to pass")
        now = self.place(name)
        return abs(now[0] - at[0]) + abs(now[1] - at[1]) + abs(now[2] - at[2]) > 1e-3

    def begin(self):
        """Restart the run with everything that belongs to it, at real time."""
        self.do("speed", factor=1)
        self.do("pause")
        for _ in range(len([text for text in self.texts if text["kind"] == "history"]) + 1):
            if not self.texts_of("history") or not self.texts_of("history")[-1]["undo"]:
                break
            count = len(self.texts_of("history"))
            self.do("undo")
            until(lambda count=count: len(self.texts_of("history")) > count, why="an undo")
        self.do("reset")
        until(lambda: self.frame.time_s == 0.0 and self.paused, why="the start")
        self.do("run")
        until(lambda: self.time_s > 0.05, why="time to pass")

    def texts_of(self, kind):
        return [text for text in list(self.texts) if text["kind"] == kind]

    def close(self):
        self._stack.close()


class Page:
    """One browser's page: what people do there, and what they see."""

    OPTIONS = '{beams: "selected", hits: true, rays: false, trails: true, grid: true, names: true, odometry: false}'

    def __init__(self, chromium, watcher):
        self.chromium, self.watcher = chromium, watcher
        self.js, self.us, self.driver = chromium.js, chromium.us, chromium.driver

    def begin(self):
        """Look as a page does when it is opened, and show the run that has just begun."""
        self.chromium.release()
        self.wait_for(
            f"""
            const stage = __us.stage;
            stage.help = false;
            stage.setTool("");
            stage.choose("understudy");
            if (stage.panes !== 1) stage.set("panes", 1);
            for (const [key, value] of Object.entries({self.OPTIONS})) stage.set(key, value);
            document.activeElement.blur();
            """,
            f"__us.world.frame?.epoch === {self.watcher.scene['epoch']} && __us.stage.list.length === 1",
        )
        self.js("""
            const stage = __us.stage, pane = stage.list[0];
            if (stage.view3d && pane.map) stage.press(0, "swap");
            pane.look("all");
            stage.select("pioneer");
        """)
        self.drawn()

    def wait_for(self, first, ready, seconds=PATIENCE_S):
        """Do something in the page, then wait until something is so there, and is drawn."""
        script = f"""
            const done = arguments[0], end = performance.now() + {seconds * 1000};
            {first};
            const look = () => {{
                if ({ready}) requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
                else if (performance.now() > end) done(false);
                else setTimeout(look, 20);
            }};
            look();
        """
        assert self.driver.execute_async_script(script), f"waited {seconds} s for {ready}"

    def panes(self, count):
        self.wait_for(f'__us.stage.set("panes", {count})', f"__us.stage.list.length === {count}")

    def select(self, name):
        self.js("__us.stage.select(arguments[0])", name)

    def focus(self, pane=0):
        self.js("document.querySelectorAll('.us-pane')[arguments[0]].focus()", pane)

    def press(self, name):
        """Press a control by the name that a screen reader says."""
        self.click(f'[aria-label^="{name}"]')

    def click(self, selector, number=0):
        """Click into the middle of an element."""
        script = "return document.querySelectorAll(arguments[0])[arguments[1]].getBoundingClientRect()"
        box = self.js(script, selector, number)
        middle = round(box["left"] + box["width"] / 2), round(box["top"] + box["height"] / 2)
        self.drag(middle, middle)

    def at(self, name, pane=0):
        """Return where a thing is on the page (pixels)."""
        x, y = self.us(f"project({name!r}, {pane})")
        return round(x), round(y)

    def point(self, x, y, pane=0):
        """Return where a place of the floor is on the page (pixels)."""
        found = self.js(
            """
            const pane = __us.stage.list[arguments[2]], box = pane.element.getBoundingClientRect();
            const at = pane.point(arguments[0], arguments[1], 0, box.width, box.height);
            return [box.left + at[0], box.top + at[1]];
            """,
            x,
            y,
            pane,
        )
        return round(found[0]), round(found[1])

    def ground(self, point, pane=0):
        """Return what place of the floor is under a point of the page (m)."""
        return self.js(
            """
            const pane = __us.stage.list[arguments[2]], box = pane.element.getBoundingClientRect();
            return pane.ground((arguments[0] - box.left) / box.width, (arguments[1] - box.top) / box.height);
            """,
            *point,
            pane,
        )

    def drag(self, start, end, button=0, keys=()):
        """Drag with the mouse, in a few moves."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        actions = ActionBuilder(self.driver, duration=20)
        mouse, board = actions.pointer_action, actions.key_action
        for key in keys:
            board.key_down(key)
            mouse.pause(0.0)
        mouse.move_to_location(*start)
        mouse.pointer_down(button=button)
        for part in (0.3, 0.7, 1.0) if start != end else ():
            mouse.move_to_location(*(round(a + part * (b - a)) for a, b in zip(start, end)))
        mouse.pointer_up(button=button)
        actions.perform()
        if keys:
            self.chromium.release()

    def keys(self, down="", up=""):
        """Press keys down, or let them up, by their names."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.driver, duration=0)
        for name in down.split():
            chain.key_down(getattr(Keys, name, name))
        for name in up.split():
            chain.key_up(getattr(Keys, name, name))
        chain.perform()

    def type(self, *names):
        for name in names:
            self.keys(down=name, up=name)

    def colours_near(self, name, radius=12, pane=0):
        """Return the pixels around a thing."""
        x, y = self.at(name, pane)
        return self.chromium.pixels()[y - radius : y + radius, x - radius : x + radius].reshape(-1, 3)

    def stage_pixels(self, pane=None):
        """Return what the views show, or one of them, without what is written over it."""
        element = ".us-stage" if pane is None else f'.us-pane[data-pane="{pane}"]'
        box = self.js("return document.querySelector(arguments[0]).getBoundingClientRect()", element)
        left, top, right, bottom = (round(box[side]) for side in ("left", "top", "right", "bottom"))
        return self.chromium.pixels()[top + 45 : bottom - 25, left + 4 : right - 4]

    def drawn(self):
        """Wait until what the watcher knows is drawn."""
        self.wait_for("", f"__us.world.frame && __us.world.frame.time >= {self.watcher.time_s} - 1e-9")


class Chromium:
    """A browser with one page."""

    def __init__(self, *flags, size=(1100, 720), network=False, ratio=1):
        os.environ["SE_OFFLINE"] = "true"
        from selenium import webdriver

        binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
        assert binary, NEEDED
        assert driver, NEEDED
        self._profile = tempfile.mkdtemp(prefix="understudy-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (*FLAGS, *flags, f"--user-data-dir={self._profile}", f"--window-size={size[0]},{size[1]}"):
            options.add_argument(flag)
        kinds = ("browser", "performance") if network else ("browser",)  # the second tells of every single frame
        options.set_capability("goog:loggingPrefs", dict.fromkeys(kinds, "ALL"))
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        self.ratio = ratio  # device pixels per pixel
        self.resize(*size)

    def resize(self, width, height, touch=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": self.ratio, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def open(self, url):
        """Open a studio and wait until it shows a frame."""
        self.driver.get(url)
        until(lambda: self.js("return window.__us?.world.frame?.seq > 0 && __us.stream.drawn > 1"), 60, "the page")
        return self

    def js(self, text, *values):
        return self.driver.execute_script(text, *values)

    def us(self, text):
        """Return a value of the page's test handle."""
        return self.js(f"return window.__us.{text}")

    def release(self):
        """Let all keys and buttons up."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).reset_actions()

    def errors(self):
        """Return what the console says is wrong, since the last call."""
        return [row["message"] for row in self.driver.get_log("browser") if row["level"] == "SEVERE"]

    def requests(self):
        """Return the addresses that were asked for since the last call, with *network* on."""
        rows = [json.loads(row["message"])["message"] for row in self.driver.get_log("performance")]
        sent = [row["params"]["request"]["url"] for row in rows if row["method"] == "Network.requestWillBeSent"]
        return sent + [row["params"]["url"] for row in rows if row["method"] == "Network.webSocketCreated"]

    def pixels(self):
        """Return the page as an array of red, green, blue."""
        import io

        from PIL import Image

        data = io.BytesIO(self.driver.get_screenshot_as_png())
        return np.asarray(Image.open(data).convert("RGB")).astype(int)

    def kill(self):
        """End the browser without a word, as a crash does."""
        import psutil

        service = self.driver.service.process
        family = psutil.Process(service.pid).children(recursive=True)
        for process in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        service.kill()
        service.wait()
        for pipe in filter(None, (service.stdin, service.stdout, service.stderr)):
            pipe.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)


@contextlib.contextmanager
def browsing(studio, size=(1280, 800)):
    """Show a studio in a browser; both are closed in the end."""
    with contextlib.ExitStack() as stack:
        stack.callback(studio.close)
        watcher = Watcher(studio.url)
        stack.callback(watcher.close)
        chromium = Chromium(size=size)
        stack.callback(chromium.close)
        yield Page(chromium.open(studio.url), watcher)
