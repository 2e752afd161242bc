"""PPO in one file: a learner in one seat of many games, agents in the others. Copy the file and change the loss.

    config = build_training({"role": "separatist", "players": [7]}, "my script")
    learner = Learner(config)
    while learner.steps < config.steps:
        figures = learner.update(learner.collect(config.rollout_steps), config.learning_rate)
    learner.save_policy(Path("policy.npz"))

From top to bottom: `Network`; `Rollout`, the buffer of decisions and their advantages;
`Learner`, which acts, collects and updates (`Learner.loss` is the one to change); and
`Training`, a run in a folder that is evaluated as it goes and resumes bit for bit, which is what `riverbed train` runs.

After Schulman et al., "Proximal policy optimization algorithms" (2017), with invalid actions masked.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from riverbed_env.core.files import Arrays
from riverbed_env.core.packs import pack_hashes
from riverbed_env.core.schema import Count
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.kernels.compile import Vector, Whole
from riverbed_env.players.action_entities import Objects, Relation
from riverbed_env.players.lineups import Lineups, lineups
from riverbed_env.worlds import role_targets

from .config_files import read_as
from .tensorboard import EventWriter
from .training.checkpoint import put_weights, save_network
from .training.config import SEAT, TrainingConfig
from .training.folder_run import (
    CHECKPOINT,
    NO_LIMIT,
    POLICY,
    FolderRun,
    Header,
    Progress,
    RunLearner,
    TimeBudget,
    Watcher,
)
from .training.inputs import Inputs, columns_of, inputs_of
from .training.process import check_device, mixed_precision

FIRST_GAIN, LAST_GAIN = 2**0.5, 0.01  # of orthogonal weights
EXCLUDED = -1e8  # the logit of an illegal action: p and p log p are 0
TINY = 1e-8  # beside a deviation that may be 0
LAST_RATE = 0.1  # share of the learning rate that is left at the end
RECENT = 2000  # games behind the win rate of the progress
BOARD = "tensorboard"
GAMES, TORCH = "games/", "torch"  # arrays of a checkpoint beside those of the network


# --- the network ------------------------------------------------------------------------------------------------------


class Tower(nn.Module):
    """Two layers over the rest of the numbers and over each object; objects see the rest, the rest sees their mean.

    If the objects have relations, a layer over the rest, the means and the maxima gives what the later layers see,
    since an action is often worth what the best object is worth; and objects also see the sum of those they are related
    to (message passing: Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018).
    Returns the embedding of the rest, (n, widths[1]), and for each kind those of its objects, (n, objects, width). The
    first layers' weights include the scale, so that the numbers themselves needn't be divided.
    """

    def __init__(
        self, objects: Objects, begin: int, scale: npt.NDArray[np.float32], widths: Sequence[int], object_width: int
    ) -> None:
        super().__init__()
        first, second = widths
        self.begin, self.others = begin, len(objects.others)
        self.shapes = [kind.columns.shape for kind in objects.kinds]
        self.rest = nn.Linear(self.others, first)
        pooled = first + len(self.shapes) * object_width
        self.width = second + len(self.shapes) * object_width  # of both embeddings, objects' as means
        self.around = nn.Linear(pooled + len(self.shapes) * object_width, first) if objects.relations else None
        self.rest_again = nn.Linear(first if objects.relations else pooled, second)
        self.each, self.each_again, self.context = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        self.related = nn.ModuleList()
        self.relations = [relation.kinds for relation in objects.relations]
        for number, relation in enumerate(objects.relations):
            self.register_buffer(f"places_{number}", _places(objects, relation), persistent=False)
        self.register_buffer("scale", torch.as_tensor(1 / scale[objects.others]))
        for number, kind in enumerate(objects.kinds):
            self.register_buffer(f"scale_{number}", torch.as_tensor(1 / scale[kind.columns[0]]))
            self.each.append(nn.Linear(kind.columns.shape[1], object_width))
            self.each_again.append(nn.Linear(object_width, object_width, bias=False))
            self.context.append(nn.Linear(first, object_width))
        for _ in range(2 * len(self.relations)):
            self.related.append(nn.Linear(object_width, object_width, bias=False))
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, FIRST_GAIN)
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """See the class. inputs: (n, numbers) int8."""
        end = self.begin + self.others
        rest = self._first(inputs[:, self.begin : end], self.rest, self.scale)
        given, first = [], []
        for number, (count, features) in enumerate(self.shapes):
            given.append(inputs[:, end : end + count * features].view(len(inputs), count, features))
            end += count * features
            first.append(self._first(given[number], self.each[number], getattr(self, f"scale_{number}")))
        pooled = torch.cat([rest, *(each.mean(dim=1) for each in first)], dim=1)
        around = rest
        if self.around is not None:
            most = [each.amax(dim=1) for each in first]
            pooled = around = torch.relu(self.around(torch.cat([pooled, *most], dim=1)))
        second = [self.each_again[kind](each) + self.context[kind](around)[:, None] for kind, each in enumerate(first)]
        for number, (one, other) in enumerate(self.relations):
            holds = given[one][:, :, getattr(self, f"places_{number}")].float()
            second[one] = second[one] + self.related[2 * number](holds @ first[other])
            second[other] = second[other] + self.related[2 * number + 1](holds.transpose(1, 2) @ first[one])
        return torch.relu(self.rest_again(pooled)), [torch.relu(each) for each in second]

    def _first(self, seen: torch.Tensor, layer: Any, scale: Any) -> torch.Tensor:
        return torch.relu(nn.functional.linear(seen.float(), layer.weight * scale, layer.bias))


def _places(objects: Objects, relation: Relation) -> torch.Tensor:
    """Where the columns of a relation stand among the numbers of each object of its first kind."""
    columns = objects.kinds[relation.kinds[0]].columns[0]
    return torch.from_numpy(np.flatnonzero(np.isin(columns, relation.columns[0])))


class Network(nn.Module):
    """An actor and, unless it is left out, a critic and a head that predicts roles.

    `trust` is added to the logit of the advised action, so that training begins with an actor that mostly follows it
    (residual policy learning: Silver et al., "Residual policy learning", 2018). It isn't learnt: advice is better than
    the average deviation, so trust would grow first and end the exploration that finds better deviations (measured: the
    learner then ends as a copy of its adviser).

    num_actions: A; heads: columns of a one-hot piece of the vector, each of which has scores of objects of its own;
    num_roles: that the head predicts for each seat; 0: none.
    """

    def __init__(
        self,
        inputs: Inputs,
        num_actions: int,
        widths: Sequence[int],
        object_width: int,
        *,
        trust: float = 0.0,
        heads: Whole | None = None,
        critic: bool = True,
        num_roles: int = 0,
    ) -> None:
        super().__init__()
        self.inputs, actor = inputs, inputs.actor
        towers = [
            Tower(objects, begin, inputs.scale, widths, object_width)
            for objects, begin in zip((actor, inputs.critic) if critic else (actor,), inputs.begins)
        ]
        self.actor, self.critic = towers[0], towers[1] if critic else None
        end = len(columns_of(actor))
        self.advice = slice(end - len(actor.advice), end)
        self.firsts = [(kind.first, len(kind.columns)) for kind in actor.kinds]
        places = [] if heads is None else [int(np.flatnonzero(columns_of(actor) == column)[0]) for column in heads]
        self.heads: torch.Tensor
        self.register_buffer("heads", torch.tensor(places, dtype=torch.int64), persistent=False)
        self.plain = nn.Linear(widths[1], num_actions)
        self.named = nn.ModuleList(nn.Linear(object_width, max(1, len(places)), bias=False) for _ in actor.kinds)
        given = torch.full((num_actions,), trust)
        self.trust = nn.Parameter(given, requires_grad=False) if len(actor.advice) else None
        for layer in (self.plain, *self.named):
            nn.init.orthogonal_(layer.weight, LAST_GAIN)
        nn.init.zeros_(self.plain.bias)
        if critic:
            self.value = nn.Linear(towers[1].width, 1)
            nn.init.orthogonal_(self.value.weight, 1.0)
            nn.init.zeros_(self.value.bias)
        self.seats = next((number for number, kind in enumerate(actor.kinds) if kind.block == SEAT), -1)
        self.roles = nn.Linear(object_width, num_roles) if num_roles else None

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The logits of all actions, unmasked, (n, A). inputs: (n, numbers) int8, by `Inputs.columns`."""
        return self.logits(inputs, self.actor(inputs))

    def logits(self, inputs: torch.Tensor, embedding: tuple[torch.Tensor, list[torch.Tensor]]) -> torch.Tensor:
        """The same from the actor's embedding of these inputs."""
        rest, objects = embedding
        logits: torch.Tensor = self.plain(rest)
        which = inputs[:, None, self.heads] if len(self.heads) else None
        for (first, size), each, named in zip(self.firsts, objects, self.named):
            scores = named(each)[:, :, 0] if which is None else (named(each) * which).sum(dim=2)
            logits = logits + nn.functional.pad(scores, (first, logits.shape[1] - first - size))
        return logits if self.trust is None else logits + self.trust * inputs[:, self.advice]

    def values(self, inputs: torch.Tensor) -> torch.Tensor:
        """The critic's values, (n,)."""
        assert self.critic is not None
        rest, objects = self.critic(inputs)
        values: torch.Tensor = self.value(torch.cat([rest, *(each.mean(dim=1) for each in objects)], dim=1))
        return values[:, 0].float()

    def role_loss(self, embedding: tuple[torch.Tensor, list[torch.Tensor]], targets: torch.Tensor) -> torch.Tensor:
        """How far predictions of the other seats' roles are from the posteriors: mean divergence in nats, ().

        targets: (n, seats, roles) in percent, the learner first; 0 past the players.
        """
        assert self.roles is not None
        percents = targets[:, 1:].float()
        seated = percents.sum(dim=2, keepdim=True)
        aims = percents / seated.clamp(min=1)
        logs = torch.log_softmax(self.roles(embedding[1][self.seats])[:, 1:], dim=2)
        return (torch.xlogy(aims, aims) - aims * logs).sum() / (seated > 0).sum()

    def arrays(self) -> Arrays:
        """The actor by name, as policy files have it; the weights include the scales."""
        named = {name: value.detach().cpu().numpy().copy() for name, value in self.named_parameters()}
        kept = {name: array for name, array in named.items() if name.startswith("actor.")}
        scores = [name for name in named if name.startswith(("plain.", "named.", "trust"))]
        kept |= {f"scores.{name}": named[name] for name in scores}
        scale, objects = self.inputs.scale, self.inputs.actor
        kept["actor.rest.weight"] = kept["actor.rest.weight"] / scale[objects.others]
        for number, kind in enumerate(objects.kinds):
            name = f"actor.each.{number}.weight"
            kept[name] = kept[name] / scale[kind.columns[0]]
        return kept


# --- the rollout buffer -----------------------------------------------------------------------------------------------


class Minibatch(NamedTuple):
    """Some decisions of a rollout, on the network's device; the fields are those of `Rollout`."""

    inputs: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    targets: torch.Tensor


class Rollout:
    """Decisions, `width` at a time, and what each earned; inputs and masks stay bytes until the network gets them.

    A chain is one seat's decisions in one environment, one after another. With one learner an environment, chain i is
    environment i's; a learner in every seat has a chain for each, and a step adds to the chains of whoever acts.
    """

    def __init__(self, steps: int, width: int, shapes: Sequence[tuple[int, ...]], chains: int, device: str) -> None:
        size = steps * width
        self.steps, self.width, self.size, self.device = steps, width, size, torch.device(device)
        self.inputs, self.masks, self.targets = (
            torch.zeros((size, *shape), dtype=torch.int8, pin_memory=device == "cuda").numpy() for shape in shapes
        )
        self.actions, self.chain = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.log_probs, self.values, self.rewards, self.advantages = (np.zeros(size, np.float32) for _ in range(4))
        self.ended = np.zeros(size, np.bool_)
        self._latest = np.full(chains, -1)
        self.filled = 0

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """The value targets, (decisions,)."""
        return self.advantages + self.values

    def clear(self) -> None:
        """Forget all decisions."""
        self.filled, self._latest[:] = 0, -1

    def add(self, chains: Whole, **arrays: npt.NDArray[Any]) -> None:
        """Keep a decision of each of these chains, (width,), with its inputs, masks, actions and so on."""
        rows = slice(self.filled, self.filled + self.width)
        for name, array in arrays.items():
            getattr(self, name)[rows] = array
        self.chain[rows], self.rewards[rows], self.ended[rows] = chains, 0, False
        self._latest[chains] = np.arange(rows.start, rows.stop)
        self.filled = rows.stop

    def pay(self, chains: Whole, rewards: npt.NDArray[np.float32], ended: npt.NDArray[np.bool_]) -> None:
        """Add what these chains have earned since their latest decisions, and whether their games ended."""
        rows = self._latest[chains]
        self.rewards[rows] += rewards
        self.ended[rows] |= ended

    def finish(self, ahead: npt.NDArray[np.float32], gamma: float, gae_lambda: float) -> None:
        """Compute the advantages (Schulman et al., "High-dimensional continuous control using GAE", 2016).

        ahead: the value of each chain's next decision, (chains,).
        """
        ahead, later = ahead.copy(), np.zeros_like(ahead)
        for begin in range(self.size - self.width, -1, -self.width):
            rows = slice(begin, begin + self.width)
            chains, goes_on = self.chain[rows], gamma * ~self.ended[rows]
            errors = self.rewards[rows] + goes_on * ahead[chains] - self.values[rows]
            later[chains] = errors + gae_lambda * goes_on * later[chains]
            ahead[chains] = self.values[rows]
            self.advantages[rows] = later[chains]

    def minibatches(self, size: int, shuffler: np.random.Generator) -> Iterator[Minibatch]:
        """All decisions in random order, `size` at a time; the last may be smaller. They go to the device at once."""
        arrays = [torch.from_numpy(getattr(self, name)) for name in Minibatch._fields]
        sent = [array.to(self.device, non_blocking=True) for array in arrays]
        order = torch.from_numpy(shuffler.permutation(self.size)).to(self.device)
        for begin in range(0, self.size, size):
            yield Minibatch(*(array[order[begin : begin + size]] for array in sent))


# --- the learner ------------------------------------------------------------------------------------------------------


class Learner:
    """A network that learns in one seat of a config's games.

    `steps` counts the decisions collected, `updates` the epochs, `ended` the games that ended.

    Args:
        config: the settings.
        opponents: instead of the config's.

    Raises:
        OptionError: the config's device isn't there.
    """

    def __init__(self, config: TrainingConfig, opponents: Lineups | None = None) -> None:
        check_device(config.device)
        self.config, self.steps, self.updates, self.ended = config, 0, 0, 0
        game, secrets = config.known_game(), config.critic == "secrets"
        self.batch = LearnerBatch(
            *(game, config.num_envs),
            num_players=config.counts(),
            seed=config.seed,
            role=config.role,
            opponents=opponents or lineups(game, config.opponents),
            view=config.view,
            features=config.features,
            secrets=secrets,
            threads=config.threads,
            **config.options,
        )
        self.inputs = inputs_of(game, config.view, self.batch.features, secrets=secrets, pieces=config.pieces)
        self._columns = self.inputs.columns
        targets = self.targets().shape[1:] if config.listening else (0, 0)
        torch.manual_seed(config.seed)
        self.network = Network(
            *(self.inputs, game.actions.size, config.widths, config.object_width),
            trust=config.trust,
            num_roles=targets[1],
        ).to(config.device)
        learned = [each for each in self.network.parameters() if each.requires_grad]
        self.optimizer = torch.optim.Adam(learned, lr=config.learning_rate, eps=1e-5)
        self.shuffler = np.random.default_rng(config.seed)  # of minibatches
        self.generator = torch.Generator(config.device).manual_seed(config.seed)  # of actions
        self.recent: deque[bool] = deque(maxlen=RECENT)  # who won the games that ended lately
        self._shapes = [(len(self._columns),), (game.actions.size,), tuple(targets)]
        self._rollout: Rollout | None = None

    @property
    def packs(self) -> list[str]:
        """The hashes of the content packs in play."""
        return pack_hashes(self.batch.tables.batch.packs)

    def seen(self, name: str = "observation") -> Vector:
        """The network's inputs of these vectors of the batch.

        Args:
            name: the attribute of `batch` that holds the vectors, "observation" or "final_observation".

        Returns:
            (n, numbers) int8.
        """
        vectors: Vector = getattr(self.batch, name)
        return vectors.take(self._columns, axis=1)

    def targets(self) -> Vector:
        """The posteriors of the seats' roles, which a learner who listens predicts.

        Returns:
            (n, seats, roles) int8, in percent, the learner first; see `role_targets`.
        """
        return role_targets(self.batch.tables.batch, self.batch.seat)

    def collect(self, steps: int) -> Rollout:
        """Play `steps` decisions in each environment.

        Args:
            steps: how many.

        Returns:
            The decisions with their advantages. It is the same object every time; use it before the next call.
        """
        config, batch = self.config, self.batch
        chains = np.arange(config.num_envs)
        if self._rollout is None or self._rollout.steps != steps:
            self._rollout = Rollout(steps, config.num_envs, self._shapes, config.num_envs, config.device)
        rollout = self._rollout
        rollout.clear()
        for _ in range(steps):
            inputs = self.seen()
            made = self.act(inputs, batch.action_mask)
            targets = {"targets": self.targets()} if config.listening else {}
            rollout.add(chains, inputs=inputs, masks=batch.action_mask, **made, **targets)
            rewards = self.step(made["actions"])
            if batch.truncated.any():  # such a game earns what its last observation is worth
                rewards[batch.truncated] += config.gamma * self.values(self.seen("final_observation")[batch.truncated])
            ended = batch.terminated | batch.truncated
            rollout.pay(chains, rewards, ended)
            self.recent.extend((batch.reward[ended] > 0).tolist())
            self.ended += int(ended.sum())
            self.steps += config.num_envs
        rollout.finish(self.values(self.seen()), config.gamma, config.gae_lambda)
        return rollout

    def step(self, actions: Whole) -> npt.NDArray[np.float32]:
        """Play to the next decisions.

        Args:
            actions: the learner's, (n,) int64.

        Returns:
            What the learner earned, (n,) float32, with the rewards for its claims.
        """
        config, batch = self.config, self.batch
        tables, claims = batch.tables.batch, np.zeros(len(actions))
        if config.speaking:
            claims = tables.game.deduction.claim_rewards(tables, batch.seat, actions)
        batch.step(actions)
        return batch.reward + (config.speaking * claims).astype(np.float32)

    @torch.no_grad()
    def act(self, inputs: Vector, masks: Vector) -> dict[str, npt.NDArray[Any]]:
        """Draw actions from the policy.

        Args:
            inputs: (n, numbers) int8, as `seen` gives them.
            masks: (n, A) int8, 1 for legal actions.

        Returns:
            By name, (n,) each, "actions" int64, their "log_probs" float32, and "values" float32, the critic's.
        """
        sent = self._sent(inputs)
        with mixed_precision(self.config):
            logs, values = log_probabilities(self.network(sent), self._sent(masks)), self.network.values(sent)
        # Exponential race: the argmin of Exp(1) / p is distributed as p.
        actions = (logs - torch.empty_like(logs).exponential_(generator=self.generator).log()).argmax(dim=1)
        taken = logs.gather(1, actions[:, None])[:, 0]
        made = {"actions": actions, "log_probs": taken, "values": values}
        return {name: tensor.cpu().numpy() for name, tensor in made.items()}

    @torch.no_grad()
    def values(self, inputs: Vector) -> npt.NDArray[np.float32]:
        """The critic's values.

        Args:
            inputs: (n, numbers) int8, as `seen` gives them.

        Returns:
            (n,) float32.
        """
        with mixed_precision(self.config):
            values: npt.NDArray[np.float32] = self.network.values(self._sent(inputs)).cpu().numpy()
        return values

    def learn(self, steps: int, learning_rate: float) -> dict[str, float]:
        """Collect a rollout and learn from it; see `collect` and `update`."""
        return self.update(self.collect(steps), learning_rate)

    def games(self) -> Arrays:
        """The games in play, for a checkpoint."""
        return self.batch.get_state()

    def put_games(self, games: Arrays) -> None:
        """Go on with these games."""
        self.batch.set_state(games)

    def update(self, rollout: Rollout, learning_rate: float) -> dict[str, float]:
        """Learn from a rollout, `n_epochs` times.

        Args:
            rollout: the decisions, as `collect` returns them.
            learning_rate: Adam's.

        Returns:
            Figures for a log by name: the means of those of `loss` over all minibatches, "explained_variance" and
            "learning_rate".
        """
        self.optimizer.param_groups[0]["lr"] = learning_rate
        figures: list[dict[str, torch.Tensor]] = []
        for _ in range(self.config.n_epochs):
            for batch in rollout.minibatches(self.config.batch_size, self.shuffler):
                with mixed_precision(self.config):
                    loss, found = self.loss(batch)
                self.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm)
                self.optimizer.step()
                figures.append(found)
            self.updates += 1
        means = {name: torch.stack([found[name] for found in figures]).mean().item() for name in figures[0]}
        unexplained = np.var(rollout.returns - rollout.values) / max(np.var(rollout.returns), TINY)
        return {**means, "explained_variance": 1 - float(unexplained), "learning_rate": learning_rate}

    def loss(self, batch: Minibatch) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The loss of a minibatch: PPO's clipped objective, the critic's squared error, an entropy bonus.

        A learner that listens also has the loss of predicting the others' roles. Advantages are normalized in each
        minibatch.

        Args:
            batch: some decisions of a rollout.

        Returns:
            The loss, (), and by name what else it measures, () each.
        """
        config, network = self.config, self.network
        embedding = network.actor(batch.inputs)
        logs = log_probabilities(network.logits(batch.inputs, embedding), batch.masks)
        moved = logs.gather(1, batch.actions[:, None])[:, 0] - batch.log_probs
        ratio = moved.exp()
        advantages = batch.advantages
        if len(advantages) > 1:  # of one there is no deviation
            advantages = (advantages - advantages.mean()) / (advantages.std() + TINY)
        clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        policy_loss = -torch.minimum(advantages * ratio, advantages * clipped).mean()
        value_loss = (network.values(batch.inputs) - batch.returns).square().mean()
        entropy = -(torch.softmax(logs, dim=1) * logs).sum(dim=1).mean()
        loss = policy_loss + config.vf_coef * value_loss - config.ent_coef * entropy
        figures = {"policy_gradient_loss": policy_loss, "value_loss": value_loss, "entropy_loss": -entropy}
        if config.listening:
            figures["listening"] = network.role_loss(embedding, batch.targets)
            loss = loss + config.listening * figures["listening"]
        figures["approx_kl"] = (ratio - 1 - moved).mean()
        figures["clip_fraction"] = ((ratio - 1).abs() > config.clip_range).float().mean()
        return loss, {name: value.detach() for name, value in {**figures, "loss": loss}.items()}

    def save_policy(self, path: Path) -> None:
        """Write the actor as a policy file.

        Args:
            path: the file.

        Raises:
            WriteError: the file can't be written.
        """
        about = f"trained for {self.config.role or 'every role'}"
        save_network(path, self.config, self.network.arrays(), about, self.packs, self.steps)

    def _sent(self, array: Vector) -> torch.Tensor:
        return torch.from_numpy(array).to(self.config.device)


def log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Log probabilities of the legal actions, (n, A); masks: 0 for the others."""
    return torch.log_softmax(logits.float().masked_fill(masks == 0, EXCLUDED), dim=1)


# --- a run in a folder ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunHeader(Header):
    """The header of a run's checkpoint."""

    updates: Count
    shuffler: dict[str, Any]


class Training(FolderRun[TrainingConfig]):
    """A run in a folder; see `FolderRun`.

    Args:
        folder: the folder, which keeps the config, the checkpoint and the policy.
        config: of a new run, or of the one there, which is resumed; None: resume the one there.

    Raises:
        OptionError: the folder holds another run, its checkpoint can't be read or is of another game, version, pack or
            config, the config's `start` isn't of this network, or its device isn't there; nothing is changed.
    """

    def __init__(self, folder: Path, config: TrainingConfig | None) -> None:
        super().__init__(folder, config, TrainingConfig)
        self.learner = self._made()
        if (folder / CHECKPOINT).exists():
            self._resume()
        elif self.config.start:
            put_weights(Path(self.config.start) / CHECKPOINT, self.learner.network)

    def _made(self) -> RunLearner:
        return Learner(self.config, self.opponents)

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        return self.learner.steps

    @property
    def is_finished(self) -> bool:
        """Whether all decisions have been learned from."""
        return self.steps >= self.config.steps

    @property
    def where(self) -> str:
        """Its progress, as text."""
        return f"after {self.steps:,} decisions"

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Train to the end, or until `budget` is spent, which ends the run at a checkpoint after a whole rollout.

        Args:
            watch: called with the progress at the beginning and after each rollout.
            budget: the wall-clock time to train for; by default no limit.

        Raises:
            OptionError: another process holds the folder, or it can't be written.
        """
        with self._opened(), closing(EventWriter(self.folder / BOARD)) as events:
            self._run(watch, budget, events)

    def _run(self, watch: Watcher, budget: TimeBudget, events: EventWriter) -> None:
        if not self.curve:
            self._evaluate(events)
        is_last = self.is_finished
        watch(self._progress())
        while not is_last:
            before = self.steps
            self._log(events, self._learn())
            is_last = self.is_finished or budget.is_spent()
            is_due = self.is_finished or self._passed(before, self.config.evaluate_every)
            if is_due:
                self._evaluate(events)
            if not is_last and self._passed(before, self.config.checkpoint_every):
                self.keep()
            watch(self._progress())
        self.keep()

    def _progress(self) -> Progress:
        speed = self.steps / max(self.seconds, TINY)
        won = f"won {100 * self._won():.1f} %, " if self.learner.recent else ""
        what = f"{won}{speed:,.0f} decisions/s" if self.steps else "training"
        return Progress(what, self.steps, self.config.steps_played)

    def _learn(self) -> dict[str, float]:
        """Collect a rollout and learn from it. Returns figures for the log."""
        with self._timed():
            left = max(1 - (self.steps + self.config.rollout) / self.config.steps, LAST_RATE)
            return self.learner.learn(self.config.rollout_steps, self.config.learning_rate * left)

    def _won(self) -> float:
        """The share of recent games won; NaN before any ended."""
        return float(np.mean(self.learner.recent)) if self.learner.recent else float("nan")

    def _passed(self, before: int, every: int) -> bool:
        """Whether the last rollout passed a multiple of `every`, wherever the run was resumed."""
        return self.steps // every > before // every

    def _log(self, events: EventWriter, figures: Mapping[str, float]) -> None:
        rows = [(name if "/" in name else f"train/{name}", value) for name, value in figures.items()]
        won = [("rollout/won", self._won())] if self.learner.recent else []
        events.scalars([*rows, *won], self.steps)

    def _evaluate(self, events: EventWriter) -> None:
        """Play the common deals and add the result to the curve; None where no deals are played."""
        if self.config.evaluation_games:
            self.learner.save_policy(self.folder / POLICY)
        result = self._measure(self.steps)
        if result is not None:
            rows = [("evaluation/won", result.learner.value), ("evaluation/gain", result.gain.value)]
            events.scalars(rows, self.steps)

    def keep(self) -> None:
        """Write the checkpoint, the policy and the curve."""
        learner = self.learner
        games = {f"{GAMES}{name}": array for name, array in learner.games().items()}
        self._save(
            *(learner.packs, self.steps, learner.network, [learner.optimizer]),
            {**games, TORCH: learner.generator.get_state().numpy()},
            updates=learner.updates,
            shuffler=learner.shuffler.bit_generator.state,
        )
        learner.save_policy(self.folder / POLICY)

    def _resume(self) -> None:
        learner = self.learner
        names = [f"{GAMES}{name}" for name in learner.games()]
        given = (RunHeader, learner.packs, learner.network, [learner.optimizer], [*names, TORCH])
        with read_as(self.folder / CHECKPOINT, "checkpoint of this run"):
            known, arrays = self._restore(*given)
            learner.put_games({name.removeprefix(GAMES): arrays[name] for name in names})
            learner.generator.set_state(torch.from_numpy(arrays[TORCH]))
            learner.shuffler.bit_generator.state = known.shuffler
        learner.steps, learner.updates = known.steps, known.updates
