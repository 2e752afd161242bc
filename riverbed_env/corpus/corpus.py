"""A corpus: a folder of recorded games, read part by part; observations are made again while reading."""

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
    """The games of a folder that `riverbed record` wrote; needs the extra "corpus".

    Args:
        folder: The folder.

    Attributes:
        manifest: What was played.
        game: Its rules.
        parts: The numbers of the parts that are there, which are all of them once it is finished.

    Raises:
        OptionError: The folder holds no corpus, its manifest can't be read, or its game isn't known.
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
        """The games of a part.

        Args:
            part: The part's number, from 0.

        Returns:
            The games.

        Raises:
            OptionError: The part's file is missing or damaged, or isn't the manifest's.
        """
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
        blocks = self.manifest.blocks(part)
        counts = np.repeat([block.num_players for block in blocks], [block.games for block in blocks])
        numbers = self.manifest.first(part) + np.arange(len(counts))
        if not (np.array_equal(games.num_players, counts) and np.array_equal(games.number, numbers)):
            raise OptionError(f"part {path} holds other games than the manifest says")
        return games

    def record(self, number: int) -> RecordedGame:
        """One game by its number.

        Args:
            number: The game's number, 0 to `manifest.games` - 1.

        Returns:
            The record.

        Raises:
            OptionError: There is no such game, or its part's file is missing or damaged.
        """
        check_whole("game", number, 0, self.manifest.games - 1)
        part, place = divmod(number, self.manifest.part)
        return self._record(self.part(part).take(np.array([place])))

    def records(self, part: int) -> Iterator[RecordedGame]:
        """The games of a part, one by one.

        Args:
            part: The part's number, from 0.

        Yields:
            The records.

        Raises:
            OptionError: The part's file is missing or damaged.
        """
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
        """Iterate over all decisions in chunks, with their observations, which are recomputed.

        Args:
            size: About how many decisions at a time, 1 or more.
            view: Of the observations: "history", or "now", one of `game.views`.
            parts: Only these, so that several processes can share the work; None for all.
            agents: Only decisions of seats that have one of these agents; None for all.
            roles: Only decisions of seats that have one of these roles; None for all.
            shuffle: A seed, for an order of parts, games and decisions at random (decisions among those read together);
                None for the order in which they were recorded.

        Yields:
            Decisions of one player count. Without `shuffle` the arrays are written anew each time: copy what you keep.

        Raises:
            OptionError: A name isn't in the corpus, an option's value isn't allowed, or a part can't be read or played
                again.
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
        """Iterate over the games in chunks of one player count; in a random order if asked.

        Args:
            size: About how many decisions at a time.
            parts: Only these; None for all.
            order: What draws the order of parts and games; None for the order in which they were recorded.

        Yields:
            Some games.

        Raises:
            OptionError: A part can't be read.
        """
        chosen = np.array(list(self.parts if parts is None else parts), np.int64)
        for part in chosen.tolist() if order is None else order.permutation(chosen).tolist():
            games = self.part(part)
            places = np.arange(len(games)) if order is None else order.permutation(len(games))
            groups = [group for count in self.manifest.players for group in _groups(games, places, count, size)]
            for group in range(len(groups)) if order is None else order.permutation(len(groups)):
                yield games.take(groups[group])

    def arrays(self, **chosen: Any) -> dict[str, npt.NDArray[Any]]:
        """All chosen decisions as arrays by name.

        Everything stays in memory; choose parts if that is too much.

        Args:
            chosen: The options of `decisions`.

        Returns:
            The fields of `Decisions`, and `num_players` (n,).

        Raises:
            OptionError: There are no such decisions, or `decisions` raises it.
        """
        found = [each.take(np.arange(len(each))) for each in self.decisions(**chosen)]
        if not found:
            raise OptionError(f"{self.folder} has no decisions of these")
        names = [each.name for each in fields(Decisions) if each.name != "num_players"]
        arrays = {name: np.concatenate([getattr(each, name) for each in found]) for name in names}
        return arrays | {"num_players": np.repeat([each.num_players for each in found], [len(each) for each in found])}

    def check(self, part: int, *, replay: bool = False) -> Games:
        """Check a part: its hash, its numbers and player counts.

        Args:
            part: The part's number, from 0.
            replay: Also play every game again, and check that it ends as recorded.

        Returns:
            The part's games.

        Raises:
            OptionError: In one line, the first thing that is wrong.
        """
        games = self.part(part)
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
        """A function that tells which seats of games have one of these agents and one of these roles.

        Args:
            agents: The agents' specs; None for all.
            roles: The roles' names; None for all.

        Returns:
            The function, from games to flags (n, seats) bool.

        Raises:
            OptionError: A name isn't in the corpus.
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
