"""The judge says what winners say, without bias, and repeats itself; it tells of no choice that wasn't made."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from recorded_games import record_games

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import AGENTS, MASK
from riverbed_env.players.agents import UNIFORM, Agent, PythonAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.judging.run import EVERY_SEAT, FEWEST_DEALS, Judging, Settings, _row
from riverbed_lab.playing.play import play_seated
from riverbed_lab.report.sections import told_by_winners
from riverbed_lab.statistics import Mean, clustered_mean

FORD = "ford_v0"
WARY, COUNTING = (find_agent(f"judging.agents.ford:{name}", FORD) for name in ("WARY", "COUNTING"))
SILENT = find_game("riverbed_hunt_v1").actions.id("SILENT")
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


class OtherTalk:
    """Does what rule_based does, and says the last thing that it may."""

    name, memory_size, by_view = "other talk", RULE_BASED.memory_size, True

    def act(self, observations: Any, masks: Any, memory: Any, rng: Any, **extra: Any) -> Any:
        usual = RULE_BASED.act(observations, masks, memory, rng, **extra)
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(masks[:, SILENT] == 1, last, usual)


def played(agents: list[Agent], seats: list[int], games: int, game: str = FORD, **options: Any) -> list[RecordedGame]:
    """Games of these agents, by number, in the seats of every game."""
    batch = Batch(find_game(game), games, seed=SEED, num_players=len(seats), auto_reset=False, **options)
    return record_games(batch, agents, np.tile(seats, (games, 1)), np.arange(games))


def wins(agents: list[Agent], seats: list[int], deals: int) -> npt.NDArray[np.float64]:
    """Which seats win these deals, (deals, seats)."""
    game = find_game(FORD)
    seated, numbers = np.tile(seats, (deals, 1)), np.arange(deals)
    ended = play_seated(game, agents, seated, numbers, SEED, num_players=len(seats)).games
    return np.asarray(game.returns(ended, len(seats)) > 0, np.float64)


def judging(games: list[RecordedGame], folder: Path, reference: str = WARY.name, **settings: Any) -> Judging:
    """The judge of these games, which lie in a file."""
    path = folder / "games.jsonl"
    path.write_text("".join(f"{game.to_json()}\n" for game in games))
    return Judging(Settings(games[0].environment, reference, **{"worlds": 2, "moves": 1, **settings}), [path])


def gain_of(seats: pd.DataFrame) -> Mean:
    """The mean gain of a judged seat in a game."""
    return clustered_mean(seats["gain"], seats["deal"])


def agree(gain: Mean, winners: Mean) -> bool:
    """Whether two independent estimates differ by less than twice their interval."""
    return abs(gain.value - winners.value) < np.hypot(gain.high - gain.low, winners.high - winners.low)


def test_a_player_that_does_as_the_reference_gains_exactly_nothing(tmp_path: Path) -> None:
    seats = judging(played([WARY], [0, 0, 0], 30), tmp_path, agents=(WARY.name,)).seats()
    assert (seats["choices"] == 0).all()
    gain = gain_of(seats)
    assert (gain.value, gain.low, gain.high) == (0, 0, 0)
    assert (len(seats), gain.blocks) == (90, 30)


def test_who_plays_as_the_reference_with_other_luck_gains_nothing(tmp_path: Path) -> None:
    games = played([WARY, OtherLuck(WARY)], [0, 1, 0], 400)
    seats = judging(games, tmp_path, worlds=4, moves=2).seats()
    assert seats["gain"].std() > 0.05
    assert gain_of(seats).low < 0 < gain_of(seats).high


@pytest.mark.slow
@pytest.mark.compiled
def test_intervals_hold_the_known_gain_as_often_as_they_say(tmp_path: Path) -> None:
    """Of 100 comparisons of 40 games in which the true gain is 0, some 95 intervals hold it."""
    games = played([WARY, OtherLuck(WARY)], [0, 1, 0], 4000)
    seats = judging(games, tmp_path, worlds=4, moves=2).seats()
    gains = [gain_of(seats[first : first + 40]) for first in range(0, 4000, 40)]
    assert 88 <= sum(gain.low <= 0 <= gain.high for gain in gains) <= 99


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("reference", [WARY, COUNTING], ids=lambda agent: agent.name.rpartition(":")[2])
def test_one_seat_gains_what_winners_say(reference: Agent, tmp_path: Path) -> None:
    agents, seats, deals = [reference, UNIFORM], [0, 1, 0], 20_000
    gain = gain_of(judging(played(agents, seats, 2000), tmp_path, reference.name, worlds=8, moves=4).seats())
    more = wins(agents, seats, deals) - wins(agents, [0, 0, 0], deals)
    assert gain.high < 0
    assert agree(gain, clustered_mean(more[:, 1], range(deals)))


@pytest.mark.slow
@pytest.mark.compiled
def test_a_bold_liar_loses_as_by_winners_and_fewer_games_tell_it(tmp_path: Path) -> None:
    hunt, usual, liar = find_game("riverbed_hunt"), RULE_BASED, find_agent("bold_liar", "riverbed_hunt")
    deals, some = 4000, 60
    seats = np.zeros((deals, 7), np.int64)
    before = hunt.returns(play_seated(hunt, [usual], seats, np.arange(deals), SEED, num_players=7).games, 7)[:, 0] > 0
    seats[:, 0] = 1
    after = hunt.returns(play_seated(hunt, [usual, liar], seats, np.arange(deals), SEED, num_players=7).games, 7)
    winners = clustered_mean((after[:, 0] > 0).astype(float) - before, range(deals))
    games = played([usual, liar], [1, *[0] * 6], some, hunt.id)
    gain = gain_of(judging(games, tmp_path, usual.name, worlds=32, moves=8).seats())
    assert agree(gain, winners)
    assert (gain.high - gain.low) * np.sqrt(some) < (winners.high - winners.low) * np.sqrt(deals) / 1.5


def test_it_repeats_itself_by_its_seed_whatever_else_is_judged(tmp_path: Path) -> None:
    games, settings = played([WARY, UNIFORM], [0, 1, 0], 12), {"worlds": 3, "seed": 7}
    first, again, other = (
        judging(some, tmp_path, **{**settings, "seed": seed}).seats()
        for some, seed in ((games, 7), ([*played([WARY, UNIFORM], [1, 0], 1), *games], 7), (games, 8))
    )
    pd.testing.assert_frame_equal(again[1:].reset_index(drop=True), first, check_exact=True)
    assert gain_of(first).value != gain_of(other).value


def test_players_of_any_kind_are_judged_by_what_they_did(tmp_path: Path) -> None:
    def highest(observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], *_: object) -> npt.NDArray[np.int64]:
        return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), np.int64)

    games = played([WARY, PythonAgent("a person", highest)], [1, 0, 0], 10)
    seats = judging(games, tmp_path).seats()
    assert (seats["agent"] == "a person").all()
    assert seats["seat"].tolist() == [0] * 10
    asked = [sum(int(batch.seat[0]) == 0 for batch in game.replay()) for game in games]
    assert (seats["choices"] <= asked).all()
    assert seats["choices"].sum() > 0
    same = [game.actions == other.actions for game, other in zip(games, played([WARY], [0, 0, 0], 10))]
    assert (seats["choices"] == 0).tolist() == same


@pytest.mark.slow  # compiles two games of agents
@pytest.mark.parametrize(
    ("seats", "game", "name"), [([0, 1], "deep_river", "greedy"), ([0, 1], "river_rats", "simple")]
)
def test_other_games_are_judged_too(seats: list[int], game: str, name: str, tmp_path: Path) -> None:
    usual = find_agent(name, game)
    found = judging(played([usual, UNIFORM], seats, 2, game), tmp_path, name).seats()
    assert found["choices"].sum() > 0
    assert (found["gain"].abs() <= found["choices"]).all()


def test_what_cannot_be_judged_is_said(tmp_path: Path) -> None:
    games, random = (played([WARY, UNIFORM], seats, 2) for seats in ([0, 1, 0], [1, 1, 0]))
    (tmp_path / "mine.py").write_text("def first(observation, mask, memory, rng):\n    return int(mask.argmax())\n")
    named = [replace(game, agents=("someone", WARY.name, WARY.name)) for game in random]
    for wrong, settings, said in (
        (named, {}, "an agent didn't act as it does under its name"),
        ([replace(games[0], agents=("random",))], {}, "doesn't name its 3 agents"),
        ([replace(games[0], actions=(*games[0].actions, 1))], {}, "ends after"),
        (games, {"worlds": 0}, "worlds must be"),
        (games, {"moves": -1}, "moves must be"),
        (games, {"reference": f"{tmp_path / 'mine.py'}:first"}, "isn't one"),
    ):
        with pytest.raises(OptionError, match=said):
            judging(wrong, tmp_path, **settings).seats()


@pytest.mark.parametrize("deals", [19, 20])
def test_few_deals_give_no_interval_and_none_exceeds_what_can_be(deals: int) -> None:
    gains = [0.9] * (deals - 1) + [-0.9]
    seats = pd.DataFrame({"gain": gains, "winners": [1.0] * (deals - 1) + [-1.0], "deal": range(deals), "choices": 1})
    seats = seats.assign(deeds=seats["gain"], claims=np.nan)
    row = _row(seats)
    if deals < FEWEST_DEALS:
        assert np.isinf([row["gain_low"], row["gain_high"], row["winners_low"]]).all()
        assert np.isnan(row["needed"])
    else:
        assert -1 <= row["gain_low"] < row["gain"] < row["gain_high"] <= 1
        assert row["winners_high"] == 1


def test_deeds_and_claims_are_parts_of_the_gain_and_a_talker_loses_by_claims_alone(tmp_path: Path) -> None:
    games = [
        replace(game, actions=game.actions[:160], returns=())
        for game in played([RULE_BASED, OtherTalk()], [0, 1, 0, 0], 3, "riverbed_hunt_v1", talk="claims")
    ]
    both = judging(games, tmp_path, RULE_BASED.name, worlds=4, moves=2).seats()
    assert (both["deeds"] == 0).all()
    assert (both["claims"] == both["gain"]).all()
    assert (both["choices"] > 0).all()
    row = _row(both)
    assert row["claims"] == row["gain"] != 0
    silent = judging(played([WARY, UNIFORM], [0, 1, 0], 2), tmp_path).seats()
    assert silent[["deeds", "claims"]].isna().all(axis=None)


def test_it_is_said_where_winners_tell_more() -> None:
    line = {"setup": "s", "group": EVERY_SEAT, "name": "", "games": 30, "choices": 9, "gain": 0.1, "winners": 0.1}
    rows = pd.DataFrame([
        {**line, "agent": "talker", "needed": 900.0, "needed_by_winners": 300.0},
        {**line, "agent": "doer", "needed": 200.0, "needed_by_winners": 300.0},
    ])  # fmt: skip
    assert told_by_winners(rows) == "Winners tell more than choices of talker: read theirs."
    assert told_by_winners(rows[1:]) == ""
