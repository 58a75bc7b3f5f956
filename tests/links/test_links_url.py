from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import LinkError
from understudy.links import LINKS, LinkUrl, parse
from understudy.links.url import SCHEMES


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("tcp://127.0.0.1:8101", LinkUrl("tcp", host="127.0.0.1", port=8101)),
        ("tcp://127.0.0.1:8101+", LinkUrl("tcp", host="127.0.0.1", port=8101, next_free=True)),
        ("tcp://:0", LinkUrl("tcp", host="127.0.0.1", port=0)),
        ("tcp://robot-1.local:8101/", LinkUrl("tcp", host="robot-1.local", port=8101)),
        ("tcp://[::1]:8101", LinkUrl("tcp", host="::1", port=8101)),
        ("pty:scout-gps", LinkUrl("pty", name="scout-gps")),
        ("pty:/tmp/my robot/gps", LinkUrl("pty", name="/tmp/my robot/gps")),
        ("loop:", LinkUrl("loop")),
        ("rfc2217://:7000+", LinkUrl("rfc2217", host="127.0.0.1", port=7000, next_free=True)),
    ],
)
def test_a_link_url_says_how_a_port_is_reached(text: str, parts: LinkUrl) -> None:
    assert parse(text) == parts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8101", "'8101' is not a link URL; want tcp://HOST:PORT, rfc2217://HOST:PORT, pty:NAME or loop:"),
        ("tpc://127.0.0.1:8101", "no such kind of link 'tpc' (did you mean 'tcp'?)"),
        ("zigbee:1", "no such kind of link 'zigbee' (known: loop, pty, rfc2217, tcp"),
        ("tcp://127.0.0.1", "want tcp://HOST:PORT, such as tcp://127.0.0.1:8101"),
        ("tcp:127.0.0.1:8101", "want tcp://HOST:PORT"),
        ("tcp://127.0.0.1:8101++", "want tcp://HOST:PORT"),
        ("tcp://127.0.0.1:99999", "a tcp port is at most 65535, got 99999"),
        ("pty:", "want pty:NAME"),
        ("pty:../gps", "want pty:NAME"),
        ("pty:/tmp/", "want pty:NAME"),
        ("pty:1234.json", "want pty:NAME"),
        ("rfc2217://here", "want rfc2217://HOST:PORT, such as rfc2217://127.0.0.1:8101"),
        ("loop:x", "a loop link has no address; write loop:"),
    ],
)
def test_a_bad_link_url_is_answered_with_what_would_do(text: str, words: str) -> None:
    with pytest.raises(LinkError) as refused:
        parse(text)
    assert words in str(refused.value)


@given(st.integers(0, 65535), st.booleans(), st.sampled_from(["127.0.0.1", "::1", "localhost"]))
def test_a_tcp_url_that_is_written_can_be_read_again(port: int, next_free: bool, host: str) -> None:
    url = LinkUrl("tcp", host=host, port=port, next_free=next_free)
    assert parse(str(url)) == url


@given(st.text(max_size=40))
def test_any_text_is_a_link_or_is_refused(text: str) -> None:
    for candidate in (text, f"tcp://{text}", f"pty:{text}"):
        with suppress(LinkError):
            assert parse(str(parse(candidate))) == parse(candidate)


def test_every_kind_of_link_has_a_url() -> None:
    assert set(LINKS) == set(SCHEMES)
