"""The settings of a league: one dataclass beside the config of its learners, saved with it, enough to repeat it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.installed import agent_names
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..config_files import build, check_names, check_number, field_names, read_as
from ..playing.play import deal
from ..training.build import build_training, default_opponent
from ..training.config import MOST_GAMES, TrainingConfig, config_from_json

FORMAT = 1
SHARED, PER_ROLE = POLICIES = ("shared", "per_role")
HARD, EVEN, UNIFORM = WEIGHTINGS = ("hard", "even", "uniform")
MOST, MOST_LINE_UPS = 10**9, 10**5
LARGEST_EXPONENT = 20.0
DEALS_TRIED = 512  # to find out which roles are dealt
ALL, NONE = "all", "none"  # in place of a list of roles
PLAIN_ANCHORS = ("simple", "random")  # by default beside the reference, if the game has them
RESERVED = ("role", "opponents", "steps")  # of the learners' config: the league sets them


@dataclass(frozen=True)
class LeagueConfig:
    """Settings of a league.

    training: the config of every learner. Its `seed` is the league's; ratings and gains are relative to its
    `reference`; each role's gain is measured on `evaluation_games` deals; the learning rate is constant. The league
    sets role, opponents and steps itself. policies: "shared", one main agent for all roles, or "per_role", one for
    each. anchors: agents that never leave the pools; exploiters: the role of each exploiter, a role may come twice.

    A round is `steps_per_round` decisions of each learner, among `lineups` lineups. The share of each kind of lineup is
    in proportion to self_share, past_share, exploiter_share and anchor_share; within a kind a lineup is drawn by the
    `weighting` of the learner's win rate w: "hard" (1 - w)^exponent, "even" (w (1 - w))^exponent, or "uniform". With
    `mixed`, past selves and anchors also take the seats of one camp, among the main agents. A game's weight falls by
    the factor `decay` each round. Main agents are kept as past selves every `snapshot_every` rounds. An exploiter joins
    the pool and restarts when it wins `exploiter_margin` (a share of games) more than the main agent does in its seat,
    or after `exploiter_rounds` rounds.

    Every `rate_every` rounds the main agents, `rated_past` of their past selves and the anchors are rated on
    `rating_games` deals of each player count.

    Raises OptionError for a setting that isn't allowed, when the config is made.
    """

    __pydantic_config__ = NOTHING_ELSE

    training: TrainingConfig
    policies: str = SHARED
    anchors: tuple[str, ...] = ("random",)
    exploiters: tuple[str, ...] = ()
    rounds: int = 100
    steps_per_round: int = 100_000
    lineups: int = 12
    self_share: float = 0.35
    past_share: float = 0.35
    exploiter_share: float = 0.15
    anchor_share: float = 0.15
    weighting: str = HARD
    exponent: float = 2.0
    mixed: bool = True
    decay: float = 0.9
    snapshot_every: int = 2
    exploiter_margin: float = 0.1
    exploiter_rounds: int = 10
    rate_every: int = 5
    rating_games: int = 400
    rated_past: int = 3

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.training.known_game()

    @property
    def installed(self) -> tuple[str, ...]:
        """The agents that play from the beginning: the anchors and the reference, each once."""
        return tuple(dict.fromkeys([*self.anchors, self.training.reference]))

    @property
    def steps_played(self) -> int:
        """The decisions of a learner's round: `steps_per_round`, rounded down to whole steps of all environments."""
        return self.steps_per_round - self.steps_per_round % self.training.num_envs

    def __post_init__(self) -> None:
        check_choice("policies", self.policies, POLICIES)
        check_choice("weighting", self.weighting, WEIGHTINGS)
        self._check_counts()
        self._check_shares()
        self._check_agents()

    def _check_agents(self) -> None:
        if not self.anchors or len(set(self.anchors)) < len(self.anchors):
            raise OptionError(f"anchors must be one agent or more, each once, not {', '.join(self.anchors) or 'none'}")
        for name in self.anchors:
            find_agent(name, self.game.name)
        for role in self.exploiters:
            check_choice("exploiters", role, self.game.roles)
        if self.exploiters:
            check_roles("exploiters", self.exploiters, self.training)

    def _check_counts(self) -> None:
        for name in ("rounds", "steps_per_round", "snapshot_every", "exploiter_rounds", "rate_every"):
            check_whole(name, getattr(self, name), 1, MOST)
        check_whole("lineups", self.lineups, 1, MOST_LINE_UPS)
        check_whole("rating_games", self.rating_games, 0, MOST_GAMES)
        check_whole("rated_past", self.rated_past, 0, MOST)
        if self.steps_per_round < self.training.num_envs:
            raise OptionError(
                f"steps_per_round must be at least num_envs, {self.training.num_envs}: a step is one of every "
                f"environment; {self.steps_per_round} are too few"
            )
        if not isinstance(self.mixed, bool):
            raise OptionError(f"mixed must be true or false, not {self.mixed!r}")

    def _check_shares(self) -> None:
        for name in ("self_share", "past_share", "exploiter_share", "anchor_share", "decay", "exploiter_margin"):
            check_number(name, getattr(self, name), 0.0, 1.0)
        check_number("exponent", self.exponent, 0.0, LARGEST_EXPONENT)
        if self.self_share + self.anchor_share <= 0:
            raise OptionError(
                "self_share or anchor_share must be above 0: at first there is nothing else to play against"
            )

    def save(self, path: Path) -> None:
        """Write it as JSON, whole or not at all."""
        write_json(path, {"format": FORMAT, **self.plain()})

    def plain(self) -> dict[str, Any]:
        """The settings as JSON values."""
        own = {name: getattr(self, name) for name in field_names(LeagueConfig) if name != "training"}
        settings: dict[str, Any] = json.loads(json.dumps(own))
        return {**settings, "training": self.training.plain()}


def roles_dealt(config: TrainingConfig, count: int) -> tuple[str, ...]:
    """The roles that are dealt to `count` players."""
    game = config.known_game()
    roles = game.roles_of(deal(game, np.arange(DEALS_TRIED), config.seed, num_players=count, **config.options))
    return tuple(role for number, role in enumerate(game.roles) if (roles == number).any())


def every_role(config: TrainingConfig) -> tuple[str, ...]:
    """The roles that at least one of the player counts deals."""
    dealt = {role for count in config.counts() for role in roles_dealt(config, count)}
    return tuple(role for role in config.known_game().roles if role in dealt)


def check_roles(what: str, roles: Sequence[str], config: TrainingConfig) -> None:
    """OptionError for a role that none of the player counts deals."""
    dealt = every_role(config)
    for role in roles:
        if role not in dealt:
            counts = ", ".join(map(str, config.counts()))
            raise OptionError(
                f"{what}: with {counts} players nobody is dealt the role {role!r}; there are {', '.join(dealt)}"
            )


def roles_named(given: Any, training: TrainingConfig) -> Any:
    """The roles that "all" or "none" stand for; anything else stays as it is."""
    if given == ALL:
        return every_role(training)
    return () if given == NONE else given


def build_league(values: Mapping[str, Any], source: str) -> LeagueConfig:
    """A config from values by field name; those of the learners are the table `training`.

    Defaults: the strongest rule-based agent as reference; the reference, simple and random as anchors; an exploiter of
    each role. source: where the values were given. Raises OptionError for unknown names and values that aren't allowed.
    """
    check_names(values, field_names(LeagueConfig), source)
    own = dict(values.get("training", {}))
    game = find_game(own.get("game", TrainingConfig.game))
    training = build_training(own, source, reference=default_opponent(game), reserved=RESERVED)
    there = agent_names(game.name)
    anchors = list(dict.fromkeys([training.reference, *(name for name in PLAIN_ANCHORS if name in there)]))
    filled = {"anchors": anchors, "exploiters": ALL, **values, "training": training.plain()}
    return build(LeagueConfig, {**filled, "exploiters": roles_named(filled["exploiters"], training)}, source)


def load_league_config(path: Path) -> LeagueConfig:
    """The config of a league from its file; OptionError if it can't be read or isn't valid."""
    read = read_json(path, "settings of a league", FORMAT)
    known = set(field_names(LeagueConfig))
    if set(read) != known:
        raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
    config_from_json(read["training"], path)
    with read_as(path, "settings of a league"):
        return of_kind(LeagueConfig, read, str(path))
