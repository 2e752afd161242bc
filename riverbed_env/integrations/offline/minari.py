"""A corpus as a Minari dataset: an episode is one seat's part in one game, with what joins the seats of a game.

Minari has no shape for several agents yet. This one keeps its single-agent format, so every tool for it works: an
episode is what Minari's own collector would record from the game's Gymnasium environment in that seat. What makes games
of the episodes stands beside it: `game` and `seat` in each episode's metadata, and `infos["step"]`, the place of each
of its decisions among those of all seats.
"""

from __future__ import annotations

import contextlib
import copy
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id
from minari.dataset.minari_storage import MinariStorage
from minari.namespace import create_namespace, list_local_namespaces
from minari.storage import get_dataset_path

from riverbed_env.corpus import Corpus, Trajectories, trajectories
from riverbed_env.entries import ENTRIES
from riverbed_env.errors import OptionError

DATA = "data"  # where Minari looks in a dataset's folder
SHAPE = "riverbed multi-agent 1"
KEYS = ("game", "seat", "role", "agent", "num_players")


def to_minari(corpus: Corpus, dataset_id: str, *, view: str = "history", **chosen: Any) -> minari.MinariDataset:
    """Write the trajectories of the chosen seats as a local Minari dataset, whole or not at all.

    dataset_id: like "riverbed/hunt-v0". Observations are the int8 vectors of the Gymnasium environment, action masks
    are in infos["action_mask"] (T + 1, A), rewards are 0 until the last. chosen: `parts`, `agents` and `roles` as in
    `Corpus.decisions`. Raises OptionError if the id isn't one, if the dataset exists, or if nothing is chosen.
    """
    path = _free_path(dataset_id)
    partial = path.with_name(f".{path.name}.part")
    shutil.rmtree(partial, ignore_errors=True)
    (partial / DATA).mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, partial, ignore_errors=True)
        storage = _storage(corpus, partial / DATA, view)
        count = _write(storage, corpus, trajectories(corpus, view=view, **chosen))
        if not count:
            raise OptionError(f"{corpus.folder} has no decisions of these")
        storage.update_metadata(_about(corpus, dataset_id))
        partial.rename(path)
    return minari.load_dataset(dataset_id)


def _free_path(dataset_id: str) -> Path:
    """Where the dataset goes; makes its namespace. Raises OptionError if the id isn't one, or is taken."""
    try:
        namespace, _, _ = parse_dataset_id(dataset_id)
    except (ValueError, TypeError) as error:  # it takes the version for granted
        raise OptionError(f"a Minari dataset's id is like riverbed/hunt-v0, not {dataset_id!r}") from error
    path = Path(get_dataset_path(dataset_id))
    if path.exists():
        raise OptionError(f"there is a Minari dataset {dataset_id} already: {path}; choose another id, or delete it")
    if namespace is not None and namespace not in list_local_namespaces():
        create_namespace(namespace)
    return path


def _storage(corpus: Corpus, folder: Path, view: str) -> MinariStorage:
    """An empty storage with the spaces and the environment of one seat."""
    game, manifest = corpus.game, corpus.manifest
    spec = copy.deepcopy(gymnasium.spec(ENTRIES[game.id].registry_id))
    several = len(manifest.players) > 1  # the environment has one count: the game's usual one
    count = {} if several else {"num_players": manifest.players[0]}
    spec.kwargs = {**spec.kwargs, **manifest.options, **count, "view": view}
    size = game.views[view]
    low, high = (bound[:size] for bound in (game.observation.low(), game.observation.high()))
    return MinariStorage.new(
        folder,
        observation_space=gymnasium.spaces.Box(low, high, dtype=np.int8),
        action_space=gymnasium.spaces.Discrete(game.actions.size),
        env_spec=spec,
        data_format="hdf5",
    )


def _write(storage: MinariStorage, corpus: Corpus, found: Iterable[Trajectories]) -> int:
    """Write the episodes; returns how many."""
    count = 0
    for some in found:
        buffers = list(_episodes(some, corpus.manifest.seed, count))
        storage.update_episodes(buffers)
        storage.update_episode_metadata(
            [_joins(corpus, some, place) for place in range(len(some))], range(count, count + len(some))
        )
        count += len(some)
    return count


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


def _about(corpus: Corpus, dataset_id: str) -> dict[str, Any]:
    manifest = corpus.manifest
    return {
        "dataset_id": dataset_id,
        "minari_version": minari.__version__,
        "author": {"The Riverbed maintainers"},
        "algorithm_name": ", ".join(manifest.agents),
        "description": (
            f"Games of {corpus.game.title} between {len(manifest.agents)} agents, recorded by riverbed record "
            f"{manifest.version} under seed {manifest.seed}. An episode is one seat's part in one game; "
            f"{', '.join(KEYS)} in its metadata and infos['step'] join those of a game."
        ),
        "multi_agent": {
            "shape": SHAPE,
            "possible_agents": [f"player_{seat}" for seat in range(max(manifest.players))],
            "episode": "one agent's part in one game",
            "same_game": "game",
            "same_agent": "seat",
            "order": "infos/step",
            "metadata": list(KEYS),
        },
    }
