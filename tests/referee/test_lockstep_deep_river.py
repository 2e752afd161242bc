"""Deep River in lock-step: every fact is the same after every decision."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.adapters import deep_river as adapter
from referee.adapters.deep_river import DeepRiver
from referee.lockstep import Lockstep, Outcome, agreed
from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "deep_river"
PACKS = {"default": "default", "check": OWN_PACKS / "check.toml"}


def play(games: int, **options: Any) -> Outcome:
    """Games in lock-step with a seed that only these tests use."""
    return Lockstep(DeepRiver, 3, range(games), **options).play()


@pytest.mark.parametrize("pack", PACKS)
def test_engine_and_referee_agree(pack: str) -> None:
    outcome = agreed(play(230 if compiled() else 6, pack=PACKS[pack]))
    if compiled():
        assert outcome.decisions > 10_000  # two such tests: more than 20,000
        assert set(outcome.endings) == {"salmon", "eel", "draw"}


@pytest.mark.compiled
@pytest.mark.parametrize("pack", PACKS)
def test_every_question_is_asked_in_lockstep(pack: str) -> None:
    events = play(60, pack=PACKS[pack]).events
    for asked in (*adapter.QUESTIONS[1:], *(word for (word, *_) in adapter.WORDS.values()), *adapter.DEEDS):
        assert events.get(asked, 0) > 0, asked


def random_start(draw: Random) -> dict[str, str]:
    """A start that the pack may not allow: any six small tiles, any faces, either side first."""
    small = draw.choices("bdst", k=6)
    return {
        "tiles": "".join((*small[:3], "D", *small[3:])),
        "faces": "".join(draw.choices("01", k=3)),
        "first": draw.choice(("salmon", "eel")),
    }


@pytest.mark.parametrize("pack", PACKS)
def test_they_agree_from_random_starts(pack: str) -> None:
    draw = Random(f"starts {pack}")
    for _ in range(30 if compiled() else 3):
        agreed(play(3, pack=PACKS[pack], **random_start(draw)))


@pytest.mark.parametrize("tiles", ["tttDttt", "dddDddd", "sssDsss", "bbbDbbb"])
def test_they_agree_where_all_small_tiles_are_alike(tiles: str) -> None:
    agreed(play(8 if compiled() else 1, pack=PACKS["check"], tiles=tiles))


@pytest.mark.parametrize("max_turns", [1, 2, 9])
def test_they_agree_on_the_cap(max_turns: int) -> None:
    outcome = agreed(play(24 if compiled() else 6, max_turns=max_turns))
    assert outcome.endings["truncated"] > 0


def test_they_agree_with_one_slot_on_the_double_tile(tmp_path: Path) -> None:
    text = PACKS["check"].read_text(encoding="utf-8")
    assert "double_slots = 2" in text
    path = tmp_path / "narrow.toml"
    path.write_text(text.replace("double_slots = 2", "double_slots = 1"), encoding="utf-8")
    agreed(play(30 if compiled() else 3, pack=path))
