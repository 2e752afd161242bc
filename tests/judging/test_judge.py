"""The judge says what winners say, without bias, and repeats itself; it tells of no choice that wasn't made."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from recorded_games import record_games

from judging.agents.ford import COUNTING, WARY
from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import AGENTS, MASK
from riverbed_env.players.agents import UNIFORM, Agent, CompiledAgent, PythonAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.judging.judge import Judge
from riverbed_lab.playing.play import play_seated
from riverbed_lab.statistics import Mean, clustered_mean

FORD = "ford_v0"
OTHER_WORDS = 0x5DEECE66
PLAYERS = 3
SEED = 4


class OtherLuck:
    """Plays as another agent does, with random words of its own."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.memory_size = agent, agent.memory_size
        self.name = f"{agent.name} with other luck"

    def act(self, observations: Any, masks: Any, memory: Any, rng: Any, **extra: Any) -> Any:
        others = rng.copy()
        others["key"] = (others["key"] + OTHER_WORDS + AGENTS) & MASK
        return self.agent.act(observations, masks, memory, others, **extra)


def played(agents: list[Agent], seats: list[int], games: int, game: str = FORD, **options: int) -> list[RecordedGame]:
    """Games of these agents, by number, in the seats of every game."""
    batch = Batch(find_game(game), games, seed=SEED, num_players=len(seats), auto_reset=False, **options)
    return record_games(batch, agents, np.tile(seats, (games, 1)), np.arange(games))


def wins(agents: list[Agent], seats: list[int], deals: int) -> npt.NDArray[np.float64]:
    """Which seats win these deals, (deals, seats)."""
    game = find_game(FORD)
    seated, numbers = np.tile(seats, (deals, 1)), np.arange(deals)
    ended = play_seated(game, agents, seated, numbers, SEED, num_players=len(seats)).games
    return np.asarray(game.returns(ended, len(seats)) > 0, np.float64)


def agree(gain: Mean, winners: Mean) -> bool:
    """Whether two independent estimates differ by less than twice their interval."""
    return abs(gain.value - winners.value) < np.hypot(gain.high - gain.low, winners.high - winners.low)


def test_a_player_that_does_as_the_reference_gains_exactly_nothing() -> None:
    games = played([WARY], [0, 0, 0], 30)
    judged = Judge(WARY, worlds=2, moves=1).judge(games, [[0, 1, 2]] * 30)
    assert len(judged.choices) == 0
    assert (judged.gain().value, judged.gain().low, judged.gain().high) == (0, 0, 0)
    assert judged.judged.all()


def test_who_plays_as_the_reference_with_other_luck_gains_nothing() -> None:
    judged = Judge(WARY, worlds=4, moves=2).judge(played([WARY, OtherLuck(WARY)], [0, 1, 0], 400))
    assert judged.effects.std() > 0.05
    assert judged.gain().low < 0 < judged.gain().high


@pytest.mark.slow
@pytest.mark.compiled
def test_intervals_hold_the_known_gain_as_often_as_they_say() -> None:
    """Of 100 comparisons of 40 games in which the true gain is 0, some 95 intervals hold it."""
    games = played([WARY, OtherLuck(WARY)], [0, 1, 0], 4000)
    judge = Judge(WARY, worlds=4, moves=2)
    gains = [judge.judge(games[first : first + 40]).gain() for first in range(0, 4000, 40)]
    assert 88 <= sum(gain.low <= 0 <= gain.high for gain in gains) <= 99


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("reference", [WARY, COUNTING], ids=lambda agent: agent.name)
def test_one_seat_gains_what_winners_say(reference: CompiledAgent) -> None:
    agents, seats, deals = [reference, UNIFORM], [0, 1, 0], 20_000
    gain = Judge(reference, worlds=8, moves=4).judge(played(agents, seats, 2000)).gain()
    more = wins(agents, seats, deals) - wins(agents, [0, 0, 0], deals)
    assert gain.high < 0
    assert agree(gain, clustered_mean(more[:, 1], range(deals)))


@pytest.mark.slow
@pytest.mark.compiled
def test_a_bold_liar_loses_as_by_winners_and_fewer_games_tell_it() -> None:
    hunt, usual, liar = find_game("riverbed_hunt"), RULE_BASED, find_agent("bold_liar", "riverbed_hunt")
    deals, some = 4000, 60
    seats = np.zeros((deals, 7), np.int64)
    before = hunt.returns(play_seated(hunt, [usual], seats, np.arange(deals), SEED, num_players=7).games, 7)[:, 0] > 0
    seats[:, 0] = 1
    after = hunt.returns(play_seated(hunt, [usual, liar], seats, np.arange(deals), SEED, num_players=7).games, 7)
    winners = clustered_mean((after[:, 0] > 0).astype(float) - before, range(deals))
    gain = Judge(usual, worlds=32, moves=8).judge(played([usual, liar], [1, *[0] * 6], some, hunt.id)).gain()
    assert agree(gain, winners)
    assert (gain.high - gain.low) * np.sqrt(some) < (winners.high - winners.low) * np.sqrt(deals) / 1.5


def test_it_repeats_itself_by_its_seed_however_games_are_grouped() -> None:
    games = played([WARY, UNIFORM], [0, 1, 0], 12)
    judge = Judge(WARY, worlds=3, moves=2, seed=7)
    first = judge.judge(games)
    again, parts = judge.judge(games), [judge.judge(games[:5]), judge.judge(games[5:])]
    other = replace(judge, seed=8).judge(games)
    np.testing.assert_array_equal(again.effects, first.effects)
    np.testing.assert_array_equal(np.concatenate([part.effects for part in parts]), first.effects)
    assert first.gain().value != other.gain().value


def test_players_of_any_kind_are_judged_by_what_they_did() -> None:
    def highest(observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], *_: object) -> npt.NDArray[np.int64]:
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), np.int64)

    games = played([WARY, PythonAgent("a person", highest)], [1, 0, 0], 10)
    judged = Judge(WARY, worlds=2, moves=1).judge(games)
    assert judged.judged.tolist() == [[True, False, False]] * 10
    choices = judged.choices
    taken = [games[game].actions[decision] for game, decision in zip(choices["game"], choices["decision"])]
    assert choices["chosen"].tolist() == taken
    assert len(choices) > 0
    assert (choices["chosen"] != choices["usual"]).all()


@pytest.mark.slow  # compiles two games of agents
@pytest.mark.parametrize(
    ("seats", "game", "name"), [([0, 1], "deep_river", "greedy"), ([0, 1], "river_rats", "simple")]
)
def test_other_games_are_judged_too(seats: list[int], game: str, name: str) -> None:
    usual = find_agent(name, game)
    games = played([usual, UNIFORM], seats, 2, game)
    judged = Judge(usual, worlds=2, moves=1).judge(games)
    assert len(judged.choices) > 0
    assert (np.abs(judged.effects) <= 1).all()


def test_what_cannot_be_judged_is_said() -> None:
    games = played([WARY, UNIFORM], [0, 1, 0], 2)
    judge = Judge(WARY, worlds=2, moves=1)
    random = played([WARY, UNIFORM], [1, 1, 0], 2)
    with pytest.raises(OptionError, match="an agent didn't act as it does under its name"):
        judge.judge([replace(game, agents=("someone", "wary", "wary")) for game in random])
    with pytest.raises(OptionError, match="doesn't name its 3 agents"):
        judge.judge([replace(games[0], agents=())])
    with pytest.raises(OptionError, match="at least one"):
        judge.judge([])
    with pytest.raises(OptionError, match="apart"):
        judge.judge([*games, *played([WARY, UNIFORM], [0, 1], 1)])
    with pytest.raises(OptionError, match="isn't one"):
        Judge(PythonAgent("mine", lambda *_: np.zeros(1, np.int64)))
    with pytest.raises(OptionError, match="worlds must be"):
        Judge(WARY, worlds=0)
    with pytest.raises(OptionError, match="ends after"):
        judge.judge([replace(games[0], actions=(*games[0].actions, 1))])
