"""A network learns from a corpus to choose as one of its agents does, and is compared with it.

    riverbed record rule_based simple --players 7 --games 20000 --out results/corpus
    python experiments/studies behaviour_cloning results/corpus --agent rule_based

trains on all parts but the last and prints how often the network's likeliest action is the agent's in the last part,
and how often each wins in one seat among agents of that kind, on common deals. The network is saved as a policy. It
learns from observations alone: derived features are computed from views, which a corpus doesn't hold.
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
from riverbed_env.players.action_entities import head_columns
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.lineups import lineups
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console
from riverbed_lab.distil.config import QUESTION, plain_pieces
from riverbed_lab.training.evaluation import SeatGain, compare, evaluations
from riverbed_lab.training.network import Scores, Tower, actor_arrays, inputs_of

VIEW = "history"
AT_ONCE, MINIBATCH = 2**15, 512
RATE = 2e-3
WIDTHS, OBJECT_WIDTH = (256, 128), 64


class Learner(nn.Module):
    """An object network, as `riverbed train` has, over observations; each question has its scores.

    Pieces of the observation that list every case are left out.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.pieces = plain_pieces(game)
        self.heads = QUESTION if QUESTION in game.observation.slices else ""
        self.inputs = inputs_of(game, VIEW, (), secrets=False, pieces=self.pieces)
        part = self.inputs.actor
        self.columns = self.inputs.columns
        self.actor = Tower(part, self.inputs.scale, WIDTHS, OBJECT_WIDTH)
        heads = head_columns(game, VIEW, self.heads)
        self.scores = Scores(part, game.actions.size, WIDTHS[1], OBJECT_WIDTH, trust=0.0, heads=heads)

    def logits(self, found: Decisions) -> Tensor:
        """The masked logits of decisions, (n, A)."""
        seen = torch.from_numpy(found.observation[:, self.columns])
        raw: Tensor = self.scores(seen, *self.actor(seen))
        return raw.masked_fill(torch.from_numpy(found.action_mask) == 0, -torch.inf)


def train(learner: Learner, corpus: Corpus, agent: str, parts: Sequence[int], epochs: int, seed: int) -> None:
    """Some epochs over the agent's decisions in these parts, each in another order."""
    optimizer = torch.optim.Adam([each for each in learner.parameters() if each.requires_grad], RATE)
    rates = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        losses = [
            _improve(learner, optimizer, found.take(rows))
            for found in _decisions(corpus, agent, parts, shuffle=seed + epoch, size=AT_ONCE)
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


@dataclass(frozen=True)
class Agreement:
    """How often an action is the agent's, where several are legal.

    clone: the network's likeliest one; random: any legal one.
    """

    clone: float
    random: float


@torch.no_grad()
def agreement(learner: Learner, corpus: Corpus, agent: str, parts: Sequence[int]) -> Agreement:
    """How often others agree with the agent in these parts."""
    rows: list[npt.NDArray[np.float64]] = []
    for found in _decisions(corpus, agent, parts):
        clone = learner.logits(found).argmax(1).numpy() == found.action
        rows.append(np.stack([clone, 1 / found.action_mask.sum(axis=1)]))
    if not rows:
        raise OptionError(f"the last part of {corpus.folder} has no decisions of {agent}")
    return Agreement(*np.concatenate(rows, axis=1).mean(axis=1).tolist())


def _decisions(corpus: Corpus, agent: str, parts: Sequence[int], **more: Any) -> Iterator[Decisions]:
    """The agent's decisions with several legal actions."""
    for found in corpus.decisions(agents=[agent], parts=parts, view=VIEW, **more):
        yield found.take(found.action_mask.sum(axis=1, dtype=np.int64) > 1)


def save(learner: Learner, corpus: Corpus, agent: str, path: Path) -> Agent:
    """Save the network as a policy; it plays its likeliest action."""
    config = PolicyConfig(
        environment=corpus.manifest.environment,
        view=VIEW,
        network="objects",
        pieces=learner.pieces,
        heads=learner.heads,
        about=f"cloned from {agent}",
        more={"corpus": corpus.manifest.digest(), "agent": agent},
    )
    save_policy(path, config, actor_arrays(learner.actor, learner.scores, learner.inputs))
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
    epochs: Annotated[int, typer.Option(min=1, help="Times that every decision is learnt from.")] = 6,
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
    learner = Learner(corpus.game)
    train(learner, corpus, agent, parts, epochs, seed)
    agreed = agreement(learner, corpus, agent, [last])
    out.parent.mkdir(parents=True, exist_ok=True)
    clone = save(learner, corpus, agent, out)
    console.print(
        f"agrees with {agent} in {agreed.clone:.1%} of its choices among several actions (a random one: "
        f"{agreed.random:.1%})",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    for name, gain in zip(("the clone", "random play"), strength(corpus, agent, [clone, UNIFORM], games)):
        console.print(
            f"{name} wins {gain.learner.value:.1%} of {games:,} deals in one seat among {agent}, which wins "
            f"{gain.reference.value:.1%} there: {gain.gain.value:+.1%} [{gain.gain.low:+.1%}, {gain.gain.high:+.1%}]",
            highlight=False, markup=False, soft_wrap=True,
        )  # fmt: skip
    console.print(f"saved as {out}", highlight=False, markup=False, soft_wrap=True)
