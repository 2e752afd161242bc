"""Ratings of agents in games of several camps: a strength for each agent in each camp, from who won.

The chance that camp c wins is proportional to exp(intercept[players, c] + strength[agent of c, c]) over the camps that
play: a Bradley-Terry-Luce model with an outcome for each camp. A strength is in log odds relative to the reference
agent's, which is 0 in every camp; intercepts of a player count sum to 0. The fit is maximum likelihood with a normal
prior of deviation 3 around 0 on every parameter, so that an agent that always won gets a finite strength; a few dozen
games outweigh it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError

PRIOR_DEVIATION = 3.0  # log odds; a strength of 3 turns an even chance into 95 %
RESAMPLES = 500
CHUNK = 50  # resamples drawn at once: bounds the memory at a hundred thousand blocks
STEPS = 100
SETTLED = 1e-7  # log odds: a step that moves no number by more is the last

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Strength:
    """An agent's strength in a camp, in log odds relative to the reference's, with its 95 % interval.

    `games` are the decided games in which it played that camp.
    """

    agent: str
    camp: str
    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Intercept:
    """What the game itself gives a camp at a player count, in log odds, with its 95 % interval."""

    num_players: int
    camp: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """The strengths of agents by camp, the camps' intercepts, and the number of games they were fitted to."""

    reference: str
    strengths: tuple[Strength, ...]
    intercepts: tuple[Intercept, ...]
    games: int
    nobody_won: int  # games left out
    prior_deviation: float = PRIOR_DEVIATION


def fit_ratings(
    agent: npt.ArrayLike,
    winner: npt.ArrayLike,
    num_players: npt.ArrayLike,
    block: npt.ArrayLike,
    *,
    names: Sequence[str],
    camps: Sequence[str],
    reference: str,
    seed: int,
    resamples: int = RESAMPLES,
) -> Ratings:
    """Rate agents by finished games; intervals are percentiles of a bootstrap over the blocks under `seed`.

    `agent` is (n, camps) int, the number in `names` of the agent that plays the camp, -1 where the camp doesn't play;
    `winner` (n,) int the number of the camp that won, -1 for none (such games are left out and counted);
    `num_players` and `block` (n,) int. Games of one deal have one block number, other deals another.
    Raises OptionError if the games don't identify an agent's strength relative to the reference.
    """
    sides, won = np.asarray(agent, np.int64).reshape(-1, len(camps)), np.asarray(winner, np.int64)
    if reference not in names:
        raise OptionError(f"there is no agent {reference!r} to rate by; there are {', '.join(names)}")
    decided = won >= 0
    model = _Model(sides[decided], won[decided], np.asarray(num_players, np.int64)[decided], names.index(reference))
    model.check_identified(names, camps)
    best = model.fit(model.counts(np.ones(decided.sum())), np.zeros(model.width))
    drawn = _bootstrap(model, np.asarray(block, np.int64)[decided], best, seed, resamples)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    fitted = [*zip(best.tolist(), low.tolist(), high.tolist(), strict=True), (0.0, 0.0, 0.0)]  # the reference's is last
    strengths = (Strength(names[who], camps[camp], *fitted[place], games) for who, camp, place, games in model.rated())
    intercepts = (Intercept(count, camps[camp], *fitted[place]) for count, camp, place in model.intercepts())
    return Ratings(reference, tuple(strengths), tuple(intercepts), int(decided.sum()), int((~decided).sum()))


class _Model:
    """The games grouped by lineup, and the parameters: intercepts first, then the strengths that aren't fixed.

    `cell` (n,) is each game's lineup and winner in one number, `design` (lineups x camps, parameters) which
    parameters add up to a camp's log odds, `present` (lineups, camps) which camps play.
    """

    def __init__(self, sides: Integers, won: Integers, num_players: Integers, reference: int) -> None:
        self.camps = sides.shape[1]
        if len(won) == 0:
            raise OptionError("there are no decided games to rate agents by")
        lineups, which = _lineups(sides, num_players)
        self.players, counts = np.unique(lineups[:, 0], return_inverse=True)
        self.seated = lineups[:, 1:]
        self.present = self.seated >= 0
        if not self.present[which, won].all():
            raise OptionError("a camp won that didn't play: its agent is -1")
        self.cell = which * self.camps + won
        self.reference = reference
        free = sorted({
            (int(who), camp)
            for camp in range(self.camps)
            for who in np.unique(self.seated[:, camp])
            if who not in {-1, reference}
        })  # fmt: skip
        self.place_of = {pair: len(self.players) * self.camps + number for number, pair in enumerate(free)}
        self.width = len(self.players) * self.camps + len(free)
        self.games_of = np.bincount(which)
        self.design = self._make_design(counts)

    def _make_design(self, counts: Integers) -> Floats:
        design = np.zeros((len(self.seated), self.camps, self.width))
        for number, (seated, count) in enumerate(zip(self.seated, counts, strict=True)):
            for camp in np.flatnonzero(seated >= 0):
                design[number, camp, count * self.camps + camp] = 1
                if seated[camp] != self.reference:
                    design[number, camp, self.place_of[int(seated[camp]), int(camp)]] = 1
        return design.reshape(-1, self.width)

    def check_identified(self, names: Sequence[str], camps: Sequence[str]) -> None:
        """Raise OptionError if a strength could change without changing the chances of any game that was played."""
        by_lineup = self.design.reshape(*self.present.shape, self.width)
        centre = by_lineup.sum(axis=1, keepdims=True) / self.present.sum(axis=1)[:, None, None]
        contrasts = np.where(self.present[:, :, None], by_lineup - centre, 0.0).reshape(-1, self.width)
        values, vectors = np.linalg.eigh(contrasts.T @ contrasts)
        freedom = (vectors[:, values < 1e-9 * max(1.0, values[-1])] ** 2).sum(axis=1)
        loose = [
            f"{names[who]} ({camps[camp]})" for (who, camp), place in self.place_of.items() if freedom[place] > 1e-9
        ]
        if loose:
            raise OptionError(
                f"no games link {', '.join(loose)} to the reference {names[self.reference]}; "
                "rate agents by games of the matrix that have the reference in it at the same player counts"
            )

    def counts(self, weights: Floats) -> Floats:
        """Games by lineup and winner, (lineups, camps), each game counted with its weight."""
        by_cell: Floats = np.bincount(self.cell, weights, self.present.size).astype(np.float64)
        return by_cell.reshape(self.present.shape)

    def fit(self, counts: Floats, start: Floats) -> Floats:
        """The most likely parameters, (parameters,), by Newton's method with halved steps, from `start`."""
        games, parameters = counts.sum(axis=1), start
        score = self._score(parameters, counts)
        for _ in range(STEPS):
            step = self._newton_step(parameters, counts, games)
            while (tried := self._score(parameters + step, counts)) < score - 1e-9 * abs(score):
                step = step / 2
            parameters, score = parameters + step, tried
            if np.abs(step).max() < SETTLED:
                break
        return parameters

    def _newton_step(self, parameters: Floats, counts: Floats, games: Floats) -> Floats:
        chances = np.exp(self._log_chances(parameters))
        prior = PRIOR_DEVIATION**-2
        slope = self.design.T @ (counts - games[:, None] * chances).ravel() - prior * parameters
        weighted = self.design * chances.reshape(-1, 1)
        expected = weighted.reshape(*self.present.shape, self.width).sum(axis=1)
        bend = (weighted * np.repeat(games, self.camps)[:, None]).T @ self.design
        bend -= (expected * games[:, None]).T @ expected
        step: Floats = np.linalg.solve(bend + prior * np.eye(self.width), slope).astype(np.float64)
        return step

    def _score(self, parameters: Floats, counts: Floats) -> float:
        """The log-likelihood with the prior, but for a constant."""
        likelihood = (counts * np.where(self.present, self._log_chances(parameters), 0.0)).sum()
        return float(likelihood - (parameters @ parameters) / (2 * PRIOR_DEVIATION**2))

    def _log_chances(self, parameters: Floats) -> Floats:
        """The log chance of each camp in each lineup, (lineups, camps); a camp that doesn't play has none."""
        odds = np.where(self.present, (self.design @ parameters).reshape(self.present.shape), -np.inf)
        odds -= odds.max(axis=1, keepdims=True)
        return np.where(self.present, odds - np.log(np.exp(odds).sum(axis=1, keepdims=True)), -np.inf)

    def rated(self) -> list[tuple[int, int, int, int]]:
        """Agent, camp, place among the parameters (-1 for the reference) and games of all that played, by agent."""
        pairs = sorted({(int(who), camp) for camp in range(self.camps) for who in self.seated[:, camp] if who >= 0})
        return [
            (who, camp, self.place_of.get((who, camp), -1), int(self.games_of[self.seated[:, camp] == who].sum()))
            for who, camp in pairs
        ]

    def intercepts(self) -> list[tuple[int, int, int]]:
        """Player count, camp and place among the parameters, of the camps that play at that count."""
        return [
            (int(count), camp, number * self.camps + camp)
            for number, count in enumerate(self.players)
            for camp in range(self.camps)
            if self.design[:, number * self.camps + camp].any()
        ]


def _lineups(sides: Integers, num_players: Integers) -> tuple[Integers, Integers]:
    """The different lineups, (lineups, 1 + camps) player count and agents, and which of them each game has, (n,)."""
    columns = np.column_stack((num_players, sides))
    radix = int(columns.max()) + 2  # one number a lineup sorts far faster than rows do
    code = np.zeros(len(columns), np.int64)
    for column in columns.T:
        code = code * radix + column + 1
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    return columns[first], which


def _bootstrap(model: _Model, block: Integers, best: Floats, seed: int, resamples: int) -> Floats:
    """The parameters refitted to blocks drawn with replacement, (resamples, parameters)."""
    from scipy import sparse

    _, place = np.unique(block, return_inverse=True)
    blocks = int(place.max()) + 1
    by_block = sparse.csr_array((np.ones(len(place)), (model.cell, place)), shape=(model.present.size, blocks))
    generator = np.random.default_rng(seed)
    fitted = []
    for begun in range(0, resamples, CHUNK):
        size = min(CHUNK, resamples - begun)
        weights = np.stack(
            [np.bincount(generator.integers(blocks, size=blocks), minlength=blocks) for _ in range(size)]
        )
        counts = (by_block @ weights.T.astype(np.float64)).T.reshape(size, *model.present.shape)
        fitted += [model.fit(each, best) for each in counts]
    return np.array(fitted).reshape(resamples, model.width)
