"""Seeds that are committed to by a hash before they are used, and revealed after: nobody can train on their deals."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.options import check_whole
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED

MOST_SEEDS = 1000

Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]


@dataclass(frozen=True)
class Sealed:
    """Secret seeds with a nonce of 32 bytes in hexadecimal, without which seeds could be guessed from the hash."""

    __pydantic_config__ = NOTHING_ELSE

    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)]
    nonce: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    @classmethod
    def drawn(cls, count: int) -> Sealed:
        """New seeds, from the system's source of randomness."""
        check_whole("seeds", count, 1, MOST_SEEDS)
        return cls(tuple(secrets.randbelow(MAX_SEED) for _ in range(count)), secrets.token_hex(32))

    @classmethod
    def read(cls, path: Path) -> Sealed:
        """Read them from a file. Raises OptionError if it holds none."""
        return of_kind(cls, read_json(path, "sealed seeds"), str(path))

    def write(self, path: Path) -> None:
        """Write them to a new file. Raises OptionError if there is one: overwritten seeds can't be revealed."""
        if path.exists():
            raise OptionError(f"{path} exists already: name another file, or its seeds could never be revealed")
        write_json(path, asdict(self))

    @property
    def hash(self) -> str:
        """The commitment: SHA-256, in hexadecimal, of `{"nonce":"…","seeds":[…]}` without blanks, as UTF-8."""
        words = json.dumps({"nonce": self.nonce, "seeds": list(self.seeds)}, separators=(",", ":"))
        return hashlib.sha256(words.encode()).hexdigest()

    def check(self, commitment: str | None, used: Sequence[int]) -> None:
        """Raise OptionError unless these are the seeds of the commitment, and all seeds used are among them."""
        if commitment is not None and commitment != self.hash:
            raise OptionError(f"the revealed seeds have the hash {self.hash}, not {commitment}")
        others = sorted(set(used) - set(self.seeds))
        if others:
            raise OptionError(f"games of seed {others[0]} were judged, which isn't among the revealed seeds")
