"""Who is in a league: the learners, and the agents in its pools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from riverbed_env.core.schema import NOTHING_ELSE, Count

from .config import PER_ROLE, LeagueConfig, roles_dealt

MAIN, PAST, EXPLOITER, ANCHOR = KINDS = ("main", "past", "exploiter", "anchor")


@dataclass(frozen=True)
class Learner:
    """Somebody who learns: a main agent or an exploiter, of one role (None: of all), with the player counts it has."""

    name: str
    kind: str  # MAIN or EXPLOITER
    role: str | None
    players: tuple[int, ...]


@dataclass(frozen=True)
class Member:
    """An agent in the pools.

    roles: those it may hold; file: its policy's, in the league's folder, or the spec of an anchor; born: how many
    rounds were done when it was saved.
    """

    __pydantic_config__ = NOTHING_ELSE

    name: str
    kind: str
    roles: tuple[str, ...]
    file: str
    born: Count

    def plain(self) -> dict[str, Any]:
        """As JSON gives it back."""
        return {**asdict(self), "roles": list(self.roles)}


def learners_of(config: LeagueConfig) -> tuple[Learner, ...]:
    """All learners, the main agents first. Roles that no player count deals have none."""
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
    """The name of the member that holds each role; `otherwise` for roles that nobody holds, since they aren't dealt."""
    return {role: next((each.name for each in members if role in each.roles), otherwise) for role in roles}
