"""Self-play in one file: one network plays every seat and learns from every decision. Copy the file and change it.

    config = build_training({"seats": "all", "players": [7]}, "my script")
    learner = SelfPlay(config)
    while learner.steps < config.steps:
        figures = learner.update(learner.collect(config.rollout_steps), config.learning_rate)
    learner.save_policy(Path("policy.npz"))

A critic sees the full state and says which side wins; it isn't saved with the policy. All legal actions are valued,
not only the one taken: each is taken in a copy of the game, and the critic judges the state after it (expected SARSA).
What happens next corrects the value of the action taken, so the critic's errors don't stay (doubly robust: Jiang and
Li, "Doubly robust off-policy value evaluation for reinforcement learning", 2016). The policy moves to the one that
gains most, less its divergence from itself and from the uniform policy, so it can't collapse below a temperature
(magnetic mirror descent: Sokota and others, "A unified approach to reinforcement learning, quantal response equilibria,
and two-player zero-sum games", 2023).
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from riverbed_env.core.batch import Afterstates, Batch
from riverbed_env.core.files import Arrays
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hashes
from riverbed_env.core.state_features import StateFeatures
from riverbed_env.kernels.compile import Numbers, Vector, Whole
from riverbed_env.players.action_entities import head_columns
from riverbed_env.players.features import find_feature_sets, find_state_features
from riverbed_env.small import SmallBatch, find_small

from .ppo import TINY, Network, Training, log_probabilities
from .training.checkpoint import save_network
from .training.config import ALL_SEATS, QUESTION, SAMPLED, TrainingConfig
from .training.inputs import inputs_of
from .training.opponents import Opponents
from .training.process import check_device, mixed_precision

CRITIC_WIDTHS = 48, 128  # of a seat, and of the table
FIRST_GAIN, LAST_GAIN = 2**0.5, 0.01  # of orthogonal weights
FIRST_SCALE, LEAST_SCALE, SCALE_RATE = 0.03, 1e-3, 0.05  # of advantages: at first, at least, how fast it follows
LARGEST_ADVANTAGE = 6.0  # in units of that scale
LARGEST_WEIGHT = 4.0  # of a correction, whose action had probability p: 1 / p, at most this
PLAYED_AT = 0.1  # temperature at which a saved policy plays: nearly its likeliest action


# --- networks ---------------------------------------------------------------------------------------------------------


class Critic(nn.Module):
    """Which side wins, from the full state; seats share weights, and a side is the sum of its seats.

    After Zaheer and others, "Deep sets" (2017). sides: how many.
    """

    def __init__(self, state: StateFeatures, sides: int) -> None:
        super().__init__()
        seats, rest = state.columns()
        self.shape, (width, table) = seats.shape, CRITIC_WIDTHS
        self.seat_scale: torch.Tensor
        self.rest_scale: torch.Tensor
        self.register_buffer("seat_scale", torch.from_numpy(1 / state.scale()[seats[0]]), persistent=False)
        self.register_buffer("rest_scale", torch.from_numpy(1 / state.scale()[rest]), persistent=False)
        self.each, self.each_again = nn.Linear(seats.shape[1], width), nn.Linear(width, width)
        self.table, self.both = nn.Linear(len(rest), table), nn.Linear(table + (sides + 1) * width, table)
        self.out = nn.Linear(table, sides)
        for layer in (self.each, self.each_again, self.table, self.both, self.out):
            nn.init.orthogonal_(layer.weight, LAST_GAIN if layer is self.out else FIRST_GAIN)
            nn.init.zeros_(layer.bias)

    def forward(self, states: torch.Tensor, groups: torch.Tensor) -> torch.Tensor:
        """Logits of the sides, (n, sides).

        states: (n, S) int8, seat after seat, then the rest; groups: (n, sides + 1, seats), see `Sides.groups`.
        """
        split, (seats, numbers) = self.shape[0] * self.shape[1], (groups.shape[2], self.shape[1])
        each = states[:, : seats * numbers].view(-1, seats, numbers).float()
        each = torch.relu(nn.functional.linear(each, self.each.weight * self.seat_scale, self.each.bias))
        each = torch.relu(self.each_again(each))
        rest = nn.functional.linear(states[:, split:].float(), self.table.weight * self.rest_scale, self.table.bias)
        sums = (groups.float() @ each).flatten(1)
        logits: torch.Tensor = self.out(torch.relu(self.both(torch.cat([torch.relu(rest), sums], dim=1))))
        return logits.float()


class Networks(nn.Module):
    """The policy, the critic, and the scale of advantages by the question asked."""

    def __init__(self, policy: Network, critic: Critic, questions: int) -> None:
        super().__init__()
        self.policy, self.critic = policy, critic
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.full((questions,), FIRST_SCALE))


class Sides:
    """Who wins together: the camps of a game with several roles, else each seat; last nobody, where all may lose."""

    def __init__(self, game: Game) -> None:
        self.game, self.by_camp = game, len(game.roles) > 1
        self.count = len(game.camps) if self.by_camp else game.max_players + 1

    def of(self, roles: Vector) -> Whole:
        """Each seat's side, -1 for empty seats, (n, seats). roles: as `Batch.roles` gives them."""
        return self.game.camps_of(roles) if self.by_camp else np.where(roles >= 0, np.arange(roles.shape[1]), -1)

    def groups(self, sides: Whole, seat: Whole) -> Vector:
        """The seats of each side, and the one that chooses, (n, sides + 1, seats) of 0 and 1."""
        of_sides = sides[:, None, :] == np.arange(self.count)[:, None]
        chooses = seat[:, None, None] == np.arange(sides.shape[1])
        return np.concatenate([of_sides, chooses], axis=1).astype(np.int8)

    def won(self, sides: Whole, returns: Numbers) -> Numbers:
        """Each side's share of the win, (n, sides); equal shares of a draw. returns: (n, seats)."""
        won = (returns > 0)[:, None, :] & (sides[:, None, :] == np.arange(self.count)[:, None])
        shares = won.any(axis=2).astype(np.float32)
        if not self.by_camp:  # as in a game that all win or lose together
            shares[~shares.any(axis=1) & (returns < 0).any(axis=1), -1] = 1
        shares[~shares.any(axis=1)] = 1
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


# --- decisions --------------------------------------------------------------------------------------------------------


@dataclass
class Decisions:
    """Decisions of all seats, (steps, environments), what each legal action was worth, and who won.

    learns: whether the policy chose, not an opponent; values: of all actions that it had, the chance that the chooser's
    side wins; wins: each side's share, where the game ended.
    `finish` adds what follows from all of them: `returns`, each side's, and `advantages` of all actions.
    """

    inputs: Vector
    masks: Vector
    states: Vector
    groups: Vector
    sides: Whole
    questions: Whole
    learns: npt.NDArray[np.bool_]
    actions: Whole
    logs: Numbers
    values: Numbers
    ended: npt.NDArray[np.bool_]
    wins: Numbers
    returns: Numbers = field(init=False)
    advantages: Numbers = field(init=False)

    @classmethod
    def empty(
        cls, steps: int, envs: int, *, numbers: int, actions: int, state: int, sides: int, seats: int
    ) -> "Decisions":
        """Room for so many decisions."""
        each, of_actions = (steps, envs), (steps, envs, actions)
        return cls(
            inputs=np.zeros((*each, numbers), np.int8),
            masks=np.zeros(of_actions, np.int8),
            states=np.zeros((*each, state), np.int8),
            groups=np.zeros((*each, sides + 1, seats), np.int8),
            sides=np.zeros(each, np.int64),
            questions=np.zeros(each, np.int64),
            learns=np.ones(each, np.bool_),
            actions=np.zeros(each, np.int64),
            logs=np.zeros(of_actions, np.float32),
            values=np.zeros(of_actions, np.float32),
            ended=np.zeros(each, np.bool_),
            wins=np.zeros((*each, sides), np.float32),
        )

    def put(self, step: int, **arrays: npt.NDArray[Any]) -> None:
        """Fill in what is known of a step."""
        for name, array in arrays.items():
            getattr(self, name)[step] = array

    @property
    def chosen(self) -> npt.NDArray[np.bool_]:
        """Where a seat that learns had more than one legal action."""
        return np.asarray(self.learns & (self.masks.sum(axis=2) > 1))

    @property
    def probabilities(self) -> Numbers:
        """The policy's, 0 for illegal actions."""
        return np.asarray(np.exp(self.logs) * self.masks)

    def finish(self, chances: Numbers, lam: float, sampled: bool) -> None:
        """Compute returns and advantages. chances: the critic's, of each step and after the last; lam: of TD(λ).

        An unfinished game's return is what the critic makes of its last state. sampled: only the action taken has an
        advantage, its return less the critic's value.
        """
        ahead = chances[-1]
        following = np.zeros_like(self.wins)
        self.returns = np.zeros_like(self.wins)
        for step in range(len(self.ended) - 1, -1, -1):
            following[step] = np.where(self.ended[step][:, None], self.wins[step], ahead)
            self.returns[step] = following[step]
            ahead = (1 - lam) * chances[step] + lam * following[step]
        mine, taken = self.sides[:, :, None], self.actions[:, :, None]
        reached = np.take_along_axis(following, mine, axis=2)
        if sampled:
            before = np.take_along_axis(chances[:-1], mine, axis=2)
            self.advantages = np.zeros_like(self.values)
            np.put_along_axis(self.advantages, taken, (reached - before) * self.chosen[:, :, None], axis=2)
            return
        means = (self.probabilities * self.values).sum(axis=2, keepdims=True)
        self.advantages = (self.values - means) * self.masks
        likely = np.take_along_axis(self.probabilities, taken, axis=2)
        weight = np.minimum(1 / np.maximum(likely, TINY), LARGEST_WEIGHT) * self.chosen[:, :, None]
        errors = weight * (reached - np.take_along_axis(self.values, taken, axis=2))
        own = np.take_along_axis(self.advantages, taken, axis=2)
        np.put_along_axis(self.advantages, taken, own + errors, axis=2)


# --- the learner ------------------------------------------------------------------------------------------------------


class SelfPlay:
    """A network that plays all seats of a config's games and learns from all their decisions.

    `steps` counts the decisions, `updates` the passes over them, `ended` the games that ended; `last_habits` are those
    of the last rollout. `recent` is empty: no seat's wins are counted.

    Args:
        config: the settings, with seats="all".

    Raises:
        OptionError: the config's device isn't there.
    """

    recent: Sequence[bool] = ()

    def __init__(self, config: TrainingConfig) -> None:
        check_device(config.device)
        self.config, self.steps, self.updates, self.ended = config, 0, 0, 0
        game = self.game = config.known_game()
        how: dict[str, Any] = {"seed": config.seed, "view": config.view, "threads": config.threads}
        how["features"] = find_feature_sets(config.features, game)
        if config.small:
            self.batch: Batch = SmallBatch(find_small(config.small), config.num_envs, **how)
        else:
            self.batch = Batch(game, config.num_envs, num_players=config.counts(), **how, **config.options)
        self.opponents = Opponents(config, self.batch)
        self.state, self.sides = find_state_features(game), Sides(game)
        inputs = inputs_of(game, config.view, self.batch.features, secrets=False, pieces=config.pieces, related=True)
        self.question = game.observation.slices.get(QUESTION, slice(0, 0))
        self.heads = QUESTION if self.question.stop and QUESTION in (config.pieces or game.observation.slices) else ""
        heads = head_columns(game, config.view, self.heads)
        torch.manual_seed(config.seed)
        policy = Network(inputs, game.actions.size, config.widths, config.object_width, heads=heads, critic=False)
        questions = max(1, self.question.stop - self.question.start)
        self.network = Networks(policy, Critic(self.state, self.sides.count), questions).to(config.device)
        self.optimizer = torch.optim.Adam(
            [each for each in self.network.parameters() if each.requires_grad], lr=config.learning_rate, eps=1e-5
        )
        self.shuffler = np.random.default_rng(config.seed)  # of minibatches
        self.generator = torch.Generator(config.device).manual_seed(config.seed)  # of actions
        self._columns = inputs.columns
        self._of_critic = np.concatenate([columns.ravel() for columns in self.state.columns()])
        self._rollout: Decisions | None = None
        self.last_habits: dict[str, float] = {}
        self._remembered = deepcopy(self.network.policy)

    @property
    def packs(self) -> list[str]:
        """The hashes of the content packs in play."""
        return pack_hashes(self.batch.packs)

    def seen(self, indices: Whole) -> Vector:
        """The network's inputs of the seats that choose in these environments, (indices, numbers) int8."""
        batch = self.batch
        rows = batch.observation[indices]
        whole = (rows, batch.action_mask[indices]) if self.config.view == "history" else None
        derived = batch.features_of(batch.seat[indices], indices, whole)  # features are of the whole observation
        return np.concatenate([rows, derived], axis=1).take(self._columns, axis=1)

    def collect(self, steps: int) -> Decisions:
        """Play `steps` decisions in each environment, and value their actions.

        Args:
            steps: how many.

        Returns:
            The decisions with their advantages. It is the same object every time; use it before the next call.
        """
        config, batch = self.config, self.batch
        if self._rollout is None or len(self._rollout.ended) != steps:
            sizes = {"numbers": len(self._columns), "actions": self.game.actions.size, "state": self.state.pieces.size}
            self._rollout = Decisions.empty(
                steps, config.num_envs, sides=self.sides.count, seats=batch.num_players, **sizes
            )
        rollout = self._rollout
        for step in range(steps):
            sides = self._choose(rollout, step)
            batch.step(rollout.actions[step])
            rollout.ended[step], rollout.wins[step] = batch.done, 0
            rollout.wins[step][batch.done] = self.sides.won(sides[batch.done], batch.returns[batch.done])
            self.opponents.seat(np.flatnonzero(batch.done))
            self.steps += config.num_envs
            self.ended += int(batch.done.sum())
        states = np.concatenate([rollout.states, self._states()[None]])
        sides = self.sides.of(batch.roles())
        groups = np.concatenate([rollout.groups, self.sides.groups(sides, batch.seat)[None]])
        chances = self.chances(states.reshape(-1, states.shape[2]), groups.reshape(-1, *groups.shape[2:]))
        rollout.finish(chances.reshape(*states.shape[:2], -1), config.gae_lambda, config.advantages == SAMPLED)
        return rollout

    def _choose(self, rollout: Decisions, step: int) -> Whole:
        """Draw the actions of a step, and value the legal ones unless advantages are sampled; returns the sides."""
        batch, here, learns = self.batch, np.arange(self.batch.num_envs), self.opponents.learning()
        own, masks = np.flatnonzero(learns), batch.action_mask.copy()
        rollout.inputs[step][own] = inputs = self.seen(own)
        rollout.actions[step][own], rollout.logs[step][own] = self.act(inputs, masks[own])
        self.opponents.answer(learns, rollout.actions[step])
        sides = self.sides.of(batch.roles())
        mine = sides[here, batch.seat]
        values = np.zeros(masks.shape, np.float32)
        if self.config.advantages != SAMPLED:
            envs, tried = np.nonzero(masks * (learns & (masks.sum(axis=1) > 1))[:, None])
            values[envs, tried] = self._worths(envs, batch.afterstates(envs, tried), sides[envs], mine[envs])
        questions = batch.observation[:, self.question]
        rollout.put(
            step,
            masks=masks,
            states=self._states(),
            groups=self.sides.groups(sides, batch.seat),
            sides=mine,
            questions=questions.argmax(axis=1) if questions.shape[1] else np.zeros_like(mine),
            learns=learns,
            values=values,
        )
        return sides

    def _states(self) -> Vector:
        return self._read(self.batch.games, self.batch.which)

    def _read(self, games: npt.NDArray[np.void], which: Whole) -> Vector:
        """What the critic is given of full states, (n, S) int8. which: the number of each game's params."""
        written = self.state.of(games, self.batch.params, which, self.batch.threads)
        return written.take(self._of_critic, axis=1)

    def _worths(self, envs: Whole, after: Afterstates, sides: Whole, mine: Whole) -> Numbers:
        """The chance that the chooser's side wins after each action, (m,); sides: (m, seats); mine: (m,)."""
        chances = self.chances(self._read(after.games, self.batch.which[envs]), self.sides.groups(sides, after.seat))
        over = after.ended != 0
        chances[over] = self.sides.won(sides[over], after.returns[over])
        return chances[np.arange(len(mine)), mine]

    @torch.no_grad()
    def act(self, inputs: Vector, masks: Vector) -> tuple[Whole, Numbers]:
        """Draw actions from the policy.

        Args:
            inputs: (n, numbers) int8, as `seen` gives them.
            masks: (n, A) int8, 1 for legal actions.

        Returns:
            The actions, (n,) int64, and the log probabilities of all, (n, A) float32, far below 0 for illegal ones.
        """
        with mixed_precision(self.config):
            logs = log_probabilities(self.network.policy(self._sent(inputs)), self._sent(masks))
        # Exponential race: the argmin of Exp(1) / p is distributed as p.
        actions = (logs - torch.empty_like(logs).exponential_(generator=self.generator).log()).argmax(dim=1)
        return actions.cpu().numpy(), logs.cpu().numpy()

    @torch.no_grad()
    def chances(self, states: Vector, groups: Vector) -> Numbers:
        """The critic's chance of each side.

        Args:
            states: (n, S) int8, seat after seat, then the rest.
            groups: (n, sides + 1, seats) int8, see `Sides.groups`.

        Returns:
            (n, sides) float32.
        """
        with mixed_precision(self.config):
            chances = torch.softmax(self.network.critic(self._sent(states), self._sent(groups)), dim=1)
        return np.asarray(chances.cpu().numpy())

    def learn(self, steps: int, learning_rate: float) -> dict[str, float]:
        """Collect a rollout and learn from it; see `collect` and `update`."""
        return self.update(self.collect(steps), learning_rate)

    def games(self) -> Arrays:
        """The games in play, for a checkpoint."""
        records = self.batch.get_state().view(np.uint8).reshape(self.batch.num_envs, -1)
        return {"games": records, **self.opponents.get_state()}

    def put_games(self, games: Arrays) -> None:
        """Go on with these games."""
        self.batch.set_state(np.ascontiguousarray(games["games"]).reshape(-1).view(self.game.dtype))
        self.opponents.set_state(games)

    def update(self, rollout: Decisions, learning_rate: float) -> dict[str, float]:
        """Learn from decisions, `n_epochs` times.

        Args:
            rollout: the decisions, as `collect` returns them.
            learning_rate: Adam's.

        Returns:
            Figures for a log by name: means of what `loss` measures, and habits of play.
        """
        config = self.config
        self.optimizer.param_groups[0]["lr"] = learning_rate
        flat = {
            name: torch.from_numpy(getattr(rollout, name)).flatten(0, 1).to(config.device)
            for name in ("inputs", "masks", "states", "groups", "returns", "logs", "actions", "advantages", "chosen")
        }
        if config.advantages != SAMPLED:
            flat["aims"] = torch.from_numpy(self.aims(rollout)).flatten(0, 1).to(config.device)
        figures: list[dict[str, torch.Tensor]] = []
        for _ in range(config.n_epochs):
            order = torch.from_numpy(self.shuffler.permutation(len(flat["masks"]))).to(config.device)
            for begin in range(0, len(order), config.batch_size):
                part = order[begin : begin + config.batch_size]
                with mixed_precision(config):
                    loss, found = self.loss({name: tensor[part] for name, tensor in flat.items()})
                self.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.network.policy.parameters(), config.max_grad_norm)
                nn.utils.clip_grad_norm_(self.network.critic.parameters(), config.max_grad_norm)
                self.optimizer.step()
                figures.append(found)
            self.updates += 1
        means = {name: torch.stack([found[name] for found in figures]).mean().item() for name in figures[0]}
        self.last_habits = self.habits(rollout)
        return {**means, "learning_rate": learning_rate, **self.last_habits}

    def aims(self, rollout: Decisions) -> Numbers:
        """The policy that a rollout's decisions are moved to, (steps, environments, actions).

        It is proportional to exp((log p + s A) / (1 + s t)), with the policy p, the step size s, and a temperature t
        that falls over the run. The advantages A are in units of the values' deviation at the question asked.
        """
        config, scale = self.config, self.network.scale.cpu().numpy()
        means = (rollout.probabilities * rollout.values).sum(axis=2, keepdims=True)
        squares = (rollout.probabilities * (rollout.values - means) ** 2).sum(axis=2)
        for question in np.unique(rollout.questions[rollout.chosen]):
            size = np.sqrt(squares[rollout.chosen & (rollout.questions == question)].mean())
            scale[question] += SCALE_RATE * (size - scale[question])
        self.network.scale.copy_(torch.from_numpy(scale))
        units = np.maximum(scale, LEAST_SCALE)[rollout.questions][:, :, None]
        advantages = np.clip(rollout.advantages / units, -LARGEST_ADVANTAGE, LARGEST_ADVANTAGE)
        first, last = config.temperature
        temperature = first * (last / first) ** min(1.0, self.steps / config.steps)
        logits = (rollout.logs + config.step_size * advantages) / (1 + config.step_size * temperature)
        logits = np.where(rollout.masks == 1, logits, -np.inf)
        weights = (
            np.exp(logits - np.where(rollout.masks == 1, logits, -np.inf).max(axis=2, keepdims=True)) * rollout.masks
        )
        return np.asarray(weights / weights.sum(axis=2, keepdims=True), np.float32)

    def loss(self, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The loss of a minibatch: the policy's divergence from its aims, and the critic's from the returns.

        With sampled advantages the policy's is PPO's clipped objective with an entropy bonus instead.

        Args:
            batch: some decisions by field of `Decisions`, and their "aims" unless advantages are sampled.

        Returns:
            The loss, (), and by name what else it measures, () each.
        """
        logits = self.network.critic(batch["states"], batch["groups"])
        value_loss = -(batch["returns"] * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()
        loss, figures = value_loss, {"value_loss": value_loss}
        if self.steps > min(self.config.warm_up, self.config.steps // 10):
            chosen = {name: tensor[batch["chosen"]] for name, tensor in batch.items()}
            count = max(1, len(chosen["masks"]))
            logs = log_probabilities(self.network.policy(chosen["inputs"]), chosen["masks"])
            entropy = -(logs.exp() * logs).sum() / count
            if self.config.advantages == SAMPLED:
                policy_loss = self._clipped(chosen, logs).sum() / count - self.config.ent_coef * entropy
            else:
                aims = chosen["aims"]
                policy_loss = (torch.xlogy(aims, aims) - aims * logs).sum() / count
            loss = loss + policy_loss
            figures |= {"policy_loss": policy_loss, "entropy": entropy}
        return loss, {name: value.detach() for name, value in figures.items()}

    def _clipped(self, batch: dict[str, torch.Tensor], logs: torch.Tensor) -> torch.Tensor:
        """PPO's clipped objective of the actions taken, (n,); advantages in units of their deviation."""
        taken = batch["actions"][:, None]
        advantages = batch["advantages"].gather(1, taken)[:, 0]
        if len(advantages) > 1:  # of one there is no deviation
            advantages = (advantages - advantages.mean()) / (advantages.std() + TINY)
        ratio = (logs - batch["logs"]).gather(1, taken)[:, 0].exp()
        clipped = ratio.clamp(1 - self.config.clip_range, 1 + self.config.clip_range)
        return -torch.minimum(advantages * ratio, advantages * clipped)

    def remember(self) -> None:
        """Compare the habits of later rollouts with the policy as it is now."""
        self._remembered.load_state_dict(self.network.policy.state_dict())

    def habits(self, rollout: Decisions) -> dict[str, float]:
        """How the seats play: decisions a game, how often each kind of action is taken where it is legal, and more.

        "habits/regret" is what the best action would gain over the one taken, "habits/gain" what that one gains over
        the mean of the legal ones, in points by the critic. "habits/agreement" is the share of decisions, of the
        rollout's last step, in which the remembered policy likes the same action best.
        """
        found = {"habits/decisions": rollout.ended.size / max(1, int(rollout.ended.sum()))}
        last = rollout.chosen[-1]
        if last.any():
            with torch.no_grad():
                logits = self._remembered(self._sent(rollout.inputs[-1][last]))
            earlier = log_probabilities(logits, self._sent(rollout.masks[-1][last])).argmax(dim=1).cpu().numpy()
            found["habits/agreement"] = float((earlier == rollout.logs[-1][last].argmax(axis=1)).mean())
        for block in self.game.actions.blocks:
            begin = self.game.actions.starts[block.name]
            legal = rollout.masks[:, :, begin : begin + block.size].any(axis=2) & rollout.chosen
            if legal.any():
                taken = (rollout.actions >= begin) & (rollout.actions < begin + block.size)
                found[f"habits/{block.name.lower()}"] = float(taken[legal].mean())
        if self.config.advantages != SAMPLED:
            allowed, values = rollout.masks[rollout.chosen] == 1, rollout.values[rollout.chosen]
            own = np.take_along_axis(values, rollout.actions[rollout.chosen][:, None], axis=1)[:, 0]
            best = np.where(allowed, values, -np.inf).max(axis=1)
            mean = (values * allowed).sum(axis=1) / allowed.sum(axis=1)
            found["habits/gain"] = float(100 * (own - mean).mean())
            found["habits/regret"] = float(100 * (best - own).mean())
        return found

    def save_policy(self, path: Path) -> None:
        """Write the policy as a policy file, which plays nearly its likeliest action; of small games as it is.

        Args:
            path: the file.

        Raises:
            WriteError: the file can't be written.
        """
        arrays, played_at = self.network.policy.arrays(), np.float32(1 if self.config.small else PLAYED_AT)
        sharper = {name: array / played_at for name, array in arrays.items() if name.startswith("scores.")}
        role = self.config.role or "every role"
        about = "learned by self-play" if self.config.seats == ALL_SEATS else f"trained for {role}"
        played, kept = {**arrays, **sharper}, {"habits": self.last_habits}
        save_network(path, self.config, played, about, self.packs, self.steps, heads=self.heads, more=kept)

    def _sent(self, array: Vector) -> torch.Tensor:
        return torch.from_numpy(array).to(self.config.device)


# --- a run in a folder ------------------------------------------------------------------------------------------------


class SelfPlayTraining(Training):
    """A run of self-play in a folder; see `Training`."""

    learner: SelfPlay

    def __init__(self, folder: Path, config: TrainingConfig | None) -> None:
        super().__init__(folder, config)
        self.learner.remember()

    def _made(self) -> SelfPlay:
        return SelfPlay(self.config)

    def keep(self) -> None:
        """See `Training.keep`. Later habits are compared with this policy."""
        super().keep()
        self.learner.remember()


def training_in(folder: Path, config: TrainingConfig | None) -> Training:
    """A run in a folder, of one seat or of all, as its settings say.

    Args:
        folder: the folder.
        config: of a new run, or of the one there, which is resumed; None: resume the one there.

    Returns:
        The run.

    Raises:
        OptionError: the folder holds another run, or none to resume; see `Training`.
    """
    known = TrainingConfig.in_folder(folder, config)
    return (SelfPlayTraining if known.values_states else Training)(folder, config)
