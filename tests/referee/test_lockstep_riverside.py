"""Riverside in lock-step: every fact the same after every decision, and no difference overlooked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee.adapters import riverside as adapter
from referee.adapters.riverside import Riverside
from referee.lockstep import Lockstep, Outcome
from referee.lockstep_kit import agreed, check_damage_is_found, differing
from referee.riverside import Board, Referee, Sheet, read_pack
from referee.riverside import referee as told

from riverbed_env.core.batch import Batch
from riverbed_env.core.packs import find_pack
from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "riverside"
PACKS = {"default": "default", "otherwise": OWN_PACKS / "otherwise.toml"}
COUNTS = range(1, 7)


def play(num_players: int, games: int, **options: Any) -> Outcome:
    """Games of the seed that these tests have to themselves."""
    return Lockstep(Riverside, 3, range(games), num_players=num_players, **options).play()


@pytest.mark.parametrize("extension", [False, True])
@pytest.mark.parametrize("pack", ["default", "otherwise"])
@pytest.mark.parametrize("num_players", COUNTS if compiled() else (1, 2))
def test_engine_and_referee_agree(num_players: int, pack: str, extension: bool) -> None:
    games = 5 if compiled() else 1
    outcome = agreed(play(num_players, games, pack=PACKS[pack], extension=extension))
    assert outcome.decisions > games * num_players * 45  # two dozen such tests: more than 18,000 compiled


def test_both_have_the_same_default_pack() -> None:
    assert read_pack(find_pack("riverside", "default")) == read_pack(OWN_PACKS / "default.toml")


@pytest.mark.compiled
@pytest.mark.parametrize("pack", ["default", "otherwise"])
def test_rare_things_happen_in_lockstep_too(pack: str) -> None:
    outcome = agreed(play(3, 40, pack=PACKS[pack]))
    for rare in (
        "plain on Fan base",
        "green on Fan base",
        "green and warm",
        "early",
        "speed",
        "speed after early",
        "score with prize",
        "score at a church",
        "stay",
        "done",
    ):
        assert outcome.events.get(rare, 0) > 0, rare


@pytest.mark.parametrize("max_steps", [1, 9, 40])
def test_they_agree_on_the_cap(max_steps: int) -> None:
    outcome = agreed(play(3, 8 if compiled() else 2, max_steps=max_steps))
    assert outcome.endings["truncated"] == outcome.games


@pytest.mark.compiled
def test_they_agree_on_every_cap() -> None:
    for max_steps in range(1, 120):
        agreed(play(2, 1, max_steps=max_steps, pack=PACKS["otherwise"]))


@pytest.mark.compiled
def test_every_ending_is_reached() -> None:
    alone = agreed(play(1, 30, pack=PACKS["otherwise"]))
    assert {"nobody wins", "one wins"} <= {*alone.endings}


# --- a difference is found and named ----------------------------------------------------------------------------------


DAMAGES: dict[str, Callable[[Batch], Any]] = {
    "the seat asked": lambda batch: batch.seat,
    "the questions": lambda batch: batch.games["private"]["question"][:, 1],
    "the legal actions": lambda batch: batch.action_mask[:, 0],
    "what the others wait to answer": lambda batch: batch.games["timing"]["waiting"],
    "steps, answers, rounds": lambda batch: batch.games["timing"]["steps"],
    "the phase": lambda batch: batch.games["table"]["phase"],
    "the ship": lambda batch: batch.games["table"]["ship"],
    "the dice": lambda batch: batch.games["table"]["dice"][:, 5],
    "the temperature": lambda batch: batch.games["table"]["temperature"],
    "the heated base dice": lambda batch: batch.games["table"]["heated"],
    "the seats crossed on each sheet": lambda batch: batch.games["private"]["sheet"]["crossed"][:, 0, 4, 3],
    "the tickets and their points on each sheet": lambda batch: batch.games["private"]["sheet"]["tickets"][:, 1, 4],
    "the fire and +1 symbols left on each sheet": lambda batch: batch.games["private"]["sheet"]["plus"][:, 1],
    "the royal powers on each sheet": lambda batch: batch.games["private"]["sheet"]["power"][:, 1, 0],
    "the last scores on each sheet": lambda batch: batch.games["private"]["sheet"]["last"][:, 1, 2],
    "the sums of the scores on each sheet": lambda batch: batch.games["private"]["sheet"]["total"][:, 1, 5],
    "the seats crossed on each sheet, as seen": lambda batch: batch.games["sheets"]["crossed"][:, 1, 0, 0],
    "the tickets and their points on each sheet, as seen": lambda batch: batch.games["sheets"]["ticket_points"][
        :, 1, 0
    ],
    "the fire and +1 symbols left on each sheet, as seen": lambda batch: batch.games["sheets"]["fire"][:, 1],
    "the royal powers on each sheet, as seen": lambda batch: batch.games["sheets"]["power"][:, 0, 4],
    "the last scores on each sheet, as seen": lambda batch: batch.games["sheets"]["last"][:, 1, 2],
    "the sums of the scores on each sheet, as seen": lambda batch: batch.games["sheets"]["total"][:, 1, 5],
    "the dice chosen (colour, green, Fan base)": lambda batch: batch.games["private"]["die"][:, 1],
    "the boats being filled and the seats left": lambda batch: batch.games["private"]["left"][:, 1],
    "the bonuses that wait (boat, seats)": lambda batch: batch.games["private"]["queued"][:, 0],
    "the villages visited this round": lambda batch: batch.games["private"]["place"][:, 1, 0],
    "the +1 symbols crossed this round": lambda batch: batch.games["private"]["extended"][:, 1, 1],
    "Speed boat called this round": lambda batch: batch.games["private"]["speed"][:, 1],
    "the prize ticket's boat this round": lambda batch: batch.games["private"]["prize"][:, 1],
    "what is scored at the village being visited": lambda batch: batch.games["private"]["points"][:, 1, 0, 2],
    "what is known of what each has done": lambda batch: batch.games["table"]["deeds"][:, 1, 6],
    "the ending": lambda batch: batch.games["table"]["ending"],
    "the final scores": lambda batch: batch.games["table"]["final"][:, 1],
    "the captain points": lambda batch: batch.games["table"]["captain"][:, 0],
    "the winners": lambda batch: batch.games["table"]["winners"],
    "the chance drawn": lambda batch: batch.games["chance"]["drawn"],
    "the tiles": lambda batch: batch.games["table"]["tile"][:, 7],
    "the columns with a passage": lambda batch: batch.games["table"]["open_columns"],
    "the ways from the ship to the villages": lambda batch: batch.games["table"]["distance"][:, 9],
}


@pytest.mark.parametrize("fact", DAMAGES)
def test_a_changed_record_is_found(fact: str) -> None:
    lockstep = Lockstep(Riverside, 3, range(3), num_players=2)
    check_damage_is_found(lockstep, 4, fact, lambda played: DAMAGES[fact](played.batch))


def test_every_fact_is_damaged_once() -> None:
    results = ("the seats pending in this phase", "the bands", "the returns")
    assert {*DAMAGES, *results} == {*Riverside.facts, *Riverside.slow_facts}


def found(num_players: int = 2, games: int = 24 if compiled() else 8, **options: Any) -> set[str]:
    return differing(play(num_players, games, **options))


def test_a_seat_no_longer_pending_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pending = Riverside._engine_pending
    monkeypatch.setattr(Riverside, "_engine_pending", lambda self: pending(self) & [True, False])
    assert found(2, 1) == {"the seats pending in this phase"}


def test_other_returns_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Riverside, "_returns", lambda self, referee: [0.0] * self.seats)
    assert found(3, 1) == {"the returns"}


def test_another_band_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "band", lambda params, points: 9)
    assert found(2, 1) == {"the bands"}


def test_a_forgotten_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Referee, "_speed_boat_helps", lambda self, seat: False)
    assert found(pack=PACKS["otherwise"]) == {"the legal actions", "what the others wait to answer"}


def test_a_village_told_from_the_wrong_space_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "is_north", lambda self, place: True)
    told.board_of.cache_clear()
    try:
        assert "the ways from the ship to the villages" in found(1, 3)
    finally:
        monkeypatch.undo()
        told.board_of.cache_clear()


def test_a_bonus_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fill = Referee._fill_seats

    def fill_wrongly(self: Referee, seat: int, colour: str, seats: int) -> Any:
        return fill(self, seat, colour, 1 if seats == 2 else seats)

    monkeypatch.setattr(Referee, "_fill_seats", fill_wrongly)
    assert "the boats being filled and the seats left" in found()


def test_sheets_seen_too_early_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sheet, "copy", lambda self: self)
    assert any(fact.endswith("as seen") for fact in found(2, 2))


def test_a_power_that_comes_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    royal = Sheet._royal_seats_crossed
    monkeypatch.setattr(Sheet, "_royal_seats_crossed", lambda self, colour: 2 * royal(self, colour))
    assert "the royal powers on each sheet" in found()


def test_captain_points_without_the_lowest_boat_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sheet, "captain_points", lambda self: sum(self.scores["church"]))
    assert found(games=12) & {"the final scores", "the captain points"}


def test_a_referee_that_gives_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(self: Referee, seat: int, action: tuple[Any, ...]) -> None:
        raise ValueError("RS-2.2 doesn't allow it")

    monkeypatch.setattr(Referee, "play", give_up)
    outcome = play(2, 3)
    assert len(outcome.disagreements) == 3
    first = outcome.disagreements[0]
    assert (first.number, first.decision, first.options["num_players"]) == (0, 1, "2")
    assert first.fact.startswith("die ")
    assert "RS-2.2" in first.referee


def test_a_deal_that_the_rules_forbid_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "Deal", lambda tiles: told.Deal((1, *tiles[1:])))
    assert found(1, 12) == {"the deal"}
