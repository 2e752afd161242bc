"""River Rats in lock-step: every fact the same after every decision, and no difference overlooked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest
from referee.adapters import river_rats as adapter
from referee.adapters.river_rats import RiverRats, Skilled, Stacked
from referee.lockstep import Adapter, Lockstep, Outcome
from referee.lockstep_kit import agreed, check_damage_is_found, differing
from referee.river_rats import Referee, Strength
from referee.river_rats import referee as rules

from riverbed_env.kernels.compile import compiled

MODES = ("first_game", "standard", "advanced", "expert")
COUNTS = (1, 2, 3, 4)
PREDICTIONS = ("exactly", "at_least_form")


def play(games: int, kind: type[Adapter] = RiverRats, **options: Any) -> Outcome:
    """Games of the seed that these tests have to themselves."""
    return Lockstep(kind, 3, range(games), **options).play()


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_players", COUNTS)
def test_engine_and_referee_agree(num_players: int, mode: str, prediction: str) -> None:
    games = 8 if compiled() else 2
    outcome = agreed(play(games, num_players=num_players, mode=mode, prediction=prediction))
    if compiled():
        assert outcome.decisions > 252  # thirty-two such tests: more than 8,000


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_players", COUNTS)
def test_they_agree_on_stacked_decks(num_players: int, mode: str) -> None:
    agreed(play(10 if compiled() else 3, Stacked, num_players=num_players, mode=mode))


@cache
def stacked_events() -> Counter[str]:
    """What happens on stacked decks in all modes."""
    events: Counter[str] = Counter()
    for mode, num_players in product(MODES, COUNTS):
        events.update(agreed(play(60, Stacked, num_players=num_players, mode=mode, prediction="at_least_form")).events)
    return events


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", COUNTS)
def test_they_agree_on_games_that_are_won(num_players: int) -> None:
    outcome = agreed(play(25, Skilled, num_players=num_players, mode="first_game"))
    assert outcome.endings["won"] > outcome.endings["lost"]
    assert outcome.events["WIN"] == outcome.endings["won"]


@pytest.mark.compiled
@pytest.mark.parametrize("question", [word for word in adapter.QUESTIONS if word not in {"none", "over"}])
def test_every_question_is_asked_in_lockstep(question: str) -> None:
    assert stacked_events()[f"asked {question}"] > 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    "rare", ["REMOVE", "REVEAL", "BUST", "DEFEAT", "DEALT", "PLAY_FACE_DOWN", "RESHUFFLE", "joker at draw"]
)
def test_rare_things_happen_in_lockstep_too(rare: str) -> None:
    assert stacked_events()[rare] > 0


@pytest.mark.parametrize("max_decisions", [1, 2, 3, 30])
def test_they_agree_on_the_cap(max_decisions: int) -> None:
    outcome = agreed(play(12 if compiled() else 3, num_players=2, max_decisions=max_decisions))
    assert outcome.endings["truncated"] > 0


# --- a difference is found and named ----------------------------------------------------------------------------------


def games(lockstep: Lockstep) -> Any:
    return lockstep.batch.games


def table(lockstep: Lockstep) -> Any:
    return lockstep.batch.games["table"]


DAMAGES: dict[str, Callable[[Any], Any]] = {
    "the seat asked": lambda played: played.batch.seat,
    "the question": lambda played: table(played)["question"],
    "the legal actions": lambda played: played.batch.action_mask[:, 0],
    "decisions, turns, rounds, the active seat": lambda played: table(played)["turn"],
    "the characters": lambda played: table(played)["character"][:, 0],
    "the River Rats (active, waiting, defeated, bonuses)": lambda played: games(played)["second_rat"],
    "the jokers (face-down, face-up, used)": lambda played: table(played)["joker_down"],
    "the deck": lambda played: games(played)["deck"][:, 0],
    "the discard pile": lambda played: table(played)["discard"],
    "the market": lambda played: table(played)["market"],
    "the hands": lambda played: games(played)["private"]["hand"][:, 1],
    "the sizes of the hands": lambda played: table(played)["hand_size"][:, 1],
    "the rat's face-up cards": lambda played: table(played)["rat_up"],
    "the rat's face-down cards": lambda played: games(played)["face_down"][:, 1],
    "the collective hand's face-up cards": lambda played: table(played)["collective"],
    "the cards an expert joker has revealed": lambda played: table(played)["revealed"],
    "the collective hand's face-down card (who placed it, card)": lambda played: table(played)["placer"],
    "the card just played": lambda played: table(played)["played"],
    "the debt": lambda played: games(played)["pile"][:, 0],
    "the first debt and what it predicts": lambda played: table(played)["prediction"],
    "the rat's debt": lambda played: table(played)["rat_debt"],
    "the players' debt": lambda played: table(played)["debt"],
    "hands resolved, won, lost, predictions met, reshuffles": lambda played: table(played)["tally"][:, 27],
    "the last hands compared (players, rats)": lambda played: played.adapter.compared[:, 1],
    "the cards seen to go into the hands": lambda played: table(played)["taken"][:, 2],
    "the face-down cards that each seat knows": lambda played: table(played)["debt_seen"],
    "the ending": lambda played: table(played)["ending"],
    "the chance drawn": lambda played: games(played)["chance"]["drawn"],
}


@pytest.mark.parametrize("fact", DAMAGES)
def test_a_changed_record_is_found(fact: str) -> None:
    lockstep = Lockstep(RiverRats, 3, range(4), num_players=3, mode="advanced")
    check_damage_is_found(lockstep, 8, fact, DAMAGES[fact], by=-1)


def test_every_fact_is_damaged_once() -> None:
    assert set(RiverRats.facts) - {*DAMAGES} == {"a joker in the collective hand", "the returns"}


def found(games: int = 12, **options: Any) -> set[str]:
    return differing(play(games, **options))


def test_other_returns_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RiverRats, "_returns", lambda self, referee: [0.0] * self.seats)
    assert found() == {"the returns"}


def test_a_forgotten_action_is_found_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Referee.legal
    monkeypatch.setattr(Referee, "legal", lambda self: legal(self) - {("card", "AS")})
    first = play(1).disagreements[0]
    assert (first.fact, first.engine, first.referee) == (
        "the legal actions",
        "card AH, card AS, card AC, card AD",
        "card AH, card AC, card AD",
    )


def test_another_reshuffle_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        adapter.NotedChance, "shuffle_cards", lambda self, cards: self.stream.shuffled_downwards(cards[::-1])
    )
    assert len(found(60)) > 0


def test_a_market_that_grows_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refill(self: Referee) -> None:
        self.market += self._draw_up_to((4 if self.turns > 2 else 3) - len(self.market))

    monkeypatch.setattr(Referee, "_refill_market", refill)
    assert len(found()) > 0


def test_ties_that_go_to_the_players_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    best_hand = rules.best_hand
    monkeypatch.setattr(rules, "best_hand", lambda cards: Strength(best_hand(cards).category, (len(cards) == 5,)))
    assert len(found(60)) > 0


def test_debt_laid_in_another_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    give = Referee._give_debt_to_players

    def give_wrongly(self: Referee) -> None:
        self.debt.reverse()
        give(self)

    monkeypatch.setattr(Referee, "_give_debt_to_players", give_wrongly)
    assert found() == {"the players' debt"}


def test_a_referee_that_gives_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(self: Referee, action: tuple[Any, ...]) -> None:
        raise ValueError("RR-2.1 doesn't allow it")

    monkeypatch.setattr(Referee, "play", give_up)
    outcome = play(3, num_players=4)
    assert len(outcome.disagreements) == 3
    first = outcome.disagreements[0]
    assert (first.number, first.decision, first.options) == (0, 1, {"num_players": "4"})
    assert "RR-2.1" in first.referee


def test_a_deal_that_the_rules_forbid_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "CARDS", ["2H", *adapter.CARDS[1:-1], "2H"])
    assert found() == {"the deal"}
