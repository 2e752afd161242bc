"""A judge of recorded games: what each choice was worth beside what a reference agent would have done.

Let a seat take action a at a decision where the reference would have taken r. Its gain there is how often its seat
wins after a, less how often after r, when the reference plays on in its place. Summed over a game's decisions and
averaged over games this is exactly what the seat's player wins more often than the reference in its seat (the
performance difference: Kakade and Langford 2002), in games in which everybody else's policy is known. The expectation
is over all that the open seats couldn't know, as AIVAT averages over hands that a player of known policy could hold
(Burch et al. 2018). Here it is taken in worlds that are exact draws (see `worlds`), each played to the end with common
chance after both actions. Nothing is fitted and no model of play is needed: the estimate is unbiased for any number of
worlds; more of them only make it sharper.

The reference draws by lot too, and what it happens to draw is noise. So r is the action that it takes with the seat's
own random words, which is best where the player is much like the reference and uses the same words; and how much
better r is than what the reference draws on average, its luck, is estimated beside it. That has mean 0 whoever plays,
as r is such a draw; so any part of it may be added that doesn't depend on it (`less_luck`).
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
Part = tuple[Choices, Numbers, Numbers, Numbers]

DEFAULT_WORLDS, DEFAULT_MOVES = 128, 16
MOST_WORLDS, MOST_MOVES = 4096, 10_000
NUM_ENVS = 4096  # games played on at once
REFERENCE, OPEN = 0, -1  # numbers of agents
TRIED = 3  # actions in each world at most: the chosen one, the usual one, one that the reference draws
FOLDS = 10  # of deals, for the factor of the reference's luck


@dataclass(frozen=True)
class Judged:
    """What the choices of recorded games were worth, as shares of a win.

    choices: those where the reference did or could have done otherwise; effects: (n, seats), how much more often each
    seat wins by each of them than by what the reference does there with the seat's random words; luck: (n, seats), how
    much more often each seat wins by that than by what the reference does with any words; moved: (n,), the share of
    tried exchanges that were possible there; judged: (games, seats), which seats were judged; deal: (games,), names of
    the deals.
    """

    choices: Choices
    effects: Numbers
    luck: Numbers
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
        return cls(choices, *(np.concatenate([getattr(part, name) for part in parts]) for name in PARTS))

    def gain(self, seats: Flags | None = None, *, together: bool = False) -> Mean:
        """The mean gain of a judged seat in a game, with a 95 % interval over deals.

        seats: (games, seats), only these of the judged seats; together: what the choices of all judged seats did for
        them, not only each seat's own.
        """
        among = self.judged if seats is None else self.judged & seats
        block = self._blocks(among)
        return clustered_mean(self._worth(among, block, together), block)

    def sums(self, *, together: bool = False) -> tuple[Numbers, Numbers]:
        """What the choices of each game did for each seat, and the reference's luck in them, (games, seats) each.

        Each seat's own choices for itself, or with `together` those of all judged seats.
        """
        own = ... if together else (np.arange(len(self.choices)), self.choices.seat)
        place = self.choices.game if together else (self.choices.game, self.choices.seat)
        effects, luck = np.zeros((2, *self.judged.shape))
        np.add.at(effects, place, self.effects[own])
        np.add.at(luck, place, self.luck[own])
        return effects, luck

    def _worth(self, among: Flags, block: Whole, together: bool = False) -> Numbers:
        """What choices did for these seats, (games, seats), with less luck, (seats,). block: (seats,), their deals."""
        effects, luck = self.sums(together=together)
        return less_luck(effects[among], luck[among], block)

    def _blocks(self, among: Flags) -> Whole:
        """The number of the deal of each of these seats."""
        game, _ = np.nonzero(among)
        return np.unique(self.deal[game], return_inverse=True)[1]

    def by_deal(self) -> dict[str, float]:
        """The mean gain of a judged seat on each deal."""
        block = self._blocks(self.judged)
        worth = self._worth(self.judged, block)
        deals = np.unique(self.deal[self.judged.any(axis=1)])
        return dict(zip(deals.tolist(), (np.bincount(block, worth) / np.bincount(block)).tolist()))


PARTS = ("effects", "luck", "moved", "judged", "deal")  # of what was judged, beside the choices


def less_luck(gains: Numbers, luck: Numbers, block: Whole) -> Numbers:
    """Gains, (n,), with a part of the reference's luck added, which makes them less noisy.

    luck: (n,), of mean 0 whoever is judged; block: (n,), the number of the deal. The part is what would have been best
    in the games of the other folds of deals, from 0 (the player draws by the same words as the reference) to 1 (by
    others): so it doesn't depend on the luck that it stands beside, and the mean stays what it is.
    """
    fold, out = block % FOLDS, gains.copy()
    for number in range(FOLDS):
        mine, others = fold == number, fold != number
        square = float(np.square(luck[others]).sum())
        if square > 0:
            both = float(((gains[others] - gains[others].mean()) * luck[others]).sum())
            out[mine] += min(1.0, max(0.0, -both / square)) * luck[mine]
    return out


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
        choices, effects, luck, moved = _joined(parts)
        deal = np.array([f"{game.seed} {game.number} {sorted(game.options.items())}" for game in games])
        return Judged(choices, effects, luck, moved, judged, deal)

    def lineups(self, games: Sequence[RecordedGame], judged: Flags) -> Whole:
        """The number of the agent in each seat, OPEN where its policy isn't known or it is judged, (games, seats)."""
        return np.where(judged, OPEN, np.array([self._numbers(game) for game in games]))

    def _numbers(self, game: RecordedGame) -> list[int]:
        """The number of the agent in each seat, OPEN where its policy isn't known."""
        if len(game.agents) != game.num_players:
            raise OptionError(f"recorded game {game.number} doesn't name its {game.num_players} agents")
        number_of = {agent.name: number for number, agent in enumerate(self.agents)}
        return [number_of.get(name, OPEN) for name in game.agents]

    def _judge_group(self, group: Group, judged: Flags, lineups: Whole) -> Part:
        """The choices of a group that count, their effects, the reference's luck and the share of exchanges made."""
        batch, lineup, seed = group.batch, lineups[group.places], _own_seed(self.seed, group.batch.seed)
        choices, drawn = judged_choices(group, judged[group.places], self.reference, self.worlds, seed)
        effects, luck = np.zeros((2, len(choices), batch.num_players))
        moved = np.zeros(len(choices))
        if len(choices):
            finder = WorldFinder(
                *(batch.game, self.agents, batch.params), moves=self.moves, seed=seed, threads=self.threads
            )
            at_once = min(len(choices), max(1, NUM_ENVS // (TRIED * self.worlds)))
            options = {**batch.options, "threads": self.threads}
            arena = Arena(batch.game, self.agents, TRIED * at_once * self.worlds, **options)
            for first in range(0, len(choices), at_once):
                places = np.arange(first, min(first + at_once, len(choices)))
                task = _task(group, choices, places, lineup)
                worlds, kept, accepted = finder.find(task, self.worlds)
                _check(accepted, group, choices, places)
                tried = choices.chosen[places], choices.usual[places], drawn[places]
                effects[places], luck[places] = play_out(arena, task.lineups, worlds, kept, tried)
                moved[places] = accepted / max(1, (self.worlds - 1) * finder.moves)
        return replace(choices, game=group.places[choices.game]), effects, luck, moved


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


def play_out(
    arena: Arena, lineups: Whole, worlds: Records, memories: Memory, tried: tuple[Whole, Whole, Whole]
) -> tuple[Numbers, Numbers]:
    """What chosen actions do beside usual ones, and these beside drawn ones: each seat's wins more, (n, seats) each.

    lineups: (n, seats); worlds: (n, m); memories: (n, m, seats, memory); tried: chosen (n,), usual (n,) and drawn
    (n, m) actions. In a world all of them meet the same future chance, and equal ones are played once.
    """
    shape = worlds.shape
    chosen, usual, drawn = (np.broadcast_to(each.reshape(len(worlds), -1), shape) for each in tried)
    other, another = usual != chosen, (drawn != chosen) & (drawn != usual)
    wanted = [np.ones(shape, bool), other, another]
    won = np.zeros((TRIED, *shape, lineups.shape[1]))
    task, world = (np.concatenate(places) for places in zip(*map(np.nonzero, wanted)))
    actions = np.concatenate([each[some] for each, some in zip((chosen, usual, drawn), wanted)])
    ended = _played(arena, lineups[task], worlds[task, world], memories[task, world], actions)
    for each, some, part in zip(won, wanted, np.split(ended, np.cumsum([some.sum() for some in wanted])[:-1])):
        each[some] = part
    won[1][~other] = won[0][~other]
    same = ~another
    won[2][same] = np.where((drawn == chosen)[same][:, None], won[0][same], won[1][same])
    return (won[0] - won[1]).mean(axis=1), (won[1] - won[2]).mean(axis=1)


def _played(arena: Arena, lineups: Whole, games: Records, memories: Memory, actions: Whole) -> Numbers:
    """Who wins games that go on with these actions, (n, seats), n no more than the arena's games."""
    count, state = len(actions), arena.get_state()
    rest = np.arange(arena.num_envs) % count  # fills the arena up; only the first are played
    state["games"] = np.ascontiguousarray(games).view(np.uint8).reshape(count, -1)[rest]
    state["lineups"] = lineups[rest]
    width = min(memories.shape[2], state["memories"].shape[2])
    state["memories"][:, :, :width] = memories[rest, :, :width]
    arena.set_state(state)
    arena.play_on(np.arange(count), actions[rest])
    return np.asarray(arena.returns[:count] > 0, np.float64)


def _joined(parts: Sequence[Part]) -> Part:
    """The choices of all groups in the order of games and decisions, with their numbers."""
    columns = {name: np.concatenate([getattr(part[0], name) for part in parts]) for name in Choices.__annotations__}
    order = np.lexsort((columns["decision"], columns["game"]))
    effects, luck, moved = (np.concatenate([part[place] for part in parts])[order] for place in (1, 2, 3))
    return Choices(**{name: column[order] for name, column in columns.items()}), effects, luck, moved
