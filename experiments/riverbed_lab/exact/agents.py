"""The policy of an agent on a tree: it is asked in every information set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Records, Whole
from riverbed_env.kernels.random import AGENTS, STREAM, open_stream
from riverbed_env.players.agents import UNIFORM, Agent, Vectors, checked_answer
from riverbed_env.players.policies import SavedPolicy
from riverbed_env.players.specs import find_agent
from riverbed_env.small import find_small

from .tree import CHUNK, Tree, build_tree
from .values import check_policy, evaluate_exactly, uniform_policy

DRAWS = 4  # random words with which an agent is asked, to see whether its answers depend on them

Function = Callable[[Vectors, Vectors], npt.NDArray[np.floating[Any]]]


def policy_of(tree: Tree, agent: str | Agent | Function) -> Floats:
    """The probability of every action of an agent in every information set.

    Args:
        tree: the tree of a small game.
        agent: a spec, as `find_agent` takes it; an agent; or a function of observations (n, D) and masks (n, A) that
            gives probabilities (n, A). An agent must remember nothing, and offer probabilities, as saved policies do,
            or not draw; nor may an adviser of it. Barred actions are masked out.

    Returns:
        The policy, (S,) float64.

    Raises:
        OptionError: the agent remembers, draws its actions, or leaves a probability out.
    """
    known = find_agent(agent, tree.small.rules) if isinstance(agent, str) else agent
    if known is UNIFORM or getattr(known, "name", "") == UNIFORM.name:
        return uniform_policy(tree)
    policy = np.ones(tree.num_sequences)
    for sets in alike(tree):
        games, seats = tree.positions(sets), tree.seat[sets].astype(np.int64)
        seen, masks = tree.small.observe(games, seats)
        rows = np.ascontiguousarray(seen), np.ascontiguousarray(masks)
        answer = _asked(tree, known, games, seats, rows) if isinstance(known, Agent) else known(*rows)
        told = np.asarray(answer, np.float64)
        if told.shape != masks.shape:
            raise OptionError(f"the function must give probabilities of shape {masks.shape}, not {told.shape}")
        places, actions = np.nonzero(masks)
        widths = np.diff(tree.first)[sets]
        rank = np.arange(len(places)) - (widths.cumsum() - widths)[places]
        policy[tree.first[sets][places] + rank] = told[places, actions]
    return check_policy(tree, policy)


def exact_rows(agent: str | Agent | Function, names: Sequence[str] = ("rill", "brook", "beck")) -> list[dict[str, Any]]:
    """What an agent in all seats is worth in small games, as rows of a table.

    Args:
        agent: as `policy_of` takes it.
        names: the games, as `find_small` takes them.

    Returns:
        For each "game" its "sets", "nash_conv" and "cce_gap"; "values" and "gains" by role; "wins" by camp and
        "nobody"; and "camps", the bounds "low" and "high" of each camp's joint gain.

    Raises:
        OptionError: there is no such game, or the agent has no exact policy there.
    """
    rows = []
    for name in names:
        tree = build_tree(find_small(name))
        found = evaluate_exactly(tree, policy_of(tree, agent))
        gaps = {"game": name, "sets": tree.num_sets, "nash_conv": found.nash_conv, "cce_gap": found.cce_gap}
        values, gains = ({role: pair[which] for role, pair in found.by_role.items()} for which in (0, 1))
        camps = {camp: asdict(gain) for camp, gain in found.camps.items()}
        rows.append({**gaps, "values": values, "gains": gains, "wins": found.wins, "camps": camps})
    return rows


def alike(tree: Tree) -> Iterator[Whole]:
    """The information sets in groups whose examples are equally long."""
    lengths = np.diff(tree.path_first)
    for length in np.unique(lengths):
        sets = np.flatnonzero(lengths == length)
        yield from np.array_split(sets, -(-len(sets) // CHUNK))


def _asked(tree: Tree, agent: Agent, games: Records, seats: Whole, rows: tuple[Vectors, Vectors]) -> Floats:
    """An agent's probabilities, (n, A). Raises OptionError if it has a memory, or if they depend on what is drawn."""
    if agent.memory_size:
        raise OptionError(f"{agent.name} remembers more than it sees: exact values need an agent without memory")
    by_view = {"views": tree.small.look(games, seats), "params": tree.small.params}
    sight: dict[str, Any] = by_view if getattr(agent, "by_view", False) else {}
    told, *others = (_told(agent, rows, sight, first) for first in range(0, DRAWS * len(seats), len(seats)))
    if any((other != told).any() for other in others):
        raise OptionError(f"{agent.name} or its adviser draws actions, and doesn't tell their probabilities")
    return told


def _told(agent: Agent, rows: tuple[Vectors, Vectors], sight: dict[str, Any], first: int) -> Floats:
    """An agent's probabilities, (n, A), with the random words of streams from number `first` on."""
    count = len(rows[0])
    streams = np.zeros(count, STREAM)
    for number, stream in enumerate(streams, first):
        open_stream(stream, 0, number, AGENTS)
    if isinstance(agent, SavedPolicy):
        return agent.probabilities(*rows, streams, **sight)
    no_memory = np.zeros((count, 0), np.int32)
    answers = checked_answer(agent, agent.act(*rows, no_memory, streams, **sight), count)
    told = np.zeros(rows[1].shape)
    told[np.arange(count), answers] = 1
    return told
