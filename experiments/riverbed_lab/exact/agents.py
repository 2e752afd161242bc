"""The policy of an agent on a tree: it is asked in every information set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Whole
from riverbed_env.kernels.random import AGENTS, STREAM, open_stream
from riverbed_env.players.agents import UNIFORM, Agent, Vectors, checked_answer, plays_in_words
from riverbed_env.players.policies import SavedPolicy
from riverbed_env.players.specs import find_agent
from riverbed_env.small import find_small

from .tree import CHUNK, Tree, build_tree
from .values import check_policy, evaluate_exactly, uniform_policy

FEW = 4  # times that an agent is asked everywhere, to see whether it draws
DRAWS = 256  # times that an agent which draws is asked

Function = Callable[[Vectors, Vectors], npt.NDArray[np.floating[Any]]]
Group = tuple[Whole, tuple[Vectors, Vectors], dict[str, Any]]  # sets, their observations and masks, views and params


def policy_of(tree: Tree, agent: str | Agent | Function) -> Floats:
    """The probability of every action of an agent in every information set.

    Args:
        tree: the tree of a small game.
        agent: a spec, as `find_agent` takes it; an agent; or a function of observations (n, D) and masks (n, A) that
            gives probabilities (n, A). An agent must have no memory and not play in words. Barred actions are masked.

    Returns:
        The policy, (S,) float64. Of an agent that draws, and tells no probabilities, it is an estimate: the shares of
        its answers when it is asked 256 times; of one with an adviser that draws, the mean of what it tells.

    Raises:
        OptionError: the agent has a memory, plays in words, or leaves a probability out.
    """
    known = find_agent(agent, tree.small.rules) if isinstance(agent, str) else agent
    if known is UNIFORM or getattr(known, "name", "") == UNIFORM.name:
        return uniform_policy(tree)
    if isinstance(known, Agent) and (known.memory_size or plays_in_words(known)):
        raise OptionError(f"exact values need an agent without memory that isn't asked in words, not {known.name}")
    times = DRAWS if isinstance(known, Agent) and _draws(tree, known) else 1
    policy = np.ones(tree.num_sequences)
    for group in _groups(tree):
        sets, (_, masks), _ = group
        told = sum((_told(known, group, number) for number in range(times)), np.zeros(masks.shape)) / times
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
        OptionError: there is no such game, or the agent has a memory or plays in words.
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


def _groups(tree: Tree) -> Iterator[Group]:
    """All information sets with what is seen there."""
    for sets in alike(tree):
        games, seats = tree.positions(sets), tree.seat[sets].astype(np.int64)
        seen, masks = (np.ascontiguousarray(part) for part in tree.small.observe(games, seats))
        yield sets, (seen, masks), {"views": tree.small.look(games, seats), "params": tree.small.params}


def _draws(tree: Tree, agent: Agent) -> bool:
    """Whether an agent, or its adviser, answers differently anywhere when it is asked again."""
    asked = ([_told(agent, group, number) for number in range(FEW)] for group in _groups(tree))
    return any((other != answers[0]).any() for answers in asked for other in answers[1:])


def _told(agent: Agent | Function, group: Group, number: int) -> Floats:
    """An agent's probabilities, (n, A): those that it tells, or 1 for what it does; number: which time it is asked."""
    sets, rows, sight = group
    if isinstance(agent, Agent):
        streams = np.zeros(len(sets), STREAM)
        for stream, place in zip(streams, sets.tolist(), strict=True):
            open_stream(stream, number, place, AGENTS)
        by_view = sight if getattr(agent, "by_view", False) else {}
        if isinstance(agent, SavedPolicy):
            return np.asarray(agent.probabilities(*rows, streams, **by_view), np.float64)
        answers = agent.act(*rows, np.zeros((len(sets), 0), np.int32), streams, **by_view)
        actions = checked_answer(agent, answers, len(sets))
        return np.equal(actions[:, None], np.arange(rows[1].shape[1])).astype(np.float64)
    told = np.asarray(agent(*rows), np.float64)
    if told.shape != rows[1].shape:
        raise OptionError(f"the function must give probabilities of shape {rows[1].shape}, not {told.shape}")
    return told
