"""What is written as TOML reads back as the same value."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.formats.native.toml_write import key_text, value_text

WORDS = st.text(st.characters(codec="utf-8"), max_size=12)


@given(WORDS)
def test_any_text_reads_back_as_it_was(word):
    assert tomllib.loads(f"it = {value_text(word)}") == {"it": word}


@given(WORDS, WORDS)
def test_any_key_reads_back_as_it_was(first, second):
    assert tomllib.loads(f"{key_text(first, second)} = 1") == {first: {second: 1}}


@given(WORDS)
def test_any_text_stands_in_one_line(word):
    assert "\n" not in value_text(word)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("plain", '"plain"'),
        ('8" wide', r'"8\" wide"'),
        ("C:\\maps", r'"C:\\maps"'),
        ("a\tb\n", r'"a\tb\n"'),
        ("\x00\x1b\x7f", r'"\u0000\u001b\u007f"'),
        ("Büro 2 Ω 🤖", '"Büro 2 Ω 🤖"'),
    ],
)
def test_only_what_must_be_escaped_is_escaped(word, text):
    assert value_text(word) == text


@pytest.mark.parametrize(("key", "text"), [("front-2_b", "front-2_b"), ("my front", '"my front"'), ("", '""')])
def test_only_keys_that_need_quotes_have_them(key, text):
    assert key_text(key) == text
