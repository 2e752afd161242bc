"""A corpus: a folder of recorded games, read part by part; observations are made again while reading."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .games import Games, Whole
from .manifest import MANIFEST, Manifest, part_path
from .parquet import read_part
from .recorded import RecordedGame
from .replaying import Decisions, Replayer

Flags = npt.NDArray[np.bool_]

MOST_DECISIONS = 2**31 - 1
DECISIONS = 4096  # at once: few enough that they stay in the cache


class Corpus:
    """The games of a folder that `riverbed record` wrote. Needs the extra "corpus".

    manifest: what was played; game: its rules; parts: the numbers of the parts that are there, which are all of them
    once it is finished. Raises OptionError if the folder holds no corpus.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        if not (self.folder / MANIFEST).is_file():
            raise OptionError(f"{self.folder} holds no corpus: {MANIFEST} is missing")
        self.manifest = Manifest.read(self.folder / MANIFEST)
        try:
            self.game: Game = find_game(self.manifest.environment)
        except OptionError as error:
            raise OptionError(f"{self.folder / MANIFEST}: {error}") from error
        self.parts = [part for part in range(self.manifest.num_parts) if part_path(self.folder, part).is_file()]

    def __len__(self) -> int:
        """How many games are there."""
        return sum(self.manifest.size(part) for part in self.parts)

    def part(self, part: int) -> Games:
        """The games of a part. Raises OptionError if its file is missing or damaged, or isn't the manifest's."""
        path = part_path(self.folder, part)
        if not path.is_file():
            raise OptionError(f"{self.folder} has no part {part}: {path} is missing")
        label, games = read_part(path, self.game, self.manifest)
        wanted = {name: getattr(self.manifest, name) for name in ("environment", "seed", "pack")} | {"part": part}
        if known := self.manifest.parts[part : part + 1]:
            wanted["digest"] = known[0]
        if not wanted.items() <= label.items():
            raise OptionError(f"part {path} isn't the one in the manifest: its hash is {label['digest'][:12]}…, or its "
                              "game, seed, pack or number differs")  # fmt: skip
        if len(games) != self.manifest.size(part) or games.number[0] != self.manifest.first(part):
            raise OptionError(f"part {path} holds other games than the manifest says")
        return games

    def record(self, number: int) -> RecordedGame:
        """One game by its number. Raises OptionError if it isn't there."""
        check_whole("game", number, 0, self.manifest.games - 1)
        part, place = divmod(number, self.manifest.part)
        return self._record(self.part(part).take(np.array([place])))

    def records(self, part: int) -> Iterator[RecordedGame]:
        """The games of a part, one by one. Raises OptionError if its file is missing or damaged."""
        games = self.part(part)
        for place in range(len(games)):
            yield self._record(games.take(np.array([place])))

    def _record(self, games: Games) -> RecordedGame:
        """The only game of these."""
        count = int(games.num_players[0])
        return RecordedGame(
            environment=self.manifest.environment,
            seed=self.manifest.seed,
            number=int(games.number[0]),
            num_players=count,
            actions=tuple(games.actions.tolist()),
            options=dict(self.manifest.options),
            agents=tuple(self.manifest.agents[agent] for agent in games.agents[0, :count]),
            pack=self.manifest.pack,
            version=self.manifest.version,
            returns=tuple(games.returns[0, :count].tolist()),
        )

    def decisions(
        self,
        *,
        size: int = DECISIONS,
        view: str = "history",
        parts: Iterable[int] | None = None,
        agents: Collection[str] | None = None,
        roles: Collection[str] | None = None,
        shuffle: int | None = None,
    ) -> Iterator[Decisions]:
        """All decisions, about `size` at a time, with what the seat saw; observations are made again as they are read.

        view: of the observations; parts: only these, so that several processes can share the work; agents, roles: only
        decisions of seats that have one of these; shuffle: a seed, for an order of parts, games and decisions at random
        (decisions among those read together). Without it the arrays are written anew each time: copy what you keep.
        Raises OptionError for names that aren't in the corpus, and for parts that can't be read.
        """
        seats = self.seats_of(agents, roles)
        check_whole("size", size, 1, MOST_DECISIONS)
        replayer = Replayer(self.game, self.manifest, view, size)
        order = None if shuffle is None else np.random.default_rng(shuffle)
        for games in self.chunks(size, parts, order):
            found = replayer.play(games, bits(seats(games)))
            if len(found):
                yield found if order is None else found.take(order.permutation(len(found)))

    def chunks(
        self, size: int = DECISIONS, parts: Iterable[int] | None = None, order: np.random.Generator | None = None
    ) -> Iterator[Games]:
        """The games, some at a time: of one player count, with about `size` decisions; in a random order if asked."""
        chosen = np.array(list(self.parts if parts is None else parts), np.int64)
        for part in chosen.tolist() if order is None else order.permutation(chosen).tolist():
            games = self.part(part)
            places = np.arange(len(games)) if order is None else order.permutation(len(games))
            groups = [group for count in self.manifest.players for group in _groups(games, places, count, size)]
            for group in range(len(groups)) if order is None else order.permutation(len(groups)):
                yield games.take(groups[group])

    def arrays(self, **chosen: Any) -> dict[str, npt.NDArray[Any]]:
        """All chosen decisions as arrays by name, with `num_players` (n,) and the fields of `Decisions`.

        chosen: the options of `decisions`. Everything stays in memory; choose parts if that is too much.
        """
        found = [each.take(np.arange(len(each))) for each in self.decisions(**chosen)]
        if not found:
            raise OptionError(f"{self.folder} has no decisions of these")
        names = [each.name for each in fields(Decisions) if each.name != "num_players"]
        arrays = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
        return arrays | {"num_players": np.repeat([each.num_players for each in found], [len(each) for each in found])}

    def check(self, part: int, *, replay: bool = False) -> Games:
        """Check a part: its hash, its numbers and player counts; with `replay`, that every game ends as recorded.

        Raises OptionError, in one line, for the first thing that is wrong.
        """
        games = self.part(part)
        blocks = self.manifest.blocks(part)
        counts = np.repeat([block.num_players for block in blocks], [block.games for block in blocks])
        numbers = self.manifest.first(part) + np.arange(len(games))
        if not (np.array_equal(games.num_players, counts) and np.array_equal(games.number, numbers)):
            raise OptionError(f"part {part} holds other numbers or player counts than its manifest says")
        if replay:
            replayer = Replayer(self.game, self.manifest, "now", DECISIONS)
            for chunk in self.chunks(parts=[part]):
                if replayer.again(chunk).digest() != chunk.digest():
                    raise OptionError(
                        f"a game from {chunk.number[0]} to {chunk.number[-1]} ends differently from its record: it was "
                        f"played with version {self.manifest.version} of {self.manifest.environment}"
                    )
        return games

    def seats_of(self, agents: Collection[str] | None, roles: Collection[str] | None) -> Callable[[Games], Flags]:
        """Tells which seats of games have one of these agents and roles, (n, seats); all if None.

        Raises OptionError for names that aren't in the corpus.
        """
        for agent in agents or ():
            check_choice("agents", agent, self.manifest.agents)
        for role in roles or ():
            check_choice("roles", role, self.game.roles)
        among = [place for place, agent in enumerate(self.manifest.agents) if agents is None or agent in agents]
        having = [place for place, role in enumerate(self.game.roles) if roles is None or role in roles]
        return lambda games: np.isin(games.agents, among) & np.isin(games.roles, having)


def bits(seats: Flags) -> Whole:
    """The bits of the seats that are set, (n,). seats: (n, seats)."""
    return seats.astype(np.int64) @ (1 << np.arange(seats.shape[1], dtype=np.int64))


def _groups(games: Games, places: Whole, count: int, size: int) -> list[Whole]:
    """The places of games with so many players, in groups with about `size` decisions."""
    mine = places[games.num_players[places] == count]
    if not len(mine):
        return []
    which = games.lengths[mine].cumsum() // size
    return np.split(mine, np.flatnonzero(np.diff(which)) + 1)
