"""What `statements` says of claims: whether they are true, who knows, and what others believe."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.games.riverbed_hunt.rules.vocab import Role, Verb
from riverbed_env.games.riverbed_hunt.words.claims import speak
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import watch
from riverbed_lab.playing.statements import Checked, Statement, statements

pytestmark = pytest.mark.slow  # compiles agents

HUNT = find_game("riverbed_hunt_v1")
PLAYERS, GAMES = 5, 2
SEATS, NUMBERS = np.zeros((GAMES, PLAYERS), int), np.arange(GAMES)


@cache
def played(agent: str) -> tuple[list[Statement], list[Checked]]:
    batch = make_batch(HUNT.id, GAMES, num_players=PLAYERS, seed=3, talk="claims", auto_reset=False)
    told = list(statements(batch, [find_agent(agent, HUNT.name)], SEATS, NUMBERS))
    return [each for each in told if isinstance(each, Statement)], [each for each in told if isinstance(each, Checked)]


def test_every_claim_of_the_games_is_told_once_in_order() -> None:
    batch = make_batch(HUNT.id, GAMES, num_players=PLAYERS, seed=3, talk="claims", auto_reset=False)
    for _ in watch(batch, [find_agent("babbler", HUNT.name)], SEATS, NUMBERS):
        pass
    for index in range(GAMES):
        said = [each for each in played("babbler")[0] if each.game == index]
        assert len(said) == int(batch.games[index]["table"]["said_count"])
        told = [line for line in HUNT.words.describe_events(batch.pack, batch.games[index]) if "says: " in line]
        assert [f"player_{each.speaker} says: {speak(each.claim)}" for each in said[-len(told) :]] == told


def test_the_truthful_tell_the_truth_and_liars_lie_of_what_they_know() -> None:
    for agent, true in (("truthful", True), ("liar", False)):
        made, checked = played(agent)
        assert {each.true for each in made if each.known} == {true}
        guessed = [each for each in made if not each.known]  # of others' camps, by what the speaker believes
        assert {each.claim.verb for each in guessed} <= {Verb.OF_MERCHANTS, Verb.OF_SEPARATISTS, Verb.OF_PROFITEER}
        assert {each.true for each in checked if Verb.BEARS_KELP <= each.claim.verb <= Verb.BEARS_NONE} == {true}


@pytest.mark.parametrize("agent", ["babbler", "truthful"])
def test_what_comes_out_was_claimed_before_and_stood_until_then(agent: str) -> None:
    made, checked = played(agent)
    assert {each.claim.verb >= Verb.BEARS_KELP for each in checked} == {True, False}
    assert len({(each.game, each.turn, each.speaker, each.claim) for each in checked}) == len(checked)
    for out in checked:
        assert out.since <= out.turn
        told = [each for each in made if (each.game, each.speaker, each.turn) == (out.game, out.speaker, out.since)]
        if out.claim.verb >= Verb.BEARS_KELP:  # of the tile, wherever it was swapped to
            assert out.claim.verb in [each.claim.verb for each in told]
        else:
            assert any(each.claim.about in (-1, out.claim.about) for each in told)
        later = [each for each in made if each[:3:2] == out[:3:2] and out.since < each.turn <= out.turn]
        assert out.claim not in [each.claim for each in later]
        if out.claim.verb < Verb.BEARS_KELP:
            assert out.claim.about not in [each.claim.about for each in later if each.claim.verb <= Verb.OF_PROFITEER]


def test_of_babble_some_is_true_some_false_and_some_neither() -> None:
    made, _ = played("babbler")
    assert {each.true for each in made} == {True, False, None}
    for each in made:
        neither = each.claim.verb >= Verb.PROMISE_KELP
        assert (each.true is None) == neither
        if each.claim.about in (-1, each.speaker):
            assert each.known
        if each.claim.verb == Verb.LEADER:
            assert each.true == (each.role == Role.LEADER)


@pytest.mark.parametrize("agent", ["babbler", "truthful"])
def test_beliefs_are_shares_and_a_public_role_is_believed_whatever_is_said(agent: str) -> None:
    made, _ = played(agent)
    for each in made:
        assert min(*each.trust, *each.grasp) >= 0
        assert max(*each.trust, *each.grasp) <= 100 + 1e-9
        if each.role == Role.CHIEF:
            assert each.trust == pytest.approx((100, 100))
    assert any(abs(each.trust[1] - each.trust[0]) > 0.1 for each in made)
