"""The statistical attack: no classifier may predict a hidden fact better than the exact posterior does.

Let C be the fact, I all that an agent may know, p the exact posterior of C given I, and X what reaches the agent. If
nothing leaks, X is made of I and of chance that has nothing to do with C, so that C given I and X still has the
posterior p. Then for every way q of giving probabilities to the cases by looking at X and I, trained on other games,

    E[log q(C) - log p(C)] = -E[KL(p || q)] <= 0                                 (Gibbs' inequality).

A classifier whose log-loss on held-out games is lower than the posterior's, beyond chance, has found a leak, or the
posterior isn't exact. The second is tested separately: an exact posterior must be right on average by itself.

What is tested is that inequality where it is sharpest. Blend the classifier into the posterior, q_s ~ p^(1-s) q^s, and
let s go to 0: the gain a moment over s goes to f(C) - E_p[f] with f = log q - log p, whose mean is 0 without a leak
however badly the classifier is calibrated. z is the sum of these over its standard error, with games as units since
the moments of one game hang together.

Also E[q(C) / p(C)] <= 1 for every moment, so the mean ratio over a game's moments is an e-value, and so is its product
over independent games: without a leak it exceeds 1/a with a probability of at most a, whatever the distribution and
the number of games. The report gives its logarithm too, and either is enough for a verdict.

A classifier that finds nothing proves nothing: an attack is worth as much as the faintest planted leak that it finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .models import Fitted, Model, default_models, normalised, one_thread, safe_log
from .report import Leak
from .samples import Floats, Samples, game_sums

Z_OF_A_LEAK = 5.0  # without one, three times in ten million
LOG_ODDS_OF_A_LEAK = float(np.log(1e6))
Z_OF_A_WRONG_POSTERIOR = 5.0

_FEWEST_GAMES = 20
_INNER = 0.7  # of the training games, to train on; the others choose the model and how much of it to blend in
_SCALES = (0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0, 1.4)
_MOST = 5.0  # of the logarithm of the classifier's probability over the posterior's, so that no moment outweighs all


@dataclass(frozen=True)
class AttackReport:
    """How a classifier did against the exact posterior on held-out games.

    moments, games: how many it was judged by; model: the classifier that was chosen on training games;
    classifier_loss, posterior_loss: mean log-loss a moment in nats; gain: by how much the classifier's is lower, with
    its 95 % interval; classifier_accuracy, posterior_accuracy: how often the likeliest case was true; z, log_odds: the
    evidence for a leak, see this module; posterior_z: the largest of several z for the posterior by itself; told_by:
    the most telling features on training games.
    """

    moments: int
    games: int
    model: str
    classifier_loss: float
    posterior_loss: float
    gain: float
    interval: tuple[float, float]
    classifier_accuracy: float
    posterior_accuracy: float
    z: float
    log_odds: float
    posterior_z: float
    told_by: tuple[str, ...]

    @property
    def posterior_is_off(self) -> bool:
        """Whether the posterior that was given can't be exact."""
        return self.posterior_z > Z_OF_A_WRONG_POSTERIOR

    @property
    def leak(self) -> bool:
        """Whether the classifier knew more than the agent may."""
        return self.z > Z_OF_A_LEAK or self.log_odds > LOG_ODDS_OF_A_LEAK

    def check(self, what: str = "a hidden fact") -> None:
        """Raise Leak if there is one, ValueError if the posterior isn't exact."""
        if self.posterior_is_off:
            raise ValueError(f"{what}: {self}")
        if self.leak:
            raise Leak(f"{what}: {self}", self.told_by)

    def __str__(self) -> str:
        return (
            f"{self._verdict()} ({self.moments} moments of {self.games} held-out games: log-loss "
            f"{self.classifier_loss:.4f} against {self.posterior_loss:.4f}, gain {self.gain:.5f} "
            f"[{self.interval[0]:.5f}, {self.interval[1]:.5f}], z = {self.z:.1f}, log odds {self.log_odds:.1f}; "
            f"accuracy {self.classifier_accuracy:.3f} against {self.posterior_accuracy:.3f}; model: {self.model})"
        )

    def _verdict(self) -> str:
        if self.posterior_is_off:
            return f"the posterior isn't exact: by itself it is off by z = {self.posterior_z:.1f}, so nothing follows"
        if self.leak:
            return f"a leak: the classifier knows more than may be known, by {', '.join(self.told_by)}"
        return "no leak found"


def attack(
    samples: Samples, *, seed: int = 0, held_out: float = 0.5, models: Sequence[Model] | None = None
) -> AttackReport:
    """Train classifiers on some of the games and compare the best with the exact posterior on the others.

    held_out: the share of the games it is judged by. models: the candidates; the best by log-loss on a part of the
    training games is trained again on all of them. Moments at which the posterior is certain are left out.

    Raises ValueError if too few games have other moments, ImportError without scikit-learn (extra "leaks").
    """
    rng = np.random.default_rng(seed)
    usable = samples.usable()
    games = len(np.unique(usable.game))
    if games < _FEWEST_GAMES:
        raise ValueError(f"{games} games have moments at which the fact is open; {_FEWEST_GAMES} are needed")
    train, test = split(usable, 1 - held_out, rng)
    tried = default_models(usable.posterior.shape[1]) if models is None else models
    with one_thread():
        model, scale = _best(tried, train, rng)
        fitted = model.fit(train)
        log_q = _blended(test, fitted, scale)
    return _judge(f"{model.name}, blended by {scale:g}", test, log_q, fitted.told_by, _off(usable))


def split(samples: Samples, share: float, rng: np.random.Generator) -> tuple[Samples, Samples]:
    """The moments of a random share of the games, and those of the others."""
    games = rng.permutation(np.unique(samples.game))
    chosen = np.isin(samples.game, games[: round(len(games) * share)])
    return samples.only(chosen), samples.only(~chosen)


def _best(models: Sequence[Model], train: Samples, rng: np.random.Generator) -> tuple[Model, float]:
    """The model, and how much of it to blend in, with the lowest log-loss on a part of the training games."""
    inner, outer = split(train, _INNER, rng)
    tried: list[tuple[float, Model, float]] = []
    for model in models:
        fitted = model.fit(inner)
        for scale in _SCALES:
            tried.append((float(_log_ratios(outer, _blended(outer, fitted, scale)).mean()), model, scale))
    _, model, scale = max(tried, key=lambda each: each[0])
    return model, scale


def _blended(samples: Samples, fitted: Fitted, scale: float) -> Floats:
    """The posterior with some of the classifier: its log-probabilities, shape (n, k)."""
    log_p = safe_log(samples.posterior)
    return normalised(log_p + scale * _lead(samples, fitted.log_probabilities(samples)))


def _lead(samples: Samples, log_q: Floats) -> Floats:
    """F of the module: log q - log p less its mean under the posterior, bounded; 0 for impossible cases, (n, k)."""
    possible = samples.posterior > 0
    lead = np.where(possible, log_q - safe_log(samples.posterior), 0.0)
    lead -= (lead * samples.posterior).sum(axis=1, keepdims=True)
    bounded: Floats = np.where(possible, np.clip(lead, -_MOST, _MOST), 0.0)
    return bounded


# --- the evidence --------------------------------------------------------------------------------------------------


def _log_ratios(samples: Samples, log_q: Floats) -> Floats:
    """Of each moment the logarithm of the classifier's probability for the truth over the posterior's, shape (n,)."""
    return _of_truth(samples, log_q - safe_log(samples.posterior))


def _of_truth(samples: Samples, values: npt.NDArray[Any]) -> Floats:
    """Each moment's value of its true case, shape (n,)."""
    picked: Floats = values[np.arange(len(samples)), samples.fact]
    return picked


def _judge(name: str, test: Samples, log_q: Floats, told_by: Sequence[str], off: float) -> AttackReport:
    ratios = _log_ratios(test, log_q)
    posterior_loss = -float(np.log(_of_truth(test, test.posterior)).mean())
    games = len(np.unique(test.game))
    gain = float(ratios.mean())
    margin = 1.96 * float(np.std(game_sums(ratios, test.game), ddof=1)) * np.sqrt(games) / len(test)
    lead = _lead(test, log_q)
    leads = game_sums(_of_truth(test, lead) - (lead * test.posterior).sum(axis=1), test.game)
    return AttackReport(
        moments=len(test),
        games=games,
        model=name,
        classifier_loss=posterior_loss - gain,
        posterior_loss=posterior_loss,
        gain=gain,
        interval=(gain - margin, gain + margin),
        classifier_accuracy=float((log_q.argmax(axis=1) == test.fact).mean()),
        posterior_accuracy=float((test.posterior.argmax(axis=1) == test.fact).mean()),
        z=float(_z(leads)),
        log_odds=_log_odds(ratios, test.game),
        posterior_z=off,
        told_by=tuple(told_by),
    )


def _z(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sum over games (the first axis) over its standard error, where the mean of each game's part is 0."""
    spread = np.sqrt((sums**2).sum(axis=0))
    z: npt.NDArray[Any] = sums.sum(axis=0) / np.where(spread > 0, spread, 1.0)
    return z


def _log_odds(ratios: Floats, game: npt.NDArray[np.int64]) -> float:
    """The logarithm of the product over games of the mean ratio: an e-value."""
    means = game_sums(np.exp(ratios), game) / game_sums(np.ones(len(ratios)), game)
    return float(np.log(means).sum())


def _off(samples: Samples) -> float:
    """The largest z of the posterior's own residuals, summed plainly and weighted by the logarithm of each case."""
    residuals = samples.residuals()
    weights = np.log(np.clip(samples.posterior, 1e-6, None))
    scores = np.hstack([residuals, residuals * (weights - weights.mean(axis=0))])
    return float(np.abs(_z(game_sums(scores, samples.game))).max())
