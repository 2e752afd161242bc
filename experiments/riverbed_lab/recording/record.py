"""A corpus in its folder: the manifest names it, each finished part is a file; what is missing is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hash
from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.games import Games, finished_games
from riverbed_env.corpus.manifest import MANIFEST, PARTS, Block, Manifest, part_path
from riverbed_env.corpus.parquet import read_digest, write_part
from riverbed_env.corpus.recorded import check_pack
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.lineups import Lineups, lineups, seating_uniforms
from riverbed_env.registry import find_game

from ..evaluation.folder import in_words, library_of, sources_of
from ..files import code_version, digest, writable_folder
from ..locks import locked
from ..playing.play import deal, play_seated

OPTION_OF = {"part": "games in a part", "pools": "agents by role"}  # a field's name in messages
LATER = ("parts", "version", "sources")  # fields of a manifest that don't say which games are played


def record_corpus(manifest: Manifest, folder: Path | str, *, threads: int = 1) -> Corpus:
    """Play what a folder lacks of a manifest's corpus, write the hashes, and return the corpus.

    After an error finished parts stay, and the same call resumes.

    Args:
        manifest: without `parts` for a new corpus; with them, each part must come out with its hash.
        folder: where the corpus is written.
        threads: that play compiled agents; their number changes no file.

    Returns:
        The whole corpus.

    Raises:
        OptionError: an agent or option doesn't exist, or the folder holds something else.
        RiverbedError: a part comes out with another hash.
        WriteError: a file can't be written.
        PackError: a content pack can't be read or breaks a rule.
    """
    place = Path(folder)
    recording = Recording.of(manifest, place)
    with locked(place):
        recording.open()
        for part in recording.left(recording.every_part):
            recording.play(part, threads)
        recording.finish()
    return Corpus(place)


@dataclass(frozen=True)
class Recording:
    """A manifest's corpus in a folder, with the game and agents that play it.

    manifest: without hashes of parts for a new corpus; with them, each part must come out with its hash.
    """

    manifest: Manifest
    folder: Path
    game: Game
    table: Lineups

    @classmethod
    def of(cls, manifest: Manifest, folder: Path) -> Recording:
        """Find the agents; a manifest without hashes is completed by the pack and sources found here.

        Raises OptionError for agents, roles, counts and options that don't exist, and for another content pack.
        """
        game = find_game(manifest.environment)
        table = seatings(game, manifest)
        packs = [pack_hash(game.make_params(num_players=count, **manifest.options)[1]) for count in manifest.players]
        if manifest.parts:
            check_pack(manifest.pack, packs[0], "the corpus")
            return cls(manifest, folder, game, table)
        of_agents = [path for agent in table.agents for path in sources_of(agent)]
        sources = digest(dict.fromkeys([*library_of(game), Path(__file__), *of_agents]))
        whole = replace(manifest, pack=packs[0], sources=sources, version=code_version())
        return cls(whole, folder, game, table)

    def open(self) -> None:
        """Begin the folder, or check that it holds this corpus. Raises OptionError, saying what differs, otherwise."""
        path, parts = self.folder / MANIFEST, self.folder / PARTS
        if path.exists():
            self._compare(Manifest.read(path))
        elif any(parts.glob("*.parquet")):
            raise OptionError(f"{self.folder} holds parts of a corpus but no {MANIFEST}; choose another with --out")
        writable_folder(parts)
        for half_written in parts.glob(".*.part"):
            half_written.unlink(missing_ok=True)
        if not path.exists():
            self.manifest.write(path)

    def _compare(self, there: Manifest) -> None:
        differ = [
            f"{OPTION_OF.get(name, name)} {in_words(old)} there, {in_words(getattr(self.manifest, name))} asked for"
            for name, old in vars(there).items()
            if name not in LATER and old != getattr(self.manifest, name)
        ]
        if there.sources != self.manifest.sources and self.left(self.every_part):
            differ.append(f"rules or agents changed since (code {there.version} there, {self.manifest.version} now)")
        if differ:
            raise OptionError(
                f"{self.folder} holds another corpus: {'; '.join(differ)}. Choose another folder with --out, or delete "
                "this one to start over"
            )

    @property
    def every_part(self) -> range:
        """The numbers of all parts."""
        return range(self.manifest.num_parts)

    def left(self, parts: Iterable[int]) -> list[int]:
        """Those of these parts that aren't there yet."""
        return [part for part in parts if not part_path(self.folder, part).exists()]

    def play(self, part: int, threads: int = 1) -> int:
        """Play a part and write its file; returns the number of its games.

        Raises RiverbedError, writing nothing, if it has another hash than expected, and WriteError if it can't be
        written.
        """
        blocks = (block for block in self.manifest.blocks(part) if block.games)
        games = Games.joined(play_block(self.game, self.manifest, self.table, block, threads) for block in blocks)
        expected, came_out = self.manifest.parts[part : part + 1], games.digest()
        if expected and expected[0] != came_out:
            raise RiverbedError(
                f"part {part} comes out with hash {came_out[:12]}…, not {expected[0][:12]}… as in the manifest: rules "
                f"or agents have changed since version {self.manifest.version}"
            )
        write_part(part_path(self.folder, part), self.game, self.manifest, part, games)
        return len(games)

    def finish(self) -> Manifest:
        """The manifest with the hashes of all parts, written to the folder. All parts must be there."""
        path = self.folder / MANIFEST
        there = Manifest.read(path)
        if len(there.parts) < there.num_parts:
            there = there.with_parts({part: read_digest(part_path(self.folder, part)) for part in self.every_part})
            there.write(path)
        return there


# --- the games of a part, which depend on the manifest and the agents alone ------------------------------------------


def seatings(game: Game, manifest: Manifest) -> Lineups:
    """Who draws from which agents. Raises OptionError for agents and roles that don't exist."""
    pools = {name: list(pool) for name, pool in manifest.pools.items()}
    everybody = {camp: list(manifest.agents) for camp in game.camps}
    return lineups(game, pools or everybody)


def play_block(game: Game, manifest: Manifest, table: Lineups, block: Block, threads: int = 1) -> Games:
    """Play the games of a block. Each seat draws an agent from the game's own stream for seatings."""
    options = {**manifest.options, "num_players": block.num_players}
    numbers = np.arange(block.first, block.first + block.games)
    roles = game.roles_of(deal(game, numbers, manifest.seed, **options))
    seats = table.draw(roles, seating_uniforms(manifest.seed, numbers, block.num_players)[:, 1:])
    played = play_seated(game, table.agents, seats, numbers, manifest.seed, logged=True, threads=threads, **options)
    in_manifest = np.array([manifest.agents.index(agent.name) for agent in table.agents])
    return finished_games(game, played.games, in_manifest[seats], played.actions, played.lengths)
