"""All that reaches a seat of a game: observations of both views, words, pictures, refusals, rows of a batch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import IllegalActionError
from riverbed_env.seats import as_line, belief_message, seat_message

from .pairs import TURNS, Channels
from .records import lay
from .worlds import HiddenWorlds

NOW = ("observation", "mask", "info")


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

    def by_now(self, name: str) -> Callable[[TurnEnv, str], Any]:
        """One of the channels of any environment, in view "now"."""
        return lambda env, agent: TURNS.functions[name](self.bring(env)[0], agent)

    def rows(self, env: TurnEnv, agent: str) -> dict[str, Any]:
        """What a batch shows of the seat, and, if it is the current one, of its own row and its refusal of WAIT."""
        (_, batch), seat = self.bring(env), env.possible_agents.index(agent)
        observation, mask = batch.observe(seat)
        shown = {"asked": int(batch.seat[0]), "observation": observation, "mask": mask}
        if batch.seat[0] == seat:
            shown |= {"own row": batch.observation, "own mask": batch.action_mask, "refusal": batch_refusal(batch)}
        return shown


def batch_refusal(batch: Batch) -> str:
    """Why a batch refuses WAIT to the current seat."""
    try:
        batch.step([0])
    except IllegalActionError as error:
        return str(error)
    raise AssertionError("a seat that is asked could wait")


def messages_of(env: TurnEnv, agent: str) -> list[str]:
    """The messages by which a player from outside is asked in the seat: for a choice, and for its beliefs."""
    seen, view = env.observe(agent), env.look(agent)[0]
    legal = np.flatnonzero(seen["action_mask"]).tolist()
    asked = seat_message(env.game, env.pack, view, env._params, legal, observation=seen["observation"])
    return [as_line(asked), as_line(belief_message(env.game, env.pack, view, env._params))]


def as_json(frame: Any) -> str:
    """A frame as a page gets it."""
    return json.dumps(frame, sort_keys=True, ensure_ascii=False)


def refusals(env: TurnEnv, agent: str) -> list[str]:
    """Why each action is refused to the seat, in words; one below and one above the action space too."""
    seat, refusal, say = env.possible_agents.index(agent), env.game.kernels.refusal, env.game.words.describe_refusal
    actions = range(-1, env.game.actions.size + 1)
    return [say(int(refusal(env._games[0], env._params[0], seat, action))) for action in actions]


def complaints(env: TurnEnv, agent: str) -> list[str]:
    """The errors that the current seat gets for WAIT and for the first and last other illegal action."""
    if env.agent_selection != agent or env.terminations[agent] or env.truncations[agent]:
        return []
    illegal = np.flatnonzero(env.observe(agent)["action_mask"] == 0).tolist()
    tried = env.clone()
    return [complaint(tried, action) for action in (0, illegal[1] if len(illegal) > 1 else 0, illegal[-1])]


def complaint(env: TurnEnv, action: int) -> str:
    """The error that an environment raises for an action."""
    try:
        env.step(action)
    except IllegalActionError as error:
        return str(error)
    return f"action {action} could be taken"


def numbers(worlds: HiddenWorlds) -> Channels:
    """What reaches a seat as numbers, and the record of what lies open on the table.

    Args:
        worlds: what the game hides.

    Returns:
        The channels.
    """
    words = {"table": lambda env, agent: env._games[0]["table"].copy(), **worlds.lies_open}
    return Channels({**TURNS.functions, **words}, {"observation": worlds.game.observation.named})


def everything(worlds: HiddenWorlds) -> Channels:
    """All that reaches a seat.

    Args:
        worlds: what the game hides.

    Returns:
        The channels.
    """
    elsewhere = Elsewhere()
    words = {
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
    decoders = dict.fromkeys(("observation", "observation (now)"), worlds.game.observation.named)
    return replace(numbers(worlds).adding(words), decoders=decoders)


def views(worlds: HiddenWorlds) -> Channels:
    """What a seat sees, without who is asked and what follows from that: its mask, refusals, what `last` gives.

    Args:
        worlds: what the game hides.

    Returns:
        The channels.
    """
    of_turns = ("mask", "info", "last", "who is asked", "mask (now)", "info (now)", "batch", "refusals", "complaints")
    of_choices = ("frame", "seat message")  # they show the choices of a seat that is asked
    return everything(worlds).without(*of_turns, *of_choices)
