"""The command `record`: games between agents as a corpus, new or made again from a manifest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game

from .. import published
from ..extras import need
from . import console as shell
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from riverbed_env.corpus.manifest import Manifest

    from ..recording.record import Recording

USUAL_PART = 2500


def record(
    agents: Annotated[
        list[str] | None,
        Argument(
            metavar="[AGENT]...",
            help="Agents that seats draw from; ROLE=AGENT for a role or camp.",
            show_default="the published agents",
        ),
    ] = None,
    game: shell.GameOption = shell.DEFAULT_GAME,
    players: shell.CountsOption = None,
    games: Annotated[int, Option(help="Games in all.")] = 10_000,
    part: Annotated[int, Option(help="Games in a file.")] = USUAL_PART,
    seed: Annotated[int, Option(help="Seed of the numbered games.")] = 0,
    set_: shell.SetOption = None,
    manifest: Annotated[
        Path | None, Option(help="Make the corpus of this manifest again: a file, or a published one's name.")
    ] = None,
    only: Annotated[
        str | None, Option(help="Only these parts, like 0-3 or 7.", show_default="all", metavar="PARTS")
    ] = None,
    threads: shell.ThreadsOption = 0,
    to: Annotated[
        str | None,
        Option(
            metavar="chat|preferences", help="Also write its decisions as JSON lines in words.", show_default="none"
        ),
    ] = None,
    gap: Annotated[float, Option(help="Of preferences: points that the rejected is worse beyond chance.", min=0)] = 5.0,
    out: Annotated[Path, Option(help="Folder of the corpus; resumes there.")] = Path("results/corpus"),
) -> None:
    """Record games between agents as a corpus: Parquet files and a manifest of hashes.

    If interrupted, run the same command again to resume.
    """
    need("corpus")
    from riverbed_env.corpus.manifest import MOST_GAMES, MOST_IN_PART, Manifest

    if manifest is None:
        chosen = find_game(game)
        everyone, pools = seated(chosen, agents or published.installed(chosen, published.AGENTS))
        wanted = Manifest(
            environment=chosen.id,
            games=check_whole("games", games, 1, MOST_GAMES),
            players=shell.numbers_of(players, chosen.min_players, chosen.max_players),
            agents=everyone,
            pools=pools,
            seed=check_seed(seed),
            part=check_whole("part", part, 1, MOST_IN_PART),
            options=shell.read_options(chosen, set_),
        )
    elif agents:
        raise OptionError(f"the manifest {manifest} says who plays: leave out {', '.join(agents)}")
    else:
        wanted = Manifest.read(published.manifest(manifest))
    if to is not None:
        from ..seat_env.data import KINDS

        check_choice("--to", to, KINDS)
    _record(wanted, out, shell.numbers_of(only, 0, wanted.num_parts - 1, "parts"), shell.use_threads(threads))
    if to is not None:
        _write_examples(out, to, gap)


def seated(game: Game, words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """All agents of words like AGENT or ROLE=AGENT, and the agents that each role or camp draws from.

    No pools where everybody draws from all. Raises OptionError if nobody is named for some role.
    """
    everybody, own = [], dict[str, list[str]]()
    for word in words:
        name, sign, spec = word.partition("=")
        if sign and name in (*game.roles, *game.camps):
            own.setdefault(name, []).append(spec)
        else:
            everybody.append(word)
    agents = tuple(dict.fromkeys([*everybody, *(spec for pool in own.values() for spec in pool)]))
    if not own:
        return agents, {} if len(agents) == len(everybody) else dict.fromkeys(game.camps, tuple(everybody))
    without = [role for role in game.roles if not {role, game.camp_of_role[role]} & own.keys()]
    if without and not everybody:
        raise OptionError(f"nobody is named to play {', '.join(without)}: name an agent for everybody else too")
    rest = {camp: tuple(everybody) for camp in game.camps if everybody and camp not in own}
    return agents, rest | {name: tuple(pool) for name, pool in own.items()}


def _record(manifest: Manifest, folder: Path, parts: Sequence[int], threads: int) -> None:
    """Play what is left of these parts; with all parts there, write the hashes."""
    from ..locks import locked
    from ..recording.record import Recording

    recording = Recording.of(manifest, folder)
    with locked(folder):
        recording.open()
        set_resume_words(
            lambda: f"{_there(recording, parts)} are finished and kept in {folder}; resume with: {again()}"
        )
        shell.errors.print(f"riverbed: {_there(recording, parts)} are there")
        _play(recording, parts, threads)
        if recording.left(recording.every_part):
            shell.console.print(
                f"{_there(recording, recording.every_part)} of the corpus are in {folder}", soft_wrap=True
            )
            return
        manifest = recording.finish()
        shell.console.print(f"{manifest.games:,} games, hash {manifest.digest()[:12]}…, in {folder}", soft_wrap=True)


def _there(recording: Recording, parts: Sequence[int]) -> str:
    return f"{len(parts) - len(recording.left(parts))} of {len(parts)} parts"


def _play(recording: Recording, parts: Sequence[int], threads: int) -> None:
    """Play with a bar that shows games/s and the time left."""
    left = recording.left(parts)
    if not left:
        return
    begun, played = time.perf_counter(), 0
    with shell.progress_bar() as bar:
        task = bar.add_task(shell.COMPILING, total=sum(recording.manifest.size(part) for part in left))
        for part in left:
            games = recording.play(part, threads)
            played += games
            speed = played / (time.perf_counter() - begun)
            bar.update(task, advance=games, description=f"recording, {speed:,.0f} games/s")
    seconds = time.perf_counter() - begun
    shell.console.print(f"{played:,} games played and written in {seconds:.1f} s: {played / seconds:,.0f} games/s")


def _write_examples(folder: Path, kind: str, gap: float) -> None:
    """Write the corpus as examples in words, and say how fast."""
    from riverbed_env.corpus import Corpus

    from ..seat_env.data import write_examples

    begun = time.perf_counter()
    path, lines = write_examples(Corpus(folder), kind, gap)
    seconds = time.perf_counter() - begun
    shell.console.print(f"{lines:,} examples in {path}: {lines / seconds:,.0f} a second", soft_wrap=True)
