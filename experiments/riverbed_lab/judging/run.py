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
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import write_json
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Records, Whole
from riverbed_env.kernels.random import check_seed, end_decisions
from riverbed_env.players.agents import CompiledAgent, answers
from riverbed_env.players.arena import Arena
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..files import code_version, records, writable_folder
from ..playing.play import play_seated
from ..statistics import Mean, clustered_mean, columns, games_for
from .kernels.loops import NOT_AS_RECORDED, Task, Worlds
from .sources import Found, find_games
from .worlds import find_worlds

if TYPE_CHECKING:
    import pandas as pd

RESULT = "judged.json"
EVERY_SEAT, CAMP, ROLE, SEAT = "all seats", "camp", "role", "seat"  # groups of rows
FEWEST_DEALS = 20  # behind an interval
MOST_WORLDS, MOST_MOVES = 4096, 10_000
NUM_ENVS = 2048  # worlds played on at once
NUMBERS_A_GAME = 1 << 20  # of random streams: more than a game has decisions
REFERENCE, OPEN = 0, -1  # numbers of agents


@dataclass(frozen=True)
class Settings:
    """The settings of the judge; the same settings and games give the same result.

    Args:
        game: the game's id.
        reference: the spec of the agent that choices are compared with.
        agents: who is judged, everybody else if empty.
        known: agents whose seats play by their policy, None for those that the games' source vouches for.
        most: games of each source, 0 for all.
        worlds: for each choice that differs from the reference's.
        moves: exchanges tried from one world to the next.
        seed: of the worlds and of the chance in them.
        unrepaired: only games of evaluations in which chance chose for no agent from outside.
    """

    game: str
    reference: str
    agents: tuple[str, ...] = ()
    known: tuple[str, ...] | None = None
    most: int = 0
    worlds: int = 128
    moves: int = 16
    seed: int = 0
    unrepaired: bool = False

    def __post_init__(self) -> None:
        check_whole("worlds", self.worlds, 1, MOST_WORLDS)
        check_whole("moves", self.moves, 0, MOST_MOVES)
        check_seed(self.seed)


class Judging:
    """Recorded games that are judged.

    Args:
        settings: all that decides what the judge says of them.
        sources: evaluations, corpora, folders and files of records.

    Raises:
        OptionError: games can't be read or are of another game, no seat is judged, the reference isn't compiled, or an
            agent isn't known.
    """

    def __init__(self, settings: Settings, sources: Sequence[Path]) -> None:
        self.settings, self.game = settings, find_game(settings.game)
        self.reference = self._compiled([settings.reference])[0]
        chosen = settings.reference, settings.agents, settings.most
        self.found: Found = find_games(sources, *chosen, unrepaired=settings.unrepaired)
        wrong = {game.environment for game in self.found.games} - {self.game.id}
        if wrong:
            raise OptionError(f"there are games of {', '.join(sorted(wrong))}: judge each game apart, with --game")
        for name in settings.known or ():
            check_choice("--known", name, sorted(self.found.names))

    @cached_property
    def known(self) -> list[CompiledAgent]:
        """The agents whose seats play by their policy, besides the reference: only those that sit in these games.

        A seat with any other name is open: only what it saw and did counts, so people, models and agents of any kind
        may sit there.
        """
        asked = self.settings.known
        names = self.found.others & (self.found.played if asked is None else {*asked})
        return self._compiled(sorted(names - {self.reference.name}), needed=asked is not None)

    def _compiled(self, names: Iterable[str], *, needed: bool = True) -> list[CompiledAgent]:
        """The compiled ones of these agents. Raises OptionError for another one that is needed."""
        found = [find_agent(name, self.game.id) for name in names]
        for agent in found:
            if needed and not isinstance(agent, CompiledAgent):
                raise OptionError(f"the judge plays games on with compiled agents, and {agent.name} isn't one")
        return [agent for agent in found if isinstance(agent, CompiledAgent)]

    def rows(self, threads: int = 1, progress: Callable[[int], None] = lambda games: None) -> pd.DataFrame:
        """The gain of each judged agent in all its seats, then by camp, by role and by seat.

        Args:
            threads: that judge.
            progress: gets the number of games judged since its last call.

        Returns:
            A data frame. `gain` is per judged seat and game, as a share of a win; `winners` is how much more often
            these seats won than the reference in them on the same deals, in finished games with one open seat;
            `choices` counts those that differ from the reference's; `deeds` and `claims` are the parts of the gain by
            what was done and by what was said, NaN in games without talk; `needed` and `needed_by_winners` are games
            for an interval of +-WITHIN (0.03 of a win).

        Raises:
            OptionError: one of the settings' `known` isn't compiled, or a game can't be played again as it was
                recorded.
        """
        import pandas as pd

        return pd.DataFrame.from_records(list(_rows(self.seats(threads, progress).assign(**{EVERY_SEAT: ""}))))

    def seats(self, threads: int = 1, progress: Callable[[int], None] = lambda games: None) -> pd.DataFrame:
        """What the choices of each judged seat of each game were worth.

        Args:
            threads: that judge.
            progress: gets the number of games judged since its last call.

        Returns:
            A data frame with a line for each; `gain`, its parts, `choices` and `winners` as in `rows`. Several seats
            of a game are judged at once: each one's gain is its own share. A game may stop before its end, which counts
            what was chosen so far; `winners` is then NaN.

        Raises:
            OptionError: see `rows`.
        """
        import pandas as pd

        lines = list[dict[str, Any]]()
        for game, seats in zip(self.found.games, self.found.seats):
            lines += _Judge(self.settings, (self.reference, *self.known), game, seats, threads).lines()
            progress(1)
        return pd.DataFrame.from_records(lines)

    def write(self, folder: Path, rows: pd.DataFrame, beliefs: pd.DataFrame | None = None) -> Path:
        """Write the result's file.

        Args:
            folder: where judged.json goes, made if needed.
            rows: as `rows` returns them.
            beliefs: a table of beliefs to keep beside them; None: none.

        Returns:
            The file.

        Raises:
            OptionError: the folder can't be written.
            WriteError: the file can't be written.
        """
        about = {"settings": asdict(self.settings), "code": code_version(), "games": len(self.found.games)}
        tables = {"rows": records(rows), "beliefs": [] if beliefs is None else records(beliefs)}
        write_json(writable_folder(folder) / RESULT, about | tables)
        return folder / RESULT


class _Judge:
    """Judges some seats of a recorded game. agents: the reference, then others whose seats play by their policy."""

    def __init__(
        self, how: Settings, agents: tuple[CompiledAgent, ...], game: RecordedGame, seats: Sequence[int], threads: int
    ) -> None:
        self.how, self.agents, self.recorded, self.seats, self.threads = how, agents, game, seats, threads
        number_of = {agent.name: number for number, agent in enumerate(agents)}
        numbers = [OPEN if seat in seats else number_of.get(name, OPEN) for seat, name in enumerate(game.agents)]
        self.lineup = np.array(numbers)
        self.deal, self.batch, self.choices, self.talk = self._replayed()

    def lines(self) -> Iterator[dict[str, Any]]:
        """A line for each judged seat."""
        game, recorded, count = self.batch.game, self.recorded, len(self.lineup)
        deciding, winners = self.choices[:, 1], np.full(count, np.nan)
        valuer = Valuer(self.how, self.agents, self.batch, self.deal, self.lineup, self.threads)
        effects = valuer.effects(np.array(recorded.actions, np.int64), self.choices)
        parts = np.zeros((2, count))  # by deeds and by claims
        np.add.at(parts, (self.talk[self.choices[:, 0]].astype(np.int64), deciding), effects)
        deeds, claims = parts if self.talk.any() else np.full_like(parts, np.nan)
        if not self.batch.acting[0] and (self.lineup == OPEN).sum() == 1:
            seats, number = np.maximum(self.lineup, REFERENCE)[None], np.array([recorded.number])
            options = {**self.batch.options, "threads": self.threads}
            usual = play_seated(game, self.agents, seats, number, recorded.seed, **options).games
            won, instead = (np.asarray(game.returns(each, count))[0] > 0 for each in (self.batch.games, usual))
            winners = won.astype(np.float64) - instead
        roles = [game.roles[role] for role in game.roles_of(self.deal)[0].tolist()]
        for seat in self.seats:
            yield {
                "setup": f"{game.id}, {count} players",
                "agent": recorded.agents[seat],
                ROLE: roles[seat],
                CAMP: game.camp_of_role[roles[seat]],
                SEAT: seat,
                "deal": f"{recorded.seed} {recorded.number} {sorted(recorded.options.items())}",
                "gain": parts[:, seat].sum(),
                "deeds": deeds[seat],
                "claims": claims[seat],
                "choices": int((deciding == seat).sum()),
                "winners": winners[seat],
            }

    def _replayed(self) -> tuple[Records, Batch, Whole, npt.NDArray[np.bool_]]:
        """The game as dealt and after its actions, the choices that differ from the reference's, and which decisions
        are talk.

        A choice is its decision, its seat, the action taken, and the reference's, which is asked with what the seat
        saw, the seat's random words, and a memory of all that the seat was asked. Raises OptionError if a recorded
        action can't be taken.
        """
        reference, choices, talk = self.agents[REFERENCE], list[tuple[int, ...]](), list[bool]()
        memories = np.zeros((len(self.lineup), 1, reference.memory_size), np.int32)
        for decision, batch in enumerate(self.recorded.replay()):
            if not decision:
                deal = batch.get_state()
            seat, streams = int(batch.seat[0]), batch.agent_streams()
            if seat in self.seats and decision < len(self.recorded.actions):
                taken = self.recorded.actions[decision]
                (usual,) = answers(reference, batch, np.zeros(1, np.int64), memories[seat], streams.copy())
                if usual != taken:
                    choices.append((decision, seat, taken, int(usual)))
            talk.append(batch.game.texts is not None and batch.game.texts.is_talk(batch.games[0]["table"]))
            end_decisions(streams, streams["drawn"].copy())
            batch.put_agent_streams(streams)
        return deal, batch, np.array(choices, np.int64).reshape(-1, 4), np.array(talk, np.bool_)


@dataclass(frozen=True)
class Valuer:
    """Values choices of open seats in a game.

    Args:
        how: the worlds, moves and seed.
        agents: the reference, then the others whose seats play by their policy.
        batch: one with the game's options, seed and number.
        deal: (1,) the game as dealt.
        lineup: (seats,) the number of each seat's agent, OPEN for an open seat.
        threads: that value.
    """

    how: Settings
    agents: tuple[CompiledAgent, ...]
    batch: Batch
    deal: Records
    lineup: Whole
    threads: int = 1

    def effects(self, actions: Whole, choices: Whole) -> Floats:
        """How much more often a choice's seat wins after it than after the reference's.

        Args:
            actions: (decisions,) int64, the game's actions up to the last choice at least.
            choices: (n, 4) int64, of each the decision, the seat, the action taken and the reference's.

        Returns:
            (n,) float64, in shares of a win.

        Raises:
            OptionError: an agent didn't act as it does under its name.
        """
        effects, at_once = np.zeros(len(choices)), max(1, NUM_ENVS // self.how.worlds)
        number, options = int(self.batch.game_number[0]), {**self.batch.options, "threads": self.threads}
        # Games of the same number under other seeds get other chance.
        seed = int.from_bytes(hashlib.sha256(f"{self.how.seed} {self.batch.seed}".encode()).digest()[:7])
        open_seats, lineup = (self.lineup == OPEN).astype(np.int8), np.maximum(self.lineup, REFERENCE)
        for first in range(0, len(effects), at_once):
            some = choices[first : first + at_once]
            until, seats, taken, usual = some.T
            task = Task(self.deal, actions, lineup, open_seats, until.copy(), NUMBERS_A_GAME * number + until)
            how = {"moves": self.how.moves, "seed": seed, "threads": self.threads}
            worlds = find_worlds(self.batch, self.agents, task, self.how.worlds, **how)
            if NOT_AS_RECORDED in worlds.accepted:
                raise OptionError(
                    f"in game {number} of seed {self.batch.seed} an agent didn't act as it does under its name: judge "
                    "with known=() the seats whose agents' policies aren't sure, or name them otherwise"
                )
            arena = Arena(self.batch.game, self.agents, worlds.games.size, **options)
            won = _wins(arena, task, worlds, taken) - _wins(arena, task, worlds, usual)
            effects[first : first + at_once] = won[np.arange(len(some)), seats]
        return effects


def _wins(arena: Arena, task: Task, worlds: Worlds, actions: Whole) -> Floats:
    """How often each seat wins if an action is taken in each world, whatever the action with the same future chance."""
    count, each, seats, memory = worlds.memories.shape
    every = np.arange(arena.num_envs)
    arena.batch.set_state(worlds.games.ravel())
    arena.seat_agents(every, np.tile(task.lineup, (len(every), 1)))
    arena.memories[:] = worlds.memories.reshape(-1, seats, memory)[:, :, : arena.memories.shape[2]]
    arena.play_on(every, actions[every // each])
    wins: Floats = (arena.batch.returns > 0).reshape(count, each, -1).mean(axis=1)
    return wins


def _rows(seats: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for setup, those in seats.groupby("setup", sort=False):
        for agent, mine in those.groupby("agent", sort=False):
            for group in (EVERY_SEAT, CAMP, ROLE, SEAT):
                if group == EVERY_SEAT or mine[group].nunique() > 1:
                    for name, some in mine.groupby(group, sort=group == SEAT):
                        about = {"setup": setup, "agent": agent, "group": group, "name": str(name)}
                        yield {**about, **_row(some)}


def _row(seats: pd.DataFrame) -> dict[str, Any]:
    means = {name: _mean_of(seats, name) for name in ("gain", "deeds", "claims", "winners")}
    told = (columns(name, _bounded(mean)).items() for name, mean in means.items())
    return {
        "games": len(seats),
        "choices": int(seats["choices"].sum()),
        **dict(chain.from_iterable(told)),
        "needed": games_for(means["gain"]),
        "needed_by_winners": games_for(means["winners"]),
    }


def _mean_of(seats: pd.DataFrame, name: str) -> Mean:
    """The mean of a column in the games that have it."""
    those = seats.dropna(subset=[name])
    return _backed(clustered_mean(those[name], those["deal"]))


def _backed(mean: Mean) -> Mean:
    """A mean without an interval if so few deals are behind it that chance alone makes a headline."""
    return mean if mean.blocks >= FEWEST_DEALS else replace(mean, low=-math.inf, high=math.inf)


def _bounded(mean: Mean) -> Mean:
    """A mean whose interval ends where wins can't differ by more."""
    return mean if math.isinf(mean.low) else replace(mean, low=max(-1.0, mean.low), high=min(1.0, mean.high))
