"""A finished game as a file: its deal and its actions, from which everything else follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import parse_json, read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.core.transcript import Transcript
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.kernels.random import MAX_SEED

FORMAT = 1

SeatKind = Literal["person", "agent"]


def deal(game: Game, seed: int, options: dict[str, Any], number: int = 0) -> Batch:
    """One game at its beginning, in a batch that leaves it as it is when it ends.

    Args:
        game: the game.
        seed: of the numbered games.
        options: those of the batch and of the game.
        number: the game's number.

    Returns:
        A batch of one game, without auto_reset.

    Raises:
        OptionError: an option isn't known or allowed.
        PackError: a content pack can't be read or breaks a rule.
    """
    return Batch(game, 1, seed=seed, first_game=number, auto_reset=False, **options)


@dataclass(frozen=True)
class GameRecord:
    """A game as `riverbed serve` exports it and `riverbed replay` reads it.

    Args:
        environment: the game's versioned name.
        version: of the library that played it.
        pack: the content pack's hash, None if the game has none.
        options: those of `make_params`.
        seed: with `game`, what deals it.
        game: the game's number.
        actions: all decisions in their order.
        seats: who sat in each seat.
        kinds: of each seat, "person" or "agent".
        returns: what the game paid to each seat.
        transcript: what was said in words (RH-9.9).
        kind: of the file, always "riverbed game".
    """

    __pydantic_config__: ClassVar = NOTHING_ELSE

    environment: str
    version: str
    pack: str | None
    options: dict[str, str | int | float | bool | None]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    game: Count
    actions: tuple[Count, ...]
    seats: tuple[str, ...]
    kinds: tuple[SeatKind, ...]
    returns: tuple[Finite, ...]
    transcript: Transcript = ()
    kind: Literal["riverbed game"] = "riverbed game"

    @classmethod
    def read(cls, path: Path) -> GameRecord:
        """Read a record's file, or that of a `RecordedGame`.

        Args:
            path: the file.

        Returns:
            The record.

        Raises:
            OptionError: the file is neither, or is a recorded game that `of` doesn't take.
        """
        name, content = f"game record {path}", read_json(path, "game record", FORMAT)
        return cls.of(of_kind(RecordedGame, content, name)) if "num_players" in content else of_kind(cls, content, name)

    @classmethod
    def of(cls, recorded: RecordedGame) -> GameRecord:
        """The record of a recorded game.

        Args:
            recorded: the recorded game. It is played again if it doesn't say what it paid.

        Returns:
            The record; all seats are agents', called "unknown" where it doesn't name them.

        Raises:
            OptionError: it doesn't say what it paid and can't be played.
        """
        returns = recorded.returns
        kinds: tuple[SeatKind, ...] = tuple("agent" for _ in range(recorded.num_players))
        if not returns:
            *_, last = recorded.replay()
            returns = tuple(last.game.returns(last.games, last.num_players)[0].tolist())
        return cls(
            environment=recorded.environment,
            version=recorded.version,
            pack=recorded.pack or None,
            options={**recorded.options, "num_players": recorded.num_players},
            seed=recorded.seed,
            game=recorded.number,
            actions=recorded.actions,
            seats=recorded.agents or ("unknown",) * recorded.num_players,
            kinds=kinds,
            returns=returns,
            transcript=recorded.transcript,
        )

    @classmethod
    def parse(cls, text: str, name: str = "game record") -> GameRecord:
        """Read a record from its text.

        Args:
            text: the content of a record's file.
            name: what errors call it.

        Returns:
            The record.

        Raises:
            OptionError: the text isn't a record.
        """
        return of_kind(cls, parse_json(text, name, FORMAT), name)

    def content(self) -> dict[str, Any]:
        """The record as a JSON object."""
        return {"format": FORMAT, **asdict(self)}

    def write(self, path: Path) -> None:
        """Write the record's file, whole or not at all.

        Args:
            path: the file.

        Raises:
            WriteError: the file can't be written.
        """
        write_json(path, self.content())

    def recorded(self) -> RecordedGame:
        """The record as a recorded game, with the seats' names as its agents."""
        options: dict[str, Any] = dict(self.options)
        return RecordedGame(
            environment=self.environment,
            seed=self.seed,
            number=self.game,
            num_players=options.pop("num_players", len(self.seats)),
            actions=self.actions,
            options=options,
            agents=self.seats,
            pack=self.pack or "",
            version=self.version,
            returns=self.returns,
            transcript=self.transcript,
        )

    def positions(self) -> Iterator[Batch]:
        """Play the game again; see `RecordedGame.replay`.

        Yields:
            The same batch at the deal and after each action.

        Raises:
            OptionError: the content pack differs from the one it was played with, or an action isn't legal.
        """
        return self.recorded().replay()
