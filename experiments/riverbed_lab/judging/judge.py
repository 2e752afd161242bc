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

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import take_records
from riverbed_env.core.options import check_whole
from riverbed_env.core.packs import pack_hash
from riverbed_env.corpus.recorded import RecordedGame, check_pack
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.random import check_seed, end_decisions
from riverbed_env.players.agents import Agent, CompiledAgent, answers
from riverbed_env.players.arena import Arena
from riverbed_env.registry import find_game

from ..playing.play import play_seated
from ..statistics import Mean, clustered_mean
from .kernels.loops import NOT_AS_RECORDED, Memory, Records, Task, Whole
from .worlds import WorldFinder

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

DEFAULT_WORLDS, DEFAULT_MOVES = 128, 16
MOST_WORLDS, MOST_MOVES = 4096, 10_000
NUM_ENVS = 2048  # games played on at once, and played again side by side
NUMBERS_A_GAME = 1 << 20  # of random streams: more than a game has decisions
REFERENCE, OPEN = 0, -1  # numbers of agents
NOTHING = -1  # in place of an action after a game's last one

# A choice that differs from the reference's. game: its place among the games; decision: its place among the game's
# actions; usual: what the reference does with the random words that the seat had.
CHOICE = np.dtype([(name, np.int64) for name in ("game", "decision", "seat", "chosen", "usual")])


@dataclass(frozen=True)
class Judged:
    """What the choices of recorded games were worth, as shares of a win.

    choices: (n,) of CHOICE, in the order of games and decisions; effects: (n,), how much more often their seat wins by
    each of them than by the reference's; judged: (games, seats), which seats were judged; roles: (games, seats), as
    dealt; winners: (games, seats), how much more often the game's one open seat won than the reference there on the
    same deal, NaN where the game isn't over or other seats are open; deal: (games,), names of the deals.
    """

    choices: Records
    effects: Numbers
    judged: Flags
    roles: npt.NDArray[np.str_]
    winners: Numbers
    deal: npt.NDArray[np.str_]

    @property
    def gains(self) -> Numbers:
        """The gain of each seat in each game, (games, seats)."""
        gains = np.zeros(self.judged.shape)
        np.add.at(gains, (self.choices["game"], self.choices["seat"]), self.effects)
        return gains

    def gain(self) -> Mean:
        """The mean gain of a judged seat in a game, with a 95 % interval over deals."""
        deals = np.unique(self.deal, return_inverse=True)[1]
        return clustered_mean(self.gains[self.judged], deals[np.nonzero(self.judged)[0]])


@dataclass(frozen=True)
class Group:
    """Recorded games of one seed and of the same options: their places among all games, and the games as dealt.

    actions: (n, decisions), NOTHING after the last; lengths: (n,).
    """

    batch: Batch
    places: Whole
    deals: Records
    actions: Whole
    lengths: Whole

    def take(self, decision: int) -> None:
        """Take the recorded actions of a decision in the games that have one. Raises OptionError if one can't be."""
        batch, going = self.batch, self.lengths > decision
        over = np.flatnonzero(going & ~batch.acting)
        if len(over):
            number = int(batch.game_number[over[0]])
            raise OptionError(f"recorded game {number} of seed {batch.seed} ends after {decision} of its actions")
        actions = np.where(going, self.actions[:, decision], batch.action_mask.argmax(axis=1))
        streams = batch.agent_streams()
        end_decisions(streams, streams["drawn"].copy())
        batch.put_agent_streams(streams)
        try:
            batch.step(actions)
        except IllegalActionError as error:
            raise OptionError(f"action {decision} of a recorded game of seed {batch.seed}: {error}") from error


def groups_of(games: Sequence[RecordedGame]) -> Iterator[Group]:
    """The games, grouped so that each group can be played again in one batch.

    Raises OptionError for an unknown environment or option, and if a content pack has changed since.
    """
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for place, game in enumerate(games):
        kind = (game.environment, game.seed, game.num_players, game.pack, repr(sorted(game.options.items())))
        kinds.setdefault(kind, []).append(place)
    for places in kinds.values():
        for first in range(0, len(places), NUM_ENVS):
            yield _group(games, np.array(places[first : first + NUM_ENVS]))


def _group(games: Sequence[RecordedGame], places: Whole) -> Group:
    some = [games[place] for place in places.tolist()]
    first = some[0]
    batch = Batch(
        *(find_game(first.environment), len(some)),
        seed=first.seed, auto_reset=False, num_players=first.num_players, **first.options,
    )  # fmt: skip
    check_pack(first.pack, pack_hash(batch.pack), "a recorded game")
    batch.deal(np.array([game.number for game in some]))
    lengths = np.array([len(game.actions) for game in some])
    actions = np.full((len(some), max(1, lengths.max())), NOTHING, np.int64)
    for row, game in zip(actions, some):
        row[: len(game.actions)] = game.actions
    return Group(batch, places, batch.get_state(), actions, lengths)


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
        lineups = np.where(judged, OPEN, numbers)
        roles, winners = np.full(judged.shape, "", "U32"), np.full(judged.shape, np.nan)
        parts = []
        for group in groups_of(games):
            found = self._choices(group, judged[group.places])
            winners[group.places] = self._winners(group, [games[place] for place in group.places], lineups)
            roles[group.places] = np.array(group.batch.game.roles)[group.batch.game.roles_of(group.deals)]
            parts.append(self._judge_choices(group, found, lineups))
        winners[~(judged & ((lineups < 0).sum(axis=1) == 1)[:, None])] = np.nan
        choices, effects = (np.concatenate(column) for column in zip(*parts))
        order = np.lexsort((choices["decision"], choices["game"]))
        deal = np.array([f"{game.seed} {game.number} {sorted(game.options.items())}" for game in games])
        return Judged(choices[order], effects[order], judged, roles, winners, deal)

    def _winners(self, group: Group, games: Sequence[RecordedGame], lineups: Whole) -> Numbers:
        """How much more often each seat won than if the reference plays all open ones; NaN where a game isn't over.

        group: played to the end. Raises OptionError if a game doesn't pay what its record says.
        """
        batch, seats = group.batch, np.maximum(lineups[group.places], REFERENCE)
        options = {**batch.options, "threads": self.threads}
        usual = play_seated(batch.game, self.agents, seats, batch.game_number.copy(), batch.seed, **options)
        paid, instead = (np.asarray(batch.game.returns(each, batch.num_players)) for each in (batch.games, usual.games))
        for game, row, going in zip(games, paid, batch.acting):
            if game.returns and not going and not np.allclose(game.returns, row):
                raise OptionError(
                    f"game {game.number} of seed {game.seed} pays {row.tolist()}, not {list(game.returns)}"
                )
        won: Numbers = np.where(batch.acting[:, None], np.nan, (paid > 0).astype(np.float64) - (instead > 0))
        return won

    def _numbers(self, game: RecordedGame) -> list[int]:
        """The number of the agent in each seat, OPEN where its policy isn't known."""
        if len(game.agents) != game.num_players:
            raise OptionError(f"recorded game {game.number} doesn't name its {game.num_players} agents")
        number_of = {agent.name: number for number, agent in enumerate(self.agents)}
        return [number_of.get(name, OPEN) for name in game.agents]

    def _judge_choices(self, group: Group, choices: Records, lineups: Whole) -> tuple[Records, Numbers]:
        """The choices of a group, with their games' places among all, and their effects."""
        batch, seed = group.batch, _own_seed(self.seed, group.batch.seed)
        effects = np.zeros(len(choices))
        if len(choices):
            finder = WorldFinder(
                *(batch.game, self.agents, batch.params), moves=self.moves, seed=seed, threads=self.threads
            )
            at_once = min(len(choices), max(1, NUM_ENVS // self.worlds))
            options = {**batch.options, "threads": self.threads}
            arena = Arena(batch.game, self.agents, at_once * self.worlds, **options)
            for first in range(0, len(choices), at_once):
                some = choices[first : first + at_once]
                task = _task(group, some, lineups[group.places])
                worlds, kept, accepted = finder.find(task, self.worlds)
                wrong = np.flatnonzero(accepted == NOT_AS_RECORDED)
                if len(wrong):
                    number = int(batch.game_number[some["game"][wrong[0]]])
                    raise OptionError(
                        f"in game {number} of seed {batch.seed} an agent didn't act as it does under its name: "
                        "judge with known=() the seats whose agents' policies aren't sure, or name them otherwise"
                    )
                won = [_wins(arena, task.lineups, worlds, kept, some[name].copy()) for name in ("chosen", "usual")]
                effects[first : first + at_once] = (won[0] - won[1])[np.arange(len(some)), some["seat"]]
        choices["game"] = group.places[choices["game"]]
        return choices, effects

    def _choices(self, group: Group, judged: Flags) -> Records:
        """Play a group's games again; the choices of judged seats, (n, seats), that differ from the reference's.

        The reference is asked with what the seat saw, the seat's random words, and a memory of all that the seat was
        asked. Raises OptionError if a recorded action can't be taken.
        """
        batch, memory = group.batch, np.zeros((*judged.shape, self.reference.memory_size), np.int32)
        found = [np.zeros(0, CHOICE)]
        for decision in range(group.actions.shape[1]):
            asked = np.flatnonzero((group.lengths > decision) & batch.acting)
            asked = asked[judged[asked, batch.seat[asked]]]
            if len(asked):
                seats, taken = batch.seat[asked], group.actions[asked, decision]
                kept = np.ascontiguousarray(memory[asked, seats])
                usual = answers(self.reference, batch, asked, kept, batch.agent_streams())
                memory[asked, seats] = kept
                choices = np.zeros(len(asked), CHOICE)
                for name, column in zip(CHOICE.names or (), (asked, decision, seats, taken, usual)):
                    choices[name] = column
                found.append(choices[usual != taken])
            group.take(decision)
        choices = np.concatenate(found)
        return choices[np.lexsort((choices["decision"], choices["game"]))]


def _own_seed(seed: int, dealt: int) -> int:
    """The seed of the worlds of games of one seed: games of the same number under other seeds get other chance."""
    return int.from_bytes(hashlib.sha256(f"{seed} {dealt}".encode()).digest()[:7])


def _task(group: Group, choices: Records, lineups: Whole) -> Task:
    """The decisions of these choices."""
    game, until = choices["game"].copy(), choices["decision"].copy()
    seated = lineups[game]
    return Task(
        deals=take_records(group.deals, game),
        actions=np.ascontiguousarray(group.actions[game]),
        until=until,
        lineups=np.ascontiguousarray(np.where(seated == OPEN, REFERENCE, seated)),
        open_seats=np.ascontiguousarray(seated == OPEN, np.int8),
        numbers=NUMBERS_A_GAME * group.batch.game_number[game] + until,
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
    won: Numbers = (arena.batch.returns[: worlds.size] > 0).reshape(count, each, -1).mean(axis=1)
    return won
