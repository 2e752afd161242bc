"""A judge of recorded games: what each choice was worth beside what a reference agent would have done.

Let a seat take action a at a decision where the reference would have taken r with the seat's own random words. Its gain
there is how often its seat wins after a, less how often after r, when the reference plays on in its place. Summed over
a game's decisions and averaged over games this is exactly what the seat's player wins more often than the reference in
its seat (the performance difference: Kakade and Langford 2002), in games in which everybody else's policy is known. The
expectation is over all that the open seats couldn't know, as AIVAT averages over hands that a player of known policy
could hold (Burch et al. 2018). Here it is taken in worlds that are exact draws (see `worlds`), each played to the end
with common chance after both actions. Nothing is fitted and no model of play is needed: the estimate is unbiased for
any number of worlds; more of them only make it sharper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import take_records
from riverbed_env.core.options import check_whole
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.arena import Arena

from ..statistics import Mean, clustered_mean
from .choices import Choices, Group, groups_of, judged_choices, stream_numbers
from .kernels.loops import NOT_AS_RECORDED, Memory, Records, Task, Whole
from .worlds import WorldFinder

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

DEFAULT_WORLDS, DEFAULT_MOVES = 128, 16
MOST_WORLDS, MOST_MOVES = 4096, 10_000
NUM_ENVS = 2048  # games played on at once
REFERENCE, OPEN = 0, -1  # numbers of agents


@dataclass(frozen=True)
class Judged:
    """What the choices of recorded games were worth, as shares of a win.

    choices: those that differ from the reference's; effects: (n,), how much more often their seat wins by each of them
    than by the reference's; judged: (games, seats), which seats were judged; deal: (games,), names of the deals.
    """

    choices: Choices
    effects: Numbers
    judged: Flags
    deal: npt.NDArray[np.str_]

    def gain(self, seats: Flags | None = None) -> Mean:
        """The mean gain of a judged seat in a game, with a 95 % interval over deals.

        seats: (games, seats), only these of the judged seats.
        """
        among = self.judged if seats is None else self.judged & seats
        worth = np.zeros(self.judged.shape)
        np.add.at(worth, (self.choices.game, self.choices.seat), self.effects)
        return clustered_mean(worth[among], np.unique(self.deal[np.nonzero(among)[0]], return_inverse=True)[1])


@dataclass(frozen=True)
class Judge:
    """Judges recorded games beside a reference agent.

    known: agents whose seats play by their policy, beside the reference itself; a seat with any other name is open:
    only what it saw and did counts, so people, models and agents of any kind may sit there. worlds: for each choice
    that differs; moves: exchanges tried from one world to the next; seed: of the worlds and of the chance in them.
    Raises OptionError for a number out of range, and for agents that aren't compiled.
    """

    reference: Agent
    known: tuple[Agent, ...] = ()
    worlds: int = DEFAULT_WORLDS
    moves: int = DEFAULT_MOVES
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        check_whole("worlds", self.worlds, 1, MOST_WORLDS)
        check_whole("moves", self.moves, 0, MOST_MOVES)
        check_seed(self.seed)
        for agent in (self.reference, *self.known):
            if not isinstance(agent, CompiledAgent):
                raise OptionError(f"the judge plays games on with compiled agents, and {agent.name} isn't one")

    @property
    def agents(self) -> tuple[CompiledAgent, ...]:
        """The reference and the agents of known policy; the reference is number 0."""
        named = {agent.name: agent for agent in (self.reference, *self.known)}
        return tuple(agent for agent in named.values() if isinstance(agent, CompiledAgent))

    def judge(self, games: Sequence[RecordedGame], seats: Sequence[Sequence[int]] | None = None) -> Judged:
        """What the choices of these seats were worth; several seats of a game are judged at once.

        games: of one game and number of players, with the names of their agents; they may stop before their end, which
        counts what was chosen so far. seats: of each game, those judged; None: all open ones. A judged seat is open
        whatever its name. Where several seats are open and judged, each one's gain is its own share.

        Raises OptionError if a game can't be played again as it was recorded.
        """
        if not games:
            raise OptionError("the judge needs at least one recorded game")
        if len({(game.environment, game.num_players) for game in games}) > 1:
            raise OptionError("judge the games of each environment and number of players apart")
        numbers = np.array([self._numbers(game) for game in games])
        judged = numbers < 0
        if seats is not None:
            judged[:] = False
            for place, some in enumerate(seats):
                judged[place, list(some)] = True
        lineups = self.lineups(games, judged)
        parts = [self._judge_group(group, judged, lineups) for group in groups_of(games)]
        columns = {name: np.concatenate([getattr(part, name) for part, _ in parts]) for name in Choices.__annotations__}
        order = np.lexsort((columns["decision"], columns["game"]))
        choices = Choices(**{name: column[order] for name, column in columns.items()})
        effects = np.concatenate([each for _, each in parts])[order]
        deal = np.array([f"{game.seed} {game.number} {sorted(game.options.items())}" for game in games])
        return Judged(choices, effects, judged, deal)

    def lineups(self, games: Sequence[RecordedGame], judged: Flags) -> Whole:
        """The number of the agent in each seat, OPEN where its policy isn't known or it is judged, (games, seats)."""
        return np.where(judged, OPEN, np.array([self._numbers(game) for game in games]))

    def _numbers(self, game: RecordedGame) -> list[int]:
        """The number of the agent in each seat, OPEN where its policy isn't known."""
        if len(game.agents) != game.num_players:
            raise OptionError(f"recorded game {game.number} doesn't name its {game.num_players} agents")
        number_of = {agent.name: number for number, agent in enumerate(self.agents)}
        return [number_of.get(name, OPEN) for name in game.agents]

    def _judge_group(self, group: Group, judged: Flags, lineups: Whole) -> tuple[Choices, Numbers]:
        """The choices of a group that differ, and their effects."""
        batch, lineup, seed = group.batch, lineups[group.places], _own_seed(self.seed, group.batch.seed)
        choices = judged_choices(group, judged[group.places], self.reference)
        effects = np.zeros(len(choices))
        if len(choices):
            finder = WorldFinder(
                *(batch.game, self.agents, batch.params), moves=self.moves, seed=seed, threads=self.threads
            )
            at_once = min(len(choices), max(1, NUM_ENVS // self.worlds))
            options = {**batch.options, "threads": self.threads}
            arena = Arena(batch.game, self.agents, at_once * self.worlds, **options)
            for first in range(0, len(choices), at_once):
                places = np.arange(first, min(first + at_once, len(choices)))
                task = _task(group, choices, places, lineup)
                worlds, kept, accepted = finder.find(task, self.worlds)
                _check(accepted, group, choices, places)
                won = [
                    _wins(arena, task.lineups, worlds, kept, actions)
                    for actions in (choices.chosen[places], choices.usual[places])
                ]
                rows, seats = np.arange(len(places)), choices.seat[places]
                effects[places] = (won[0] - won[1])[rows, seats]
        return replace(choices, game=group.places[choices.game]), effects


def _own_seed(seed: int, dealt: int) -> int:
    """The seed of the worlds of games of one seed: games of the same number under other seeds get other chance."""
    return int.from_bytes(hashlib.sha256(f"{seed} {dealt}".encode()).digest()[:7])


def _task(group: Group, choices: Choices, places: Whole, lineups: Whole) -> Task:
    """The decisions at these places among the choices."""
    game = choices.game[places]
    seated = lineups[game]
    return Task(
        deals=take_records(group.deals, game),
        actions=np.ascontiguousarray(group.actions[game]),
        until=choices.decision[places],
        lineups=np.ascontiguousarray(np.where(seated == OPEN, REFERENCE, seated)),
        open_seats=np.ascontiguousarray(seated == OPEN, np.int8),
        numbers=stream_numbers(group.batch, game, choices.decision[places]),
    )


def _check(accepted: Whole, group: Group, choices: Choices, places: Whole) -> None:
    """Raise OptionError where an agent of known policy did otherwise than recorded."""
    wrong = np.flatnonzero(accepted == NOT_AS_RECORDED)
    if len(wrong):
        number = int(group.batch.game_number[choices.game[places[wrong[0]]]])
        raise OptionError(
            f"in game {number} of seed {group.batch.seed} an agent didn't act as it does under its name: "
            "judge with known=() the seats whose agents' policies aren't sure, or name them otherwise"
        )


def _wins(arena: Arena, lineups: Whole, worlds: Records, memories: Memory, actions: Whole) -> Numbers:
    """How often each seat wins if an action is taken in each world, whatever the action with the same future chance.

    lineups: (n, seats); worlds: (n, m); memories: (n, m, seats, memory); actions: (n,). Returns (n, seats).
    """
    count, each = worlds.shape
    rest = np.arange(arena.num_envs) % worlds.size  # fills the arena up; only the first are played
    task, state = rest // each, arena.get_state()
    state["games"] = np.ascontiguousarray(worlds.ravel()).view(np.uint8).reshape(worlds.size, -1)[rest]
    state["lineups"] = lineups[task]
    width = min(memories.shape[3], state["memories"].shape[2])
    state["memories"][:, :, :width] = memories.reshape(worlds.size, *memories.shape[2:])[rest, :, :width]
    arena.set_state(state)
    arena.play_on(np.arange(worlds.size), actions[task])
    won: Numbers = (arena.returns[: worlds.size] > 0).reshape(count, each, -1).mean(axis=1)
    return won
