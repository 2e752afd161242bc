"""A network learns from a corpus to choose as one of its agents does, and is compared with it.

    riverbed record rule_based simple --players 7 --games 20000 --out results/corpus
    python experiments/studies behaviour_cloning results/corpus --agent rule_based

trains on all parts but the last and prints how often the network's likeliest action is the agent's in the last part,
and how often each wins in one seat among agents of that kind, on common deals. The network is saved as a policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch import Tensor, nn

from riverbed_env.core.game import Game
from riverbed_env.corpus import Corpus, Decisions
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import STREAM
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.features import FeatureSet, find_feature_sets, total_size, write_features
from riverbed_env.players.lineups import lineups
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console
from riverbed_lab.training.evaluation import SeatGain, compare, evaluations

SCALE = 4.0  # numbers of an observation are mostly 0 and 1; counts go up to 127
AT_ONCE, MINIBATCH = 2**15, 512
RATE = 1e-3


def network(inputs: int, actions: int, width: int) -> nn.Sequential:
    """A multilayer perceptron from an observation to logits."""
    return nn.Sequential(
        nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, actions)
    )


@dataclass(frozen=True)
class Learner:
    """A network over observations of a view and derived features."""

    model: nn.Sequential
    view: str
    features: tuple[FeatureSet, ...]

    @classmethod
    def of(cls, game: Game, view: str, names: Sequence[str], width: int) -> Learner:
        """An untrained one. names: of the game's feature sets."""
        features = find_feature_sets(tuple(names), game)
        return cls(network(game.views[view] + total_size(features), game.actions.size, width), view, features)

    def logits(self, found: Decisions) -> Tensor:
        """The masked logits of decisions, (n, A)."""
        inputs = found.observation
        if self.features:
            streams = np.zeros(len(found), STREAM)
            rows = np.ascontiguousarray(inputs), np.ascontiguousarray(found.action_mask)
            inputs = np.concatenate([inputs, write_features(self.features, *rows, streams)], axis=1)
        raw: Tensor = self.model(torch.from_numpy(inputs).float() / SCALE)
        return raw.masked_fill(torch.from_numpy(found.action_mask) == 0, -torch.inf)


def train(learner: Learner, corpus: Corpus, agent: str, parts: Sequence[int], epochs: int, seed: int) -> None:
    """Some epochs over the agent's decisions in these parts, each in another order."""
    optimizer = torch.optim.Adam(learner.model.parameters(), RATE)
    rates = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        losses = [
            _improve(learner, optimizer, found.take(rows))
            for found in _decisions(learner, corpus, agent, parts, shuffle=seed + epoch, size=AT_ONCE)
            for rows in np.split(np.arange(len(found)), range(MINIBATCH, len(found), MINIBATCH))
        ]
        rates.step()
        console.print(f"epoch {epoch + 1}: cross-entropy {np.mean(losses):.3f}", highlight=False)


def _improve(learner: Learner, optimizer: torch.optim.Optimizer, found: Decisions) -> float:
    loss: Any = nn.functional.cross_entropy(learner.logits(found), torch.from_numpy(found.action))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.item())


@torch.no_grad()
def agreement(learner: Learner, corpus: Corpus, agent: str, parts: Sequence[int]) -> tuple[float, float]:
    """How often the network's likeliest action is the agent's, and a random one is, where several are legal."""
    same: list[npt.NDArray[np.bool_]] = []
    by_chance: list[npt.NDArray[np.float64]] = []
    for found in _decisions(learner, corpus, agent, parts):
        same.append(learner.logits(found).argmax(1).numpy() == found.action)
        by_chance.append(1 / found.action_mask.sum(axis=1))
    if not same:
        raise OptionError(f"the last part of {corpus.folder} has no decisions of {agent}")
    return float(np.concatenate(same).mean()), float(np.concatenate(by_chance).mean())


def _decisions(learner: Learner, corpus: Corpus, agent: str, parts: Sequence[int], **more: Any) -> Iterator[Decisions]:
    """The agent's decisions with several legal actions."""
    for found in corpus.decisions(agents=[agent], parts=parts, view=learner.view, **more):
        yield found.take(found.action_mask.sum(axis=1, dtype=np.int64) > 1)


def save(learner: Learner, corpus: Corpus, agent: str, path: Path) -> Agent:
    """Save the network as a policy; it plays its likeliest action."""
    layers = [
        (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
        for layer in learner.model.children()
        if isinstance(layer, nn.Linear)
    ]
    config = PolicyConfig(
        environment=corpus.manifest.environment,
        view=learner.view,
        features=tuple(each.name for each in learner.features),
        scale=SCALE,
        activation="relu",
        about=f"cloned from {agent}",
        more={"corpus": corpus.manifest.digest(), "agent": agent},
    )
    save_policy(path, config, layers)
    return load_policy(path, corpus.game, greedy=True)


def strength(corpus: Corpus, agent: str, clones: Sequence[Agent], games: int) -> list[SeatGain]:
    """What each clone wins in one seat, each in turn, among agents of the cloned kind, beside that agent.

    The deals are shared out among the corpus's player counts.
    """
    manifest, original = corpus.manifest, find_agent(agent, corpus.game.name)
    among = lineups(corpus.game, [original])
    tables = evaluations(
        *(corpus.game, among, original), players=manifest.players, games=games, role=None, threads=1, **manifest.options
    )
    return [compare([(table.won(clone), table.won_by_reference) for table in tables]) for clone in clones]


def main(
    folder: Annotated[Path, typer.Argument(help="A corpus of two parts or more.")],
    agent: Annotated[str, typer.Option(help="The agent to clone.")] = "rule_based",
    view: Annotated[str, typer.Option(help="View of the observations.")] = "history",
    features: Annotated[
        list[str] | None, typer.Option(help="A feature set to learn from too, like outlook; repeatable.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Times that every decision is learnt from.")] = 6,
    width: Annotated[int, typer.Option(min=1, help="Units in each of two hidden layers.")] = 256,
    games: Annotated[int, typer.Option(min=1, help="Deals of the comparison.")] = 4000,
    most: Annotated[int, typer.Option(min=2, help="Parts of the corpus to use, the first ones.")] = 10**6,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the network and of the order.")] = 0,
    out: Annotated[Path, typer.Option(help="The policy's file.")] = Path("results/clone.npz"),
) -> None:
    """Clone an agent of a corpus and compare the two."""
    corpus = Corpus(folder)
    if len(corpus.parts) < 2:
        raise OptionError(f"{folder} needs two parts or more: the last one is kept for the comparison")
    *parts, last = corpus.parts[:most]
    torch.manual_seed(seed)
    learner = Learner.of(corpus.game, view, features or (), width)
    train(learner, corpus, agent, parts, epochs, seed)
    right, by_chance = agreement(learner, corpus, agent, [last])
    out.parent.mkdir(parents=True, exist_ok=True)
    clone = save(learner, corpus, agent, out)
    console.print(
        f"agrees with {agent} in {right:.1%} of its choices among several actions (a random one: {by_chance:.1%})",
        highlight=False,
    )
    for name, gain in zip(("the clone", "random play"), strength(corpus, agent, [clone, UNIFORM], games)):
        console.print(
            f"{name} wins {gain.learner.value:.1%} of {games:,} deals in one seat among {agent}, which wins "
            f"{gain.reference.value:.1%} there: {gain.gain.value:+.1%} [{gain.gain.low:+.1%}, {gain.gain.high:+.1%}]",
            highlight=False, markup=False, soft_wrap=True,
        )  # fmt: skip
    console.print(f"saved as {out}", highlight=False, markup=False, soft_wrap=True)
