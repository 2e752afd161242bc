"""A corpus as a Minari dataset: an episode is one seat's part in one game, with what joins the seats of a game.

Minari has no shape for several agents yet. This one keeps its single-agent format, so every tool for it works: an
episode is what Minari's own collector would record from the game's Gymnasium environment in that seat. What makes games
of the episodes stands beside it: `game` and `seat` in each episode's metadata, and `infos["step"]`, the place of each
of its decisions among those of all seats.
"""

from __future__ import annotations

import copy
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.storage import get_dataset_path

from riverbed_env.corpus import Corpus, Trajectories, trajectories
from riverbed_env.entries import ENTRIES
from riverbed_env.errors import OptionError

SHAPE = "riverbed multi-agent 1"
KEYS = ("game", "seat", "role", "agent", "num_players")


def to_minari(corpus: Corpus, dataset_id: str, *, view: str = "history", **chosen: Any) -> minari.MinariDataset:
    """Write the trajectories of the chosen seats as a local Minari dataset; after an error none is left.

    Observations are the int8 vectors of the Gymnasium environment, action masks are in infos["action_mask"] (T + 1, A),
    rewards are 0 until the last.

    Args:
        corpus: the recorded games.
        dataset_id: like "riverbed/hunt-v0".
        view: the view of the observations.
        chosen: `parts`, `agents` and `roles` as in `Corpus.decisions`.

    Returns:
        The dataset, loaded; an episode is one seat's part in one game.

    Raises:
        OptionError: the id isn't one, the dataset exists, nothing is chosen, or as in `Corpus.decisions`.
    """
    try:
        parse_dataset_id(dataset_id)
    except (ValueError, TypeError) as error:  # it takes the version for granted
        raise OptionError(f"a Minari dataset's id is like riverbed/hunt-v0, not {dataset_id!r}") from error
    if (path := Path(get_dataset_path(dataset_id))).exists():
        raise OptionError(f"there is a Minari dataset {dataset_id} already: {path}; choose another id, or delete it")
    count = 0
    try:
        for found in trajectories(corpus, view=view, **chosen):
            buffers = list(_episodes(found, corpus.manifest.seed, count))
            if count == 0:
                storage = _begun(corpus, dataset_id, view, buffers).storage
            else:
                storage.update_episodes(buffers)
            count += len(found)
            joins = [_joins(corpus, found, place) for place in range(len(found))]
            storage.update_episode_metadata(joins, range(count - len(found), count))
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise
    if not count:
        raise OptionError(f"{corpus.folder} has no decisions of these")
    return minari.load_dataset(dataset_id)


def _begun(corpus: Corpus, dataset_id: str, view: str, buffers: list[EpisodeBuffer]) -> minari.MinariDataset:
    """A dataset of these episodes, with the spaces and the environment of one seat."""
    game, manifest = corpus.game, corpus.manifest
    spec = copy.deepcopy(gymnasium.spec(ENTRIES[game.id].registry_id))
    several = len(manifest.players) > 1  # the environment has one count: the game's usual one
    count = {} if several else {"num_players": manifest.players[0]}
    spec.kwargs = {**spec.kwargs, **manifest.options, **count, "view": view}
    low, high = (bound[: game.views[view]] for bound in (game.observation.low(), game.observation.high()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what we leave out: an address, other environments
        dataset = minari.create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=spec,
            algorithm_name=", ".join(manifest.agents),
            author="The Riverbed maintainers",
            observation_space=gymnasium.spaces.Box(low, high, dtype=np.int8),
            action_space=gymnasium.spaces.Discrete(game.actions.size),
            description=(
                f"Games of {game.title} between {len(manifest.agents)} agents, recorded by riverbed record "
                f"{manifest.version} under seed {manifest.seed}. An episode is one seat's part in one game; "
                f"{', '.join(KEYS)} in its metadata and infos['step'] join those of a game."
            ),
            data_format="hdf5",
        )
    about = {
        "shape": SHAPE,
        "possible_agents": [f"player_{seat}" for seat in range(max(manifest.players))],
        "episode": "one agent's part in one game",
        "same_game": "game",
        "same_agent": "seat",
        "order": "infos/step",
        "metadata": list(KEYS),
    }
    dataset.storage.update_metadata({"multi_agent": about})
    return dataset


def _episodes(found: Trajectories, seed: int, first: int) -> Iterator[EpisodeBuffer]:
    decisions, rewards = found.decisions, found.rewards
    for place in range(len(found)):
        mine = slice(found.starts[place], found.starts[place + 1])
        flags = found.is_last[mine]
        truncated = flags & found.truncated[place]
        yield EpisodeBuffer(
            id=first + place,
            seed=seed,
            observations=np.vstack([decisions.observation[mine], found.last_observation[place]]),
            actions=decisions.action[mine],
            rewards=rewards[mine],
            terminations=flags & ~truncated,
            truncations=truncated,
            infos={
                "action_mask": np.vstack([decisions.action_mask[mine], found.last_mask[place]]),
                "step": np.append(decisions.step[mine], found.length[place]),
            },
        )


def _joins(corpus: Corpus, found: Trajectories, place: int) -> dict[str, Any]:
    """What joins a seat's episode to those of the others: see KEYS."""
    decisions, first = found.decisions, found.starts[place]
    return {
        "game": int(decisions.game[first]),
        "seat": int(decisions.seat[first]),
        "role": corpus.game.roles[decisions.role[first]],
        "agent": corpus.manifest.agents[decisions.agent[first]],
        "num_players": decisions.num_players,
    }
