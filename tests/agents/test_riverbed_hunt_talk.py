"""RH-9: how the rule-based agent and the held-out talkers talk, and that they play as before where nobody talks."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED, rule_based_agent
from riverbed_agents.riverbed_hunt.talkers import BABBLER, DEAF, LIAR, MUTE, PARROT, TALKERS, TRUTHFUL
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import Event, Question, Role
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.specs import find_agent
from riverbed_lab.playing.play import lineup, play, watch

Games = npt.NDArray[np.void]

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

QUIET = rule_based_agent(talk=False)
FIRST = 6  # the feature with a tile's first element
POOL = (RULE_BASED, QUIET, *TALKERS)


def played(games: int, num_players: int, who: Agent = RULE_BASED, pool: Sequence[Agent] = POOL, **more: Any) -> Games:
    """Games in which all seats play as `who`, or, with a camp's name, only those of the camp do otherwise."""
    camps = {camp: more.pop(camp) for camp in RIVERBED_HUNT.camps if camp in more}
    seated = lineup(RIVERBED_HUNT, "x", who, **camps)
    return play(RIVERBED_HUNT, seated, np.arange(games), 3, pool=pool, num_players=num_players, **more).games


def claims_of(agent: CompiledAgent, games: int = 20, num_players: int = 5) -> Counter[str]:
    """What the agent claims about tiles and of its own camp, told apart by whether it is true."""
    batch = Batch(RIVERBED_HUNT, games, seed=5, num_players=num_players, auto_reset=False, talk="claims")
    seats = np.zeros((games, num_players), np.int64)
    said: Counter[str] = Counter()
    for _ in watch(batch, [agent], seats, np.arange(games)):
        for index in np.flatnonzero(batch.acting & (batch.games["table"]["question"] == Question.FLOOR)):
            said["asked"] += 1
            table = batch.games[index]["table"]
            said["new"] += int(table["said_count"])
    for game in batch.games:
        for speaker in range(num_players):
            own = int(game["table"]["seat_words"][speaker, speaker]) & 3
            role = int(game["private"]["role"][speaker])
            if own and role != Role.CHIEF:
                merchant = role == Role.MERCHANT
                said["camp", merchant, own == 1] += 1
            for space in range(16):
                word = int(game["table"]["tile_words"][speaker, space]) & 15
                if word:
                    tile = int(game["tile_at"][space])
                    first = int(batch.params["features"][0][tile, FIRST])
                    said["tile", (word - 1) % 4 + 1 == (first or 4)] += 1
    return said


@pytest.mark.parametrize("agent", [QUIET, MUTE], ids=["quiet", "mute"])
def test_it_says_nothing_if_told_so(agent: CompiledAgent) -> None:
    said = claims_of(agent)
    assert said["asked"] > 0
    assert said["new"] == 0


def test_the_truthful_never_lie_and_the_liar_always_does() -> None:
    truthful, liar = claims_of(TRUTHFUL), claims_of(LIAR)
    assert truthful["tile", True] > 20
    assert truthful["tile", False] == 0
    assert liar["tile", False] > 20
    assert liar["tile", True] == 0
    assert truthful["camp", True, False] == truthful["camp", False, True] == 0
    assert liar["camp", True, True] == liar["camp", False, False] == 0


def test_by_rule_everybody_claims_to_be_a_merchant_and_some_claims_are_lies() -> None:
    said = claims_of(RULE_BASED)
    assert said["camp", True, True] > 0
    assert said["camp", False, True] > 0
    assert said["camp", True, False] == said["camp", False, False] == 0
    assert min(said["tile", True], said["tile", False]) > 0


def test_the_babbler_and_the_parrot_talk() -> None:
    assert claims_of(BABBLER)["new"] > 0
    assert (played(20, 5, merchants=PARROT, talk="claims")["table"]["said_count"] > 0).all()


@pytest.mark.parametrize("agent", [QUIET, *TALKERS], ids=lambda agent: agent.name)
def test_where_nobody_talks_all_play_as_the_rule_based_agent(agent: CompiledAgent) -> None:
    assert played(30, 7).tobytes() == played(30, 7, agent).tobytes()


def test_a_deaf_one_and_a_listener_differ_only_where_something_is_said() -> None:
    heard, unheard = (played(40, 7, merchants=who, talk="claims")["table"]["winner"] for who in (RULE_BASED, DEAF))
    assert (heard != unheard).any()


def test_lookahead_plays_with_talk() -> None:
    planner = find_agent("lookahead:worlds=8,turns=2", RIVERBED_HUNT.name)
    games = played(4, 5, pool=(), separatists=planner, talk="claims")
    assert (games["table"]["said_count"] > 0).all()


@pytest.mark.parametrize(("talk", "said"), [(True, True), (False, False)])
def test_without_powers_it_declares_none_whether_or_not_it_talks(talk: bool, said: bool) -> None:
    tables = played(200, 5, rule_based_agent(powers=False, talk=talk), pool=(), talk="claims")["table"]
    assert (tables["tally"][:, [Event.HUNT, Event.CON]] == 0).all()
    assert tables["said_count"].any() == said
    assert (played(200, 5, pool=(), talk="claims")["table"]["tally"][:, [Event.HUNT, Event.CON]] > 0).any()
