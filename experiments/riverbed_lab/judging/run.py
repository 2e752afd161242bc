"""Judging recorded games: from their sources to a table of what each agent's choices were worth."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riverbed_env.core.files import write_json
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..files import code_version, records, writable_folder
from ..statistics import Mean, clustered_mean, columns
from .judge import Judge
from .sources import Found, check_seated, find_games

if TYPE_CHECKING:
    import pandas as pd

RESULT = "judged.json"
EVERY_SEAT, CAMP, ROLE, SEAT = "all seats", "camp", "role", "seat"  # groups of rows
AT_ONCE = 50  # games judged between two reports of progress
WITHIN = 0.03  # of a win: the interval that games are counted for


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
    """

    game: str
    reference: str
    agents: tuple[str, ...] = ()
    known: tuple[str, ...] | None = None
    most: int = 0
    worlds: int = 128
    moves: int = 16
    seed: int = 0


class Judging:
    """Recorded games that are judged.

    Args:
        settings: all that decides what the judge says of them.
        sources: evaluations, corpora, folders and files of records.

    Raises:
        OptionError: games can't be read or are of another game, no seat is judged, the reference isn't compiled, an
            agent isn't known, or a number is out of range.
    """

    def __init__(self, settings: Settings, sources: Sequence[Path]) -> None:
        self.settings, self.game = settings, find_game(settings.game)
        self.reference = find_agent(settings.reference, self.game.id)
        Judge(self.reference, worlds=settings.worlds, moves=settings.moves, seed=settings.seed)  # checks them
        self.found: Found = find_games(sources, settings.reference, settings.agents, settings.most)
        wrong = {game.environment for game in self.found.games} - {self.game.id}
        if wrong:
            raise OptionError(f"there are games of {', '.join(sorted(wrong))}: judge each game apart, with --game")
        check_seated("--known", settings.known or (), self.found.names)

    @cached_property
    def known(self) -> tuple[CompiledAgent, ...]:
        """The agents whose seats play by their policy, besides the reference: only those that sit in these games."""
        found, asked = self.found, self.settings.known
        seated = {
            name
            for game, seats in zip(found.games, found.seats)
            for seat, name in enumerate(game.agents)
            if seat not in seats and name != self.reference.name
        }
        names = sorted(seated & (found.played if asked is None else {*asked}))
        agents = [find_agent(name, self.game.id) for name in names]
        slow = [agent.name for agent in agents if not isinstance(agent, CompiledAgent)]
        if slow and asked is not None:
            raise OptionError(f"--known takes compiled agents, and {slow[0]} isn't one")
        return tuple(agent for agent in agents if isinstance(agent, CompiledAgent))

    def rows(self, threads: int = 1, progress: Callable[[int], None] = lambda games: None) -> pd.DataFrame:
        """The gain of each judged agent in all its seats, then by camp, by role and by seat.

        Args:
            threads: that judge.
            progress: gets the number of games judged since its last call.

        Returns:
            A data frame. `gain` is per judged seat and game, as a share of a win; `winners` is how much more often
            these seats won than the reference in them on the same deals, in finished games with one open seat;
            `choices` counts those that differ from the reference's; `needed` and `needed_by_winners` are games for an
            interval of +-WITHIN (0.03 of a win).

        Raises:
            OptionError: one of the settings' `known` isn't compiled, or a game can't be played again as it was
                recorded.
        """
        import pandas as pd

        settings, games = self.settings, self.found.games
        judge = Judge(*(self.reference, self.known, settings.worlds, settings.moves, settings.seed), threads=threads)
        parts = []
        for count in dict.fromkeys(game.num_players for game in games):
            places = [place for place, game in enumerate(games) if game.num_players == count]
            for first in range(0, len(places), AT_ONCE):
                some = places[first : first + AT_ONCE]
                parts.append(self._seats(judge, some))
                progress(len(some))
        return pd.DataFrame.from_records(list(_rows(pd.concat(parts))))

    def _seats(self, judge: Judge, places: Sequence[int]) -> pd.DataFrame:
        """A line for each judged seat of these games."""
        import pandas as pd

        games = [self.found.games[place] for place in places]
        judged = judge.judge(games, [self.found.seats[place] for place in places])
        game, seat = at = np.nonzero(judged.judged)
        choices = np.zeros(judged.judged.shape, np.int64)
        np.add.at(choices, (judged.choices["game"], judged.choices["seat"]), 1)
        return pd.DataFrame(
            {
                "setup": f"{games[0].environment}, {games[0].num_players} players",
                "agent": np.array([each.agents for each in games])[at],
                ROLE: judged.roles[at],
                CAMP: [self.game.camp_of_role[role] for role in judged.roles[at].tolist()],
                SEAT: seat,
                "deal": judged.deal[game],
                "gain": judged.gains[at],
                "choices": choices[at],
                "winners": judged.winners[at],
            }
        )

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
        result: dict[str, Any] = {
            "settings": asdict(self.settings),
            "code": code_version(),
            "games": len(self.found.games),
            "rows": records(rows),
            "beliefs": [] if beliefs is None else records(beliefs),
        }
        write_json(writable_folder(folder) / RESULT, json.loads(json.dumps(result)))
        return folder / RESULT


def _rows(seats: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for (setup, agent), mine in seats.groupby(["setup", "agent"], sort=False):
        about = {"setup": setup, "agent": agent}
        yield {**about, "group": EVERY_SEAT, "name": "", **_row(mine)}
        for group in (CAMP, ROLE, SEAT):
            if mine[group].nunique() > 1:
                for name, some in mine.groupby(group, sort=group == SEAT):
                    yield {**about, "group": group, "name": str(name), **_row(some)}


def _row(seats: pd.DataFrame) -> dict[str, Any]:
    finished = seats.dropna(subset=["winners"])
    gain, winners = clustered_mean(seats["gain"], seats["deal"]), clustered_mean(finished["winners"], finished["deal"])
    return {
        "games": len(seats),
        "choices": int(seats["choices"].sum()),
        **columns("gain", gain),
        **columns("winners", winners),
        "needed": games_for(gain),
        "needed_by_winners": games_for(winners),
    }


def games_for(mean: Mean) -> float:
    """How many games give an interval of +-WITHIN, from this one's width; NaN if it has none."""
    half = (mean.high - mean.low) / 2
    return math.ceil(mean.count * (half / WITHIN) ** 2) if math.isfinite(half) else math.nan
