"""What reaches a seat of any game of the library: numbers by both views, words, pictures, refusals, a batch's rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hidden import hidden_worlds
from hidden.fields import Games, fields_apart

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import IllegalActionError
from riverbed_env.testing.leaks import Channels, Follow, Report, aec_channels, paired_worlds_test

SEARCH = ("channels", "follow", "moments", "make", "twin")  # options of a search, the others are of the game
NOW = ("observation", "mask", "info")


# --- laying worlds before an environment ------------------------------------------------------------------------------


def record_of(env: TurnEnv) -> Games:
    """The game of an environment."""
    return copy_records(env._games)


def lay(env: TurnEnv, games: Games) -> TurnEnv:
    """Put an environment into any sound state of a game, by the way its own saved states take."""
    if not env.agents:
        env.reset(seed=0)
    env._games = copy_records(games)
    env.set_state(env.get_state())
    return env


def with_record(env: TurnEnv, games: Games) -> TurnEnv:
    """Another environment like this one, with a game of the same table and so the same rewards so far."""
    other = lay(env.clone(), games)
    other.rewards = dict(env.rewards)
    other._cumulative_rewards = dict(env._cumulative_rewards)
    return other


def copy_of(env: TurnEnv) -> TurnEnv:
    """The same game in an environment that has come to it as a twin does."""
    return with_record(env, env._games)


# --- what reaches a seat ----------------------------------------------------------------------------------------------


class Elsewhere:
    """The same game by view "now" and in a batch, both of the same make as the environment that is looked at."""

    def __init__(self) -> None:
        self.env: TurnEnv | None = None
        self.batch: Batch | None = None
        self.kind: tuple[Any, ...] = ()
        self.laid = b""

    def bring(self, env: TurnEnv) -> None:
        """Lay the environment's game before both."""
        kind = (type(env), id(env.game), env._params.tobytes())
        if kind != self.kind:
            options = {"num_players": env.num_players}
            self.env = type(env)(env.game, view="now", **options)
            self.batch = Batch(env.game, 1, seed=0, **options)
            for made, name in ((self.env, "_params"), (self.batch, "params")):
                setattr(made, name, env._params)
                made.pack = env.pack
            self.kind, self.laid = kind, b""
        if env._games.tobytes() != self.laid:
            assert self.env is not None
            assert self.batch is not None
            lay(self.env, env._games)
            self.batch.set_state(env._games)
            self.laid = env._games.tobytes()

    def by_now(self, name: str) -> Callable[[TurnEnv, str], Any]:
        """One of the kit's channels by view "now"."""
        channel = aec_channels().functions[name]

        def derived(env: TurnEnv, agent: str) -> Any:
            self.bring(env)
            return channel(self.env, agent)

        return derived

    def rows(self, env: TurnEnv, agent: str) -> dict[str, Any]:
        """What a batch shows of the seat, and of the seat that is asked where it is this one; its refusal of WAIT."""
        self.bring(env)
        assert self.batch is not None
        batch, seat = self.batch, env.possible_agents.index(agent)
        observation, mask = batch.observe(seat)
        found = {"asked": int(batch.seat[0]), "observation": observation, "mask": mask}
        if batch.seat[0] == seat:
            found |= {"own row": batch.observation, "own mask": batch.action_mask, "refusal": batch_refusal(batch)}
        return found


def batch_refusal(batch: Batch) -> str:
    """Why a batch takes no WAIT from a seat that is asked."""
    try:
        batch.step([0])
    except IllegalActionError as error:
        return str(error)
    raise AssertionError("a seat that is asked could wait")


def refusals(env: TurnEnv, agent: str) -> list[str]:
    """Why each action is refused the seat, in words; those beyond the table too."""
    seat, refusal, say = env.possible_agents.index(agent), env.game.kernels.refusal, env.game.words.describe_refusal
    actions = range(-1, env.game.actions.size + 1)
    return [say(int(refusal(env._games[0], env._params[0], seat, action))) for action in actions]


def complaints(env: TurnEnv, agent: str) -> list[str]:
    """What the seat that is asked hears when it tries to wait, and the first and last other action it may not take."""
    if env.agent_selection != agent or env.terminations[agent] or env.truncations[agent]:
        return []
    illegal = np.flatnonzero(env.observe(agent)["action_mask"] == 0).tolist()
    tried = env.clone()
    return [complaint(tried, action) for action in (0, illegal[1] if len(illegal) > 1 else 0, illegal[-1])]


def complaint(env: TurnEnv, action: int) -> str:
    """Why the environment takes no such action."""
    try:
        env.step(action)
    except IllegalActionError as error:
        return str(error)
    return f"action {action} could be taken"


def actions_in_words(env: TurnEnv, agent: str) -> list[str]:
    """Every action as it would be meant by the seat."""
    return [env.describe_action(action, agent) for action in range(env.game.actions.size)]


def is_over(env: TurnEnv) -> bool:
    """Whether the game has ended."""
    return bool(env.game.kernels.ending(env._games[0]) != 0)


def numbers(game: Game) -> Channels:
    """What reaches a seat as numbers, and the record of what lies open on the table."""
    words = {"table": lambda env, agent: env._games[0]["table"].copy(), **hidden_worlds(game.id).lies_open}
    return aec_channels(words=words, pieces=game.observation.named)


def everything(game: Game) -> Channels:
    """All that reaches a seat."""
    elsewhere = Elsewhere()
    words = {
        **{f"{name} (now)": elsewhere.by_now(name) for name in NOW},
        "batch": elsewhere.rows,
        "state in words": lambda env, agent: env.describe_state(agent),
        "picture": lambda env, agent: env.render(agent),
        "events in words": lambda env, agent: env.describe_events(viewer=agent),
        "observation in words": lambda env, agent: env.describe_observation(env.observe(agent)),
        "actions in words": actions_in_words,
        "refusals": refusals,
        "complaints": complaints,
    }
    return numbers(game).adding(words).decoding({"observation (now)": game.observation.named})


def views(game: Game) -> Channels:
    """What a seat sees, without who is asked and what follows from that: its mask, refusals, what `last` gives."""
    of_turns = ("mask", "info", "last", "who is asked", "mask (now)", "info (now)", "batch", "refusals", "complaints")
    return everything(game).without(*of_turns)


# --- searching --------------------------------------------------------------------------------------------------------


def make(game: Game, num_players: int, **options: Any) -> TurnEnv:
    """An environment of any game."""
    return TurnEnv(game, num_players=num_players, render_mode="ansi", **options)


class Stops:
    """At which decisions to stop: as often as the game's hidden worlds say, some time apart, over all games played."""

    def __init__(self, game: Game, num_players: int) -> None:
        self.longest = round(2 * num_players / hidden_worlds(game.id).moments)
        self.left = num_players

    def __call__(self, env: TurnEnv, rng: np.random.Generator) -> bool:
        self.left -= 1
        if self.left > 0:
            return False
        self.left = int(rng.integers(1, self.longest))
        return True


def twin_env(env: TurnEnv, agent: str, rng: np.random.Generator) -> TurnEnv:
    """Another environment with a twin of the game in it; it must be sound, or it couldn't be laid."""
    seat = env.possible_agents.index(agent)
    return with_record(env, hidden_worlds(env.game.id).twin(env._games, env._params, seat, rng))


def twin_in_part(env: TurnEnv, agent: str, rng: np.random.Generator, parts: Sequence[str] | None = None) -> TurnEnv:
    """A twin in which only some parts are redrawn, random ones unless given: it stays alike for longer."""
    worlds, seat = hidden_worlds(env.game.id), env.possible_agents.index(agent)
    chosen = parts or rng.permutation(worlds.parts)[: rng.integers(1, len(worlds.parts) + 1)].tolist()
    return with_record(env, worlds.twin(env._games, env._params, seat, rng, chosen))


def varied(one: TurnEnv, two: TurnEnv) -> set[str]:
    """In which fields two worlds differ, and whether their `state()` does."""
    found = {name for name, _ in fields_apart(one._games[0], two._games[0])}
    return found | ({"state()"} if not np.array_equal(one.state(), two.state()) else set())


def follow(game: Game, steps: int) -> Follow:
    """Play on as long as nothing is shown that differs; what a seat alone has learnt may differ where it is its own."""
    worlds = hidden_worlds(game.id)
    return Follow(
        told=worlds.told,
        note=lambda env, agent: record_of(env)[0],
        steps=steps,
        channels=numbers(game),
        at_the_end=everything(game),
        private=worlds.private,
        must_notice=worlds.must_notice,
    )


def searched(game: Game, num_players: int, games: int, **options: Any) -> Report:
    """The kit's search for leaks in games with this many players. Raises Leak."""
    given = {name: options.pop(name) for name in list(options) if name not in SEARCH}
    maker, worlds = options.pop("make", make), hidden_worlds(game.id)
    return paired_worlds_test(
        lambda: maker(game, num_players, **given),
        **{"twin": twin_env, "channels": numbers(game), "moments": worlds.stop or Stops(game, num_players), **options},
        policy=worlds.policy,
        games=games * worlds.games,
        seed=num_players,
        varied=varied,
        copy=copy_of,
    )
