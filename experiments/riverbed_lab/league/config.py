"""The settings of a league: one dataclass beside the config of its learners, saved with it, enough to repeat it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice
from riverbed_env.core.schema import NOTHING_ELSE
from riverbed_env.errors import OptionError
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..config_files import RunConfig, Setting, build, check_names, check_settings, field_names
from ..playing.play import deal
from ..training.build import build_training, default_opponent
from ..training.config import TrainingConfig, Words

SHARED, PER_ROLE = POLICIES = ("shared", "per_role")
MOST, MOST_LINE_UPS = 10**9, 10**5
LARGEST_EXPONENT = 20.0
DEALS_TRIED = 512  # to find out which roles are dealt
ALL = "all"  # in place of a list of roles
PLAIN_ANCHORS = ("simple", "random")  # by default beside the reference, if the game has them
RESERVED = ("role", "seats", "opponents", "steps")  # of the learners' config: the league sets them


@dataclass(frozen=True)
class LeagueConfig(RunConfig):
    """Settings of a league.

    The league's seed, reference, evaluation_games and threads are those of `training`. The league sets its role,
    opponents and steps itself, and keeps its learning rate constant. Within a kind, a lineup's weight is
    (1 - w)^exponent, with the learner's win rate w there.

    Args:
        training: the config of every learner.
        settings: the other fields by name, all of which have defaults.

    Raises:
        OptionError: a setting isn't allowed, when the config is made.
    """

    __pydantic_config__ = NOTHING_ELSE
    what: ClassVar[str] = "league"

    training: TrainingConfig
    policies: Annotated[str, Setting("one main agent for all roles, or one `per_role`", choices=POLICIES)] = SHARED
    anchors: Annotated[
        Words,
        Setting("agents and policy files that never leave the pools", default="the reference, `simple`, `random`"),
    ] = ("random",)
    exploiters: Annotated[Words, Setting("the role of each; a role may come twice", default="all roles")] = ()
    rounds: Annotated[int, Setting("rounds in all", 1, MOST)] = 100
    steps_per_round: Annotated[int, Setting("decisions of each learner in a round", 1, MOST)] = 100_000
    lineups: Annotated[int, Setting("lineups drawn for a learner's round", 1, MOST_LINE_UPS)] = 12
    self_share: Annotated[float, Setting("share of lineups of main agents alone", 0, 1)] = 0.35
    past_share: Annotated[float, Setting("share of lineups with past selves", 0, 1)] = 0.35
    exploiter_share: Annotated[float, Setting("share of lineups with an exploiter", 0, 1)] = 0.15
    anchor_share: Annotated[float, Setting("share of lineups with an anchor", 0, 1)] = 0.15
    exponent: Annotated[float, Setting("the exponent of a lineup's weight; 0: all alike", 0, LARGEST_EXPONENT)] = 2.0
    decay: Annotated[float, Setting("factor of a game's weight after each round", 0, 1)] = 0.9
    snapshot_every: Annotated[int, Setting("rounds between past selves", 1, MOST)] = 2
    exploiter_margin: Annotated[float, Setting("an exploiter that wins so much more joins the pool", 0, 1)] = 0.1
    exploiter_rounds: Annotated[int, Setting("rounds after which it joins in any case", 1, MOST)] = 10
    rate_every: Annotated[int, Setting("rounds between ratings", 1, MOST)] = 5
    rated_past: Annotated[int, Setting("past selves rated", 0, MOST)] = 3

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
        check_settings(self)
        if self.steps_per_round < self.training.num_envs:
            raise OptionError(
                f"steps_per_round must be at least num_envs, {self.training.num_envs}: a step is one of every "
                f"environment; {self.steps_per_round} are too few"
            )
        if self.self_share + self.anchor_share * bool(self.anchors) <= 0:
            raise OptionError(
                "self_share, or anchor_share with anchors, must be above 0: at first there is nobody else"
            )
        self._check_agents()

    def _check_agents(self) -> None:
        if len(set(self.anchors)) < len(self.anchors):
            raise OptionError(f"anchors must be named once each, not {', '.join(self.anchors)}")
        for name in self.anchors:
            find_agent(name, self.game.name)
        for role in self.exploiters:
            check_choice("exploiters", role, self.game.roles)
        if self.exploiters:
            check_roles("exploiters", self.exploiters, self.training)

    def with_changes(self, given: Self) -> Self:
        """The numbers of rounds and threads may change."""
        return replace(self, rounds=given.rounds, training=self.training.with_changes(given.training))


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
    """The roles that "all" stands for; anything else stays as it is."""
    return every_role(training) if given == ALL else given


def build_league(values: Mapping[str, Any], source: str) -> LeagueConfig:
    """A config from values by field name; those of the learners are the table `training`.

    Defaults: the strongest rule-based agent as reference; the reference, simple and random as anchors; an exploiter of
    each role. source: where the values were given. Raises OptionError for unknown names and values that aren't allowed.
    """
    check_names(values, field_names(LeagueConfig), source)
    own = dict(values.get("training", {}))
    game = find_game(own.get("game", TrainingConfig.game))
    training = build_training(own, source, reference=default_opponent(game), reserved=RESERVED)
    there = list_agents(game.name)
    anchors = list(dict.fromkeys([training.reference, *(name for name in PLAIN_ANCHORS if name in there)]))
    filled = {"anchors": anchors, "exploiters": ALL, **values, "training": training.plain()}
    return build(LeagueConfig, {**filled, "exploiters": roles_named(filled["exploiters"], training)}, source)
