"""The turn-based environment in any order of calls, beside a second one that only ever gets what changes the game.

Both must show the same after every call. The second one is never observed (copies of it are), never refuses anything
and never sees a saved state: after `set_state` it is played anew from the seed, the number and the actions. So what
shows here is any effect of looking, of an error, of copying and of saving.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
    strange_options,
)
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule
from learner.learner_kit import hashed

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, PackError, StateError
from riverbed_env.testing.conformance.kit import (
    assert_same,
    forged,
    is_over,
    new_env,
    observable,
    record_of,
    waiting_mask,
)


@dataclass(frozen=True)
class Course:
    """How a game came to where it is: its seed, its number, what was done, and how many agents are gone since."""

    seed: int
    number: int
    actions: tuple[int | None, ...] = field(default=())

    def played(self, env: TurnEnv) -> TurnEnv:
        """The environment after this course."""
        env.reset(seed=self.seed, options={"game_number": self.number})
        for action in self.actions:
            env.step(action)
        return env

    def then(self, action: int | None) -> Course:
        return replace(self, actions=(*self.actions, action))


QUESTIONS: dict[str, Callable[[TurnEnv, Any], Any]] = {
    "observe": lambda env, agent: env.observe(agent),
    "last": lambda env, agent: env.last(),
    "last unseen": lambda env, agent: env.last(observe=False),
    "state": lambda env, agent: env.state(),
    "render": lambda env, agent: env.render(),
    "render for": lambda env, agent: env.render(agent),
    "describe_state": lambda env, agent: env.describe_state(agent),
    "describe_events": lambda env, agent: env.describe_events(),
    "describe_events since": lambda env, agent: env.describe_events(since=5),
    "describe_action": lambda env, agent: env.describe_action(1, agent),
    "describe_observation": lambda env, agent: env.describe_observation(env.observe(agent)),
    "look": lambda env, agent: env.look(agent),
    "get_state": lambda env, agent: env.get_state(),
    "params": lambda env, agent: env.params,
    "close": lambda env, agent: env.close(),
    "action_space": lambda env, agent: repr(env.action_space(agent)),
    "observation_space": lambda env, agent: repr(env.observation_space(agent)),
}
OF_AGENTS = ["observe", "render for", "describe_state", "describe_action", "look", "action_space", "observation_space"]
questions = st.sampled_from(sorted(QUESTIONS))


agents = of_machine(lambda machine: st.sampled_from(machine.env.possible_agents))
no_agents = of_machine(lambda machine: no_agent(machine.env.num_players))


class AecMachine(RuleBasedStateMachine):
    """Calls of the turn-based environment of one game."""

    game_id: ClassVar[str]
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    saved = Bundle("saved")

    env: TurnEnv
    twin: TurnEnv

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1
        self.course: Course | None = None
        self.left: list[tuple[TurnEnv, dict[str, Any]]] = []  # copies left behind, and what they showed

    @initialize(options=of_machine(lambda machine: allowed_options(machine.game_id)))
    def begin(self, options: Options) -> None:
        self.options = options
        self.env, self.twin = self.new(), self.new()

    def new(self, **other: Any) -> TurnEnv:
        return new_env(self.game_id, **{**self.options, **other})

    # --- what a rule may ask before it runs

    @property
    def dealt(self) -> bool:
        return self.course is not None

    @property
    def playing(self) -> bool:
        return self.dealt and not is_over(self.twin)

    @property
    def over(self) -> bool:
        return self.dealt and is_over(self.twin)

    def legal(self) -> Any:
        agent = self.env.agent_selection
        return np.flatnonzero(self.env.observe(agent)["action_mask"])

    def take(self, action: int | None) -> None:
        """The same legal action in both."""
        assert self.course is not None
        type(self).steps += 1
        assert_same(answer(lambda: self.env.step(action)), answer(lambda: self.twin.step(action)))
        self.course = self.course.then(action)

    # --- dealing

    @rule(seed=seeds, number=st.none() | game_numbers, then=st.integers(0, 80), salt=salts)
    def reset(self, seed: int, number: int | None, then: int, salt: int) -> None:
        """And play on into the middle of the game, where there is more to go wrong."""
        options = None if number is None else {"game_number": number}
        for env in (self.env, self.twin):
            answer(lambda env=env: env.reset(seed=seed, options=options))
        self.course = Course(seed, number or 0)
        self.play(then, salt)

    @precondition(lambda self: self.dealt)
    @rule(number=st.none() | game_numbers)
    def go_on_to_another_game(self, number: int | None) -> None:
        """The next one, or that of a number."""
        assert self.course is not None
        self.env.reset(options=None if number is None else {"game_number": number})
        self.course = Course(self.course.seed, self.course.number + 1 if number is None else number)
        self.course.played(self.twin)

    @rule(seed=seeds, name=st.text(max_size=8) | st.integers() | st.none(), value=strange)
    def reset_with_an_unknown_option(self, seed: int, name: Any, value: Any) -> None:
        kind, _, words = answer(lambda: self.env.reset(seed=seed, options={name: value}))
        assert kind == "gives"
        assert words.startswith("warns: ")
        assert repr(name) in words
        self.course = Course(seed, 0)
        self.course.played(self.twin)

    @rule(what=st.sampled_from(["seed", "options", "game_number"]), value=strange, fine=st.none() | seeds)
    def reset_wrongly(self, what: str, value: Any, fine: int | None) -> None:
        if value is None and what != "game_number":
            return
        calls: dict[str, Callable[[], None]] = {
            "seed": lambda: self.env.reset(seed=value),
            "game_number": lambda: self.env.reset(seed=fine, options={"game_number": value}),
            "options": lambda: self.env.reset(seed=fine, options=[value]),  # type: ignore[arg-type]  # wrong on purpose
        }
        assert what in refusal(calls[what], OptionError)

    # --- playing

    @precondition(lambda self: self.playing)
    @rule(place=st.integers(0, 200))
    def step(self, place: int) -> None:
        legal = self.legal()
        self.take(int(legal[place % len(legal)]))

    @precondition(lambda self: self.playing)
    @rule(number=st.integers(1, 80), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            if is_over(self.twin):
                break
            seen = self.env.observe(self.env.agent_selection)
            self.take(hashed(seen["observation"], seen["action_mask"], salt))

    @precondition(lambda self: self.playing)
    @rule(gone=st.integers(0, 9), salt=salts)
    def play_to_the_end(self, gone: int, salt: int) -> None:
        """And let some agents leave, or all."""
        while not is_over(self.twin):
            self.play(80, salt)
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
            over = terminated or truncated
            self.take(None if over else hashed(observation["observation"], observation["action_mask"], salt))
            if turn % 7 == 6:
                break

    @precondition(lambda self: self.over)
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
        illegal = np.setdiff1d(np.arange(self.env.game.actions.size), self.legal())
        self.offend(int(illegal[place % len(illegal)]) if place % 2 else action)

    def offend(self, action: Any) -> None:
        """An illegal action: refused, or else the end; which one it is makes no difference."""
        assert self.course is not None
        offender = self.env.agent_selection
        if self.env.on_illegal == "raise":
            words = refusal(lambda: self.env.step(action), IllegalActionError)
            assert offender in words
            assert "legal: " in words
            return
        answer(lambda: self.env.step(action))
        answer(lambda: self.twin.step(0))
        self.course = self.course.then(0)
        assert self.env.rewards == {agent: -float(agent == offender) for agent in self.env.possible_agents}
        assert all(self.env.terminations.values())
        assert all(self.env.truncations.values())

    # --- looking

    def ask(self, question: str, agent: Any) -> tuple[str, Any, str]:
        """Both answer alike; a copy of the other is asked, so that it is never looked at."""
        said = answer(lambda: QUESTIONS[question](self.env, agent))
        assert_same(said, answer(lambda: QUESTIONS[question](self.twin.clone(), agent)))
        return said

    @rule(asked=st.lists(questions, min_size=1, max_size=8), agent=agents)
    def look(self, asked: list[str], agent: str) -> None:
        for question in asked:
            self.look_once(question, agent)

    def look_once(self, question: str, agent: str) -> None:
        """One question of an agent: answered in mid-game, refused where there is nothing to look at."""
        kind, error, _ = self.ask(question, agent)
        drawn = question.startswith("render") and not self.env.render_mode
        gone = question.startswith("last") and not self.env.agents
        if not self.dealt or gone:
            assert kind == "gives" or drawn or error is EpisodeOverError
        else:
            assert kind == "gives" or drawn

    @precondition(lambda self: self.dealt)
    @rule(what=strange | st.integers(min_value=1000) | st.integers(max_value=-1))
    def ask_for_words_of_something_strange(self, what: Any) -> None:
        """Of an action and an observation that there aren't, of fewer events than none."""
        refusal(lambda: self.env.describe_action(what), OptionError)
        refusal(lambda: self.env.describe_observation(what), OptionError)
        if not isinstance(what, int) or what < 0:
            refusal(lambda: self.env.describe_events(what), OptionError)

    @rule(question=st.sampled_from(OF_AGENTS), agent=no_agents)
    def look_at_nobody(self, question: str, agent: Any) -> None:
        if question == "render for" and not self.env.render_mode:
            return
        kind, error, words = self.ask(question, agent)
        assert kind == "raises", f"{question} of {agent!r}"
        assert not self.dealt or issubclass(error, OptionError), words

    # --- copies and states

    @rule(copier=copiers, which=st.sampled_from(["env", "twin"]))
    def go_on_with_a_copy(self, copier: str, which: str) -> None:
        before = getattr(self, which)
        setattr(self, which, COPIERS[copier](before))
        if self.dealt:
            self.left = [*self.left[-2:], (before, observable(before))]

    @precondition(lambda self: self.left)
    @rule()
    def what_was_copied_is_as_it_was(self) -> None:
        for env, shown in self.left:
            assert_same(observable(env), shown)

    @precondition(lambda self: self.dealt)
    @rule(target=saved)
    def save(self) -> tuple[bytes, Course]:
        assert self.course is not None
        return self.env.get_state(), self.course

    @rule(state=saved)
    def load(self, state: tuple[bytes, Course]) -> None:
        self.env.set_state(state[0])
        self.twin, self.course = state[1].played(self.new()), state[1]

    @rule(state=saved, options=of_machine(lambda machine: allowed_options(machine.game_id, counts=False)), salt=salts)
    def load_where_other_options_hold(self, state: tuple[bytes, Course], options: Options, salt: int) -> None:
        env = new_env(self.game_id, **{**without(options, "roles"), "num_players": self.env.num_players})
        self.try_state(env, state[0], salt)

    @rule(data=st.data(), state=saved, salt=salts)
    def load_a_forged_state(self, data: st.DataObject, state: tuple[bytes, Course], salt: int) -> None:
        env = self.new()
        env.set_state(state[0])
        record = bytearray(record_of(env).tobytes())
        for _ in range(data.draw(st.integers(1, 3))):
            record[data.draw(st.integers(0, len(record) - 1))] = data.draw(st.integers(0, 255))
        self.try_state(env, forged(state[0], body=bytes(record)), salt)

    def try_state(self, env: TurnEnv, state: bytes, salt: int) -> None:
        """A state that may be refused; where it isn't, the game can be looked at and played on."""
        before = answer(env.get_state)
        kind, error, words = answer(lambda: env.set_state(state))
        if kind == "raises":
            assert issubclass(error, StateError), words
            assert answer(env.get_state) == before
            return
        for _ in range(10):
            check_sights(env)
            for question in QUESTIONS.values():
                answer(lambda question=question: question(env, env.possible_agents[0]))
            if is_over(env):
                break
            seen = env.observe(env.agent_selection)
            answer(lambda seen=seen: env.step(hashed(seen["observation"], seen["action_mask"], salt)))

    @rule(
        way=st.sampled_from(["damaged", "of others", "none"]),
        damage=damages,
        place=st.integers(0, 5000),
        more=st.binary(min_size=1, max_size=9),
        value=strange,
    )
    def load_wrongly(self, way: str, damage: str, place: int, more: bytes, value: Any) -> None:
        """What is no state, or isn't whole, or isn't of this game."""
        if way == "of others":
            others = states_of_others(self.game_id, self.env.num_players)
            value = others[place % len(others)]
        elif way == "damaged" and self.dealt:
            value = DAMAGES[damage](self.env.get_state(), place, more)
        refusal(lambda: self.env.set_state(value), StateError)

    # --- options

    @rule(options=of_machine(lambda machine: strange_options(machine.game_id)))
    def make_one_with_a_strange_option(self, options: Options) -> None:
        made = []
        kind, error, words = answer(lambda: made.append(new_env(self.game_id, **options)))
        if kind == "raises":
            assert issubclass(error, OptionError | PackError), words
            assert (
                next(iter(options)).partition("_cycles")[0] in words
            )  # max_cycles is another name of the game's own cap
        for env in made:
            env.reset(seed=1)
            check_sights(env)

    # --- what holds always

    @invariant()
    def both_show_the_same(self) -> None:
        type(self).calls += 1
        if not self.dealt:
            return
        assert_same(observable(self.env), observable(self.twin.clone()))
        assert self.env.get_state() == self.twin.get_state()
        check_sights(self.env)
        one, other = self.env.clone(), self.twin.clone()
        one.reset()
        other.reset()
        assert one.get_state() == other.get_state(), "the next game is another"


def without(options: Options, *names: str) -> Options:
    """The options but those of these names."""
    return {name: value for name, value in options.items() if name not in names}


def check_sights(env: TurnEnv) -> None:
    """Observations and the full state lie in their spaces; the seat asked has legal actions, the others wait."""
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
