"""The file of a finished game, as `riverbed serve` exports it and `riverbed replay` reads it, as a `RecordedGame`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from riverbed_env.core.files import parse_json, read_text, write_json
from riverbed_env.core.schema import of_kind
from riverbed_env.corpus.recorded import RecordedGame

FORMAT = 1
KIND = "riverbed game"  # of the file

SeatKind = Literal["person", "agent"]
PERSON: SeatKind = "person"  # begins a person's name among a recorded game's agents
_NAMES = {"game": "number", "seats": "agents"}  # what the file calls them, and a recorded game


def agent_name(kind: SeatKind, name: str) -> str:
    """Who sits in a seat as a recorded game's agent: a person's name can't be taken for an agent's."""
    return f"{PERSON} {name}" if kind == PERSON != name else name


def seats_of(game: RecordedGame) -> tuple[list[str], list[SeatKind]]:
    """Who sat in each seat, "unknown" where the game doesn't say it; and whether that was a person or an agent."""
    agents = game.agents or ("unknown",) * game.num_players
    kinds: list[SeatKind] = [PERSON if name.partition(" ")[0] == PERSON else "agent" for name in agents]
    return [name.removeprefix(f"{PERSON} ") for name in agents], kinds


def content(game: RecordedGame) -> dict[str, Any]:
    """The file of a recorded game.

    Args:
        game: the recorded game.

    Returns:
        A JSON object.
    """
    names, kinds = seats_of(game)
    return {
        "format": FORMAT,
        "environment": game.environment,
        "version": game.version,
        "pack": game.pack or None,
        "options": {**game.options, "num_players": game.num_players},
        "seed": game.seed,
        "game": game.number,
        "actions": game.actions,
        "seats": names,
        "kinds": kinds,
        "returns": game.returns,
        "transcript": game.transcript,
        "kind": KIND,
    }


def write_record(path: Path, game: RecordedGame) -> None:
    """Write a recorded game's file, whole or not at all.

    Args:
        path: the file.
        game: the recorded game.

    Raises:
        WriteError: the file can't be written.
    """
    write_json(path, content(game))


def read_record(path: Path) -> RecordedGame:
    """Read the file of a game, or one that holds what `RecordedGame.to_json` gives.

    Args:
        path: the file.

    Returns:
        The recorded game.

    Raises:
        OptionError: the file is neither.
    """
    return parse_record(read_text(path, f"game record {path}"), f"game record {path}")


def parse_record(text: str, name: str = "game record") -> RecordedGame:
    """Read a game from the text of its file.

    Args:
        text: what `read_record` reads.
        name: what errors call it.

    Returns:
        The recorded game.

    Raises:
        OptionError: the text is anything else.
    """
    given = parse_json(text, name, FORMAT)
    if "num_players" not in given and given.pop("kind", KIND) == KIND:
        for about_people in ("changes", "undone"):
            given.pop(about_people, None)

        def part(key: str, kind: Any) -> Any:
            return of_kind(kind, given.pop(key, None), f"{name}: {key}")

        kinds: Sequence[SeatKind] = part("kinds", tuple[SeatKind, ...])
        agents = list(map(agent_name, kinds, part("seats", tuple[str, ...])))
        options = part("options", dict[str, Any])
        given = {_NAMES.get(key, key): value for key, value in given.items()}
        given |= {"num_players": options.pop("num_players", len(agents)), "options": options, "agents": agents}
        given["pack"] = given.get("pack") or ""
    return of_kind(RecordedGame, given, name)
