"""What every file format must do; run any module of ``understudy.formats`` through it."""

from __future__ import annotations

import random
from typing import Any

from understudy.assets import fence
from understudy.errors import UnderstudyError
from understudy.formats import Writer
from understudy.formats.document import Document

JUNK = (b"", b"\0" * 64, b"\x7fELF\x02\x01", b"\x89PNG\r\n\x1a\n\0\0", bytes(range(256)))
DAMAGE = (b"", b"[", b"=", b'"', b"-1", b"\n", b"}", "é".encode(), b"\xff", b"\0")


def check_format(module: Any, vocabulary: Any, good: dict[str, str] | dict[str, bytes], folder: Any = None) -> None:
    """Check a format by *good* examples: name of a file -> its text, or the bytes of a format that is no text.

    *folder* has the other files that an example needs, if it does.
    """
    assert module.__doc__
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in module.SUFFIXES)
    for name, content in good.items():
        _check_example(module, vocabulary, name, content, folder)
    own = {content[:4] for content in good.values()}
    for junk in JUNK:
        assert junk[:4] in own or not module.sniff(junk, "junk.bin"), f"takes {junk[:8]!r} for its own"


def _check_example(module: Any, vocabulary: Any, name: str, content: str | bytes, folder: Any) -> None:
    data = content.encode() if isinstance(content, str) else content
    assert name.endswith(module.SUFFIXES)
    assert module.sniff(data, name), f"does not know {name} by name"
    document = module.parse(data, name, vocabulary, folder)
    assert isinstance(document, Document)
    assert document == module.parse(data, name, vocabulary, folder), "two readings differ"
    assert document.file == name or (document.files and document.file.startswith(f"{name}/"))
    _check_files(document)
    _check_damage(module, vocabulary, name, data, folder)
    if isinstance(content, str):
        assert document.text == content
        assert document == module.parse(content, name, vocabulary, folder), "text is not read as its bytes are"
    if isinstance(module, Writer):
        again = module.parse(module.write(document.scene), name, vocabulary, folder)
        assert again.scene == document.scene, "what is written does not read back"


def _check_files(document: Document) -> None:
    """Check that files which come with a document are enough for it: nothing is looked for on disk."""
    for name, content in document.files.items():
        assert isinstance(content, bytes)
        assert not name.startswith("/")
    with document.opened():
        assert bool(document.files) == fence.is_mounted()


def _check_damage(module: Any, vocabulary: Any, name: str, data: bytes, folder: Any) -> None:
    """Damage a good file in many ways: it is read, or refused with the name of the file; nothing else happens."""
    dice = random.Random(1)
    for _ in range(60):
        at, length = dice.randrange(len(data)), dice.randrange(4)
        damaged = data[:at] + dice.choice(DAMAGE) + data[at + length :]
        assert name in _words(module, vocabulary, name, damaged, folder), "an error that does not name the file"


def _words(module: Any, vocabulary: Any, name: str, data: bytes, folder: Any) -> str:
    """Return what a user sees about a file; its name, if it is good."""
    try:
        return str(module.parse(data, name, vocabulary, folder).file)
    except UnderstudyError as error:
        return str(error)
