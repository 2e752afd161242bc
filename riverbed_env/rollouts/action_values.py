"""Action values: each legal action of a state is played on with the same chance, in compiled code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from riverbed_env.core.features import FeatureSet
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.compile import KernelFamily, Numbers, Whole, compiled
from riverbed_env.kernels.networks import PackedNetwork
from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.threads import with_threads
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.arena import Arena, link_choice
from riverbed_env.players.features import can_advise
from riverbed_env.players.networks import empty_network

from . import loops
from .hooks import NO_HOOKS, RolloutHooks
from .kernels import FOLDER
from .networks import link_network

TO_THE_END = 2**31  # turns
MOST_TURNS, MOST_WORLDS = 1000, 10_000


@dataclass(frozen=True)
class Rollouts:
    """Settings of the rollouts that estimate action values.

    Args:
        turns: after which a rollout ends, the current one counted, ascending; 0, for the end of the game, comes
            last. Several cost no more than the longest.
        worlds: how many worlds are drawn from the seat's view; their mean counts. 0: the true state.
        rollout: who plays the other seats on, without a memory; None: the agents that sit there.
        own: who plays the own seat on before there is a network; compiled and without a memory.
        hooks: those of the game.
    """

    turns: tuple[int, ...]
    worlds: int
    rollout: CompiledAgent | None
    own: CompiledAgent
    hooks: RolloutHooks

    def check(self, game: Game, agents: Sequence[Any]) -> None:
        """Check that games with these agents can be played on like this.

        Args:
            game: the game.
            agents: who sits in its seats.

        Raises:
            OptionError: the game has no value network and `turns` isn't (0,) or `worlds` isn't 0; `turns` aren't
                ascending with 0 last; `own` or `rollout` has a memory; or an agent isn't compiled and there is no
                `rollout`.
        """
        if self.hooks is NO_HOOKS and (self.worlds or self.turns != (0,)):
            raise OptionError(
                f"{game.name} has no value network: its rollouts go to the end, turns=0, in true states, worlds=0"
            )
        if list(self.sorted_turns()) != sorted(set(self.sorted_turns())):
            raise OptionError(f"turns must be ascending, with 0 (to the end) last, not {self.turns!r}")
        if not can_advise(self.own):
            raise OptionError(f"{self.own.name} can't play a learner's seat on: it has a memory")
        if self.rollout is not None and self.rollout.memory_size:
            raise OptionError(f"{self.rollout.name} can't play on from the middle of a game: it has a memory")
        strangers = [agent.name for agent in agents if not isinstance(agent, CompiledAgent)]
        if strangers and self.rollout is None:
            raise OptionError(f"{strangers[0]} isn't compiled, so it can't play on: name one that is, with rollout")

    def sorted_turns(self) -> Whole:
        """The turns as the loop takes them.

        Returns:
            (turns,) int64; 2**31 in place of 0.
        """
        return np.array([turns or TO_THE_END for turns in self.turns], np.int64)


class ActionValues:
    """Estimates action values for the acting seats of an arena's games; networks take `features` besides a view.

    Args:
        tables: the arena.
        how: how choices are valued.
        view: the view of the networks' observations.
        features: the networks' feature sets.

    Raises:
        OptionError: the arena's games can't be played on like this; see `Rollouts.check`.
    """

    def __init__(self, tables: Arena, how: Rollouts, view: str, features: Sequence[FeatureSet]) -> None:
        how.check(tables.game, tables.agents)
        self._tables, self._how = tables, how
        more = {agent.name: agent for agent in (how.rollout, how.own) if agent is not None}
        known = {agent.name for agent in tables.inside}
        self._agents = (*tables.inside, *(agent for name, agent in more.items() if name not in known))
        self._numbers = {agent.name: number for number, agent in enumerate(self._agents)}
        batch, game = tables.batch, tables.game
        self._threads = batch.threads if compiled() else 1
        parallel = self._threads > 1
        self._estimate, self._choose = _linked(game, self._agents, how.hooks, view, tuple(features), parallel)
        self._records = [np.zeros(batch.threads, game.dtype) for _ in range(2)]
        self._views, self._streams = np.zeros(batch.threads, game.view_dtype), np.zeros(batch.threads, STREAM)
        self._scratch = np.zeros((batch.threads, batch.rows.shape[1]), np.int8)
        self._kept = np.zeros((batch.threads, *tables.memories.shape[1:]), np.int32)
        self._returns = np.zeros((batch.threads, tables.num_players), np.float32)

    def estimate(self, indices: Whole, network: PackedNetwork | None, seed: int, first: int) -> Numbers:
        """The action values of these games in points, for the acting seats.

        Args:
            indices: the arena's environments, (indices,) int64.
            network: plays the own seat on; None: the agent `own`.
            seed: of the worlds' streams.
            first: the number of the first game's stream; those of the others follow.

        Returns:
            (indices, actions, turns) float32; NaN for illegal actions.

        Raises:
            RiverbedError: an agent takes an illegal action in a rollout.
        """
        tables, how, batch = self._tables, self._how, self._tables.batch
        legal = tables.batch.action_mask[indices] == 1
        out = np.zeros((*legal.shape, len(how.turns)), np.float32)
        refused = np.zeros(len(indices), np.int64)
        coded = tables.coded
        if how.rollout is not None:
            coded = np.full_like(coded, self._numbers[how.rollout.name])
        own = loops.BY_NETWORK if network is not None else self._numbers[how.own.name]
        with_threads(
            self._threads,
            self._estimate,
            *(batch.arrays, self._views, *self._records, self._streams, self._scratch, self._kept),
            *(tables.memories, coded, np.ascontiguousarray(indices), first + np.arange(len(indices))),
            *(seed, how.worlds, own, network or empty_network(), how.sorted_turns(), self._returns, out, refused),
        )
        if refused.any():
            raise RiverbedError(f"an agent took the illegal action {int(refused.max()) - 1} in a rollout")
        out[~legal] = np.nan
        return out

    def choose(self, indices: Whole, network: PackedNetwork) -> Whole:
        """The network's likeliest action in each of these games.

        Args:
            indices: the arena's environments, (indices,) int64.
            network: the network.

        Returns:
            The actions' numbers, (indices,) int64.
        """
        batch, actions = self._tables.batch, np.zeros(len(indices), np.int64)
        given = np.ascontiguousarray(indices)
        with_threads(self._threads, self._choose, batch.arrays, self._views, self._scratch, given, network, actions)
        return actions


@cache  # linked once per process
def _linked(
    game: Game,
    agents: tuple[CompiledAgent, ...],
    hooks: RolloutHooks,
    view: str,
    features: tuple[FeatureSet, ...],
    parallel: bool,
) -> tuple[Callable[..., None], Callable[..., None]]:
    """The loops `write_action_values` and `choose_for` for these agents and networks with these inputs."""
    parts: list[Any] = [*agents, *features, hooks]
    of_agents = [folder for part in parts for folder in part.folders]
    family = KernelFamily(f"{game.name}_rollouts", *dict.fromkeys([*game.family.folders, *of_agents, FOLDER]))
    choose, tag = link_choice(family, agents)
    network = link_network(game, view, features).choose
    names = {
        **game.kernels.names(),
        "NUM_ACTIONS": game.actions.size,
        "write_row": game.loops.write_row,
        "choose_as": choose,
        "choose_by_network": network,
        "turn_of": hooks.turn_of,
        "expected_return": hooks.expected_return,
        "draw_world": hooks.draw_world,
    }
    tag = f"{network.__name__}_{tag}{'_parallel' if parallel else ''}"
    names["value_of"] = family.link(loops.value_of, f"{game.name}_value_of", names)
    names["play_on"] = family.link(loops.play_on, f"{game.name}_play_on_{tag}", names)
    estimate = family.link(loops.write_action_values, f"{game.name}_values_{tag}", names, parallel=parallel)
    return estimate, family.link(loops.choose_for, f"{game.name}_choose_{tag}", names, parallel=parallel)
