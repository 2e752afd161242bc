"""Recorded games are those that were played, and what is made again from them is what the seats saw."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from corpus.recorded_kit import AGENTS, GAMES, PART, PLAYERS
from recorded_games import record_game

from riverbed_env.corpus import Corpus, Decisions
from riverbed_env.errors import OptionError
from riverbed_env.players.specs import find_agent

pytestmark = pytest.mark.compiled

HUNT = "riverbed_hunt_v1"
EVERY_GAME = [pytest.param(game, marks=[] if game == HUNT else pytest.mark.slow) for game in AGENTS]
Folder = Callable[[str], Path]


def kept(found: Decisions) -> Decisions:
    return found.take(np.arange(len(found)))


@pytest.mark.slow  # compiles the agents of each game
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_row_is_the_game_that_its_agents_play_alone(game: str, recorded: Folder) -> None:
    corpus = Corpus(recorded(game))
    for number in (0, GAMES - 1):
        row = corpus.record(number)
        agents = [find_agent(name, game) for name in row.agents]
        alone = record_game(corpus.game, agents, row.seed, number, num_players=row.num_players)
        assert row.actions == alone.actions
        assert row.returns == alone.returns
        assert row.pack == (alone.pack or "")


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("view", ["history", "now"])
def test_decisions_are_what_the_batch_shows_when_the_game_is_played_again(
    game: str, view: str, recorded: Folder
) -> None:
    corpus = Corpus(recorded(game))
    found = [kept(each) for each in corpus.decisions(view=view, size=50)]
    number = GAMES // 2
    mine = [each.take(each.game == number) for each in found if (each.game == number).any()]
    assert len(mine) == 1
    row, steps = corpus.record(number), mine[0]
    assert steps.action.tolist() == list(row.actions)
    assert steps.step.tolist() == list(range(len(row.actions)))
    for place, batch in enumerate(row.replay(view=view)):
        if place == len(row.actions):
            assert not batch.acting[0]
            assert steps.returns.tolist() == [batch.returns[0, seat] for seat in steps.seat]
            break
        np.testing.assert_array_equal(steps.observation[place], batch.observation[0])
        np.testing.assert_array_equal(steps.action_mask[place], batch.action_mask[0])
        assert steps.seat[place] == batch.seat[0]
        assert steps.role[place] == corpus.game.roles_of(batch.games)[0, batch.seat[0]]
        assert corpus.manifest.agents[steps.agent[place]] == row.agents[batch.seat[0]]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_ends_again_as_recorded(game: str, recorded: Folder) -> None:
    corpus = Corpus(recorded(game))
    assert len(corpus) == GAMES
    assert corpus.parts == [0, 1, 2]
    counts = [int(count) for count in PLAYERS[game].split(",")]
    for part in corpus.parts:
        games = corpus.check(part, replay=True)
        share = np.bincount(games.num_players)[counts]
        assert share.max() - share.min() <= 1  # every part has all player counts
    assert {int(agent) for agent in games.agents.flat} <= {-1, 0, 1}


def test_seats_are_chosen_by_agent_and_role(recorded: Folder) -> None:
    corpus = Corpus(recorded(HUNT))
    everything = corpus.arrays()
    leader = corpus.game.roles.index("leader")
    chosen = corpus.arrays(agents=["simple"], roles=["leader"])
    wanted = (everything["agent"] == 1) & (everything["role"] == leader)
    assert 0 < wanted.sum() < len(wanted)
    for name, array in chosen.items():
        np.testing.assert_array_equal(array, everything[name][wanted])


def test_an_order_at_random_has_all_decisions_and_its_seed_repeats_it(recorded: Folder) -> None:
    corpus = Corpus(recorded(HUNT))
    key = lambda arrays: arrays["game"] * 10**6 + arrays["step"]  # noqa: E731
    plain, first, again, other = (corpus.arrays(shuffle=seed, size=200) for seed in (None, 1, 1, 2))
    np.testing.assert_array_equal(key(first), key(again))
    assert (key(first) != key(other)).any()
    assert sorted(key(first)) == sorted(key(other)) == sorted(key(plain))
    order = np.argsort(key(first))
    np.testing.assert_array_equal(first["observation"][order], plain["observation"])


def test_parts_share_out_the_work(recorded: Folder) -> None:
    corpus = Corpus(recorded(HUNT))
    games = [corpus.arrays(parts=[part], view="now")["game"] for part in corpus.parts]
    assert [np.unique(each // PART).tolist() for each in games] == [[0], [1], [2]]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"agents": ["nobody"]}, "agents"),
        ({"roles": ["king"]}, "roles"),
        ({"view": "later"}, "view"),
        ({"parts": [9]}, "has no part 9"),
        ({"size": 0}, "size"),
    ],
)
def test_what_isnt_there_cant_be_chosen(chosen: dict[str, object], message: str, recorded: Folder) -> None:
    corpus = Corpus(recorded(HUNT))
    with pytest.raises(OptionError, match=message) as refused:
        corpus.arrays(**chosen)
    assert "\n" not in str(refused.value)
