"""The messages that a server builds for a seat hold what its view holds: equal views give equal bytes."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from leaks.hidden import HIDDEN

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.hidden import Channels, Leak, searched
from riverbed_web import messages
from riverbed_web.messages import PUBLIC, Position, Viewer, frame_message, see
from riverbed_web.play import Play
from riverbed_web.store import Seat, TableRow
from riverbed_web.table import table_facts

GAMES = ["riverbed_hunt_v1", "river_rats_v0", "deep_river_v0", "riverside_v0"]


def sent(env: TurnEnv, viewer: Viewer) -> list[str]:
    """What a page at the table gets: the whole of it when it comes anew, and what it gets that has some events."""
    position = Position(env.game, env.pack, env._games, env._params)
    counted = see(position, viewer).event_count
    return [frame_message(see(position, viewer, since), 3, None) for since in (0, max(0, counted - 2), counted)]


CHANNELS = Channels(
    {
        "seat": lambda env, agent: sent(env, env.possible_agents.index(agent)),
        "public": lambda env, agent: sent(env, PUBLIC),
    }
)


def few(every: int = 9, most: int = 4) -> Callable[..., bool]:
    """Stop at some decisions, most of them early in the first game."""
    counted = itertools.count(1)
    return lambda env, rng: (number := next(counted)) % every == 0 and number <= every * most


@pytest.mark.parametrize("game_id", GAMES)
def test_worlds_that_a_seat_cant_tell_apart_give_the_same_messages(game_id: str) -> None:
    worlds = HIDDEN[game_id]
    count = max(2, worlds.game.min_players)
    report = searched(worlds, count, 1, channels=CHANNELS, stop=few())
    assert report.compared > 0
    assert report.alike == 0


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_they_do_so_at_a_full_table_of_every_variant(game_id: str) -> None:
    worlds = HIDDEN[game_id]
    count = worlds.game.max_players
    for variant in worlds.game.variants:
        report = searched(worlds, count, 1, channels=CHANNELS, stop=few(), **variant)
        assert report.compared > 0


@pytest.mark.parametrize(("game_id", "field"), [("river_rats_v0", "hand"), ("riverbed_hunt_v1", "role")])
def test_a_planted_leak_is_found(game_id: str, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = messages.frame

    def leaky(game: Any, pack: Any, games: Any, *others: Any) -> dict[str, Any]:
        return {**honest(game, pack, games, *others), "secret": str(games[0]["private"][field].tolist())}

    monkeypatch.setattr(messages, "frame", leaky)
    worlds = HIDDEN[game_id]
    with pytest.raises(Leak, match=r"seat|public"):
        searched(worlds, max(3, worlds.game.min_players), 1, channels=CHANNELS, stop=few())


def test_a_seat_goes_on_through_its_phase_by_what_it_knows_and_others_see_nothing() -> None:
    """Whatever the others have chosen and will choose; the rules take its answers in their own order."""
    worlds, rng, chosen = HIDDEN["riverside_v0"], np.random.default_rng(5), list[int]()
    play, other, in_turn = (Play(worlds.game, 1, {"num_players": 3}) for _ in range(3))
    for each in (play, other, in_turn):
        each.answer(0, int(each.mask(0).argmax()))
    other.batch.set_state(worlds.twin(other.batch.games, other.batch.params, 2, rng, worlds.parts))
    assert other.batch.games.tobytes() != play.batch.games.tobytes()
    viewers: list[Viewer] = [0, 1, PUBLIC]
    before = [see(play.position_for(viewer), viewer) for viewer in viewers]
    while play.may_answer(2):
        assert other.may_answer(2)
        assert see(play.position_for(2), 2) == see(other.position_for(2), 2)
        chosen.append(int(rng.choice(play.mask(2).nonzero()[0])))
        play.answer(2, chosen[-1])
        other.answer(2, chosen[-1])
    assert not other.may_answer(2)
    assert play.early[2] == chosen
    assert len(chosen) > 1
    assert [see(play.position_for(viewer), viewer) for viewer in viewers] == before
    for each in (play, in_turn):
        while see(each.position, PUBLIC) == before[2]:
            each.answer(each.asked, chosen.pop(0) if each.asked == 2 else int(each.mask(each.asked).argmax()))
    assert play.batch.games.tobytes() == in_turn.batch.games.tobytes()


def test_the_facts_of_a_table_hide_the_deal_until_it_is_over() -> None:
    seats = (Seat("person", "Ada", token=b"hash"), Seat("agent", "random", "random"))
    row = TableRow("id", "deep_river_v0", {"num_players": 2}, 2, None, 12345, True, 0.0, True, b"owner", seats)
    for stage in ("preparing", "playing", "closed"):
        told = str(table_facts(TableRow(**{**vars(row), "stage": stage})))
        assert not [secret for secret in ("12345", "hash", "owner'") if secret in told], stage
    assert table_facts(TableRow(**{**vars(row), "stage": "over"}))["seed"] == "12345"
