"""Who lies about what at a table of Riverbed Hunt that talks, what lies do to what others believe, and which come out.

    python experiments/studies lies --agent rule_based --players 7 --games 300

One agent plays all seats. For each role the study shows how many claims a seat makes in a game, which share of those
that can be true is false, and how much a claim moves the other seats: *trust* is the probability that they give to the
speaker being a merchant, *grasp* what they give to the true roles of all others, by the model of the deduction, in
points. A claim comes out when its tile is turned up, or its seat's role becomes public before the end, while it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import numpy as np
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.core.options import check_whole
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Verb
from riverbed_env.players.specs import find_agent
from riverbed_lab.playing.statements import Checked, Statement, statements
from riverbed_lab.statistics import clustered_mean

from .kit import Players, Seed, print_table

MOST_GAMES = 10**6
ABOUT: dict[str, Callable[[Statement | Checked], bool]] = {
    "own camp or role": lambda each: each.claim.verb <= Verb.PROFITEER and each.claim.about in (-1, each.speaker),
    "another's camp": lambda each: each.claim.verb <= Verb.OF_PROFITEER and each.claim.about != each.speaker,
    "tiles": lambda each: Verb.BEARS_KELP <= each.claim.verb <= Verb.BEARS_NONE,
}


def main(
    agent: Annotated[str, typer.Option(help="The agent in every seat.")] = "rule_based",
    players: Players = 7,
    games: Annotated[int, typer.Option(help="Games to play.")] = 300,
    seed: Seed = 0,
) -> None:
    """Play games and show the tables of claims, of beliefs, and of what came out."""
    check_whole("games", games, 1, MOST_GAMES)
    batch = Batch(GAME, games, seed=seed, num_players=players, talk="claims", auto_reset=False)
    told = list(statements(batch, [find_agent(agent, GAME.name)], np.zeros((games, players), int), np.arange(games)))
    made = [each for each in told if isinstance(each, Statement)]
    checked = [each for each in told if isinstance(each, Checked)]
    seats = np.bincount(GAME.roles_of(batch.games).ravel(), minlength=len(GAME.roles)).tolist()
    title = f"{agent}, {players} players, {games} games of seed {seed}"
    headings = ["role", "about", "claims a seat", "lies, % of them", "known lies, %"]
    print_table(f"Claims: {title}", headings, claims_rows(made, seats), left=(0, 1))
    headings = ["about", "claims", "trust, points", "grasp, points"]
    print_table(f"What they move: {title}", headings, belief_rows(made), left=(0, 1))
    headings = ["role", "about", "come out, a seat", "of them lies, %", "of its lies so many, %", "after turns"]
    length = f"{batch.games['table']['turn'].mean():.1f} turns a game"
    print_table(f"What comes out, {length}: {title}", headings, checked_rows(made, checked, seats), left=(0, 1))


def claims_rows(made: Sequence[Statement], seats: Sequence[int]) -> Iterable[list[str]]:
    """How many claims of each kind a seat of each role makes, and how many are false, knowingly so."""
    for role, name in enumerate(GAME.roles):
        for about, belongs in ABOUT.items():
            those = [each for each in made if each.role == role and belongs(each)]
            if those:
                lies = percent([not each.true for each in those], those)
                known = percent([not each.true and each.known for each in those], those)
                yield [name, about, f"{len(those) / seats[role]:.2f}", lies, known]


def belief_rows(made: Sequence[Statement]) -> Iterable[list[str]]:
    """What true and false claims of each kind do to what others believe."""
    for about, belongs in ABOUT.items():
        for kind, true in (("true", True), ("false", False)):
            those = [each for each in made if belongs(each) and each.true is true]
            if those:
                trust, grasp = (points([pair[1] - pair[0] for pair in pairs], those) for pairs in _pairs(those))
                yield [about, f"{len(those)} {kind}", trust, grasp]


def _pairs(those: Sequence[Statement]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    return [each.trust for each in those], [each.grasp for each in those]


def checked_rows(made: Sequence[Statement], checked: Sequence[Checked], seats: Sequence[int]) -> Iterable[list[str]]:
    """How many claims came out and how many were false, by role; the share of its lies that did, and how late."""
    for role, name in enumerate(GAME.roles):
        for about, belongs in ABOUT.items():
            those = [each for each in checked if each.role == role and belongs(each)]
            if those:
                told = sum(not each.true for each in made if each.role == role and belongs(each))
                lies = [each for each in those if not each.true]
                late = mean([each.turn - each.since for each in lies], lies) if lies else ""
                share = f"{100 * len(lies) / told:.0f}" if told else ""
                out = percent([not each.true for each in those], those)
                yield [name, about, f"{len(those) / seats[role]:.2f}", out, share, late]


def percent(happened: Sequence[bool], those: Sequence[Statement | Checked]) -> str:
    """A share in percent with its interval, by games."""
    return mean([100.0 * each for each in happened], those)


def mean(values: Sequence[float], those: Sequence[Statement | Checked], form: str = ".1f") -> str:
    """A mean with its interval, by games. form: of its number."""
    found = clustered_mean(values, [each.game for each in those])
    return f"{found.value:{form}} ± {(found.high - found.low) / 2:{form.lstrip('+')}}"


def points(shifts: Sequence[float], those: Sequence[Statement]) -> str:
    """A mean shift with its interval, by games."""
    return mean(shifts, those, "+.2f")
