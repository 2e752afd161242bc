"""Who a learner plays among: whole lineups, drawn by how often it wins among them.

Prioritised fictitious self-play (PFSP) of AlphaStar (Vinyals et al. 2019, "Grandmaster level in StarCraft II using
multi-agent reinforcement learning"), with lineups in place of single opponents. Everything here is a pure function of
names and numbers: no game is played and nothing is learnt here, so that it can stay in one place while workers and
learners are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .config import EVEN, HARD, LeagueConfig
from .pool import ANCHOR, EXPLOITER, MAIN, PAST, Learner, Member, by_role

MAINS = "mains"  # the lineup of the present main agents

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lineup:
    """Who holds each role, by the names of members. name: what results call it; kind: of whom it is about."""

    name: str
    kind: str
    by_role: Mapping[str, str]


def candidates(
    learner: Learner,
    mains: Mapping[str, str],
    pool: Sequence[Member],
    camp_of_role: Mapping[str, str],
    *,
    mixed: bool,
) -> list[Lineup]:
    """All lineups that a learner can be given.

    mains: who holds each role now; pool: past selves, exploiters and anchors. The main agents themselves; past selves
    that were saved together, or an anchor, in all seats and, if `mixed`, in those of one camp among the main agents;
    an exploiter in its role among the main agents. Those that seat nobody but the main agents beside this learner are
    left out. An exploiter learns against the main agents alone.
    """
    found = [Lineup(MAINS, MAIN, mains)]
    if learner.kind == EXPLOITER:
        return found
    for name, kind, held in _whole(mains, pool):
        found.append(Lineup(name, kind, held))
        found += _one_camp(name, kind, held, mains, camp_of_role) if mixed else []
    for member in pool:
        if member.kind == EXPLOITER:
            found.append(Lineup(member.name, EXPLOITER, {**mains, **dict.fromkeys(member.roles, member.name)}))
    own = learner.role if len(mains) > 1 else None  # where there is but one role, others hold it too
    return [each for each in found if each.kind == MAIN or _differs(each.by_role, mains, own)]


def _whole(mains: Mapping[str, str], pool: Sequence[Member]) -> list[tuple[str, str, dict[str, str]]]:
    """Name, kind and holders of the roles: past selves that were saved after the same round, and each anchor."""
    born = sorted({member.born for member in pool if member.kind == PAST})
    saved = {round_: [each for each in pool if each.kind == PAST and each.born == round_] for round_ in born}
    past = [
        (generation(round_), PAST, {role: by_role(members, [role], mains[role])[role] for role in mains})
        for round_, members in saved.items()
    ]
    return [*past, *((each.name, ANCHOR, dict.fromkeys(mains, each.name)) for each in pool if each.kind == ANCHOR)]


def generation(born: int) -> str:
    """What the past selves that were saved after so many rounds are called together."""
    return f"past_{born}"


def _one_camp(
    name: str, kind: str, held: Mapping[str, str], mains: Mapping[str, str], camp_of_role: Mapping[str, str]
) -> list[Lineup]:
    camps = dict.fromkeys(camp_of_role[role] for role in mains)
    if len(camps) == 1:
        return []
    return [
        Lineup(
            f"{name} as {camp}",
            kind,
            {role: held[role] if camp_of_role[role] == camp else main for role, main in mains.items()},
        )
        for camp in camps
    ]


def _differs(held: Mapping[str, str], mains: Mapping[str, str], own: str | None) -> bool:
    """Whether anybody but the main agents sits in a role other than the learner's own."""
    return any(held[role] != main for role, main in mains.items() if role != own)


def priority(win_rate: float, weighting: str, exponent: float) -> float:
    """How much a lineup is worth playing among, from how often the learner wins there (0 to 1)."""
    if weighting == HARD:
        return float((1 - win_rate) ** exponent)
    if weighting == EVEN:
        return float((win_rate * (1 - win_rate)) ** exponent)
    return 1.0


def chances(lineups: Sequence[Lineup], win_rate: Callable[[str], float], config: LeagueConfig) -> Floats:
    """How likely each lineup is drawn, (lineups,), summing to 1.

    Each kind has its share, shared out in proportion to the priorities within it; the shares of kinds of which there is
    none go to the others. win_rate: the learner's, by the name of a lineup.
    """
    shares = {
        MAIN: config.self_share,
        PAST: config.past_share,
        EXPLOITER: config.exploiter_share,
        ANCHOR: config.anchor_share,
    }
    found = np.zeros(len(lineups))
    for kind, share in shares.items():
        places = [place for place, each in enumerate(lineups) if each.kind == kind]
        if not places:
            continue
        worth = [priority(win_rate(lineups[place].name), config.weighting, config.exponent) for place in places]
        total = sum(worth)
        found[places] = share * np.array(worth) / total if total > 0 else share / len(places)
    total = found.sum()
    return found / total if total > 0 else np.full(len(lineups), 1 / len(lineups))


def draw(lineups: Sequence[Lineup], chance: Floats, count: int, seed: Sequence[int]) -> list[tuple[Lineup, int]]:
    """So many lineups, each with how often it was drawn, in their order.

    Systematic sampling (Madow 1949): one number is drawn, and the others follow at even distances, so that each is
    drawn as often as its chance says, rounded up or down.
    """
    offset = np.random.default_rng(list(seed)).random()
    ends = np.cumsum(chance)
    places = np.searchsorted(ends / ends[-1], (offset + np.arange(count)) / count, side="right")
    drawn = np.bincount(places.clip(0, len(lineups) - 1), minlength=len(lineups))
    return [(lineup, int(times)) for lineup, times in zip(lineups, drawn, strict=True) if times]


def match(
    learner: Learner,
    mains: Mapping[str, str],
    pool: Sequence[Member],
    camp_of_role: Mapping[str, str],
    win_rate: Callable[[str], float],
    config: LeagueConfig,
    seed: Sequence[int],
) -> list[tuple[Lineup, int]]:
    """The lineups of a learner's round, each with its weight."""
    found = candidates(learner, mains, pool, camp_of_role, mixed=config.mixed)
    return draw(found, chances(found, win_rate, config), config.lineups, seed)
