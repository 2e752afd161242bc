"""What a seat could make of a position: how likely each role of each player is, and its action values."""

from typing import Any

import numpy as np

from riverbed_env import worlds
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import Records
from riverbed_env.players.arena import Arena
from riverbed_env.players.installed import load_installed, usual_agent

from .messages import Viewer

WORLDS = 128  # drawn for a decision; the same for all its choices, so that their differences are sharper than they
SEED = 0


def action_values(
    game: Game, options: dict[str, Any], view: Records, params: Records, legal: list[int]
) -> dict[int, int]:
    """How often a seat that has to choose wins after each legal action, in percent, by its view (1,) alone.

    Each action is taken in worlds that the seat can't tell from the true one; the game's usual agent plays all seats on
    to the end.
    """
    drawn = worlds.resample(game, np.repeat(view, WORLDS), params, SEED)
    arena = Arena(game, [load_installed(usual_agent(game), game)], WORLDS * len(legal), seed=SEED, **options)
    every = np.arange(arena.num_envs)
    arena.batch.set_state(np.tile(drawn, len(legal)))
    arena.seat_agents(every, np.zeros((len(every), arena.num_players), np.int64))
    arena.play_on(every, np.repeat(legal, WORLDS))
    won = (arena.batch.returns[:, int(view["seat"][0])] > 0).reshape(len(legal), WORLDS).mean(axis=1)
    return dict(zip(legal, np.rint(100 * won).astype(int).tolist()))


def values_now(batch: Batch) -> dict[int, int]:
    """The values of all that can be chosen in a game, by what the seat knows that is asked."""
    legal = np.flatnonzero(batch.action_mask[0]).tolist()
    return action_values(batch.game, batch.options, batch.look(int(batch.seat[0])), batch.params, legal)


def known_to(batch: Batch, viewer: Viewer) -> Records | None:
    """The view by which a viewer can believe anything of roles; None in games that hide none."""
    if batch.game.deduction is None:
        return None
    return batch.look(viewer) if isinstance(viewer, int) else batch.game.deduction.public_views(batch.games)


def believed(game: Game, views: Records | None, params: Records) -> list[list[list[int]]]:
    """What can be believed of the roles by each view: percentages by player and role; none without views."""
    if views is None:
        return []
    shares: list[list[list[int]]] = np.rint(100 * worlds.beliefs(game, views, params)).astype(int).tolist()
    return shares
