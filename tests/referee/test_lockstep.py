"""Engines and referees in lock-step: every fact is the same after every decision.

`RIVERBED_VERIFY=1500 pytest tests/referee/test_lockstep.py -k "many_games and riverside"` plays 1,500 games of all
kinds, of each game without the second word; with `RIVERBED_SEED=1` they are others.
"""

import json
import os
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from referee.adapters import deep_river, river_rats
from referee.adapters.deep_river import DeepRiver
from referee.adapters.river_rats import RiverRats, Skilled, Stacked
from referee.adapters.riverbed_hunt import RiverbedHunt
from referee.adapters.riverside import Riverside
from referee.lockstep import PACKS as OWN_PACKS
from referee.lockstep import Adapter, Lockstep, Outcome, agreed, packs_of
from referee.riverside.pack import read_pack
from riverbed_env.core.packs import find_pack
from riverbed_env.games.riverbed_hunt.content.pack import GENERATED
from riverbed_env.kernels.compile import compiled

VERIFIED = int(os.environ.get("RIVERBED_VERIFY", "0"))
SEED = int(os.environ.get("RIVERBED_SEED", "3"))  # the games of 3 are of these tests alone
ADAPTERS: tuple[type[Adapter], ...] = (RiverbedHunt, RiverRats, DeepRiver, Riverside)
PACKS = {kind: packs_of(kind.game) for kind in ADAPTERS}
MODES, RATS_PLAYERS = ("first_game", "standard", "advanced", "expert"), (1, 2, 3, 4)
HUNTERS, CAPTAINS = range(4, 10), range(1, 7) if compiled() else (1, 2)


class Case(NamedTuple):
    """Games that are played on both sides: their number compiled and as plain Python."""

    kind: type[Adapter]
    games: int
    uncompiled: int
    options: dict[str, Any]

    def play(self) -> Outcome:
        return play(self.kind, self.games if compiled() else self.uncompiled, **self.options)


def play(kind: type[Adapter], games: int, **options: Any) -> Outcome:
    """Games in lock-step."""
    if kind is RiverbedHunt:
        options = {"layout": "random", **options}
    return Lockstep(kind, SEED, range(games), **options).play()


def named(case: Any) -> str:
    """A case's game and options in words."""
    options = case.options.items()
    words = [f"{name} {value.stem if isinstance(value, Path) else value}" for name, value in options]
    return ", ".join([case.kind.game.name, case.kind.__name__, *words])


AGREED = [
    *(
        Case(RiverbedHunt, 12, 3, {"num_players": count, "pack": pack})
        for count, pack in product(HUNTERS, PACKS[RiverbedHunt].values())
    ),
    *(
        Case(RiverbedHunt, 3, 1, {"num_players": count, "talk": "claims", "talk_speakers": who, "talk_budget": budget})
        for count, who, budget in product((4, 7, 9), ("table", "active"), (1, 2, 3))
    ),
    *(
        Case(RiverRats, 8, 2, {"num_players": count, "mode": mode, "prediction": prediction})
        for count, mode, prediction in product(RATS_PLAYERS, MODES, ("exactly", "at_least_form"))
    ),
    *(Case(Stacked, 10, 3, {"num_players": count, "mode": mode}) for count, mode in product(RATS_PLAYERS, MODES)),
    *(Case(DeepRiver, 230, 6, {"pack": pack}) for pack in PACKS[DeepRiver].values()),
    *(
        Case(DeepRiver, 8, 1, {"pack": PACKS[DeepRiver]["check"], "tiles": tiles})
        for tiles in ("tttDttt", "dddDddd", "sssDsss", "bbbDbbb")
    ),
    *(
        Case(Riverside, 1, 1, {"num_players": count, "pack": pack, "extension": extension})
        for count, pack, extension in product(CAPTAINS, PACKS[Riverside].values(), (False, True))
    ),
]


@pytest.mark.parametrize("case", AGREED, ids=named)
def test_engine_and_referee_agree(case: Case) -> None:
    agreed(case.play())


def as_toml(value: Any) -> str:
    """A value of a content pack as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {as_toml(each)}" for name, each in value.items()) + " }"
    return f"[{', '.join(map(as_toml, value))}]" if isinstance(value, list) else json.dumps(value)


@pytest.mark.parametrize("count", HUNTERS)
def test_they_agree_on_generated_packs(count: int, tmp_path: Path) -> None:
    for number in range(count, 6 * 4, 6):
        content = GENERATED.content(f"generated:{number}")
        path = tmp_path / f"{number}.toml"
        path.write_text("\n".join(f"{name} = {as_toml(entries)}" for name, entries in content.items()))
        agreed(play(RiverbedHunt, 6 if compiled() else 1, num_players=count, pack=path))


CUT_OFF = [
    *(Case(RiverbedHunt, 12, 2, {"num_players": 7, "max_decisions": cap}) for cap in (1, 30)),
    *(Case(RiverbedHunt, 12, 2, {"num_players": 5, "max_decisions": cap, "talk": "claims"}) for cap in (1, 12)),
    *(Case(RiverRats, 12, 3, {"num_players": 2, "max_decisions": cap}) for cap in (1, 2, 3, 30)),
    *(Case(DeepRiver, 24, 6, {"max_turns": cap}) for cap in (1, 2, 9)),
    *(Case(Riverside, 8, 2, {"num_players": 3, "max_steps": cap}) for cap in (1, 9, 40)),
]


@pytest.mark.parametrize("case", CUT_OFF, ids=named)
def test_they_agree_on_the_cap(case: Case) -> None:
    assert agreed(case.play()).endings["truncated"] > 0


@pytest.mark.slow
@pytest.mark.compiled
def test_they_agree_on_every_cap_of_riverside() -> None:
    for max_steps in range(1, 120):
        agreed(play(Riverside, 1, num_players=2, max_steps=max_steps, pack=PACKS[Riverside]["otherwise"]))


def of_all_kinds(kind: type[Adapter]) -> list[Case]:
    """VERIFIED games of a game or some more, of all player counts, packs, special deals, options and variants."""
    kinds: list[tuple[type[Adapter], dict[str, Any]]] = [(kind, {"pack": pack}) for pack in PACKS[kind].values()]
    if kind is RiverRats:
        kinds = [(each, {}) for each in (RiverRats, Stacked, Skilled)]
    elif kind is RiverbedHunt:
        for who, budget in product(("table", "active"), (1, 2, 3)):
            kinds.append((kind, {"talk": "claims", "talk_speakers": who, "talk_budget": budget}))
    players = range(kind.game.min_players, kind.game.max_players + 1)
    cells = list(product(players, kinds, kind.game.variants))
    share = -(-VERIFIED // len(cells))
    every = [Case(one, share, share, {"num_players": n, **variant, **more}) for n, (one, more), variant in cells]
    return every[:VERIFIED]


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for kind in ADAPTERS for case in of_all_kinds(kind)], ids=named)
def test_they_agree_in_many_games(case: Case) -> None:
    agreed(case.play())


# --- what must happen in these games ----------------------------------------------------------------------------------

OF_RATS = ("REMOVE", "REVEAL", "BUST", "DEFEAT", "DEALT", "PLAY_FACE_DOWN", "RESHUFFLE", "joker at draw")
ASKED_IN_RATS = [f"asked {word}" for word in river_rats.QUESTIONS if word not in {"none", "over"}]
IN_RIVER = (*deep_river.QUESTIONS[1:], *(word for (word, *_) in deep_river.WORDS.values()), *deep_river.DEEDS)
RARE: dict[str, tuple[list[Case], tuple[str, ...]]] = {
    "riverbed_hunt": (
        [Case(RiverbedHunt, 60, 0, {"num_players": 8})],
        ("hunt", "con", "penalty", "slip away", "look at role", "reshuffle", "swap", "shuffle", "show", "marker"),
    ),
    "river_rats": (
        [
            Case(Stacked, 60, 0, {"num_players": count, "mode": mode, "prediction": "at_least_form"})
            for count, mode in product(RATS_PLAYERS, MODES)
        ],
        (*OF_RATS, *ASKED_IN_RATS),
    ),
    "deep_river": ([Case(DeepRiver, 60, 0, {})], IN_RIVER),
    "deep_river, check": ([Case(DeepRiver, 60, 0, {"pack": PACKS[DeepRiver]["check"]})], IN_RIVER),
    **{
        f"riverside, {name}": (
            [Case(Riverside, 40, 0, {"num_players": 3, "pack": pack})],
            (
                *("plain on Fan base", "green on Fan base", "green and warm", "early", "speed", "speed after early"),
                *("score with prize", "score at a church", "stay", "done"),
            ),
        )
        for name, pack in PACKS[Riverside].items()
    },
}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("of", RARE)
def test_every_question_is_asked_and_rare_things_happen(of: str) -> None:
    cases, rare = RARE[of]
    events = sum((agreed(case.play()).events for case in cases), Counter[str]())
    assert {what for what in rare if events[what] == 0} == set()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("pack", PACKS[RiverbedHunt].values(), ids=PACKS[RiverbedHunt])
@pytest.mark.parametrize("num_players", HUNTERS)
def test_they_agree_on_talk_with_every_pack_of_riverbed_hunt(num_players: int, pack: Any) -> None:
    agreed(play(RiverbedHunt, 30, num_players=num_players, pack=pack, talk="claims", talk_budget=1 + num_players % 3))


@pytest.mark.slow  # compiles an agent
@pytest.mark.compiled
@pytest.mark.parametrize("num_players", RATS_PLAYERS)
def test_they_agree_on_games_of_river_rats_that_are_won(num_players: int) -> None:
    outcome = agreed(play(Skilled, 25, num_players=num_players, mode="first_game"))
    assert outcome.endings["won"] > outcome.endings["lost"]
    assert outcome.events["WIN"] == outcome.endings["won"]


@pytest.mark.compiled
def test_every_ending_is_reached() -> None:
    alone = agreed(play(Riverside, 30, num_players=1, pack=PACKS[Riverside]["otherwise"]))
    assert {"nobody wins", "one wins"} <= {*alone.endings}
    assert set(agreed(play(DeepRiver, 230)).endings) == {"salmon", "eel", "draw"}


# --- packs and starts -------------------------------------------------------------------------------------------------


def random_start(draw: Random) -> dict[str, str]:
    """A start of Deep River that the pack may not allow: any six small tiles, any faces, either side first."""
    small = draw.choices("bdst", k=6)
    return {
        "tiles": "".join((*small[:3], "D", *small[3:])),
        "faces": "".join(draw.choices("01", k=3)),
        "first": draw.choice(("salmon", "eel")),
    }


@pytest.mark.parametrize("pack", PACKS[DeepRiver])
def test_they_agree_from_random_starts_of_deep_river(pack: str) -> None:
    draw = Random(f"starts {pack}")
    for _ in range(30 if compiled() else 3):
        agreed(play(DeepRiver, 3, pack=PACKS[DeepRiver][pack], **random_start(draw)))


def test_they_agree_with_one_slot_on_the_double_tile_of_deep_river(tmp_path: Path) -> None:
    text = PACKS[DeepRiver]["check"].read_text(encoding="utf-8")
    assert "double_slots = 2" in text
    path = tmp_path / "narrow.toml"
    path.write_text(text.replace("double_slots = 2", "double_slots = 1"), encoding="utf-8")
    agreed(play(DeepRiver, 30 if compiled() else 3, pack=path))


def test_both_have_the_same_default_pack_of_riverside() -> None:
    assert read_pack(find_pack("riverside", "default")) == read_pack(OWN_PACKS / "riverside" / "default.toml")
