"""The judge says what winners say, without bias, and repeats itself; it tells of no choice that wasn't made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from judging.agents.ford import COUNTING, WARY
from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent, CompiledAgent, PythonAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.judging.judge import Judge, gain_over, less_luck
from riverbed_lab.judging.recording import record_games
from riverbed_lab.playing.play import play_seated
from riverbed_lab.statistics import Mean, clustered_mean
from studies.judge_coverage import OtherLuck

FORD = "ford_v0"
PLAYERS = 3
SEED = 4


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
    assert not judged.choices.differ.any()
    assert judged.luck.any()
    assert (judged.gain().value, judged.gain().low, judged.gain().high) == (0, 0, 0)
    assert judged.judged.all()


def test_what_the_reference_draws_by_lot_is_nobodys_gain() -> None:
    """Its luck has mean 0 whoever plays; a player with other random words is told from it with far fewer games."""
    games, other = 400, OtherLuck(WARY)
    for player in (UNIFORM, other):
        judged = Judge(WARY, worlds=4, moves=2).judge(played([WARY, player], [0, 1, 0], games))
        effects, luck = (sums[:, 1] for sums in judged.sums())
        assert luck.std() > 0.05
        assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(games)
        block = np.unique(judged.deal, return_inverse=True)[1]
        sharper = less_luck(effects, luck, block)
        assert sharper.std() < 1.01 * effects.std()
        assert judged.gain() == clustered_mean(sharper, block)
    assert sharper.std() < 0.9 * effects.std()
    assert judged.gain().low < 0 < judged.gain().high


def test_luck_is_added_by_a_factor_from_other_deals() -> None:
    rng, block = np.random.default_rng(1), np.repeat(np.arange(20), 2)
    luck, noise = rng.normal(size=(2, 40))
    np.testing.assert_allclose(less_luck(3 - luck, luck, block), 3, atol=0.1)
    np.testing.assert_array_equal(less_luck(3 + luck, luck, block), 3 + luck)
    np.testing.assert_array_equal(less_luck(luck, np.zeros(40), block), luck)
    before, mine = less_luck(noise - luck / 2, luck, block), block % 10 == 3
    changed = np.where(mine, 5 - luck, noise - luck / 2)
    factor = (less_luck(changed, luck, block) - changed)[mine] / luck[mine]
    np.testing.assert_allclose(factor, (before - noise + luck / 2)[mine] / luck[mine])
    assert 0 < factor[0] < 1


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
def test_what_several_seats_do_adds_up_to_what_winners_say_of_each_seat() -> None:
    agents, seats, deals, some = [WARY, UNIFORM, COUNTING], [1, 2, 0], 20_000, 2000
    judged = Judge(WARY, worlds=8, moves=4).judge(played(agents, seats, some))
    assert judged.judged.tolist() == [[True, True, False]] * some
    more = wins(agents, seats, deals) - wins(agents, [0, 0, 0], deals)
    for seat in range(PLAYERS):
        this = np.tile(np.arange(PLAYERS) == seat, (some, 1))
        whole = replace(judged, judged=judged.judged | this)
        assert agree(whole.gain(this, together=True), clustered_mean(more[:, seat], range(deals)))
    assert abs(more.mean(axis=0)).max() > 0.05


@pytest.mark.slow
@pytest.mark.compiled
def test_a_bold_liar_loses_as_by_winners_and_fewer_games_tell_it() -> None:
    hunt, usual, liar = find_game("riverbed_hunt_v1"), RULE_BASED, find_agent("bold_liar", "riverbed_hunt")
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
    for name in ("effects", "luck"):
        values = getattr(first, name)
        np.testing.assert_array_equal(getattr(again, name), values)
        np.testing.assert_array_equal(np.concatenate([getattr(part, name) for part in parts]), values)
    assert first.gain().value != other.gain().value


def test_players_of_any_kind_are_judged_by_what_they_did() -> None:
    def highest(observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], *_: object) -> npt.NDArray[np.int64]:
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), np.int64)

    games = played([WARY, PythonAgent("a person", highest)], [1, 0, 0], 10)
    judged = Judge(WARY, worlds=2, moves=1).judge(games)
    assert judged.judged.tolist() == [[True, False, False]] * 10
    choices = judged.choices
    taken = [games[game].actions[decision] for game, decision in zip(choices.game, choices.decision)]
    assert choices.chosen.tolist() == taken
    assert choices.differ.any()


def test_two_players_are_compared_on_the_deals_that_both_played() -> None:
    games = played([WARY, UNIFORM], [0, 1, 0], 20)
    judge = Judge(WARY, worlds=2, moves=1)
    assert gain_over(judge.judge(games), judge.judge(games)).value == 0
    assert gain_over(judge.judge(games[:15]), judge.judge(games[5:])).blocks == 10


@pytest.mark.slow  # compiles two games of agents
@pytest.mark.parametrize(
    ("seats", "game", "name"), [([0, 1], "deep_river_v0", "greedy"), ([0, 1], "river_rats_v0", "simple")]
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
