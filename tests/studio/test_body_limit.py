"""Bodies over their limit: announced or counted, and whatever the application does about it."""

import asyncio
import re

import pytest

from understudy.studio.body_limit import MOST_BYTES, BodyLimit

LIMITS = [(re.compile("/large/.*"), 5_000_000)]


async def reading(scope, receive, send):
    """Answer with the length of the body."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message["body"]), message["more_body"]
    await answer(send, 200, b"%d" % size)


async def hasty(scope, receive, send):
    """Answer before the body is read."""
    await answer(send, 200, b"hello")
    await reading(scope, receive, send)


async def clumsy(scope, receive, send):
    """Answer with an error of its own when reading fails."""
    try:
        await reading(scope, receive, send)
    except Exception as problem:
        await answer(send, 500, b"oh")
        raise RuntimeError("a framework has failed") from problem


async def failing(scope, receive, send):
    raise RuntimeError("a bug")


async def answer(send, status, body):
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": body})


def post(app, parts, path="/", headers=()):
    """Return statuses and bodies that were sent."""
    rest = list(parts)
    sent = []

    async def receive():
        return {"type": "http.request", "body": rest.pop(0), "more_body": bool(rest)}

    async def send(message):
        sent.append(message.get("status", message.get("body")))

    scope = {"type": "http", "path": path, "headers": list(headers)}
    asyncio.run(BodyLimit(app, LIMITS)(scope, receive, send))
    return sent, len(rest)


def length(text):
    return [(b"Content-Length", text)]


def test_a_body_within_its_limit_arrives():
    assert post(reading, [b"ab", b"c"]) == ([200, b"3"], 0)


@pytest.mark.parametrize("app", [reading, clumsy])
def test_a_body_over_its_limit_is_read_no_further(app):
    (status, _), rest = post(app, [bytes(MOST_BYTES), b"x", b"y", b"z"])
    assert (status, rest) == (413, 2)


def test_an_answer_that_has_begun_is_not_begun_again():
    assert post(hasty, [bytes(MOST_BYTES), b"x", b"y"]) == ([200, b"hello"], 1)


def test_a_path_may_have_a_limit_of_its_own():
    parts = [bytes(1_000_000)] * 5
    assert post(reading, parts, "/large/one")[0] == [200, b"5000000"]
    assert post(reading, [*parts, b"x"], "/large/one")[0][0] == 413
    assert post(reading, parts, "/not/large/one")[0][0] == 413


def test_what_is_announced_too_long_is_not_read_at_all():
    (status, reason), rest = post(reading, [b"ab"], headers=length(b"1000001"))
    assert (status, rest) == (413, 1)
    assert reason == b"too large: the limit is 1000000 bytes\n"


@pytest.mark.parametrize("text", [b"", b"-1", b"ten", b"\xff"])
def test_a_length_that_is_no_number_is_counted(text):
    assert post(reading, [bytes(MOST_BYTES), b"x"], headers=length(text))[0][0] == 413


def test_bugs_of_the_application_stay_visible():
    with pytest.raises(RuntimeError, match="a bug"):
        post(failing, [b"a"])


def test_websockets_pass():
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(BodyLimit(app, LIMITS)({"type": "websocket"}, None, None))
    assert seen == ["websocket"]
