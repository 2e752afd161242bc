"""Every seat's observation holds what the card of the game says, piece by piece."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from referee.adapters.riverbed_hunt_sight import NOT_DERIVED, SHAPES, Piece, Sight
from referee.lockstep import Lockstep, Outcome, agreed, packs_of
from riverbed_env.core.batch import Batch
from riverbed_env.kernels.compile import compiled

PACKS = packs_of(Sight.game)
COUNTS = range(4, 10)
VIEWS = ("history", "now")


def play(num_players: int, games: int, adapter: type[Sight] = Sight, **options: Any) -> Outcome:
    """Games of the seed that these tests have to themselves."""
    return Lockstep(adapter, 16, range(games), num_players=num_players, layout="random", **options).play()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("num_players", COUNTS)
def test_every_seat_is_shown_what_the_card_says(num_players: int, pack: str, view: str) -> None:
    agreed(play(num_players, 2 if compiled() and view == "history" else 1, pack=PACKS[pack], view=view))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("talk", ["claims", "text"])
def test_every_seat_is_shown_what_was_said(talk: str, view: str) -> None:
    options = {"talk": talk, "talk_speakers": "active" if view == "now" else "table", "talk_budget": 2}
    agreed(play(5, 2 if compiled() else 1, view=view, **options))


@pytest.mark.compiled
@pytest.mark.slow
def test_rare_things_are_shown_too() -> None:
    outcome = agreed(play(8, 12))
    for rare in ("hunt", "con", "penalty", "slip away", "look at role", "swap", "shuffle", "show", "marker"):
        assert outcome.events.get(rare, 0) > 0, rare


def test_every_piece_is_compared_or_there_is_a_reason() -> None:
    named = {piece.name for piece in Sight.game.observation.pieces}
    assert {*Sight.pieces, *NOT_DERIVED} == named | {"turns"}
    assert set(NOT_DERIVED) & set(Sight.pieces) == set()
    assert set(Sight.pieces) <= set(SHAPES)


@pytest.mark.parametrize("max_decisions", [1, 30, 60])
def test_a_game_that_is_cut_off_shows_no_more(max_decisions: int) -> None:
    outcome = agreed(play(6, 9 if compiled() else 2, max_decisions=max_decisions))
    assert outcome.endings["truncated"] > 0


# --- a difference is found and named ---------------------------------------------------------------------------------

Pieces = dict[str, Piece]


def plant(patch: pytest.MonkeyPatch, change: Callable[[Batch, int, int, Pieces], None]) -> None:
    """Let `change` edit every observation, given batch, environment, seat and pieces."""
    observe = Batch.observe

    def observe_wrongly(self: Batch, seats: npt.ArrayLike) -> tuple[Any, Any]:
        vectors, masks = observe(self, seats)
        for index, vector in enumerate(vectors):
            change(self, index, int(np.asarray(seats)), self.game.observation.named(vector))
        return vectors, masks

    patch.setattr(Batch, "observe", observe_wrongly)


def show_a_role(batch: Batch, index: int, seat: int, pieces: Pieces) -> None:
    neighbour = (seat + 1) % batch.num_players
    pieces["roles_shown"][1, batch.games[index]["private"]["role"][neighbour]] = 1


def show_a_neighbours_tiles(batch: Batch, index: int, seat: int, pieces: Pieces) -> None:
    known = batch.games[index]["private"]["possible"][(seat + 1) % batch.num_players]
    pieces["possible"][:] = known[:, None] >> np.arange(16) & 1


@pytest.mark.parametrize(("show", "piece"), [(show_a_role, "roles_shown"), (show_a_neighbours_tiles, "possible")])
def test_what_only_another_seat_may_know_is_found(show: Any, piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, show)
    disagreements = play(5, 6 if compiled() else 2).disagreements
    assert {difference.fact.split()[0] for difference in disagreements} == {piece}


def test_a_disagreement_names_all_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def miscount(batch: Batch, index: int, seat: int, pieces: Pieces) -> None:
        if seat == 3 and batch.games[index]["table"]["turn"] == 2:
            pieces["draw_pile"] += 1

    plant(monkeypatch, miscount)
    first = play(6, 1).disagreements[0]
    assert (first.game, first.seed, first.number) == (Sight.game.id, 16, 0)
    assert first.decision == len(first.actions) > 6
    assert first.fact == "draw_pile shown to seat 3"
    assert [int(words.removeprefix("(0): ")) for words in (first.engine, first.referee)] == [21, 20]
