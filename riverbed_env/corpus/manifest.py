"""The manifest of a corpus: what is played, and the hash of each part, so that any machine can make it again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import count, pairwise, takewhile
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Seed, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.version import __version__

from .games import DIGITS

FORMAT = 1
MANIFEST = "manifest.json"
PARTS = "parts"
MOST_GAMES, MOST_IN_PART, MOST_AGENTS = 10**10, 10**6, 64

Digest = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


@dataclass(frozen=True)
class Block:
    """Games of one player count in a part: their first number, and how many."""

    num_players: int
    first: int
    games: int


@dataclass(frozen=True)
class Manifest:
    """The description of a corpus: its game, options, agents and seed, and the hashes of its parts.

    Everything in it follows from this, but for the hashes, which say that it came out right. `read` checks the ranges.

    Args:
        environment: The game's versioned name.
        games: How many, numbered from 0; 1 to 10**10.
        players: The player counts, each of which has an equal share of every part.
        agents: The specs of all agents, 1 to 64.
        pools: For roles and camps the specs that their seats draw from; all agents if none are given.
        seed: Of all games, 0 to 2**63 - 1.
        part: Games in a file, 1 to 10**6.
        options: Those of `make_params` but for `num_players`.
        pack: The content pack's hash, "" for none.
        version: Of the library that played.
        sources: The hash of its rules and agents.
        parts: The content hash of each part from the first on, 32 digits in hexadecimal.
    """

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    players: Annotated[tuple[Count, ...], Field(min_length=1)]
    agents: Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_AGENTS)]
    pools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seed: Seed = 0
    part: Annotated[int, Field(ge=1, le=MOST_IN_PART)] = 2500
    options: Mapping[str, Any] = field(default_factory=dict)
    pack: str = ""
    version: str = __version__
    sources: str = ""
    parts: tuple[Digest, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a manifest.

        Args:
            path: The file.

        Returns:
            The manifest.

        Raises:
            OptionError: The file isn't a manifest of a corpus, or is of another format.
        """
        content = read_json(path, "manifest", FORMAT)
        if content.pop("kind", None) != "riverbed corpus":
            raise OptionError(f"manifest {path} isn't the manifest of a corpus")
        manifest = of_kind(cls, content, f"manifest {path}")
        if len(manifest.parts) > manifest.num_parts:
            raise OptionError(f"manifest {path} has {len(manifest.parts)} hashes for {manifest.num_parts} parts")
        return manifest

    def write(self, path: Path) -> None:
        """Write the manifest, whole or not at all.

        Args:
            path: The file.

        Raises:
            WriteError: The file can't be written.
        """
        write_json(path, {"format": FORMAT, "kind": "riverbed corpus", **asdict(self)})

    def with_parts(self, digests: Mapping[int, str]) -> Manifest:
        """The manifest with the hashes of these parts, as far as they follow one another from the first.

        Args:
            digests: The content hash of each part, by its number.

        Returns:
            A new manifest.
        """
        return replace(self, parts=tuple(digests[part] for part in takewhile(digests.__contains__, count())))

    def digest(self) -> str:
        """One hash of all games, from the hashes of the parts.

        Returns:
            The first half of the SHA-256, 32 digits in hexadecimal.
        """
        return hashlib.sha256(" ".join(self.parts).encode()).hexdigest()[:DIGITS]

    @property
    def num_parts(self) -> int:
        """How many files the corpus has when it is whole."""
        return -(-self.games // self.part)

    def first(self, part: int) -> int:
        """The number of a part's first game.

        Args:
            part: The part's number, from 0.

        Returns:
            The number.
        """
        return part * self.part

    def size(self, part: int) -> int:
        """How many games a part has.

        Args:
            part: The part's number, from 0.

        Returns:
            The count; the last part may have fewer than the others.
        """
        return min(self.part, self.games - self.first(part))

    def blocks(self, part: int) -> list[Block]:
        """The games of a part by player count, in the order of their numbers.

        Args:
            part: The part's number, from 0.

        Returns:
            A block for each of `players`; some may be empty.
        """
        ends = np.linspace(0, self.size(part), len(self.players) + 1).astype(int).tolist()
        first = self.first(part)
        return [Block(players, first + low, high - low) for players, (low, high) in zip(self.players, pairwise(ends))]


def part_path(folder: Path, part: int) -> Path:
    """The file of a part in a corpus's folder."""
    return folder / PARTS / f"{part:06}.parquet"
