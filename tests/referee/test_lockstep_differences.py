"""Lock-step overlooks no difference between engine and referee: each planted one is found and named."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from referee.adapters import deep_river as river_adapter
from referee.adapters import river_rats as rats_adapter
from referee.adapters import riverside as riverside_adapter
from referee.adapters.deep_river import DeepRiver
from referee.adapters.river_rats import RiverRats
from referee.adapters.riverbed_hunt import RiverbedHunt
from referee.adapters.riverside import Riverside
from referee.deep_river import referee as deep_river
from referee.lockstep import LEGAL, Adapter, Lockstep, Outcome, agreed, by_game
from referee.river_rats import referee as river_rats
from referee.riverbed_hunt import referee as riverbed_hunt
from referee.riverside import referee as riverside
from riverbed_env.kernels.compile import compiled

DAMAGED = 2  # the game of a batch that is damaged
OPTIONS: dict[type[Adapter], dict[str, Any]] = {
    RiverbedHunt: {"num_players": 7, "layout": "random"},
    RiverRats: {},
    DeepRiver: {},
    Riverside: {"num_players": 2},
}
REFEREES: dict[type[Adapter], Any] = {
    RiverbedHunt: riverbed_hunt.Referee,
    RiverRats: river_rats.Referee,
    DeepRiver: deep_river.Referee,
    Riverside: riverside.Referee,
}


def play(kind: type[Adapter], games: int, **options: Any) -> Outcome:
    """Games in lock-step with a seed that only these tests use."""
    return Lockstep(kind, 3, range(games), **OPTIONS[kind] | options).play()


# --- a changed record -------------------------------------------------------------------------------------------------

NOT_DAMAGED: dict[type[Adapter], set[str]] = {  # results, and facts that depend on several fields
    RiverbedHunt: {"the returns"},
    DeepRiver: {"the returns"},
    RiverRats: {"a joker in the collective hand", "the returns"},
    Riverside: {"the seats pending in this phase", "the bands", "the returns"},
}
MOST_ENTRIES = 40  # the most entries of a field that are tried
DECISIONS = 4  # before the damage; in Riverside a step begins here


def after_decisions(kind: type[Adapter]) -> Lockstep:
    """Games in lock-step after some decisions."""
    options = {"num_players": 3, "mode": "advanced"} if kind is RiverRats else {}
    lockstep = Lockstep(kind, 3, range(4), **OPTIONS[kind] | options)
    for _ in range(DECISIONS):
        lockstep._step()
        lockstep._compare()
    assert lockstep.outcome.disagreements == []
    return lockstep


def columns_of(lockstep: Lockstep) -> Iterator[npt.NDArray[Any]]:
    """Every field of the records and every other engine array that is compared, with one entry per game."""
    yield from (lockstep.batch.seat, lockstep.batch.action_mask)
    if isinstance(lockstep.adapter, RiverRats):
        yield lockstep.adapter.compared
    yield from fields_of(lockstep.batch.games)


def fields_of(records: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    for name in records.dtype.names or ():
        field = records[name]
        yield from fields_of(field) if field.dtype.names else [field]


def facts_of(lockstep: Lockstep) -> dict[str, Any]:
    """The engine's values of all facts of the damaged game."""
    adapter, num_envs = lockstep.adapter, lockstep.batch.num_envs
    names = adapter.of_referee(DAMAGED, lockstep.played[DAMAGED].referee)
    columns = {**adapter.of_engine(names), **adapter.engine_slow_facts()}
    return by_game(columns, num_envs)[DAMAGED]


def damages(lockstep: Lockstep) -> dict[str, tuple[npt.NDArray[Any], tuple[int, ...], Any]]:
    """By fact, a column, a place in it and another value that changes this fact alone."""
    by_fact: dict[str, tuple[npt.NDArray[Any], tuple[int, ...], Any]] = {}
    right = facts_of(lockstep)
    for column in columns_of(lockstep):
        places = [(DAMAGED, *place) for place in np.ndindex(column.shape[1:])]
        for place in places[:: 1 + len(places) // MOST_ENTRIES]:
            before = column[place]
            for other in (before + column.dtype.type(1), before - column.dtype.type(1)):
                column[place] = other
                with suppress(IndexError, OverflowError):  # from a value that no fact can show
                    now = facts_of(lockstep)
                    changed = [name for name in right if now[name] != right[name]]
                    if len(changed) == 1:
                        by_fact.setdefault(changed[0], (column, place, other))
                column[place] = before
    return by_fact


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("kind", NOT_DAMAGED)
def test_a_changed_record_is_found_by_every_fact(kind: type[Adapter]) -> None:
    lockstep = after_decisions(kind)
    by_fact = damages(lockstep)
    assert by_fact.keys() | NOT_DAMAGED[kind] == facts_of(lockstep).keys()
    for fact, (column, place, other) in by_fact.items():
        before = column[place]
        column[place] = other
        lockstep._compare()
        column[place] = before
        (first,) = lockstep.outcome.disagreements
        assert (first.fact, first.number, first.decision) == (fact, DAMAGED, DECISIONS)
        lockstep.outcome.disagreements.clear()
        lockstep.played[DAMAGED].open = True


# --- a wrong rule -----------------------------------------------------------------------------------------------------

Wrong = Callable[[Any], Any]  # makes the wrong thing from the right one


class Fault(NamedTuple):
    """A wrong rule of a referee or a wrong table of an adapter, and the facts that reveal it.

    facts: all of these facts; or part of the name of one of them, "" for any.
    """

    kind: type[Adapter]
    owner: type | ModuleType
    name: str
    wrong: Wrong
    facts: set[str] | str
    games: int = 12
    options: dict[str, Any] = {}  # noqa: RUF012  # nobody changes it


def no_returns(right: Any) -> Any:
    return lambda self, referee: [0.0] * self.seats


def without(action: tuple[Any, ...]) -> Wrong:
    return lambda right: lambda self: right(self) - {action}


FAULTS = {
    "a forgotten swim": Fault(RiverbedHunt, riverbed_hunt.Referee, "legal", without(("swim",)), {LEGAL}, 60),
    "other returns": Fault(DeepRiver, DeepRiver, "returns", no_returns, {"the returns"}),
    "a place counted from the wrong side": Fault(
        DeepRiver, river_adapter, "seen_from", lambda right: lambda side, place: place, "", 12, {"first": "eel"}
    ),
    "another reshuffle": Fault(
        *(RiverRats, rats_adapter.RatsChance, "shuffle_cards"),
        lambda right: lambda self, cards: self.stream.shuffled_downwards(cards[::-1]),
        *("", 60),
    ),
    "a seat no longer pending": Fault(
        *(Riverside, Riverside, "_engine_pending"),
        lambda right: lambda self: right(self) & [True, False],
        *({"the seats pending in this phase"}, 1),
    ),
    "another band": Fault(
        Riverside, riverside_adapter, "band", lambda right: lambda params, points: 9, {"the bands"}, 1
    ),
}


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str, Wrong], None]:
    """A function that replaces an owner's attribute by `wrong` of it, until the test ends."""
    return lambda owner, name, wrong: monkeypatch.setattr(owner, name, wrong(getattr(owner, name)))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_wrong_rule_is_found(fault: Fault, plant: Callable[[Any, str, Wrong], None]) -> None:
    plant(fault.owner, fault.name, fault.wrong)
    games = fault.games if compiled() else min(fault.games, 12)
    differing = {each.fact for each in play(fault.kind, games, **fault.options).disagreements}
    if isinstance(fault.facts, set):
        assert differing == fault.facts
    else:
        assert any(fault.facts in fact for fact in differing)


@pytest.mark.parametrize(
    ("kind", "action", "engine"),
    [
        (DeepRiver, ("token", 1), "token 0, token 1, token 2"),
        (RiverRats, ("card", "AS"), "card AH, card AS, card AC, card AD"),
    ],
)
def test_a_forgotten_action_is_named(
    kind: type[Adapter], action: tuple[Any, ...], engine: str, plant: Callable[[Any, str, Wrong], None]
) -> None:
    plant(REFEREES[kind], "legal", without(action))
    first = play(kind, 1).disagreements[0]
    there = engine.replace(f"{' '.join(map(str, action))}, ", "")
    assert (first.fact, first.engine, first.referee) == (LEGAL, engine, there)


@pytest.mark.parametrize(
    ("kind", "first_action"), [(RiverbedHunt, ""), (RiverRats, ""), (DeepRiver, "1: token "), (Riverside, "die ")]
)
def test_a_referee_that_gives_up_is_a_disagreement(
    kind: type[Adapter], first_action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(self: Any, *answer: Any) -> None:
        raise ValueError("the rules don't allow it")

    monkeypatch.setattr(REFEREES[kind], "play", give_up)
    options = {"first": "eel"} if kind is DeepRiver else {"num_players": 4}
    outcome = play(kind, 3, **options)
    assert len(outcome.disagreements) == 3
    first = outcome.disagreements[0]
    assert (first.number, first.decision) == (0, 1)
    assert first.options.items() >= {name: str(value) for name, value in options.items()}.items()
    assert first.fact.startswith(first_action)
    with pytest.raises(pytest.fail.Exception, match=r"seed 3, game 0, after 1 decisions \(.*the rules don't allow it"):
        agreed(outcome)
    assert "the rules don't allow it" in first.referee


@pytest.mark.parametrize(
    ("kind", "owner", "name", "wrong"),
    [
        (RiverbedHunt, RiverbedHunt, "_names", lambda right: lambda self, counts: right(self, counts) * 2),
        (RiverRats, rats_adapter, "CARDS", lambda right: ["2H", *right[1:-1], "2H"]),
        (DeepRiver, river_adapter, "EFFECTS", lambda right: ("tilt", "drift", "swap", "bear", "double")),
        (Riverside, riverside_adapter, "Deal", lambda right: lambda tiles: right((1, *tiles[1:]))),
    ],
)
def test_a_deal_that_the_rules_forbid_is_a_disagreement(
    kind: type[Adapter], owner: Any, name: str, wrong: Wrong, plant: Callable[[Any, str, Wrong], None]
) -> None:
    plant(owner, name, wrong)
    assert {each.fact for each in play(kind, 12).disagreements} == {"the deal"}


def test_a_fact_that_one_side_lacks_is_a_mistake_of_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = DeepRiver.referee_facts
    monkeypatch.setattr(DeepRiver, "referee_facts", lambda self, index, referee: facts(self, index, referee) | {"?": 1})
    with pytest.raises(ValueError, match="\\?"):
        play(DeepRiver, 1)
    assert by_game({}, 2) == [{}, {}]
