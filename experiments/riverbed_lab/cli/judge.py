"""The command that judges recorded games choice by choice: `judge`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.files import write_whole
from riverbed_env.core.options import check_whole
from riverbed_env.registry import find_game

from ..extras import need
from .console import COMPILING, DEFAULT_GAME, GameOption, ThreadsOption, console, errors, progress_bar, use_threads
from .evaluate import specs_of
from .signals import again, set_resume_words
from .spending import ModelsOption, limit

if TYPE_CHECKING:
    from riverbed_env.core.game import Game
    from riverbed_env.seats import SeatAgent

    from ..evaluation.results import InferenceRow
    from ..judging.run import Judging

MOST_GAMES = 2**40
GAMES_ASKED = 20  # in which a player from outside is asked for beliefs, once a turn
FOOTER = (
    "Intervals are 95 %, Student's t over deals. A gain is what an agent's choices were worth beside the reference's; "
    "nothing in it is fitted."
)


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
        str | None, Option(help="Judge these, by name or label.", show_default="all but the reference")
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
    beliefs: Annotated[
        str | None,
        Option(
            metavar="SPEC", help="Ask this player from outside what the judged seats believe.", show_default="nobody"
        ),
    ] = None,
    models: ModelsOption = None,
    threads: ThreadsOption = 0,
    out: Annotated[Path, Option(help="Folder of the result; resumes there.")] = Path("results/judged"),
    page: Annotated[
        Path | None,
        Option(metavar="FILE", help="Judge nothing: make one page of evaluations and judgments.", show_default="none"),
    ] = None,
) -> None:
    """Say what each seat's choices were worth beside a reference agent's, not by who won.

    If interrupted, run the same command again to resume.
    """
    need("reports")
    if page is not None:
        _write_page(recorded, page)
        return
    from ..judging.run import Judging, Settings
    from ..locks import locked
    from ..published import RULE_BASED, installed
    from ..report.judgement import judgement
    from ..report.sections import inference
    from ..report.terminal import render

    limit(models)
    chosen = find_game(game)
    talker = None if beliefs is None else _talker(beliefs, chosen)
    usual = ("random", *installed(chosen, RULE_BASED))[-1]
    labels = _labels(recorded)
    specs = {label: spec for spec, label in labels.items()}
    settings = Settings(
        *(chosen.id, reference or usual),
        agents=tuple(specs.get(name, name) for name in specs_of(agents)),
        known=None if known is None else tuple(specs.get(name, name) for name in specs_of(known) if name != "none"),
        most=check_whole("games", games, 0, MOST_GAMES),
        worlds=worlds,
    )
    with locked(out):
        with errors.status("reading the games …"):
            judging = Judging(out, settings, recorded)
        known_names = ", ".join(agent.name for agent in judging.known) or "only the reference"
        console.print(f"the reference is {settings.reference}; known agents: {known_names}")
        set_resume_words(lambda: f"finished blocks are kept in {out}; resume with: {again()}")
        with progress_bar() as bar:
            task = bar.add_task(COMPILING, total=len(judging.found.games))
            rows = judging.rows(use_threads(threads), lambda new: bar.update(task, advance=new, description="judging"))
        scores = [] if talker is None else _believed(judging, talker)
        path = judging.write(rows, scores)
        shown = [replace(row, agent=labels.get(row.agent, row.agent)) for row in rows]
        for part in (judgement(shown), *([inference(scores)] if scores else [])):
            for each in render(part, console.width, chosen.title):
                console.print(each)
        console.print(f"wrote {path}", soft_wrap=True)


def _write_page(results: Sequence[Path], path: Path) -> None:
    """Make one page of results: strength with intervals, failures, costs, beliefs, and the pool behind them."""
    from ..report.board import board_sections, ranking, read_results
    from ..report.page import page

    found = read_results(results)
    sentences = list(ranking(found))
    text = page(
        *("Board", board_sections(found)),
        verdict=sentences,
        notes=(),
        details={"results": ", ".join(map(str, found.sources))},
        command=shlex.join(["riverbed", "judge", *map(str, results), "--page", str(path)]),
        footer=FOOTER,
    )
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8"))
    for words in sentences:
        console.print(words)
    console.print(f"wrote {path}, {len(text.encode()) / 1000:.0f} kB", soft_wrap=True)


def _labels(recorded: Sequence[Path]) -> dict[str, str]:
    """The labels of agents in evaluations among these sources, by spec. Raises OptionError for a missing source."""
    from ..evaluation.folder import PLAN, load
    from ..judging.sources import reader_of

    for path in recorded:
        reader_of(path)
    plans = [load(path).plan for path in recorded if (path / PLAN).is_file()]
    return {spec: label for plan in plans for spec, label in plan.labels.items()}


def _talker(spec: str, game: Game) -> SeatAgent:
    """The player from outside who is asked for beliefs."""
    from riverbed_env.players.specs import find_agent

    from ..judging.beliefs import checked_talker

    label, sign, rest = spec.partition("=")
    name = rest if sign and ":" not in label else spec
    return checked_talker(find_agent(name, game.name), game.name)


def _believed(judging: Judging, talker: SeatAgent) -> list[InferenceRow]:
    """The scores of what the talker believes in the first games."""
    from ..judging.beliefs import belief_rows

    with progress_bar() as bar:
        task = bar.add_task("asking for beliefs", total=None)
        rows, asked, answered = belief_rows(
            judging.found, talker, talker.about, GAMES_ASKED, lambda new: bar.update(task, advance=new)
        )
    console.print(f"{answered} of {asked} questions for beliefs were answered")
    return rows
