"""The data sheet of a corpus, after Gebru et al., "Datasheets for datasets" (2021), with its figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import write_whole
from riverbed_env.core.game import Game
from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.games import Games
from riverbed_env.corpus.manifest import PARTS, Manifest

DATA_SHEET = "datasheet.md"
Sums = npt.NDArray[np.float64]


@dataclass
class Figures:
    """Sums over games: by player count games and decisions (counts,), by camp wins (counts, camps), by agent seats and
    returns (agents,), by role seats and returns (roles,).
    """

    manifest: Manifest
    game: Game
    games: Sums = field(init=False)
    decisions: Sums = field(init=False)
    wins: Sums = field(init=False)
    by_agent: Sums = field(init=False)
    by_role: Sums = field(init=False)

    def __post_init__(self) -> None:
        counts = len(self.manifest.players)
        self.games, self.decisions = np.zeros(counts), np.zeros(counts)
        self.wins = np.zeros((counts, len(self.game.camps)))
        self.by_agent, self.by_role = np.zeros((len(self.manifest.agents), 2)), np.zeros((len(self.game.roles), 2))

    def add(self, games: Games) -> None:
        """Count the games of a part."""
        for place, count in enumerate(self.manifest.players):
            mine = games.num_players == count
            self.games[place] += mine.sum()
            self.decisions[place] += games.lengths[mine].sum()
            won = games.winner[mine & (games.winner >= 0)]
            self.wins[place] += np.bincount(won, minlength=len(self.game.camps))
        seated = games.roles >= 0
        for sums, who in ((self.by_agent, games.agents[seated]), (self.by_role, games.roles[seated])):
            sums[:, 0] += np.bincount(who, minlength=len(sums))
            sums[:, 1] += np.bincount(who, games.returns[seated], minlength=len(sums))


def write_data_sheet(corpus: Corpus, watch: Iterable[int] | None = None) -> Path:
    """Read all parts, which checks their hashes, and write the sheet to the corpus's folder."""
    figures = Figures(corpus.manifest, corpus.game)
    for part in corpus.parts if watch is None else watch:
        figures.add(corpus.part(part))
    path = corpus.folder / DATA_SHEET
    text = data_sheet(figures, sum(file.stat().st_size for file in (corpus.folder / PARTS).glob("*.parquet")))
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8"))
    return path


def data_sheet(figures: Figures, size: int) -> str:
    """The sheet's text. size: of all files, in bytes."""
    manifest, game = figures.manifest, figures.game
    games, decisions = figures.games.sum(), figures.decisions.sum()
    options = ", ".join(f"{name}={value}" for name, value in manifest.options.items()) or "the game's defaults"
    return "\n".join(
        [
            f"# {games:,.0f} games of {game.title}",
            "",
            WHAT.format(environment=manifest.environment, decisions=f"{decisions:,.0f}", each=f"{size / games:.0f}"),
            "",
            "## What is in it",
            "",
            *_table(("players", "games", "decisions", *(f"{camp} won" for camp in game.camps)), _counts(figures)),
            "",
            *_table(("agent", "seats", "mean return"), _means(manifest.agents, figures.by_agent)),
            "",
            *_table(("role", "seats", "mean return"), _means(game.roles, figures.by_role)),
            "",
            "## How it was made",
            "",
            HOW.format(
                version=manifest.version, seed=manifest.seed, options=options, pack=manifest.pack or "none",
                pools=_pools(manifest), sources=manifest.sources,
            ),
            "",
            "## What it is for, and what it isn't",
            "",
            USES,
            "",
        ]
    )  # fmt: skip


WHAT = """Games of {environment} between programs, {decisions} decisions in all, {each} bytes a game on disk. A row is a
game: its number, the agent and true role of each seat, what each seat got, and the actions in order. Observations,
action masks and all else are made again from these while reading (`riverbed_env.corpus.Corpus`). It is all of the games
that were played, not a sample. No people took part, and nothing in it comes from people."""

HOW = """`riverbed record` of version {version} played it under seed {seed} with these options: {options}; content pack:
{pack}. Each seat drew its agent at random ({pools}). The draw depends on seed, game and seat alone, so that
`riverbed record --manifest manifest.json` makes the same games on any machine; `riverbed games FOLDER --check hashes`
compares the hashes. Hash of the rules and agents: {sources}. Nothing was filtered or changed afterwards."""

USES = """For imitation, offline learning, models of other players, inference of roles, and tests of rules. The agents
are those of the table: rules of thumb, personalities and searches, whose habits differ from those of people. Win rates
say how these agents play against each other, not how balanced the game is. Rows name agents and true roles: hide both
from a learner that should infer them, as a seat's own observation does. Keep parts apart for training and testing:
games of a part are independent of those of others. MIT licence, like the library."""


def _pools(manifest: Manifest) -> str:
    if not manifest.pools:
        return f"from {', '.join(manifest.agents)}"
    return "; ".join(f"{name} from {', '.join(pool)}" for name, pool in manifest.pools.items())


def _counts(figures: Figures) -> Iterable[Sequence[str]]:
    for place, count in enumerate(figures.manifest.players):
        games = max(1.0, figures.games[place])
        won = [f"{share:.1%}" for share in figures.wins[place] / games]
        yield str(count), f"{figures.games[place]:,.0f}", f"{figures.decisions[place] / games:.1f}", *won


def _means(names: Sequence[str], sums: Sums) -> Iterable[Sequence[str]]:
    for name, (seats, paid) in zip(names, sums):
        yield name, f"{seats:,.0f}", f"{paid / max(1.0, seats):+.3f}"


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (heading, ["---"] * len(heading), *rows)]
