"""A made-up but plausible evaluation of Riverbed Hunt, for tests of the report."""

from __future__ import annotations

from itertools import product

import numpy as np

from riverbed_lab.evaluation.inference import Inference, score
from riverbed_lab.evaluation.ratings import Ratings, fit_ratings
from riverbed_lab.evaluation.results import About, Base, InferenceRow, LineupRow, Report, SpreadRow, SwapRow
from riverbed_lab.playing.plan import Setup
from riverbed_lab.report.verdict import planning_notes
from riverbed_lab.statistics import Difference, Rate, clustered_rate, rate, spread

CAMPS = ("merchants", "separatists", "profiteer")
CAMP_OF_ROLE = {
    "chief": "merchants", "merchant": "merchants", "leader": "separatists", "separatist": "separatists",
    "profiteer": "profiteer",
}  # fmt: skip
ROLES = tuple(CAMP_OF_ROLE)
AGENTS = ("random", "simple", "rule_based")
SKILL = {"random": -0.7, "simple": 0.0, "rule_based": 0.35}
PLAYERS = (4, 6, 8)
GAMES = 2000


def chances(num_players: int, agents: dict[str, str]) -> dict[str, float]:
    """How likely each camp wins: more players help the profiteer; skill counts most for the separatists."""
    odds = {
        "merchants": np.exp(0.9 - 0.12 * num_players + SKILL[agents["merchants"]]),
        "separatists": np.exp(0.1 + 1.6 * SKILL[agents["separatists"]]),
        "profiteer": np.exp(-1.9 + 0.2 * num_players + 0.4 * SKILL[agents["profiteer"]]),
    }
    return {camp: float(value / sum(odds.values())) for camp, value in odds.items()}


def wins(generator: np.random.Generator, num_players: int, agents: dict[str, str]) -> tuple[dict[str, Rate], int]:
    """Rates of the camps and games that nobody won."""
    nobody = int(generator.binomial(GAMES, 0.02))
    drawn = generator.multinomial(GAMES - nobody, list(chances(num_players, agents).values()))
    return {camp: rate(int(count), GAMES) for camp, count in zip(CAMPS, drawn, strict=True)}, nobody


def mirror(generator: np.random.Generator) -> tuple[LineupRow, ...]:
    rows = []
    for count, agent in product(PLAYERS, AGENTS):
        agents = dict.fromkeys(CAMPS, agent)
        rows.append(LineupRow(Setup(count), agents, GAMES, *wins(generator, count, agents)))
    return tuple(rows)


def bases(rows: tuple[LineupRow, ...]) -> tuple[Base, ...]:
    found = []
    for count, camp in product(PLAYERS, CAMPS):
        by_agent = {row.agent: row.wins[camp] for row in rows if row.setup == Setup(count)}
        best = max(("simple", "rule_based"), key=lambda name: by_agent[name].value)
        found.append(Base(Setup(count), camp, by_agent["random"], by_agent[best], best))
    return tuple(found)


def swap(generator: np.random.Generator, setup: Setup, role: str, who: tuple[str, str, str], step: float) -> SwapRow:
    block = np.repeat(np.arange(GAMES // 2), 2)
    new, old = (clustered_rate(generator.random(GAMES) < chance, block) for chance in (0.35 + step, 0.35))
    gain = new.value - old.value
    found = Difference(gain, gain - 0.028, gain + 0.029, GAMES, GAMES // 2)
    return SwapRow(setup, role, CAMP_OF_ROLE[role], *who, new, old, found)


def deviations(generator: np.random.Generator) -> tuple[SwapRow, ...]:
    return tuple(
        swap(generator, Setup(count), role, (one, among, among), 0.1 * (SKILL[one] - SKILL[among]))
        for count, role, agent in product(PLAYERS, ROLES, ("random", "rule_based"))
        for one, among in ((agent, "simple"), ("simple", agent))
    )


def matrix(generator: np.random.Generator) -> tuple[LineupRow, ...]:
    rows = []
    for count, *who in product(PLAYERS, *[AGENTS] * 3):
        agents = dict(zip(CAMPS, who, strict=True))
        rows.append(LineupRow(Setup(count), agents, GAMES, *wins(generator, count, agents)))
    return tuple(rows)


def ratings(generator: np.random.Generator) -> Ratings:
    agent = np.array(list(product(range(3), repeat=3)) * 150)
    players = generator.choice(PLAYERS, len(agent))
    winner = [
        generator.choice(3, p=list(chances(count, {camp: AGENTS[who] for camp, who in zip(CAMPS, lineup)}).values()))
        for count, lineup in zip(players, agent, strict=True)
    ]
    block = np.arange(len(agent)) // 3
    return fit_ratings(agent, winner, players, block, names=AGENTS, camps=CAMPS, reference="simple", seed=1)


def inference(generator: np.random.Generator) -> Inference:
    games, turns = 120, 12
    turn = np.tile(np.arange(1, turns + 1), games)
    truth = np.repeat(generator.integers(0, len(ROLES), (games, 6)), turns, axis=0)
    prior = np.full((games * turns, 6, len(ROLES)), 0.2)
    evidence = generator.normal(size=prior.shape) + 0.11 * turn[:, None, None] * np.eye(len(ROLES))[truth]
    posterior = np.exp(0.1 * turn[:, None, None] * evidence)
    posterior /= posterior.sum(axis=2, keepdims=True)
    counted = np.ones(truth.shape, bool)
    counted[:, 0] = False
    return score(posterior, truth, counted, turn, np.repeat(np.arange(games), turns), ROLES, prior)


def lengths(generator: np.random.Generator) -> tuple[SpreadRow, ...]:
    return tuple(
        SpreadRow(
            Setup(count),
            f"all {agent}",
            GAMES,
            spread(generator.gamma(20, count * (1.6 - 0.5 * SKILL[agent]), (GAMES, 1)).astype(int)),
        )
        for count, agent in product(PLAYERS, AGENTS)
    )


def made_up_report() -> Report:
    """All parts of a report, with numbers drawn under a fixed seed."""
    generator = np.random.default_rng(23)
    rows = mirror(generator)
    deviating = deviations(generator)
    about = About(
        title="Riverbed Hunt",
        camps=CAMPS,
        setups=tuple(map(Setup, PLAYERS)),
        agents=AGENTS,
        reference="simple",
        command="riverbed evaluate rule_based random --reference simple --players 4,6,8 --games 2000 --seed 7",
        details={"content pack": "core 5f3c9a <as shipped>", "seed": "7", "mode": "standard"},
    )
    return Report(
        about=about,
        bases=bases(rows),
        mirror=rows,
        deviations=deviating,
        matrix=matrix(generator),
        held_out=tuple(
            swap(generator, Setup(6), role, ("rule_based", "bold liar, silent & copycat", "simple"), 0.1)
            for role in ROLES
        ),
        ratings=ratings(generator),
        inference=(InferenceRow(6, "all simple", "rule_based", "prior", "turn", inference(generator)),),
        lengths=lengths(generator),
        notes=tuple(planning_notes(deviating)),
    )
