"""What a league is: one flat list of settings beside those of its learners, saved with it, enough to repeat it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.specs import find_agent

from ..config_files import changed, read_as
from ..playing.play import deal
from ..training.config import MOST_GAMES, TrainingConfig, settings_from

FORMAT = 1
SHARED, PER_ROLE = POLICIES = ("shared", "per_role")
HARD, EVEN, UNIFORM = WEIGHTINGS = ("hard", "even", "uniform")
MOST, MOST_LINE_UPS = 10**9, 10**5
LARGEST_EXPONENT = 20.0
TRIED = 512  # deals looked at to find out which roles there are; as many as a learner looks at


@dataclass(frozen=True)
class LeagueConfig:
    """Settings of a league.

    training: what every learner is trained with and on; its `seed` is the league's, its `reference` whom ratings and
    gains stand beside, its `evaluation_games` the deals of each role's gain, its learning rate stays as it is; role,
    opponents and steps are the league's business. policies: "shared", one main agent for all roles, or "per_role", one
    for each. anchors: agents that never leave the pools; exploiters: the role of each exploiter, several of a role too.

    A round is `steps_per_round` decisions of each learner among `lineups` lineups. self_share, past_share,
    exploiter_share and anchor_share say how many of these are of which kind, in proportion; of a kind they are drawn by
    `weighting` of the learner's win rate w: "hard" (1 - w)^exponent, "even" (w (1 - w))^exponent, or "uniform". With
    `mixed` past selves and anchors also sit in the seats of one camp, among the main agents. Games count `decay` times
    as much with each round they are past. Main agents are kept as past selves every `snapshot_every` rounds. An
    exploiter joins the pool and begins anew when it wins `exploiter_margin` (a share of games) more than the main agent
    does in its place, or after `exploiter_rounds` rounds.

    Every `rate_every` rounds main agents, `rated_past` of their past selves and the anchors are rated by
    `rating_games` deals a player count.
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
        """The game it is about."""
        return self.training.known_game()

    @property
    def installed(self) -> tuple[str, ...]:
        """The agents that are there from the beginning: anchors and the reference, each once."""
        return tuple(dict.fromkeys([*self.anchors, self.training.reference]))

    def checked(self) -> LeagueConfig:
        """The same; OptionError for a setting that can't be, before any work is done."""
        self.training.checked()
        check_choice("policies", self.policies, POLICIES)
        check_choice("weighting", self.weighting, WEIGHTINGS)
        if not self.anchors or len(set(self.anchors)) < len(self.anchors):
            raise OptionError(f"anchors must be one agent or more, each once, not {', '.join(self.anchors) or 'none'}")
        for name in self.anchors:
            find_agent(name, self.game.name)
        for name in ("rounds", "steps_per_round", "snapshot_every", "exploiter_rounds", "rate_every"):
            check_whole(name, getattr(self, name), 1, MOST)
        check_whole("lineups", self.lineups, 1, MOST_LINE_UPS)
        check_whole("rating_games", self.rating_games, 0, MOST_GAMES)
        check_whole("rated_past", self.rated_past, 0, MOST)
        for name in ("self_share", "past_share", "exploiter_share", "anchor_share", "decay", "exploiter_margin"):
            self._check_number(name, 1.0)
        self._check_number("exponent", LARGEST_EXPONENT)
        if self.self_share + self.anchor_share <= 0:
            raise OptionError(
                "self_share or anchor_share must be above 0: at first there are no others to play against"
            )
        if not isinstance(self.mixed, bool):
            raise OptionError(f"mixed must be true or false, not {self.mixed!r}")
        self._check_exploiters()
        return self

    def _check_number(self, name: str, high: float) -> None:
        value = getattr(self, name)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= high:
            raise OptionError(f"{name} must be a number from 0 to {high:g}, not {value!r}")

    def _check_exploiters(self) -> None:
        for role in self.exploiters:
            check_choice("exploiters", role, self.game.roles)
        if self.exploiters:
            check_roles("exploiters", self.exploiters, self.training)

    def save(self, path: Path) -> None:
        """Write it as JSON, whole or not at all."""
        write_json(path, {"format": FORMAT, **self.plain()})

    def plain(self) -> dict[str, Any]:
        """The settings as JSON gives them back."""
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "training"}
        known: dict[str, Any] = json.loads(json.dumps(own))
        return {**known, "training": self.training.plain()}


FREE = tuple(
    each.name
    for each in fields(LeagueConfig)
    if each.name not in ("training", "policies", "anchors", "exploiters", "rounds", "steps_per_round")
)


def roles_dealt(config: TrainingConfig, count: int) -> tuple[str, ...]:
    """The roles that are dealt with so many players."""
    game = config.known_game()
    roles = game.roles_of(deal(game, np.arange(TRIED), config.seed, num_players=count, **config.options))
    return tuple(role for number, role in enumerate(game.roles) if (roles == number).any())


def every_role(config: TrainingConfig) -> tuple[str, ...]:
    """The roles that are dealt at one of the player counts at least."""
    dealt = {role for count in config.counts() for role in roles_dealt(config, count)}
    return tuple(role for role in config.known_game().roles if role in dealt)


def check_roles(what: str, roles: Sequence[str], config: TrainingConfig) -> None:
    """OptionError where one of the roles is dealt with none of the player counts."""
    dealt = every_role(config)
    for role in roles:
        if role not in dealt:
            counts = ", ".join(map(str, config.counts()))
            raise OptionError(
                f"{what}: with {counts} players nobody is dealt the role {role!r}; there are {', '.join(dealt)}"
            )


def read_league_settings(config: LeagueConfig, words: Sequence[str]) -> LeagueConfig:
    """The settings with some changed, each written `name=value`; OptionError for others than those of FREE."""
    return changed(config, words, FREE, "--league")


def load_league_config(path: Path) -> LeagueConfig:
    """The settings of a league from its file; OptionError where it can't be read or makes no sense."""
    read = read_json(path, "settings of a league", FORMAT)
    known = {each.name for each in fields(LeagueConfig)}
    if set(read) != known:
        raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
    settings_from(read["training"], path)
    with read_as(path, "settings of a league"):
        return of_kind(LeagueConfig, read, str(path)).checked()
