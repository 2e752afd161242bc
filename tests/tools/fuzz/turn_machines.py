"""The turn-based and the parallel environment in any order of calls; the twin of both is a turn-based environment."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from fuzz.machine import Call, CopyingMachine, Wrong, answer, given, refusal
from fuzz.values import (
    Options,
    allowed_options,
    damaged,
    game_numbers,
    no_action,
    no_agent,
    of_machine,
    salts,
    seeds,
    strange,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from learner.learner_kit import hashed

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, RiverbedError, StateError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import assert_same, is_over, new_env, observable, split_state, waiting_mask

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

    # --- states

    def note(self) -> Any:
        return self.course

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        super().restore(state, history, note)
        self.course = note

    # --- refusals

    def wrong(self) -> dict[str, Wrong]:
        env = self.env
        drawn = [name for name in sorted(OF_AGENTS) if not self.is_undrawn(name)]
        asked = st.tuples(st.sampled_from(drawn), no_agent(env.num_players))
        options = strange.filter(lambda value: value is not None).map(lambda value: [value])
        numbers = strange.map(lambda value: {"game_number": value})
        every = {
            **super().wrong(),
            "options": Wrong(options, lambda value: env.reset(seed=1, options=value), OptionError, "options"),
            "game number": Wrong(numbers, lambda value: env.reset(options=value), OptionError, "game_number"),
            "question about nobody": Wrong(
                asked, lambda pair: self.ask_strictly(*pair), OptionError if self.dealt else RiverbedError
            ),
        }
        if self.dealt:
            every["damaged state"] = Wrong(damaged(env.get_state()), env.set_state, StateError)
        return every

    def ask_strictly(self, question: str, agent: Any) -> Any:
        """Ask, and raise what the environment raises, which a copy must raise too."""
        kind, error, words = self.ask(question, agent)
        if kind == "raises":
            raise error(words)
        return kind

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
            assert not np.shares_memory(info["action_mask"], observation["action_mask"])
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

    def wrong(self) -> dict[str, Wrong]:
        env, nothing = self.env, strange | st.integers(min_value=1000) | st.integers(max_value=-1)
        since = nothing.filter(lambda value: not isinstance(value, int) or value < 0)
        action = st.integers(0, 80) | strange.filter(lambda value: value is not None)
        every = super().wrong()
        if self.dealt:
            every["action to describe"] = Wrong(nothing, env.describe_action, OptionError)
            every["events to describe"] = Wrong(since, env.describe_events, OptionError)
        if not self.playing:
            every["step where no game is played"] = Wrong(action, env.step, EpisodeOverError)
        return every

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

    def wrong(self) -> dict[str, Wrong]:
        env, every = self.env, super().wrong()
        choices = st.dictionaries(st.sampled_from(["player_0", "nobody"]), st.integers(0, 60)) | strange
        if not self.playing:
            every["step where no game is played"] = Wrong(choices, env.step, EpisodeOverError)
            return every
        hashable = no_agent(env.num_players).filter(lambda agent: getattr(agent, "__hash__", None) is not None)
        stranger = hashable.map(lambda agent: {**self.choose(0), agent: 0})
        every["step of nobody"] = Wrong(stranger, env.step, OptionError)
        if env.on_illegal == "raise":
            no_choices = strange.filter(lambda value: not isinstance(value, dict))
            every["step without choices"] = Wrong(no_choices, env.step, (IllegalActionError, OptionError))
        return every

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
