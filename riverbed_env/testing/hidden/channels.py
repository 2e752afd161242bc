"""All that reaches a seat of a game: observations of both views, words, pictures, refusals, rows of a batch."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import IllegalActionError
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.seats import as_line, belief_message, seat_message
from riverbed_env.testing.compare import Difference, differences

from .worlds import HiddenWorlds, lay

Channel = Callable[[Any, str], Any]
NOW = ("observation", "mask", "info")
VECTORS = ("observation", "observation (now)")


@dataclass(frozen=True)
class Channels:
    """Named ways in which something reaches an agent.

    Args:
        functions: called in their order as `function(env, agent)`; they return plain content.
        pieces: of the observations, so that a leak names the piece.
    """

    functions: Mapping[str, Channel]
    pieces: PieceTable | None = None

    def take(self, env: Any, agent: str) -> dict[str, Any]:
        """Copies of what each channel gives the agent now, by its name."""
        return {name: copy.deepcopy(channel(env, agent)) for name, channel in self.functions.items()}

    def apart(self, one: Mapping[str, Any], two: Mapping[str, Any]) -> list[Difference]:
        """Where two results of `take` differ."""
        apart: list[Difference] = []
        for name in one:
            whole = differences(one[name], two[name], name)
            if whole and self.pieces is not None and name in VECTORS:
                here, there = (dict(self.pieces.named(seen[name])) for seen in (one, two))
                whole = differences(here, there, name)
            apart += whole
        return apart


class Leak(AssertionError):  # noqa: N818  # named for what it is
    """An agent can know more than it may.

    Args:
        message: says who can tell what by what.
        names: the channels, with their pieces, that show it.
    """

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = list(names)


def check_alike(apart: Sequence[Difference], agent: str, where: str) -> None:
    """Raise Leak if the agent can tell two worlds apart."""
    if apart:
        names = list(dict.fromkeys(difference.name for difference in apart))
        raise Leak(f"{agent} can tell by {', '.join(names)} ({where}); {apart[0]}", names)


def compare_worlds(one: Any, two: Any, agent: str, channels: Channels, where: str = "at once") -> None:
    """Raise Leak if what reaches an agent differs in two environments."""
    check_alike(channels.apart(channels.take(one, agent), channels.take(two, agent)), agent, where)


# --- numbers ----------------------------------------------------------------------------------------------------------


def last(env: TurnEnv, agent: str) -> Any:
    """What `last` gives the selected agent beside its observation and info; None for other agents."""
    if env.agent_selection != agent:
        return None
    seen, *rest, info = env.last()
    assert not differences((seen, info), (env.observe(agent), env.infos[agent])), "last shows something of its own"
    return rest


def masks(env: TurnEnv, agent: str) -> Any:
    """The agent's action masks, in its observation and its info."""
    places = {"in observation": env.observe(agent), "in info": env.infos.get(agent, {})}
    return {name: held["action_mask"] for name, held in places.items() if "action_mask" in held}


TURNS: dict[str, Channel] = {
    "observation": lambda env, agent: env.observe(agent)["observation"],
    "mask": masks,
    "info": lambda env, agent: {k: v for k, v in env.infos.get(agent, {}).items() if k != "action_mask"},
    "reward": lambda env, agent: (dict(env.rewards), env._cumulative_rewards.get(agent)),
    "done": lambda env, agent: (dict(env.terminations), dict(env.truncations)),
    "last": last,
    "who is asked": lambda env, agent: env.agent_selection,
    "who plays": lambda env, agent: list(env.agents),
}


def numbers(worlds: HiddenWorlds) -> Channels:
    """What reaches a seat as numbers, and the record of what lies open on the table."""
    table: dict[str, Channel] = {"table": lambda env, agent: env._games[0]["table"].copy()}
    return Channels({**TURNS, **table, **worlds.lies_open}, worlds.game.observation)


# --- everything -------------------------------------------------------------------------------------------------------


class Elsewhere:
    """The same game in view "now" and in a batch, both of the same kind as the environment that is looked at."""

    def __init__(self) -> None:
        self.kind: tuple[Any, ...] = ()
        self.laid = b""

    def bring(self, env: TurnEnv) -> tuple[TurnEnv, Batch]:
        """Both, with the environment's game laid before them."""
        kind = (type(env), id(env.game), env._params.tobytes())
        if kind != self.kind:
            view = min(env.game.views, key=lambda view: env.game.views[view])
            self.env = type(env)(env.game, view=view, num_players=env.num_players)
            self.batch = Batch(env.game, 1, seed=0, num_players=env.num_players)
            self.env._params, self.env.pack = env._params, env.pack
            self.batch.params, self.batch.packs = env._params, (env.pack,)
            self.kind, self.laid = kind, b""
        if env._games.tobytes() != self.laid:
            lay(self.env, env._games)
            self.batch.set_state(env._games)
            self.laid = env._games.tobytes()
        return self.env, self.batch

    def by_now(self, name: str) -> Channel:
        """One of the channels of any environment, in view "now"."""
        return lambda env, agent: TURNS[name](self.bring(env)[0], agent)

    def rows(self, env: TurnEnv, agent: str) -> dict[str, Any]:
        """What a batch shows of the seat, and, if it is the current one, of its own row and its refusal of WAIT."""
        (_, batch), seat = self.bring(env), env.possible_agents.index(agent)
        observation, mask = batch.observe(seat)
        shown = {"asked": int(batch.seat[0]), "observation": observation, "mask": mask}
        if batch.seat[0] == seat:
            refusal = complaint(lambda action: batch.step([action]), 0)
            shown |= {"own row": batch.observation, "own mask": batch.action_mask, "refusal": refusal}
        return shown


def complaint(step: Callable[[int], object], action: int) -> str:
    """The error that an action of the current seat raises."""
    try:
        step(action)
    except IllegalActionError as error:
        return str(error)
    return f"action {action} could be taken"


def complaints(env: TurnEnv, agent: str) -> list[str]:
    """The errors that the current seat gets for WAIT and for the first and last other illegal action."""
    if env.agent_selection != agent or env.terminations[agent] or env.truncations[agent]:
        return []
    illegal = np.flatnonzero(env.observe(agent)["action_mask"] == 0).tolist()
    return [complaint(env.clone().step, action) for action in (*illegal[:2], illegal[-1])]


def refusals(env: TurnEnv, agent: str) -> list[str]:
    """Why each action is refused to the seat, in words; one below and one above the action space too."""
    seat, refusal, say = env.possible_agents.index(agent), env.game.kernels.refusal, env.game.words.describe_refusal
    actions = range(-1, env.game.actions.size + 1)
    return [say(int(refusal(env._games[0], env._params[0], seat, action))) for action in actions]


def messages_of(env: TurnEnv, agent: str) -> list[str]:
    """The messages by which a player from outside is asked in the seat: for a choice, and for its beliefs."""
    seen, view = env.observe(agent), env.look(agent)[0]
    legal = np.flatnonzero(seen["action_mask"]).tolist()
    asked = seat_message(env.game, env.pack, view, env._params, legal, observation=seen["observation"])
    return [as_line(asked), as_line(belief_message(env.game, env.pack, view, env._params))]


def as_json(frame: Any) -> str:
    """A frame as a page gets it."""
    return json.dumps(frame, sort_keys=True, ensure_ascii=False)


def everything(worlds: HiddenWorlds) -> Channels:
    """All that reaches a seat.

    Args:
        worlds: what the game hides.

    Returns:
        The channels.
    """
    elsewhere, known = Elsewhere(), numbers(worlds)
    words: dict[str, Channel] = {
        **{f"{name} (now)": elsewhere.by_now(name) for name in NOW},
        "batch": elsewhere.rows,
        "state in words": lambda env, agent: env.describe_state(agent),
        "picture": lambda env, agent: env.render(agent),
        "frame": lambda env, agent: as_json(env.frame(agent)),
        "public frame": lambda env, agent: as_json(env.frame("public")),
        "seat message": messages_of,
        "events in words": lambda env, agent: env.describe_events(viewer=agent),
        "actions in words": lambda env, agent: [env.describe_action(a, agent) for a in range(env.game.actions.size)],
        "refusals": refusals,
        "complaints": complaints,
    }
    return Channels({**known.functions, **words}, known.pieces)
