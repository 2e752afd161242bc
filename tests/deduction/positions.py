"""Positions of Riverbed Hunt for the tests of deduction, from games played in several ways."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.worlds import beliefs, resample

GAME = find_game("riverbed_hunt")
COUNTS = range(GAME.min_players, GAME.max_players + 1)
FOLDER = Path(__file__).parents[1] / "referee" / "packs" / "riverbed_hunt"
PACKS = {"default": "default", **{path.stem: str(path) for path in sorted(FOLDER.glob("*.toml"))}}

Policy = Callable[[Batch], np.ndarray]


def layouts(pack: str, num_players: int) -> list[str]:
    """The names of a player count's layouts in a pack of PACKS."""
    return [layout.name for layout in load_pack(PACKS[pack]).layouts(num_players)]


def picked(records: np.ndarray, places: Any) -> np.ndarray:
    """Copies of records with the bytes between their fields, which NumPy's own indexing leaves undefined."""
    return np.ascontiguousarray(bytes_of(records)[places]).view(records.dtype)[:, 0]


def together(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Arrays of records in one, with the bytes between their fields."""
    return np.concatenate([bytes_of(part) for part in parts]).view(parts[0].dtype)[:, 0]


def bytes_of(records: np.ndarray) -> np.ndarray:
    """The bytes of each record, (n, bytes a record)."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def games_of(states: np.ndarray, **options: Any) -> Batch:
    """A batch in these states, (n,) game records. Raises StateError for a state that breaks an invariant."""
    batch = Batch(GAME, len(states), seed=0, auto_reset=False, **options)
    batch.set_state(states)
    return batch


def opened(num_players: int, seed: int) -> np.ndarray:
    """A game with every meeple placed and nothing done yet, shape (1,)."""
    batch = Batch(GAME, 1, seed=seed, auto_reset=False, num_players=num_players)
    while batch.games["table"]["question"][0] == Question.PLACE:
        batch.step(at_random(batch))
    return batch.get_state()


def believed(views: np.ndarray, model: str = "playing", **options: Any) -> np.ndarray:
    """What the seats of these views can believe of roles in games with these options."""
    return beliefs(GAME, views, GAME.make_params(**options)[0], model)


def drawn_games(views: np.ndarray, seed: int, first: int = 0, model: str = "playing", **options: Any) -> np.ndarray:
    """A game with these options for each view, which looks the same to its seat."""
    return resample(GAME, views, GAME.make_params(**options)[0], seed, first, model)


# --- ways to play ---------------------------------------------------------------------------------------------------


def at_random(batch: Batch) -> np.ndarray:
    """Any legal action."""
    return batch.random_actions()


def simply(batch: Batch) -> Policy:
    """The agent `simple` in every seat."""
    agent = find_agent("simple", GAME.name)
    memories = np.zeros((batch.num_envs, batch.num_players, agent.memory_size), np.int32)

    def choose(batch: Batch) -> np.ndarray:
        seats, indices = np.maximum(batch.seat, 0), np.arange(batch.num_envs)
        memory, streams = np.ascontiguousarray(memories[indices, seats]), batch.agent_streams()
        sight = {"views": batch.look(seats), "params": batch.params}
        actions = agent.act(batch.observation, batch.action_mask, memory, streams, **sight)
        memories[indices, seats] = memory
        batch.put_agent_streams(streams)
        return np.asarray(actions)

    return choose


def rare(batch: Batch) -> np.ndarray:
    """Which games ask a rare question: in a Hunt, at a declaration, by a card's text."""
    table = batch.games["table"]
    seldom = np.isin(table["question"], (Question.HUNT_ON, Question.PENALTY, Question.REFRESH, Question.FLIP_DOWN))
    return np.asarray(seldom | ((table["question"] == Question.DISCARD) & (table["depth"] > 0)))


# --- moments --------------------------------------------------------------------------------------------------------


@cache
def positions(pack: str, num_players: int, layout: str, *, games: int = 8, every: int = 12) -> np.ndarray:
    """States of games between random players and between `simple` agents.

    They are taken after every `every` decisions, at rare questions, and at the end.
    """
    options = {"num_players": num_players, "pack": PACKS[pack], "layout": layout}
    found = []
    for simple in (False, True):
        batch = Batch(GAME, games, seed=num_players, auto_reset=False, **options)
        policy = simply(batch) if simple else at_random
        for decision in range(400):
            wanted = batch.acting if decision % every == 0 else batch.acting & rare(batch)
            found.append(picked(batch.get_state(), wanted))
            if not batch.acting.any():
                break
            batch.step(policy(batch))
        found.append(batch.get_state())
    return together(found)
