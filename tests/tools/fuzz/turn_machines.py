"""The turn-based and the parallel environment in any order of calls; the twin of both is a turn-based environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from fuzz.machine import Call, CopyingMachine, answer, given, refusal
from fuzz.values import (
    DAMAGES,
    Options,
    allowed_options,
    damages,
    game_numbers,
    no_action,
    no_agent,
    of_machine,
    salts,
    seeds,
    states_of_others,
    strange,
    strange_options,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from learner.learner_kit import hashed

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, PackError, StateError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import (
    assert_same,
    forged,
    is_over,
    new_env,
    observable,
    record_of,
    split_state,
    waiting_mask,
)

Questions = dict[str, Callable[[Any, Any], Any]]

OF_AGENTS: Questions = {
    "observe": lambda env, agent: env.observe(agent),
    "render for": lambda env, agent: env.render(agent),
    "describe_state": lambda env, agent: env.describe_state(agent),
    "describe_action": lambda env, agent: env.describe_action(1, agent),
    "action_space": lambda env, agent: repr(env.action_space(agent)),
    "observation_space": lambda env, agent: repr(env.observation_space(agent)),
}
OF_BOTH: Questions = {
    **OF_AGENTS,
    "state": lambda env, agent: env.state(),
    "render": lambda env, agent: env.render(),
    "describe_events": lambda env, agent: env.describe_events(),
    "get_state": lambda env, agent: env.get_state(),
    "close": lambda env, agent: env.close(),
}


class TurnMachine(CopyingMachine):
    """What both machines share. They are dealt by a seed and a number, and the twin always by both."""

    questions: ClassVar[Questions]
    twin: TurnEnv
    course: tuple[int, int] | None = None  # the seed and the number of the game

    @initialize(options=of_machine(lambda machine: allowed_options(machine.game_id)))
    def begin(self, options: Options) -> None:
        self.options = options
        self.env, self.twin = self.new_env(), self.new()

    def new_env(self) -> Any:
        raise NotImplementedError

    def new(self) -> TurnEnv:
        return new_env(self.game_id, **self.options)

    @property
    def dealt(self) -> bool:
        return self.course is not None

    @property
    def playing(self) -> bool:
        return self.dealt and not is_over(self.twin)

    # --- dealing

    def follow(self, seed: int, number: int) -> None:
        """Deal the twin its game."""
        self.course, self.history = (seed, number), ()
        self.on_twin(lambda env: env.reset(seed=seed, options={"game_number": number}))

    @rule(seed=seeds, number=st.none() | game_numbers, then=st.integers(0, 60), salt=salts)
    def reset(self, seed: int, number: int | None, then: int, salt: int) -> None:
        """And play on into the middle of the game, where there is more to go wrong."""
        options = None if number is None else {"game_number": number}
        answered = given(lambda: self.env.reset(seed=seed, options=options))
        self.follow(seed, number or 0)
        self.check_reset(answered)
        self.play(then, salt)

    def check_reset(self, answered: Any) -> None:
        """What a reset returns."""
        assert answered is None

    @precondition(lambda self: self.dealt)
    @rule(number=st.none() | game_numbers)
    def go_on_to_another_game(self, number: int | None) -> None:
        """The next one, or that of a number."""
        assert self.course is not None
        self.env.reset(options=None if number is None else {"game_number": number})
        self.follow(self.course[0], self.course[1] + 1 if number is None else number)

    @rule(what=st.sampled_from(["seed", "options", "game_number"]), value=strange, seed=st.none() | seeds)
    def reset_wrongly(self, what: str, value: Any, seed: int | None) -> None:
        if value is None and what != "game_number":
            return
        calls: dict[str, Callable[[], object]] = {
            "seed": lambda: self.env.reset(seed=value),
            "game_number": lambda: self.env.reset(seed=seed, options={"game_number": value}),
            "options": lambda: self.env.reset(seed=seed, options=[value]),
        }
        assert what in refusal(calls[what], OptionError)

    # --- looking

    @rule(
        asked=of_machine(lambda machine: st.lists(st.sampled_from(sorted(machine.questions)), min_size=1, max_size=8)),
        agent=of_machine(lambda machine: st.sampled_from(machine.env.possible_agents)),
    )
    def look(self, asked: list[str], agent: str) -> None:
        """Questions are answered in mid-game, and refused where there is nothing to look at."""
        for question in asked:
            kind, error, _ = self.ask(question, agent)
            gone = not self.dealt or (question.startswith("last") and not self.env.agents)
            assert kind == "gives" or self.is_undrawn(question) or (gone and error is EpisodeOverError)

    def is_undrawn(self, question: str) -> bool:
        """Whether a question asks for a picture that the environment wasn't made to draw."""
        return question.startswith("render") and not self.env.render_mode

    def ask(self, question: str, agent: Any) -> Any:
        """A copy of the environment answers as the environment does."""
        said = answer(lambda: self.questions[question](self.env, agent))
        assert_same(said, answer(lambda: self.questions[question](self.env.clone(), agent)))
        return said

    @rule(question=st.sampled_from(sorted(OF_AGENTS)), agent=of_machine(lambda m: no_agent(m.env.num_players)))
    def look_at_nobody(self, question: str, agent: Any) -> None:
        if not self.is_undrawn(question):
            kind, error, words = self.ask(question, agent)
            assert kind == "raises", f"{question} of {agent!r}"
            assert not self.dealt or issubclass(error, OptionError), words

    # --- states

    def note(self) -> Any:
        return self.course

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        super().restore(state, history, note)
        self.course = note

    @precondition(lambda self: self.dealt)
    @rule(damage=damages, place=st.integers(0, 5000), more=st.binary(min_size=1, max_size=9))
    def load_a_damaged_state(self, damage: str, place: int, more: bytes) -> None:
        refusal(lambda: self.env.set_state(DAMAGES[damage](self.env.get_state(), place, more)), StateError)

    @rule(place=st.integers(0, 20))
    def load_a_state_of_another_game(self, place: int) -> None:
        states = states_of_others(self.game_id, self.env.num_players)
        refusal(lambda: self.env.set_state(states[place % len(states)]), StateError)

    # --- what holds always

    def compare(self) -> None:
        one, other = self.env.clone(), self.twin.clone()
        one.reset()
        other.reset()
        assert one.get_state() == other.get_state(), "the next game is another"


class AecMachine(TurnMachine):
    """Calls of the turn-based environment of one game."""

    env: TurnEnv
    questions: ClassVar[Questions] = {
        **OF_BOTH,
        "last": lambda env, agent: env.last(),
        "last unseen": lambda env, agent: env.last(observe=False),
        "describe_events since": lambda env, agent: env.describe_events(since=5),
        "describe_observation": lambda env, agent: env.describe_observation(env.observe(agent)),
        "look": lambda env, agent: env.look(agent),
        "params": lambda env, agent: env.params,
    }

    def new_env(self) -> TurnEnv:
        return self.new()

    def shown(self, env: TurnEnv) -> Any:
        return observable(env)

    def ask(self, question: str, agent: Any) -> Any:
        """The twin answers alike; a copy of it is asked, so that it is never looked at."""
        said = answer(lambda: self.questions[question](self.env, agent))
        assert_same(said, answer(lambda: self.questions[question](self.twin.clone(), agent)))
        return said

    @rule(seed=seeds, name=st.text(max_size=8) | st.integers() | st.none(), value=strange)
    def reset_with_an_unknown_option(self, seed: int, name: Any, value: Any) -> None:
        kind, _, words = answer(lambda: self.env.reset(seed=seed, options={name: value}))
        assert kind == "gives"
        assert words.startswith("warns: ")
        assert repr(name) in words
        self.follow(seed, 0)

    # --- playing

    def choose(self, salt: int) -> int:
        seen = self.env.observe(self.env.agent_selection)
        return hashed(seen["observation"], seen["action_mask"], salt)

    def take(self, action: int | None) -> None:
        type(self).steps += 1
        self.on_both(lambda env: env.step(action))

    @precondition(lambda self: self.playing)
    @rule(gone=st.integers(0, 9), salt=salts)
    def play_to_the_end(self, gone: int, salt: int) -> None:
        """And let some agents leave, or all."""
        while self.playing:
            self.take(self.choose(salt))
        for _ in range(min(gone, len(self.env.agents))):
            self.take(None)

    @precondition(lambda self: self.dealt)
    @rule(number=st.integers(0, 30), salt=salts)
    def iterate_and_break_off(self, number: int, salt: int) -> None:
        for turn, agent in enumerate(self.env.agent_iter(number)):
            observation, _, terminated, truncated, info = self.env.last()
            assert observation is not None
            assert agent == self.env.agent_selection == self.twin.agent_selection
            assert np.shares_memory(info["action_mask"], observation["action_mask"])
            self.take(None if terminated or truncated else self.choose(salt))
            if turn % 7 == 6:
                break

    @precondition(lambda self: self.dealt and not self.playing)
    @rule()
    def step_of_an_agent_that_is_done(self) -> None:
        if self.env.agents:
            self.take(None)
        else:
            refusal(lambda: self.env.step(None), EpisodeOverError)

    @precondition(lambda self: not self.playing)
    @rule(action=st.integers(0, 80) | strange.filter(lambda value: value is not None))
    def step_where_no_game_is_played(self, action: Any) -> None:
        refusal(lambda: self.env.step(action), EpisodeOverError)

    @precondition(lambda self: self.playing)
    @rule(action=of_machine(lambda machine: no_action(machine.env.game.actions.size)), place=st.integers(0, 200))
    def step_that_isnt_legal(self, action: Any, place: int) -> None:
        """Refused, or else the end; which illegal action it is makes no difference."""
        offender = self.env.agent_selection
        if place % 2:
            illegal = np.flatnonzero(self.env.observe(offender)["action_mask"] == 0)
            action = int(illegal[place % len(illegal)])
        if self.env.on_illegal == "raise":
            words = refusal(lambda: self.env.step(action), IllegalActionError)
            assert offender in words
            assert "legal: " in words
            return
        answer(lambda: self.env.step(action))
        self.on_twin(lambda env: env.step(0))
        assert self.env.rewards == {agent: -float(agent == offender) for agent in self.env.possible_agents}
        assert all(self.env.terminations.values())
        assert all(self.env.truncations.values())

    @precondition(lambda self: self.dealt)
    @rule(what=strange | st.integers(min_value=1000) | st.integers(max_value=-1))
    def ask_for_words_of_something_strange(self, what: Any) -> None:
        """Of an action or an observation that doesn't exist, of a negative number of events."""
        refusal(lambda: self.env.describe_action(what), OptionError)
        refusal(lambda: self.env.describe_observation(what), OptionError)
        if not isinstance(what, int) or what < 0:
            refusal(lambda: self.env.describe_events(what), OptionError)

    # --- states that may be refused

    @rule(
        state=CopyingMachine.saved,
        options=of_machine(lambda machine: allowed_options(machine.game_id, "roles", counts=False)),
        salt=salts,
    )
    def load_where_other_options_hold(self, state: Any, options: Options, salt: int) -> None:
        self.try_state(new_env(self.game_id, **{**options, "num_players": self.env.num_players}), state[0], salt)

    @rule(data=st.data(), state=CopyingMachine.saved, salt=salts)
    def load_a_forged_state(self, data: st.DataObject, state: Any, salt: int) -> None:
        env = self.new()
        env.set_state(state[0])
        record = bytearray(record_of(env).tobytes())
        for _ in range(data.draw(st.integers(1, 3))):
            record[data.draw(st.integers(0, len(record) - 1))] = data.draw(st.integers(0, 255))
        self.try_state(env, forged(state[0], body=bytes(record)), salt)

    def try_state(self, env: TurnEnv, state: bytes, salt: int) -> None:
        """Where a state is accepted, the game can be looked at and played on."""
        before = answer(env.get_state)
        kind, error, words = answer(lambda: env.set_state(state))
        if kind == "raises":
            assert issubclass(error, StateError), words
            assert answer(env.get_state) == before
            return
        for _ in range(10):
            check_observations(env)
            for question in self.questions.values():
                answer(lambda question=question: question(env, env.possible_agents[0]))
            if is_over(env):
                break
            seen = env.observe(env.agent_selection)
            answer(lambda seen=seen: env.step(hashed(seen["observation"], seen["action_mask"], salt)))

    @rule(options=of_machine(lambda machine: strange_options(machine.game_id)))
    def make_one_with_a_strange_option(self, options: Options) -> None:
        made: list[TurnEnv] = []
        kind, error, words = answer(lambda: made.append(new_env(self.game_id, **options)))
        if kind == "raises":
            assert issubclass(error, OptionError | PackError), words
            name = next(iter(options)).partition("_cycles")[0]  # max_cycles is another name of the game's own cap
            assert name in words
        for env in made:
            env.reset(seed=1)
            check_observations(env)

    def compare(self) -> None:
        assert_same(observable(self.env), observable(self.twin.clone()))
        assert self.env.get_state() == self.twin.get_state()
        check_observations(self.env)
        super().compare()


def check_observations(env: TurnEnv) -> None:
    """Observations and the full state lie in their spaces; the current seat has legal actions, the others wait."""
    assert env.state_space.contains(env.state())
    for agent in env.possible_agents:
        seen = env.observe(agent)
        mask = seen["action_mask"]
        assert env.observation_space(agent).contains(seen)
        if agent == env.agent_selection and not is_over(env):
            assert mask.any()
            assert mask[0] == 0
        else:
            np.testing.assert_array_equal(mask, waiting_mask(env.game))
        if agent in env.infos:
            np.testing.assert_array_equal(env.infos[agent]["action_mask"], mask)


class ParallelMachine(TurnMachine):
    """Calls of the parallel environment of one game. Saved states go from it to the turn-based one and back."""

    env: SimultaneousEnv
    questions: ClassVar[Questions] = {
        **OF_BOTH,
        "legal_actions": lambda env, agent: env.legal_actions(agent),
        "pending_agents": lambda env, agent: env.pending_agents(),
    }

    def new_env(self) -> SimultaneousEnv:
        env: SimultaneousEnv = entry_points(find_game(self.game_id)).parallel_env(**self.options)
        return env

    def shown(self, env: Any) -> Any:
        if isinstance(env, TurnEnv):
            return observable(env)
        return [env.get_state(), list(env.agents), [env.observe(agent) for agent in env.possible_agents]]

    def check_reset(self, answered: Any) -> None:
        self.check_returned(*answered)

    def check_returned(self, observations: Any, infos: Any) -> None:
        for agent in self.env.possible_agents:
            assert_same(observations[agent], self.env.observe(agent))
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])

    # --- playing

    def choose(self, salt: int) -> dict[str, int]:
        """A legal action of every agent, WAIT for those without a choice."""
        seen = {agent: self.env.observe(agent) for agent in self.env.possible_agents}
        return {agent: hashed(each["observation"], each["action_mask"], salt) for agent, each in seen.items()}

    def take(self, choices: dict[str, int]) -> None:
        """Those who have a choice take it in turn in the twin; at its end the game pays the same in both."""
        pending = self.env.pending_agents()
        type(self).steps += len(pending)
        observations, rewards, terminations, truncations, infos = given(lambda: self.env.step(choices))
        for agent in pending:
            assert self.twin.agent_selection == agent
            self.on_twin(lambda env, agent=agent: env.step(choices[agent]))
        self.check_returned(observations, infos)
        assert rewards == self.twin.rewards
        assert terminations == self.twin.terminations
        assert truncations == self.twin.truncations

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
        choices: dict[str, Any] = self.choose(salt)
        illegal = np.flatnonzero(self.env.observe(offender)["action_mask"] == 0)
        choices[offender] = int(illegal[place % len(illegal)]) if way == "illegal" else action
        if way == "nothing":
            del choices[offender]
        if self.env.on_illegal == "raise":
            words = refusal(lambda: self.env.step(choices), IllegalActionError)
            assert offender in words
            assert "legal: " in words
            return
        observations, rewards, terminations, truncations, _ = given(lambda: self.env.step(choices))
        assert rewards == {agent: -float(agent == offender) for agent in self.env.possible_agents}
        assert all(terminations.values())
        assert all(truncations.values())
        assert not self.env.agents
        for agent in self.env.possible_agents:
            np.testing.assert_array_equal(observations[agent]["action_mask"], waiting_mask(self.env.game))
        self.course = None

    @precondition(lambda self: self.playing)
    @rule(agent=of_machine(lambda machine: no_agent(machine.env.num_players)), salt=salts)
    def step_of_nobody(self, agent: Any, salt: int) -> None:
        try:
            choices = {**self.choose(salt), agent: 0}
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

    @precondition(lambda self: self.playing)
    @rule(salt=salts)
    def take_a_state_of_the_turn_based_environment(self, salt: int) -> None:
        """From the middle of a step: those who answered aren't asked again."""
        before, choices = self.env.get_state(), self.choose(salt)
        part = self.twin.clone()
        answer(lambda: part.step(choices[part.agent_selection]))
        self.env.set_state(part.get_state())
        assert split_state(self.env.get_state())[2] == split_state(part.get_state())[2]
        if is_over(part):
            assert not self.env.agents
        else:
            assert self.env.get_state() == part.get_state()
            assert self.env.pending_agents()[0] == part.agent_selection
        self.env.set_state(before)

    def compare(self) -> None:
        twin = self.twin.clone()
        assert split_state(self.env.get_state())[2] == split_state(twin.get_state())[2]
        assert bool(self.env.agents) == self.playing
        pending = self.env.pending_agents()
        assert bool(pending) == self.playing
        assert not pending or pending[0] == twin.agent_selection
        np.testing.assert_array_equal(self.env.state(), twin.state())
        assert self.env.state_space.contains(self.env.state())
        for agent in self.env.possible_agents:
            seen = self.env.observe(agent)
            assert self.env.observation_space(agent).contains(seen)
            np.testing.assert_array_equal(np.flatnonzero(seen["action_mask"]), self.env.legal_actions(agent))
            assert seen["action_mask"].any()
            assert bool(seen["action_mask"][0]) == (agent not in pending)
            assert_same(seen["observation"], twin.observe(agent)["observation"])
        super().compare()
