"""The learners of a league, and the agents in its pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riverbed_env.core.schema import NOTHING_ELSE, Count

from .config import PER_ROLE, LeagueConfig, roles_dealt

MAIN, PAST, EXPLOITER, ANCHOR = KINDS = ("main", "past", "exploiter", "anchor")


@dataclass(frozen=True)
class Learner:
    """A main agent or an exploiter: its role (None: all) and the player counts that deal it."""

    name: str
    kind: str  # MAIN or EXPLOITER
    role: str | None
    players: tuple[int, ...]


@dataclass(frozen=True)
class Member:
    """An agent in the pools.

    roles: those it may hold; file: its policy in the league's folder, or the spec of an anchor; born: the number of
    rounds finished when it was saved.
    """

    __pydantic_config__ = NOTHING_ELSE

    name: str
    kind: str
    roles: tuple[str, ...]
    file: str
    born: Count


def learners_of(config: LeagueConfig) -> tuple[Learner, ...]:
    """All learners, main agents first. A role that no player count deals has none."""
    training = config.training
    dealt = {count: roles_dealt(training, count) for count in training.counts()}
    with_role = {role: tuple(count for count in dealt if role in dealt[count]) for role in config.game.roles}
    if config.policies == PER_ROLE:
        mains = [Learner(f"main_{role}", MAIN, role, counts) for role, counts in with_role.items() if counts]
    else:
        mains = [Learner("main", MAIN, None, training.counts())]
    exploiters = [
        Learner(f"exploiter_{role}_{config.exploiters[:place].count(role) + 1}", EXPLOITER, role, with_role[role])
        for place, role in enumerate(config.exploiters)
    ]
    return (*mains, *exploiters)


def anchors_of(config: LeagueConfig) -> tuple[Member, ...]:
    """The anchors as members."""
    return tuple(Member(name, ANCHOR, config.game.roles, name, 0) for name in config.anchors)


def by_role(members: Sequence[Member], roles: Sequence[str], otherwise: str) -> dict[str, str]:
    """The member that holds each role, by name; `otherwise` for roles without one, which aren't dealt."""
    return {role: next((each.name for each in members if role in each.roles), otherwise) for role in roles}
