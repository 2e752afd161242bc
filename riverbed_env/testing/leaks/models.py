"""Classifiers that start from the posterior, and so learn only what it doesn't say."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .samples import Floats, Samples

_MOST_CASES_FOR_TREES = 6

Matrix = npt.NDArray[np.float32]


class Fitted(Protocol):
    """A classifier that has been trained."""

    @property
    def told_by(self) -> Sequence[str]:
        """The features that it relies on most."""

    def log_probabilities(self, samples: Samples) -> Floats:
        """The logarithm of each case's probability at each moment, shape (n, k). It must not read the facts."""


class Model(Protocol):
    """A way of training a classifier."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    def fit(self, samples: Samples) -> Fitted:
        """Train on samples."""


def default_models(cases: int) -> list[Model]:
    """Linear models of few, more and many features; boosted trees where the cases are few enough for them."""
    linear = [Linear(number, penalty) for number in (1, 4, 16, 64, 256) for penalty in (3.0, 30.0, 300.0)]
    return [*linear, Trees()] if cases <= _MOST_CASES_FOR_TREES else [*linear]


# --- linear in the most telling features ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Linear:
    """A logistic regression on top of the posterior: log q = log p + W x + constant, of the features that tell most.

    features: how many. penalty: half of it times the squares of W is added to the loss; W = 0 is the posterior.
    """

    features: int
    penalty: float

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"linear, {self.features} features, penalty {self.penalty:g}"

    def fit(self, samples: Samples) -> Fitted:
        """Choose the features and find W."""
        chosen = samples.telling[: self.features]
        features = samples.features[:, chosen].astype(np.float64)
        mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
        weights = _offset_regression((features - mean) / spread, samples, self.penalty)
        return _FittedLinear([samples.names[place] for place in chosen[:3]], chosen, mean, spread, weights)


@dataclass(frozen=True)
class _FittedLinear:
    told_by: Sequence[str]
    chosen: npt.NDArray[np.int64]
    mean: Floats
    spread: Floats
    weights: Floats

    def log_probabilities(self, samples: Samples) -> Floats:
        features = (samples.features[:, self.chosen] - self.mean) / self.spread
        return normalised(safe_log(samples.posterior) + np.clip(features, -20, 20) @ self.weights)


def _offset_regression(features: Floats, samples: Samples, penalty: float) -> Floats:
    """W, shape (d, k), of the least penalised log-loss."""
    minimize = module("scipy.optimize").minimize
    offset, truth = safe_log(samples.posterior), np.eye(samples.posterior.shape[1])[samples.fact]
    shape = features.shape[1], offset.shape[1]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        log_q = normalised(offset + features @ weights)
        slope = features.T @ (np.exp(log_q) - truth) + penalty * weights
        return -float(log_q[truth > 0].sum()) + 0.5 * penalty * float((weights**2).sum()), slope.ravel()

    result = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    weights: Floats = result.x.reshape(shape)
    return weights


# --- trees ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trees:
    """Boosted trees of what the posterior leaves open: log q = log p + f(x), f a regression for each case.

    f is fitted to the truth less its probability, over p (1 - p), with weights p (1 - p): one step of logistic
    boosting that starts from the posterior. The posterior is among the features.
    """

    trees: int = 40

    @property
    def name(self) -> str:
        """Its name in reports."""
        return f"{self.trees} trees"

    def fit(self, samples: Samples) -> Fitted:
        """Fit a regression for each case; with two cases one is enough."""
        cases = samples.posterior.shape[1]
        features = _with_posterior(samples)
        fitted = [self._regression(features, samples, case) for case in range(1 if cases == 2 else cases)]
        told_by = [samples.names[place] for place in samples.telling[:3]]
        return _FittedTrees(told_by, fitted)

    def _regression(self, features: Matrix, samples: Samples, case: int) -> Any:
        ensemble = module("sklearn.ensemble")
        open_part = np.clip(samples.posterior[:, case] * (1 - samples.posterior[:, case]), 0.02, None)
        target = ((samples.fact == case) - samples.posterior[:, case]) / open_part
        trees = ensemble.HistGradientBoostingRegressor(
            max_iter=self.trees,
            max_leaf_nodes=6,
            min_samples_leaf=30,
            early_stopping=False,
            max_bins=32,
            random_state=0,
        )
        return trees.fit(features, target, sample_weight=open_part)


@dataclass(frozen=True)
class _FittedTrees:
    told_by: Sequence[str]
    regressions: list[Any]

    def log_probabilities(self, samples: Samples) -> Floats:
        features = _with_posterior(samples)
        values = np.stack([each.predict(features) for each in self.regressions], axis=1)
        if values.shape[1] < samples.posterior.shape[1]:
            values = np.hstack([values, np.zeros((len(values), 1))])
        return normalised(safe_log(samples.posterior) + np.clip(values, -20, 20))


def _with_posterior(samples: Samples) -> Matrix:
    return np.hstack([samples.features, samples.posterior.astype(np.float32)])


# --- helpers -------------------------------------------------------------------------------------------------------


def safe_log(posterior: Floats) -> Floats:
    """The logarithm; of 0 a number so low that it stays impossible."""
    logs: Floats = np.where(posterior > 0, np.log(np.where(posterior > 0, posterior, 1.0)), -1e9)
    return logs


def normalised(logits: Floats) -> Floats:
    """Log-probabilities, shape (n, k)."""
    lower = logits - logits.max(axis=1, keepdims=True)
    log_q: Floats = lower - np.log(np.exp(lower).sum(axis=1, keepdims=True))
    return log_q


def one_thread() -> AbstractContextManager[Any]:
    """Let the numerical libraries use one thread: the problems are small, so threads would only cost time."""
    for name in ("scipy.optimize", "sklearn.ensemble"):
        module(name)  # threadpoolctl limits only libraries that are loaded already
    limits: AbstractContextManager[Any] = module("threadpoolctl").threadpool_limits(1)
    return limits


def module(name: str) -> Any:
    """A module of the extra "leaks". Raises ImportError that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"the attack needs {name.partition('.')[0]}: pip install '.[leaks]' in the checkout"
        ) from error
