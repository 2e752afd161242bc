"""The tables of an evaluation for the terminal, one of each kind a player count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rich import box
from rich.table import Table

from ..evaluation.outcomes import Best, Outcomes
from ..evaluation.ratings import Ratings
from ..evaluation.results import InferenceRow, Report
from ..playing.plan import CAMP_MATRIX, DEVIATION, HELD_OUT, MIRROR, Cell, deviation, held_out
from ..statistics import Difference, Mean, Rate, in_points, planning_warning

NOTHING = "–"
BASES = ("all random", "best rules")


def tables_of(outcomes: Outcomes, count: int) -> Iterator[Table]:
    """The tables of a player count that the plan asks for. Agents stand in the order in which they were given."""
    making = {MIRROR: mirror_table, DEVIATION: deviation_table, CAMP_MATRIX: matrix_table, HELD_OUT: held_out_table}
    for name in outcomes.plan.tables:
        yield making[name](outcomes, count)


def mirror_table(outcomes: Outcomes, count: int) -> Table:
    """A row an agent that plays every seat: each camp's wins."""
    game = outcomes.game
    table = _table(outcomes, count, "every seat the same agent, wins in %")
    _columns(table, ("agent",), ("games", *game.camps))
    for cell in outcomes.cells:
        if cell.table == MIRROR and cell.num_players == count:
            table.add_row(cell.camps[0], *_camps(outcomes, cell))
    table.add_section()
    best = [outcomes.best_rule_based(count, camp) for camp in game.camps]
    if any(best):
        table.add_row(BASES[1], "", *(NOTHING if found is None else _whose(found) for found in best))
    return table


def deviation_table(outcomes: Outcomes, count: int) -> Table:
    """Two rows a role and agent, the role's camp's wins: the agent in one seat among references, and the other way."""
    plan = outcomes.plan
    table = _table(
        outcomes, count, "one seat of a role, wins of its camp in %, gain over the mirror of the others in points"
    )
    _columns(table, ("role", "one", "among"), ("games", "wins", "gain", *BASES))
    for role in plan.roles:
        for one, among in plan.deviations:
            table.add_row(role, one, among, *_figures(outcomes, deviation(outcomes.game, count, role, one, among)))
        table.add_section()
    return table


def matrix_table(outcomes: Outcomes, count: int) -> Table:
    """A row a combination of agents for the camps: each camp's wins, and the base rates in the last lines."""
    game = outcomes.game
    table = _table(outcomes, count, "each camp one agent, wins in %")
    _columns(table, game.camps, ("games", *(f"wins {camp}" for camp in game.camps)))
    cells = outcomes.matrix(count)
    for row, cell in enumerate(cells):
        table.add_row(*cell.camps, *_camps(outcomes, cell))
        if row % len(outcomes.plan.compared) == len(outcomes.plan.compared) - 1:
            table.add_section()
    for name, rates_of in zip(BASES, zip(*(_bases(outcomes, count, camp) for camp in game.camps))):
        table.add_row(name, *[""] * len(game.camps), *rates_of)
    return table


def held_out_table(outcomes: Outcomes, count: int) -> Table:
    """A row a role and agent: the role's camp's wins with the agent in one seat of a mixed table."""
    plan = outcomes.plan
    pool = ", ".join(plan.held_out)
    title = f"one seat of a role among {pool}, wins of its camp in %, gain over {plan.reference} there in points"
    table = _table(outcomes, count, title)
    _columns(table, ("role", "agent"), ("games", "wins", "gain", *BASES))
    for role, agent in product(plan.roles, plan.compared):
        cell = held_out(count, role, agent, plan.held_out)
        table.add_row(role, agent, *_figures(outcomes, cell), end_section=agent == plan.compared[-1])
    return table


def ratings_table(report: Report, ratings: Ratings) -> Table:
    """A row an agent: its strength in each camp."""
    title = f"{report.header.title}: strength by camp, log odds beside {ratings.reference}; 95 % intervals"
    table = _plain_table(title)
    _columns(table, ("agent",), report.header.camps)
    found = {(each.agent, each.camp): each for each in ratings.strengths}
    for agent in dict.fromkeys(each.agent for each in ratings.strengths):
        strengths = (found.get((agent, camp)) for camp in report.header.camps)
        table.add_row(
            agent,
            *(
                NOTHING if each is None
                else "reference" if each.low == each.high
                else f"{each.value:+.2f} ({each.low:+.2f} to {each.high:+.2f})"
                for each in strengths
            ),
        )  # fmt: skip
    return table


def inference_table(report: Report) -> Table:
    """A row a player count and lineup: how well roles were read, beside the reference."""
    rows: dict[tuple[int, str], InferenceRow] = {}
    for each in report.inference:
        rows.setdefault((each.num_players, each.observed), each)
    title = f"{report.header.title}: reading roles from play, log-loss in nats a seat, lower is better; 95 % intervals"
    table = _plain_table(title)
    observers = tuple(dict.fromkeys(name for each in rows.values() for name in (each.observer, each.reference)))
    _columns(table, ("players", "whose play"), ("games", *observers))
    for (count, observed), each in rows.items():
        own, reference = each.scores.overall.own.log_loss, each.scores.overall.reference
        beside = NOTHING if reference is None else _mean(reference.log_loss)
        table.add_row(str(count), observed, f"{own.blocks:,}", _mean(own), beside)
    return table


def _mean(found: Mean) -> str:
    return f"{found.value:.3f} {found.low:.3f}–{found.high:.3f}"


def warnings_of(outcomes: Outcomes, counts: Sequence[int]) -> list[str]:
    """What the games are too few for: said once for all deals, and for camps that not all have; alike ones together."""
    found: dict[str, list[str]] = {}
    for count in counts:
        deals = {outcomes.plan.deals: "all camps"}
        for camp in outcomes.game.camps:
            deals.setdefault(outcomes.all_random(count, camp).games, camp)
        for games, who in deals.items():
            warning = planning_warning(games) if games else None
            if warning:
                found.setdefault(f"players, {who}: {warning}", []).append(str(count))
    return [f"{', '.join(numbers)} {words}" for words, numbers in found.items()]


def _table(outcomes: Outcomes, count: int, what: str) -> Table:
    title = f"{outcomes.game.title}, {count} players: {what}; 95 % intervals"
    return _plain_table(title)


def _plain_table(title: str) -> Table:
    return Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)


def _columns(table: Table, words: tuple[str, ...], figures: tuple[str, ...]) -> None:
    """Columns that are folded where they don't fit; were figures kept whole, names would get no room at all."""
    for name in words:
        table.add_column(name, overflow="fold")
    for name in figures:
        table.add_column(name, justify="right", overflow="fold")


def _bases(outcomes: Outcomes, count: int, camp: str) -> tuple[str, str]:
    """The base rates of a camp: all random, and the best rule-based."""
    best = outcomes.best_rule_based(count, camp)
    return _percent(outcomes.all_random(count, camp)), NOTHING if best is None else _percent(best.rate)


def _percent(rate: Rate) -> str:
    return f"{100 * rate.value:.1f}" if rate.games else NOTHING


def _camps(outcomes: Outcomes, cell: Cell) -> tuple[str, ...]:
    """Of a cell without a role in focus: games, and each camp's rate, with its games where not all have the camp."""
    deals = outcomes.plan.deals
    rates = [outcomes.rate(cell, camp) for camp in outcomes.game.camps]
    return (f"{deals:,}", *(str(rate) if rate.games == deals else f"{rate} of {rate.games:,}" for rate in rates))


def _whose(best: Best) -> str:
    return f"{' or '.join(best.agents)} {_percent(best.rate)}"


def _figures(outcomes: Outcomes, cell: Cell) -> tuple[str, ...]:
    """Of a cell with a role in focus: games, the rate of the role's camp, the gain, the base rates."""
    found = outcomes.in_focus(cell)
    bases = _bases(outcomes, cell.num_players, outcomes.game.camp_of_role[cell.role])
    return (f"{found.games:,}", str(found), _gain(outcomes.gain(cell)), *bases)


def _gain(gain: Difference | None) -> str:
    """A gain in points, coloured where its interval leaves 0 out."""
    if gain is None or not gain.blocks:
        return NOTHING
    text = in_points(gain.value, gain.low, gain.high)
    colour = "green" if gain.low > 0 else "red" if gain.high < 0 else ""
    return f"[{colour}]{text}[/]" if colour else text
