"""The command that judges recorded games choice by choice: `judge`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game

from ..extras import need
from .console import COMPILING, DEFAULT_GAME, GameOption, ThreadsOption, console, errors, progress_bar, use_threads
from .evaluate import specs_of
from .signals import again, set_resume_words
from .spending import CassetteOption, MaxCostOption, MaxTokensOption, OfflineOption, limit

if TYPE_CHECKING:
    from riverbed_env.core.game import Game
    from riverbed_env.seats import SeatAgent

    from ..evaluation.results import InferenceRow
    from ..judging.results import JudgedRow
    from ..judging.run import Judging

    Beliefs = tuple[list[InferenceRow], int, int]

MOST_GAMES = 2**40


def judge(
    recorded: Annotated[
        list[Path],
        Argument(
            metavar="GAMES...",
            help="Folders of evaluations, corpora or tables' records; records (.json), or lines of them (.jsonl).",
        ),
    ],
    game: GameOption = DEFAULT_GAME,
    reference: Annotated[
        str | None, Option(help="A compiled agent; choices are compared with its own.", show_default="the best rules")
    ] = None,
    agents: Annotated[
        str | None, Option(help="Judge these, as the games name them.", show_default="all but the reference")
    ] = None,
    known: Annotated[
        str | None,
        Option(
            help="Agents whose other seats play by their policy; none for nobody.",
            show_default="compiled ones of evaluations and corpora",
        ),
    ] = None,
    games: Annotated[int, Option(help="Games of each cell or other source; 0 for all.")] = 300,
    worlds: Annotated[int, Option(help="Worlds for each choice that counts.")] = 128,
    moves: Annotated[int, Option(help="Exchanges tried from world to world.")] = 16,
    beliefs: Annotated[
        str | None,
        Option(
            metavar="SPEC", help="Ask this player from outside what the judged seats believe.", show_default="nobody"
        ),
    ] = None,
    asked: Annotated[int, Option(help="Games in which it is asked, once a turn.")] = 20,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    cassette: CassetteOption = None,
    offline: OfflineOption = False,
    within: Annotated[float, Option(help="Count the games that an interval of +- so many points takes.")] = 3.0,
    seed: Annotated[int, Option(help="Seed of the worlds.")] = 0,
    threads: ThreadsOption = 0,
    out: Annotated[Path, Option(help="Folder of the result; resumes there.")] = Path("results/judged"),
) -> None:
    """Say what each seat's choices were worth beside a reference agent's, not by who won.

    If interrupted, run the same command again to resume.
    """
    need("reports")
    from ..judging.run import Judging, settings_for
    from ..locks import locked
    from ..published import RULE_BASED, installed

    if not within > 0:
        raise OptionError(f"within must be above 0 points, not {within:g}")
    limit(max_cost, max_tokens, cassette, offline)
    chosen = find_game(game)
    talker = None if beliefs is None else _talker(beliefs, chosen)
    usual = ("random", *installed(chosen, RULE_BASED))[-1]
    settings = settings_for(
        *(chosen.id, reference or usual),
        agents=specs_of(agents),
        known=None if known is None else tuple(name for name in specs_of(known) if name != "none"),
        most=check_whole("games", games, 0, MOST_GAMES),
        worlds=worlds,
        moves=moves,
        seed=check_seed(seed),
    )
    with locked(out):
        judging = Judging(out, settings)
        _say(f"settings {settings.hash}: {settings.reference} is the reference, code {settings.code}")
        _judge(judging, recorded, use_threads(threads))
        _tell(judging, judging.rows(within / 100), _believed(judging, talker, asked))


def _judge(judging: Judging, recorded: Sequence[Path], threads: int) -> None:
    """Read the games and judge what is left of them, with a bar."""
    from ..judging.sources import Wanted, find_games

    settings = judging.settings
    with errors.status("reading the games …"):
        judging.read(find_games(recorded, Wanted(settings.reference, settings.agents, settings.most)))
    count = len(judging.found.games)
    _say(f"{count:,} games, hash {judging.games_hash}; known agents: {_names(judging) or 'only the reference'}")
    left = judging.left
    games = sum(len(judging.blocks[number][1]) for number in left)
    set_resume_words(lambda: f"finished blocks are kept in {judging.folder}; resume with: {again()}")
    with progress_bar() as bar:
        task = bar.add_task(COMPILING, total=count, completed=count - games)
        judging.play(threads, lambda new: bar.update(task, advance=new, description="judging"))


def _talker(spec: str, game: Game) -> SeatAgent:
    """The player from outside who is asked for beliefs."""
    from riverbed_env.players.specs import find_agent

    from ..judging.beliefs import checked_talker

    label, sign, rest = spec.partition("=")
    name = rest if sign and ":" not in label else spec
    return checked_talker(find_agent(name, game.name), game.name)


def _believed(judging: Judging, talker: SeatAgent | None, games: int) -> Beliefs:
    """The scores of what the talker believes in the first games, and how often it was asked and answered."""
    from ..judging.beliefs import belief_rows

    if talker is None:
        return [], 0, 0
    with progress_bar() as bar:
        task = bar.add_task("asking for beliefs", total=None)
        return belief_rows(judging.found, talker, talker.about, games, lambda new: bar.update(task, advance=new))


def _tell(judging: Judging, rows: Sequence[JudgedRow], believed: Beliefs) -> None:
    """Print the tables and write the result."""
    from ..judging.deception import claim_rows
    from ..report.judgement import claims, judgement
    from ..report.sections import inference
    from ..report.terminal import render

    title = find_game(judging.settings.game).title
    said, (scores, asked, answered) = claim_rows(judging.found), believed
    parts = [judgement(rows), *([claims(said)] if said else []), *([inference(scores)] if scores else [])]
    for part in parts:
        for each in render(part, console.width, title):
            console.print(each)
    path = judging.write(rows, said, scores, {"asked": asked, "answered": answered})
    if asked:
        console.print(f"{answered} of {asked} questions for beliefs were answered", highlight=False)
    console.print(f"wrote {path}", highlight=False, markup=False, soft_wrap=True)


def _names(judging: Judging) -> str:
    return ", ".join(agent.name for agent in judging.known)


def _say(words: str) -> None:
    errors.print(f"riverbed: {words}", markup=False, highlight=False, soft_wrap=True)
