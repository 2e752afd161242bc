"""Engine and referee in lock-step: every fact the same after every decision, and no difference overlooked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from referee.adapters.riverbed_hunt import RiverbedHunt
from referee.lockstep import Lockstep, Outcome
from referee.lockstep_kit import agreed, differing
from referee.riverbed_hunt.referee import Referee

from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "riverbed_hunt"
PACKS = {"default": "default", **{name: OWN_PACKS / f"{name}.toml" for name in ("otherwise", "nested")}}
COUNTS = range(4, 10)


def play(num_players: int, games: int, **options: Any) -> Outcome:
    """Games of the seed that these tests have to themselves."""
    return Lockstep(RiverbedHunt, 3, range(games), num_players=num_players, layout="random", **options).play()


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("num_players", COUNTS)
def test_engine_and_referee_agree(num_players: int, pack: str) -> None:
    outcome = agreed(play(num_players, 36 if compiled() else 3, pack=PACKS[pack]))
    if compiled():
        assert outcome.decisions > 1_120  # eighteen such tests: more than 20,000


@pytest.mark.compiled
def test_rare_things_happen_in_lockstep_too() -> None:
    events = play(8, 60).events
    for rare in (
        "hunt",
        "con",
        "penalty",
        "slip away",
        "look at role",
        "reshuffle",
        "swap",
        "shuffle",
        "show",
        "marker",
    ):
        assert events.get(rare, 0) > 0, rare


@pytest.mark.parametrize("max_decisions", [1, 30])
def test_they_agree_on_the_cap(max_decisions: int) -> None:
    outcome = agreed(play(7, 12 if compiled() else 2, max_decisions=max_decisions))
    assert outcome.endings["truncated"] > 0


# --- a difference is found and named ----------------------------------------------------------------------------------


def found(**options: Any) -> set[str]:
    return differing(play(7, 60 if compiled() else 12, **options))


def test_a_forgotten_action_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Referee.legal
    monkeypatch.setattr(Referee, "legal", lambda self: legal(self) - {("swim",)})
    assert found() == {"the legal actions"}


def test_another_number_on_a_track_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    play_on = Referee.play

    def play_wrongly(self: Referee, action: tuple[Any, ...]) -> None:
        before = self.tracks["coin"]
        play_on(self, action)
        if self.tracks["coin"] == before + 2 and not self.ended:
            self.tracks["coin"] -= 1

    monkeypatch.setattr(Referee, "play", play_wrongly)
    assert "the tracks" in found()


def test_knowledge_that_stays_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    possible = Referee.possible
    monkeypatch.setattr(Referee, "possible", lambda self, seat: possible(self, 0 if seat == 1 else seat))
    assert found() == {"where each tile may lie (as each seat knows, then the public)"}


def test_a_referee_that_gives_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(self: Referee, action: tuple[Any, ...]) -> None:
        raise ValueError("RH-4.2 doesn't allow it")

    monkeypatch.setattr(Referee, "play", give_up)
    outcome = play(4, 3)
    assert len(outcome.disagreements) == 3
    first = outcome.disagreements[0]
    assert (first.number, first.decision, first.options["num_players"]) == (0, 1, "4")
    assert "RH-4.2" in first.referee


def test_a_deal_that_the_rules_forbid_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = RiverbedHunt._names
    monkeypatch.setattr(RiverbedHunt, "_names", lambda self, counts: tell(self, counts) * 2)
    assert found() == {"the deal"}
