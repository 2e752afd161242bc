"""Commands that compare agents: `benchmark`, `evaluate` and `replay`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game

from ..extras import need
from . import report as reporting
from .console import (
    DEFAULT_GAME,
    AgentOption,
    CountsOption,
    GameOption,
    PackOption,
    SetOption,
    ThreadsOption,
    choose_agent,
    console,
    errors,
    player_counts,
    progress_bar,
    read_options,
    use_threads,
)
from .signals import again, goes_on

if TYPE_CHECKING:
    from ..benchmark import Settings
    from ..evaluation.folder import Folder
    from ..evaluation.outcomes import Outcomes
    from ..playing.plan import Plan

LINE_UP_GAMES, TABLE_GAMES = 20_000, 10_000  # unless told otherwise; 10,000 resolve 2 points
INFERENCE_GAMES = 500
NumbersSeed = Annotated[int, typer.Option("--seed", help="Seed of the numbered games.")]
InferenceOption = Annotated[
    int, typer.Option("--inference-games", help="Games a player count that roles are read from; 0 for none.")
]
ReportOption = Annotated[bool, typer.Option("--report/--no-report", help="Ratings, inference of roles and the report.")]
DealsOption = Annotated[
    int, typer.Option("--games", help="Deals of each cell; one seat of a role is tried in all of its seats.")
]


def benchmark(
    game: GameOption = DEFAULT_GAME,
    agent: AgentOption = None,
    others: Annotated[
        str | None, typer.Option("--others", help="Who sits beside the agent, and in the base line; random.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", help="Games of each lineup, or deals of each cell, at each player count.")
    ] = None,
    players: CountsOption = None,
    seed: NumbersSeed = 0,
    threads: ThreadsOption = 0,
    pack: PackOption = None,
    set_: SetOption = None,
    variants: Annotated[
        bool, typer.Option("--variants", help="Every variant of the game: modes, extension, …")
    ] = False,
    inference_games: InferenceOption = INFERENCE_GAMES,
    report: ReportOption = True,
    out: Annotated[Path, typer.Option("--out", help="Folder for rows, summary and plots.")] = Path("results/benchmark"),
) -> None:
    """The four tables of the published agents; with --agent or --others, or all in one camp, lineups of these."""
    from ..published import AGENTS

    chosen = find_game(game)
    if agent is None and others is None and not variants and chosen.name in AGENTS:
        counts = player_counts(players, chosen.min_players, chosen.max_players)
        deals = TABLE_GAMES if games is None else games
        options = read_options(chosen, pack, set_)
        plan = _published_plan(chosen, counts, deals, check_seed(seed), options, inference_games)
        evaluate_plan(chosen, plan, use_threads(threads), out, report)
        return
    _compare_line_ups(
        *(chosen, agent, others or "random", LINE_UP_GAMES if games is None else games, players),
        *(check_seed(seed), use_threads(threads), read_options(chosen, pack, set_), variants, out),
    )


def _compare_line_ups(
    game: Game,
    agent: str | None,
    others: str,
    games: int,
    players: str | None,
    seed: int,
    threads: int,
    options: dict[str, Any],
    variants: bool,
    out: Path,
) -> None:
    """Win rates, or scores, of lineups of agents at every player count, with intervals and the base line beside."""
    from .. import benchmark as bench
    from ..evaluation.folder import PLAN
    from ..locks import locked

    settings = bench.Settings(
        games=games,
        players=player_counts(players, game.min_players, game.max_players),
        agent=choose_agent(agent, game),
        others=choose_agent(others, game),
        seed=seed,
        threads=threads,
        options=options,
        variants=game.variants if variants else ({},),
    )
    need("reports")
    bench.check(game, settings)
    if (out / PLAN).exists():
        raise OptionError(
            f"{out} holds an evaluation, whose summary this would replace; choose another folder with --out"
        )
    goes_on(lambda: f"nothing is kept of a comparison that isn't finished; it begins anew with: {again()}")
    with locked(out):
        _play_line_ups(game, settings, out)


def _play_line_ups(game: Game, settings: Settings, out: Path) -> None:
    """Compile, play with a bar, show the tables and write all of it."""
    from .. import benchmark as bench
    from ..tables import length_table, score_table, win_rate_table

    with errors.status("compiling the rules and agents (about a minute the first time, then kept)"):
        bench.warm_up(game, settings)
    cells = []
    with progress_bar() as bar:
        task = bar.add_task("playing", total=bench.total_games(game, settings))
        for cell in bench.run(game, settings, lambda done: bar.advance(task, done)):
            cells.append(cell)
            bar.update(task, description=f"{cell.num_players} players: {cell.lineup.name}")
    for table in (win_rate_table, *((score_table,) if game.summary.score else ()), length_table):
        console.print(table(game, cells))
    played = sum(cell.games for cell in cells)
    seconds = sum(cell.seconds for cell in cells)
    console.print(
        f"{played:,} games in {seconds:.1f} s of play on {settings.threads} threads: {played / seconds:,.0f} games/s"
    )
    for path in bench.write(game, settings, cells, out):
        console.print(f"wrote {path}", soft_wrap=True)


def evaluate(
    agents: Annotated[list[str], typer.Argument(help="The agents that are compared, by their specs.")],
    game: GameOption = DEFAULT_GAME,
    reference: Annotated[
        str | None, typer.Option("--reference", help="Whom they are measured against; the best published agent.")
    ] = None,
    roles: Annotated[str | None, typer.Option("--roles", help="Roles, like chief,leader; all of them.")] = None,
    players: CountsOption = None,
    games: DealsOption = TABLE_GAMES,
    tables: Annotated[
        str | None, typer.Option("--tables", help="mirror,deviation,camp_matrix,held_out or some of them; all.")
    ] = None,
    held_out: Annotated[
        str | None, typer.Option("--held-out", help="The mixed table's agents, like silent,copycat; the published.")
    ] = None,
    one_way: Annotated[
        bool, typer.Option("--one-way", help="Only one seat of each agent at a time, for slow ones.")
    ] = False,
    seed: NumbersSeed = 0,
    threads: ThreadsOption = 0,
    pack: PackOption = None,
    set_: SetOption = None,
    inference_games: InferenceOption = INFERENCE_GAMES,
    report: ReportOption = True,
    out: Annotated[Path, typer.Option("--out", help="Folder of rows and report; a run goes on there.")] = Path(
        "results/evaluation"
    ),
) -> None:
    """Compare agents on common deals in up to four tables; the same command goes on where a run stopped."""
    from .. import published
    from ..playing.plan import Plan, usual_tables

    chosen = find_game(game)
    pool = _specs(held_out) or published.installed(chosen, published.HELD_OUT)
    plan = Plan(
        environment=chosen.id,
        agents=tuple(agents),
        reference=reference or published.reference(chosen, agents),
        players=player_counts(players, chosen.min_players, chosen.max_players),
        deals=games,
        roles=_words(roles) or chosen.roles,
        tables=_words(tables) or usual_tables(bool(pool), one_way),
        held_out=pool,
        rule_based=published.installed(chosen, published.RULE_BASED),
        seed=check_seed(seed),
        options=read_options(chosen, pack, set_),
        inference_games=inference_games,
        one_way=one_way,
    )
    evaluate_plan(chosen, plan, use_threads(threads), out, report)


def _published_plan(
    game: Game, players: tuple[int, ...], deals: int, seed: int, options: dict[str, Any], inference_games: int
) -> Plan:
    """The four tables of a game's published agents."""
    from .. import published
    from ..playing.plan import Plan

    reference = published.reference(game)
    agents = tuple(agent for agent in published.installed(game, published.AGENTS) if agent != reference)
    return Plan(
        game.id, agents, reference, players, deals, game.roles,
        held_out=published.installed(game, published.HELD_OUT),
        rule_based=published.installed(game, published.RULE_BASED),
        seed=seed,
        options=options,
        inference_games=inference_games,
    )  # fmt: skip


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()


def _specs(text: str | None) -> tuple[str, ...]:
    """Specs from a list with commas; those between an agent's own parameters don't part."""
    found: list[str] = []
    for word in _words(text):
        if found and "=" in word and ":" not in word:
            found[-1] += f",{word}"
        else:
            found.append(word)
    return tuple(found)


def evaluate_plan(game: Game, plan: Plan, threads: int, out: Path, report: bool = True, *, anew: bool = False) -> None:
    """Play what is left of a plan, show its tables, write its report and summary; nobody else does it meanwhile.

    anew: rows of another evaluation in the folder are deleted, rather than complained of by an OptionError.
    """
    from ..evaluation import run as running
    from ..evaluation.folder import Folder, clear_other, identify
    from ..locks import locked
    from ..playing import plan as planning

    need("reports")
    planning.check(game, plan)
    agents = running.find_agents(game, plan)
    with locked(out):
        identity = identify(game, plan, agents)
        if anew and clear_other(out, identity):
            errors.print(f"riverbed: {out} held an evaluation of something else; it begins anew", markup=False)
        folder = Folder(out, identity)
        for note in folder.notes:
            errors.print(f"riverbed: {note}", style="yellow", markup=False, highlight=False, soft_wrap=True)

        def kept() -> str:
            left, total = len(running.left(game, plan, folder)), len(running.tasks(game, plan))
            return f"{total - left} of {total} parts are finished and kept in {out}; it goes on with: {again()}"

        goes_on(kept)
        _play_all(game, plan, agents, folder, threads)
        _tell(game, plan, agents, folder, report)


def _play_all(game: Game, plan: Plan, agents: list[Any], folder: Folder, threads: int) -> None:
    """Compile, say what there is to do, play it."""
    from ..evaluation import run as running
    from ..playing import plan as planning

    left, total = len(running.left(game, plan, folder)), len(running.tasks(game, plan))
    what = f"{len(planning.cells(game, plan))} cells of {plan.deals:,} deals, {total - left} of {total} parts finished"
    errors.print(f"riverbed: {what}", markup=False, highlight=False)
    if left:
        with errors.status("compiling the rules and agents (about a minute the first time, then kept)"):
            running.warm_up(game, plan, agents, threads)
        _play(game, plan, agents, folder, threads)


def _tell(game: Game, plan: Plan, agents: list[Any], folder: Folder, report: bool) -> None:
    """Show the tables of a finished evaluation, and write its report or the summary alone."""
    from ..evaluation.outcomes import Outcomes
    from ..report.summary import write_summary

    outcomes = Outcomes(game, plan, folder)
    _show(outcomes)
    console.print(f"the rows, one a game, are in {folder.parts}", soft_wrap=True)
    if report:
        reporting.write(outcomes, lambda: agents)
    else:
        console.print(f"wrote {write_summary(outcomes)}", soft_wrap=True)


def _play(game: Game, plan: Plan, agents: list[Any], folder: Folder, threads: int) -> None:
    """Play with a bar that tells cells, games/s and the time left."""
    from ..evaluation import run as running
    from ..playing.plan import Cell

    every = running.tasks(game, plan)
    finished = folder.finished()
    begun = time.perf_counter()
    played = 0
    with progress_bar() as bar:
        task = bar.add_task("playing", total=sum(task.deals for task in every))
        bar.advance(task, sum(task.deals for task in every if (task.number, task.chunk) in finished))

        def watch(cell: Cell, deals: float, games: int) -> None:
            nonlocal played
            played += games
            speed = played / (time.perf_counter() - begun)
            bar.update(task, advance=deals, description=f"{cell.name}, {speed:,.0f} games/s")

        running.run(game, plan, agents, folder, threads, watch)
    seconds = time.perf_counter() - begun
    if played:
        console.print(
            f"{played:,} games played and written in {seconds:.1f} s on {threads} threads: "
            f"{played / seconds:,.0f} games/s"
        )


def _show(outcomes: Outcomes) -> None:
    from ..report.terminal_tables import tables_of, warnings_of

    for count in outcomes.plan.players:
        for table in tables_of(outcomes, count):
            console.print(table)
        for warning in warnings_of(outcomes, [count]):
            console.print(warning, style="yellow", markup=False, highlight=False)


def replay(
    folder: Annotated[Path, typer.Argument(help="The folder of an evaluation.")],
    cell: Annotated[
        str | None, typer.Option("--cell", help="The cell, by its number or name; without, a list.")
    ] = None,
    game: Annotated[int, typer.Option("--game", help="The number of the deal.")] = 0,
    seat: Annotated[
        int | None, typer.Option("--seat", help="The seat in focus, where a deal is played more than once; the first.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the game step by step.")] = False,
    viewer: Annotated[int | None, typer.Option("--viewer", help="Show only what this seat knows.")] = None,
    pause: Annotated[float, typer.Option("--pause", help="Seconds between two steps.")] = 0.3,
) -> None:
    """Play the game of a row again and see whether it comes out as the row says."""
    from ..benchmark import code_version
    from ..evaluation.replay import Replay

    known = Replay(folder)
    if cell is None:
        for number, found in enumerate(known.cells):
            console.print(f"{number:>4}  {found.name}", highlight=False, markup=False)
        return
    row = known.row(known.cell(cell), game, seat)
    agents = known.agents(row)
    if viewer is not None and not 0 <= viewer < len(agents):
        raise OptionError(f"seats are 0 to {len(agents) - 1}, not {viewer}")
    for number, agent in enumerate(agents):
        focus = ", in focus" if row["focus"] == number else ""
        console.print(f"seat {number}: {agent.name}, {row[f'role_{number}']}{focus}", highlight=False, markup=False)
    if watch:
        _watch(known.game, row, agents, known.plan.options, viewer, pause)
    differences = known.differences(row)
    if differences:
        raise RiverbedError(
            f"game {game} comes out otherwise than its row says (code {row['code']} then, {code_version()} now): "
            f"{'; '.join(differences)}"
        )
    console.print(f"game {game} of seed {row['seed']} comes out as its row says: {known.in_words(row)}")


def _watch(game: Game, row: dict[str, Any], agents: list[Any], options: Any, viewer: int | None, pause: float) -> None:
    from riverbed_env.core.batch import Batch

    from .terminal_game import TerminalGame, show

    seated = {"num_players": len(agents), **options}
    batch = Batch(game, 1, seed=row["seed"], first_game=row["game"], auto_reset=False, **seated)
    TerminalGame(game, dict(enumerate(agents)), batch, viewer, show).watch(pause)
