"""The settings of a training run: one flat dataclass, saved with the run, enough to repeat it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
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

from ..config_files import check_number, field_names, read_as

FORMAT = 1
CRITICS = ("secrets", "own")
EVERYBODY = "everybody"
MOST_STEPS = 10**12
MOST_ENVS, MOST_ROLLED, MOST_GAMES, MOST_THREADS = 2**17, 2**24, 10**7, 4096  # memory runs out earlier
LAYERS, WIDEST = 2, 8192
BOUNDS = {
    "learning_rate": (0.0, 1.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "clip_range": (0.0, 10.0),
    "ent_coef": (0.0, 10.0),
    "vf_coef": (0.0, 10.0),
    "max_grad_norm": (0.0, 1e6),
    "trust": (0.0, 50.0),
}


@dataclass(frozen=True)
class TrainingConfig:
    """Settings of a run; the PPO settings are named as in Stable-Baselines3's MaskablePPO.

    What is played: game; role (None: any seat); players, the player counts (none: the game's usual one); opponents,
    lineups that each map a role, a camp or "everybody" to names of agents; options of the game.

    How much: steps, the learner's decisions in all, rounded up to whole rollouts; num_envs, games played at once;
    rollout_steps, decisions of each environment in a rollout. learning_rate falls linearly to a tenth.

    What the network sees: view, features, pieces of the observation (none named: all), critic ("secrets": it sees the
    full state during training). widths and object_width are the sizes of its two layers; trust is the logit that
    advice adds at first.

    How it is measured: every evaluate_every steps the learner and `reference` play evaluation_games common deals in
    the learner's seat. A checkpoint is written every checkpoint_every steps.

    Raises OptionError for a setting that isn't allowed, when the config is made.
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

    def __post_init__(self) -> None:
        self._check_counts()
        self._check_network()
        self._check_game()

    @property
    def rollout(self) -> int:
        """How many decisions a rollout holds."""
        return self.num_envs * self.rollout_steps

    @property
    def steps_played(self) -> int:
        """The decisions a run ends with: `steps`, rounded up to whole rollouts."""
        return -(-self.steps // self.rollout) * self.rollout

    def known_game(self) -> Game:
        """The game that is played."""
        return find_game(self.game)

    def counts(self) -> tuple[int, ...]:
        """The player counts; the game's usual one where none is given."""
        return self.players or (self.known_game().default_players,)

    def _check_counts(self) -> None:
        check_seed(self.seed)
        for name in ("steps", "n_epochs", "evaluate_every", "checkpoint_every"):
            check_whole(name, getattr(self, name), 1, MOST_STEPS)
        for name, most in (("num_envs", MOST_ENVS), ("rollout_steps", MOST_ROLLED), ("batch_size", MOST_ROLLED)):
            check_whole(name, getattr(self, name), 1, most)
        check_whole("num_envs times rollout_steps", self.rollout, 1, MOST_ROLLED)
        check_whole("evaluation_games", self.evaluation_games, 0, MOST_GAMES)
        check_whole("threads", self.threads, 1, MOST_THREADS)
        if self.batch_size > self.rollout:
            raise OptionError(
                f"batch_size {self.batch_size} is more than a rollout holds: "
                f"{self.num_envs} num_envs of {self.rollout_steps} steps are {self.rollout}"
            )

    def _check_network(self) -> None:
        check_choice("critic", self.critic, CRITICS)
        for name, (low, high) in BOUNDS.items():
            check_number(name, getattr(self, name), low, high)
        if len(self.widths) != LAYERS:
            raise OptionError(f"widths must be {LAYERS} numbers, not {self.widths!r}")
        for width in (*self.widths, self.object_width):
            check_whole("widths and object_width", width, 1, WIDEST)

    def _check_game(self) -> None:
        game = self.known_game()
        if self.role is not None:
            check_choice("role", self.role, game.roles)
        check_view(game, self.view)
        objects_of(game, self.view, find_feature_sets(self.features, game), secrets=False, pieces=self.pieces)
        lineups(game, self.seated())
        find_agent(self.reference, game.name)
        check_known(game, self.options)
        if "num_players" in self.options:
            raise OptionError("options: the number of players is given by players")
        for count in self.counts():
            check_whole("players", count, game.min_players, game.max_players)
            game.make_params(num_players=count, **self.options)
        if self.num_envs < len(self.counts()):
            raise OptionError(f"{self.num_envs} num_envs can't be shared out among {len(self.counts())} player counts")

    def seated(self) -> list[Any]:
        """The opponents as `riverbed_env.players.lineups.lineups` takes them."""
        return [each.get(EVERYBODY, each) for each in self.opponents]

    def save(self, path: Path) -> None:
        """Write it as JSON, whole or not at all."""
        write_json(path, {"format": FORMAT, **self.plain()})

    def plain(self) -> dict[str, Any]:
        """The settings as JSON values."""
        settings: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return settings


def read_lineup(text: str, game: Game) -> dict[str, list[str]]:
    """A lineup from `AGENT`, or from `ROLE=AGENT+AGENT;CAMP=AGENT`."""
    known = {*game.roles, *game.camps}
    lineup: dict[str, list[str]] = {}
    for part in text.split(";"):
        name, sign, agents = part.partition("=")
        if not sign or name not in known:
            name, agents = EVERYBODY, part
        lineup[name] = agents.split("+")
    if (EVERYBODY in lineup and ";" in text) or len(lineup) <= text.count(";"):
        raise OptionError(
            f"a lineup is an agent, or ROLE=AGENT;CAMP=AGENT+AGENT, not {text!r}; roles and camps are "
            f"{', '.join(sorted(known))}"
        )
    return lineup


def line_ups_in_words(opponents: Iterable[Mapping[str, Iterable[str]]]) -> list[str]:
    """Lineups as `read_lineup` reads them."""
    return [
        ";".join("+".join(names) if role == EVERYBODY else f"{role}={'+'.join(names)}" for role, names in each.items())
        for each in opponents
    ]


def load_config(path: Path) -> TrainingConfig:
    """The config of a run from its file; OptionError if it can't be read or isn't valid."""
    return config_from_json(read_json(path, "settings of a run", FORMAT), path)


def config_from_json(read: Any, path: Path) -> TrainingConfig:
    """A config from what `plain` gave, read from a file; OptionError for settings of another version."""
    known = set(field_names(TrainingConfig))
    if isinstance(read, dict) and set(read) != known:
        raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
    with read_as(path, "settings of a run"):
        return of_kind(TrainingConfig, read, str(path))
