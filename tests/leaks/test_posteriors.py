"""The exact posteriors agree with counting by brute force, and the blind players' choices tell nothing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest
from channels import lay, make_twin, question, record_of
from posteriors import (
    blind,
    chance_to_hold,
    count_matchings,
    role_posterior,
    roles_known,
    spare_posterior,
    tile_posterior,
)
from worlds import matching, spaces_of

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, NUM_TILES, Event, Question, Role
from riverbed_env.testing.leaks import random_moments


def make(num_players: int) -> TurnEnv:
    return TurnEnv(RIVERBED_HUNT, num_players=num_players)


# --- choices -------------------------------------------------------------------------------------------------------


def options(env: TurnEnv) -> set[int] | int:
    """What a blind player draws from: actions, or of a discard how many cards."""
    if question(env) == Question.DISCARD:
        return int(env._games[0]["table"]["hand_size"][env.possible_agents.index(env.agent_selection)])
    legal = set(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist())
    if question(env) == Question.ANSWER:
        return legal & {A.REVEAL}
    return {action for action in legal if action < A.CARD}


@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_what_a_blind_player_draws_from_is_public(num_players: int) -> None:
    env, rng, asked = make(num_players), np.random.default_rng(num_players), Counter[Question]()
    for _ in range(8):
        env.reset(seed=int(rng.integers(2**31)))
        for _ in random_moments(env, rng, policy=blind, moments=0.5):
            asked[question(env)] += 1
            asker = env.possible_agents.index(env.agent_selection)
            for bystander in range(num_players):
                if bystander != asker:
                    other = make_twin()(env, f"player_{bystander}", rng)
                    assert options(other) == options(env)
    assert {Question.PLACE, Question.TURN, Question.SEAT, Question.VIEW, Question.REVEAL} <= asked.keys()


def test_a_discard_is_drawn_evenly_from_the_cards() -> None:
    env, rng = make(5), np.random.default_rng(1)
    env.reset(seed=1)
    seat = env.possible_agents.index(env.agent_selection)
    env._games[0]["table"]["question"] = Question.DISCARD
    env._games[0]["private"][seat]["hand"][:3] = (0, 3, 1)
    env._games[0]["private"][seat]["hand"][3:] = 0
    drawn = Counter(blind(env, [A.CARD + 1, A.CARD + 2], rng) - A.CARD for _ in range(400))
    assert drawn.keys() == {1, 2}
    assert 260 < drawn[1] < 340


# --- roles ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [4, 5, 6])
def test_roles_are_as_likely_as_by_counting_all_deals(num_players: int) -> None:
    env, rng = make(num_players), np.random.default_rng(num_players)
    for seed in range(6):
        env.reset(seed=seed)
        game = env._games[0]
        seat, looked = (int(number) for number in rng.choice(num_players, 2, replace=False))
        if seed % 2:
            game["private"][seat]["looked"][looked] = game["private"][looked]["role"]
        agreeing = [deal for deal in deals(env) if agrees(env, seat, deal)]
        for other, known in enumerate(roles_known(env, seat)):
            if known == Role.UNKNOWN:
                counted = np.bincount([deal[other] for deal in agreeing], minlength=5) / len(agreeing)
                assert role_posterior(env, seat, other) == pytest.approx(counted)
        if num_players == 4:
            choice = env._params[0]["role_choice"].tolist()
            spares = [choice.index(deal[-1]) for deal in agreeing]
            assert spare_posterior(env, seat) == pytest.approx(np.bincount(spares, minlength=2) / len(spares))


def deals(env: TurnEnv) -> list[tuple[int, ...]]:
    """Every order of the role cards, as likely one as another; with four players the spare one comes last."""
    cards = env._params[0]["role_cards"][: env.num_players].tolist()
    choice = env._params[0]["role_choice"].tolist()
    if choice[0] == Role.UNKNOWN:
        return list(permutations(cards))
    return [
        (*order, spare)
        for drawn, spare in (choice, choice[::-1])
        for order in permutations([*cards[:-1], drawn])
    ]  # fmt: skip


def agrees(env: TurnEnv, seat: int, deal: tuple[int, ...]) -> bool:
    known = enumerate(roles_known(env, seat))
    return all(deal[other] == role for other, role in known if role != Role.UNKNOWN)


# --- cards ---------------------------------------------------------------------------------------------------------


def test_a_hand_has_a_card_as_often_as_by_counting_all_hands() -> None:
    unseen = np.array([3, 2, 0, 1])
    cards = np.repeat(np.arange(4), unseen).tolist()
    for size in range(5):
        hands = list(combinations(range(len(cards)), size))
        for card in range(4):
            counted = sum(any(cards[place] == card for place in hand) for hand in hands) / len(hands)
            assert chance_to_hold(unseen, size, card) == pytest.approx(counted)


# --- tiles ---------------------------------------------------------------------------------------------------------


def random_rows(draw: Random, tiles: int, chance: float) -> tuple[int, ...]:
    """Rows over as many spaces as tiles, with a perfect matching among them."""
    order = draw.sample(range(tiles), tiles)
    return tuple(
        1 << order[tile] | sum(1 << space for space in range(tiles) if draw.random() < chance) for tile in range(tiles)
    )


@pytest.mark.parametrize("chance", [0.1, 0.4, 0.8, 1.0])
def test_matchings_are_counted_as_by_trying_all(chance: float) -> None:
    draw = Random(1)
    for tiles in (1, 2, 4, 6):
        rows = random_rows(draw, tiles, chance)
        tried = sum(
            all(row >> space & 1 for row, space in zip(rows, order, strict=True))
            for order in permutations(range(tiles))
        )
        assert count_matchings(rows) == tried


def by_subsets(rows: tuple[int, ...]) -> int:
    """The same count, space by space over sets of tiles."""
    used = [row for row in rows if row]
    ways = {0: 1}
    for row in used:
        following: Counter[int] = Counter()
        for taken, count in ways.items():
            for space in spaces_of(row & ~taken):
                following[taken | 1 << space] += count
        ways = following
    return sum(ways.values())


def test_matchings_of_a_whole_river_are_counted() -> None:
    draw = Random(2)
    assert count_matchings((2**NUM_SPACES - 1,) * NUM_SPACES) == np.prod(np.arange(1, 17, dtype=object))
    for _ in range(3):
        rows = random_rows(draw, 12, 0.3)
        assert count_matchings(rows) == by_subsets(rows)


def test_the_chances_of_tiles_add_up_and_allow_what_is_possible() -> None:
    env, rng, shuffled = make(5), np.random.default_rng(3), 0
    for _ in range(40):
        env.reset(seed=int(rng.integers(2**31)))
        for _ in random_moments(env, rng, policy=blind, moments=0.1):
            game = env._games[0]
            if game["table"]["tally"][Event.SHUFFLE] > 1:
                break
            shuffled += int(game["table"]["tally"][Event.SHUFFLE] == 1)
            seat = int(rng.integers(5))
            rows = {tile + 1: spaces_of(int(row)) for tile, row in enumerate(game["private"][seat]["possible"]) if row}
            for space in spaces_of(int(game["table"]["face_down"])):
                chances = tile_posterior(env, seat, space)
                assert chances.sum() == pytest.approx(1)
                assert chances[int(game["tile_at"][space]) - 1] > 0
                assert all(
                    chances[tile - 1] > 0 for tile, space_of in matching(rows, Random(1)).items() if space_of == space
                )
                assert {tile + 1 for tile in range(NUM_TILES) if chances[tile]} <= {t for t in rows if space in rows[t]}
    assert shuffled > 5


def test_after_a_shuffle_tiles_are_as_likely_as_by_counting_all_arrangements() -> None:
    """The claim of the module about a first shuffle, on rivers of five spaces: a seat knows some tiles, then some
    spaces are shuffled; each arrangement and each order of the shuffle is as likely."""
    draw = Random(4)
    for _ in range(20):
        known = {tile: tile for tile in draw.sample(range(5), draw.randint(0, 3))}  # tile -> its space
        spaces = draw.sample(range(5), 3)
        counted: Counter[tuple[int, ...]] = Counter()
        for order in permutations(range(5)):  # order[tile] is its space
            if all(order[tile] == space for tile, space in known.items()):
                for mixed in permutations(spaces):
                    moved = dict(zip(spaces, mixed, strict=True))
                    counted[tuple(moved.get(space, space) for space in order)] += 1
        assert len(set(counted.values())) == 1
        assert len(counted) == count_matchings(rows_after(known, spaces))


def rows_after(known: dict[int, int], shuffled: list[int]) -> tuple[int, ...]:
    """RH-8.3: a row that touches what was shuffled takes it in whole."""
    strange = sum(1 << space for space in range(5) if space not in known.values())
    mixed = sum(1 << space for space in shuffled)
    rows = [1 << known[tile] if tile in known else strange for tile in range(5)]
    return tuple(row | mixed if row & mixed else row for row in rows)


def test_what_is_laid_keeps_its_posterior() -> None:
    env = make(6)
    env.reset(seed=2)
    other = lay(make(6), record_of(env))
    assert (role_posterior(env, 0, 1) == role_posterior(other, 0, 1)).all()
