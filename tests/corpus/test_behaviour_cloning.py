"""The study of cloning learns from a corpus, tells agreement and strength, and saves a policy that can play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from in_process import one_line, riverbed

from riverbed_env.corpus import Manifest
from riverbed_env.errors import OptionError
from riverbed_lab.recording.record import record_corpus
from studies import behaviour_cloning

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

GAME = "deep_river_v0"


def test_a_clone_agrees_with_its_agent_more_often_than_chance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = record_corpus(Manifest(GAME, 300, (2,), ("random", "greedy"), part=100), tmp_path / "corpus")
    clone = tmp_path / "clone.npz"
    behaviour_cloning.main(corpus.folder, "greedy", epochs=12, games=40, out=clone)
    said = one_line(capsys.readouterr().out)
    found = re.search(r"in (?P<clone>[\d.]+)% of .* \(a random one: (?P<chance>[\d.]+)%", said)
    assert found
    assert float(found["clone"]) > float(found["chance"]) + 10
    assert re.search(r"the clone wins [\d.]+% of 40 deals in one seat among greedy", said)
    words = ("--reference", "random", "--game", GAME, "--games", "4", "--tables", "mirror", "--no-report")
    done = riverbed("evaluate", f"{clone}:greedy=true", *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr


def test_a_corpus_of_one_part_has_nothing_to_compare_on(tmp_path: Path) -> None:
    corpus = record_corpus(Manifest(GAME, 4, (2,), ("random",), part=4), tmp_path / "corpus")
    with pytest.raises(OptionError, match="needs two parts or more"):
        behaviour_cloning.main(corpus.folder, "random", out=tmp_path / "clone.npz")
