"""Random games over all player counts and layouts never break a book-keeping identity, stall, or reach the cap.

The identities of the library are asked after every step, and are themselves checked: against a second reckoning in
plain Python from the pack's file, and against states damaged on purpose.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import Games, check_all, check_damage, check_forced_decisions, faults, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.core.packs import PACKS
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.invariants import Violation
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    NO_CARD,
    NO_SPACE,
    NO_TILE,
    NOBODY,
    NUM_SPACES,
    PUBLIC,
    Ending,
    Event,
    Question,
    Role,
    Source,
    Stage,
)

COUNTS = range(4, 10)
BOOK = tomllib.loads((PACKS / "riverbed_hunt" / "default.toml").read_text(encoding="utf-8"))
ROLES = {
    "chief": Role.CHIEF,
    "merchant": Role.MERCHANT,
    "leader": Role.LEADER,
    "separatist": Role.SEPARATIST,
    "profiteer": Role.PROFITEER,
}
TRACKS = ("kelp", "log", "coin")
TILES = {tile["number"]: [layer.split() for layer in tile["layers"]] for tile in BOOK["tile"]}
TABLES = {entry["count"]: entry for entry in BOOK["players"]}
LAYOUTS = [
    (count, layout["name"])
    for count, entry in TABLES.items()
    for layout in BOOK["layout"]
    if layout["tiles"] == len(entry["tiles"])
]


# --- the identities reckoned a second time, from the pack's file -------------------------------------------------


def problems(num_players: int, game: np.void) -> list[str]:
    """What is wrong with a state, in words; empty if nothing is."""
    checks = {
        "tiles": tiles_conserved(num_players, game),
        "face-up tiles": face_up_true(game),
        "tracks": tracks_add_up(game),
        "cards": cards_conserved(num_players, game),
        "hands": hands_add_up(num_players, game),
        "roles": roles_dealt(num_players, game),
        "positions": positions_legal(num_players, game),
        "asked": one_seat_asked(num_players, game),
        "ending": ending_agrees(num_players, game),
        "knowledge": knowledge_true(num_players, game),
        "counts": counts_add_up(game),
    }
    return [name for name, sound in checks.items() if not sound]


def spaces_of(bits: int) -> set[int]:
    return {space for space in range(NUM_SPACES) if bits >> space & 1}


def up_spaces(game: np.void) -> set[int]:
    return spaces_of(int(game["table"]["occupied"])) - spaces_of(int(game["table"]["face_down"]))


def tiles_conserved(num_players: int, game: np.void) -> bool:
    """RH-1.4: the tiles of the player count, one on each space of one of its layouts."""
    laid = {space: int(tile) for space, tile in enumerate(game["tile_at"]) if tile != NO_TILE}
    wanted = TABLES[num_players]["tiles"]
    empty = [set(layout["empty"]) for layout in BOOK["layout"] if layout["tiles"] == len(wanted)]
    return (
        sorted(laid.values()) == sorted(wanted)
        and set(laid) == spaces_of(int(game["table"]["occupied"]))
        and {space + 1 for space in range(NUM_SPACES)} - {space + 1 for space in laid} in empty
    )


def face_up_true(game: np.void) -> bool:
    """RH-8.1: the table shows the tiles that lie face-up, and no others."""
    shown = {space: int(tile) for space, tile in enumerate(game["table"]["tile"]) if tile != NO_TILE}
    return shown == {space: int(game["tile_at"][space]) for space in up_spaces(game)}


def tracks_add_up(game: np.void) -> bool:
    """RH-6.3: the tracks are the face-up elements; only tiles still being carried out have layers to come."""
    table = game["table"]
    frames = table["frames"][: int(table["depth"])]
    under_way = {int(frame["space"]) for frame in frames if frame["source"] == Source.TILE}
    tracks = Counter[str]()
    for space in up_spaces(game):
        layers = TILES[int(game["tile_at"][space])]
        done = int(table["layers_done"][space])
        if done != len(layers) and space not in under_way and table["ending"] != Ending.WON:
            return False
        for first, second in layers[:done]:
            if first != "text":
                tracks[second] += int(first)
    return [tracks[name] for name in TRACKS] == table["tracks"].tolist()


def cards_conserved(num_players: int, game: np.void) -> bool:
    """RH-1.5: hands, piles and the cards used this turn are the deck of the player count."""
    table, pile = game["table"], int(game["table"]["draw_pile"])
    cards = Counter[int](game["deck"][:pile].tolist())
    for counts in (*game["private"]["hand"], table["discard_pile"], table["used"]):
        cards.update({kind: int(count) for kind, count in enumerate(counts)})
    deck = {kind: card["copies"] for kind, card in enumerate(BOOK["card"]) if card["from"] <= num_players}
    return +cards == Counter(deck) and set(game["deck"][pile:].tolist()) <= {NO_CARD}


def hands_add_up(num_players: int, game: np.void) -> bool:
    """RH-8.1: everybody knows how many cards a hand holds."""
    sizes = [int(hand.sum()) for hand in game["private"]["hand"]]
    return sizes[:PUBLIC] == game["table"]["hand_size"].tolist() and sum(sizes[num_players:]) == 0


def roles_dealt(num_players: int, game: np.void) -> bool:
    """RH-1.2, RH-1.3: the roles of the player count, with 4 players one of two left over; what is shown is true."""
    held = [Role(int(role)) for role in game["private"]["role"][:num_players]]
    entry = TABLES[num_players]
    wanted = Counter(ROLES[name] for name in entry["roles"] + entry.get("one_of", []))
    spare = [Role(int(game["spare_role"]))] if "one_of" in entry else []
    shown = [Role(int(role)) for role in game["table"]["role"][:num_players]]
    true = all(there in (Role.UNKNOWN, role) for role, there in zip(held, shown, strict=True))
    over = game["table"]["ending"] != Ending.PLAYING
    return (
        Counter(held + spare) == wanted
        and {ROLES[name] for name in entry.get("one_of", [])} >= set(spare)
        and true
        and shown[held.index(Role.CHIEF)] == Role.CHIEF
        and (not over or shown == held)
    )


def positions_legal(num_players: int, game: np.void) -> bool:
    """RH-1.7: meeples stand on tiles once they are placed."""
    places = set(game["table"]["position"][:num_players].tolist())
    unplaced = {NO_SPACE} if game["table"]["stage"] == Stage.PLACING else set()
    return places <= spaces_of(int(game["table"]["occupied"])) | unplaced


def one_seat_asked(num_players: int, game: np.void) -> bool:
    """One seat is asked something until the game is over."""
    asked, question = int(game["table"]["asked"]), int(game["table"]["question"])
    if game["table"]["ending"] == Ending.PLAYING:
        return 0 <= asked < num_players and question != Question.NONE
    return asked == NOBODY and question == Question.NONE


def ending_agrees(num_players: int, game: np.void) -> bool:
    """RH-6.2: the game is won when and only when one track has reached its end."""
    ends = TABLES[num_players]["endpoints"]
    table = game["table"]
    reached = [track for track, name in enumerate(TRACKS) if table["tracks"][track] >= ends[name]]
    return reached == ([int(table["winner"])] if table["ending"] == Ending.WON else [])


def knowledge_true(num_players: int, game: np.void) -> bool:
    """RH-8.3: nobody excludes the truth; what is known, seen or face-up is so; nobody knows less than everybody."""
    public = game["private"][PUBLIC]
    for seat in (*range(num_players), PUBLIC):
        own = game["private"][seat]
        seen = spaces_of(int(game["table"]["seen"][seat])) if seat != PUBLIC else set()
        for space, tile in enumerate(game["tile_at"].tolist()):
            must_know = space in up_spaces(game) | seen
            if own["known"][space] not in ((tile,) if must_know else (NO_TILE, tile)):
                return False
            if tile != NO_TILE and not int(own["possible"][tile - 1]) >> space & 1:
                return False
        if (own["possible"] & ~public["possible"]).any():
            return False
        looked = [int(role) for role in own["looked"][:num_players]]
        if any(told not in (Role.UNKNOWN, role) for told, role in zip(looked, game["private"]["role"], strict=False)):
            return False
    return True


def counts_add_up(game: np.void) -> bool:
    """RH-8.1: events are counted by kind; tiles turned up less those turned down are face-up."""
    tally = game["table"]["tally"]
    up = int(tally[Event.REVEAL]) - int(tally[Event.FLIP_DOWN])
    return int(tally.sum()) == int(game["table"]["event_count"]) and up == len(up_spaces(game))


# --- playing ------------------------------------------------------------------------------------------------------


@cache
def batch_of(n: int, num_players: int, auto_forced: str = "public", layout: str | None = None) -> Batch:
    """A batch that is dealt anew for each use."""
    return Batch(
        RIVERBED_HUNT, n, seed=0, num_players=num_players, auto_forced=auto_forced, layout=layout, auto_reset=False
    )


@pytest.mark.parametrize("auto_forced", ["public", "all"])
@pytest.mark.parametrize(("num_players", "layout"), LAYOUTS)
def test_random_games_are_sound_at_every_step(num_players: int, layout: str, auto_forced: str) -> None:
    batch = batch_of(repetitions(24, uncompiled=1), num_players, auto_forced, layout)
    draw = Random(num_players)
    for step in play_out(batch, 1000 + num_players):
        check_all(batch)
        assert (batch.action_mask[batch.acting] == batch.legal()[batch.acting]).all()
        index = draw.randrange(batch.num_envs)
        if step % 4 == 0:
            assert problems(num_players, batch.games[index]) == []
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}
    for index in range(batch.num_envs):
        assert problems(num_players, batch.games[index]) == []


@pytest.mark.slow
@pytest.mark.parametrize("num_players", COUNTS)
def test_ten_thousand_games_are_sound_and_come_to_an_end(num_players: int) -> None:
    n = 10_000 // len(COUNTS) + 1
    batch = Batch(
        RIVERBED_HUNT,
        n,
        seed=20,
        num_players=num_players,
        first_game=n * num_players,
        layout="random",
        auto_reset=False,
    )
    longest = 0
    while batch.acting.any():
        acting = batch.games[batch.acting]
        found = faults(batch, acting)
        assert not found.any(), acting["number"][found > 0]
        assert (batch.action_mask[batch.acting].sum(axis=1) > 0).all()
        batch.step(batch.random_actions())
        longest += 1
    assert not faults(batch, batch.games).any()
    assert batch.game_number.tolist() == list(range(n * num_players, n * num_players + n))
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}
    assert int(batch.games["table"]["decisions"].max()) < 600
    assert longest < 600


SEEDS = st.integers(0, 2**63 - 1)


@settings(max_examples=repetitions(40, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(seed=SEEDS, num_players=st.sampled_from(COUNTS), auto_forced=st.sampled_from(["public", "all", "none"]))
def test_any_seed_gives_a_sound_game(seed: int, num_players: int, auto_forced: str) -> None:
    batch = batch_of(1, num_players, auto_forced, "random")
    for _ in play_out(batch, seed):
        assert faults(batch, batch.games).tolist() == [Violation.NONE]
        assert problems(num_players, batch.games[0]) == []


@settings(max_examples=repetitions(40, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(seed=SEEDS, num_players=st.sampled_from(COUNTS), auto_forced=st.sampled_from(["public", "all"]))
def test_decisions_taken_for_the_players_change_nothing(seed: int, num_players: int, auto_forced: str) -> None:
    check_forced_decisions(batch_of(1, num_players, auto_forced), batch_of(1, num_players, "none"), seed)


# --- the identities find damage -----------------------------------------------------------------------------------


def middle(num_players: int, seed: int) -> Games:
    """A game in its middle: a verb is asked, tiles lie face-up, hands and the discard pile aren't empty."""
    batch = batch_of(1, num_players)
    for step in play_out(batch, seed):
        table = batch.games["table"][0]
        if step > 20 and table["question"] == Question.TURN and table["discard_pile"].any() and table["tracks"].all():
            return copy_records(batch.games)
    return middle(num_players, seed + 1)


Damage = Callable[[np.void], None]


def out_of_range(game: np.void) -> None:
    game["table"]["asked"] = 100


def frame_without_source(game: np.void) -> None:
    game["table"]["depth"] = 1
    game["table"]["frames"][0]["source"] = Source.NONE


def tile_twice(game: np.void) -> None:
    first, second = np.flatnonzero(game["tile_at"])[:2]
    game["tile_at"][first] = game["tile_at"][second]


def other_tile_shown(game: np.void) -> None:
    space = min(up_spaces(game))
    game["table"]["tile"][space] = game["table"]["tile"][space] % 9 + 1


def track_moved(game: np.void) -> None:
    game["table"]["tracks"][0] -= 1


def card_lost(game: np.void) -> None:
    kind = np.flatnonzero(game["table"]["discard_pile"])[0]
    game["table"]["discard_pile"][kind] -= 1


def hand_larger_than_shown(game: np.void) -> None:
    seat = np.flatnonzero(game["table"]["hand_size"])[0]
    game["table"]["hand_size"][seat] -= 1


def second_chief(game: np.void) -> None:
    seat = np.flatnonzero(game["private"]["role"][:4] != Role.CHIEF)[0]
    game["private"][seat]["role"] = Role.CHIEF


def meeple_in_the_water(game: np.void) -> None:
    empty = set(range(NUM_SPACES)) - spaces_of(int(game["table"]["occupied"]))
    game["table"]["position"][0] = min(empty)


def nobody_asked(game: np.void) -> None:
    game["table"]["asked"] = NOBODY


def nothing_to_answer(game: np.void) -> None:
    table = game["table"]
    table["frames"][0]["source"] = Source.CO_OP
    table["frames"][0]["carrier"] = table["asked"]
    table["frames"][0]["program"] = Source.CO_OP
    table["depth"] = 1
    table["question"] = Question.SEAT
    table["seats"] = 0


def won_by_nobody(game: np.void) -> None:
    game["table"]["asked"] = NOBODY
    game["table"]["question"] = Question.NONE
    game["table"]["ending"] = Ending.WON
    game["table"]["winner"] = 0


def false_knowledge(game: np.void) -> None:
    space = int(np.flatnonzero(game["tile_at"])[0])
    game["private"][0]["possible"][int(game["tile_at"][space]) - 1] = 0


DAMAGES: dict[Violation, Damage] = {
    Violation.RANGE: out_of_range,
    Violation.FRAMES: frame_without_source,
    Violation.TILES: tile_twice,
    Violation.FACE_UP: other_tile_shown,
    Violation.TRACKS: track_moved,
    Violation.CARDS: card_lost,
    Violation.HANDS: hand_larger_than_shown,
    Violation.ROLES: second_chief,
    Violation.POSITIONS: meeple_in_the_water,
    Violation.ASKED: nobody_asked,
    Violation.MASK: nothing_to_answer,
    Violation.ENDING: won_by_nobody,
    Violation.KNOWLEDGE: false_knowledge,
}


def test_every_fault_has_a_damage() -> None:
    assert set(DAMAGES) == set(Violation) - {Violation.NONE}


@pytest.mark.parametrize("fault", DAMAGES, ids=lambda fault: fault.name)
@pytest.mark.parametrize("num_players", [4, 5])
def test_damage_is_found(fault: Violation, num_players: int) -> None:
    games = middle(num_players, 5)
    assert problems(num_players, games[0]) == []
    check_damage(batch_of(1, num_players), games, DAMAGES[fault], fault)
    if fault not in (Violation.RANGE, Violation.FRAMES, Violation.MASK):  # the second reckoning knows no such thing
        assert problems(num_players, games[0])
