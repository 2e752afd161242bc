"""What claims do in recorded games of Riverbed Hunt: true or false, what others then believe, when lies come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import take_records
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.deduction import Deduction
from riverbed_env.games.riverbed_hunt.rules.talk import claim_at, is_of_spaces
from riverbed_env.games.riverbed_hunt.rules.vocab import Question, Role
from riverbed_env.games.riverbed_hunt.words.claims import claim_of

from ..evaluation.role_inference import WITH_DEDUCTION, turns_begun, unknown_to
from ..playing.statements import knows, seen_by_all, truth
from ..statistics import Mean, Rate, clustered_mean, clustered_rate
from .sources import Found
from .walking import Moment, moments

LEAST = 1e-9  # a chance below counts as this much

Numbers = npt.NDArray[np.float64]


@dataclass
class Said:
    """A claim that is true or false, and what came of it.

    place: of its game; name: who spoke, as `role`; moved: how far the others' posteriors moved, as the mean total
    variation over listeners and the seats they don't know; learnt: how much log-loss about these seats fell, in nats;
    known: whether the speaker knows the truth, so that a false claim is a lie; turn: when it was said; found: the turn
    in which the table showed that it is false, None until then.
    """

    place: int
    name: str
    role: str
    verb: int
    about: int
    tile: int
    true: bool
    known: bool
    moved: float
    learnt: float
    turn: int
    found: int | None = None


@dataclass(frozen=True)
class ClaimRow:
    """The claims of an agent in one role ("any role": in all) that are true or false.

    false: how many are; lies: how many are, and the speaker knew it; moved and learnt: of true and of false claims, see
    `Said`; believed: how many false claims took the listeners away from the truth; found: how many the table showed to
    be false before the end, and after how many turns.
    """

    agent: str
    role: str
    games: int
    claims: int
    false: Rate
    lies: Rate
    moved: dict[str, Mean]
    learnt: dict[str, Mean]
    believed: Rate
    found: Rate
    turns: Mean


@dataclass
class _Open:
    """The listeners' posteriors before a claim."""

    count: int
    turn: int
    before: Numbers


def claim_rows(found: Found) -> list[ClaimRow]:
    """The claims of judged seats, by agent and role; none in games without talk."""
    said = list(claims_of(found))
    games = {
        (name, place)
        for place, seats in enumerate(found.seats)
        for name in {found.games[place].agents[s] for s in seats}
    }
    rows = []
    for name in dict.fromkeys(each.name for each in said):
        mine = [each for each in said if each.name == name]
        played = sum(1 for other, _ in games if other == name)
        for role in ("any role", *dict.fromkeys(each.role for each in mine)):
            rows.append(_row(name, role, played, [each for each in mine if role in ("any role", each.role)]))
    return rows


def claims_of(found: Found) -> Iterator[Said]:
    """Every claim of a judged seat that is true or false, in the order of games' groups."""
    told = [place for place, game in enumerate(found.games) if _talks(game)]
    games = [found.games[place] for place in told]
    seats = [found.seats[place] for place in told]
    lies: dict[int, list[Said]] = {}
    waiting: dict[int, _Open] = {}
    for moment in moments(games):
        for claim in _claimed(moment, waiting, games):
            lies.setdefault(claim.place, []).append(claim)
        waiting = _listen(moment, seats)
        _find_out(moment, lies)
    yield from (claim for place in sorted(lies) for claim in lies[place])


def _talks(game: RecordedGame) -> bool:
    return game.environment.rpartition("_v")[0] in WITH_DEDUCTION and game.options.get("talk", "none") != "none"


def _listen(moment: Moment, judged: Sequence[Sequence[int]]) -> dict[int, _Open]:
    """The posteriors of all listeners in games where a judged seat may now complete a claim."""
    batch = moment.batch
    table, turns = batch.games["table"], turns_begun(batch)
    indices = [
        index
        for index, seat in zip(moment.asked.tolist(), moment.seats.tolist())
        if seat in judged[int(moment.places[index])] and table["question"][index] in (Question.FLOOR, Question.ABOUT)
    ]
    counts = table["said_count"]
    beliefs = _posteriors(batch, indices)
    return {
        index: _Open(int(counts[index]), int(turns[index]), before)
        for index, before in zip(indices, beliefs, strict=True)
    }


def _posteriors(batch: Batch, indices: Sequence[int]) -> Numbers:
    """What each seat can conclude in some games, (n, listeners, seats, roles); NaN for seats it knows."""
    out = np.zeros((len(indices), batch.num_players, batch.num_players, len(batch.game.roles)))
    if indices:
        deduction = Deduction.of(batch.params)
        for listener, views in enumerate(seen_by_all(batch, take_records(batch.games, np.array(indices)))):
            out[:, listener] = deduction.roles(views)
            out[:, listener][~unknown_to(views, batch.num_players)] = np.nan
    return out


def _claimed(moment: Moment, waiting: dict[int, _Open], games: Sequence[RecordedGame]) -> Iterator[Said]:
    """The claims just made that are true or false."""
    batch, counts = moment.batch, moment.batch.games["table"]["said_count"]
    indices = [index for index, before in waiting.items() if counts[index] != before.count]
    for index, after in zip(indices, _posteriors(batch, indices), strict=True):
        record, before, place = batch.games[index], waiting[index], int(moment.places[index])
        speaker, claim = claim_of(claim_at(record["table"], 0))
        roles = batch.game.roles_of(batch.games)[index].astype(np.int64)
        true = truth(batch, record, roles, speaker, claim)
        if true is not None:
            effect = _effect(before.before, after, roles, speaker)
            yield Said(
                *(place, games[place].agents[speaker], batch.game.roles[roles[speaker]], int(claim.verb)),
                about=speaker if claim.about < 0 else claim.about,
                tile=int(record["tile_at"][claim.about]) if is_of_spaces(int(claim.verb)) else -1,
                true=true,
                known=knows(record, speaker, claim),
                moved=effect[0],
                learnt=effect[1],
                turn=before.turn,
            )


def _effect(before: Numbers, after: Numbers, roles: npt.NDArray[np.int64], speaker: int) -> tuple[float, float]:
    """How far a claim moved the others' posteriors, and how much less log-loss they have.

    before and after: (listeners, seats, roles).
    """
    counted = np.isfinite(before[:, :, 0]) & np.isfinite(after[:, :, 0])
    counted[speaker] = False
    if not counted.any():
        return 0.0, 0.0
    one, two = before[counted], after[counted]
    right = np.broadcast_to(roles, counted.shape)[counted]
    places = np.arange(len(right))
    learnt = np.log(np.maximum(LEAST, two[places, right]) / np.maximum(LEAST, one[places, right]))
    return float(np.abs(two - one).sum(axis=1).mean() / 2), float(learnt.mean())


def _find_out(moment: Moment, lies: dict[int, list[Said]]) -> None:
    """Note the turn of every lie that the table now shows to be one."""
    games, turns = moment.batch.games, turns_begun(moment.batch)
    for index, place in enumerate(moment.places.tolist()):
        for lie in lies.get(place, ()):
            if not lie.true and lie.found is None and _shows(games[index], lie):
                lie.found = int(turns[index])


def _shows(record: np.void, lie: Said) -> bool:
    """Whether everybody can see that a claim is false: its tile lies face-up, or its seat's role is public."""
    if lie.tile < 0:
        return bool(record["table"]["role"][lie.about] != Role.UNKNOWN)
    spaces = np.flatnonzero(record["tile_at"] == lie.tile)
    return any(not (int(record["table"]["face_down"]) >> int(space)) & 1 for space in spaces)


def _row(name: str, role: str, games: int, said: Sequence[Said]) -> ClaimRow:
    """The figures of some claims, with intervals over games."""
    place = np.array([each.place for each in said])
    false = np.array([not each.true for each in said])
    lies = false & np.array([each.known for each in said])
    misled = _numbers(said, "learnt") < -LEAST
    kinds = {"true": ~false, "false": false}
    numbers = {what: _numbers(said, what) for what in ("moved", "learnt")}
    means = {
        what: {kind: clustered_mean(values[among], place[among]) for kind, among in kinds.items()}
        for what, values in numbers.items()
    }
    out = np.array([each.found is not None for each in said], np.bool_)
    after = np.array([0 if each.found is None else each.found - each.turn for each in said])
    return ClaimRow(
        *(name, role, games, len(said), clustered_rate(false, place), clustered_rate(lies, place)),
        moved=means["moved"],
        learnt=means["learnt"],
        believed=clustered_rate(misled[false], place[false]),
        found=clustered_rate(out[false], place[false]),
        turns=clustered_mean(after[out], place[out]),
    )


def _numbers(said: Sequence[Said], what: str) -> Numbers:
    """A figure of each claim."""
    return np.array([getattr(each, what) for each in said], np.float64)
