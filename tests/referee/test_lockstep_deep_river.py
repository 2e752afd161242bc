"""Deep River in lock-step: every fact the same after every decision, and no difference overlooked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from referee.adapters import deep_river as adapter
from referee.adapters.deep_river import DeepRiver
from referee.deep_river import EEL, Referee, River
from referee.deep_river.referee import CurrentToken
from referee.lockstep import Lockstep, Outcome
from referee.lockstep_kit import agreed, check_damage_is_found, differing

from riverbed_env.core.batch import Batch
from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "deep_river"
PACKS = {"default": "default", "check": OWN_PACKS / "check.toml"}


def play(games: int, **options: Any) -> Outcome:
    """Games of the seed that these tests have to themselves."""
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
    """A start that the pack may not know: any six small tiles, any faces, either side."""
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


# --- a difference is found and named ----------------------------------------------------------------------------------


DAMAGES: dict[str, Callable[[Batch], Any]] = {
    "the seat asked": lambda batch: batch.seat,
    "the question": lambda batch: batch.games["table"]["question"],
    "the legal actions": lambda batch: batch.action_mask[:, 0],
    "decisions, turns, the side to move": lambda batch: batch.games["table"]["turn"],
    "the tiles": lambda batch: batch.games["table"]["tile"][:, 7],
    "the pawns that are seen, by slot": lambda batch: batch.games["table"]["top"][:, 7],
    "the pawns under them, by slot": lambda batch: batch.games["table"]["under"][:, 0],
    "the nests (single and double, side after side)": lambda batch: batch.games["table"]["nest"][:, 1, 0],
    "the tokens' places": lambda batch: batch.games["table"]["progress"][:, 2],
    "the tokens' faces": lambda batch: batch.games["table"]["face"][:, 0],
    "the token in use": lambda batch: batch.games["table"]["token"],
    "the tokens tilted (against the side to move, against its rival)": lambda batch: batch.games["table"]["tilted"],
    "the bear": lambda batch: batch.games["table"]["bear"],
    "the ending": lambda batch: batch.games["table"]["ending"],
    "the winner": lambda batch: batch.games["table"]["winner"],
}


@pytest.mark.parametrize("fact", DAMAGES)
def test_a_changed_record_is_found(fact: str) -> None:
    lockstep = Lockstep(DeepRiver, 3, range(4))
    check_damage_is_found(lockstep, 12, fact, lambda played: DAMAGES[fact](played.batch))


def test_every_fact_is_damaged_once() -> None:
    assert (*DAMAGES, "the returns") == DeepRiver.facts


def found(games: int = 12, **options: Any) -> set[str]:
    return differing(play(games, **options))


def test_other_returns_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeepRiver, "_returns", staticmethod(lambda referee: [0.0, 0.0]))
    assert found() == {"the returns"}


def test_a_forgotten_action_is_found_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Referee.legal
    monkeypatch.setattr(Referee, "legal", lambda self: legal(self) - {("token", 1)})
    first = play(1).disagreements[0]
    assert (first.fact, first.engine, first.referee) == (
        "the legal actions",
        "token 0, token 1, token 2",
        "token 0, token 2",
    )


def test_another_walk_of_the_bear_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    move_bear = Referee._move_bear
    monkeypatch.setattr(Referee, "_move_bear", lambda self, steps: move_bear(self, 1))
    assert "the bear" in found(40)


def test_a_token_that_lies_still_at_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = CurrentToken.move_and_turn

    def turn_wrongly(self: CurrentToken) -> None:
        if self.tile != 1:
            turn(self)

    monkeypatch.setattr(CurrentToken, "move_and_turn", turn_wrongly)
    assert "the tokens' faces" in found(30)


def test_a_pawn_that_comes_home_single_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    put_home = River.put_home

    def put_wrongly(self: River, moving: list[Any]) -> None:
        for pawn in moving:
            pawn.double = False
        put_home(self, moving)

    monkeypatch.setattr(River, "put_home", put_wrongly)
    assert "the nests (single and double, side after side)" in found(30)


def test_a_tilt_that_lasts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Referee.begin

    class Lasting(set[int]):
        def clear(self) -> None:
            """What is tilted stays so."""

    def begin_wrongly(self: Referee) -> None:
        self.tilted_against = [Lasting(), Lasting()]
        begin(self)

    monkeypatch.setattr(Referee, "begin", begin_wrongly)
    assert found(tiles="tttDttt") == {"the tokens tilted (against the side to move, against its rival)"}


def test_a_place_told_from_the_wrong_side_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "seen_from", lambda side, place: place)
    assert len(found(first="eel")) > 0


def test_a_referee_that_gives_up_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(self: Referee, action: tuple[Any, ...]) -> None:
        raise ValueError("DR-2.1 doesn't allow it")

    monkeypatch.setattr(Referee, "play", give_up)
    outcome = play(3, first="eel")
    assert len(outcome.disagreements) == 3
    first = outcome.disagreements[0]
    assert (first.number, first.decision, first.options) == (0, 1, {"first": "eel"})
    assert first.fact.startswith(f"{EEL}: token ")
    assert "DR-2.1" in first.referee


def test_a_deal_that_the_rules_forbid_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "EFFECTS", ("tilt", "drift", "swap", "bear", "double"))
    assert found() == {"the deal"}
