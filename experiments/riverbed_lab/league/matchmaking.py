"""The learners of a league, the agents in its pools, and the lineups that are drawn around a learner.

Prioritised fictitious self-play (PFSP) of AlphaStar (Vinyals et al. 2019, "Grandmaster level in StarCraft II using
multi-agent reinforcement learning"), with lineups in place of single opponents. Everything here is a pure function of
names and numbers: workers and learners may run elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.schema import NOTHING_ELSE, Count

from .config import PER_ROLE, LeagueConfig, roles_dealt

MAIN, PAST, EXPLOITER, ANCHOR = "main", "past", "exploiter", "anchor"  # kinds of learners, members and lineups
MAINS = "mains"  # the lineup of the current main agents
PRIOR_GAMES = 2.0  # at the learner's overall win rate: the prior of a lineup
FORGOTTEN = 0.5  # games: counts that decay below this are dropped

Floats = npt.NDArray[np.float64]
Tally = dict[str, dict[str, tuple[float, float]]]  # wins and games by role and lineup


@dataclass(frozen=True)
class Learner:
    """A main agent or an exploiter: its role (None: all) and the player counts that deal it."""

    name: str
    kind: str  # MAIN or EXPLOITER
    role: str | None
    players: tuple[int, ...]


@dataclass(frozen=True)
class Member:
    """An agent in the pools: the roles it may hold, and the number of rounds finished when it was saved.

    name: of its policy in the league's folder, or the spec of an anchor.
    """

    __pydantic_config__ = NOTHING_ELSE

    name: str
    kind: str
    roles: tuple[str, ...]
    born: Count


def learners_of(config: LeagueConfig) -> tuple[Learner, ...]:
    """All learners, main agents first. A role that no player count deals has none."""
    training = config.training
    dealt = {count: roles_dealt(training, count) for count in training.counts()}
    with_role = {role: tuple(count for count in dealt if role in dealt[count]) for role in config.game.roles}
    mains = [Learner("main", MAIN, None, training.counts())]
    if config.policies == PER_ROLE:
        mains = [Learner(f"main_{role}", MAIN, role, counts) for role, counts in with_role.items() if counts]
    exploiters = [
        Learner(f"exploiter_{role}_{config.exploiters[:place].count(role) + 1}", EXPLOITER, role, with_role[role])
        for place, role in enumerate(config.exploiters)
    ]
    return (*mains, *exploiters)


def by_role(members: Sequence[Member], roles: Sequence[str], otherwise: str) -> dict[str, str]:
    """The member that holds each role, by name; `otherwise` for roles without one, which aren't dealt."""
    return {role: next((each.name for each in members if role in each.roles), otherwise) for role in roles}


def counted(tally: Tally, *, role: str | None = None, lineup: str | None = None) -> tuple[float, float]:
    """Wins and games in one role or all, among one lineup or all."""
    counts = [
        count
        for own, lineups in tally.items()
        for among, count in lineups.items()
        if role in (None, own) and lineup in (None, among)
    ]
    return sum(wins for wins, _ in counts), sum(games for _, games in counts)


def win_rate(tally: Tally, lineup: str) -> float:
    """The win rate among a lineup, 0 to 1; without games the overall one."""
    wins, games = counted(tally)
    overall = (wins + 1) / (games + 2)
    wins, games = counted(tally, lineup=lineup)
    return (wins + PRIOR_GAMES * overall) / (games + PRIOR_GAMES)


def added(old: Tally, decay: float, new: Tally) -> Tally:
    """The counts of a round added to older ones, which `decay` first."""
    total: Tally = {}
    for tally, factor in ((old, decay), (new, 1.0)):
        for role, lineups in tally.items():
            for lineup, (wins, games) in lineups.items():
                if games * factor >= FORGOTTEN:
                    before = total.setdefault(role, {}).get(lineup, (0.0, 0.0))
                    total[role][lineup] = (before[0] + wins * factor, before[1] + games * factor)
    return total


@dataclass(frozen=True)
class Lineup:
    """The member that holds each role, by name. name: of the lineup; kind: of its members beside the main agents."""

    name: str
    kind: str
    by_role: Mapping[str, str]


def candidates(
    learner: Learner, mains: Mapping[str, str], pool: Sequence[Member], camp_of_role: Mapping[str, str]
) -> list[Lineup]:
    """All lineups a learner can be given.

    These are the main agents; past selves that were saved together, or an anchor, in all seats and in those of
    one camp among the main agents; an exploiter in its role among the main agents. Lineups that seat only main
    agents beside this learner are left out. An exploiter learns against the main agents alone.
    mains: who holds each role now; pool: past selves, exploiters and anchors.
    """
    lineups = [Lineup(MAINS, MAIN, mains)]
    if learner.kind == EXPLOITER:
        return lineups
    for name, kind, held in _whole(mains, pool):
        lineups.append(Lineup(name, kind, held))
        lineups += _one_camp(name, kind, held, mains, camp_of_role)
    for member in pool:
        if member.kind == EXPLOITER:
            lineups.append(Lineup(member.name, EXPLOITER, {**mains, **dict.fromkeys(member.roles, member.name)}))
    own = learner.role if len(mains) > 1 else None  # in a game of one role, the other seats hold it too
    return [each for each in lineups if each.kind == MAIN or _differs(each.by_role, mains, own)]


def _whole(mains: Mapping[str, str], pool: Sequence[Member]) -> list[tuple[str, str, dict[str, str]]]:
    """Name, kind and holders of the roles: past selves saved after the same round, and each anchor."""
    born = sorted({member.born for member in pool if member.kind == PAST})
    saved = {round_: [each for each in pool if each.kind == PAST and each.born == round_] for round_ in born}
    past = [
        (generation(round_), PAST, {role: by_role(members, [role], mains[role])[role] for role in mains})
        for round_, members in saved.items()
    ]
    return [*past, *((each.name, ANCHOR, dict.fromkeys(mains, each.name)) for each in pool if each.kind == ANCHOR)]


def generation(born: int) -> str:
    """The name of the past selves that were saved after `born` rounds."""
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
    """Whether a role other than the learner's own is held by another than the main agent."""
    return any(held[role] != main for role, main in mains.items() if role != own)


def chances(lineups: Sequence[Lineup], rate: Callable[[str], float], config: LeagueConfig) -> Floats:
    """The probability of drawing each lineup, (lineups,), summing to 1.

    Each kind has its share, divided in proportion to (1 - rate)^exponent within it; the shares of kinds without a
    lineup go to the others. rate: the learner's win rate, by a lineup's name.
    """
    shares = {
        MAIN: config.self_share,
        PAST: config.past_share,
        EXPLOITER: config.exploiter_share,
        ANCHOR: config.anchor_share,
    }
    chance = np.zeros(len(lineups))
    for kind, share in shares.items():
        places = [place for place, each in enumerate(lineups) if each.kind == kind]
        if not places:
            continue
        weights = np.array([(1 - rate(lineups[place].name)) ** config.exponent for place in places])
        total = weights.sum()
        chance[places] = share * weights / total if total > 0 else share / len(places)
    total = chance.sum()
    return chance / total if total > 0 else np.full(len(lineups), 1 / len(lineups))


def draw(lineups: Sequence[Lineup], chance: Floats, count: int, seed: Sequence[int]) -> list[tuple[Lineup, int]]:
    """Draw `count` lineups: each that was drawn, with how often, in their order.

    Systematic sampling (Madow 1949): one number is drawn, and the others follow at even distances, so that each lineup
    is drawn its expected number of times, rounded up or down.
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
    tally: Tally,
    config: LeagueConfig,
    seed: Sequence[int],
) -> list[tuple[Lineup, int]]:
    """The lineups of a learner's round, each with its weight. tally: the learner's."""
    lineups = candidates(learner, mains, pool, camp_of_role)
    return draw(lineups, chances(lineups, lambda lineup: win_rate(tally, lineup), config), config.lineups, seed)
