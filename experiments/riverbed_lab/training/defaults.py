"""Whom and with what agents learn unless told otherwise."""

from __future__ import annotations

from riverbed_env.core.game import Game
from riverbed_env.players.features import ADVICE, can_advise, feature_names
from riverbed_env.players.installed import agent_names
from riverbed_env.players.specs import find_agent

NONE = "none"  # how a command line says that nothing is wanted
STRONGEST = ("rule_based", "careful", "greedy", "simple")  # who is learnt against, if the game has them


def default_opponent(game: Game) -> str:
    """The agent that is learnt against unless told otherwise."""
    names = agent_names(game.name)
    return next((name for name in STRONGEST if name in names), "random")


def default_features(game: Game, features: str | None, advice: str | None, usual: str) -> tuple[str, ...]:
    """The names of the features: those given, or all the game has; then advice, of `usual` unless told otherwise."""
    named = (
        feature_names(game) if features is None else [each for each in features.split(",") if each not in ("", NONE)]
    )
    if advice is None:
        advice = usual if usual != "random" and can_advise(find_agent(usual, game.name)) else NONE
    return (*named, *([] if advice == NONE else [f"{ADVICE}:{advice}"]))
