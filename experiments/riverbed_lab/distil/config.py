"""The settings of a distillation: one flat dataclass, saved with the run, enough to repeat it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from riverbed_env.errors import OptionError
from riverbed_env.players.action_entities import head_columns
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.rollouts.action_values import MOST_TURNS, MOST_WORLDS, Rollouts
from riverbed_env.rollouts.hooks import NO_HOOKS, find_hooks

from ..config_files import Setting
from ..training.build import build_learner, plain_pieces
from ..training.config import MOST_GAMES, MOST_ROLLED, QUESTION, LearnerConfig

MOST_ROUNDS, MOST_BLOCKS = 1000, 10_000
STUDENT, REFERENCE = "student", "reference"
MOST_POINTS = 100.0  # the largest error of a target, so that all errors count squared


@dataclass(frozen=True)
class DistilConfig(LearnerConfig):
    """Settings of a distillation; see `LearnerConfig` and `riverbed_env.rollouts.action_values.Rollouts`.

    Args:
        settings: the fields by name, all of which have defaults.

    Raises:
        OptionError: a setting isn't allowed, when the config is made.
    """

    what: ClassVar[str] = "distillation"
    learnt_from: ClassVar[str] = "targets"

    heads: Annotated[
        str, Setting("piece that says what is asked: each question has scores of its own", default="`question`")
    ] = ""
    rounds: Annotated[int, Setting("rounds of targets and fitting", 1, MOST_ROUNDS)] = 4
    blocks: Annotated[int, Setting("blocks of targets in a round", 1, MOST_BLOCKS)] = 16
    block_games: Annotated[int, Setting("games in a block", 1, MOST_GAMES)] = 512
    worlds: Annotated[int, Setting("drawn for each choice; 0: the true state", 0, MOST_WORLDS, default="8")] = 0
    turns: Annotated[tuple[int, ...], Setting("after which a rollout ends; 0: at the end", default="1")] = (0,)
    rollout: Annotated[str, Setting("who plays the other seats on", default="who sits there")] = ""
    own: Annotated[
        str, Setting("who plays the own seat on: `student` or `reference`", choices=(STUDENT, REFERENCE))
    ] = STUDENT
    explore: Annotated[float, Setting("share of random actions in the games that give targets", 0, 1)] = 0.03
    tail: Annotated[
        float, Setting("points up to which an error counts squared, beyond linearly", 0.01, 1000, default="8")
    ] = MOST_POINTS
    margin: Annotated[float, Setting("points by which a choice must beat the advised one", 0, 100)] = 0.5
    window: Annotated[int, Setting("rounds whose targets are fitted", 1, MOST_ROUNDS)] = 2
    epochs: Annotated[int, Setting("passes over them in a round", 1, MOST_ROUNDS)] = 2
    batch_size: Annotated[int, Setting("targets in a minibatch", 1, MOST_ROLLED)] = 1024
    learning_rate: Annotated[float, Setting("Adam's, Muon's is 2.5 times that; falls linearly to a tenth", 0, 1)] = 2e-3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.turns or not all(0 <= turn <= MOST_TURNS for turn in self.turns):
            raise OptionError(f"turns must be from 0 (to the end) to {MOST_TURNS}, not {self.turns!r}")
        if self.block_games < len(self.counts()):
            raise OptionError(f"{self.block_games} block_games can't be shared out among {self.counts()} players")
        game = self.known_game()
        head_columns(game, self.view, self.heads)
        if self.heads and self.pieces and self.heads not in self.pieces:
            raise OptionError(f"heads: {self.heads} must be among the pieces that the network is given")
        self.rollouts().check(game, lineups(game, self.opponents).agents)

    def rollouts(self) -> Rollouts:
        """Settings of the rollouts that estimate action values.

        Returns:
            The rollouts, with the game's hooks; `reference` plays the own seat on before there is a network.

        Raises:
            OptionError: an agent can't play on, as it isn't compiled.
        """
        game = self.known_game()
        own = self._compiled(self.reference)
        rollout = self._compiled(self.rollout) if self.rollout else None
        return Rollouts(self.turns, self.worlds, rollout, own, find_hooks(game))

    def _compiled(self, name: str) -> CompiledAgent:
        agent = find_agent(name, self.game)
        if not isinstance(agent, CompiledAgent):
            raise OptionError(f"{name} isn't compiled, so it can't play on: choose another reference or rollout")
        return agent


def build_distillation(values: Mapping[str, Any], source: str) -> DistilConfig:
    """A config from values by field name; see `build_learner`, and view, pieces and rollouts by the game."""
    game = find_game(values.get("game", DistilConfig.game))
    heads = QUESTION if QUESTION in game.observation.slices else ""
    given = {"view": "history", "pieces": plain_pieces(game), "heads": heads, **values}
    if find_hooks(game) is not NO_HOOKS:
        given = {"turns": [1], "worlds": 8, "tail": 8.0, **given}
    return build_learner(DistilConfig, given, source)
