"""The web server without a browser: what it refuses, what it builds, and how much it takes."""

import contextlib
import http.client
import json
import subprocess
import sys
from pathlib import Path

import pytest
from studio_browser import until

from understudy.studio import pictures

SERVER = Path(__file__).parent.parent / "studio_house.py"
SCRIPT = "/web/stage.js"
FOREIGN = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
BOUNDARY = "-a-line-between-"
MOST_BYTES = 2_000_000  # of a map, in these tests


class Answer:
    """A response, read to its end."""

    def __init__(self, response):
        self.status, self.headers, self.text = response.status, response.headers, response.read().decode("latin-1")


class House:
    """A studio whose lobby takes maps."""

    def __init__(self, folder):
        command = [sys.executable, str(SERVER), str(folder), str(MOST_BYTES)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())
        self.home = f"127.0.0.1:{self.port}"

    def close(self):
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def _ask(self, what):
        self._process.stdin.write("?\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())[what]

    def clients(self):
        """Return the pages that there are."""
        return set(self._ask("pages"))

    def maps(self):
        """Return the maps that were chosen, and the folders that each may read."""
        return [(Path(path), [Path(folder) for folder in within]) for path, within in self._ask("maps")]

    @contextlib.contextmanager
    def line(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        yield connection
        connection.close()

    def get(self, path, method="GET", **headers):
        with self.line() as line:
            line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            return Answer(line.getresponse())

    def upload_path(self):
        """Return where a new page takes a map."""
        before = self.clients()
        assert self.get("/").status == 200
        (client,) = self.clients() - before
        return self._ask("pages")[client]

    def post(self, path, parts, **headers):
        """Send a body part by part, without saying how long it will be."""
        with self.line() as line:
            line.putrequest("POST", path)
            for name, value in {"Origin": f"http://{self.home}", "Transfer-Encoding": "chunked", **headers}.items():
                line.putheader(name, value)
            line.endheaders()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before the end
                for part in parts:
                    line.send(b"%x\r\n%b\r\n" % (len(part), part))
                line.send(b"0\r\n\r\n")
            return Answer(line.getresponse())

    def announce(self, path, length):
        """Say how long a body will be, and wait for what the studio thinks of it."""
        with self.line() as line:
            line.putrequest("POST", path)
            line.putheader("Origin", f"http://{self.home}")
            line.putheader("Content-Length", str(length))
            line.endheaders()
            return Answer(line.getresponse())


def form(data, name="mine.map"):
    """Return the parts of an upload, and its headers."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    parts = [head.encode(), *(data[i : i + 100_000] for i in range(0, len(data), 100_000))]
    return [*parts, f"\r\n--{BOUNDARY}--\r\n".encode()], {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    made = House(tmp_path_factory.mktemp("maps"))
    yield made
    made.close()


# ---- frames of foreign pages


@pytest.mark.parametrize("path", ["/", SCRIPT, "/ground-picture", "/gallery/none", "/favicon.ico", "/no/such/page"])
def test_nothing_can_be_framed(house, path):
    headers = house.get(path).headers
    assert headers["content-security-policy"] == "frame-ancestors 'none'"
    assert headers["x-frame-options"] == "DENY"


def test_a_refusal_cannot_be_framed_either(house):
    answer = house.get("/", host="evil.example")
    assert (answer.status, answer.headers["x-frame-options"]) == (421, "DENY")


def test_a_file_of_a_scene_never_becomes_a_page(house):
    headers = house.get("/ground-picture").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-type"] == "application/octet-stream"


# ---- what builds a page


def test_our_page_is_built(house):
    before = house.clients()
    answer = house.get("/")
    assert (answer.status, "Understudy" in answer.text) == (200, True)
    assert len(house.clients() - before) == 1


@pytest.mark.parametrize(
    "path",
    ["/no/such/page", "/index.html", "//", "/web/none.js", "/web/../../etc/passwd", "/_nicegui/none", "/gallery/none"],
)
def test_an_unknown_path_is_not_found_and_builds_no_page(house, path):
    before = house.clients()
    answer = house.get(path)
    assert (answer.status, "<html" in answer.text.lower()) == (404, False)
    assert house.clients() == before


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_only_reading_a_page_builds_one(house, method):
    before = house.clients()
    assert house.get("/", method).status == 405
    assert house.clients() == before


@pytest.mark.parametrize("path", ["/", SCRIPT])
def test_a_fetch_of_a_foreign_page_is_refused_and_builds_no_page(house, path):
    before = house.clients()
    assert house.get(path, **FOREIGN).status == 403
    assert house.clients() == before


def test_a_link_on_a_foreign_page_leads_here(house):
    assert house.get("/", **LINK).status == 200


# ---- how much is taken


def test_an_uploaded_map_arrives_under_its_own_name_in_a_folder_of_its_own(house):
    parts, headers = form(b"2D-Map\n", "../../mine.map")
    assert house.post(house.upload_path(), parts, **headers).status == 200
    path, within = until(house.maps, why="the map")[-1]
    assert (path.name, path.read_bytes()) == ("mine.map", b"2D-Map\n")
    assert within == [path.parent]
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("length", [MOST_BYTES + 100_000, 10**18, 10**30])
def test_an_upload_that_says_it_is_too_large_is_refused_at_once(house, length):
    assert house.announce(house.upload_path(), length).status in (400, 413)


def test_an_upload_that_does_not_say_how_large_it_is_is_counted(house):
    known = house.maps()
    parts, headers = form(bytes(MOST_BYTES + 100_000))
    answer = house.post(house.upload_path(), parts, **headers)
    assert (answer.status, house.maps()) == (413, known)


def test_a_picture_may_be_as_large_as_an_album_takes_it(house):
    assert house.announce("/pictures/none/1", pictures.MOST_BYTES + 1).status == 413
    assert house.post("/pictures/none/1", [b"x"]).status == 404


@pytest.mark.parametrize("path", ["/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/no/such/page"])
def test_other_requests_are_small(house, path):
    assert house.announce(path, 2_000_000).status == 413


def test_a_studio_that_has_refused_goes_on(house):
    house.announce("/no/such/page", 10**12)
    assert house.get("/").status == 200
