"""What every file format must do; run any module of ``understudy.formats`` through it."""

from __future__ import annotations

import random
from typing import Any

from understudy.errors import UnderstudyError
from understudy.formats.document import Document

JUNK = (b"", b"\0" * 64, b"\x7fELF\x02\x01", b"\x89PNG\r\n\x1a\n\0\0", bytes(range(256)))


def check_format(module: Any, vocabulary: Any, good: dict[str, str]) -> None:
    """Check a format by *good* examples: name of a file -> its text."""
    assert module.__doc__
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in module.SUFFIXES)
    for name, text in good.items():
        _check_example(module, vocabulary, name, text)
    for junk in JUNK:
        assert not module.sniff(junk, "junk.bin"), f"takes {junk[:8]!r} for its own"


def _check_example(module: Any, vocabulary: Any, name: str, text: str) -> None:
    assert name.endswith(module.SUFFIXES)
    assert module.sniff(text.encode(), name), f"does not know {name} by name"
    document = module.parse(text, name, vocabulary)
    assert isinstance(document, Document)
    assert document == module.parse(text, name, vocabulary), "two readings differ"
    assert document.file == name
    assert document.text == text
    _check_damage(module, vocabulary, name, text)
    if hasattr(module, "write"):
        again = module.parse(module.write(document.scene), name, vocabulary)
        assert again.scene == document.scene, "what is written does not read back"


def _check_damage(module: Any, vocabulary: Any, name: str, text: str) -> None:
    """Damage a good text in many ways: it is read, or refused with the name of the file; nothing else happens."""
    dice = random.Random(1)
    for _ in range(60):
        at, length = dice.randrange(len(text)), dice.randrange(4)
        damaged = text[:at] + dice.choice(["", "[", "=", '"', "-1", "\n", "}", "é"]) + text[at + length :]
        assert name in _words(module, vocabulary, name, damaged), "a mistake that does not name the file"


def _words(module: Any, vocabulary: Any, name: str, text: str) -> str:
    """Return what a user is told about *text*; its name, if it is good."""
    try:
        return str(module.parse(text, name, vocabulary).file)
    except UnderstudyError as error:
        return str(error)
