"""The parallel environment in any order of calls, beside the turn-based one that plays the same games.

Both play the same game for the same choices, and saved states go from one to the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from fuzz.fuzz_answers import answer, refusal
from fuzz.fuzz_values import (
    COPIERS,
    DAMAGES,
    Options,
    allowed_options,
    copiers,
    damages,
    game_numbers,
    no_action,
    no_agent,
    of_machine,
    salts,
    seeds,
    states_of_others,
    strange,
    wrong_numbers,
    wrong_seeds,
)
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule
from learner.learner_kit import hashed

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, StateError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import assert_same, is_over, new_env, split_state, waiting_mask

Choices = dict[str, int]


@dataclass(frozen=True)
class Course:
    """How a game came to where it is: its seed, its number and in each step the choices of those who had one."""

    seed: int
    number: int
    steps: tuple[Choices, ...] = ()


QUESTIONS: dict[str, Callable[[SimultaneousEnv, Any], Any]] = {
    "observe": lambda env, agent: env.observe(agent),
    "legal_actions": lambda env, agent: env.legal_actions(agent),
    "pending_agents": lambda env, agent: env.pending_agents(),
    "state": lambda env, agent: env.state(),
    "render": lambda env, agent: env.render(agent),
    "describe_state": lambda env, agent: env.describe_state(agent),
    "describe_events": lambda env, agent: env.describe_events(),
    "describe_action": lambda env, agent: env.describe_action(1, agent),
    "get_state": lambda env, agent: env.get_state(),
    "close": lambda env, agent: env.close(),
}


class ParallelMachine(RuleBasedStateMachine):
    """Calls of the parallel environment of one game."""

    game_id: ClassVar[str]
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    saved = Bundle("saved")
    env: SimultaneousEnv
    turns: TurnEnv

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1
        self.course: Course | None = None

    @initialize(options=of_machine(lambda machine: allowed_options(machine.game_id)))
    def begin(self, options: Options) -> None:
        self.options = options
        self.env = entry_points(find_game(self.game_id)).parallel_env(**options)
        self.turns = new_env(self.game_id, **options)

    @property
    def dealt(self) -> bool:
        return self.course is not None

    @property
    def playing(self) -> bool:
        return self.dealt and not is_over(self.turns)

    def follow(self, course: Course) -> None:
        """The turn-based game of a course."""
        self.course = course
        answer(lambda: self.turns.reset(seed=course.seed, options={"game_number": course.number}))
        for choices in course.steps:
            self.take_turns(choices)

    def take_turns(self, choices: Choices) -> None:
        """The choices of a step, in turn; those who have none aren't asked."""
        for agent, action in choices.items():
            assert self.turns.agent_selection == agent
            answer(lambda action=action: self.turns.step(action))

    # --- dealing

    @rule(seed=seeds, number=st.none() | game_numbers, then=st.integers(0, 40), salt=salts)
    def reset(self, seed: int, number: int | None, then: int, salt: int) -> None:
        """And play on into the middle of the game, where there is more to go wrong."""
        options = None if number is None else {"game_number": number}
        kind, value, words = answer(lambda: self.env.reset(seed=seed, options=options))
        assert kind == "gives", words
        self.follow(Course(seed, number or 0))
        self.told(*value)
        self.play(then, salt)

    @precondition(lambda self: self.dealt)
    @rule()
    def reset_to_the_next_game(self) -> None:
        assert self.course is not None
        self.env.reset()
        self.follow(Course(self.course.seed, self.course.number + 1))

    @rule(seed=wrong_seeds)
    def reset_with_a_wrong_seed(self, seed: Any) -> None:
        assert "seed" in refusal(lambda: self.env.reset(seed=seed), OptionError)

    @rule(number=wrong_numbers)
    def reset_to_a_wrong_number(self, number: Any) -> None:
        assert "game_number" in refusal(lambda: self.env.reset(options={"game_number": number}), OptionError)

    # --- playing

    def choices(self, salt: int) -> Choices:
        """A legal action of every agent, WAIT for those without a choice."""
        chosen = {}
        for agent in self.env.possible_agents:
            seen = self.env.observe(agent)
            chosen[agent] = hashed(seen["observation"], seen["action_mask"], salt)
        return chosen

    @precondition(lambda self: self.playing)
    @rule(number=st.integers(1, 30), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            if not self.playing:
                break
            self.take(self.choices(salt))

    def take(self, choices: Choices) -> None:
        """Legal choices in both; at its end the game pays the same in both."""
        assert self.course is not None
        asked = {agent: choices[agent] for agent in self.env.pending_agents()}
        type(self).steps += len(asked)
        kind, value, words = answer(lambda: self.env.step(choices))
        assert kind == "gives", words
        self.take_turns(asked)
        self.course = Course(self.course.seed, self.course.number, (*self.course.steps, asked))
        observations, rewards, terminations, truncations, infos = value
        self.told(observations, infos)
        assert rewards == self.turns.rewards
        assert terminations == self.turns.terminations
        assert truncations == self.turns.truncations

    def told(self, observations: Any, infos: Any) -> None:
        for agent in self.env.possible_agents:
            assert_same(observations[agent], self.env.observe(agent))
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])

    @precondition(lambda self: self.playing)
    @rule(
        action=of_machine(lambda machine: no_action(machine.env.game.actions.size)),
        place=st.integers(0, 200),
        salt=salts,
        seat=st.integers(0, 5),
        way=st.sampled_from(["nothing", "illegal", "strange"]),
    )
    def step_that_isnt_legal(self, action: Any, place: int, salt: int, seat: int, way: str) -> None:
        offender = self.env.possible_agents[seat % self.env.num_players]
        choices: dict[str, Any] = self.choices(salt)
        illegal = np.flatnonzero(self.env.observe(offender)["action_mask"] == 0)
        choices[offender] = int(illegal[place % len(illegal)]) if way == "illegal" else action
        if way == "nothing":
            del choices[offender]
        if self.env.on_illegal == "raise":
            words = refusal(lambda: self.env.step(choices), IllegalActionError)
            assert offender in words
            assert "legal: " in words
            return
        kind, value, words = answer(lambda: self.env.step(choices))
        assert kind == "gives", words
        assert value[1] == {agent: -float(agent == offender) for agent in self.env.possible_agents}
        assert all(value[2].values())
        assert all(value[3].values())
        assert not self.env.agents
        for agent in self.env.possible_agents:
            np.testing.assert_array_equal(value[0][agent]["action_mask"], waiting_mask(self.env.game))
        self.course = None

    @precondition(lambda self: self.playing)
    @rule(agent=of_machine(lambda machine: no_agent(machine.env.num_players)), salt=salts)
    def step_of_nobody(self, agent: Any, salt: int) -> None:
        try:
            choices = {**self.choices(salt), agent: 0}
        except TypeError:  # what can't be a key
            return
        if agent not in self.env.possible_agents:
            refusal(lambda: self.env.step(choices), OptionError)

    @precondition(lambda self: self.playing)
    @rule(choices=strange.filter(lambda value: not isinstance(value, dict)))
    def step_with_no_choices(self, choices: Any) -> None:
        if self.env.on_illegal == "raise":
            refusal(lambda: self.env.step(choices), IllegalActionError, OptionError)

    @precondition(lambda self: not self.playing)
    @rule(choices=st.dictionaries(st.sampled_from(["player_0", "nobody"]), st.integers(0, 60)) | strange)
    def step_where_no_game_is_played(self, choices: Any) -> None:
        refusal(lambda: self.env.step(choices), EpisodeOverError)

    # --- looking

    @rule(question=st.sampled_from(sorted(QUESTIONS)), seat=st.integers(0, 5))
    def look(self, question: str, seat: int) -> None:
        agent = self.env.possible_agents[seat % self.env.num_players]
        said = answer(lambda: QUESTIONS[question](self.env, agent))
        assert said[0] == "gives" or said[1] is EpisodeOverError
        assert_same(said, answer(lambda: QUESTIONS[question](self.env.clone(), agent)))

    @rule(agent=of_machine(lambda machine: no_agent(machine.env.num_players)))
    def look_at_nobody(self, agent: Any) -> None:
        for question in ("observe", "legal_actions", "describe_state"):
            kind, error, words = answer(lambda question=question: QUESTIONS[question](self.env, agent))
            assert kind == "raises"
            assert issubclass(error, OptionError | EpisodeOverError), words

    # --- copies and states

    @rule(copier=copiers)
    def go_on_with_a_copy(self, copier: str) -> None:
        self.env = COPIERS[copier](self.env)

    @precondition(lambda self: self.dealt)
    @rule(target=saved)
    def save(self) -> Any:
        return self.env.get_state(), self.course

    @rule(kept=saved)
    def load(self, kept: Any) -> None:
        self.env.set_state(kept[0])
        self.follow(kept[1])

    @precondition(lambda self: self.playing)
    @rule(salt=salts)
    def take_a_state_of_the_turn_based_environment(self, salt: int) -> None:
        """From the middle of a step: those who answered aren't asked again."""
        assert self.course is not None
        before, choices = self.env.get_state(), self.choices(salt)
        part = self.turns.clone()
        answer(lambda: part.step(choices[part.agent_selection]))
        self.env.set_state(part.get_state())
        assert split_state(self.env.get_state())[2] == split_state(part.get_state())[2]
        if is_over(part):
            assert not self.env.agents
        else:
            assert self.env.get_state() == part.get_state()
            assert self.env.pending_agents()[0] == part.agent_selection
        self.env.set_state(before)

    @precondition(lambda self: self.dealt)
    @rule(damage=damages, place=st.integers(0, 5000), more=st.binary(min_size=1, max_size=9))
    def load_a_damaged_state(self, damage: str, place: int, more: bytes) -> None:
        refusal(lambda: self.env.set_state(DAMAGES[damage](self.env.get_state(), place, more)), StateError)

    @rule(place=st.integers(0, 20), state=strange, others=st.booleans())
    def load_what_isnt_of_the_game(self, place: int, state: Any, others: bool) -> None:
        states = states_of_others(self.game_id, self.env.num_players)
        refusal(lambda: self.env.set_state(states[place % len(states)] if others else state), StateError)

    # --- what holds always

    @invariant()
    def both_play_the_same_game(self) -> None:
        type(self).calls += 1
        if not self.dealt:
            return
        assert split_state(self.env.get_state())[2] == split_state(self.turns.get_state())[2]
        assert bool(self.env.agents) == self.playing
        pending = self.env.pending_agents()
        assert bool(pending) == self.playing
        assert not pending or pending[0] == self.turns.agent_selection
        np.testing.assert_array_equal(self.env.state(), self.turns.clone().state())
        one, other = self.env.clone(), self.turns.clone()
        one.reset()
        other.reset()
        assert one.get_state() == other.get_state(), "the next game is another"
        assert self.env.state_space.contains(self.env.state())
        for agent in self.env.possible_agents:
            seen = self.env.observe(agent)
            assert self.env.observation_space(agent).contains(seen)
            np.testing.assert_array_equal(np.flatnonzero(seen["action_mask"]), self.env.legal_actions(agent))
            assert seen["action_mask"].any()
            assert bool(seen["action_mask"][0]) == (agent not in pending)
            assert_same(seen["observation"], self.turns.clone().observe(agent)["observation"])
