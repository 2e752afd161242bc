"""What a training run is: one flat list of settings, saved with the run, enough to repeat it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_known, check_view, check_whole
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.action_entities import objects_of
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..config_files import changed, read_as

FORMAT = 1
CRITICS = ("secrets", "own")
EVERYBODY = "everybody"
MOST_STEPS = 10**12
MOST_ENVS, MOST_ROLLED, MOST_GAMES, MOST_THREADS = 2**17, 2**24, 10**7, 4096  # what memory there is bounds them sooner
LAYERS, WIDEST = 2, 8192


@dataclass(frozen=True)
class TrainingConfig:
    """Settings of a run; those of PPO are named as in Stable-Baselines3's MaskablePPO.

    game, role (None: any seat), players, opponents (lineups, each role or camp or "everybody" -> names of agents) and
    options say what is played; steps is how many decisions of the learner are learnt from in all, num_envs how many
    games are played at once, rollout_steps how many decisions of each environment a rollout holds. view, features,
    pieces (of the observation, all if none is named) and critic ("secrets": sees the full state while training) say
    what the network is given, widths and object_width how wide its two layers are, trust the logit that advice adds at
    first. learning_rate falls linearly to a tenth. evaluation_games on common deals are played every `evaluate_every`
    steps by the learner and by `reference` in its seat.
    """

    __pydantic_config__ = NOTHING_ELSE

    game: str = "riverbed_hunt_v0"
    role: str | None = None
    players: tuple[int, ...] = ()
    opponents: tuple[dict[str, list[str]], ...] = ({EVERYBODY: ["random"]},)
    options: dict[str, Any] = field(default_factory=dict)
    steps: int = 1_000_000
    seed: int = 0
    num_envs: int = 512
    rollout_steps: int = 32
    batch_size: int = 2048
    n_epochs: int = 2
    learning_rate: float = 2e-3
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.001
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    view: str = "now"
    features: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    critic: str = "own"
    widths: tuple[int, ...] = (128, 64)
    object_width: int = 32
    trust: float = 2.0
    reference: str = "random"
    evaluate_every: int = 500_000
    evaluation_games: int = 2000
    checkpoint_every: int = 250_000
    threads: int = 1

    @property
    def rollout(self) -> int:
        """How many decisions a rollout holds."""
        return self.num_envs * self.rollout_steps

    def known_game(self) -> Game:
        """The game it is about."""
        return find_game(self.game)

    def counts(self) -> tuple[int, ...]:
        """The player counts; the game's usual one where none is given."""
        return self.players or (self.known_game().default_players,)

    def checked(self) -> TrainingConfig:
        """The same; OptionError for a setting that can't be, before any work is done."""
        game = self.known_game()
        if self.role is not None:
            check_choice("role", self.role, game.roles)
        check_choice("critic", self.critic, CRITICS)
        check_view(game, self.view)
        check_seed(self.seed)
        objects_of(game, self.view, find_feature_sets(self.features, game), secrets=False, pieces=self.pieces)
        lineups(game, self.seated())
        find_agent(self.reference, game.name)
        for name in ("steps", "n_epochs", "evaluate_every", "checkpoint_every"):
            check_whole(name, getattr(self, name), 1, MOST_STEPS)
        for name, most in (("num_envs", MOST_ENVS), ("rollout_steps", MOST_ROLLED), ("batch_size", MOST_ROLLED)):
            check_whole(name, getattr(self, name), 1, most)
        check_whole("num_envs times rollout_steps", self.rollout, 1, MOST_ROLLED)
        check_whole("evaluation_games", self.evaluation_games, 0, MOST_GAMES)
        check_whole("threads", self.threads, 1, MOST_THREADS)
        check_known(game, self.options)
        if "num_players" in self.options:
            raise OptionError("options: the number of players is given by players")
        for count in self.counts():
            check_whole("players", count, game.min_players, game.max_players)
            game.make_params(num_players=count, **self.options)
        self._check_numbers()
        return self

    def _check_numbers(self) -> None:
        bounds = {
            "learning_rate": (0.0, 1.0),
            "gamma": (0.0, 1.0),
            "gae_lambda": (0.0, 1.0),
            "clip_range": (0.0, 10.0),
            "ent_coef": (0.0, 10.0),
            "vf_coef": (0.0, 10.0),
            "max_grad_norm": (0.0, 1e6),
            "trust": (0.0, 50.0),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
                raise OptionError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
        if len(self.widths) != LAYERS:
            raise OptionError(f"widths must be {LAYERS} numbers, not {self.widths!r}")
        for width in (*self.widths, self.object_width):
            check_whole("widths and object_width", width, 1, WIDEST)
        if self.batch_size > self.rollout:
            raise OptionError(
                f"batch_size {self.batch_size} is more than a rollout holds: "
                f"{self.num_envs} num_envs of {self.rollout_steps} steps are {self.rollout}"
            )
        if self.num_envs < len(self.counts()):
            raise OptionError(f"{self.num_envs} num_envs can't be shared out among {len(self.counts())} player counts")

    def seated(self) -> list[Any]:
        """The opponents as `core.lineups.lineups` takes them."""
        return [each.get(EVERYBODY, each) for each in self.opponents]

    def save(self, path: Path) -> None:
        """Write it as JSON, whole or not at all."""
        write_json(path, {"format": FORMAT, **self.plain()})

    def plain(self) -> dict[str, Any]:
        """The settings as JSON gives them back."""
        known: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return known


def read_opponents(words: list[str] | None, game: Game, usual: str) -> tuple[dict[str, list[str]], ...]:
    """Lineups from what was written for each: `AGENT`, or `ROLE=AGENT+AGENT;CAMP=AGENT`."""
    known = {*game.roles, *game.camps}
    found = []
    for text in words or [usual]:
        lineup: dict[str, list[str]] = {}
        for part in text.split(";"):
            name, sign, agents = part.partition("=")
            if not sign or name not in known:
                name, agents = EVERYBODY, part
            lineup[name] = agents.split("+")
        if (EVERYBODY in lineup and ";" in text) or len(lineup) <= text.count(";"):
            raise OptionError(
                f"--opponents takes an agent, or ROLE=AGENT;CAMP=AGENT+AGENT, not {text!r}; roles and camps are "
                f"{', '.join(sorted(known))}"
            )
        found.append(lineup)
    return tuple(found)


def line_ups_in_words(opponents: Iterable[Mapping[str, Iterable[str]]]) -> list[str]:
    """Lineups as `read_opponents` takes them."""
    return [
        ";".join("+".join(names) if role == EVERYBODY else f"{role}={'+'.join(names)}" for role, names in each.items())
        for each in opponents
    ]


FREE = (
    *("num_envs", "rollout_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda", "clip_range"),
    *("ent_coef", "vf_coef", "max_grad_norm", "view", "pieces", "critic", "widths", "object_width", "trust"),
)


def read_settings(config: TrainingConfig, words: Sequence[str]) -> TrainingConfig:
    """The settings with some changed, each written `name=value`; OptionError for others than those of FREE."""
    return changed(config, words, FREE, "--ppo", lists_of_names=("pieces",))


def load_config(path: Path) -> TrainingConfig:
    """The settings of a run from its file; OptionError where it can't be read or makes no sense."""
    return settings_from(read_json(path, "settings of a run", FORMAT), path)


def settings_from(read: Any, path: Path) -> TrainingConfig:
    """Settings from what `plain` gave, read in a file; OptionError for others than this version's."""
    known = {each.name for each in fields(TrainingConfig)}
    if isinstance(read, dict) and set(read) != known:
        raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
    with read_as(path, "settings of a run"):
        return of_kind(TrainingConfig, read, str(path)).checked()
