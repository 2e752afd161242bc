"""The command that judges recorded games choice by choice: `judge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.options import check_whole
from riverbed_env.registry import find_game

from ..extras import need
from .console import COMPILING, DEFAULT_GAME, GameOption, ThreadsOption, console, errors, progress_bar, use_threads
from .evaluate import specs_of
from .spending import ModelsOption, limit

if TYPE_CHECKING:
    import pandas as pd

    from riverbed_env.seats import SeatAgent

    from ..judging.run import Judging

MOST_GAMES = 2**40
GAMES_ASKED = 20  # in which a player from outside is asked for beliefs, once a turn


def judge(
    recorded: Annotated[
        list[Path],
        Argument(
            metavar="GAMES...",
            exists=True,
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
            help="Agents that play by their policy in other seats; none for no agent.",
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
    out: Annotated[Path, Option(help="Folder of the result.")] = Path("results/judged"),
) -> None:
    """Say what each seat's choices were worth beside a reference agent's, not by who won."""
    need("reports")
    from riverbed_env.players.specs import find_agent

    from ..judging.beliefs import checked_talker
    from ..judging.run import Judging, Settings
    from ..judging.sources import labels_of
    from ..locks import locked
    from ..published import RULE_BASED, installed
    from ..report.page import render
    from ..report.sections import inference, judgement, told_by_winners

    given = limit(models, out, compares=True)
    chosen = find_game(game)
    talker = None if beliefs is None else checked_talker(find_agent(beliefs, chosen.name), chosen.name)
    usual = ("random", *installed(chosen, RULE_BASED))[-1]
    labels = labels_of(recorded)
    specs = {label: spec for spec, label in labels.items()}
    settings = Settings(
        *(chosen.id, reference or usual),
        agents=tuple(specs.get(name, name) for name in specs_of(agents)),
        known=None if known is None else tuple(specs.get(name, name) for name in specs_of(known) if name != "none"),
        most=check_whole("games", games, 0, MOST_GAMES),
        worlds=worlds,
        unrepaired=given.unrepaired,
    )
    with locked(out):
        with errors.status("reading the games …"):
            judging = Judging(settings, recorded)
        known_names = ", ".join(agent.name for agent in judging.known) or "only the reference"
        console.print(f"the reference is {settings.reference}; known agents: {known_names}")
        with progress_bar() as bar:
            task = bar.add_task(COMPILING, total=len(judging.found.games))
            rows = judging.rows(use_threads(threads), lambda new: bar.update(task, advance=new, description="judging"))
        scores = None if talker is None else _believed(judging, talker)
        path = judging.write(out, rows, scores)
    rows = rows.assign(agent=rows["agent"].replace(labels))
    parts = [judgement(rows)]
    for part in (*parts, *([] if scores is None or scores.empty else [inference(scores)])):
        for each in render(part, console.width, chosen.title):
            console.print(each)
    if words := told_by_winners(rows):
        console.print(words, style="yellow", soft_wrap=True)
    console.print(f"wrote {path}", soft_wrap=True)


def _believed(judging: Judging, talker: SeatAgent) -> pd.DataFrame:
    """The scores of what the talker believes in the first games."""
    from ..judging.beliefs import belief_scores

    with progress_bar() as bar:
        task = bar.add_task("asking for beliefs", total=None)
        scores, asked, answered = belief_scores(
            judging.found, talker, talker.about, GAMES_ASKED, lambda new: bar.update(task, advance=new)
        )
    console.print(f"{answered} of {asked} questions for beliefs were answered")
    return scores
