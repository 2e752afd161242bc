"""A judge of recorded games: what each choice was worth beside what a reference agent would have done.

Let a seat take action a at a decision where the reference would have taken r. Its gain there is how often its seat
wins after a, less how often after r, when the reference plays on in its place. Summed over a game's decisions and
averaged over games this is exactly what the seat's player wins more often than the reference in its seat (the
performance difference: Kakade and Langford 2002), in games in which everybody else's policy is known. The expectation
is over all that the open seats couldn't know, as AIVAT averages over hands that a player of known policy could hold
(Burch et al. 2018). Here it is taken in worlds that are exact draws (see `worlds`), each played to the end with common
chance after both actions. Nothing is fitted and no model of play is needed: the estimate is unbiased for any number of
worlds; more of them only make it sharper.
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
from .choices import Choices, Group, differing_choices, groups_of
from .kernels.loops import NOT_AS_RECORDED, Memory, Records, Task, Whole
from .worlds import WorldFinder

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

DEFAULT_WORLDS, DEFAULT_MOVES = 64, 16
MOST_WORLDS, MOST_MOVES = 4096, 10_000
NUM_ENVS = 4096  # games played on at once
REFERENCE, OPEN = 0, -1  # numbers of agents
NUMBERS_A_GAME = 1 << 20  # of random streams: more than a game has decisions


@dataclass(frozen=True)
class Judged:
    """What the choices of recorded games were worth, as shares of a win.

    choices: those that differ from the reference's; effects: (n, seats), how much more often each seat wins by each of
    them; moved: (n,), the share of tried exchanges that were possible there; judged: (games, seats), which seats were
    judged; deal: (games,), names of the deals.
    """

    choices: Choices
    effects: Numbers
    moved: Numbers
    judged: Flags
    deal: npt.NDArray[np.str_]

    @classmethod
    def joined(cls, parts: Sequence[Judged]) -> Judged:
        """Parts of the games of one environment and number of players, one after the other."""
        before = np.cumsum([0, *(len(part.judged) for part in parts)])
        columns = {name: [getattr(part.choices, name) for part in parts] for name in Choices.__annotations__}
        columns["game"] = [places + first for places, first in zip(columns["game"], before)]
        choices = Choices(**{name: np.concatenate(column) for name, column in columns.items()})
        whole = ("effects", "moved", "judged", "deal")
        return cls(choices, *(np.concatenate([getattr(part, name) for part in parts]) for name in whole))

    @property
    def gains(self) -> Numbers:
        """What each choice was worth to the seat that made it, (n,)."""
        return np.asarray(self.effects[np.arange(len(self.choices)), self.choices.seat])

    @property
    def by_seat(self) -> Numbers:
        """What each seat's choices gained in each game, (games, seats); 0 for seats that weren't judged."""
        sums = np.zeros(self.judged.shape)
        np.add.at(sums, (self.choices.game, self.choices.seat), self.gains)
        return sums

    def gain(self, seats: Flags | None = None) -> Mean:
        """The mean gain of a judged seat in a game, with a 95 % interval over deals.

        seats: (games, seats), only these of the judged seats.
        """
        among = self.judged if seats is None else self.judged & seats
        game, _ = np.nonzero(among)
        _, block = np.unique(self.deal[game], return_inverse=True)
        return clustered_mean(self.by_seat[among], block)

    def by_deal(self) -> dict[str, float]:
        """The mean gain of a judged seat on each deal."""
        game, _ = np.nonzero(self.judged)
        deals, block = np.unique(self.deal[game], return_inverse=True)
        means = np.bincount(block, self.by_seat[self.judged], len(deals)) / np.bincount(block, minlength=len(deals))
        return dict(zip(deals.tolist(), means.tolist()))


def gain_over(first: Judged, second: Judged) -> Mean:
    """How much more a judged seat gains in the first games than in the second, over the deals that both played."""
    mine, others = first.by_deal(), second.by_deal()
    common = sorted(mine.keys() & others.keys())
    return clustered_mean([mine[deal] - others[deal] for deal in common], range(len(common)))


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
        whatever its name. Where several seats are open and judged, each one's gain is its own share: what all of their
        choices do for a seat adds up to how much more often it wins than with the reference in all open seats.

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
        choices, effects, moved = _joined(parts)
        deal = np.array([f"{game.seed} {game.number} {sorted(game.options.items())}" for game in games])
        return Judged(choices, effects, moved, judged, deal)

    def lineups(self, games: Sequence[RecordedGame], judged: Flags) -> Whole:
        """The number of the agent in each seat, OPEN where its policy isn't known or it is judged, (games, seats)."""
        return np.where(judged, OPEN, np.array([self._numbers(game) for game in games]))

    def _numbers(self, game: RecordedGame) -> list[int]:
        """The number of the agent in each seat, OPEN where its policy isn't known."""
        if len(game.agents) != game.num_players:
            raise OptionError(f"recorded game {game.number} doesn't name its {game.num_players} agents")
        number_of = {agent.name: number for number, agent in enumerate(self.agents)}
        return [number_of.get(name, OPEN) for name in game.agents]

    def _judge_group(self, group: Group, judged: Flags, lineups: Whole) -> tuple[Choices, Numbers, Numbers]:
        """The differing choices of a group, their effects and the share of exchanges made."""
        batch, lineup = group.batch, lineups[group.places]
        choices = differing_choices(group, judged[group.places], self.reference)
        effects, moved = np.zeros((len(choices), batch.num_players)), np.zeros(len(choices))
        if len(choices):
            finder = WorldFinder(
                *(batch.game, self.agents, batch.params),
                moves=self.moves,
                seed=_own_seed(self.seed, batch.seed),
                threads=self.threads,
            )
            at_once = min(len(choices), max(1, NUM_ENVS // (2 * self.worlds)))
            options = {**batch.options, "threads": self.threads}
            arena = Arena(batch.game, self.agents, 2 * at_once * self.worlds, **options)
            for first in range(0, len(choices), at_once):
                places = np.minimum(np.arange(first, first + at_once), len(choices) - 1)  # the last one fills up
                task = _task(group, choices, places, lineup)
                found, kept, accepted = finder.find(task, self.worlds)
                _check(accepted, group, choices, places)
                effects[places] = play_both(arena, task.lineups, found, kept, choices, places)
                moved[places] = accepted / max(1, (self.worlds - 1) * finder.moves)
        return replace(choices, game=group.places[choices.game]), effects, moved


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
        numbers=NUMBERS_A_GAME * group.batch.game_number[game] + choices.decision[places],
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


def play_both(
    arena: Arena, lineups: Whole, worlds: Records, memories: Memory, choices: Choices, places: Whole
) -> Numbers:
    """How often each seat wins after the chosen action, less how often after the usual one, (n, seats).

    worlds: (n, m); memories: (n, m, seats, memory); lineups: (n, seats). Both actions meet the same future chance.
    """
    count, num_worlds = worlds.shape
    state, everywhere = arena.get_state(), np.arange(arena.num_envs)
    width = state["memories"].shape[2]
    state["games"] = np.repeat(worlds.reshape(-1).view(np.uint8).reshape(count * num_worlds, -1), 2, axis=0)
    state["lineups"] = np.repeat(lineups, 2 * num_worlds, axis=0)
    kept = memories.reshape(count * num_worlds, *memories.shape[2:])[:, :, :width]
    state["memories"][:, :, : kept.shape[2]] = np.repeat(kept, 2, axis=0)
    arena.set_state(state)
    both = np.stack([choices.chosen[places], choices.usual[places]], axis=1)
    arena.play_on(everywhere, np.repeat(both[:, None], num_worlds, axis=1).reshape(-1))
    won = (arena.returns > 0).astype(np.float64).reshape(count, num_worlds, 2, -1)
    return np.asarray((won[:, :, 0] - won[:, :, 1]).mean(axis=1))


def _joined(parts: Sequence[tuple[Choices, Numbers, Numbers]]) -> tuple[Choices, Numbers, Numbers]:
    """The choices of all groups in the order of games and decisions, with their numbers."""
    columns = {name: np.concatenate([getattr(part[0], name) for part in parts]) for name in Choices.__annotations__}
    order = np.lexsort((columns["decision"], columns["game"]))
    effects, moved = (np.concatenate([part[place] for part in parts])[order] for place in (1, 2))
    return Choices(**{name: column[order] for name, column in columns.items()}), effects, moved
