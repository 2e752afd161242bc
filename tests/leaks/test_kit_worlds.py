"""On a plain card game, paired worlds find every kind of planted leak, and nothing where there is none."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium.spaces
import numpy as np
import pytest
from gymnasium.utils import EzPickle
from pettingzoo import ParallelEnv
from toy import DRAW, NAMES, OpenCards, after, knows, twin

from riverbed_env.testing.leaks import (
    BlindnessError,
    Channels,
    Disclosure,
    Follow,
    Leak,
    NoTwinError,
    Report,
    SideEffectError,
    Step,
    TwinError,
    aec_channels,
    as_aec,
    copy_env,
    paired_games_test,
    paired_worlds_test,
)

FOLLOW = Follow(knows=knows)


def channels() -> Channels:
    return aec_channels(
        words={
            "words": lambda env, agent: env.tell(agent),
            "complaint": complaint,
            "replay": lambda env, agent: list(env.story),
        }
    )


def complaint(env: OpenCards, agent: str) -> str:
    """What an agent hears that lays a card it doesn't hold."""
    missing = next(card for card in range(DRAW) if card not in env.hands[agent])
    try:
        copy.deepcopy(env).step(missing)
    except ValueError as error:
        return str(error) if agent == env.agent_selection else ""
    return ""


def search(make: Callable[[], Any], **options: Any) -> Report:
    return paired_worlds_test(make, **{"twin": twin, "games": 15, "channels": channels(), "follow": FOLLOW, **options})


# --- without a leak ------------------------------------------------------------------------------------------------


def test_a_game_without_leaks_passes() -> None:
    report = search(OpenCards)
    assert report.leaks == []
    assert report.compared > 100
    assert {"hands", "pile"} <= report.varied.keys()
    assert report.ends["told"] > 0
    assert report.ends["over"] > 0
    assert "no leak found" in str(report)


def test_games_built_in_pairs_pass() -> None:
    report = paired_games_test(paired, NAMES, follow=FOLLOW, channels=channels())
    assert report.varied["hands"] > 30
    assert report.decisions > 100


def paired(agent: str, rng: np.random.Generator, make: Callable[[], OpenCards] = OpenCards) -> tuple[Any, Any]:
    """Two deals, by seeds alone, in which an agent has the same hand."""
    one = make()
    one.reset(seed=int(rng.integers(2**31)))
    while True:
        two = make()
        two.reset(seed=int(rng.integers(2**31)))
        if two.hands[agent] == one.hands[agent]:
            return one, two


# --- planted leaks -------------------------------------------------------------------------------------------------


class HandSeen(OpenCards):
    """The next player's cards among those that lie open."""

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        seen["observation"]["open"][1] |= self.marks(self.hands[after(agent)])
        return seen


class SkipsTheWeak(OpenCards):
    """Who holds low cards alone isn't asked first."""

    def go_on(self, agent: str) -> None:
        super().go_on(agent)
        asked = self.agent_selection
        if max(self.hands[asked], default=0) < 3 and self.hands[after(asked)] and not any(self.terminations.values()):
            self.agent_selection = after(asked)


class StoryOfDraws(OpenCards):
    """The replay says which card was drawn: nothing is to be seen before somebody draws."""

    def step(self, action: int | None) -> None:
        top = self.pile[-1] if self.pile else None
        super().step(action)
        if action == DRAW:
            self.story[-1] += f" the {top}"


class TellingRefusal(OpenCards):
    """A refusal that says where the card is."""

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if action is not None and action != DRAW and action not in self.hands[agent]:
            raise ValueError(f"{action} is in the pile" if action in self.pile else f"{action} isn't yours")
        super().step(action)


class TypeTells(OpenCards):
    """Numbers of another type where the next player's first card is odd."""

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        if sum(self.hands[after(agent)][:1]) % 2:
            seen["observation"]["sizes"] = seen["observation"]["sizes"].astype(np.int16)
        return seen


class SpaceTells(OpenCards):
    """An action space as large as the next player's best card."""

    def action_space(self, agent: str) -> Any:
        return gymnasium.spaces.Discrete(DRAW + 1 + max(self.hands[after(agent)], default=0))


class EndsEarly(OpenCards):
    """The game is cut as soon as the highest card is the last in somebody's hand."""

    def go_on(self, agent: str) -> None:
        super().go_on(agent)
        if [8] in self.hands.values():
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]


PLANTED = {
    HandSeen: "observation open",
    SkipsTheWeak: "who is asked",
    StoryOfDraws: "replay",
    TellingRefusal: "complaint",
    TypeTells: "observation sizes",
    SpaceTells: "form",
    EndsEarly: "done",
}


@pytest.mark.parametrize("make", PLANTED)
def test_a_planted_leak_is_found_and_named(make: type[OpenCards]) -> None:
    with pytest.raises(Leak) as found:
        search(make, games=40)
    assert PLANTED[make] in found.value.names
    assert found.value.differences
    assert found.value.agent in NAMES
    assert found.value.where.startswith("game ")


def test_a_picture_of_ones_own_is_compared_and_a_spectators_isnt() -> None:
    own = aec_channels(rendering=lambda env, agent: env.render())
    with pytest.raises(Leak, match="rendering"):
        search(OpenCards, channels=own)


@pytest.mark.parametrize("make", [HandSeen, StoryOfDraws, EndsEarly])
def test_a_leak_is_found_in_games_built_in_pairs(make: type[OpenCards]) -> None:
    with pytest.raises(Leak) as found:
        paired_games_test(
            lambda agent, rng: paired(agent, rng, make), NAMES, follow=FOLLOW, channels=channels(), games=30
        )
    assert PLANTED[make] in found.value.names


def test_all_leaks_can_be_collected() -> None:
    report = search(StoryOfDraws, collect=True)
    assert report.leaks
    assert report.names()["replay"] == len(report.leaks)
    assert "leaks: " in str(report)


def test_a_decoder_names_pieces() -> None:
    def pieces(value: Mapping[str, Any]) -> dict[str, Any]:
        return {f"{name} of {seat}": value[name][place] for name in ("open",) for place, seat in enumerate(NAMES)}

    with pytest.raises(Leak) as found:
        search(HandSeen, channels=aec_channels(pieces=pieces))
    assert found.value.names == ["observation open of bob"]


# --- what else can be wrong ----------------------------------------------------------------------------------------


class LookingCounts(OpenCards):
    """Each look is counted."""

    looks = 0

    def observe(self, agent: str) -> dict[str, Any]:
        self.looks += 1
        self.infos[agent] = {"looks": self.looks}
        return super().observe(agent)


def test_a_side_effect_of_observing_is_found() -> None:
    with pytest.raises(SideEffectError, match="info looks"):
        search(LookingCounts, twin=lambda env, agent, rng: None)


def test_twins_that_never_differ_prove_nothing() -> None:
    with pytest.raises(TwinError, match="none differed"):
        search(OpenCards, twin=lambda env, agent, rng: copy.deepcopy(env))


def test_without_twins_nothing_is_proved() -> None:
    with pytest.raises(NoTwinError, match="no twin at all"):
        search(OpenCards, twin=lambda env, agent, rng: None)


def test_a_twin_must_agree_in_what_the_agent_knows() -> None:
    def unfair(env: OpenCards, agent: str, rng: np.random.Generator) -> OpenCards:
        return twin(env, after(agent), rng)

    with pytest.raises(TwinError, match="already differ in what"):
        search(OpenCards, twin=unfair)


def test_who_doesnt_see_what_is_shown_is_noticed() -> None:
    follow = Follow(knows=knows, must_notice=True)
    assert search(OpenCards, follow=follow).ends["told"] > 0
    with pytest.raises(BlindnessError, match="no channel shows it"):
        search(OpenCards, follow=follow, channels=aec_channels().without("observation", "mask"))


def test_what_an_agent_alone_was_shown_may_differ_from_then_on() -> None:
    def drawn(one: Step, two: Step, agent: str) -> Disclosure:
        if one.action != DRAW:
            return Disclosure.NOTHING if knows(one.env, agent) == knows(two.env, agent) else Disclosure.OPENLY
        same = one.env.hands[agent] == two.env.hands[agent]
        return Disclosure.NOTHING if same or one.noted == two.env.hands[agent] else Disclosure.ALONE

    follow = Follow(
        told=drawn,
        note=lambda env, agent: list(env.hands[agent]),
        private=("observation hand", "mask in observation", "words"),
    )
    report = search(OpenCards, follow=follow, games=3)
    assert report.decisions > 0


def test_following_needs_either_knows_or_told() -> None:
    with pytest.raises(ValueError, match="either knows or told"):
        Follow()


def test_a_channel_that_isnt_there_cant_be_left_out() -> None:
    with pytest.raises(KeyError, match="no channel is called 'smell'"):
        aec_channels().without("smell")


# --- environments with other manners -------------------------------------------------------------------------------


class Guess(ParallelEnv):
    """Two players each hold a number and guess, at the same time, whether the other's is odd."""

    metadata = {"name": "guess_v0"}  # noqa: RUF012  # PettingZoo's way
    render_mode = None
    leaks = False

    def __init__(self) -> None:
        self.possible_agents = ["left", "right"]

    def observation_space(self, agent: str) -> Any:
        return gymnasium.spaces.Box(0, 9, (2,), np.int8)

    def action_space(self, agent: str) -> Any:
        return gymnasium.spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rounds = 0
        self.held = {agent: int(rng.integers(10)) for agent in self.agents}
        return self.seen(), {agent: {} for agent in self.agents}

    def seen(self) -> dict[str, Any]:
        total = sum(self.held.values()) if self.leaks else 0
        return {agent: np.array([self.held[agent], total % 10], np.int8) for agent in self.possible_agents}

    def step(self, actions: Mapping[str, int]) -> Any:
        self.rounds += 1
        over = self.rounds == 3
        rewards = dict.fromkeys(self.agents, 0.0)
        flags = dict.fromkeys(self.agents, over)
        infos: dict[str, Any] = {agent: {} for agent in self.agents}
        seen = self.seen()
        if over:
            self.agents = []
        return seen, rewards, flags, dict.fromkeys(flags, False), infos


class LeakyGuess(Guess):
    leaks = True


def held(env: Any, agent: str) -> int:
    return int(env.unwrapped.held[agent])


def paired_guess(make: type[Guess]) -> Callable[[str, np.random.Generator], tuple[Any, Any]]:
    """Two games from one seed, the other's number changed before the first is seen: built, not set."""

    def pair(agent: str, rng: np.random.Generator) -> tuple[Any, Any]:
        envs = []
        while len(envs) < 2:
            env = as_aec(make())
            env.reset(seed=int(rng.integers(2**31)))
            if not envs or held(env, agent) == held(envs[0], agent):
                envs.append(env)
        return envs[0], envs[1]

    return pair


def test_a_parallel_environment_is_taken_in_turns() -> None:
    follow = Follow(knows=held)
    agents = ("left", "right")
    assert paired_games_test(paired_guess(Guess), agents, follow=follow).ends["over"] == 40
    with pytest.raises(Leak, match="observation"):
        paired_games_test(paired_guess(LeakyGuess), agents, follow=follow)


# --- copies ----------------------------------------------------------------------------------------------------------


class Arguments(EzPickle, OpenCards):
    """Pickled and deep-copied as most of PettingZoo's environments are: by the arguments of the constructor."""

    def __init__(self) -> None:
        EzPickle.__init__(self)
        OpenCards.__init__(self)


def test_an_environment_that_pickles_its_arguments_alone_is_copied_as_it_stands() -> None:
    env = Arguments()
    env.reset(seed=1)
    env.step(DRAW)
    assert not hasattr(copy.deepcopy(env), "hands")
    other = copy_env(env)
    assert other.hands == env.hands
    other.step(DRAW)
    assert len(other.pile) == len(env.pile) - 1


def test_any_other_environment_is_copied_too() -> None:
    env = OpenCards()
    env.reset(seed=1)
    other = copy_env(env)
    other.step(DRAW)
    assert len(other.pile) == len(env.pile) - 1
