"""RS-4.1: the end of the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from .pack import COLOURS, Achievements, Captain
from .sheet import Sheet


@dataclass(frozen=True)
class Result:
    """RS-4.1: how a game ended; lists by seat."""

    boat_points: list[dict[str, int]]
    captain_points: list[int]
    captain_rewards: list[int]  # +15, -15 or 0
    scores: list[int]  # final scores
    winners: set[int]
    bands: list[int]  # 0 for the lowest achievement, 9 for the highest


def result_of(sheets: Sequence[Sheet], captain: Captain, achievements: Achievements, *, extension: bool) -> Result:
    """RS-4.1: final = boats + captain points + the captain's reward."""
    boat_points = [{colour: sheet.boat_points(colour) for colour in COLOURS} for sheet in sheets]
    captain_points = [sheet.captain_points() for sheet in sheets]
    rewards = captain_rewards(captain_points, captain)
    scores = [
        sum(boats.values()) + points + reward for boats, points, reward in zip(boat_points, captain_points, rewards)
    ]
    return Result(
        boat_points=boat_points,
        captain_points=captain_points,
        captain_rewards=rewards,
        scores=scores,
        winners=winners(scores, captain_points, achievements, extension=extension),
        bands=[band(score, achievements, extension=extension) for score in scores],
    )


def captain_rewards(captain_points: Sequence[int], captain: Captain) -> list[int]:
    """RS-4.1: most/fewest +15/-15, ties in full, so all tied gives 0; solo +15 from 50, else -15."""
    if len(captain_points) == 1:
        return [captain.reward if captain_points[0] >= captain.solo_from else -captain.reward]
    most, fewest = max(captain_points), min(captain_points)
    return [captain.reward * (points == most) - captain.reward * (points == fewest) for points in captain_points]


def winners(
    scores: Sequence[int], captain_points: Sequence[int], achievements: Achievements, *, extension: bool
) -> set[int]:
    """RS-4.1: the highest score, then the most captain points, then shared; solo from 300 points, 25 off first."""
    if len(scores) == 1:
        return {0} if _checked_score(scores[0], achievements, extension=extension) >= achievements.solo_win else set()
    standings = list(zip(scores, captain_points))
    return {seat for seat, standing in enumerate(standings) if standing == max(standings)}


def band(score: int, achievements: Achievements, *, extension: bool) -> int:
    """RS-4.1: the achievement, regardless of player count: how many of the bands' beginnings are reached."""
    checked = _checked_score(score, achievements, extension=extension)
    return sum(checked >= begin for begin in achievements.bands)


def _checked_score(score: int, achievements: Achievements, *, extension: bool) -> int:
    """RS-4.1: with the extension 25 is taken off before the solo win and the bands are looked up."""
    return score - achievements.extension if extension else score
