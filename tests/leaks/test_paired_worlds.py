"""RH-8.4: worlds that differ only in what a seat may not know look the same to it, and go on looking the same.

From every moment of random games a second world is made for every seat, in which all that the seat may not know is
drawn anew: the others' hidden roles and the spare one, their hands, the draw pile, the tiles it isn't sure of, what the
others know, the chance to come. Both must look the same in every view, mask, info, picture and word, and the same
questions must be put to the same seats for as long as the same happens in public. Where the other world differs in
something the seat may know, it must see that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from channels import (
    apart,
    bold_or_saving,
    copy_of,
    everything,
    follow,
    lay,
    make_twin,
    numbers,
    question,
    record_of,
    some_moments,
)
from worlds import PARTS, Games, hidden_from, know_truly, others, secret_differences, spaces_of, tell_looked, twin

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.knowledge import note_known
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_CARD, NO_TILE, PUBLIC, Question, Role
from riverbed_env.testing.leaks import Channels, Report, paired_worlds_test, random_moments

Pair = tuple[Games, Games]
COUNTS = range(4, 10)


def make(num_players: int, **options: Any) -> TurnEnv:
    return TurnEnv(RIVERBED_HUNT, num_players=num_players, render_mode="ansi", **options)


def searched(num_players: int, games: int, **options: Any) -> Report:
    """The kit's search in games of so many players."""
    params = {name: options.pop(name) for name in list(options) if name in ("auto_forced", "layout", "max_decisions")}
    return paired_worlds_test(
        lambda: make(num_players, **params),
        games=games,
        seed=num_players,
        policy=bold_or_saving,
        varied=secret_differences,
        copy=copy_of,
        **{"moments": some_moments, "twin": make_twin(), "channels": numbers(), **options},
    )


@pytest.mark.slow
@pytest.mark.parametrize("num_players", COUNTS)
def test_worlds_that_differ_in_secrets_look_the_same(num_players: int) -> None:
    asked = Counter[Question]()

    def counted(env: TurnEnv, rng: np.random.Generator) -> bool:
        chosen = some_moments(env, rng)
        asked.update([question(env)] * chosen)
        return chosen

    games = 14 if num_players == 4 else 8
    report = searched(num_players, games, moments=counted, twin=make_twin(PARTS), channels=everything())
    needed = {"tile_at", "deck", "chance", "agents", "role", "hand", "possible"}
    assert needed | ({"spare_role"} if num_players == 4 else set()) <= report.varied.keys()
    assert min(report.varied[name] for name in ("tile_at", "deck", "role", "hand")) > report.moments
    assert {Question.TURN, Question.ANSWER, Question.REVEAL} <= asked.keys()


@pytest.mark.slow
@pytest.mark.parametrize("auto_forced", ["public", "none"])
@pytest.mark.parametrize("num_players", COUNTS)
def test_the_same_is_asked_of_the_same_seats_as_long_as_the_same_happens(num_players: int, auto_forced: str) -> None:
    report = searched(num_players, 5, follow=follow(40), auto_forced=auto_forced, layout="random")
    assert report.decisions > 5 * report.compared
    assert report.ends["told"] > 20
    assert report.ends["steps"] > 2


def test_the_cap_on_decisions_comes_at_the_same_moment() -> None:
    report = searched(7, 10, follow=follow(40), max_decisions=20)
    assert report.ends["over"] > 10


def worlds_of(env: TurnEnv, seed: int, games: int) -> Iterator[Games]:
    """Random moments of random games."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        env.reset(seed=int(rng.integers(2**31)))
        for _ in random_moments(env, rng, policy=bold_or_saving, moments=some_moments):
            yield record_of(env)


def told_by(channels: Channels, envs: tuple[TurnEnv, TurnEnv], pair: Pair, seat: int) -> set[str]:
    """By what a seat can tell two worlds apart."""
    one, two = (lay(env, world) for env, world in zip(envs, pair, strict=True))
    return set(apart(channels, one, two, seat))


@pytest.mark.parametrize("view", ["history", "now"])
@pytest.mark.parametrize("num_players", [4, 6, 9])
def test_a_batch_shows_every_seat_what_the_environment_does(num_players: int, view: str) -> None:
    draw = Random(num_players)
    env = TurnEnv(RIVERBED_HUNT, num_players=num_players, view=view)
    batch = Batch(RIVERBED_HUNT, 2 * num_players, num_players=num_players, view=view, seed=0)
    seats = np.tile(np.arange(num_players), 2)
    for world in worlds_of(env, num_players, 2):
        twins = [twin(world, batch.params, seat, draw) for seat in range(num_players)]
        batch.set_state(np.concatenate([world] * num_players + twins))
        assert len(set(batch.seat.tolist())) == 1
        for rows in batch.observe(seats):
            assert np.array_equal(rows[:num_players], rows[num_players:])
        for seat in range(num_players):
            seen = env.observe(f"player_{seat}")
            assert np.array_equal(seen["observation"], batch.observe(seats)[0][seat])
            assert np.array_equal(seen["action_mask"], batch.observe(seats)[1][seat])


# --- what a seat may know it does see ----------------------------------------------------------------------------


def with_other_role(world: Games, seat: int, draw: Random) -> Pair | None:
    """The seat's own hidden role exchanged with another's."""
    hidden = [s for s in others(world[0], seat) if world[0]["table"]["role"][s] == Role.UNKNOWN]
    roles = world[0]["private"]["role"]
    fit = [s for s in hidden if roles[s] != roles[seat]]
    if world[0]["table"]["role"][seat] != Role.UNKNOWN or not fit:
        return None
    other = copy_records(world)
    swap(other[0]["private"]["role"], seat, draw.choice(fit))
    tell_looked(other[0])
    return world, other


def with_other_card(world: Games, seat: int, draw: Random) -> Pair | None:
    """A card of the seat's hand exchanged with one of the draw pile."""
    pile = int(world[0]["table"]["draw_pile"])
    hand = np.flatnonzero(world[0]["private"][seat]["hand"]).tolist()
    pairs = [(card, place) for card in hand for place in range(pile) if world[0]["deck"][place] != card]
    if not pairs:
        return None
    card, place = draw.choice(pairs)
    other = copy_records(world)
    other[0]["private"][seat]["hand"][card] -= 1
    other[0]["private"][seat]["hand"][int(other[0]["deck"][place])] += 1
    other[0]["deck"][place] = card
    return world, other


def with_other_tile(world: Games, seat: int, draw: Random) -> Pair | None:
    """A face-down tile that the seat knows, and the public doesn't, exchanged with one it doesn't know."""
    own, public = world[0]["private"][seat], world[0]["private"][PUBLIC]
    down = spaces_of(int(world[0]["table"]["face_down"]))
    mine = [s for s in down if own["known"][s] != NO_TILE and public["known"][s] == NO_TILE]
    strange = [s for s in down if own["known"][s] == NO_TILE]
    fit = [(s, t) for s in mine for t in strange if exchangeable(world[0], s, t)]
    if not fit:
        return None
    here, there = draw.choice(fit)
    other = copy_records(world)
    rows = other[0]["private"][seat]["possible"]
    swap(rows, int(world[0]["tile_at"][here]) - 1, int(world[0]["tile_at"][there]) - 1)
    swap(other[0]["tile_at"], here, there)
    note_known(other[0]["private"][seat])
    for viewer in others(other[0], seat):
        know_truly(other[0], viewer)
    return world, other


def exchangeable(world: np.void, here: int, there: int) -> bool:
    """Whether as far as everybody knows each of the two tiles might lie where the other does."""
    rows = [int(world["private"][PUBLIC]["possible"][int(world["tile_at"][space]) - 1]) for space in (here, there)]
    return bool(rows[0] >> there & 1 and rows[1] >> here & 1)


def with_other_looked_at(world: Games, seat: int, draw: Random) -> Pair | None:
    """The hidden role of a player whom the seat has looked at exchanged with another's."""
    roles = world[0]["private"]["role"]
    hidden = hidden_from(world[0], seat)
    fit = [(s, t) for s in hidden for t in hidden if roles[s] != roles[t]]
    if not fit:
        return None
    one = copy_records(world)
    looked, strange = draw.choice(fit)
    one[0]["private"][seat]["looked"][looked] = roles[looked]
    two = copy_records(one)
    swap(two[0]["private"]["role"], looked, strange)
    tell_looked(two[0])
    return one, two


def swap(items: np.ndarray, first: int, second: int) -> None:
    items[[first, second]] = items[[second, first]]


OWN_SECRETS = {
    with_other_role: {"observation own_role", "observation (now) own_role", "picture", "state in words"},
    with_other_card: {"observation own_hand", "observation (now) own_hand", "picture", "state in words"},
    with_other_tile: {"observation possible", "observation (now) possible", "picture", "state in words"},
    with_other_looked_at: {"observation roles_looked_at", "observation (now) roles_looked_at", "picture"},
}


@pytest.mark.slow
@pytest.mark.parametrize("num_players", COUNTS)
def test_a_seat_sees_what_it_alone_may_know(num_players: int) -> None:
    channels = everything().without("refusals", "complaint", "observation in words", "actions in words")
    envs = make(num_players), make(num_players)
    draw, tried = Random(num_players), Counter[str]()
    for world in worlds_of(make(num_players), num_players, 10):
        for seat in draw.sample(range(num_players), 4):
            for change, needed in OWN_SECRETS.items():
                pair = change(world, seat, draw)
                if pair is not None:
                    tried[change.__name__] += 1
                    seen = told_by(channels, envs, pair, seat)
                    assert needed <= seen, (change.__name__, needed - seen)
                    assert {"who is asked", "events in words", "reward", "all rewards", "all flags"}.isdisjoint(seen)
    assert min(tried[change.__name__] for change in OWN_SECRETS) > 5


# --- what is public everybody sees -------------------------------------------------------------------------------


def without_marker(game: np.void, draw: Random) -> None:
    seat = draw.randrange(int(game["table"]["num_players"]))
    game["table"]["marker_left"][seat] ^= 1


def with_dive_used(game: np.void, draw: Random) -> None:
    seat = draw.randrange(int(game["table"]["num_players"]))
    game["table"]["dive_ready"][seat] ^= 1


def with_meeple_elsewhere(game: np.void, draw: Random) -> None:
    seat = draw.randrange(int(game["table"]["num_players"]))
    here = int(game["table"]["position"][seat])
    game["table"]["position"][seat] = draw.choice([s for s in spaces_of(int(game["table"]["occupied"])) if s != here])


def with_card_drawn(game: np.void, draw: Random) -> None:
    seat = draw.randrange(int(game["table"]["num_players"]))
    last = int(game["table"]["draw_pile"]) - 1
    game["private"][seat]["hand"][int(game["deck"][last])] += 1
    game["table"]["hand_size"][seat] += 1
    game["deck"][last] = NO_CARD
    game["table"]["draw_pile"] = last


def with_card_on_the_pile(game: np.void, draw: Random) -> None:
    last = int(game["table"]["draw_pile"]) - 1
    game["table"]["discard_pile"][int(game["deck"][last])] += 1
    game["deck"][last] = NO_CARD
    game["table"]["draw_pile"] = last


def with_role_shown(game: np.void, draw: Random) -> None:
    hidden = np.flatnonzero(game["table"]["role"][: int(game["table"]["num_players"])] == Role.UNKNOWN)
    seat = draw.choice(hidden.tolist())
    game["table"]["role"][seat] = game["private"][seat]["role"]


PUBLIC_FACTS = {
    without_marker: "readiness",
    with_dive_used: "readiness",
    with_meeple_elsewhere: "positions",
    with_card_drawn: "hand_sizes",
    with_card_on_the_pile: "discard_pile",
    with_role_shown: "roles_shown",
}


@pytest.mark.parametrize("num_players", [4, 7])
@pytest.mark.parametrize("change", PUBLIC_FACTS)
def test_every_seat_sees_what_is_public(change: Callable[[np.void, Random], None], num_players: int) -> None:
    channels, envs = everything(), (make(num_players), make(num_players))
    draw, tried = Random(num_players), 0
    for world in worlds_of(make(num_players), num_players, 10):
        game = world[0]["table"]
        if (
            game["question"] != Question.TURN
            or game["draw_pile"] == 0
            or Role.UNKNOWN not in game["role"][:num_players]
        ):
            continue
        other = copy_records(world)
        change(other[0], draw)
        tried += 1
        piece = PUBLIC_FACTS[change]
        for seat in range(num_players):
            seen = told_by(channels, envs, (world, other), seat)
            assert {f"observation {piece}", f"observation (now) {piece}", "state in words"} <= seen
            assert "picture" in seen or change == with_card_on_the_pile  # the picture leaves the pile out
    assert tried > 3
