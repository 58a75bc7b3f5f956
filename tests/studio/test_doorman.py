"""Who may come in: Host, Origin, token and cookie, for pages and for websockets."""

import asyncio

import pytest

from understudy.studio.doorman import Doorman, cookie_name, new_token

HOME = "127.0.0.1:8080"
TOKEN = "a-token-for-tests"
COOKIE = cookie_name(8080)


class Door:
    """A doorman before an application that notes who came through."""

    def __init__(self, token=""):
        self.entered = []
        self.sent = []
        self._doorman = Doorman(self._app, ("127.0.0.1", "localhost", "studio.example"), 8080, token)

    async def _app(self, scope, receive, send):
        self.entered.append(scope["type"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"welcome"})

    def knock(self, kind="http", method="GET", query="", path="/", server=("127.0.0.1", 8080), **headers):
        """Return the status, or the code with which a websocket is closed."""
        scope = {
            "type": kind, "path": path, "query_string": query.encode(), "server": server,
            "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()],
        }  # fmt: skip
        if kind == "http":
            scope["method"] = method
        self.sent = []
        asyncio.run(self._doorman(scope, self._receive, self._send))
        return self.sent[0].get("status", self.sent[0].get("code")) if self.sent else "entered"

    async def _receive(self):
        return {"type": "websocket.connect"}

    async def _send(self, message):
        self.sent.append(message)

    def header(self, name):
        return dict(self.sent[0]["headers"]).get(name.encode(), b"").decode()


REFUSED_SOCKET = 1008


@pytest.mark.parametrize(
    ("server", "host"),
    [
        (("127.0.0.2", 8080), "127.0.0.2:8080"),
        (("192.0.2.7", 8080), "192.0.2.7:8080"),
        (("::ffff:192.0.2.7", 8080), "192.0.2.7:8080"),
        (("2001:db8::7", 8080), "[2001:db8::7]:8080"),
    ],
)
def test_a_page_is_served_under_the_address_that_was_called(server, host):
    assert Door().knock(server=server, host=host) == 200


def test_a_page_is_not_served_under_another_machines_address():
    assert Door().knock(server=("127.0.0.2", 8080), host="192.0.2.7:8080") == 421


@pytest.mark.parametrize("host", [HOME, "localhost:8080", "studio.example:8080"])
def test_a_page_is_served_under_our_names(host):
    assert Door().knock(host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example:8080", "127.0.0.1", "127.0.0.1:80", "", "127.0.0.1:8080.evil.example", "localhost"]
)
def test_a_page_under_another_name_is_refused(host):
    door = Door()
    assert door.knock(host=host) == 421
    assert door.entered == []


def test_a_request_without_a_host_is_refused():
    assert Door().knock() == 421


def test_at_the_usual_port_names_need_no_number():
    doorman = Doorman(Door()._app, ("localhost",), 80)
    assert "localhost" in doorman._hosts


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_whatever_is_no_reading_must_come_from_our_pages(method):
    door = Door()
    assert door.knock(method=method, host=HOME) == 403
    assert door.knock(method=method, host=HOME, origin="http://evil.example") == 403
    assert door.knock(method=method, host=HOME, origin=f"http://{HOME}") == 200


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_our_pages_and_the_user_may_fetch(site):
    assert Door().knock(host=HOME, path="/web/stage.js", sec_fetch_site=site) == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
@pytest.mark.parametrize("dest", ["image", "script", "iframe", "embed", "empty"])
def test_a_fetch_of_another_page_is_refused(site, dest):
    door = Door()
    assert door.knock(host=HOME, sec_fetch_site=site, sec_fetch_mode="navigate", sec_fetch_dest=dest) == 403
    assert door.entered == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999"])
def test_reading_for_another_page_is_refused_by_its_origin(origin):
    assert Door().knock(host=HOME, origin=origin) == 403


LINK = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


def test_a_link_on_another_page_leads_to_our_page_alone():
    assert Door().knock(host=HOME, **LINK) == 200
    assert Door().knock(host=HOME, path="/ground-picture", **LINK) == 403


def test_another_page_cannot_have_ours_loaded_ahead_of_a_click():
    assert Door().knock(host=HOME, sec_purpose="prefetch;prerender", **LINK) == 403


@pytest.mark.parametrize("host", [HOME, "evil.example"])
def test_every_answer_forbids_frames(host):
    door = Door()
    door.knock(host=host)
    assert door.header("content-security-policy") == "frame-ancestors 'none'"
    assert door.header("x-frame-options") == "DENY"


def test_a_websocket_of_our_page_enters():
    assert Door().knock("websocket", host=HOME, origin=f"http://{HOME}") == "entered"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:8080", "null", "", f"http://{HOME}.evil"])
def test_a_websocket_of_another_page_does_not(origin):
    door = Door()
    assert door.knock("websocket", host=HOME, origin=origin) == REFUSED_SOCKET
    assert door.entered == []


def test_a_websocket_without_an_origin_does_not():
    assert Door().knock("websocket", host=HOME) == REFUSED_SOCKET


def test_a_websocket_under_another_name_does_not():
    assert Door().knock("websocket", host="evil.example:8080", origin="http://evil.example:8080") == REFUSED_SOCKET


def test_the_application_may_begin_and_end_without_being_asked():
    assert Door().knock("lifespan") == "entered"


# ---- beyond this machine


@pytest.mark.parametrize("query", ["", "token=", "token=wrong", f"tokens={TOKEN}", "token=%ff%fe"])
def test_without_the_token_nobody_enters(query):
    door = Door(TOKEN)
    assert door.knock(query=query, host=HOME) == 401
    assert door.entered == []


def test_the_token_opens_and_gives_a_cookie_out_of_reach_of_scripts():
    door = Door(TOKEN)
    assert door.knock(query=f"token={TOKEN}", host=HOME) == 200
    assert door.header("set-cookie") == f"{COOKIE}={TOKEN}; HttpOnly; SameSite=Strict; Path=/"


def test_the_cookie_opens_and_is_not_given_again():
    door = Door(TOKEN)
    assert door.knock(host=HOME, cookie=f"other=1; {COOKIE}={TOKEN}") == 200
    assert door.header("set-cookie") == ""


def test_two_studios_of_one_machine_have_cookies_of_their_own():
    assert Door(TOKEN).knock(host=HOME, cookie=f"{cookie_name(8081)}={TOKEN}") == 401
    both = f"{cookie_name(8081)}=another; {COOKIE}={TOKEN}"
    assert Door(TOKEN).knock(host=HOME, cookie=both) == 200


@pytest.mark.parametrize("cookie", [f"{COOKIE}=wrong", f"{COOKIE}=", "=;;=", f"{COOKIE}=\xff", "a" * 5000])
def test_another_cookie_does_not_open(cookie):
    assert Door(TOKEN).knock(host=HOME, cookie=cookie) == 401


def test_a_websocket_needs_the_cookie():
    door = Door(TOKEN)
    origin = f"http://{HOME}"
    assert door.knock("websocket", host=HOME, origin=origin) == REFUSED_SOCKET
    assert door.knock("websocket", host=HOME, origin=origin, cookie=f"{COOKIE}={TOKEN}") == "entered"


def test_the_token_does_not_help_another_page():
    door = Door(TOKEN)
    cookie = f"{COOKIE}={TOKEN}"
    assert door.knock("websocket", host=HOME, origin="http://evil.example", cookie=cookie) == REFUSED_SOCKET
    assert door.knock(host="evil.example:8080", cookie=cookie) == 421


def test_no_refusal_tells_the_token():
    door = Door(TOKEN)
    door.knock(host=HOME)
    assert TOKEN not in str(door.sent)


def test_tokens_are_long_and_never_the_same():
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 32
