"""How well roles can be inferred from play: games of one agent in every seat, observed from all seats turn by turn.

Scores are frames with a line for each observer and group: `by` says what the group is ("all", "turn", "true role"),
`log_loss` is in nats and `brier` from 0 to 2, each with its interval and the number of `seats`. Lines by "calibration"
have the mean chance `claimed`, how often it was `true`, and the number of `claims`. Only Riverbed Hunt has deduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.worlds import beliefs

from ..files import digest, frame_of, records, writable_folder
from ..playing.plan import Plan
from ..playing.play import watch
from ..statistics import clustered_mean, clustered_rate, columns
from .folder import Folder

if TYPE_CHECKING:
    import pandas as pd

MODELS = {"deduction": "playing", "uniform choice": "uniform"}  # by observer: the model of others' choices
ALL, BY_TURN, BY_ROLE, CALIBRATION = "all", "turn", "true role", "calibration"
NOT_KNOWN = -1
NUM_ENVS = 500  # games played side by side
SHOWN = 95  # percentile of game lengths: later turns are scored, but get no line of their own
BINS = 10  # of calibration: of equal width, from 0 to 1
SMALLEST = 1e-9  # a chance below counts as this much, so that one certain mistake costs 20.7 nats, not infinity
ROUNDING = 1e-3  # by which chances may miss a sum of 1, or be below 0
FOLDER = "inference"
COLUMNS = ("truth", "counted", "game", "turn", "seer")  # of looks, beside the beliefs

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Looks:
    """What seats believed at the beginning of turns: a row for each turn and seat.

    beliefs: by observer, chances (n, seats, roles); truth: (n, seats), role numbers; counted: (n, seats), whose roles
    the seat didn't know; game, turn and seer: (n,), the game's number, the turn that begins, the seat that looks.
    """

    beliefs: Mapping[str, Floats]
    truth: Whole
    counted: npt.NDArray[np.bool_]
    game: Whole
    turn: Whole
    seer: Whole

    @classmethod
    def together(cls, parts: Sequence[Looks]) -> Looks:
        """Parts one after the other."""
        beliefs = {name: np.concatenate([part.beliefs[name] for part in parts]) for name in parts[0].beliefs}
        return cls(beliefs, *(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))

    def of(self, among: npt.NDArray[np.bool_]) -> Looks:
        """Only these rows."""
        beliefs = {name: chances[among] for name, chances in self.beliefs.items()}
        return Looks(beliefs, *(getattr(self, name)[among] for name in COLUMNS))


# --- scores -----------------------------------------------------------------------------------------------------------


def score(looks: Looks, roles: Sequence[str], **about: Any) -> pd.DataFrame:
    """Score beliefs about roles against the roles that were; intervals are clustered by game.

    about: columns that all lines share. Raises OptionError if beliefs aren't chances, or if no seat counts.
    """
    import pandas as pd

    row, seat = np.nonzero(looks.counted)
    if not len(row):
        raise OptionError("no seat counts: there is nothing to score")
    truth, game = looks.truth[row, seat], looks.game[row]
    groups = {ALL: np.zeros(len(row), np.int64), BY_TURN: _turns(looks, row), BY_ROLE: truth}
    lines = [
        {**about, "observer": observer, **line}
        for observer, chances in looks.beliefs.items()
        for line in _scored(_chances(chances[row, seat], len(roles)), truth, game, groups, roles)
    ]
    return pd.DataFrame.from_records(lines)


def _turns(looks: Looks, row: Whole) -> Whole:
    """The turn of each row, 0 if few games get that far."""
    games, place = np.unique(looks.game, return_inverse=True)
    last = np.zeros(len(games), np.int64)
    np.maximum.at(last, place, looks.turn)
    turn: Whole = looks.turn[row]
    return np.where(turn <= np.percentile(last, SHOWN), turn, 0)


def _scored(
    chances: Floats, truth: Whole, game: Whole, groups: Mapping[str, Whole], roles: Sequence[str]
) -> Iterator[dict[str, Any]]:
    given = chances[np.arange(len(truth)), truth]
    log_loss = -np.log(np.maximum(given, SMALLEST))
    brier = (chances**2).sum(axis=1) - 2 * given + 1
    for by, group in groups.items():
        for each in np.unique(group[group > 0] if by == BY_TURN else group).tolist():
            among = group == each
            yield {
                "by": by,
                "group": "" if by == ALL else roles[each] if by == BY_ROLE else str(each),
                **columns("log_loss", clustered_mean(log_loss[among], game[among])),
                **columns("brier", clustered_mean(brier[among], game[among])),
                "seats": int(among.sum()),
            }
    claimed, games = chances.ravel(), np.repeat(game, len(roles))
    true = (truth[:, None] == np.arange(len(roles))).ravel()
    number = np.minimum((claimed * BINS).astype(np.int64), BINS - 1)
    for each in np.unique(number).tolist():
        among = number == each
        happened = clustered_rate(true[among], games[among])
        about = {"by": CALIBRATION, "group": str(each), "claimed": float(claimed[among].mean())}
        yield {**about, **columns("true", happened), "claims": happened.games}


def _chances(beliefs: Floats, roles: int) -> Floats:
    """Beliefs about the seats that count, (n, roles), with a sum of 1."""
    chances = beliefs.astype(np.float64)
    if chances.shape[1] != roles:
        raise OptionError(f"beliefs are over {chances.shape[1]} roles, but there are {roles}")
    sums = chances.sum(axis=1)
    if not (np.isfinite(sums).all() and (chances >= -ROUNDING).all() and (np.abs(sums - 1) <= ROUNDING).all()):
        raise OptionError("beliefs must be chances: 0 or more, with a sum of 1 over the roles of a seat")
    checked: Floats = np.clip(chances / sums[:, None], 0.0, 1.0)
    return checked


# --- observation ------------------------------------------------------------------------------------------------------


def observed(plan: Plan) -> tuple[str, ...]:
    """The agents whose play is observed: the reference, and all mirrored agents except random play."""
    return tuple(dict.fromkeys([plan.reference, *(agent for agent in plan.mirrored if agent != UNIFORM.name)]))


def look(game: Game, plan: Plan, agent: Agent, count: int, progress: Callable[[int], None]) -> Looks:
    """Observe the first games of the plan's seed with one agent in every seat: the same deals for every agent."""
    parts: list[Looks] = []
    for first in range(0, plan.inference_games, NUM_ENVS):
        numbers = np.arange(first, min(first + NUM_ENVS, plan.inference_games))
        batch = Batch(game, len(numbers), seed=plan.seed, auto_reset=False, num_players=count, **plan.options)
        last = np.zeros(batch.num_envs, np.int64)
        for _ in watch(batch, [agent], np.zeros((batch.num_envs, batch.num_players), np.int64), numbers):
            turn = turns_begun(batch)
            indices = np.flatnonzero(batch.acting & (turn > last))
            last = turn
            if len(indices):
                parts += [_from_seat(batch, seat, indices, turn[indices]) for seat in range(batch.num_players)]
        progress(len(numbers))
    return Looks.together(parts)


def turns_begun(batch: Batch) -> Whole:
    """The turns begun in each game, (n,)."""
    begun: Whole = batch.games["table"]["turn"].astype(np.int64)
    return begun


def _from_seat(batch: Batch, seat: int, indices: Whole, turn: Whole) -> Looks:
    """What a seat believes in some games."""
    views = batch.look(seat)[indices]
    believed = {name: beliefs(batch.game, views, batch.params, model) for name, model in MODELS.items()}
    truth = batch.game.roles_of(batch.games)[indices].astype(np.int64)
    numbers, seer = batch.game_number[indices].copy(), np.full(len(indices), seat, np.int64)
    return Looks(believed, truth, unknown_to(views, batch.num_players), numbers, turn, seer)


def unknown_to(views: npt.NDArray[np.void], num_players: int) -> npt.NDArray[np.bool_]:
    """Which seats' roles aren't known to each view's seat, (n, seats): not its own, not revealed, not shown to it."""
    shown = np.maximum(views["table"]["role"], views["private"]["looked"])[:, :num_players]
    unknown = np.asarray(shown == NOT_KNOWN)
    unknown[np.arange(len(views)), views["seat"]] = False
    return unknown


# --- files ------------------------------------------------------------------------------------------------------------


class RoleScores:
    """The role inference of a folder, one file for each player count: the scores there, and the games still to play.

    There is none in games without deduction, and none over several variants.
    """

    def __init__(self, game: Game, folder: Folder) -> None:
        self.game = game
        self.folder = folder
        self.plan = folder.identity.plan
        wanted = game.deduction is not None and self.plan.inference_games and self.plan.variants == ({},)
        self.players = self.plan.players if wanted else ()

    def left(self) -> list[int]:
        """The player counts that aren't played yet."""
        return [count for count in self.players if self._kept(count) is None]

    def play(
        self, agents: Sequence[Agent], progress: Callable[[int, str, int], None] = lambda count, agent, games: None
    ) -> None:
        """Play what is left and write it; `progress` gets player count, agent, and the games since its last call."""
        by_name = {agent.name: agent for agent in agents}
        for count in self.left():
            rows: list[dict[str, Any]] = []
            for name in observed(self.plan):
                looks = look(self.game, self.plan, by_name[name], count, partial(progress, count, name))
                rows += records(score(looks, self.game.roles, num_players=count, observed=f"all {name}"))
            writable_folder(self._path(count).parent)
            write_json(self._path(count), {**self._key(), "rows": rows})

    def frame(self) -> pd.DataFrame:
        """All scores written so far, by player count."""
        whole: pd.DataFrame = frame_of(row for count in self.players for row in self._kept(count) or [])
        return whole

    def _path(self, count: int) -> Path:
        return self.folder.path / FOLDER / f"{count}.json"

    def _key(self) -> dict[str, Any]:
        """What the scores depend on beside the folder's identity: the games, the sources of deduction and scoring."""
        sources = [Path(__file__), *sorted(Path(self.game.deduction.__file__).parent.rglob("*.py"))]
        return {"games": self.plan.inference_games, "sources": digest(sources)}

    def _kept(self, count: int) -> list[dict[str, Any]] | None:
        """The scores of a player count; None if there are none, or of other games or sources."""
        try:
            kept = read_json(self._path(count), "scores")
            return kept["rows"] if {**kept, "rows": 0} == {**self._key(), "rows": 0} else None
        except (OptionError, LookupError, TypeError):
            return None  # no file, or a damaged one: play it again
