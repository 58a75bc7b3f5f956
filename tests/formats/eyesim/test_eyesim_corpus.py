"""Every file of the corpus gives what ``expected.toml`` says: walls, poses and names, or the exact message."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from formats.eyesim.outcome import outcome

from understudy.sim.vocabulary import vocabulary

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
EXPECTED = tomllib.loads((HERE / "expected.toml").read_text())
SUFFIXES = (".wld", ".maz", ".sim", ".robi", ".esobj", ".p")
FILES = sorted(path.name for path in CORPUS.iterdir() if path.suffix.lower() in SUFFIXES)


def test_the_corpus_is_complete_and_large():
    assert sorted(EXPECTED) == FILES
    assert len(FILES) >= 60
    assert sum("errors" in table for table in EXPECTED.values()) >= 20


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_corpus_gives_what_is_expected(name, monkeypatch):
    monkeypatch.setenv("EYESIM_HOME", "")
    assert outcome(CORPUS / name, vocabulary()) == EXPECTED[name]
